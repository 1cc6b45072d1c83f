/* board_view.c - see board_view.h. */
#include "term/board_view.h"

#include "base/utf8.h"
#include "chess/fen.h"

/* ---- what the terminal can ---- */

static bool is_set(const char *value) { return value && *value; }

static bool has(const char *value, Str part) { return is_set(value) && str_find_nocase(str_from(value), part) < strlen(value); }

TermStyle term_style(const TermEnvironment *e)
{
    TermStyle plain = {TERM_COLOR_NONE, false};
    if (!e->is_terminal || is_set(e->no_color) || !is_set(e->term) || strcmp(e->term, "dumb") == 0) return plain;
    bool rich = has(e->colorterm, STR("truecolor")) || has(e->colorterm, STR("24bit")) || has(e->term, STR("direct"));
    return (TermStyle){.color   = rich ? TERM_COLOR_24_BIT : TERM_COLOR_256,
                       .unicode = has(e->locale, STR("UTF-8")) || has(e->locale, STR("UTF8"))};
}

/* ---- colours ---- */

typedef struct {
    int red, green, blue;
    int index; /* of the 256 colours: the nearest */
} Paint;

typedef enum { FIELD_NORMAL, FIELD_MARKED, FIELD_CHECK, FIELDS } Field;

/* Middle tones: both white and black men must stand out on every one of them. */
static const Paint field_paints[FIELDS][2] = {
    [FIELD_NORMAL] = {{128, 92, 60, 94}, {178, 143, 100, 137}}, /* dark, light */
    [FIELD_MARKED] = {{112, 118, 36, 64}, {146, 150, 62, 107}},
    [FIELD_CHECK]  = {{176, 48, 40, 124}, {196, 64, 52, 160}},
};
static const Paint man_paints[COLORS] = {{255, 255, 255, 231}, {16, 16, 16, 16}};

/* `plane` is 38 for letters, 48 for what is behind them. */
static void append_paint(const TermStyle *style, int plane, const Paint *paint, Buf *out)
{
    if (style->color == TERM_COLOR_24_BIT) {
        buf_printf(out, "\033[%d;2;%d;%d;%dm", plane, paint->red, paint->green, paint->blue);
    } else {
        buf_printf(out, "\033[%d;5;%dm", plane, paint->index);
    }
}

void ink_append(const TermStyle *style, Ink ink, Str text, Buf *out)
{
    static const char *const codes[INKS] = {"", "2", "1", "32", "31", "36"};
    bool                     plain       = style->color == TERM_COLOR_NONE || ink == INK_NORMAL;
    if (!plain) buf_printf(out, "\033[%sm", codes[ink]);
    buf_append(out, text);
    if (!plain) buf_append(out, STR("\033[0m"));
}

size_t text_width(Str text)
{
    size_t width = 0;
    while (text.len) {
        if (text.ptr[0] == '\033') { /* up to the letter that ends the sequence */
            size_t end = 1;
            while (end < text.len && !char_is_lower(text.ptr[end]) && !char_is_upper(text.ptr[end])) end++;
            text = str_skip(text, end + 1);
            continue;
        }
        size_t len = utf8_length(text);
        text       = str_skip(text, len ? len : 1);
        width++;
    }
    return width;
}

const char *piece_sign(const TermStyle *style, Piece piece)
{
    static const char *const white[PIECE_TYPES] = {"♙", "♘", "♗", "♖", "♕", "♔"};
    static const char *const black[PIECE_TYPES] = {"♟", "♞", "♝", "♜", "♛", "♚"};
    static const char *const letters[PIECES] = {"P", "N", "B", "R", "Q", "K", ".", ".", "p", "n", "b", "r", "q", "k", ".", "."};
    if (!style->unicode || piece_type(piece) >= PIECE_TYPES) return letters[piece];
    return (piece_color(piece) == WHITE ? white : black)[piece_type(piece)];
}

/* ---- the board ---- */

void board_view_marks(const Position *before, Move move, Square marks[2])
{
    marks[0] = marks[1] = SQ_NONE;
    if (move == MOVE_NONE) return;
    marks[0] = move_from(move);
    marks[1] = move_to(move);
    if (move_kind(move) == MOVE_CASTLING) marks[1] = castle_king_target(position_side(before), castle_side_of(move));
}

static Field field_of(const BoardView *view, Square square)
{
    const Position *pos = view->pos;
    if (square == position_king(pos, position_side(pos)) && position_in_check(pos)) return FIELD_CHECK;
    return square == view->marks[0] || square == view->marks[1] ? FIELD_MARKED : FIELD_NORMAL;
}

/* Three columns. Men of both colours have the same full sign; their colour tells them apart better than an outline. */
static void append_field(const BoardView *view, const TermStyle *style, Square square, Buf *out)
{
    static const char *const frames[FIELDS] = {"  ", "[]", "()"};
    Piece                    piece          = position_piece_on(view->pos, square);
    Field                    field          = field_of(view, square);
    if (style->color == TERM_COLOR_NONE) {
        buf_printf(out, "%c%c%c", frames[field][0], piece_letter(piece), frames[field][1]);
        return;
    }
    append_paint(style, 48, &field_paints[field][bb_has(BB_LIGHT, square)], out);
    if (piece == NO_PIECE) {
        buf_append(out, STR("   "));
        return;
    }
    Piece sign = style->unicode ? piece_of(BLACK, piece_type(piece)) : piece_of(WHITE, piece_type(piece));
    append_paint(style, 38, &man_paints[piece_color(piece)], out);
    buf_printf(out, " %s ", piece_sign(style, sign));
}

static void append_files(const BoardView *view, const TermStyle *style, Buf *out)
{
    Buf files = {0};
    for (int i = 0; i < FILES; i++) buf_printf(&files, " %c ", file_letter(view->flipped ? FILE_H - i : i));
    buf_append(out, STR("  "));
    ink_append(style, INK_DIM, buf_str(&files), out);
    buf_append(out, STR("   "));
    buf_release(&files);
}

void board_view_row(const BoardView *view, const TermStyle *style, int row, Buf *out)
{
    if (row == 0 || row == BOARD_VIEW_ROWS - 1) {
        append_files(view, style, out);
        return;
    }
    int  rank   = view->flipped ? row - 1 : RANK_8 - (row - 1);
    char name[] = {rank_digit(rank), ' ', '\0'};
    ink_append(style, INK_DIM, str_from(name), out);
    for (int i = 0; i < FILES; i++) append_field(view, style, square_of(view->flipped ? FILE_H - i : i, rank), out);
    if (style->color != TERM_COLOR_NONE) buf_append(out, STR("\033[0m"));
    char behind[] = {' ', rank_digit(rank), ' ', '\0'};
    ink_append(style, INK_DIM, str_from(behind), out);
}

void board_view(const BoardView *view, const TermStyle *style, Buf *out)
{
    for (int row = 0; row < BOARD_VIEW_ROWS; row++) {
        board_view_row(view, style, row, out);
        while (out->len && out->data[out->len - 1] == ' ') out->data[--out->len] = '\0';
        buf_append_char(out, '\n');
    }
}

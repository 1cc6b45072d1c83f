/* panel.c - see panel.h. */
#include "term/panel.h"

#include "chess/notation.h"
#include "term/think_view.h"

enum { MOVE_ROWS = 4, FIRST_MOVE_ROW = 4 };

/* "> White  you  4:59" */
static void append_player(const Panel *panel, const TermStyle *style, Color side, Buf *out)
{
    static const char *const sides[COLORS] = {"White", "Black"};
    bool                     moves         = !panel->over && position_side(&panel->game->now) == side;
    ink_append(style, INK_ACCENT, moves ? (style->unicode ? STR("▶ ") : STR("> ")) : STR("  "), out);
    ink_append(style, moves ? INK_BOLD : INK_NORMAL, str_from(sides[side]), out);
    buf_printf(out, "  %s", panel->names[side]);
    if (!panel->has_clock) return;
    Buf clock = {0};
    clock_append(panel->left_ns[side], &clock);
    buf_append(out, STR("  "));
    ink_append(style, panel->left_ns[side] < 20000000000 ? INK_BAD : INK_BOLD, buf_str(&clock), out);
    buf_release(&clock);
}

/* What this side has more of: "♟♟♞ +5". */
static void append_material(const Panel *panel, const TermStyle *style, Color side, Buf *out)
{
    static const int values[PIECE_TYPES] = {1, 3, 3, 5, 9, 0};
    const Position  *pos                 = &panel->game->now;
    Buf              text                = {0};
    int              lead                = 0;
    for (int type = QUEEN; type >= PAWN; type--) {
        int more = bb_count(position_pieces(pos, side, (PieceType)type)) -
                   bb_count(position_pieces(pos, color_flip(side), (PieceType)type));
        lead += more * values[type];
        for (int i = 0; i < more; i++)
            buf_append(&text, str_from(piece_sign(style, piece_of(style->unicode ? BLACK : WHITE, (PieceType)type))));
    }
    if (lead > 0) buf_printf(&text, " +%d", lead);
    if (text.len) {
        buf_append(out, STR("  "));
        ink_append(style, INK_DIM, buf_str(&text), out);
    }
    buf_release(&text);
}

/* The number of the first full move that is shown, and the position before it: the last moves fit. */
static size_t first_shown(const Game *game)
{
    size_t black_first = position_side(&game->start) == BLACK;
    size_t full        = (game->plies + black_first + 1) / 2;
    size_t skipped     = full > MOVE_ROWS ? full - MOVE_ROWS : 0;
    return skipped ? 2 * skipped - black_first : 0;
}

/* "12. Nf3     Nc6", row 0 .. MOVE_ROWS-1 of the last moves. */
static void append_moves(const Panel *panel, const TermStyle *style, int row, Buf *out)
{
    const Game *game = panel->game;
    Position    pos  = game->start, next;
    size_t      ply = 0, first = first_shown(game);
    int         at = 0;
    for (; ply < game->plies; ply++) {
        bool white = position_side(&pos) == WHITE;
        if (ply > first && white) at++;
        if (ply >= first && at == row) {
            char san[SAN_SIZE];
            move_to_san(&pos, game->moves[ply], san);
            if (white || ply == first) buf_printf(out, "  %3u.%s ", pos.fullmove, white ? "" : " ...    ");
            ink_append(style, ply + 1 == game->plies ? INK_BOLD : INK_NORMAL, str_from(san), out);
            for (size_t i = strlen(san); i < 8; i++) buf_append_char(out, ' ');
        }
        position_play(&pos, game->moves[ply], &next);
        pos = next;
    }
}

static void append_opening(const Panel *panel, const TermStyle *style, Buf *out)
{
    if (!panel->has_opening) return;
    Buf text = {0};
    buf_printf(&text, "%.*s %.*s", STR_ARGS(panel->opening.code), STR_ARGS(panel->opening.name));
    buf_append(out, STR("  "));
    ink_append(style, INK_ACCENT, buf_str(&text), out);
    buf_release(&text);
}

static void append_side_row(const Panel *panel, const TermStyle *style, int row, Buf *out)
{
    Color bottom = panel->flipped ? BLACK : WHITE, top = color_flip(bottom);
    switch (row) {
    case 1:
        append_player(panel, style, top, out);
        append_material(panel, style, top, out);
        break;
    case 2: append_opening(panel, style, out); break;
    case 8:
        append_player(panel, style, bottom, out);
        append_material(panel, style, bottom, out);
        break;
    default:
        if (row >= FIRST_MOVE_ROW - 1 && row < FIRST_MOVE_ROW - 1 + MOVE_ROWS)
            append_moves(panel, style, row - FIRST_MOVE_ROW + 1, out);
    }
}

void panel_append(const Panel *panel, const TermStyle *style, Buf *out)
{
    const Game *game   = panel->game;
    BoardView   view   = {.pos = &game->now, .flipped = panel->flipped, .marks = {SQ_NONE, SQ_NONE}};
    Position    before = game->start, next;
    for (size_t i = 0; i + 1 < game->plies; i++) {
        position_play(&before, game->moves[i], &next);
        before = next;
    }
    if (game->plies) board_view_marks(&before, game->moves[game->plies - 1], view.marks);
    for (int row = 0; row < BOARD_VIEW_ROWS; row++) {
        size_t start = out->len;
        board_view_row(&view, style, row, out);
        append_side_row(panel, style, row, out);
        while (out->len > start && out->data[out->len - 1] == ' ') out->data[--out->len] = '\0';
        buf_append_char(out, '\n');
    }
}

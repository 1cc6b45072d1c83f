/* pgn_writer.c - games as text in PGN's export style; a visitor, so that a reader can feed it.
 *
 * What is written reads back to the same calls. Two things need care for that. A comment is broken over lines only at
 * single spaces, since the reader takes a line end for one space. And a comment with a closing brace inside cannot
 * stand in braces: it becomes a comment to the end of the line, behind ';'.
 * Threads: a writer belongs to one thread at a time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "game/pgn.h"
#include "game/pgn_text.h"

enum { LINE_LENGTH = 80, ROSTER_TAGS = 7 };

/* A tag that waits for the others: the roster comes first, whatever the order of the calls. Offsets into `tag_text`. */
typedef struct {
    size_t name, name_len, value, value_len;
} WaitingTag;

struct PgnWriter {
    Buf        *out;
    size_t      game_start; /* where in `out` the game begins */
    size_t      column;     /* of the movetext line; 0 at its beginning */
    bool        broken;     /* an error came, or memory ran out: the game is dropped */
    bool        number_due; /* Black's move needs its number: something stood between it and White's */
    bool        glue;       /* no space before the next word: it is a parenthesis */
    bool        opening;    /* a parenthesis is to be written before the next word */
    Buf         tag_text;
    Buf         scratch;
    WaitingTag *tags;
    size_t      tag_count;
    size_t      tag_capacity;
};

PgnWriter *pgn_writer_new(Buf *out)
{
    PgnWriter *writer = calloc(1, sizeof *writer);
    if (writer) writer->out = out;
    return writer;
}

void pgn_writer_free(PgnWriter *writer)
{
    if (!writer) return;
    buf_release(&writer->tag_text);
    buf_release(&writer->scratch);
    free(writer->tags);
    free(writer);
}

static bool writer_begin_game(void *context)
{
    PgnWriter *writer  = context;
    writer->game_start = writer->out->len;
    writer->column     = 0;
    writer->broken     = false;
    writer->glue       = false;
    writer->opening    = false;
    writer->tag_count  = 0;
    buf_reset(&writer->tag_text);
    return true;
}

/* ---- tags ---- */

static Str tag_name(const PgnWriter *writer, size_t i)
{
    return (Str){writer->tag_text.data + writer->tags[i].name, writer->tags[i].name_len};
}

static Str tag_value(const PgnWriter *writer, size_t i)
{
    return (Str){writer->tag_text.data + writer->tags[i].value, writer->tags[i].value_len};
}

static bool writer_tag(void *context, Str name, Str value)
{
    PgnWriter *writer = context;
    if (writer->tag_count == writer->tag_capacity) {
        size_t      capacity = writer->tag_capacity ? writer->tag_capacity * 2 : 16;
        WaitingTag *tags     = realloc(writer->tags, capacity * sizeof *tags);
        if (!tags) {
            writer->broken = true;
            return true;
        }
        writer->tags         = tags;
        writer->tag_capacity = capacity;
    }
    WaitingTag *tag = &writer->tags[writer->tag_count++];
    tag->name       = writer->tag_text.len;
    tag->name_len   = name.len;
    buf_append(&writer->tag_text, name);
    tag->value     = writer->tag_text.len;
    tag->value_len = value.len;
    buf_append(&writer->tag_text, value);
    writer->broken |= writer->tag_text.failed;
    return true;
}

/* The index of a tag, tag_count when it is not there. */
static size_t find_tag(const PgnWriter *writer, Str name)
{
    size_t i = 0;
    while (i < writer->tag_count && !str_equal_nocase(tag_name(writer, i), name)) i++;
    return i;
}

static void write_tag(PgnWriter *writer, Str name, Str value)
{
    Buf *out = writer->out;
    buf_append_char(out, '[');
    for (size_t i = 0; i < name.len; i++) {
        char c   = name.ptr[i];
        bool bad = char_is_space(c) || c == '"' || c == '[' || c == ']' || c == '\0';
        buf_append_char(out, bad ? '_' : c);
    }
    buf_append(out, STR(" \""));
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        if (c == '"' || c == '\\') buf_append_char(out, '\\');
        buf_append_char(out, c == '\n' || c == '\r' ? ' ' : c);
    }
    buf_append(out, STR("\"]\n"));
}

/* The tags without which the moves could not be read again. */
static void write_start_tags(PgnWriter *writer, const Position *start)
{
    Position normal, told;
    char     fen[FEN_SIZE];
    size_t   fen_tag = find_tag(writer, STR("FEN"));
    position_set_start(&normal);
    told = normal;
    if (fen_tag < writer->tag_count) {
        if (!position_from_fen(tag_value(writer, fen_tag), &told, NULL, NULL)) told = *start;
    } else if (!position_same(start, &normal) || start->halfmove != 0 || start->fullmove != 1) {
        Str text = {fen, position_to_fen(start, fen)};
        if (find_tag(writer, STR("SetUp")) == writer->tag_count) write_tag(writer, STR("SetUp"), STR("1"));
        write_tag(writer, STR("FEN"), text);
        position_from_fen(text, &told, NULL, NULL);
    }
    bool named = find_tag(writer, STR("Variant")) < writer->tag_count;
    if (start->chess960 && !told.chess960 && !named) write_tag(writer, STR("Variant"), STR("Chess960"));
}

static bool writer_begin_moves(void *context, const Position *start)
{
    static const Str roster[ROSTER_TAGS] = {{"Event", 5}, {"Site", 4},  {"Date", 4},  {"Round", 5},
                                            {"White", 5}, {"Black", 5}, {"Result", 6}};
    PgnWriter       *writer              = context;
    size_t           first[ROSTER_TAGS];
    for (size_t r = 0; r < ROSTER_TAGS; r++) {
        first[r] = find_tag(writer, roster[r]);
        if (first[r] < writer->tag_count) write_tag(writer, tag_name(writer, first[r]), tag_value(writer, first[r]));
    }
    for (size_t i = 0; i < writer->tag_count; i++) {
        bool written = false;
        for (size_t r = 0; r < ROSTER_TAGS; r++) written |= first[r] == i;
        if (!written) write_tag(writer, tag_name(writer, i), tag_value(writer, i));
    }
    write_start_tags(writer, start);
    if (writer->out->len > writer->game_start) buf_append_char(writer->out, '\n');
    writer->number_due = true;
    return true;
}

/* ---- movetext ---- */

/* Writes a word with a space or a line end before it; a parenthesis that opens stays with the word after it. */
static void write_word(PgnWriter *writer, Str word)
{
    Buf   *out   = writer->out;
    size_t space = !writer->glue, len = word.len + writer->opening;
    if (writer->column > 0) {
        bool full = writer->column + space + len > LINE_LENGTH;
        if (full || space) buf_append_char(out, full ? '\n' : ' ');
        writer->column = full ? 0 : writer->column + space;
    }
    if (writer->opening) buf_append_char(out, '(');
    writer->glue = writer->opening = false;
    buf_append(out, word);
    writer->column += len;
}

static bool writer_move(void *context, const Position *before, Move move)
{
    PgnWriter *writer = context;
    char       text[32];
    Color      side = position_side(before);
    if (side == WHITE || writer->number_due) {
        int len = snprintf(text, sizeof text, "%" PRIu32 "%s", before->fullmove, side == WHITE ? "." : "...");
        write_word(writer, (Str){text, (size_t)len});
    }
    char   san[SAN_SIZE];
    size_t san_len = move_to_san(before, move, san);
    write_word(writer, (Str){san, san_len});
    writer->number_due = false;
    return true;
}

static bool writer_nag(void *context, int nag)
{
    if (nag < 0) return true; /* no text would read back to it */
    char text[16];
    int  len = snprintf(text, sizeof text, "$%d", nag);
    write_word(context, (Str){text, (size_t)len});
    return true;
}

/* The length of the next piece of a comment: up to a space where a line may be broken. Not before '%' or '[', which open
 * an escape or a game when they begin a line, and not beside another space, which would be lost. Not inside "[%eval 0.34]"
 * either: few programs look for such a note over two lines. */
static size_t breakable_length(Str text)
{
    bool note = text.len > 1 && text.ptr[0] == '[' && text.ptr[1] == '%';
    for (size_t i = 1; i + 1 < text.len; i++) {
        note = (note || (text.ptr[i] == '[' && text.ptr[i + 1] == '%')) && text.ptr[i] != ']';
        if (note) continue;
        if (text.ptr[i] != ' ' || char_is_space(text.ptr[i - 1]) || char_is_space(text.ptr[i + 1])) continue;
        if (text.ptr[i + 1] != '%' && text.ptr[i + 1] != '[') return i;
    }
    return text.len;
}

static void write_brace_comment(PgnWriter *writer, Str text)
{
    Buf piece = {0};
    buf_append_char(&piece, '{');
    while (text.len) {
        size_t len = breakable_length(text);
        buf_append(&piece, (Str){text.ptr, len});
        text = str_skip(text, len + 1);
        if (!text.len) buf_append_char(&piece, '}');
        write_word(writer, buf_str(&piece));
        writer->broken |= piece.failed;
        buf_reset(&piece);
    }
    buf_release(&piece);
}

static bool writer_comment(void *context, Str text)
{
    PgnWriter *writer = context;
    text              = pgn_clean_comment(text, &writer->scratch);
    if (!text.len) return true;
    if (memchr(text.ptr, '}', text.len)) {
        write_word(writer, STR(";"));
        buf_append(writer->out, text);
        buf_append_char(writer->out, '\n');
        writer->column = 0;
    } else {
        write_brace_comment(writer, text);
    }
    writer->broken |= writer->scratch.failed;
    writer->number_due = true;
    return true;
}

static bool writer_begin_variation(void *context)
{
    PgnWriter *writer = context;
    if (writer->opening) { /* nothing stands between the two */
        write_word(writer, STR(""));
        writer->glue = true;
    }
    writer->opening    = true;
    writer->number_due = true;
    return true;
}

static bool writer_end_variation(void *context)
{
    PgnWriter *writer = context;
    writer->glue      = !writer->opening;
    write_word(writer, STR(")"));
    writer->number_due = true;
    return true;
}

static bool writer_end_game(void *context, Result result)
{
    PgnWriter *writer = context;
    if (!writer->broken) {
        write_word(writer, str_from(result_text(result)));
        buf_append(writer->out, STR("\n\n"));
    }
    if (writer->broken || writer->out->failed) {
        writer->out->len = writer->game_start;
        if (writer->out->data) writer->out->data[writer->out->len] = '\0';
    }
    return true;
}

static bool writer_error(void *context, const PgnError *error)
{
    (void)error;
    PgnWriter *writer = context;
    writer->broken    = true;
    return true;
}

PgnVisitor pgn_writer_visitor(PgnWriter *writer)
{
    return (PgnVisitor){
        .context         = writer,
        .begin_game      = writer_begin_game,
        .tag             = writer_tag,
        .begin_moves     = writer_begin_moves,
        .move            = writer_move,
        .nag             = writer_nag,
        .comment         = writer_comment,
        .begin_variation = writer_begin_variation,
        .end_variation   = writer_end_variation,
        .end_game        = writer_end_game,
        .error           = writer_error,
    };
}

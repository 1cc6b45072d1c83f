/* pgn_events.c - see pgn_events.h. */
#include "support/pgn_events.h"

#include <stdlib.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "support/testing.h"

void pgn_events_release(PgnEvents *events)
{
    buf_release(&events->text);
    buf_release(&events->tags);
}

static bool events_begin_game(void *context)
{
    PgnEvents *events  = context;
    events->game_start = events->text.len;
    events->broken     = false;
    buf_reset(&events->tags);
    buf_append(&events->text, STR("G"));
    return true;
}

static bool events_tag(void *context, Str name, Str value)
{
    PgnEvents *events = context;
    Buf       *out    = events->sort_tags ? &events->tags : &events->text;
    buf_append(out, STR(" ["));
    buf_append(out, name);
    buf_append_char(out, '=');
    buf_append(out, value);
    buf_append(out, events->sort_tags ? STR("]\n") : STR("]"));
    return true;
}

static int compare_lines(const void *a, const void *b)
{
    const Str *x = a, *y = b;
    int        c = memcmp(x->ptr, y->ptr, x->len < y->len ? x->len : y->len);
    return c ? c : (x->len > y->len) - (x->len < y->len);
}

static void append_sorted_tags(PgnEvents *events)
{
    Str    lines[512];
    size_t count = 0;
    for (Str rest = buf_str(&events->tags); rest.len && count < COUNT_OF(lines);) lines[count++] = str_next_until(&rest, '\n');
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++) buf_append(&events->text, lines[i]);
}

static bool events_begin_moves(void *context, const Position *start)
{
    PgnEvents *events = context;
    char       fen[FEN_SIZE];
    Position   normal;
    append_sorted_tags(events);
    position_to_fen(start, fen);
    position_set_start(&normal);
    buf_append(&events->text, start->chess960 ? STR(" S960") : STR(" S"));
    if (!position_same(start, &normal)) buf_printf(&events->text, ":%s", fen);
    return true;
}

static bool events_move(void *context, const Position *before, Move move)
{
    PgnEvents *events = context;
    char       san[SAN_SIZE];
    move_to_san(before, move, san);
    buf_printf(&events->text, " %s", san);
    return true;
}

static bool events_nag(void *context, int nag)
{
    PgnEvents *events = context;
    buf_printf(&events->text, " $%d", nag);
    return true;
}

static bool events_comment(void *context, Str text)
{
    PgnEvents *events = context;
    buf_append(&events->text, STR(" {"));
    buf_append(&events->text, text);
    buf_append(&events->text, STR("}"));
    return true;
}

static bool events_begin_variation(void *context)
{
    PgnEvents *events = context;
    buf_append(&events->text, STR(" ("));
    return true;
}

static bool events_end_variation(void *context)
{
    PgnEvents *events = context;
    buf_append(&events->text, STR(" )"));
    return true;
}

static bool events_end_game(void *context, Result result)
{
    PgnEvents *events = context;
    buf_printf(&events->text, " =%s\n", result_text(result));
    if (events->broken && events->whole_games_only) events->text.len = events->game_start;
    return true;
}

static bool events_error(void *context, const PgnError *error)
{
    PgnEvents *events = context;
    events->broken    = true;
    buf_printf(&events->text, " !%zu:%zu %s!", error->line, error->column, error->err.text);
    return true;
}

PgnVisitor pgn_events_visitor(PgnEvents *events)
{
    return (PgnVisitor){
        .context         = events,
        .begin_game      = events_begin_game,
        .tag             = events_tag,
        .begin_moves     = events_begin_moves,
        .move            = events_move,
        .nag             = events_nag,
        .comment         = events_comment,
        .begin_variation = events_begin_variation,
        .end_variation   = events_end_variation,
        .end_game        = events_end_game,
        .error           = events_error,
    };
}

/* A source that never gives more than `piece` bytes at once. */
typedef struct {
    Str    rest;
    size_t piece;
} Pieces;

static ptrdiff_t read_piece(void *context, char *out, size_t size, Err *err)
{
    (void)err;
    Pieces *pieces = context;
    size_t  len    = pieces->rest.len;
    if (len > size) len = size;
    if (pieces->piece && len > pieces->piece) len = pieces->piece;
    if (len) memcpy(out, pieces->rest.ptr, len);
    pieces->rest = str_skip(pieces->rest, len);
    return (ptrdiff_t)len;
}

void pgn_events_read(PgnEvents *events, Str text, size_t piece)
{
    Pieces     pieces  = {text, piece};
    PgnVisitor visitor = pgn_events_visitor(events);
    Err        err     = {0};
    if (!pgn_read(&(PgnSource){&pieces, read_piece}, &visitor, &events->counts, &err)) fail_msg("reading failed: %s", err.text);
}

void assert_pgn_events(const char *text, const char *expected)
{
    PgnEvents events = {0};
    pgn_events_read(&events, str_from(text), 0);
    assert_string_equal(buf_str(&events.text).ptr, expected);
    pgn_events_release(&events);
}

/* fuzz_pgn.c - any bytes as PGN: nothing crashes, errors have a place, and what was read writes and reads back the same.
 *
 * The events of a reading are kept as lines of text; those of a broken game are dropped at its end. The writer adds
 * missing tags of the roster and puts the roster first, so tags are compared as "every tag is still there" and everything
 * else line by line; writing what was written gives the same bytes.
 */
#include <inttypes.h>

#include "game/pgn.h"
#include "tests/fuzz/fuzz.h"

/* How long the texts were when the game began: what a broken game added is cut off again. */
typedef struct {
    size_t events, tags, written;
} Marks;

typedef struct {
    Buf        events;  /* a line for every event but tags and errors */
    Buf        tags;    /* "game name=value" lines */
    Buf        written; /* what the writer made of it */
    PgnWriter *writer;
    PgnVisitor write;
    Marks      marks;
    uint64_t   begun, good;
    uint64_t   errors;
    int        depth; /* of open variations */
    bool       in_game, broken;
} Recorder;

static bool on_begin_game(void *context)
{
    Recorder *r = context;
    FUZZ_CHECK(!r->in_game && r->depth == 0);
    r->in_game = true;
    r->broken  = false;
    r->marks   = (Marks){r->events.len, r->tags.len, r->written.len};
    r->begun++;
    buf_append(&r->events, STR("game\n"));
    return r->write.begin_game(r->write.context);
}

static bool on_tag(void *context, Str name, Str value)
{
    Recorder *r = context;
    FUZZ_CHECK(r->in_game && name.len > 0);
    buf_printf(&r->tags, "%" PRIu64 " ", r->good);
    buf_append(&r->tags, name);
    buf_append_char(&r->tags, '=');
    for (size_t i = 0; i < value.len; i++) buf_append_char(&r->tags, value.ptr[i] == '\n' ? '\r' : value.ptr[i]);
    buf_append_char(&r->tags, '\n');
    return r->write.tag(r->write.context, name, value);
}

static bool on_begin_moves(void *context, const Position *start)
{
    Recorder *r = context;
    char      fen[FEN_SIZE];
    FUZZ_CHECK(r->in_game);
    fuzz_check_position(start);
    position_to_fen(start, fen);
    buf_printf(&r->events, "start %s\n", fen);
    return r->write.begin_moves(r->write.context, start);
}

static bool on_move(void *context, const Position *before, Move move)
{
    Recorder *r = context;
    char      uci[UCI_MOVE_SIZE];
    KingState king = movegen_king_state(before);
    FUZZ_CHECK(r->in_game);
    FUZZ_CHECK(move == MOVE_NONE || movegen_is_legal(before, &king, move));
    move_to_uci(before, move, uci);
    buf_printf(&r->events, "move %s\n", uci);
    return r->write.move(r->write.context, before, move);
}

static bool on_nag(void *context, int nag)
{
    Recorder *r = context;
    buf_printf(&r->events, "nag %d\n", nag);
    return r->write.nag(r->write.context, nag);
}

static bool on_comment(void *context, Str text)
{
    Recorder *r = context;
    buf_append(&r->events, STR("comment "));
    buf_append(&r->events, text);
    buf_append_char(&r->events, '\n');
    return r->write.comment(r->write.context, text);
}

static bool on_begin_variation(void *context)
{
    Recorder *r = context;
    r->depth++;
    buf_append(&r->events, STR("(\n"));
    return r->write.begin_variation(r->write.context);
}

static bool on_end_variation(void *context)
{
    Recorder *r = context;
    FUZZ_CHECK(r->depth > 0);
    r->depth--;
    buf_append(&r->events, STR(")\n"));
    return r->write.end_variation(r->write.context);
}

static bool on_end_game(void *context, Result result)
{
    Recorder *r = context;
    FUZZ_CHECK(r->in_game);
    r->in_game = false;
    r->depth   = 0;
    buf_printf(&r->events, "end %s\n", result_text(result));
    bool go_on = r->write.end_game(r->write.context, result);
    if (!r->broken) {
        r->good++;
        return go_on;
    }
    r->events.len  = r->marks.events;
    r->tags.len    = r->marks.tags;
    r->written.len = r->marks.written;
    return go_on;
}

static bool on_error(void *context, const PgnError *error)
{
    Recorder *r = context;
    r->errors++;
    r->broken = true;
    FUZZ_CHECK(error->line >= 1 && error->column >= 1 && error->err.code != ERR_NONE && error->err.text[0]);
    return true;
}

/* Reads `text`, keeps what was told, and writes it again. */
static void record(Recorder *r, Str text)
{
    *r        = (Recorder){0};
    r->writer = pgn_writer_new(&r->written);
    FUZZ_CHECK(r->writer);
    r->write           = pgn_writer_visitor(r->writer);
    PgnVisitor visitor = {
        .context         = r,
        .begin_game      = on_begin_game,
        .tag             = on_tag,
        .begin_moves     = on_begin_moves,
        .move            = on_move,
        .nag             = on_nag,
        .comment         = on_comment,
        .begin_variation = on_begin_variation,
        .end_variation   = on_end_variation,
        .end_game        = on_end_game,
        .error           = on_error,
    };
    PgnCounts counts = {0};
    Err       err    = {0};
    FUZZ_CHECK(pgn_read_text(text, &visitor, &counts, &err));
    FUZZ_CHECK(!r->in_game);
    FUZZ_CHECK(counts.games == r->begun && counts.errors == r->errors && counts.bytes == text.len);
    FUZZ_CHECK(!r->events.failed && !r->tags.failed && !r->written.failed);
}

static void release(Recorder *r)
{
    pgn_writer_free(r->writer);
    buf_release(&r->events);
    buf_release(&r->tags);
    buf_release(&r->written);
}

static Str game_number(Str tags) { return str_next_until(&tags, ' '); }

/* Takes the tag lines of the next game off `*tags`: those that begin with the same number. */
static Str take_game(Str *tags)
{
    Str all    = *tags;
    Str number = game_number(all);
    while (tags->len > number.len && tags->ptr[number.len] == ' ' && memcmp(tags->ptr, number.ptr, number.len) == 0)
        str_next_until(tags, '\n');
    return (Str){all.ptr, all.len - tags->len};
}

/* Whether `line` is one of the lines of `lines`. */
static bool has_line(Str lines, Str line)
{
    while (lines.len) {
        if (str_equal(str_next_until(&lines, '\n'), line)) return true;
    }
    return false;
}

/* Every tag of every game is still there. The writer gives each game a roster, so no game is without tags. */
static void check_tags(Str before, Str after)
{
    while (before.len) {
        Str game = take_game(&before), again = take_game(&after);
        while (again.len && !str_equal(game_number(game), game_number(again))) again = take_game(&after);
        while (game.len) FUZZ_CHECK(has_line(again, str_next_until(&game, '\n')));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Recorder first, second;
    record(&first, fuzz_text(data, size));
    record(&second, buf_str(&first.written));
    FUZZ_CHECK(second.errors == 0 && second.begun == first.good);
    FUZZ_CHECK(str_equal(buf_str(&first.events), buf_str(&second.events)));
    check_tags(buf_str(&first.tags), buf_str(&second.tags));
    FUZZ_CHECK(str_equal(buf_str(&first.written), buf_str(&second.written)));
    release(&first);
    release(&second);
    return 0;
}

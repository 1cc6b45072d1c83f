/* build.c - see build.h. */
#include "book/build.h"

#include <stdlib.h>

#include "book/counts.h"
#include "book/writer.h"

/* A half-move of the game that is being read: its result is not known yet. */
typedef struct {
    Key      key;
    uint16_t move;
} Ply;

struct BookBuilder {
    BookPlan   plan;
    Position   start;
    Counts    *counts;
    BookReport report;
    Err        err; /* why counting failed */
    bool       failed;
    /* the game that is being read */
    int  plies;
    int  depth; /* of variations */
    int  elo[COLORS];
    Move last;
    bool collecting; /* moves still count */
    bool unusable;   /* broken, or not from the start position */
    Ply  line[BOOK_PLY_MAX];
};

BookBuilder *book_builder_new(const BookPlan *plan, Err *err)
{
    BookBuilder *builder = calloc(1, sizeof *builder);
    if (!builder) {
        err_set(err, ERR_MEMORY, 0, "no memory for a book builder");
        return NULL;
    }
    builder->plan = *plan;
    if (plan->max_ply > BOOK_PLY_MAX) builder->plan.max_ply = BOOK_PLY_MAX;
    position_set_start(&builder->start);
    builder->counts = counts_new((plan->memory_mb ? plan->memory_mb : BOOK_MEMORY_MB) << 20, plan->path, err);
    if (builder->counts) return builder;
    free(builder);
    return NULL;
}

void book_builder_free(BookBuilder *builder)
{
    if (!builder) return;
    counts_free(builder->counts);
    free(builder);
}

/* ---- reading games ---- */

static bool on_begin_game(void *context)
{
    BookBuilder *builder = context;
    builder->plies = builder->depth = 0;
    builder->elo[WHITE] = builder->elo[BLACK] = 0;
    builder->last                             = MOVE_NONE;
    builder->collecting = builder->unusable = false;
    return !builder->failed;
}

static bool on_tag(void *context, Str name, Str value)
{
    BookBuilder *builder = context;
    bool         white   = str_equal(name, STR("WhiteElo"));
    if (white || str_equal(name, STR("BlackElo"))) str_to_int(str_trim(value), 0, 9999, &builder->elo[white ? WHITE : BLACK]);
    return true;
}

static bool on_begin_moves(void *context, const Position *start)
{
    BookBuilder *builder = context;
    bool         strong  = builder->elo[WHITE] >= builder->plan.min_elo && builder->elo[BLACK] >= builder->plan.min_elo;
    builder->unusable    = !strong || !position_same(start, &builder->start);
    builder->collecting  = !builder->unusable;
    return true;
}

static bool on_move(void *context, const Position *before, Move move)
{
    BookBuilder *builder = context;
    if (!builder->collecting || builder->depth > 0) return true;
    if (move == MOVE_NONE) {
        builder->collecting = false;
        return true;
    }
    builder->line[builder->plies++] = (Ply){book_key(before, builder->last), book_encode_move(move)};
    builder->last                   = move;
    builder->collecting             = builder->plies < builder->plan.max_ply;
    return true;
}

static bool on_begin_variation(void *context)
{
    BookBuilder *builder = context;
    builder->depth++;
    return true;
}

static bool on_end_variation(void *context)
{
    BookBuilder *builder = context;
    builder->depth--;
    return true;
}

static bool on_error(void *context, const PgnError *error)
{
    (void)error;
    BookBuilder *builder = context;
    builder->unusable    = true;
    return true;
}

static bool on_end_game(void *context, Result result)
{
    BookBuilder *builder = context;
    if (builder->unusable) {
        builder->report.left_out++;
        return true;
    }
    builder->report.games++;
    builder->report.moves += (uint64_t)builder->plies;
    Result win = RESULT_WHITE_WINS, loss = RESULT_BLACK_WINS;
    for (int i = 0; i < builder->plies; i++) counts_prefetch(builder->counts, builder->line[i].key, builder->line[i].move);
    for (int i = 0; i < builder->plies; i++) {
        CountRecord record = {
            .key    = builder->line[i].key,
            .move   = builder->line[i].move,
            .wins   = result == win,
            .losses = result == loss,
            .draws  = result != win && result != loss,
        };
        if (!counts_add(builder->counts, &record, &builder->err)) {
            builder->failed = true;
            return false;
        }
        Result swap = win;
        win         = loss;
        loss        = swap;
    }
    return true;
}

PgnVisitor book_builder_visitor(BookBuilder *builder)
{
    return (PgnVisitor){
        .context         = builder,
        .begin_game      = on_begin_game,
        .tag             = builder->plan.min_elo > 0 ? on_tag : NULL,
        .begin_moves     = on_begin_moves,
        .move            = on_move,
        .begin_variation = on_begin_variation,
        .end_variation   = on_end_variation,
        .end_game        = on_end_game,
        .error           = on_error,
        .max_plies       = (uint64_t)builder->plan.max_ply,
    };
}

/* ---- writing the book ---- */

/* Collects the moves of one position until the key changes. */
typedef struct {
    const BookPlan *plan;
    BookWriter     *writer;
    Key             key;
    size_t          count;
    WriterMove      moves[BOOK_MOVES_MAX];
} Collector;

static bool flush_position(Collector *collector, Err *err)
{
    size_t count     = collector->count;
    collector->count = 0;
    return writer_add(collector->writer, collector->key, collector->moves, count, err);
}

static bool collect(void *context, const CountRecord *record, Err *err)
{
    Collector *collector = context;
    if (record->key != collector->key && !flush_position(collector, err)) return false;
    collector->key  = record->key;
    uint64_t games  = (uint64_t)record->wins + record->draws + record->losses;
    uint64_t points = 2 * (uint64_t)record->wins + record->draws;
    if (games < (uint64_t)collector->plan->min_games || points * 50 < games * (uint64_t)collector->plan->min_score) return true;
    if (collector->count == BOOK_MOVES_MAX) return true; /* more moves than a position has: keys collided */
    collector->moves[collector->count++] = (WriterMove){record->move, points, games, (int)(points * 500 / games)};
    return true;
}

bool book_builder_finish(BookBuilder *builder, BookReport *report, Err *err)
{
    BookWriter writer;
    *report      = builder->report;
    report->runs = counts_runs(builder->counts);
    if (builder->failed) {
        if (err) *err = builder->err;
        return false;
    }
    if (!writer_open(&writer, builder->plan.path, err)) {
        writer_release(&writer);
        return false;
    }
    Collector collector = {.plan = &builder->plan, .writer = &writer};
    bool      ok        = counts_merge(builder->counts, collect, &collector, err) && flush_position(&collector, err);
    ok                  = ok && writer_commit(&writer, err);
    report->positions   = writer.positions;
    report->entries     = writer.entries;
    writer_release(&writer);
    return ok;
}

/* ---- merging books ---- */

/* Adds the entries of one book for `key` to `moves`; `*at` moves on to the next key. Returns how many moves there are then. */
static size_t add_entries(const Book *book, size_t *at, Key key, bool take, WriterMove *moves, size_t count)
{
    for (; *at < book_size(book); ++*at) {
        BookEntry entry = book_entry(book, *at);
        if (entry.key != key) break;
        if (!take) continue;
        size_t i = 0;
        while (i < count && moves[i].move != entry.move) i++;
        if (i == BOOK_MOVES_MAX) continue;
        if (i == count) moves[count++] = (WriterMove){.move = entry.move};
        uint32_t games;
        int      per_mille;
        moves[i].points += entry.weight;
        if (!book_unpack_counts(entry.learn, &games, &per_mille)) continue;
        uint64_t sum = moves[i].games * (uint64_t)moves[i].per_mille + (uint64_t)games * (uint64_t)per_mille;
        moves[i].games += games;
        moves[i].per_mille = (int)(sum / moves[i].games);
    }
    return count;
}

static bool merge_positions(const Book *const *books, size_t count, bool first_wins, size_t *at, BookWriter *writer, Err *err)
{
    for (;;) {
        Key        key = UINT64_MAX;
        bool       any = false;
        WriterMove moves[BOOK_MOVES_MAX];
        size_t     move_count = 0;
        for (size_t i = 0; i < count; i++) {
            if (at[i] == book_size(books[i])) continue;
            Key next = book_entry(books[i], at[i]).key;
            if (!any || next < key) key = next;
            any = true;
        }
        if (!any) return true;
        for (size_t i = 0; i < count; i++)
            move_count = add_entries(books[i], &at[i], key, !first_wins || move_count == 0, moves, move_count);
        if (!writer_add(writer, key, moves, move_count, err)) return false;
    }
}

bool book_merge(const Book *const *books, size_t count, bool first_wins, const char *path, BookReport *report, Err *err)
{
    BookWriter writer;
    size_t    *at = calloc(count ? count : 1, sizeof *at);
    *report       = (BookReport){0};
    if (!at) return err_set(err, ERR_MEMORY, 0, "no memory to merge books");
    bool ok           = writer_open(&writer, path, err) && merge_positions(books, count, first_wins, at, &writer, err);
    ok                = ok && writer_commit(&writer, err);
    report->positions = writer.positions;
    report->entries   = writer.entries;
    writer_release(&writer);
    free(at);
    return ok;
}

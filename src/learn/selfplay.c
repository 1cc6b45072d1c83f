/* selfplay.c - see selfplay.h. */
#include "learn/selfplay.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/rng.h"
#include "base/work.h"
#include "chess/movegen.h"
#include "engine/engine.h"

enum {
    OPENING_LIMIT      = 350, /* an opening that is further from balance is thrown away */
    OPENING_NODES      = 2000,
    OPENING_TRIES      = 10000,
    HARD_FACTOR        = 10,   /* the hard node limit, in soft ones: an iteration that explodes is cut */
    WIN_SCORE          = 1000, /* beyond it 98 of 100 games are won with either evaluation */
    WIN_PLIES          = 5,    /* both sides agree several times */
    DRAW_SCORE         = 8,
    DRAW_PLIES         = 12,
    DRAW_FIRST_PLY     = 40,
    KNOWN_FIRST_PLY    = 8,  /* of a game of others that may become an opening, */
    KNOWN_LAST_PLY     = 56, /* and the last: what follows are mostly endings, which every game reaches by itself */
    STRAY_RANDOM_PLIES = 3,
    STRAY_PLIES        = 8, /* that are played on then */
    GAME_PLIES_LAST    = 500,
};

/* How the teacher thinks unless told otherwise. With few nodes a move, late move pruning leaves out the very reply that holds:
 * scores of 250 nodes without it lie closer to those of deep searches than scores of 1,500 nodes with it (docs/networks.md). */
#define TEACHER_FEATURES "-lmp"

/* One thread's engine and file. */
typedef struct {
    Engine     *engine;
    StoreWriter writer;
    Game        game, astray;
    StoredGame  stored, stray;
} Table;

typedef struct {
    const SelfplayOptions *options;
    Table                 *tables;
    uint64_t               first;
    SelfplayProgress      *progress;
    void                  *context;
    pthread_mutex_t        lock; /* of what follows */
    SelfplayCounts         counts;
    Err                    err;
    atomic_bool            ended;
} Run;

/* ---- one game ---- */

static bool think(Table *table, const Game *game, int64_t nodes, SearchResult *result, Err *err)
{
    GoLimits limits = {.soft_nodes = nodes, .nodes = nodes * HARD_FACTOR};
    return engine_set_game(table->engine, game, err) && engine_think(table->engine, &limits, result, err);
}

/* Uniformly random legal moves; false when the game ended on the way. */
static bool play_random_moves(Game *game, int plies, Rng *rng)
{
    for (int i = 0; i < plies; i++) {
        MoveList legal;
        movegen_legal(&game->now, &legal);
        if (legal.count == 0 || !game_play(game, legal.moves[rng_below(rng, (uint64_t)legal.count)])) return false;
    }
    return game_end(game) == END_NONE;
}

static bool play_random_opening(Game *game, int plies, Rng *rng)
{
    Position start;
    position_set_start(&start);
    game_reset(game, &start);
    return play_random_moves(game, plies, rng);
}

/* A game of others up to a ply of its own, and from there up to three random moves: the phases and structures that masters reach,
 * without their balance. */
static bool play_known_opening(Game *game, const ReplaySet *set, Rng *rng)
{
    const ReplayGame *played = &set->games[rng_below(rng, set->count)];
    Position          start;
    position_set_start(&start);
    game_reset(game, &start);
    int most = played->plies < KNOWN_LAST_PLY ? played->plies : KNOWN_LAST_PLY;
    if (most <= KNOWN_FIRST_PLY) return false;
    int plies = KNOWN_FIRST_PLY + (int)rng_below(rng, (uint64_t)(most - KNOWN_FIRST_PLY));
    for (int ply = 0; ply < plies; ply++) {
        if (!game_play(game, set->moves[played->first + (size_t)ply])) return false;
    }
    return play_random_moves(game, (int)rng_below(rng, STRAY_RANDOM_PLIES + 1), rng);
}

/* Draws openings until one is playable. The game then begins with it: its moves are not worth learning. */
static bool find_opening(Run *run, Table *table, Rng *rng, int plies, Err *err)
{
    const ReplaySet *known = run->options->openings;
    for (int tries = 0; tries < OPENING_TRIES; tries++) {
        SearchResult result;
        if (known ? play_known_opening(&table->game, known, rng) : play_random_opening(&table->game, plies, rng)) {
            Position start = table->game.now;
            start.halfmove = 0;
            game_reset(&table->game, &start);
            engine_new_game(table->engine);
            if (!think(table, &table->game, OPENING_NODES, &result, err)) return false;
            if (abs(result.value) <= OPENING_LIMIT) return true;
        }
        pthread_mutex_lock(&run->lock);
        run->counts.refused++;
        pthread_mutex_unlock(&run->lock);
    }
    return err_set(err, ERR_RANGE, 0, "%d openings in a row were decided or over already: %s", OPENING_TRIES,
                   known ? "the games are too short" : "take fewer random half-moves");
}

/* How long both sides have agreed on the outcome. */
typedef struct {
    int winning, drawing;
} Agreement;

/* The result by agreement, RESULT_UNKNOWN while there is none. `score` is White's. */
static Result agree(Agreement *agreement, int score, int ply)
{
    int side           = score >= WIN_SCORE ? 1 : score <= -WIN_SCORE ? -1 : 0;
    agreement->winning = side == 0 ? 0 : side * agreement->winning > 0 ? agreement->winning + side : side;
    agreement->drawing = abs(score) <= DRAW_SCORE && ply >= DRAW_FIRST_PLY ? agreement->drawing + 1 : 0;
    if (agreement->winning >= WIN_PLIES) return RESULT_WHITE_WINS;
    if (agreement->winning <= -WIN_PLIES) return RESULT_BLACK_WINS;
    return agreement->drawing >= DRAW_PLIES ? RESULT_DRAW : RESULT_UNKNOWN;
}

static Result result_by_rules(const Game *game)
{
    GameEnd end = game_end(game);
    if (end != END_NONE) return game_result(game, end);
    return game->plies >= GAME_PLIES_LAST ? RESULT_DRAW : RESULT_UNKNOWN;
}

static bool play_game(Run *run, Table *table, uint64_t number, uint64_t *nodes, Err *err)
{
    Rng         rng       = rng_seeded(run->options->seed * 0x9e3779b97f4a7c15U + number);
    StoredGame *stored    = &table->stored;
    Agreement   agreement = {0};
    if (!find_opening(run, table, &rng, run->options->random_plies + (int)(number % 2), err)) return false;
    *stored = (StoredGame){.start = table->game.now, .number = number};
    for (;;) {
        SearchResult result;
        stored->result = result_by_rules(&table->game);
        if (stored->result != RESULT_UNKNOWN) return true;
        if (!think(table, &table->game, run->options->nodes, &result, err)) return false;
        *nodes += result.nodes;
        int white      = position_side(&table->game.now) == WHITE ? result.value : -result.value;
        stored->result = agree(&agreement, white, stored->plies);
        if (stored->result != RESULT_UNKNOWN) return true;
        stored->moves[stored->plies]    = result.best;
        stored->scores[stored->plies++] = (int16_t)white;
        if (!game_play(&table->game, result.best)) return err_set(err, ERR_MEMORY, 0, "no memory for a game");
    }
}

/* Which game of others is number n: strides over the files, so that any range of numbers is a fair sample of them. */
static const ReplayGame *replay_at(const ReplaySet *set, uint64_t number)
{
    enum { STRIDE = 982451653 }; /* a prime beyond any number of games: every game comes once */
    return &set->games[(size_t)(number % set->count * STRIDE % set->count)];
}

/* Leaves the game by a few random moves; false when that ends it. */
static bool go_astray(Table *table, Rng *rng)
{
    Position now = table->game.now, next;
    for (int left = 1 + (int)rng_below(rng, STRAY_RANDOM_PLIES); left > 0; left--) {
        MoveList legal;
        movegen_legal(&now, &legal);
        if (legal.count == 0) return false;
        position_play(&now, legal.moves[rng_below(rng, (uint64_t)legal.count)], &next);
        now = next;
    }
    game_reset(&table->astray, &now);
    return game_end(&table->astray) == END_NONE;
}

/* Plays on from where a few random moves lead and keeps that as a short game without a result. A search looks at such positions
 * all the time, games hardly ever show them; above all the calm ones after the blunder was punished. */
static bool score_astray(Run *run, Table *table, Rng *rng, uint64_t *nodes, Err *err)
{
    StoredGame *stray = &table->stray;
    if (!go_astray(table, rng)) return true;
    *stray = (StoredGame){.start = table->astray.now, .number = table->stored.number, .result = RESULT_UNKNOWN};
    while (stray->plies < STRAY_PLIES && result_by_rules(&table->astray) == RESULT_UNKNOWN) {
        SearchResult result;
        if (!think(table, &table->astray, run->options->nodes, &result, err)) return false;
        *nodes += result.nodes;
        if (abs(result.value) > WIN_SCORE) break;
        stray->moves[stray->plies]    = result.best;
        stray->scores[stray->plies++] = (int16_t)(position_side(&table->astray.now) == WHITE ? result.value : -result.value);
        if (!game_play(&table->astray, result.best)) return err_set(err, ERR_MEMORY, 0, "no memory for a game");
    }
    return stray->plies == 0 || store_write(&table->writer, stray, err);
}

/* Walks through a game of others and scores calm positions: what would be answered by a capture teaches a network nothing. */
static bool score_game(Run *run, Table *table, uint64_t number, uint64_t *nodes, Err *err)
{
    const SelfplayOptions *options = run->options;
    const ReplayGame      *played  = replay_at(options->replay, number);
    Rng                    rng     = rng_seeded(options->seed * 0x9e3779b97f4a7c15U + number);
    StoredGame            *stored  = &table->stored;
    Position               start;
    position_set_start(&start);
    game_reset(&table->game, &start);
    engine_new_game(table->engine);
    *stored = (StoredGame){.start = start, .number = number, .result = played->result};
    for (int ply = 0; ply < played->plies; ply++) {
        const Position *now    = &table->game.now;
        Move            move   = options->replay->moves[played->first + (size_t)ply];
        bool            wanted = ply >= options->first_ply && rng_unit(&rng) < options->share;
        stored->moves[ply]     = move;
        stored->scores[ply]    = SCORE_NONE;
        if (wanted && rng_unit(&rng) < options->stray) {
            if (!score_astray(run, table, &rng, nodes, err)) return false;
        } else if (wanted && !position_is_noisy(now, move) && !position_in_check(now)) {
            SearchResult result;
            if (!think(table, &table->game, options->nodes, &result, err)) return false;
            *nodes += result.nodes;
            if (!position_is_noisy(now, result.best))
                stored->scores[ply] = (int16_t)(position_side(now) == WHITE ? result.value : -result.value);
        }
        stored->plies = ply + 1;
        if (!game_play(&table->game, move)) return err_set(err, ERR_MEMORY, 0, "no memory for a game");
    }
    return true;
}

static void note_game(Run *run, const StoredGame *game, uint64_t nodes)
{
    pthread_mutex_lock(&run->lock);
    run->counts.games++;
    run->counts.positions += (uint64_t)game->plies;
    run->counts.results[game->result]++;
    run->counts.nodes += nodes;
    if (run->progress && !run->progress(run->context, &run->counts)) atomic_store(&run->ended, true);
    pthread_mutex_unlock(&run->lock);
}

static void play_unit(void *context, size_t unit, int thread)
{
    Run     *run   = context;
    Table   *table = &run->tables[thread];
    uint64_t nodes = 0;
    Err      err;
    if (atomic_load(&run->ended)) return;
    bool done = run->options->replay ? score_game(run, table, run->first + unit, &nodes, &err)
                                     : play_game(run, table, run->first + unit, &nodes, &err);
    if (done && store_write(&table->writer, &table->stored, &err)) {
        note_game(run, &table->stored, nodes);
        return;
    }
    pthread_mutex_lock(&run->lock);
    if (!atomic_exchange(&run->ended, true)) run->err = err;
    pthread_mutex_unlock(&run->lock);
}

/* ---- setting up ---- */

static bool set_options(Engine *engine, const SelfplayOptions *options, Err *err)
{
    char number[24];
    snprintf(number, sizeof number, "%d", options->hash_mb);
    if (!engine_set_option(engine, STR("Hash"), str_from(number), err)) return false;
    if (!engine_set_option(engine, STR("Features"), STR(TEACHER_FEATURES), err)) return false;
    for (int i = 0; i < options->engine_option_count; i++) {
        Str value = str_from(options->engine_options[i]), name = str_next_until(&value, '=');
        if (!engine_set_option(engine, str_trim(name), str_trim(value), err)) return false;
    }
    return engine_ready(engine, err);
}

static bool open_table(Table *table, const SelfplayOptions *options, int index, Err *err)
{
    Position start;
    Buf      path = {0};
    position_set_start(&start);
    table->engine = engine_new(NULL, err);
    bool ok       = table->engine && set_options(table->engine, options, err);
    if (ok && !(game_init(&table->game, &start) && game_init(&table->astray, &start)))
        ok = err_set(err, ERR_MEMORY, 0, "no memory for a game");
    buf_printf(&path, "%s/part-%03d.games", options->folder, index);
    if (ok && path.failed) ok = err_set(err, ERR_MEMORY, 0, "no memory for a name");
    if (ok && !options->resume && access(path.data, F_OK) == 0)
        ok = err_set(err, ERR_IO, 0, "%s holds games already: add to them with --resume, or choose another folder",
                     options->folder);
    ok = ok && store_append_to(&table->writer, path.data, err);
    buf_release(&path);
    return ok;
}

static bool close_table(Table *table, Err *err)
{
    engine_free(table->engine);
    game_release(&table->game);
    game_release(&table->astray);
    return store_close(&table->writer, err);
}

static bool make_folder(const char *folder, Err *err)
{
    return mkdir(folder, 0777) == 0 || errno == EEXIST || err_set_errno(err, ERR_IO, "cannot make the folder %s", folder);
}

bool selfplay_run(const SelfplayOptions *options, SelfplayProgress *progress, void *context, SelfplayCounts *counts, Err *err)
{
    Run run    = {.options = options, .progress = progress, .context = context, .first = options->first};
    run.tables = calloc((size_t)options->threads, sizeof *run.tables);
    if (!run.tables) return err_set(err, ERR_MEMORY, 0, "no memory for %d threads", options->threads);
    pthread_mutex_init(&run.lock, NULL);
    atomic_init(&run.ended, false);
    bool ok     = make_folder(options->folder, err);
    int  opened = 0;
    while (ok && opened < options->threads) ok = open_table(&run.tables[opened], options, opened, err), opened++;
    for (int i = 0; i < opened; i++) {
        if (run.tables[i].writer.next_number > run.first) run.first = run.tables[i].writer.next_number;
    }
    if (ok) {
        uint64_t games = options->games;
        if (options->replay) {
            uint64_t left = options->replay->count > run.first ? options->replay->count - run.first : 0;
            games         = games < left ? games : left;
        }
        work_run(games, options->threads, play_unit, &run);
        if (run.err.code != ERR_NONE) {
            ok = false;
            if (err) *err = run.err;
        }
    }
    for (int i = 0; i < opened; i++) ok = close_table(&run.tables[i], ok ? err : NULL) && ok;
    *counts = run.counts;
    pthread_mutex_destroy(&run.lock);
    free(run.tables);
    return ok;
}

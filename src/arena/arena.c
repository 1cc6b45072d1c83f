/* arena.c - see arena.h. */
#include "arena/arena.h"

#include <pthread.h>
#include <stdlib.h>

#include "arena/journal.h"
#include "arena/play.h"
#include "base/rng.h"
#include "base/work.h"

/* A player that one thread plays with; NULL until it is needed. */
typedef struct {
    Player *player;
} Place;

/* What one thread plays with. Only that thread touches it, but for `places`, which arena_stop reads under the lock. */
typedef struct {
    Place     *places; /* by engine */
    GameRecord record;
    Buf        pgn;
} Seat;

struct Arena {
    const ArenaConfig *config;
    ArenaGameFn       *on_game;
    void              *context;
    pthread_mutex_t    lock; /* guards everything below but the seats' own things */
    Standings          standings;
    Journal            journal;
    Seat              *seats;
    bool               stopping;
    ArenaOutcome       outcome; /* why it stops */
    Err                err;
};

const TimeControl *arena_limits(const ArenaConfig *config, int engine)
{
    const PlayerSpec *spec = &config->engines[engine];
    return spec->has_limits ? &spec->limits : &config->limits;
}

/* ---- setting up ---- */

static bool on_journal_game(void *context, const JournalGame *game)
{
    Standings *standings = context;
    if (game->id >= schedule_units(&standings->schedule) * 2 || standings_has(standings, game->id)) return false;
    if (game->id % 2 == 1 && schedule_unit_games(&standings->schedule, game->id / 2) == 1) return false;
    standings_add(standings, game->id, game->result, game->over, game->plies);
    return true;
}

static bool open_files(Arena *arena, Err *err)
{
    const ArenaConfig *c      = arena->config;
    JournalConfig      config = {
             .state_path = c->state_path, .pgn_path = c->pgn_path, .setup = c->setup, .resume = c->resume, .sync = c->sync};
    return journal_open(&arena->journal, &config, on_journal_game, &arena->standings, err);
}

static bool make_seats(Arena *arena, Err *err)
{
    const ArenaConfig *c = arena->config;
    arena->seats         = calloc((size_t)c->concurrency, sizeof *arena->seats);
    for (int i = 0; arena->seats && i < c->concurrency; i++) {
        arena->seats[i].places = calloc((size_t)c->schedule.engines, sizeof *arena->seats[i].places);
        if (!arena->seats[i].places || !record_init(&arena->seats[i].record)) return err_set(err, ERR_MEMORY, 0, "out of memory");
    }
    return arena->seats || err_set(err, ERR_MEMORY, 0, "out of memory");
}

Arena *arena_new(const ArenaConfig *config, ArenaGameFn *on_game, void *context, Err *err)
{
    if (!schedule_check(&config->schedule, err)) return NULL;
    Arena *arena = calloc(1, sizeof *arena);
    if (!arena) {
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    arena->config  = config;
    arena->on_game = on_game;
    arena->context = context;
    arena->outcome = ARENA_COMPLETE;
    arena->journal = (Journal){.fd = -1, .pgn_fd = -1};
    pthread_mutex_init(&arena->lock, NULL);
    if (!standings_init(&arena->standings, &config->schedule, err) || !make_seats(arena, err) || !open_files(arena, err)) {
        arena_free(arena);
        return NULL;
    }
    return arena;
}

void arena_free(Arena *arena)
{
    if (!arena) return;
    for (int i = 0; arena->seats && i < arena->config->concurrency; i++) {
        Seat *seat = &arena->seats[i];
        for (int e = 0; seat->places && e < arena->config->schedule.engines; e++) player_free(seat->places[e].player);
        free(seat->places);
        record_release(&seat->record);
        buf_release(&seat->pgn);
    }
    free(arena->seats);
    journal_close(&arena->journal);
    standings_release(&arena->standings);
    pthread_mutex_destroy(&arena->lock);
    free(arena);
}

const Standings *arena_standings(const Arena *arena) { return &arena->standings; }

/* ---- stopping ---- */

/* The lock is held. The first reason is the one that counts. */
static void stop_locked(Arena *arena, ArenaOutcome outcome)
{
    if (arena->stopping) return;
    arena->stopping = true;
    arena->outcome  = outcome;
    for (int i = 0; i < arena->config->concurrency; i++) {
        for (int e = 0; e < arena->config->schedule.engines; e++) {
            if (arena->seats[i].places[e].player) player_interrupt(arena->seats[i].places[e].player);
        }
    }
}

void arena_stop(Arena *arena)
{
    pthread_mutex_lock(&arena->lock);
    stop_locked(arena, ARENA_STOPPED);
    pthread_mutex_unlock(&arena->lock);
}

static void fail(Arena *arena, const Err *err)
{
    pthread_mutex_lock(&arena->lock);
    if (!arena->stopping) arena->err = *err;
    stop_locked(arena, ARENA_FAILED);
    pthread_mutex_unlock(&arena->lock);
}

/* ---- playing ---- */

/* The seat's player of that engine, made when first needed; NULL when the arena is stopping or has failed. */
static Player *seat_player(Arena *arena, Seat *seat, int engine)
{
    Err    err   = {0};
    Place *place = &seat->places[engine];
    pthread_mutex_lock(&arena->lock);
    bool stopping = arena->stopping;
    if (!stopping && !place->player) place->player = player_new(&arena->config->engines[engine], &arena->config->patience, &err);
    Player *player = stopping ? NULL : place->player;
    pthread_mutex_unlock(&arena->lock);
    if (!stopping && !player) fail(arena, &err);
    return player;
}

/* Hands a finished game over: files first, so that what the table shows is on disk. */
static void hand_over(Arena *arena, Seat *seat)
{
    const ArenaConfig *config = arena->config;
    GameRecord        *record = &seat->record;
    uint64_t           plies  = record->game.plies - record->book_plies;
    JournalGame        line   = {.id = record->id, .result = record->result, .over = record->over, .plies = plies};
    RecordTags         tags   = {.event = config->event};
    Err                err    = {0};
    for (Color c = WHITE; c <= BLACK; c++) {
        tags.names[c]  = config->engines[record->engines[c]].name;
        tags.limits[c] = arena_limits(config, record->engines[c]);
    }
    buf_reset(&seat->pgn);
    bool ok = !config->pgn_path || record_write_pgn(record, &tags, &seat->pgn) || err_set(&err, ERR_MEMORY, 0, "out of memory");
    pthread_mutex_lock(&arena->lock);
    if (!arena->stopping || arena->outcome == ARENA_STOPPED) { /* after a verdict or a failure nothing more counts */
        ok = ok && journal_add(&arena->journal, &line, buf_str(&seat->pgn), &err);
        if (ok) {
            standings_add(&arena->standings, line.id, line.result, line.over, line.plies);
            if (arena->on_game) arena->on_game(arena->context, record, &arena->standings);
            if (config->has_sprt && standings_sprt(&arena->standings, &config->sprt).verdict != SPRT_CONTINUE)
                stop_locked(arena, ARENA_DECIDED);
        }
    }
    pthread_mutex_unlock(&arena->lock);
    if (!ok) fail(arena, &err);
}

static void play_scheduled(Arena *arena, Seat *seat, uint64_t id)
{
    const ArenaConfig *config    = arena->config;
    ScheduledGame      game      = schedule_game(&config->schedule, id);
    int                engines[] = {game.white, game.black};
    Rng                mix       = rng_seeded(config->seed ^ (id + 1) * 0x9e3779b97f4a7c15U);
    PlaySetup          setup     = {.margin_ms = config->margin_ms, .rules = &config->rules, .chess960 = config->chess960};
    Err                err;
    setup.seed = rng_next(&mix);
    for (Color c = WHITE; c <= BLACK; c++) {
        seat->record.engines[c] = engines[c];
        setup.players[c]        = seat_player(arena, seat, engines[c]);
        setup.limits[c]         = arena_limits(config, engines[c]);
        if (!setup.players[c]) return;
    }
    seat->record.id = id;
    PlayStatus status =
        openings_begin(config->openings, game.round, &seat->record.game) ? play_game(&setup, &seat->record) : PLAY_NO_MEMORY;
    if (status == PLAY_FINISHED) hand_over(arena, seat);
    if (status == PLAY_NO_MEMORY) {
        err_set(&err, ERR_MEMORY, 0, "out of memory");
        fail(arena, &err);
    }
}

/* Engines that do not play the next unit end: many engines and many seats would fill the memory. */
static void rest_others(const Arena *arena, Seat *seat, ScheduledGame game)
{
    for (int e = 0; e < arena->config->schedule.engines; e++) {
        if (seat->places[e].player && e != game.white && e != game.black) player_rest(seat->places[e].player);
    }
}

static void play_unit(void *context, size_t unit, int thread)
{
    Arena *arena = context;
    Seat  *seat  = &arena->seats[thread];
    int    games = schedule_unit_games(&arena->config->schedule, unit);
    for (int i = 0; i < games; i++) {
        uint64_t id = (uint64_t)unit * 2 + (uint64_t)i;
        pthread_mutex_lock(&arena->lock);
        bool stopping = arena->stopping, done = standings_has(&arena->standings, id);
        pthread_mutex_unlock(&arena->lock);
        if (stopping) return;
        if (done) continue;
        rest_others(arena, seat, schedule_game(&arena->config->schedule, id));
        play_scheduled(arena, seat, id);
    }
}

ArenaOutcome arena_run(Arena *arena, Err *err)
{
    const ArenaConfig *config = arena->config;
    if (config->has_sprt && standings_sprt(&arena->standings, &config->sprt).verdict != SPRT_CONTINUE) return ARENA_DECIDED;
    work_run((size_t)schedule_units(&config->schedule), config->concurrency, play_unit, arena);
    if ((arena->outcome == ARENA_COMPLETE || arena->outcome == ARENA_DECIDED) && !journal_finish(&arena->journal, &arena->err))
        arena->outcome = ARENA_FAILED;
    if (arena->outcome == ARENA_FAILED) *err = arena->err;
    return arena->outcome;
}

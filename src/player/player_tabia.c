/* player_tabia.c - our own engine, inside this process.
 *
 * The same rules as for a foreign engine: the clock runs from the order to think until `done` is heard, and a search that goes
 * on past its limit is told to stop. One that ignored even that would be waited for: a thread cannot be killed.
 * Threads: the engine's search thread calls on_done; everything else is the owner's.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "player/player_kinds.h"

typedef struct {
    Player          base;
    Engine         *engine; /* NULL while OFF */
    pthread_mutex_t lock;   /* guards `done` and `result`; also `engine` against an interrupt while it goes */
    pthread_cond_t  changed;
    bool            done;
    SearchResult    result;
    int64_t         done_ns;
    PlayerLines    *lines; /* written on the search's thread while one runs; NULL: nobody wants them */
} TabiaPlayer;

static void on_info(void *context, const SearchInfo *info)
{
    const TabiaPlayer *self = context;
    if (!self->lines || info->bound != BOUND_EXACT || info->pv_length == 0) return;
    player_lines_note(self->lines, info->multipv, info->depth, info->pv[0]);
}

static void on_done(void *context, const SearchResult *result)
{
    TabiaPlayer *self = context;
    int64_t      now  = clock_now_ns();
    pthread_mutex_lock(&self->lock);
    self->result  = *result;
    self->done_ns = now;
    self->done    = true;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

static bool set_options(TabiaPlayer *self, Engine *engine, PlayerAnswer *answer)
{
    const PlayerSpec *spec = self->base.spec;
    for (int i = 0; i < spec->option_count; i++) {
        const PlayerOption *option = &spec->options[i];
        Err                 err    = {0};
        if (engine_set_option(engine, str_from(option->name), str_from(option->value), &err)) continue;
        if (err.code == ERR_NOT_FOUND && option->optional) continue;
        return player_fail(answer, PLAYER_UNUSABLE, "%s", err.text);
    }
    return true;
}

static bool start(TabiaPlayer *self, PlayerAnswer *answer)
{
    const SearchListener listener = {.context = self, .info = on_info, .done = on_done};
    Err                  err      = {0};
    Engine              *engine   = engine_new(&listener, &err);
    if (!engine) return player_fail(answer, PLAYER_UNUSABLE, "%s", err.text);
    if (!set_options(self, engine, answer)) {
        engine_free(engine);
        return false;
    }
    if (!engine_ready(engine, &err)) {
        engine_free(engine);
        return player_fail(answer, PLAYER_UNUSABLE, "%s", err.text);
    }
    pthread_mutex_lock(&self->lock);
    self->engine = engine;
    pthread_mutex_unlock(&self->lock);
    return true;
}

static bool tabia_begin_game(Player *player, const PlayerGame *game, PlayerAnswer *answer)
{
    TabiaPlayer *self = (TabiaPlayer *)player;
    Err          err;
    if (!self->engine && !start(self, answer)) return false;
    if (!engine_set_option(self->engine, STR("UCI_Chess960"), game->chess960 ? STR("true") : STR("false"), &err) &&
        game->chess960)
        return player_fail(answer, PLAYER_UNUSABLE, "%s", err.text);
    engine_new_game(self->engine);
    return true;
}

static GoLimits limits_of(const PlayerGo *go, Color side)
{
    GoLimits         limits = {0};
    const GameClock *own    = go->clocks[side];
    for (Color c = WHITE; c <= BLACK; c++) {
        const GameClock *clock = go->clocks[c];
        if (!timecontrol_has_clock(&own->tc) || !timecontrol_has_clock(&clock->tc)) continue;
        limits.has_time[c] = true;
        limits.time_ms[c]  = clock->left_ns < 1000000 ? 1 : clock->left_ns / 1000000;
        limits.inc_ms[c]   = clock->tc.inc_ms;
    }
    limits.moves_to_go  = own->moves_to_go;
    limits.move_time_ms = own->tc.movetime_ms;
    limits.depth        = own->tc.depth;
    limits.nodes        = own->tc.nodes;
    return limits;
}

/* Waits for `done` until the deadline; true when it came. */
static bool wait_done(TabiaPlayer *self, int64_t deadline_ns)
{
    struct timespec at = {.tv_sec = (time_t)(deadline_ns / 1000000000), .tv_nsec = (long)(deadline_ns % 1000000000)};
    pthread_mutex_lock(&self->lock);
    int code = 0;
    while (!self->done && code != ETIMEDOUT) code = pthread_cond_timedwait(&self->changed, &self->lock, &at);
    bool done = self->done;
    pthread_mutex_unlock(&self->lock);
    return done;
}

static bool tabia_think(Player *player, const Game *game, const PlayerGo *go, PlayerAnswer *answer)
{
    TabiaPlayer *self   = (TabiaPlayer *)player;
    GoLimits     limits = limits_of(go, position_side(&game->now));
    Err          err;
    bool         patient = go->limit_ns == INT64_MAX;
    self->done           = false; /* no search runs: nobody else looks */
    self->lines          = go->lines;
    int64_t start_ns     = clock_now_ns();
    if (!engine_set_game(self->engine, game, &err) || !engine_go(self->engine, &limits, &err))
        return player_fail(answer, PLAYER_CRASHED, "%s", err.text);
    if (atomic_load(&player->interrupted)) engine_stop(self->engine); /* an interrupt before engine_go stopped nothing */
    int64_t deadline = start_ns + (patient ? player->patience.think_ms * 1000000 : go->limit_ns);
    bool    late     = !wait_done(self, deadline);
    if (late) { /* else the search thread goes to rest while we go on, and nobody waits twice a move */
        engine_stop(self->engine);
        engine_wait(self->engine);
    }
    answer->elapsed_ns = self->done_ns - start_ns;
    if (atomic_load(&player->interrupted)) return player_fail(answer, PLAYER_INTERRUPTED, "interrupted");
    if (late && patient)
        return player_fail(answer, PLAYER_STALLED, "no move within %lld s", (long long)(player->patience.think_ms / 1000));
    answer->move      = self->result.best;
    answer->has_score = self->result.depth > 0;
    answer->score     = self->result.score;
    answer->depth     = self->result.depth;
    answer->nodes     = self->result.nodes;
    return answer->move != MOVE_NONE || player_fail(answer, PLAYER_ILLEGAL, "it found no move although there is one");
}

static void tabia_rest(Player *player)
{
    TabiaPlayer *self = (TabiaPlayer *)player;
    pthread_mutex_lock(&self->lock);
    Engine *engine = self->engine;
    self->engine   = NULL;
    pthread_mutex_unlock(&self->lock);
    if (engine) engine_free(engine); /* outside the lock: a search that ends now still calls on_done */
}

static void tabia_interrupt(Player *player)
{
    TabiaPlayer *self = (TabiaPlayer *)player;
    pthread_mutex_lock(&self->lock);
    if (self->engine) engine_stop(self->engine);
    pthread_mutex_unlock(&self->lock);
}

static void tabia_free(Player *player)
{
    TabiaPlayer *self = (TabiaPlayer *)player;
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

static const PlayerMethods tabia_methods = {tabia_begin_game, tabia_think, tabia_rest, tabia_interrupt, tabia_free};

Player *player_new_tabia(Err *err)
{
    TabiaPlayer       *self = calloc(1, sizeof *self);
    pthread_condattr_t attributes;
    if (!self || pthread_condattr_init(&attributes) != 0) {
        free(self);
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* deadlines are on clock_now_ns */
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    self->base.methods = &tabia_methods;
    return &self->base;
}

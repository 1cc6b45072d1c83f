/* thinker.c - see thinker.h. */
#include "lichess/thinker.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct Thinker {
    Engine         *engine;
    Http           *http;
    pthread_mutex_t lock; /* guards `ended` and `result` */
    bool            ended;
    SearchResult    result;
};

static void on_done(void *context, const SearchResult *result)
{
    Thinker *thinker = context;
    pthread_mutex_lock(&thinker->lock);
    thinker->result      = *result;
    thinker->result.root = NULL; /* lives only during this call */
    thinker->ended       = true;
    pthread_mutex_unlock(&thinker->lock);
    http_wake(thinker->http);
}

Thinker *bot_thinker_new(const Config *config, Http *http, Err *err)
{
    Thinker *thinker = calloc(1, sizeof *thinker);
    if (!thinker || pthread_mutex_init(&thinker->lock, NULL) != 0) {
        free(thinker);
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    const SearchListener listener = {.context = thinker, .done = on_done};
    thinker->http                 = http;
    thinker->engine               = engine_new(&listener, err);
    if (thinker->engine && config_set_engine(config, thinker->engine, err) && engine_ready(thinker->engine, err)) return thinker;
    bot_thinker_free(thinker);
    return NULL;
}

void bot_thinker_free(Thinker *thinker)
{
    if (!thinker) return;
    if (thinker->engine) engine_free(thinker->engine);
    pthread_mutex_destroy(&thinker->lock);
    free(thinker);
}

void bot_thinker_new_game(Thinker *thinker) { engine_new_game(thinker->engine); }
void bot_thinker_ponderhit(Thinker *thinker) { engine_ponderhit(thinker->engine); }
void bot_thinker_hurry(Thinker *thinker) { engine_stop(thinker->engine); }

bool bot_thinker_take(Thinker *thinker, SearchResult *out)
{
    pthread_mutex_lock(&thinker->lock);
    bool ended     = thinker->ended;
    thinker->ended = false;
    if (ended) *out = thinker->result;
    pthread_mutex_unlock(&thinker->lock);
    return ended;
}

void bot_thinker_stop(Thinker *thinker)
{
    SearchResult unwanted;
    engine_stop(thinker->engine);
    engine_wait(thinker->engine);
    bot_thinker_take(thinker, &unwanted);
}

bool bot_thinker_go(Thinker *thinker, const Game *game, const GoLimits *limits, int64_t overhead_ms, Err *err)
{
    char text[24];
    bot_thinker_stop(thinker);
    snprintf(text, sizeof text, "%lld", (long long)overhead_ms);
    return engine_set_option(thinker->engine, STR("Move Overhead"), str_from(text), err) &&
           engine_set_game(thinker->engine, game, err) && engine_go(thinker->engine, limits, err);
}

/* test_think.h - an Engine that thinks for a test, and what it said meanwhile. Shared by test_search.c and test_engine.c.
 *
 * The listener writes into a Thought on the search's thread; a test reads it after the search has ended (engine_wait
 * orders the two),
 * or sooner through thought_wait_for_depth.
 */
#ifndef TESTS_UNIT_TEST_THINK_H
#define TESTS_UNIT_TEST_THINK_H

#include "support/testing.h"

#include <pthread.h>
#include <string.h>

#include "chess/movegen.h"
#include "chess/notation.h"
#include "engine/engine.h"

enum { LINES_MAX = 256 };

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t  heard;
    int             infos, dones, depth;
    int             line_count; /* of the last iteration that began with line 1 */
    Move            firsts[LINES_MAX];
    Score           scores[LINES_MAX];
    Score           score; /* of the last line 1 */
    int             pv_length;
    SearchResult    result;
} Thought;

static inline void think_on_info(void *context, const SearchInfo *info)
{
    Thought *t = context;
    pthread_mutex_lock(&t->lock);
    t->infos++;
    t->depth = info->depth;
    if (info->multipv == 1) {
        t->score     = info->score;
        t->pv_length = info->pv_length;
    }
    t->line_count                = info->multipv;
    t->firsts[info->multipv - 1] = info->pv[0];
    t->scores[info->multipv - 1] = info->score;
    pthread_cond_broadcast(&t->heard);
    pthread_mutex_unlock(&t->lock);
}

static inline void think_on_done(void *context, const SearchResult *result)
{
    Thought *t = context;
    pthread_mutex_lock(&t->lock);
    t->dones++;
    t->result = *result;
    pthread_cond_broadcast(&t->heard);
    pthread_mutex_unlock(&t->lock);
}

static inline void thought_init(Thought *t)
{
    *t = (Thought){0};
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->heard, NULL);
}

static inline void thought_release(Thought *t)
{
    pthread_cond_destroy(&t->heard);
    pthread_mutex_destroy(&t->lock);
}

/* Blocks until the running search has told of this depth. */
static inline void thought_wait_for_depth(Thought *t, int depth)
{
    pthread_mutex_lock(&t->lock);
    while (t->depth < depth && t->dones == 0) pthread_cond_wait(&t->heard, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

static inline int thought_dones(Thought *t)
{
    pthread_mutex_lock(&t->lock);
    int dones = t->dones;
    pthread_mutex_unlock(&t->lock);
    return dones;
}

/* An engine that tells `t` (may be NULL) all it finds. The caller frees it. */
static inline Engine *think_engine(Thought *t)
{
    SearchListener listener = {.context = t, .info = think_on_info, .done = think_on_done};
    Err            err      = {0};
    Engine        *engine   = engine_new(t ? &listener : NULL, &err);
    if (!engine) fail_msg("%s", err.text);
    return engine;
}

static inline void think_option(Engine *engine, const char *name, const char *value)
{
    Err err = {0};
    if (!engine_set_option(engine, str_from(name), str_from(value), &err)) fail_msg("%s = %s: %s", name, value, err.text);
}

/* The same with the evaluation that never changes by training: what is tested is the search. */
static inline Engine *think_searcher(Thought *t)
{
    Engine *engine = think_engine(t);
    think_option(engine, "Eval", "classical");
    return engine;
}

static inline void think_position(Engine *engine, const char *fen, const char *moves)
{
    Err err = {0};
    if (!engine_set_position(engine, str_from(fen), str_from(moves), &err)) fail_msg("%s %s: %s", fen, moves, err.text);
}

static inline void think_go(Engine *engine, const GoLimits *limits)
{
    Err err = {0};
    if (!engine_go(engine, limits, &err)) fail_msg("go: %s", err.text);
}

/* A whole search to a depth. */
static inline SearchResult think(Engine *engine, const char *fen, const char *moves, int depth)
{
    GoLimits     limits = {.depth = depth};
    SearchResult result;
    Err          err = {0};
    think_position(engine, fen, moves);
    if (!engine_think(engine, &limits, &result, &err)) fail_msg("%s: %s", fen, err.text);
    return result;
}

/* The same with an engine of its own: nothing was known before. */
static inline SearchResult think_alone(const char *fen, const char *moves, int depth)
{
    Engine      *engine = think_searcher(NULL);
    SearchResult result = think(engine, fen, moves, depth);
    engine_free(engine);
    return result;
}

static inline bool move_is_legal(const char *fen, Move move)
{
    Position pos = position_of(fen);
    MoveList legal;
    movegen_legal(&pos, &legal);
    for (int i = 0; i < legal.count; i++) {
        if (legal.moves[i] == move) return true;
    }
    return false;
}

static inline void assert_move(const char *fen, Move move, const char *expected)
{
    Position pos = position_of(fen);
    char     uci[UCI_MOVE_SIZE];
    if (move == move_of(&pos, expected)) return;
    move_to_uci(&pos, move, uci);
    fail_msg("%s: %s instead of %s", fen, move == MOVE_NONE ? "no move" : uci, expected);
}

static inline void assert_drawn(Score score)
{
    if (score < -2 || score > 2) fail_msg("%d instead of a draw", score);
}

#endif

/* selfplay.h - the engine plays itself, or thinks about games of others, and the games are kept: the raw material of training.
 *
 * Every game is one unit of work: its number seeds the random opening, so that a range of numbers is a piece of work that can be
 * done anywhere. Each thread has an engine and a file of its own (part-000.games, part-001.games...); a killed run loses at most
 * the games in hand, and goes on with the next free number.
 * The engine thinks without late move pruning, which makes short searches blind; an option of the run may say otherwise.
 * Threads: selfplay_run starts its own and blocks; `progress` is called on any of them, one at a time.
 */
#ifndef LEARN_SELFPLAY_H
#define LEARN_SELFPLAY_H

#include "base/err.h"
#include "learn/replay.h"
#include "learn/store.h"

typedef struct {
    const char *folder; /* made when it does not exist */
    uint64_t    games;  /* to play in this run */
    uint64_t    seed;   /* of the series: another seed gives other games */
    uint64_t    first;  /* number of the first game; with `resume` at least the next free one */
    int         threads;
    int64_t     nodes;        /* soft limit a move: the iteration that reaches it is finished */
    int         random_plies; /* of every opening; every second game has one more */
    int         hash_mb;
    bool        resume; /* add to what is in the folder; else files there are an error */

    /* Games of others: where the engine's own games begin, a few random moves away from such a game; without them after random
     * moves from the start. */
    const ReplaySet *openings;

    /* Games of others: instead of playing, the engine scores this share of the calm positions from ply `first_ply` on. Game
     * number n is one of them, in an order that mixes the files. NULL: it plays itself. */
    const ReplaySet *replay;
    double           share;
    double           stray; /* of these, the share that is left by a few random moves, where the engine then plays on */
    int              first_ply;

    const char *const *engine_options; /* "Name=Value" */
    int                engine_option_count;
} SelfplayOptions;

typedef struct {
    uint64_t games, positions; /* of this run */
    uint64_t results[4];       /* by Result */
    uint64_t nodes;
    uint64_t refused; /* openings that were decided already */
} SelfplayCounts;

/* Return false to stop after the games in hand. */
typedef bool SelfplayProgress(void *context, const SelfplayCounts *counts);

bool selfplay_run(const SelfplayOptions *options, SelfplayProgress *progress, void *context, SelfplayCounts *counts, Err *err);

#endif

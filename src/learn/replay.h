/* replay.h - the games of PGN files in memory, two bytes a move: what the engine thinks about when it does not play itself.
 *
 * Only main lines from the usual start with a result are kept; a broken game counts up to its error.
 * Threads: reading belongs to one; const access [any].
 */
#ifndef LEARN_REPLAY_H
#define LEARN_REPLAY_H

#include "base/err.h"
#include "game/game.h"

typedef struct {
    size_t first; /* index into ReplaySet.moves */
    int    plies;
    Result result;
} ReplayGame;

typedef struct {
    ReplayGame *games;
    size_t      count, capacity;
    Move       *moves;
    size_t      move_count, move_capacity;
} ReplaySet;

/* Adds the games of the files. False with *err when a file cannot be read or memory is short. */
bool replay_read(ReplaySet *set, const char *const *paths, int count, Err *err);
void replay_release(ReplaySet *set);

#endif

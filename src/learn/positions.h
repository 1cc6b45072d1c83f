/* positions.h - distinct positions of games with their mean results: what the small network of the fourth ancestor learns from.
 *
 * A table by position key; memory grows with the number of distinct positions. Threads: one at a time.
 */
#ifndef LEARN_POSITIONS_H
#define LEARN_POSITIONS_H

#include "learn/samples.h"

typedef struct {
    uint64_t games, plies, broken; /* broken: games with an error, used up to it; games without a result are left out */
} PositionSource;

/* Replays the games of the PGN files and adds a sample for each distinct position: after `first_ply` plies, its result the mean
 * over the games in which it occurred (once a game). Order: by first occurrence. */
bool positions_from_pgn(SampleSet *set, const char *const *paths, int count, int first_ply, PositionSource *source, Err *err);

#endif

/* mcts_playout.h - what a leaf of the tree is worth: one of three playouts, as a number between lost (0) and won (1).
 *
 * Hot: nearly all the time of a Monte Carlo search. Threads: each worker on its own stack.
 */
#ifndef SEARCH_MCTS_PLAYOUT_H
#define SEARCH_MCTS_PLAYOUT_H

#include "base/rng.h"
#include "search/worker.h"

/* The curve between centipawns and the expected result, and back. */
double mcts_value_of(Score score);
Score  mcts_score_of(double value);

/* The value of the position at `ply` (its frame is filled) for the side to move, and in *hint the move that a search preferred,
 * MOVE_NONE for none. Meaningless when w->aborted. */
double mcts_playout(Worker *w, int ply, PlayoutKind kind, Rng *rng, Move *hint);

#endif

/* mcts_random.h - a whole game of random moves: the playout of the first Monte Carlo programs.
 *
 * Every legal move is equally likely; checkmate, stalemate, dead material, fifty moves and the third repetition end the game.
 * Hot: random playouts do nothing else (about 340 plies a game from the start). Threads: [any], each with its own generator.
 */
#ifndef SEARCH_MCTS_RANDOM_H
#define SEARCH_MCTS_RANDOM_H

#include <stddef.h>

#include "base/rng.h"
#include "chess/position.h"

typedef enum { RANDOM_LOSS = -1, RANDOM_DRAW = 0, RANDOM_WIN = 1 } RandomOutcome;

/* Plays from `start` to the end: the outcome for the side to move in `start`. `history` are the keys of the positions before it,
 * newest last; those that can still repeat are looked at. `plies` (may be NULL) grows by the length of the game. */
RandomOutcome mcts_random_game(const Position *start, const Key *history, size_t history_count, Rng *rng, uint64_t *plies);

#endif

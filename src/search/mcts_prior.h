/* mcts_prior.h - a first guess of how good each move is, before anything was tried: the priors of PUCT and the order of edges.
 *
 * The scores are those that order moves everywhere else, without experience: what an exchange wins or loses, checks,
 * promotions, leaving an attacked square, steps towards the middle. A softmax turns them into chances.
 * Hot: once for every expanded node. Threads: [any].
 */
#ifndef SEARCH_MCTS_PRIOR_H
#define SEARCH_MCTS_PRIOR_H

#include "chess/movegen.h"

/* Sorts the moves, best guess first, and gives each its prior (of PRIOR_ONE, about which they add up to). `hint` (may be
 * MOVE_NONE) is what a short search preferred. */
void mcts_order(const Position *pos, Move hint, MoveList *list, uint16_t priors[]);

#endif

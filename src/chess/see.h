/* see.h - static exchange evaluation: what a series of captures on one square is worth, without searching.
 *
 * Both sides take with their cheapest man first; men behind the takers join in; a pinned man does not take while his pinner
 * stands. Hot: move ordering and pruning ask it several times a node. Threads: [any].
 */
#ifndef CHESS_SEE_H
#define CHESS_SEE_H

#include "chess/position.h"

/* In centipawns, the simple scale of exchanges: it need not be the evaluation's. The king's is never lost. */
extern const int see_values[PIECE_TYPES + 1];

/* Whether the exchange that the legal `move` begins gains at least `threshold`. */
bool see_at_least(const Position *pos, Move move, int threshold);

/* The exact value of that exchange, for explanation and tests; several times slower. */
int see_value(const Position *pos, Move move);

#endif

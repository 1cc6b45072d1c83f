/* checks.h - which moves give check, known without playing them.
 *
 * Made once a node, asked once a move. Hot. Threads: [any].
 */
#ifndef CHESS_CHECKS_H
#define CHESS_CHECKS_H

#include "chess/position.h"

typedef struct {
    Square   king;                 /* the enemy's */
    Bitboard squares[PIECE_TYPES]; /* from where a man of that type attacks him */
    Bitboard discoverers;          /* our men that shield him from our own sliders */
} CheckMap;

void checks_map(const Position *pos, CheckMap *out);

/* Whether the legal `move` gives check. */
bool checks_gives(const Position *pos, const CheckMap *map, Move move);

#endif

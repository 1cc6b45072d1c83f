/* keys.h - the random numbers of position keys: those of the Polyglot book format, so a key finds its book entry.
 *
 * `polyglot_random` is the format's published table of 781 numbers; the two tables below arrange the same numbers for
 * make: one load per moved piece, one per change of castling rights.
 */
#ifndef CHESS_KEYS_H
#define CHESS_KEYS_H

#include "chess/move.h"

enum { POLYGLOT_CASTLE = 768, POLYGLOT_EN_PASSANT = 772, POLYGLOT_TURN = 780, POLYGLOT_RANDOMS };

extern const Key polyglot_random[POLYGLOT_RANDOMS];
extern const Key piece_keys[PIECES][SQUARES]; /* zero for the codes that are no piece */
extern const Key castling_keys[16];           /* by rights: bit 0 white short, 1 white long, 2 black short, 3 black long */

static inline Key key_en_passant(Square square) { return polyglot_random[POLYGLOT_EN_PASSANT + square_file(square)]; }

/* Present in the key when White is to move. */
static inline Key key_turn(void) { return polyglot_random[POLYGLOT_TURN]; }

/* For seeing a repetition one move ahead: the change of the key that each reversible move of each piece makes, and that move
 * (without direction), found in one of two slots. */
enum { CUCKOO_SIZE = 8192 };
extern const Key  cuckoo_keys[CUCKOO_SIZE];
extern const Move cuckoo_moves[CUCKOO_SIZE];

static inline unsigned cuckoo_first(Key key) { return (unsigned)key & (CUCKOO_SIZE - 1); }
static inline unsigned cuckoo_second(Key key) { return (unsigned)(key >> 16) & (CUCKOO_SIZE - 1); }

#endif

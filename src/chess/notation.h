/* notation.h - moves as text: the UCI form (e2e4, e7e8q) and the algebraic one (Nbd7, exd8=Q+, O-O).
 *
 * Reading needs the position and yields only legal moves. Reading SAN is the hot path of the PGN reader: it
 * finds the man from the target square backwards instead of generating all moves.
 * Threads: [any].
 */
#ifndef CHESS_NOTATION_H
#define CHESS_NOTATION_H

#include "base/err.h"
#include "base/str.h"
#include "chess/position.h"

enum { UCI_MOVE_SIZE = 6, SAN_SIZE = 10 }; /* both with the terminating zero: "e7e8q", "Qa1xb2+" or longer "exd8=Q#" */

/* "e2e4", "e7e8q" (either case), castling as e1g1 and as e1h1, in any mode. The move must be legal in `pos`. */
bool move_from_uci(const Position *pos, Str text, Move *out, Err *err);

/* The UCI text of a legal move, "0000" for MOVE_NONE; castling as king-takes-rook when pos->chess960. Returns the length. */
size_t move_to_uci(const Position *pos, Move move, char out[UCI_MOVE_SIZE]);

/* Standard algebraic notation, tolerant: 0-0 and o-o, missing or extra x, + and #, e8Q, e8=Q and e8(Q), more disambiguation
 * than needed, long algebraic with or without hyphen, trailing !?, "e.p.", and UCI moves. The move must be legal, and
 * only one legal move may fit (ERR_AMBIGUOUS). */
bool move_from_san(const Position *pos, Str text, Move *out, Err *err);

/* Exact SAN of a legal move: shortest disambiguation, = before promotions, + or #. "--" for MOVE_NONE. Returns the length. */
size_t move_to_san(const Position *pos, Move move, char out[SAN_SIZE]);

#endif

/* move_input.h - a move as a person types it, read with good will; and why it cannot be played, when it cannot. Pure.
 *
 * Understood: SAN in any letter case ("nf3", "NF3", "bxc3" a pawn when one can), coordinates with or without anything between
 * ("e2e4", "e2 e4", "e2-e4", "e2 to e4"), castling with letters or zeros, promotions with or without "=". Threads: [any].
 */
#ifndef TERM_MOVE_INPUT_H
#define TERM_MOVE_INPUT_H

#include "base/err.h"
#include "base/str.h"
#include "chess/position.h"

typedef enum {
    MOVE_INPUT_OK,
    MOVE_INPUT_ASK, /* a pawn reaches the last rank: to what does it promote? `move` is the promotion to a queen */
    MOVE_INPUT_BAD, /* *err tells why, and what comes near */
} MoveInputStatus;

typedef struct {
    MoveInputStatus status;
    Move            move;
} MoveInput;

MoveInput move_input_read(const Position *pos, Str text, Err *err);

/* "q", "Queen", "n", "knight"...: the piece of an answer; NO_TYPE when it is none. An empty answer is a queen. */
PieceType move_input_promotion(Str text);

#endif

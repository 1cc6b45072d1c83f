/* mailbox.h - the rules of chess once more, as plainly as they can be written: the reference of the random-walk test.
 *
 * Shares no idea with src/chess: a board of letters, loops over directions, every move tried and taken back. A position here
 * is updated by its own rules, move by move, so that an error of the real one cannot hide in it.
 */
#ifndef TESTS_SUPPORT_MAILBOX_H
#define TESTS_SUPPORT_MAILBOX_H

#include "chess/position.h"

typedef struct {
    char     board[SQUARES]; /* letters as in a FEN, '.' for none */
    bool     white;          /* to move */
    int      castle[2][2];   /* [black][long]: the square of the rook, -1 when the right is gone */
    int      ep;             /* the square a pawn has just jumped over, -1 for none, capture or not */
    int      king[2];        /* [black] */
    unsigned halfmove, fullmove;
} Mailbox;

/* Takes board, side, castling rooks, en passant square and counters over. */
void mailbox_init(Mailbox *box, const Position *pos);

/* All legal moves, in the encoding of move.h so that they can be compared. */
void mailbox_legal(const Mailbox *box, MoveList *list);

/* Plays a legal move. */
void mailbox_play(Mailbox *box, Move move);

/* Whether the king of the side to move is attacked. */
bool mailbox_in_check(const Mailbox *box);

/* Whether some legal move takes en passant. */
bool mailbox_has_ep_capture(const Mailbox *box);

#endif

/* movegen.h - legal moves, and nothing but legal moves.
 *
 * Checks and pins are found once (movegen_king_state), then every set of targets is masked so that only legal moves come
 * out; no move is tried and taken back. A caller that generates in stages passes the same KingState to each.
 * Hot: all of it. Threads: [any].
 */
#ifndef CHESS_MOVEGEN_H
#define CHESS_MOVEGEN_H

#include "base/rng.h"
#include "chess/position.h"

/* What limits the side to move: who gives check, and which of its own men may not leave the line to their king. */
typedef struct {
    Bitboard checkers;
    Bitboard pinned;
} KingState;

typedef enum {
    MOVES_ALL,
    MOVES_NOISY, /* captures, en passant and promotions to any piece */
    MOVES_QUIET, /* the rest; NOISY and QUIET together are ALL */
} MoveClass;

KingState movegen_king_state(const Position *pos);

/* Fills `list` with the legal moves of that class. In check these are exactly the evasions of that class. */
void movegen_class(const Position *pos, const KingState *king, MoveClass wanted, MoveList *list);

/* All legal moves. */
void movegen_legal(const Position *pos, MoveList *list);

/* Captures and promotions only; quiet moves only; the ways out of check (none when not in check). */
void movegen_noisy(const Position *pos, MoveList *list);
void movegen_quiet(const Position *pos, MoveList *list);
void movegen_evasions(const Position *pos, MoveList *list);

/* How many legal moves there are, without writing them down: several times faster than a list. */
int movegen_count(const Position *pos);

/* One of the legal moves, each as likely as the others; MOVE_NONE when there is none. Writes no list: for random games. */
Move movegen_pick(const Position *pos, const KingState *king, Rng *rng);

bool movegen_has_legal_move(const Position *pos);

/* Whether any sixteen bits are a legal move here: for moves out of a hash table, a book or a file. */
bool movegen_is_legal(const Position *pos, const KingState *king, Move move);

#endif

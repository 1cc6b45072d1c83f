/* move.h - a move in sixteen bits, and a list of them.
 *
 * Bits 0-5 from, 6-11 to, 12-13 the promotion piece (knight..queen), 14-15 the kind. Castling is the king taking his own
 * rook, which is unambiguous in Chess960 too; the text layer turns it into e1g1 where that is the custom.
 * A Move means nothing without the position it was generated in.
 */
#ifndef CHESS_MOVE_H
#define CHESS_MOVE_H

#include "chess/types.h"

typedef uint16_t Move;

typedef enum { MOVE_NORMAL, MOVE_PROMOTION, MOVE_EN_PASSANT, MOVE_CASTLING } MoveKind;

/* from == to == a1: no legal move looks like this. */
enum { MOVE_NONE = 0 };

/* Sixteen men a side (the validator refuses more): fifteen queens with at most 27 moves each, a king with 8, two castlings. */
enum { MOVES_MAX = 15 * 27 + 8 + 2 };

typedef struct {
    int  count;
    Move moves[MOVES_MAX + 1];
} MoveList;

static inline Move move_make(Square from, Square to) { return (Move)((unsigned)from | (unsigned)to << 6); }

static inline Move move_make_special(Square from, Square to, MoveKind kind)
{
    return (Move)((unsigned)from | (unsigned)to << 6 | (unsigned)kind << 14);
}

static inline Move move_make_promotion(Square from, Square to, PieceType piece)
{
    return (Move)((unsigned)from | (unsigned)to << 6 | (unsigned)(piece - KNIGHT) << 12 | (unsigned)MOVE_PROMOTION << 14);
}

static inline Square   move_from(Move move) { return move & 63; }
static inline Square   move_to(Move move) { return (move >> 6) & 63; }
static inline MoveKind move_kind(Move move) { return (MoveKind)(move >> 14); }

/* The piece a promotion gives; meaningful only for MOVE_PROMOTION. */
static inline PieceType move_promotion(Move move) { return (PieceType)(((move >> 12) & 3) + KNIGHT); }

static inline bool move_list_has(const MoveList *list, Move move)
{
    for (int i = 0; i < list->count; i++) {
        if (list->moves[i] == move) return true;
    }
    return false;
}

#endif

/* eval_info.h - what the parts of the classical evaluation share while they look at one position. Private to eval.
 *
 * Everything in the eval_*.h headers is one function in the end: the parts are always inlined into classical.c, once with
 * constant colours and no trace (the fast path) and once with a trace. Hot: all of it.
 */
#ifndef EVAL_EVAL_INFO_H
#define EVAL_EVAL_INFO_H

#include "chess/bitboard.h"
#include "eval/trace.h"

/* What the pawns alone decide, kept in the Evaluator's pawn table; shelter depends on the king too and is kept for the last
 * king square seen. One cache line. */
typedef struct {
    _Alignas(64) Key key;
    Bitboard passed;              /* of both colours */
    Bitboard attack_span[COLORS]; /* all squares that pawns attack or may ever attack by advancing */
    Packed   score;               /* White minus Black */
    Packed   shelter[COLORS];     /* for king_square */
    Packed   shelter_danger[COLORS];
    uint8_t  king_square[COLORS]; /* SQ_NONE: shelter not computed yet */
    uint8_t  closed;              /* 0 open .. 8 locked */
} PawnEntry;

_Static_assert(sizeof(PawnEntry) == 64, "a pawn entry is one cache line");

typedef struct {
    const Position *pos;
    PawnEntry      *pawns;
    EvalTrace      *trace;
    Bitboard        occupied;
    Square          king[COLORS];
    Bitboard        ring[COLORS];            /* around the king, where attacks hurt */
    Bitboard        pins[COLORS];            /* men of either colour alone between the king and an enemy slider */
    Bitboard        area[COLORS];            /* squares that count as mobility */
    Bitboard        by[COLORS][PIECE_TYPES]; /* attacked by this type */
    Bitboard        all[COLORS];             /* attacked at all */
    Bitboard        twice[COLORS];           /* attacked by two or more men */
    Packed          danger[COLORS];          /* to this side's king, from the pieces that attack its ring */
    int             ring_attackers[COLORS];
    int             ring_attacks[COLORS];
    int             phase;
} EvalInfo;

EVAL_INLINE int square_distance(Square a, Square b)
{
    int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    files = files < 0 ? -files : files;
    ranks = ranks < 0 ? -ranks : ranks;
    return files > ranks ? files : ranks;
}

/* 0 for the a- and h-file .. 3 for d and e. */
EVAL_INLINE int file_mirrored(int file) { return file < 4 ? file : 7 - file; }

/* Index into a placement table of 32: own first rank first, files a..d. */
EVAL_INLINE int placement_index(Color us, Square square)
{
    return square_relative_rank(us, square) * 4 + file_mirrored(square_file(square));
}

EVAL_INLINE Bitboard bb_backward(Bitboard set, Color us) { return bb_forward(set, color_flip(us)); }

/* Everything in front of the set's squares on their files, as `us` sees it; the squares themselves not. */
EVAL_INLINE Bitboard bb_fill_forward(Bitboard set, Color us)
{
    if (us == WHITE) {
        set |= set << 8;
        set |= set << 16;
        set |= set << 32;
        return set << 8;
    }
    set |= set >> 8;
    set |= set >> 16;
    set |= set >> 32;
    return set >> 8;
}

EVAL_INLINE Bitboard bb_sideways(Bitboard set) { return bb_east(set) | bb_west(set); }

/* The files of the set, whole. */
EVAL_INLINE Bitboard bb_files(Bitboard set)
{
    set |= set >> 8;
    set |= set >> 16;
    set |= set >> 32;
    return (set & BB_RANK_1) * BB_FILE_A;
}

/* The square in front of a pawn. */
EVAL_INLINE Square square_ahead(Color us, Square square) { return us == WHITE ? square + 8 : square - 8; }

#endif

/* eval_threats.h - what could be taken or chased next move, who owns the board's squares, and passed pawns. Private to eval.
 *
 * Needs the complete attack maps of both sides.
 */
#ifndef EVAL_EVAL_THREATS_H
#define EVAL_EVAL_THREATS_H

#include "eval/eval_info.h"

/* Attacked men of the enemy, counted by type from `first` on; families list them in the order of PieceType. */
EVAL_INLINE Packed threat_targets(EvalInfo *e, Color us, int family, PieceType first, Bitboard targets)
{
    Packed score = 0;
    for (int type = (int)first; type <= QUEEN; type++) {
        score += eval_term(e->trace, us, family + type - (int)first, bb_count(targets & e->pos->types[type]));
    }
    return score;
}

/* Pawn moves that would be safe and attack a piece. */
EVAL_INLINE Bitboard threat_pushes(const EvalInfo *e, Color us, Bitboard pieces)
{
    Color    them   = color_flip(us);
    Bitboard pawns  = position_pieces(e->pos, us, PAWN);
    Bitboard pushed = bb_forward(pawns, us) & ~e->occupied;
    pushed |= bb_forward(pushed & bb_rank(us == WHITE ? RANK_3 : RANK_6), us) & ~e->occupied;
    pushed &= ~e->by[them][PAWN] & (e->all[us] | ~e->all[them]);
    return bb_pawn_attacks(pushed, us) & pieces;
}

/* Squares from which the enemy's only queen could be hit safely. */
EVAL_INLINE Packed threat_on_queen(EvalInfo *e, Color us)
{
    EvalTrace *t     = e->trace;
    Color      them  = color_flip(us);
    Bitboard   queen = position_pieces(e->pos, them, QUEEN);
    if (queen == 0 || bb_more_than_one(queen)) return 0;
    Square   square = bb_first(queen);
    Bitboard safe   = e->area[us] & ~e->pos->colors[us] & (~e->all[them] | (e->twice[us] & ~e->twice[them]));
    Bitboard jump   = e->by[us][KNIGHT] & attacks_knight(square) & safe;
    Bitboard slide =
        ((e->by[us][BISHOP] & attacks_bishop(square, e->occupied)) | (e->by[us][ROOK] & attacks_rook(square, e->occupied))) &
        safe & e->twice[us];
    return eval_term(t, us, P_THREAT_ON_QUEEN, bb_count(jump)) + eval_term(t, us, P_THREAT_ON_QUEEN + 1, bb_count(slide));
}

EVAL_INLINE Packed threats_side(EvalInfo *e, Color us)
{
    EvalTrace *t      = e->trace;
    Color      them   = color_flip(us);
    Bitboard   enemy  = e->pos->colors[them];
    Bitboard   pieces = enemy & ~e->pos->types[PAWN];
    Bitboard   held   = e->by[them][PAWN] | (e->twice[them] & ~e->twice[us]); /* well defended */
    Bitboard   weak   = enemy & ~held & e->all[us];
    Packed     score  = 0;
    Bitboard   steady = position_pieces(e->pos, us, PAWN) & (e->all[us] | ~e->all[them]);
    score += threat_targets(e, us, P_THREAT_BY_PAWN, KNIGHT, bb_pawn_attacks(steady, us) & pieces);
    score += threat_targets(e, us, P_THREAT_BY_MINOR, PAWN, (e->by[us][KNIGHT] | e->by[us][BISHOP]) & (weak | (pieces & held)));
    score += threat_targets(e, us, P_THREAT_BY_ROOK, PAWN, e->by[us][ROOK] & weak);
    score += eval_term(t, us, P_THREAT_BY_KING, (e->by[us][KING] & weak) != 0);
    score += eval_term(t, us, P_THREAT_HANGING, bb_count(weak & (~e->all[them] | (pieces & e->twice[us]))));
    score += eval_term(t, us, P_THREAT_PUSH, bb_count(threat_pushes(e, us, pieces)));
    score += eval_term(t, us, P_RESTRICTED, bb_count(e->all[them] & ~held & e->all[us]));
    return score + threat_on_queen(e, us);
}

/* Room to manoeuvre behind the own pawns; worth more the more pieces want it. */
EVAL_INLINE Packed space_side(EvalInfo *e, Color us)
{
    Color    them   = color_flip(us);
    Bitboard pawns  = position_pieces(e->pos, us, PAWN);
    Bitboard centre = (Bitboard)0x3c3c3c3c3c3c3c3c & (us == WHITE ? (Bitboard)0xffffff00 : (Bitboard)0x00ffffff00000000);
    Bitboard safe   = centre & ~pawns & ~e->by[them][PAWN];
    Bitboard behind = bb_fill_forward(pawns, them);
    int      room   = bb_count(safe) + bb_count(safe & behind & ~e->all[them]);
    int      pieces = bb_count(e->pos->colors[us] & ~e->pos->types[PAWN]) - 1;
    return eval_term(e->trace, us, P_SPACE, room * pieces / 4);
}

/* Whether the pawn promotes before the enemy king, who has no other man, comes near. */
EVAL_INLINE bool passed_unstoppable(const EvalInfo *e, Color us, Square square)
{
    Color    them  = color_flip(us);
    Bitboard lords = e->pos->types[KING] | e->pos->types[PAWN];
    if ((e->pos->colors[them] & ~lords) || (bb_fill_forward(bb_of(square), us) & e->occupied)) return false;
    Square goal  = square_of(square_file(square), us == WHITE ? RANK_8 : RANK_1);
    int    steps = square_distance(square, goal);
    if (square_relative_rank(us, square) == RANK_2) steps--;
    return square_distance(e->king[them], goal) - (position_side(e->pos) == them) > steps;
}

EVAL_INLINE Packed passed_side(EvalInfo *e, Color us)
{
    EvalTrace *t     = e->trace;
    Color      them  = color_flip(us);
    Packed     score = 0;
    for (Bitboard rest = e->pawns->passed & e->pos->colors[us]; rest;) {
        Square   square = bb_pop(&rest);
        Square   stop   = square_ahead(us, square);
        Bitboard path   = bb_fill_forward(bb_of(square), us);
        Bitboard back   = bb_file(square_file(square)) & ~path;
        int      rank   = square_relative_rank(us, square) - RANK_2;
        int      free   = !bb_has(e->occupied, stop);
        int      safe   = !bb_has(e->all[them], stop);
        Bitboard behind = attacks_rook(square, e->occupied) & back & e->pos->types[ROOK];
        score += eval_term(t, us, P_PASSED + 12 * free + 6 * safe + rank, 1);
        score += eval_term(t, us, P_PASSED_OWN_KING + rank, square_distance(e->king[us], stop));
        score += eval_term(t, us, P_PASSED_ENEMY_KING + rank, square_distance(e->king[them], stop));
        if ((path & e->occupied) == 0) score += eval_term(t, us, P_PASSED_CLEAR_PATH + rank, 1);
        if ((path & e->all[them]) == 0) score += eval_term(t, us, P_PASSED_SAFE_PATH + rank, 1);
        if (behind & e->pos->colors[us]) score += eval_term(t, us, P_PASSED_ROOK_BEHIND, 1);
        if (behind & e->pos->colors[them]) score += eval_term(t, us, P_PASSED_ROOK_AGAINST, 1);
        if (passed_unstoppable(e, us, square)) score += eval_term(t, us, P_PASSED_UNSTOPPABLE, 1);
    }
    return score;
}

#endif

/* eval_king.h - the king: his place, his pawns, and how much the enemy's pieces together threaten him. Private to eval. */
#ifndef EVAL_EVAL_KING_H
#define EVAL_EVAL_KING_H

#include "eval/eval_info.h"
#include "eval/eval_pawns.h"

/* The king's third of the board: three files, his own half and the rank before it. */
EVAL_INLINE Bitboard king_flank(Color us, Square king)
{
    int      file   = square_file(king);
    int      centre = file == FILE_A ? FILE_B : file == FILE_H ? FILE_G : file;
    Bitboard files  = (BB_FILE_A << (centre - 1)) | (BB_FILE_A << centre) | (BB_FILE_A << (centre + 1));
    return files & (us == WHITE ? (Bitboard)0x000000ffffffffff : (Bitboard)0xffffffffff000000);
}

/* Checks that the enemy of `us` could give: safe ones by piece, unsafe ones together. */
EVAL_INLINE Packed king_checks(EvalInfo *e, Color us, Bitboard weak)
{
    EvalTrace      *t      = e->trace;
    const Position *pos    = e->pos;
    Color           them   = color_flip(us);
    Square          king   = e->king[us];
    Bitboard        free   = ~pos->colors[them];
    Bitboard        safe   = free & (~e->all[us] | (weak & e->twice[them]));
    Bitboard        hidden = e->occupied & ~position_pieces(pos, us, QUEEN); /* a queen that must move hides nobody */
    Bitboard        rook   = attacks_rook(king, hidden);
    Bitboard        bishop = attacks_bishop(king, hidden);
    Bitboard        n      = attacks_knight(king) & e->by[them][KNIGHT] & free;
    Bitboard        b      = bishop & e->by[them][BISHOP] & free;
    Bitboard        r      = rook & e->by[them][ROOK] & free;
    Bitboard        q      = (rook | bishop) & e->by[them][QUEEN] & free;
    Packed          danger = 0;
    danger += eval_term(t, us, P_DANGER_CHECK + 0, bb_count(n & safe));
    danger += eval_term(t, us, P_DANGER_CHECK + 1, bb_count(b & safe));
    danger += eval_term(t, us, P_DANGER_CHECK + 2, bb_count(r & safe));
    danger += eval_term(t, us, P_DANGER_CHECK + 3, bb_count(q & safe));
    danger += eval_term(t, us, P_DANGER_UNSAFE_CHECK, bb_count((n | b | r) & ~safe));
    return danger;
}

/* The sum of dangers to the king of `us`; only asked when enough enemies are near to make one. */
EVAL_INLINE Packed king_danger(EvalInfo *e, Color us)
{
    EvalTrace *t      = e->trace;
    Color      them   = color_flip(us);
    Bitboard   ring   = e->ring[us];
    Bitboard   flank  = king_flank(us, e->king[us]);
    Bitboard   weak   = e->all[them] & ~e->twice[us] & (~e->all[us] | e->by[us][QUEEN] | e->by[us][KING]);
    Packed     danger = e->danger[us] + e->pawns->shelter_danger[us];
    danger += eval_term(t, us, P_DANGER_BASE, 1);
    danger += eval_term(t, us, P_DANGER_ATTACKS, e->ring_attacks[us]);
    danger += eval_term(t, us, P_DANGER_WEAK, bb_count(weak & ring));
    danger += eval_term(t, us, P_DANGER_NO_QUEEN, position_pieces(e->pos, them, QUEEN) == 0);
    danger += eval_term(t, us, P_DANGER_PINNED, bb_count(e->pins[us]));
    danger += eval_term(t, us, P_DANGER_FLANK_ATTACK, bb_count(flank & e->all[them]) + bb_count(flank & e->twice[them]));
    danger += eval_term(t, us, P_DANGER_FLANK_DEFENCE, bb_count(flank & e->all[us]));
    return danger + king_checks(e, us, weak);
}

/* Files between the king and the nearest pawn: in the end game he belongs near them. */
EVAL_INLINE int king_pawn_files(const EvalInfo *e, Color us)
{
    unsigned files = (unsigned)(bb_files(e->pos->types[PAWN]) & BB_RANK_1);
    int      file  = square_file(e->king[us]);
    unsigned west = files & ((2U << file) - 1), east = files >> file;
    int      to_west = west ? file - (31 - __builtin_clz(west)) : 7;
    int      to_east = east ? __builtin_ctz(east) : 7;
    return to_west < to_east ? to_west : to_east;
}

EVAL_INLINE Packed king_side(EvalInfo *e, Color us)
{
    EvalTrace      *t     = e->trace;
    const Position *pos   = e->pos;
    Color           them  = color_flip(us);
    Square          king  = e->king[us];
    Bitboard        guard = (pos->types[PAWN] | pos->types[KNIGHT] | pos->types[BISHOP]) & pos->colors[us];
    int             near  = bb_count(guard & (e->by[us][KING] | bb_forward(e->by[us][KING], us)));
    Packed          score = eval_term(t, us, P_KING_PLACE + placement_index(us, king), 1);
    if (e->pawns->king_square[us] != king) pawns_shelter(t, pos, e->pawns, us, king);
    score += e->pawns->shelter[us];
    score += eval_term(t, us, P_KING_DEFENDERS + (near > 8 ? 8 : near), 1);
    if (pos->types[PAWN]) score += eval_term(t, us, P_KING_PAWN_FILE + king_pawn_files(e, us), 1);
    score += eval_term(t, us, P_CASTLING, bb_count(pos->castle_rooks & pos->colors[us]));
    bool queen = position_pieces(pos, them, QUEEN) != 0;
    if (e->ring_attackers[us] > (queen ? 0 : 1)) {
        Packed danger = king_danger(e, us);
        if (t) {
            t->danger[us]    = danger;
            t->in_danger[us] = true;
        }
        score -= danger_penalty(danger);
    }
    return score;
}

#endif

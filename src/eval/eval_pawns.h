/* eval_pawns.h - pawn structure: what depends on pawns alone, computed once for each structure a search meets. Private to eval.
 *
 * About nine of ten positions of a search find their pawns in the table, so clarity wins over speed here.
 */
#ifndef EVAL_EVAL_PAWNS_H
#define EVAL_EVAL_PAWNS_H

#include "eval/eval_info.h"

/* Isolated, doubled, backward: the weaknesses of one pawn. */
EVAL_INLINE Packed pawn_weakness(EvalTrace *t, Color us, Square square, Bitboard own, Bitboard enemy)
{
    Color    them     = color_flip(us);
    Bitboard pawn     = bb_of(square);
    Bitboard ahead    = bb_fill_forward(pawn, us);
    Bitboard beside   = bb_sideways(bb_files(pawn));
    int      file     = file_mirrored(square_file(square));
    int      rank     = square_relative_rank(us, square) - RANK_2;
    int      open     = (ahead & enemy) == 0;
    bool     isolated = (beside & own) == 0;
    Packed   score    = 0;
    if (isolated) score += eval_term(t, us, P_ISOLATED + 4 * open + file, 1);
    if (ahead & own) score += eval_term(t, us, P_DOUBLED + 4 * isolated + file, 1);
    if (isolated) return score;
    /* Nobody beside or behind can come to defend it, and the square before it is the enemy pawns'. */
    Bitboard helpers = beside & own & ~bb_fill_forward(bb_sideways(pawn), us);
    if (helpers == 0 && (bb_forward(pawn, us) & (bb_pawn_attacks(enemy, them) | enemy)))
        score += eval_term(t, us, P_BACKWARD + 6 * open + rank, 1);
    return score;
}

/* Passed or on the way to it: returns whether it is passed. */
EVAL_INLINE bool pawn_passed(EvalTrace *t, Color us, Square square, Bitboard own, Bitboard enemy, Packed *score)
{
    Bitboard pawn      = bb_of(square);
    Bitboard ahead     = bb_fill_forward(pawn, us);
    Bitboard sides     = bb_sideways(ahead);
    int      rank      = square_relative_rank(us, square) - RANK_2;
    Bitboard defenders = own & attacks_pawn(color_flip(us), square);
    Bitboard beside    = own & bb_sideways(pawn);
    if ((ahead & own) || (ahead & enemy)) return false;
    if ((sides & enemy) == 0) {
        if (defenders | beside) *score += eval_term(t, us, P_PASSED_DEFENDED + rank, 1);
        return true;
    }
    Bitboard stop     = bb_forward(pawn, us);
    int      guards   = bb_count(enemy & sides);
    int      attacks  = bb_count(enemy & attacks_pawn(us, square));
    int      pushers  = bb_count(own & bb_sideways(pawn | bb_fill_forward(pawn, color_flip(us))));
    int      supports = bb_count(defenders);
    bool     stop_won = bb_count(beside) >= bb_count(enemy & bb_sideways(bb_forward(stop, us)));
    if (supports >= attacks && pushers >= guards && stop_won) *score += eval_term(t, us, P_CANDIDATE + rank, 1);
    return false;
}

EVAL_INLINE Packed pawns_side(EvalTrace *t, const Position *pos, PawnEntry *entry, Color us)
{
    Color    them  = color_flip(us);
    Bitboard own   = position_pieces(pos, us, PAWN);
    Bitboard enemy = position_pieces(pos, them, PAWN);
    Packed   score = eval_term(t, us, P_PAWN_VALUE, bb_count(own));
    if (own == 0) score += eval_term(t, us, P_NO_PAWNS, 1);
    for (Bitboard rest = own; rest;) {
        Square square = bb_pop(&rest);
        int    rank   = square_relative_rank(us, square) - RANK_2;
        score += eval_term(t, us, P_PAWN_PLACE + placement_index(us, square), 1);
        score += pawn_weakness(t, us, square, own, enemy);
        int open = (bb_fill_forward(bb_of(square), us) & enemy) == 0;
        if (own & bb_sideways(bb_of(square))) score += eval_term(t, us, P_PHALANX + 6 * open + rank, 1);
        if (own & attacks_pawn(them, square)) score += eval_term(t, us, P_DEFENDED + 6 * open + rank, 1);
        if (pawn_passed(t, us, square, own, enemy, &score)) entry->passed |= bb_of(square);
    }
    entry->attack_span[us] = bb_sideways(bb_fill_forward(own, us));
    return score;
}

/* 0: open, 8: nothing moves. Knights like it closed, rooks open. */
EVAL_INLINE int pawns_closed(const Position *pos)
{
    Bitboard white  = position_pieces(pos, WHITE, PAWN);
    Bitboard pawns  = pos->types[PAWN];
    int      rammed = bb_count((white << 8) & position_pieces(pos, BLACK, PAWN));
    int      open   = 8 - bb_count(bb_files(pawns) & BB_RANK_1);
    int      closed = (bb_count(pawns) + 3 * rammed - 4 * open) / 3;
    return closed < 0 ? 0 : closed > 8 ? 8 : closed;
}

/* Fills `entry` for the pawns of `pos`. */
EVAL_INLINE void pawns_fill(EvalTrace *t, const Position *pos, PawnEntry *entry)
{
    entry->key                = pos->pawn_key;
    entry->passed             = 0;
    entry->score              = pawns_side(t, pos, entry, WHITE) - pawns_side(t, pos, entry, BLACK);
    entry->king_square[WHITE] = SQ_NONE;
    entry->king_square[BLACK] = SQ_NONE;
    entry->closed             = (uint8_t)pawns_closed(pos);
}

/* The nearest pawns of both sides on the king's file and the two beside it (the outer two are taken with the b- or g-file). */
EVAL_INLINE void pawns_shelter(EvalTrace *t, const Position *pos, PawnEntry *entry, Color us, Square king)
{
    Color    them    = color_flip(us);
    int      file    = square_file(king);
    int      centre  = file == FILE_A ? FILE_B : file == FILE_H ? FILE_G : file;
    int      rank    = square_relative_rank(us, king);
    Bitboard behind  = bb_fill_forward(bb_rank(square_rank(king)), them);
    Bitboard own     = position_pieces(pos, us, PAWN) & ~behind;
    Bitboard enemy   = position_pieces(pos, them, PAWN) & ~behind;
    Packed   shelter = 0, danger = 0;
    for (int f = centre - 1; f <= centre + 1; f++) {
        Bitboard mine   = own & bb_file(f);
        Bitboard theirs = enemy & bb_file(f);
        int      near   = mine ? square_relative_rank(us, us == WHITE ? bb_first(mine) : bb_last(mine)) - rank : 7;
        int      storm  = theirs ? square_relative_rank(us, us == WHITE ? bb_first(theirs) : bb_last(theirs)) - rank : 7;
        int      home   = f == file;
        int      rammed = mine && theirs && storm == near + 1;
        int      side   = file_mirrored(f);
        shelter += eval_term(t, us, P_SHELTER + 32 * home + 8 * side + near, 1);
        shelter += eval_term(t, us, P_STORM + 32 * rammed + 8 * side + storm, 1);
        danger += eval_term(t, us, P_DANGER_SHELTER + 8 * home + near, 1);
        danger += eval_term(t, us, P_DANGER_STORM + 8 * rammed + storm, 1);
    }
    entry->king_square[us]    = (uint8_t)king;
    entry->shelter[us]        = shelter;
    entry->shelter_danger[us] = danger;
}

#endif

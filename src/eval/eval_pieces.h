/* eval_pieces.h - knights, bishops, rooks and queens: value, square, mobility and habits; fills the attack maps. Private
 * to eval. */
#ifndef EVAL_EVAL_PIECES_H
#define EVAL_EVAL_PIECES_H

#include "eval/eval_info.h"

#define BB_CENTRE ((Bitboard)0x0000001818000000)
#define BB_LONG_DIAGONALS ((Bitboard)0x8142241818244281)

/* Men of either colour that stand alone between the king and an enemy slider. */
EVAL_INLINE Bitboard pieces_pins(const EvalInfo *e, Color us)
{
    const Position *pos      = e->pos;
    Square          king     = e->king[us];
    Bitboard        straight = rook_ray_table[king] & (pos->types[ROOK] | pos->types[QUEEN]);
    Bitboard        diagonal = bishop_ray_table[king] & (pos->types[BISHOP] | pos->types[QUEEN]);
    Bitboard        snipers  = (straight | diagonal) & pos->colors[color_flip(us)];
    Bitboard        pins     = 0;
    while (snipers) {
        Bitboard between = bb_between(king, bb_pop(&snipers)) & e->occupied;
        if (!bb_more_than_one(between)) pins |= between;
    }
    return pins;
}

/* A man pinned to his king attacks along that line only. */
EVAL_INLINE Bitboard piece_pinned(const EvalInfo *e, Color us, Square square, Bitboard attacks)
{
    return bb_has(e->pins[us], square) ? attacks & bb_line(e->king[us], square) : attacks;
}

/* Pawn and king attacks, mobility area and king ring of one side. */
EVAL_INLINE void pieces_prepare(EvalInfo *e, Color us)
{
    const Position *pos   = e->pos;
    Color           them  = color_flip(us);
    Bitboard        pawns = position_pieces(pos, us, PAWN);
    Bitboard        east  = bb_forward(bb_east(pawns), us);
    Bitboard        west  = bb_forward(bb_west(pawns), us);
    Square          king  = e->king[us];
    Bitboard        near  = attacks_king(king);
    e->pins[us]           = pieces_pins(e, us);
    e->by[us][PAWN]       = east | west;
    e->by[us][KING]       = near;
    e->all[us]            = east | west | near;
    e->twice[us]          = (east & west) | ((east | west) & near);
    e->ring[us]           = (near | bb_of(king) | bb_forward(near, us)) & ~(east & west);
    /* Pawns that cannot move and the king are no places to go; squares that enemy pawns attack are no good ones. */
    Bitboard stuck = pawns & bb_backward(e->occupied, us);
    e->area[us]    = ~(bb_pawn_attacks(position_pieces(pos, them, PAWN), them) | stuck | bb_of(king));
}

/* Notes what a piece attacks and what that means for the enemy king; returns its mobility. */
EVAL_INLINE int piece_attacks(EvalInfo *e, Color us, PieceType type, Bitboard attacks)
{
    Color them = color_flip(us);
    e->twice[us] |= e->all[us] & attacks;
    e->all[us] |= attacks;
    e->by[us][type] |= attacks;
    Bitboard ring = attacks & e->ring[them];
    if (ring) {
        e->ring_attackers[them]++;
        e->ring_attacks[them] += bb_count(ring);
        e->danger[them] += eval_term(e->trace, them, P_DANGER_ATTACKER + (int)type - KNIGHT, 1);
    }
    return bb_count(attacks & e->area[us]);
}

/* Whether a minor piece stands where no enemy pawn can ever drive it away: 0 no, 1 yes, 2 and defended by a pawn. */
EVAL_INLINE int piece_outpost(const EvalInfo *e, Color us, Square square)
{
    int rank = square_relative_rank(us, square);
    if (rank < RANK_4 || rank > RANK_6 || bb_has(e->pawns->attack_span[color_flip(us)], square)) return 0;
    return bb_has(e->by[us][PAWN], square) ? 2 : 1;
}

EVAL_INLINE Packed pieces_knights(EvalInfo *e, Color us)
{
    EvalTrace *t       = e->trace;
    Bitboard   knights = position_pieces(e->pos, us, KNIGHT);
    Bitboard   shaded  = bb_backward(e->pos->types[PAWN], us);
    Packed     score   = 0;
    e->by[us][KNIGHT]  = 0;
    if (knights == 0) return 0;
    int count = bb_count(knights);
    score += eval_term(t, us, P_KNIGHT_VALUE, count);
    if (count > 1) score += eval_term(t, us, P_KNIGHT_PAIR, 1);
    score += eval_term(t, us, P_KNIGHT_PER_PAWN, count * (bb_count(position_pieces(e->pos, us, PAWN)) - 5));
    score += eval_term(t, us, P_CLOSED_KNIGHT + e->pawns->closed, count);
    score += eval_term(t, us, P_KNIGHT_BEHIND_PAWN, bb_count(knights & shaded));
    e->phase += count;
    while (knights) {
        Square square  = bb_pop(&knights);
        int    squares = piece_attacks(e, us, KNIGHT, piece_pinned(e, us, square, attacks_knight(square)));
        int    outpost = piece_outpost(e, us, square);
        score += eval_term(t, us, P_KNIGHT_PLACE + placement_index(us, square), 1);
        score += eval_term(t, us, P_KNIGHT_MOBILITY + squares, 1);
        score += eval_term(t, us, P_KNIGHT_FAR, square_distance(square, e->king[us]));
        if (outpost) score += eval_term(t, us, P_KNIGHT_OUTPOST + outpost - 1, 1);
    }
    return score;
}

EVAL_INLINE Packed pieces_bishops(EvalInfo *e, Color us)
{
    EvalTrace *t       = e->trace;
    Bitboard   bishops = position_pieces(e->pos, us, BISHOP);
    Bitboard   pawns   = position_pieces(e->pos, us, PAWN);
    Bitboard   shaded  = bb_backward(e->pos->types[PAWN], us);
    Bitboard   rammed  = pawns & bb_backward(position_pieces(e->pos, color_flip(us), PAWN), us);
    Packed     score   = 0;
    e->by[us][BISHOP]  = 0;
    if (bishops == 0) return 0;
    int count = bb_count(bishops);
    score += eval_term(t, us, P_BISHOP_VALUE, count);
    if ((bishops & BB_LIGHT) && (bishops & BB_DARK)) score += eval_term(t, us, P_BISHOP_PAIR, 1);
    score += eval_term(t, us, P_BISHOP_BEHIND_PAWN, bb_count(bishops & shaded));
    e->phase += count;
    while (bishops) {
        Square   square  = bb_pop(&bishops);
        Bitboard colour  = bb_has(BB_LIGHT, square) ? BB_LIGHT : BB_DARK;
        Bitboard attacks = attacks_bishop(square, e->occupied ^ position_pieces(e->pos, us, QUEEN));
        int      squares = piece_attacks(e, us, BISHOP, piece_pinned(e, us, square, attacks));
        int      outpost = piece_outpost(e, us, square);
        score += eval_term(t, us, P_BISHOP_PLACE + placement_index(us, square), 1);
        score += eval_term(t, us, P_BISHOP_MOBILITY + squares, 1);
        score += eval_term(t, us, P_BISHOP_FAR, square_distance(square, e->king[us]));
        score += eval_term(t, us, P_BISHOP_OWN_PAWNS, bb_count(pawns & colour));
        score += eval_term(t, us, P_BISHOP_RAMMED_PAWNS, bb_count(rammed & colour));
        if (outpost) score += eval_term(t, us, P_BISHOP_OUTPOST + outpost - 1, 1);
        if (bb_has(BB_LONG_DIAGONALS, square) &&
            bb_more_than_one(BB_CENTRE & (attacks_bishop(square, e->pos->types[PAWN]) | bb_of(square))))
            score += eval_term(t, us, P_BISHOP_LONG_DIAGONAL, 1);
    }
    return score;
}

/* A rook beside its king on the back rank, on the side where the king cut it off, with nothing to do. */
EVAL_INLINE bool rook_trapped(const EvalInfo *e, Color us, Square square)
{
    Square king = e->king[us];
    int    kf = square_file(king), rf = square_file(square);
    if ((kf < FILE_E) != (rf < kf) || square_rank(king) != square_rank(square)) return false;
    return square_relative_rank(us, king) == RANK_1 && (e->pos->castle_rooks & e->pos->colors[us]) == 0;
}

EVAL_INLINE Packed pieces_rooks(EvalInfo *e, Color us)
{
    EvalTrace *t     = e->trace;
    Color      them  = color_flip(us);
    Bitboard   rooks = position_pieces(e->pos, us, ROOK);
    Bitboard   own   = position_pieces(e->pos, us, PAWN);
    Bitboard   enemy = position_pieces(e->pos, them, PAWN);
    Packed     score = 0;
    e->by[us][ROOK]  = 0;
    if (rooks == 0) return 0;
    int count = bb_count(rooks);
    score += eval_term(t, us, P_ROOK_VALUE, count);
    if (count > 1) score += eval_term(t, us, P_ROOK_PAIR, 1);
    score += eval_term(t, us, P_ROOK_PER_PAWN, count * (bb_count(own) - 5));
    score += eval_term(t, us, P_CLOSED_ROOK + e->pawns->closed, count);
    e->phase += 2 * count;
    Bitboard through = e->occupied ^ rooks ^ position_pieces(e->pos, us, QUEEN);
    Bitboard seventh = bb_rank(us == WHITE ? RANK_7 : RANK_2);
    bool     prey    = square_relative_rank(us, e->king[them]) >= RANK_7 || (enemy & seventh);
    while (rooks) {
        Square   square  = bb_pop(&rooks);
        Bitboard file    = bb_file(square_file(square));
        int      squares = piece_attacks(e, us, ROOK, piece_pinned(e, us, square, attacks_rook(square, through)));
        score += eval_term(t, us, P_ROOK_PLACE + placement_index(us, square), 1);
        score += eval_term(t, us, P_ROOK_MOBILITY + squares, 1);
        if ((own & file) == 0) score += eval_term(t, us, P_ROOK_ON_FILE + ((enemy & file) == 0), 1);
        if (prey && bb_has(seventh, square)) score += eval_term(t, us, P_ROOK_ON_SEVENTH, 1);
        if (squares <= 3 && rook_trapped(e, us, square)) score += eval_term(t, us, P_ROOK_TRAPPED, 1);
    }
    return score;
}

/* Whether an enemy slider looks at `square` through exactly one man: that man is loose, or the piece on `square` will be hit. */
EVAL_INLINE bool piece_is_xrayed(const EvalInfo *e, Color us, Square square)
{
    const Position *pos   = e->pos;
    Bitboard        enemy = pos->colors[color_flip(us)];
    Bitboard snipers = enemy & ((rook_ray_table[square] & pos->types[ROOK]) | (bishop_ray_table[square] & pos->types[BISHOP]));
    while (snipers) {
        Bitboard between = bb_between(square, bb_pop(&snipers)) & e->occupied;
        if (between && !bb_more_than_one(between)) return true;
    }
    return false;
}

EVAL_INLINE Packed pieces_queens(EvalInfo *e, Color us)
{
    EvalTrace *t      = e->trace;
    Bitboard   queens = position_pieces(e->pos, us, QUEEN);
    Packed     score  = 0;
    e->by[us][QUEEN]  = 0;
    if (queens == 0) return 0;
    int count = bb_count(queens);
    score += eval_term(t, us, P_QUEEN_VALUE, count);
    e->phase += 4 * count;
    while (queens) {
        Square square  = bb_pop(&queens);
        int    squares = piece_attacks(e, us, QUEEN, piece_pinned(e, us, square, attacks_queen(square, e->occupied)));
        score += eval_term(t, us, P_QUEEN_PLACE + placement_index(us, square), 1);
        score += eval_term(t, us, P_QUEEN_MOBILITY + squares, 1);
        if (piece_is_xrayed(e, us, square)) score += eval_term(t, us, P_QUEEN_PIN, 1);
    }
    return score;
}

#endif

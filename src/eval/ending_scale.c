/* ending_scale.c - endings in which an advantage is worth less than it looks, as a part of SCALE_NORMAL.
 *
 * Asked once an evaluation, so the common cases leave early. Integers only.
 */
#include "eval/endings.h"
#include "eval/eval_info.h"

enum {
    SCALE_DRAW    = 0,
    SCALE_HOPE    = 16, /* practically drawn, but the other side can still err */
    SCALE_BISHOPS = 60, /* opposite bishops and pawns, nothing else */
};

static int piece_units(const Position *pos, Color color)
{
    return 3 * bb_count(pos->colors[color] & (pos->types[KNIGHT] | pos->types[BISHOP])) +
           5 * bb_count(position_pieces(pos, color, ROOK)) + 9 * bb_count(position_pieces(pos, color, QUEEN));
}

/* Without pawns one must be ahead by more than a minor piece. */
static int scale_without_pawns(const Position *pos, Color strong, const char **rule)
{
    int ours = piece_units(pos, strong), theirs = piece_units(pos, color_flip(strong));
    if (position_pieces(pos, color_flip(strong), PAWN) == 0 && ours - theirs > 3) return SCALE_NORMAL;
    if (ours - theirs > 4) return SCALE_NORMAL;
    *rule = "no pawns to win with";
    if (ours <= 3) return SCALE_DRAW;
    if (ours == 6 && theirs <= 3 && bb_count(position_pieces(pos, strong, KNIGHT)) == 2) return SCALE_DRAW;
    return SCALE_HOPE;
}

/* Opposite bishops: blockades hold on squares the other bishop cannot touch. */
static int scale_opposite_bishops(const Position *pos, Color strong, const char **rule)
{
    Bitboard white = position_pieces(pos, WHITE, BISHOP), black = position_pieces(pos, BLACK, BISHOP);
    if (!white || !black || bb_more_than_one(white) || bb_more_than_one(black)) return SCALE_NORMAL;
    if (((white & BB_LIGHT) != 0) == ((black & BB_LIGHT) != 0)) return SCALE_NORMAL;
    Bitboard others = pos->types[KNIGHT] | pos->types[ROOK] | pos->types[QUEEN];
    *rule           = "opposite bishops";
    if (others == 0) {
        int pawns = bb_count(position_pieces(pos, strong, PAWN));
        int scale = SCALE_BISHOPS + 4 * pawns - 16 * (pawns == 1);
        return scale > SCALE_NORMAL ? SCALE_NORMAL : scale;
    }
    bool equal = bb_count(others & pos->colors[WHITE]) == bb_count(others & pos->colors[BLACK]);
    return equal && !bb_more_than_one(others & pos->colors[WHITE]) ? 96 : 116;
}

/* All pawns on one rook's file, and the enemy king in the corner that nobody can drive him out of. */
static int scale_rook_pawns(const Position *pos, Color strong, const char **rule)
{
    Color    weak    = color_flip(strong);
    Bitboard pawns   = position_pieces(pos, strong, PAWN);
    Bitboard pieces  = pos->colors[strong] & ~pos->types[PAWN] & ~pos->types[KING];
    Bitboard bishops = pieces & pos->types[BISHOP];
    if (pieces != bishops || ((pawns & ~BB_FILE_A) && (pawns & ~BB_FILE_H))) return SCALE_NORMAL;
    Square corner = square_of(square_file(bb_first(pawns)), strong == WHITE ? RANK_8 : RANK_1);
    bool   wrong  = bb_has(BB_LIGHT, corner) ? (bishops & BB_LIGHT) == 0 : (bishops & BB_DARK) == 0;
    if (!wrong || square_distance(position_king(pos, weak), corner) > 1) return SCALE_NORMAL;
    *rule = bishops ? "wrong rook pawn" : "rook pawn with the king before it";
    return SCALE_DRAW;
}

/* One pawn, one piece each of the same kind, and the weak king on the pawn's way. */
static int scale_single_pawn(const Position *pos, Color strong, const char **rule)
{
    Color    weak   = color_flip(strong);
    Bitboard pawn   = position_pieces(pos, strong, PAWN);
    Bitboard ours   = pos->colors[strong] & ~pawn & ~pos->types[KING];
    Bitboard theirs = pos->colors[weak] & ~pos->types[KING];
    if (bb_more_than_one(pawn) || bb_count(ours) != 1 || bb_count(theirs) != 1) return SCALE_NORMAL;
    Square king     = position_king(pos, weak);
    Square square   = bb_first(pawn);
    bool   in_front = bb_has(bb_fill_forward(pawn, strong), king);
    if ((ours & pos->types[BISHOP]) && (theirs & pos->types[BISHOP])) {
        bool opposite  = ((ours & BB_LIGHT) != 0) != ((theirs & BB_LIGHT) != 0);
        bool untouched = ((bb_of(king) & BB_LIGHT) != 0) != ((ours & BB_LIGHT) != 0);
        if (!opposite && !(in_front && untouched)) return SCALE_NORMAL;
        *rule = "KBPKB: the pawn is stopped";
        return opposite ? SCALE_HOPE : SCALE_DRAW;
    }
    if ((ours & pos->types[ROOK]) && (theirs & pos->types[ROOK]) && in_front && square_relative_rank(strong, square) <= RANK_6) {
        *rule = "KRPKR: the king stands before the pawn";
        return square_distance(king, square) <= 2 ? SCALE_HOPE : 2 * SCALE_HOPE;
    }
    if ((ours & (pos->types[BISHOP] | pos->types[KNIGHT])) && in_front && (theirs & (pos->types[BISHOP] | pos->types[KNIGHT]))) {
        *rule = "one pawn, the king before it";
        return 3 * SCALE_HOPE;
    }
    return SCALE_NORMAL;
}

int ending_scale(const Position *pos, Color strong, int phase, const char **rule)
{
    Bitboard pawns = position_pieces(pos, strong, PAWN);
    if (phase == PHASE_MAX) return SCALE_NORMAL;
    if (pawns == 0) return scale_without_pawns(pos, strong, rule);
    int scale = SCALE_NORMAL;
    if (pos->types[BISHOP]) scale = scale_opposite_bishops(pos, strong, rule);
    if (phase <= 4 && !(pawns & ~(BB_FILE_A | BB_FILE_H))) {
        int other = scale_rook_pawns(pos, strong, rule);
        scale     = other < scale ? other : scale;
    }
    if (phase <= 4 && !bb_more_than_one(pawns)) {
        int other = scale_single_pawn(pos, strong, rule);
        scale     = other < scale ? other : scale;
    }
    /* The fewer pawns the attacker has left, the nearer is the draw by exchanging them. */
    int usual = 96 + 8 * bb_count(pawns);
    return scale < usual ? scale : usual < SCALE_NORMAL ? usual : SCALE_NORMAL;
}

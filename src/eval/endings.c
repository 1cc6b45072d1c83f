/* endings.c - endings with a value of their own, decided by the material on the board.
 *
 * Where a side can win by force the value shows the way: the lone king to the edge, to the right corner, the kings together;
 * the search then finds the mate. Draws that search alone would not see in time have a value near zero. Integers only.
 */
#include "eval/endings.h"

#include "eval/eval_info.h"

enum {
    WIN_KNOWN = 3000, /* above any ordinary value of the same material */
    WIN_PAWN  = 500,  /* king and pawn against king: won, but a new queen is still better */
    DRAWISH   = 8,
};

/* One side's men counted. */
typedef struct {
    int  pawns, knights, bishops, rooks, queens;
    bool both_bishops; /* on squares of both colours */
} Men;

static Men men_of(const Position *pos, Color color)
{
    Bitboard bishops = position_pieces(pos, color, BISHOP);
    return (Men){
        .pawns        = bb_count(position_pieces(pos, color, PAWN)),
        .knights      = bb_count(position_pieces(pos, color, KNIGHT)),
        .bishops      = bb_count(bishops),
        .rooks        = bb_count(position_pieces(pos, color, ROOK)),
        .queens       = bb_count(position_pieces(pos, color, QUEEN)),
        .both_bishops = (bishops & BB_LIGHT) && (bishops & BB_DARK),
    };
}

static bool men_are(const Men *m, int pawns, int knights, int bishops, int rooks, int queens)
{
    return m->pawns == pawns && m->knights == knights && m->bishops == bishops && m->rooks == rooks && m->queens == queens;
}

static int piece_value(const Men *m)
{
    return packed_eg(eval_params[P_KNIGHT_VALUE]) * m->knights + packed_eg(eval_params[P_BISHOP_VALUE]) * m->bishops +
           packed_eg(eval_params[P_ROOK_VALUE]) * m->rooks + packed_eg(eval_params[P_QUEEN_VALUE]) * m->queens;
}

/* Manhattan distance of a square from the four centre squares: 0 .. 6. */
static int centre_distance(Square square)
{
    int file = square_file(square), rank = square_rank(square);
    return 3 - file_mirrored(file) + (3 - file_mirrored(rank));
}

static int manhattan(Square a, Square b)
{
    int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    return (files < 0 ? -files : files) + (ranks < 0 ? -ranks : ranks);
}

/* Drives the weak king to the edge and brings the strong one near. */
static int push_to_edge(Square weak, Square strong) { return 20 * centre_distance(weak) + 4 * (14 - manhattan(weak, strong)); }

/* Bishop and knight mate only in a corner of the bishop's colour: distance to the nearer of the two. */
static int push_to_corner(const Position *pos, Color strong, Square weak)
{
    bool light = (position_pieces(pos, strong, BISHOP) & BB_LIGHT) != 0;
    int  a = manhattan(weak, light ? A8 : A1), b = manhattan(weak, light ? H1 : H8);
    int  near = a < b ? a : b;
    return 30 * (7 - near) + 5 * (14 - manhattan(weak, position_king(pos, strong)));
}

bool kpk_is_win(Color strong, Square king, Square pawn, Square enemy_king, Color side)
{
    extern const uint64_t kpk_table[];
    int                   flip = (strong == WHITE ? 0 : 56) ^ (square_file(pawn) >= FILE_E ? 7 : 0);
    king ^= flip;
    pawn ^= flip;
    enemy_king ^= flip;
    int number = (square_rank(pawn) - RANK_2) * 4 + square_file(pawn);
    int turn   = side == strong ? 0 : 1;
    return bb_has(kpk_table[(turn * 24 + number) * 64 + king], enemy_king);
}

/* The strong side against a king alone; the value is for the strong side. False when it is to be played by ordinary terms. */
static bool probe_lone_king(const Position *pos, Color strong, const Men *m, Score *value, const char **rule)
{
    Square king = position_king(pos, strong), weak = position_king(pos, color_flip(strong));
    if (m->pawns == 0 && m->rooks == 0 && m->queens == 0) {
        if (m->knights + m->bishops <= 1 || men_are(m, 0, 2, 0, 0, 0) || (m->knights == 0 && !m->both_bishops)) {
            *rule  = "cannot mate";
            *value = 0;
            return true;
        }
        if (men_are(m, 0, 1, 1, 0, 0)) {
            *rule  = "KBNK: to the bishop's corner";
            *value = WIN_KNOWN + piece_value(m) + push_to_corner(pos, strong, weak);
            return true;
        }
    }
    if (men_are(m, 1, 0, 0, 0, 0)) {
        Square pawn = bb_first(position_pieces(pos, strong, PAWN));
        bool   win  = kpk_is_win(strong, king, pawn, weak, position_side(pos));
        *rule       = win ? "KPK: won" : "KPK: drawn";
        *value      = win ? WIN_PAWN + 20 * square_relative_rank(strong, pawn) : 0;
        return true;
    }
    if (m->queens || m->rooks || m->both_bishops || (m->bishops && m->knights) || m->knights > 2) {
        *rule  = "KXK: to the edge";
        *value = WIN_KNOWN + piece_value(m) + packed_eg(eval_params[P_PAWN_VALUE]) * m->pawns + push_to_edge(weak, king);
        return true;
    }
    return false;
}

/* Rook against pawn: drawn only when the pawn is far, its king beside it and the strong king away. */
static Score value_rook_pawn(const Position *pos, Color strong)
{
    Color  weak = color_flip(strong);
    Square king = position_king(pos, strong), enemy = position_king(pos, weak);
    Square rook = bb_first(position_pieces(pos, strong, ROOK)), pawn = bb_first(position_pieces(pos, weak, PAWN));
    int    rook_value = packed_eg(eval_params[P_ROOK_VALUE]);
    int    steps      = square_relative_rank(strong, pawn); /* to promotion, for the weak side */
    bool   to_move    = position_side(pos) == strong;
    Square goal       = square_of(square_file(pawn), strong == WHITE ? RANK_1 : RANK_8);
    bool   in_front   = square_file(king) == square_file(pawn) && square_relative_rank(strong, king) < steps;
    bool   alone      = square_distance(enemy, pawn) >= 3 + !to_move && square_distance(enemy, rook) >= 3;
    if (in_front || alone) return rook_value - square_distance(king, pawn);
    bool escorted = steps <= 2 && square_distance(enemy, pawn) == 1 && square_relative_rank(strong, king) >= RANK_4 &&
                    square_distance(king, pawn) > 2 + to_move;
    if (escorted) return 80 - DRAWISH * square_distance(king, pawn);
    Square stop = square_ahead(weak, pawn);
    return 200 - 8 * (square_distance(king, stop) - square_distance(enemy, stop) - square_distance(pawn, goal));
}

/* Queen against pawn: drawn when a rook's or bishop's pawn stands one step from promotion with its king beside it. */
static Score value_queen_pawn(const Position *pos, Color strong)
{
    Color  weak = color_flip(strong);
    Square king = position_king(pos, strong), enemy = position_king(pos, weak);
    Square pawn = bb_first(position_pieces(pos, weak, PAWN));
    int    file = file_mirrored(square_file(pawn));
    int    near = 7 - square_distance(king, enemy);
    bool   draw = square_relative_rank(weak, pawn) == RANK_7 && square_distance(enemy, pawn) == 1 && (file == 0 || file == 2);
    if (draw) return DRAWISH * near;
    return DRAWISH * near + packed_eg(eval_params[P_QUEEN_VALUE]) - packed_eg(eval_params[P_PAWN_VALUE]);
}

/* Both sides have one man beside the king. */
static bool probe_four_men(const Position *pos, Color strong, Score *value, const char **rule)
{
    Men    m = men_of(pos, strong), w = men_of(pos, color_flip(strong));
    Square king = position_king(pos, strong), weak = position_king(pos, color_flip(strong));
    if (men_are(&m, 0, 0, 0, 1, 0) && men_are(&w, 1, 0, 0, 0, 0)) {
        *rule  = "KRKP";
        *value = value_rook_pawn(pos, strong);
    } else if (men_are(&m, 0, 0, 0, 1, 0) && men_are(&w, 0, 0, 1, 0, 0)) {
        *rule  = "KRKB: drawish";
        *value = push_to_edge(weak, king) / 4;
    } else if (men_are(&m, 0, 0, 0, 1, 0) && men_are(&w, 0, 1, 0, 0, 0)) {
        Square knight = bb_first(position_pieces(pos, color_flip(strong), KNIGHT));
        *rule         = "KRKN: keep king and knight apart";
        *value        = push_to_edge(weak, king) / 4 + DRAWISH * square_distance(weak, knight);
    } else if (men_are(&m, 0, 0, 0, 0, 1) && men_are(&w, 1, 0, 0, 0, 0)) {
        *rule  = "KQKP";
        *value = value_queen_pawn(pos, strong);
    } else if (men_are(&m, 0, 0, 0, 0, 1) && men_are(&w, 0, 0, 0, 1, 0)) {
        *rule  = "KQKR: to the edge";
        *value = piece_value(&m) - piece_value(&w) + push_to_edge(weak, king);
    } else if (m.pawns == 0 && w.pawns == 0 && m.rooks + m.queens == 0 && w.rooks + w.queens == 0) {
        *rule  = "a minor piece each";
        *value = 0;
    } else {
        return false;
    }
    return true;
}

bool ending_probe(const Position *pos, Score *white, const char **rule)
{
    for (Color strong = WHITE; strong < COLORS; strong++) {
        Color weak = color_flip(strong);
        Men   m    = men_of(pos, strong);
        bool  lone = !bb_more_than_one(pos->colors[weak]);
        bool  each = bb_count(pos->colors[weak]) == 2 && bb_count(pos->colors[strong]) == 2;
        Score value;
        if ((lone && probe_lone_king(pos, strong, &m, &value, rule)) || (each && probe_four_men(pos, strong, &value, rule))) {
            *white = strong == WHITE ? value : -value;
            return true;
        }
    }
    return false;
}

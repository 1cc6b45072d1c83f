/* test_endings.c - known endings: king and pawn against an independent solver, the push to the edge, and draws that are
 * none of our wins. */
#include "support/testing.h"

#include <stdlib.h>

#include "chess/movegen.h"
#include "eval/classical.h"
#include "eval/endings.h"

static Score value_of(const char *fen, EvalTrace *t)
{
    Position pos = position_of(fen);
    return classical_trace(&pos, t);
}

/* ---- king and pawn against king, solved once more by playing every legal move of the real rules ---- */

enum { UNKNOWN, WON, LOST_CHANCE }; /* LOST_CHANCE: drawn for good */

typedef struct {
    unsigned char *state; /* by state_index */
    int            file;
} Solver;

static size_t state_index(Color side, int rank, Square king, Square enemy)
{
    return (((size_t)side * 8 + (size_t)rank) * 64 + (size_t)king) * 64 + (size_t)enemy;
}

static bool build(Color side, Square pawn, Square king, Square enemy, Position *pos)
{
    if (king == enemy || king == pawn || enemy == pawn) return false;
    position_clear(pos);
    position_put(pos, king, W_KING);
    position_put(pos, enemy, B_KING);
    position_put(pos, pawn, W_PAWN);
    pos->side        = (uint8_t)side;
    Square   target  = position_king(pos, color_flip(side));
    Bitboard attacks = position_attackers(pos, target, position_occupied(pos));
    return (attacks & pos->colors[side]) == 0;
}

/* A new queen or rook that is neither taken at once nor stalemates wins. */
static bool promotion_wins(const Position *next)
{
    MoveList replies;
    movegen_legal(next, &replies);
    if (replies.count == 0) return position_in_check(next);
    for (int i = 0; i < replies.count; i++) {
        if (position_captured(next, replies.moves[i]) != NO_PIECE) return false;
    }
    return true;
}

/* What one move leads to: for White a won position is enough, Black must have only such. */
static int successor(const Solver *s, const Position *pos, Move move)
{
    Position next;
    if (position_captured(pos, move) != NO_PIECE) return LOST_CHANCE;
    position_play(pos, move, &next);
    if (move_kind(move) == MOVE_PROMOTION) {
        PieceType piece = move_promotion(move);
        return (piece == QUEEN || piece == ROOK) && promotion_wins(&next) ? WON : UNKNOWN;
    }
    Square pawn = bb_first(next.types[PAWN]);
    return s
        ->state[state_index(position_side(&next), square_rank(pawn), position_king(&next, WHITE), position_king(&next, BLACK))];
}

static bool decide(const Solver *s, const Position *pos)
{
    MoveList moves;
    movegen_legal(pos, &moves);
    if (position_side(pos) == WHITE) {
        for (int i = 0; i < moves.count; i++) {
            if (successor(s, pos, moves.moves[i]) == WON) return true;
        }
        return false;
    }
    for (int i = 0; i < moves.count; i++) {
        if (successor(s, pos, moves.moves[i]) != WON) return false;
    }
    return moves.count > 0;
}

static bool solver_step(Solver *s, int rank)
{
    bool changed = false;
    for (Color side = WHITE; side < COLORS; side++) {
        for (Square king = 0; king < SQUARES; king++) {
            for (Square enemy = 0; enemy < SQUARES; enemy++) {
                Position       pos;
                unsigned char *state = &s->state[state_index(side, rank, king, enemy)];
                if (*state == WON || !build(side, square_of(s->file, rank), king, enemy, &pos)) continue;
                if (!decide(s, &pos)) continue;
                *state  = WON;
                changed = true;
            }
        }
    }
    return changed;
}

static void compare(const Solver *s, int rank)
{
    for (Color side = WHITE; side < COLORS; side++) {
        for (Square king = 0; king < SQUARES; king++) {
            for (Square enemy = 0; enemy < SQUARES; enemy++) {
                Position pos;
                Square   pawn = square_of(s->file, rank);
                if (!build(side, pawn, king, enemy, &pos)) continue;
                bool won = s->state[state_index(side, rank, king, enemy)] == WON;
                if (kpk_is_win(WHITE, king, pawn, enemy, side) != won)
                    fail_msg("king %d, pawn %d, enemy %d, side %d: solver says %d", king, pawn, enemy, side, won);
                assert_true(kpk_is_win(WHITE, king ^ 7, pawn ^ 7, enemy ^ 7, side) == won);
                assert_true(kpk_is_win(BLACK, king ^ 56, pawn ^ 56, enemy ^ 56, color_flip(side)) == won);
            }
        }
    }
}

static void king_and_pawn_agree_with_a_solver_by_legal_moves(void **state)
{
    (void)state;
    for (int file = FILE_A; file <= (TESTS_SANITIZED ? FILE_A : FILE_D); file++) {
        Solver s = {.state = calloc(state_index(COLORS, 0, 0, 0), 1), .file = file};
        assert_non_null(s.state);
        for (int rank = RANK_7; rank >= RANK_2; rank--) { /* pawns only go forward: the rank ahead is complete */
            while (solver_step(&s, rank)) {}
            compare(&s, rank);
        }
        free(s.state);
    }
}

/* ---- values that lead the way ---- */

static void a_lone_king_is_driven_to_the_edge(void **state)
{
    (void)state;
    EvalTrace t;
    Score     centre = value_of("8/8/8/3k4/8/8/8/R3K3 w - -", &t);
    assert_true(t.known);
    Score edge   = value_of("3k4/8/8/8/8/8/8/R3K3 w - -", &t);
    Score corner = value_of("k7/8/8/8/8/8/8/4K2R w - -", &t);
    Score close  = value_of("k7/8/1K6/8/8/8/8/7R w - -", &t);
    assert_true(centre < edge && edge < corner && corner < close);
    assert_true(centre > 2000);
    assert_int_equal(value_of("K7/8/1k6/8/8/8/8/7r w - -", &t), -close);
}

/* With a bishop on light squares the mate is on a8 or h1. */
static void bishop_and_knight_drive_to_the_bishops_corner(void **state)
{
    (void)state;
    EvalTrace t;
    Score     wrong = value_of("8/8/8/4K3/8/8/8/k2B2N1 w - -", &t);
    Score     right = value_of("k7/8/8/4K3/8/8/8/3B2N1 w - -", &t);
    assert_true(t.known);
    assert_true(right > wrong + 50);
    assert_true(wrong > 2000);
}

static void what_cannot_be_won_is_worth_nothing(void **state)
{
    (void)state;
    static const char *const draws[] = {
        "4k3/8/8/8/8/8/8/4K3 w - -",      "4k3/8/8/8/8/8/8/3NK3 w - -",    "4k3/8/8/8/8/8/8/2NNK3 w - -",
        "4k3/8/8/8/8/8/8/3BK3 w - -",     "4k3/8/8/8/8/8/4B3/3K1B2 w - -", "3nk3/8/8/8/8/8/8/3BK3 w - -",
        "k7/8/8/8/P7/8/8/2B1K3 w - -",    "k7/8/8/8/P7/P7/8/2B1K3 w - -",  "7k/8/8/8/7P/8/8/5BK1 w - -",
        "k7/8/1K6/P7/8/8/8/8 b - -",      "1k6/8/K7/P7/P7/8/8/8 w - -",    "3bk3/8/8/8/8/8/8/2BNK3 w - -",
        "4k3/3r4/8/8/8/8/4B3/3RK3 w - -", "3bk3/8/8/8/8/8/8/R3K3 w - -",   "3nk3/8/8/8/8/8/8/R3K3 w - -",
        "8/8/3kb3/8/3P4/3K4/8/2B5 w - -", "3k4/8/3P4/3K4/8/8/8/8 b - -",
    };
    for (size_t i = 0; i < COUNT_OF(draws); i++) {
        EvalTrace t;
        Score     value = value_of(draws[i], &t);
        if (value < -75 || value > 75) fail_msg("%s is %d (%s)", draws[i], value, t.rule ? t.rule : "no rule");
    }
}

static void what_is_won_is_worth_much(void **state)
{
    (void)state;
    static const char *const wins[] = {
        "4k3/8/4K3/4P3/8/8/8/8 w - -",  "8/8/8/3k4/8/8/8/Q3K3 w - -",    "4k3/8/8/8/8/8/2B1B3/B3K3 w - -",
        "4k3/8/8/8/8/8/4B3/B3K3 w - -", "k7/8/8/8/P7/8/8/3BK3 w - -",    "4k3/8/8/8/8/8/3PP3/4K3 w - -",
        "3rk3/8/8/8/8/8/8/Q3K3 w - -",  "8/8/8/8/8/2k5/2p5/2K1R3 w - -", "8/8/8/8/4p3/5k2/8/Q3K3 w - -",
        "4k3/8/8/8/8/8/4P3/3BK3 w - -",
    };
    for (size_t i = 0; i < COUNT_OF(wins); i++) {
        EvalTrace t;
        Score     value = value_of(wins[i], &t);
        if (value < 180) fail_msg("%s is %d (%s)", wins[i], value, t.rule ? t.rule : "no rule");
    }
}

/* A pawn on the seventh that the queen cannot stop: rook's and bishop's pawns hold, a knight's pawn does not. */
static void queen_against_a_far_pawn_knows_its_draws(void **state)
{
    (void)state;
    EvalTrace t;
    assert_true(value_of("7K/8/8/8/8/8/pk6/3Q4 w - -", &t) < 75);
    assert_true(value_of("7K/8/8/8/8/8/1pk5/5Q2 w - -", &t) > 400);
}

static void opposite_bishops_shrink_an_advantage(void **state)
{
    (void)state;
    EvalTrace same, opposite;
    Score     a = value_of("4k3/pp3b2/8/8/8/8/PPPP1B2/4K3 w - -", &same); /* f7 light, f2 dark: opposite */
    Score     b = value_of("4k3/pp4b1/8/8/8/8/PPPP1B2/4K3 w - -", &opposite);
    assert_true(same.scale < opposite.scale);
    assert_true(a < b);
    assert_non_null(same.rule);
}

static void a_minor_piece_without_pawns_does_not_win(void **state)
{
    (void)state;
    EvalTrace t;
    assert_true(value_of("3rk3/8/8/8/8/8/8/2BRK3 w - -", &t) < 75);
    assert_string_equal(t.rule, "no pawns to win with");
    assert_true(value_of("3rk3/8/8/8/8/8/4P3/2BRK3 w - -", &t) > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(king_and_pawn_agree_with_a_solver_by_legal_moves),
        cmocka_unit_test(a_lone_king_is_driven_to_the_edge),
        cmocka_unit_test(bishop_and_knight_drive_to_the_bishops_corner),
        cmocka_unit_test(what_cannot_be_won_is_worth_nothing),
        cmocka_unit_test(what_is_won_is_worth_much),
        cmocka_unit_test(queen_against_a_far_pawn_knows_its_draws),
        cmocka_unit_test(opposite_bishops_shrink_an_advantage),
        cmocka_unit_test(a_minor_piece_without_pawns_does_not_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_bitboard.c - the generated tables against attacks walked step by step. */
#include "support/testing.h"

#include "base/rng.h"
#include "chess/bitboard.h"

static const int ROOK_STEPS[4][2]   = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
static const int BISHOP_STEPS[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

/* Walks from the square until a man stands in the way; `reach` limits the steps. */
static Bitboard walk(Square square, const int steps[][2], int directions, Bitboard occupied, int reach)
{
    Bitboard set = 0;
    for (int i = 0; i < directions; i++) {
        int file = square_file(square), rank = square_rank(square);
        for (int k = 0; k < reach; k++) {
            file += steps[i][0];
            rank += steps[i][1];
            if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
            set |= bb_of(square_of(file, rank));
            if (bb_has(occupied, square_of(file, rank))) break;
        }
    }
    return set;
}

/* Dense and sparse boards: the and of two random numbers has a quarter of the squares. */
static void sliders_stop_at_the_first_man_on_any_board(void **state)
{
    (void)state;
    Rng rng = rng_seeded(64);
    for (int i = 0; i < (TESTS_SANITIZED ? 500 : 5000); i++) {
        Bitboard occupied = rng_next(&rng) & (i % 2 ? rng_next(&rng) : ~(Bitboard)0);
        for (Square s = A1; s <= H8; s++) {
            Bitboard rook = walk(s, ROOK_STEPS, 4, occupied, 7), bishop = walk(s, BISHOP_STEPS, 4, occupied, 7);
            assert_true(attacks_rook(s, occupied) == rook);
            assert_true(attacks_bishop(s, occupied) == bishop);
            assert_true(attacks_queen(s, occupied) == (rook | bishop));
            assert_true(attacks_of(ROOK, s, occupied) == rook && attacks_of(BISHOP, s, occupied) == bishop);
        }
    }
}

static void empty_boards_have_the_ray_tables(void **state)
{
    (void)state;
    for (Square s = A1; s <= H8; s++) {
        assert_true(rook_ray_table[s] == walk(s, ROOK_STEPS, 4, 0, 7));
        assert_true(bishop_ray_table[s] == walk(s, BISHOP_STEPS, 4, 0, 7));
        assert_true(diagonal_table[s] == (walk(s, &BISHOP_STEPS[0], 1, 0, 7) | walk(s, &BISHOP_STEPS[3], 1, 0, 7) | bb_of(s)));
        assert_true(antidiagonal_table[s] == (walk(s, &BISHOP_STEPS[1], 2, 0, 7) | bb_of(s)));
    }
}

static void kings_knights_and_pawns_step_as_they_should(void **state)
{
    (void)state;
    static const int knight[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int white[2][2]  = {{-1, 1}, {1, 1}};
    static const int black[2][2]  = {{-1, -1}, {1, -1}};
    for (Square s = A1; s <= H8; s++) {
        assert_true(attacks_king(s) == (walk(s, ROOK_STEPS, 4, 0, 1) | walk(s, BISHOP_STEPS, 4, 0, 1)));
        assert_true(attacks_knight(s) == walk(s, knight, 8, 0, 1));
        assert_true(attacks_pawn(WHITE, s) == walk(s, white, 2, 0, 1));
        assert_true(attacks_pawn(BLACK, s) == walk(s, black, 2, 0, 1));
        assert_true(bb_pawn_attacks(bb_of(s), WHITE) == walk(s, white, 2, 0, 1));
        assert_true(bb_pawn_attacks(bb_of(s), BLACK) == walk(s, black, 2, 0, 1));
    }
}

/* The step from a to b along a common line; 0, 0 when they share none. */
static void direction(Square a, Square b, int *df, int *dr)
{
    int f = square_file(b) - square_file(a), r = square_rank(b) - square_rank(a);
    *df = *dr = 0;
    if (a == b || (f && r && f != r && f != -r)) return;
    *df = (f > 0) - (f < 0);
    *dr = (r > 0) - (r < 0);
}

static void lines_and_what_is_between_follow_the_board(void **state)
{
    (void)state;
    for (Square a = A1; a <= H8; a++) {
        for (Square b = A1; b <= H8; b++) {
            int df, dr;
            direction(a, b, &df, &dr);
            if (!df && !dr) {
                assert_true(bb_between(a, b) == 0 && bb_line(a, b) == 0);
                continue;
            }
            const int both[2][2] = {{df, dr}, {-df, -dr}};
            assert_true(bb_line(a, b) == (walk(a, both, 2, 0, 7) | bb_of(a)));
            assert_true(bb_between(a, b) == (walk(a, both, 1, bb_of(b), 7) & ~bb_of(b)));
        }
    }
}

static void sets_count_and_give_up_their_squares_in_order(void **state)
{
    (void)state;
    Bitboard set = bb_of(H8) | bb_of(C3) | bb_of(A1);
    assert_int_equal(bb_count(set), 3);
    assert_true(bb_more_than_one(set));
    assert_int_equal(bb_last(set), H8);
    assert_int_equal(bb_pop(&set), A1);
    assert_int_equal(bb_pop(&set), C3);
    assert_false(bb_more_than_one(set));
    assert_int_equal(bb_pop(&set), H8);
    assert_true(set == 0);
    assert_false(bb_more_than_one(set));
}

static void shifts_do_not_run_around_the_edge(void **state)
{
    (void)state;
    assert_true(bb_east(BB_FILE_H) == 0);
    assert_true(bb_west(BB_FILE_A) == 0);
    assert_true(bb_east(bb_of(A4)) == bb_of(B4));
    assert_true(bb_forward(bb_of(E2), WHITE) == bb_of(E3));
    assert_true(bb_forward(bb_of(E2), BLACK) == bb_of(E1));
}

static void a1_is_dark_and_the_two_colors_share_the_board(void **state)
{
    (void)state;
    assert_true(bb_has(BB_DARK, A1) && bb_has(BB_LIGHT, H1) && bb_has(BB_LIGHT, A8));
    assert_true((BB_DARK ^ BB_LIGHT) == ~(Bitboard)0);
    assert_int_equal(bb_count(BB_LIGHT), 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliders_stop_at_the_first_man_on_any_board),
        cmocka_unit_test(empty_boards_have_the_ray_tables),
        cmocka_unit_test(kings_knights_and_pawns_step_as_they_should),
        cmocka_unit_test(lines_and_what_is_between_follow_the_board),
        cmocka_unit_test(sets_count_and_give_up_their_squares_in_order),
        cmocka_unit_test(shifts_do_not_run_around_the_edge),
        cmocka_unit_test(a1_is_dark_and_the_two_colors_share_the_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

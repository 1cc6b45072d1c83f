/* test_movegen.c - the legal moves of small positions, named one by one; test_random_walk.c has the big ones. */
#include "support/testing.h"

#include <stdio.h>
#include <stdlib.h>

#include "chess/movegen.h"
#include "chess/notation.h"

static int compare_words(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The UCI texts of a list in alphabetical order, with spaces between. */
static void join(const Position *pos, const MoveList *list, char *out)
{
    char        texts[MOVES_MAX][UCI_MOVE_SIZE];
    const char *words[MOVES_MAX];
    for (int i = 0; i < list->count; i++) {
        move_to_uci(pos, list->moves[i], texts[i]);
        words[i] = texts[i];
    }
    qsort(words, (size_t)list->count, sizeof *words, compare_words);
    *out = '\0';
    for (int i = 0; i < list->count; i++) out += sprintf(out, "%s%s", i ? " " : "", words[i]);
}

static void assert_moves(const char *fen, const char *expected)
{
    Position pos = position_of(fen);
    MoveList list;
    char     text[MOVES_MAX * UCI_MOVE_SIZE];
    movegen_legal(&pos, &list);
    join(&pos, &list, text);
    if (strcmp(text, expected) != 0) fail_msg("%s:\n  %s\n  instead of\n  %s", fen, text, expected);
}

static void a_pinned_man_keeps_to_the_line_of_the_pin(void **state)
{
    (void)state;
    assert_moves("k3r3/8/8/8/8/8/3PRP2/3NKN2 w - - 0 1",
                 "d1b2 d1c3 d1e3 d2d3 d2d4 e2e3 e2e4 e2e5 e2e6 e2e7 e2e8 f1e3 f1g3 f1h2 f2f3 f2f4");
    assert_moves("k7/8/8/8/7b/6P1/3P1P2/3NKR2 w - - 0 1", "d1b2 d1c3 d1e3 d2d3 d2d4 e1e2 f1g1 f1h1 f2f3 f2f4 g3g4 g3h4");
}

static void a_pinned_knight_and_a_pawn_pinned_sideways_do_not_move(void **state)
{
    (void)state;
    assert_moves("k3r3/8/8/8/4N3/8/1r1PK3/8 w - - 0 1", "e2d1 e2d3 e2e1 e2e3 e2f1 e2f2 e2f3");
}

static void a_check_is_met_by_capture_block_or_flight(void **state)
{
    (void)state;
    assert_moves("4k3/8/8/4r3/8/2N5/5P1B/3RKR2 w - - 0 1", "c3e2 c3e4 e1d2 h2e5");
}

static void a_double_check_is_met_by_the_king_alone(void **state)
{
    (void)state;
    assert_moves("4k3/8/4r3/8/8/5n2/6P1/4K3 w - - 0 1", "e1d1 e1f1 e1f2");
}

static void the_king_does_not_flee_along_the_line_of_the_check(void **state)
{
    (void)state;
    assert_moves("k3r3/8/8/8/8/8/8/3QKB2 w - - 0 1", "d1e2 e1d2 e1f2 f1e2");
}

static void a_checking_pawn_may_be_taken_en_passant(void **state)
{
    (void)state;
    assert_moves("k7/8/8/1pP5/K1p5/2p5/8/8 w - b6 0 1", "a4a3 a4a5 a4b4 a4b5 c5b6");
}

/* From Stockfish's own list: the first three captures would uncover the king. */
static void an_impossible_en_passant_capture_is_not_generated(void **state)
{
    (void)state;
    static const char *const fens[] = {"k1r5/8/8/1pP5/2K5/8/8/8 w - b6 0 1", "k7/b5b1/8/2PpP3/3K4/8/8/8 w - d6 0 1",
                                       "k7/8/8/r2pPK2/8/8/8/8 w - d6 0 1", "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1"};
    for (size_t i = 0; i < COUNT_OF(fens); i++) {
        Position pos = position_of(fens[i]);
        MoveList list;
        movegen_legal(&pos, &list);
        assert_int_equal(pos.ep_square, SQ_NONE);
        for (int k = 0; k < list.count; k++) assert_int_not_equal(move_kind(list.moves[k]), MOVE_EN_PASSANT);
    }
}

static void count_castlings(const char *fen, int expected)
{
    Position pos = position_of(fen);
    MoveList list;
    int      count = 0;
    movegen_legal(&pos, &list);
    for (int i = 0; i < list.count; i++) count += move_kind(list.moves[i]) == MOVE_CASTLING;
    if (count != expected) fail_msg("%s: %d castlings instead of %d", fen, count, expected);
}

static void castling_needs_an_empty_way_and_no_attack_on_the_king_s_path(void **state)
{
    (void)state;
    count_castlings("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2);
    count_castlings("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2); /* b1 may be attacked */
    count_castlings("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 1);
    count_castlings("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 1);
    count_castlings("3k1r2/8/8/8/8/8/8/R3K2R w KQ - 0 1", 1);
    count_castlings("3k2r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", 1);
    count_castlings("3k3r/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2); /* h1 may be attacked */
    count_castlings("3kr3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 0); /* not out of check */
    count_castlings("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", 0);
    count_castlings("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", 1);
    count_castlings("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", 0);
}

static void chess960_castling_knows_shields_and_shared_squares(void **state)
{
    (void)state;
    count_castlings("4k3/8/8/8/8/8/8/5RKR w HF - 0 1", 1); /* to the short side f1 is taken by the other rook */
    count_castlings("k7/8/8/8/8/8/8/4R1KR w HE - 0 1", 2);
    count_castlings("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", 0); /* the rook on b1 shields c1 from a1 until it leaves */
    count_castlings("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", 1);
    count_castlings("4k3/8/8/8/8/8/8/1RK1r3 w B - 0 1", 0); /* in check */
    count_castlings("1r2k3/8/8/8/8/8/8/R4K2 w A - 0 1", 1);
    count_castlings("4k3/8/8/8/8/8/8/RN3K2 w A - 0 1", 0);
    count_castlings("4k3/8/8/8/8/8/8/1K5R w H - 0 1", 1);
    count_castlings("3rk3/8/8/8/8/8/8/1K5R w H - 0 1", 0); /* the king passes d1 */
    count_castlings("r3k3/8/8/8/8/8/8/1K5R w H - 0 1", 1);
}

static void a_pawn_on_the_seventh_has_four_promotions_a_way(void **state)
{
    (void)state;
    assert_moves("1n1n3k/2P5/8/8/8/8/8/K7 w - - 0 1",
                 "a1a2 a1b1 a1b2 c7b8b c7b8n c7b8q c7b8r c7c8b c7c8n c7c8q c7c8r c7d8b c7d8n "
                 "c7d8q c7d8r");
}

static void blocked_pawns_do_not_jump(void **state)
{
    (void)state;
    assert_moves("7k/8/8/8/3n4/4n3/3PP3/7K w - - 0 1", "d2d3 d2e3 h1g1 h1h2");
}

static void noisy_moves_are_captures_and_promotions(void **state)
{
    (void)state;
    Position pos = position_of("1n4k1/2P5/8/3pP3/8/8/5p2/4K2R w K d6 0 1");
    MoveList list;
    char     text[MOVES_MAX * UCI_MOVE_SIZE];
    movegen_noisy(&pos, &list);
    join(&pos, &list, text);
    assert_string_equal(text, "e1f2"); /* in check from f2: the only noisy way out */
    pos = position_of("1n4k1/2P5/8/3pP3/8/8/8/4K2R w K d6 0 1");
    movegen_noisy(&pos, &list);
    join(&pos, &list, text);
    assert_string_equal(text, "c7b8b c7b8n c7b8q c7b8r c7c8b c7c8n c7c8q c7c8r e5d6");
}

static void evasions_exist_only_in_check(void **state)
{
    (void)state;
    Position calm = position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), check = position_of("4k3/8/8/8/8/8/8/r3K3 w - - 0 1");
    MoveList list;
    movegen_evasions(&calm, &list);
    assert_int_equal(list.count, 0);
    movegen_evasions(&check, &list);
    assert_int_equal(list.count, 3);
}

static void mate_and_stalemate_have_no_moves(void **state)
{
    (void)state;
    Position mate = position_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    Position pat  = position_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_false(movegen_has_legal_move(&mate));
    assert_true(position_in_check(&mate));
    assert_false(movegen_has_legal_move(&pat));
    assert_false(position_in_check(&pat));
}

static void moves_that_only_look_right_are_not_legal(void **state)
{
    (void)state;
    Position  pos  = position_of("r3k2r/p6P/8/3pP3/8/8/P7/R3K2R w KQkq d6 0 1");
    KingState king = movegen_king_state(&pos);
    assert_true(movegen_is_legal(&pos, &king, move_make_special(E5, D6, MOVE_EN_PASSANT)));
    assert_false(movegen_is_legal(&pos, &king, move_make(E5, D6))); /* en passant has its own kind */
    assert_false(movegen_is_legal(&pos, &king, MOVE_NONE));
    assert_false(movegen_is_legal(&pos, &king, move_make(E1, G1))); /* so has castling */
    assert_true(movegen_is_legal(&pos, &king, move_make_special(E1, H1, MOVE_CASTLING)));
    assert_false(movegen_is_legal(&pos, &king, move_make_special(E1, G1, MOVE_CASTLING)));
    assert_false(movegen_is_legal(&pos, &king, move_make_special(E1, A8, MOVE_CASTLING))); /* another's rook */
    assert_false(movegen_is_legal(&pos, &king, move_make_promotion(A2, A3, QUEEN)));
    assert_false(movegen_is_legal(&pos, &king, move_make(H7, H8)));                   /* the rook stands there */
    assert_false(movegen_is_legal(&pos, &king, move_make(A1, A2)));                   /* own pawn */
    assert_false(movegen_is_legal(&pos, &king, move_make(E8, D8)));                   /* not his turn */
    assert_false(movegen_is_legal(&pos, &king, (Move)(move_make(A2, A3) | 1 << 12))); /* bits that nobody writes */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pinned_man_keeps_to_the_line_of_the_pin),
        cmocka_unit_test(a_pinned_knight_and_a_pawn_pinned_sideways_do_not_move),
        cmocka_unit_test(a_check_is_met_by_capture_block_or_flight),
        cmocka_unit_test(a_double_check_is_met_by_the_king_alone),
        cmocka_unit_test(the_king_does_not_flee_along_the_line_of_the_check),
        cmocka_unit_test(a_checking_pawn_may_be_taken_en_passant),
        cmocka_unit_test(an_impossible_en_passant_capture_is_not_generated),
        cmocka_unit_test(castling_needs_an_empty_way_and_no_attack_on_the_king_s_path),
        cmocka_unit_test(chess960_castling_knows_shields_and_shared_squares),
        cmocka_unit_test(a_pawn_on_the_seventh_has_four_promotions_a_way),
        cmocka_unit_test(blocked_pawns_do_not_jump),
        cmocka_unit_test(noisy_moves_are_captures_and_promotions),
        cmocka_unit_test(evasions_exist_only_in_check),
        cmocka_unit_test(mate_and_stalemate_have_no_moves),
        cmocka_unit_test(moves_that_only_look_right_are_not_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_perft.c - known sizes of move trees: every rule of movement has a position here whose count changes without it. */
#include "support/testing.h"

#include "chess/perft.h"
#include "support/mailbox.h"

/* Counts above this are left to the faster build. */
enum { NODES_MAX = TESTS_SANITIZED ? 300000 : 5000000, DEPTHS = 6 };

typedef struct {
    const char *fen;
    uint64_t    counts[DEPTHS]; /* at depth 1, 2, ...; 0: not known */
} PerftCase;

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define KIWIPETE_FEN "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

static void check_case(const PerftCase *c, const char *fen)
{
    Position pos = position_of(fen);
    for (int i = 0; i < DEPTHS; i++) {
        if (c->counts[i] == 0 || c->counts[i] > NODES_MAX) continue;
        uint64_t nodes = perft(&pos, i + 1);
        if (nodes != c->counts[i])
            fail_msg("depth %d: %ju instead of %ju: %s", i + 1, (uintmax_t)nodes, (uintmax_t)c->counts[i], fen);
    }
}

static void check_cases(const PerftCase *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char mirrored[MIRROR_SIZE];
        check_case(&cases[i], cases[i].fen);
        fen_mirror(cases[i].fen, mirrored);
        check_case(&cases[i], mirrored);
    }
}

static void the_usual_suite_has_its_published_counts_for_both_colors(void **state)
{
    (void)state;
    static const PerftCase cases[] = {
        {START_FEN, {20, 400, 8902, 197281, 4865609}},
        {KIWIPETE_FEN, {48, 2039, 97862, 4085603}},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238, 674624}},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 264, 9467, 422333}},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {44, 1486, 62379, 2103487}},
        {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", {46, 2079, 89890, 3894594}},
    };
    check_cases(cases, COUNT_OF(cases));
}

static void promotions_underpromotions_and_promotions_with_check(void **state)
{
    (void)state;
    static const PerftCase cases[] = {
        {"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", {24, 496, 9483, 182838, 3605103}},
        {"2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", {11, 133, 1442, 19174, 266199, 3821001}},
        {"4k3/1P6/8/8/8/8/K7/8 w - - 0 1", {9, 40, 472, 2661, 38983, 217342}},
        {"8/P1k5/K7/8/8/8/8/8 w - - 0 1", {6, 27, 273, 1329, 18135, 92683}},
    };
    check_cases(cases, COUNT_OF(cases));
}

/* Taking en passant removes two men from a line at once: on the rank, on a diagonal, or in reply to a check. */
static void en_passant_that_uncovers_the_king_is_no_move(void **state)
{
    (void)state;
    static const PerftCase cases[] = {
        {"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", {18, 92, 1670, 10138, 185429, 1134888}},
        {"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", {6, 0, 0, 0, 0, 0}},
        {"8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", {13, 102, 1284, 10375, 138886, 1038514}},
        {"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", {15, 126, 1928, 13931, 206379, 1440467}},
        {"k1r5/8/8/1pP5/2K5/8/8/8 w - b6 0 1", {7, 0, 0, 0, 0, 0}},
        {"k7/8/8/1pP5/2K5/8/8/8 w - b6 0 1", {8, 0, 0, 0, 0, 0}},
    };
    check_cases(cases, COUNT_OF(cases));
}

static void castling_rights_end_and_attacked_squares_forbid_castling(void **state)
{
    (void)state;
    static const PerftCase cases[] = {
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", {15, 66, 1198, 6399, 120330, 661072}},
        {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", {16, 71, 1286, 7418, 141077, 803711}},
        {"r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", {26, 1141, 27826, 1274206}},
        {"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", {44, 1494, 50509, 1720476}},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {26, 568, 13744, 314346}},
        {"1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", {26, 583, 14252, 334705}},
    };
    check_cases(cases, COUNT_OF(cases));
}

static void double_and_discovered_checks_and_ends_of_the_game(void **state)
{
    (void)state;
    static const PerftCase cases[] = {
        {"8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", {29, 165, 5160, 31961, 1004658}},
        {"K1k5/8/P7/8/8/8/8/8 w - - 0 1", {2, 6, 13, 63, 382, 2217}},
        {"8/k1P5/8/1K6/8/8/8/8 w - - 0 1", {10, 25, 268, 926, 10857, 43261}},
        {"8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", {37, 183, 6559, 23527}},
        {"4k3/8/4r3/8/8/5n2/8/4K3 w - - 0 1", {3, 0, 0, 0, 0, 0}}, /* rook and knight check: the king alone moves */
    };
    check_cases(cases, COUNT_OF(cases));
}

static void chess960_positions_have_their_published_counts(void **state)
{
    (void)state;
    static const PerftCase cases[] = {
        {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", {21, 528, 12189, 326672}},
        {"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", {21, 807, 18002, 667366}},
        {"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", {20, 479, 10471, 273318}},
        {"qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", {22, 593, 13440, 382958}},
    };
    check_cases(cases, COUNT_OF(cases));
}

static void x_fen_and_shredder_fen_name_the_same_castling(void **state)
{
    (void)state;
    static const PerftCase cases[] = {
        {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9", {21, 528, 12189, 326672}},
        {"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w KQ - 1 9", {20, 479, 10471, 273318}},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", {20, 400, 8902, 197281}},
    };
    check_cases(cases, COUNT_OF(cases));
}

static void the_start_position_has_119060324_games_of_six_plies(void **state)
{
    (void)state;
    if (TESTS_SANITIZED) {
        print_message("skipped: too slow under a sanitizer\n");
        skip();
    }
    Position pos = position_of(START_FEN);
    assert_true(perft(&pos, 6) == 119060324);
}

static void the_position_with_most_moves_has_218(void **state)
{
    (void)state;
    Position pos = position_of("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_int_equal(perft(&pos, 1), 218);
}

/* Fifteen queens a side can make more moves than any game allows: the list must hold them, the count must be right. */
static void fifteen_queens_overflow_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int         moves;
    } cases[] = {
        {"knQ2Q2/pp1Q4/QQ4Q1/4Q3/1Q5Q/4Q3/Q5Q1/2QQ1Q1K w - - 0 1", 233},
        {"kn2QQ2/ppQ4Q/Q4Q2/3Q4/1Q4Q1/4Q3/2Q4Q/Q3QQ1K w - - 0 1", 241},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Position pos = position_of(cases[i].fen);
        Mailbox  box;
        MoveList expected, list;
        mailbox_init(&box, &pos);
        mailbox_legal(&box, &expected);
        movegen_legal(&pos, &list);
        assert_int_equal(expected.count, cases[i].moves);
        assert_int_equal(list.count, expected.count);
        assert_int_equal(movegen_count(&pos), expected.count);
    }
}

static void depth_zero_is_the_position_itself(void **state)
{
    (void)state;
    Position     pos     = position_of(START_FEN);
    PerftOptions options = {.depth = 0, .threads = 1};
    uint64_t     nodes   = 0;
    int          count   = -1;
    assert_int_equal(perft(&pos, 0), 1);
    assert_true(perft_run(&pos, &options, &nodes, NULL, &count, NULL));
    assert_int_equal(nodes, 1);
    assert_int_equal(count, 0);
}

static void a_finished_game_has_no_leaves(void **state)
{
    (void)state;
    Position     pos     = position_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    PerftOptions options = {.depth = 4, .threads = 2, .hash_mb = 1};
    uint64_t     nodes   = 99;
    assert_true(perft_run(&pos, &options, &nodes, NULL, NULL, NULL));
    assert_int_equal(nodes, 0);
}

static void threads_and_hash_change_no_count(void **state)
{
    (void)state;
    static const PerftOptions variants[] = {
        {.depth = 3, .threads = 1},
        {.depth = 3, .threads = 2},
        {.depth = 4, .threads = 2},
        {.depth = 4, .threads = 1, .hash_mb = 1},
        {.depth = 4, .threads = 3, .hash_mb = 4},
    };
    static const PerftCase cases[] = {
        {START_FEN, {20, 400, 8902, 197281}},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 264, 9467, 422333}},
        {"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", {20, 479, 10471, 273318}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Position pos = position_of(cases[i].fen);
        for (size_t k = 0; k < COUNT_OF(variants); k++) {
            uint64_t nodes = 0;
            assert_true(perft_run(&pos, &variants[k], &nodes, NULL, NULL, NULL));
            assert_int_equal(nodes, cases[i].counts[variants[k].depth - 1]);
        }
    }
}

static void hash_and_threads_agree_on_a_deeper_tree(void **state)
{
    (void)state;
    Position     pos     = position_of(KIWIPETE_FEN);
    PerftOptions options = {.depth = TESTS_SANITIZED ? 4 : 5, .threads = 2, .hash_mb = 16};
    uint64_t     nodes   = 0;
    assert_true(perft_run(&pos, &options, &nodes, NULL, NULL, NULL));
    assert_true(nodes == (TESTS_SANITIZED ? 4085603 : 193690690));
}

static void check_divide(int threads, int depth)
{
    Position     pos     = position_of(KIWIPETE_FEN);
    PerftOptions options = {.depth = depth, .threads = threads};
    PerftMove    moves[MOVES_MAX];
    int          count = 0;
    uint64_t     nodes = 0, sum = 0;
    assert_true(perft_run(&pos, &options, &nodes, moves, &count, NULL));
    assert_int_equal(count, 48);
    for (int i = 0; i < count; i++) {
        Position next;
        position_play(&pos, moves[i].move, &next);
        assert_int_equal(moves[i].nodes, perft(&next, depth - 1));
        sum += moves[i].nodes;
    }
    assert_int_equal(sum, nodes);
}

static void the_shares_of_the_first_moves_are_their_own_trees_and_add_up(void **state)
{
    (void)state;
    check_divide(1, 1);
    check_divide(1, 3);
    check_divide(2, TESTS_SANITIZED ? 3 : 4);
}

static void a_count_that_was_stopped_is_no_count(void **state)
{
    (void)state;
    const Position    pos  = position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    const atomic_bool stop = true, go_on = false;
    PerftOptions      options = {.depth = 12, .threads = 2, .hash_mb = 1, .stop = &stop};
    uint64_t          nodes;
    assert_false(perft_run(&pos, &options, &nodes, NULL, NULL, NULL));
    options = (PerftOptions){.depth = 12, .threads = 1, .stop = &stop};
    assert_false(perft_run(&pos, &options, &nodes, NULL, NULL, NULL));
    options = (PerftOptions){.depth = 4, .threads = 1, .stop = &go_on};
    assert_true(perft_run(&pos, &options, &nodes, NULL, NULL, NULL));
    assert_int_equal(nodes, 4085603);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_usual_suite_has_its_published_counts_for_both_colors),
        cmocka_unit_test(promotions_underpromotions_and_promotions_with_check),
        cmocka_unit_test(en_passant_that_uncovers_the_king_is_no_move),
        cmocka_unit_test(castling_rights_end_and_attacked_squares_forbid_castling),
        cmocka_unit_test(double_and_discovered_checks_and_ends_of_the_game),
        cmocka_unit_test(chess960_positions_have_their_published_counts),
        cmocka_unit_test(x_fen_and_shredder_fen_name_the_same_castling),
        cmocka_unit_test(the_start_position_has_119060324_games_of_six_plies),
        cmocka_unit_test(the_position_with_most_moves_has_218),
        cmocka_unit_test(fifteen_queens_overflow_nothing),
        cmocka_unit_test(depth_zero_is_the_position_itself),
        cmocka_unit_test(a_finished_game_has_no_leaves),
        cmocka_unit_test(threads_and_hash_change_no_count),
        cmocka_unit_test(hash_and_threads_agree_on_a_deeper_tree),
        cmocka_unit_test(the_shares_of_the_first_moves_are_their_own_trees_and_add_up),
        cmocka_unit_test(a_count_that_was_stopped_is_no_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

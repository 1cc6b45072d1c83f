/* test_lab.c - the teaching searches: the thesis's evaluation, orders and exact node counts, and every shortcut against the
 * plain way of doing the same. */
#include "support/testing.h"

#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "lab/games.h"
#include "lab/rung.h"

static int setup(void **state)
{
    *state = thesis_eval_new(LAB_EVAL_THESIS, NULL);
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    thesis_eval_free(*state);
    return 0;
}

static LabNode root_of(const ThesisEval *eval, const char *fen)
{
    LabNode  node;
    Position pos = position_of(fen);
    thesis_set_root(eval, &pos, &node);
    return node;
}

static LabResult run(const ThesisEval *eval, const char *rung, int position, int depth, int threads)
{
    LabResult   result;
    Err         err;
    Position    pos   = position_of(thesis_positions[position].fen);
    LabTask     task  = {.eval = eval, .depth = depth, .threads = threads};
    const Rung *which = lab_rung_find(str_from(rung));
    assert_non_null(which);
    if (!lab_run(which, &task, &pos, &result, &err)) fail_msg("%s: %s", rung, err.text);
    return result;
}

/* ---- evaluation ---- */

static void the_24_roots_have_the_values_of_the_thesis(void **state)
{
    static const int values[THESIS_POSITIONS] = {12, -347, 17,  138, -162, 128, 86, 94, -55, -398, -371, 387,
                                                 69, 20,   -53, 157, -6,   96,  20, 57, 46,  6,    239,  32};
    for (int i = 0; i < THESIS_POSITIONS; i++) {
        LabNode node = root_of(*state, thesis_positions[i].fen);
        assert_int_equal(thesis_value(node.sums), values[i]);
    }
}

/* Promotions make the phase larger than that of the start; the end-game weight is then negative. */
static void the_phase_is_not_clamped(void **state)
{
    LabNode node = root_of(*state, "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1");
    assert_int_equal(node.sums.phase, 56);
    assert_int_equal(thesis_value(node.sums), (node.sums.middle * 56 - node.sums.end * 32) / 24);
}

/* Walks a random game and calls `check` on each position of it. */
static void walk(const ThesisEval *eval, uint64_t seed, void (*check)(const ThesisEval *eval, const LabNode *node))
{
    Rng rng = rng_seeded(seed);
    for (int game = 0; game < (TESTS_SANITIZED ? 6 : 40); game++) {
        LabNode node = root_of(eval, thesis_positions[rng_below(&rng, THESIS_POSITIONS)].fen), child;
        for (int ply = 0; ply < 60; ply++) {
            MoveList list;
            check(eval, &node);
            movegen_legal(&node.pos, &list);
            if (list.count == 0) break;
            thesis_play(eval, &node, list.moves[rng_below(&rng, (uint64_t)list.count)], &child);
            node = child;
        }
    }
}

static void check_children(const ThesisEval *eval, const LabNode *node)
{
    ChildValues values = child_values(eval, node);
    MoveList    list;
    movegen_legal(&node->pos, &list);
    for (int i = 0; i < list.count; i++) {
        LabNode child, fresh;
        thesis_play(eval, node, list.moves[i], &child);
        thesis_set_root(eval, &child.pos, &fresh);
        assert_memory_equal(&child.sums, &fresh.sums, sizeof fresh.sums);
        assert_int_equal(child_value(&values, list.moves[i]), (node->pos.side == WHITE ? 1 : -1) * thesis_value(fresh.sums));
    }
}

static void values_of_children_are_known_before_they_are_played(void **state) { walk(*state, 1, check_children); }

static void check_horizon(const ThesisEval *eval, const LabNode *node)
{
    ChildValues values = child_values(eval, node);
    MoveList    list;
    int         count, best = lab_horizon_best(eval, node, &count), expected = -THESIS_MATE;
    movegen_legal(&node->pos, &list);
    assert_int_equal(count, list.count);
    for (int i = 0; i < list.count; i++) {
        int value = child_value(&values, list.moves[i]);
        expected  = value > expected ? value : expected;
    }
    if (list.count == 0) expected = position_in_check(&node->pos) ? -THESIS_MATE : 0;
    assert_int_equal(best, expected);
}

static void the_last_ply_in_one_go_is_the_last_ply(void **state) { walk(*state, 2, check_horizon); }

/* ---- orders ---- */

static void check_orders(const ThesisEval *eval, const LabNode *node)
{
    MoveList all, noisy;
    (void)eval;
    movegen_legal(&node->pos, &all);
    movegen_noisy(&node->pos, &noisy);
    for (int ordering = 0; ordering <= ORDERINGS; ordering++) {
        Order           order;
        const MoveList *expected = ordering == ORDERINGS ? &noisy : &all;
        MoveList        seen     = {0};
        order_init(&order, &node->pos, ordering == ORDERINGS ? order_noisy : order_static[ordering]);
        for (Move move; (move = order_next(&order)) != MOVE_NONE;) {
            assert_true(move_list_has(expected, move));
            assert_false(move_list_has(&seen, move));
            seen.moves[seen.count++] = move;
        }
        assert_int_equal(seen.count, expected->count);
    }
}

static void every_order_holds_every_legal_move_once(void **state) { walk(*state, 3, check_orders); }

static void assert_order(const char *fen, int ordering, const char *expected)
{
    Position pos  = position_of(fen);
    Str      rest = str_from(expected);
    Order    order;
    order_init(&order, &pos, order_static[ordering]);
    for (Str word; (word = str_next_token(&rest)).len;) {
        char text[8] = {0};
        memcpy(text, word.ptr, word.len);
        assert_int_equal(order_next(&order), move_of(&pos, text));
    }
}

static void squares_run_from_a8_and_promotions_queen_knight_rook_bishop(void **state)
{
    (void)state;
    assert_order("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", 1, "a7b8q a7b8n a7b8r a7b8b a7a8q a7a8n a7a8r a7a8b a1a2 a1b2 a1b1");
    assert_order("7k/8/8/8/3R4/8/8/K7 w - - 0 1", 1, "d4a4 d4b4 d4c4 d4e4 d4f4 d4g4 d4h4 d4d8 d4d7 d4d6 d4d5 d4d3 d4d2 d4d1");
}

static void en_passant_comes_last_of_the_pawn_captures_from_the_h_side_first(void **state)
{
    (void)state;
    assert_order("7k/8/1n6/P1PpP3/8/8/8/K7 w - d6 0 1", 1, "a5b6 c5b6 e5d6 c5d6 a5a6");
}

static void winning_captures_come_first_in_order_three(void **state)
{
    (void)state;
    const char *fen = "7k/8/8/3p1q2/4P3/8/8/K4R2 w - - 0 1";
    assert_order(fen, 1, "e4f5 e4d5 f1f5");
    assert_order(fen, 3, "e4f5 f1f5 e4d5");
    assert_order(fen, 4, "f1f5 e4f5 e4d5");
}

/* ---- exact counts ---- */

typedef struct {
    const char *rung;
    int         position, depth;
    uint64_t    nodes, leaves, qnodes; /* leaves as the thesis counted them: without Black's null-move cutoffs */
    int         value;
} Count;

/* From the reproduction of the thesis's data; position 11, where its rules were wrong, is in no row. */
static const Count counts[] = {
    {"ab1", 9, 5, 46393, 43404, 0, -9},      {"ab1", 10, 7, 68313, 34400, 0, -547},  {"ab1", 13, 5, 83784, 74493, 0, 401},
    {"ab1", 14, 5, 79700, 72888, 0, 109},    {"ab3", 9, 5, 40513, 37611, 0, -9},     {"null2", 9, 5, 4025, 3412, 0, -9},
    {"null2", 14, 5, 6090, 4833, 0, 109},    {"null2", 20, 5, 33994, 31094, 0, 338}, {"null2", 22, 6, 72280, 59249, 0, -606},
    {"qs", 9, 4, 20340, 11291, 17943, -240}, {"qs", 10, 6, 8865, 6579, 1846, -691},  {"qs", 14, 4, 7215, 4034, 5128, 46},
};

static void counts_are_those_of_the_thesis(void **state)
{
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const Count *c      = &counts[i];
        LabResult    result = run(*state, c->rung, c->position, c->depth, 1);
        assert_int_equal(result.stats.nodes, c->nodes);
        assert_int_equal(result.stats.leaves - result.stats.null_cuts[BLACK], c->leaves);
        assert_int_equal(result.stats.qnodes, c->qnodes);
        assert_int_equal(result.value, c->value);
    }
}

/* By the rules of chess there is one node more in position 11 than the thesis has. */
static void the_rules_decide_in_position_11(void **state) { assert_int_equal(run(*state, "ab1", 11, 6, 1).stats.nodes, 42037); }

static void minimax_visits_what_perft_counts(void **state)
{
    for (int i = 0; i < THESIS_POSITIONS; i += TESTS_SANITIZED ? 6 : 1) {
        Position  pos    = position_of(thesis_positions[i].fen);
        LabResult result = run(*state, "minimax", i, 3, 1);
        assert_int_equal(result.stats.nodes, 1 + perft(&pos, 1) + perft(&pos, 2) + perft(&pos, 3));
    }
}

/* ---- agreement between rungs ---- */

static void alphabeta_finds_the_value_of_minimax_in_every_order(void **state)
{
    static const char *const rungs[] = {"ab1", "ab2", "ab3", "ab4", "tt1"};
    for (int i = 0; i < THESIS_POSITIONS; i++) {
        LabResult plain = run(*state, "minimax", i, 3, 1);
        for (size_t k = 0; k < COUNT_OF(rungs); k++) {
            LabResult other = run(*state, rungs[k], i, 3, 1);
            assert_int_equal(other.value, plain.value);
            assert_true(other.stats.nodes <= plain.stats.nodes);
        }
        assert_int_equal(run(*state, "ab1", i, 3, 1).best, plain.best);
    }
}

/* Without null move and quiescence every technique of the upper rungs must leave the value of minimax alone. */
static void exact_techniques_keep_the_value(void **state)
{
    static const Techniques uses[] = {
        {.ordering = 1, .mvv_lva = true},
        {.ordering = 1, .mvv_lva = true, .table = true, .hash_move = true},
        {.ordering = 1, .mvv_lva = true, .table = true, .hash_move = true, .deepening = true},
        {.ordering = 1, .mvv_lva = true, .table = true, .hash_move = true, .deepening = true, .aspiration = 20},
        {.ordering = 1, .mvv_lva = true, .table = true, .hash_move = true, .deepening = true, .aspiration = 20, .pvs = true},
        {.ordering = 1, .mvv_lva = true, .table = true, .deepening = true, .pvs = true, .root_split = true},
    };
    for (int i = 0; i < THESIS_POSITIONS; i += TESTS_SANITIZED ? 4 : 1) {
        int      value = run(*state, "minimax", i, 3, 1).value;
        Position pos   = position_of(thesis_positions[i].fen);
        LabTask  task  = {.eval = *state, .depth = 3, .threads = 2};
        for (size_t k = 0; k < COUNT_OF(uses); k++) {
            Rung      rung = {.name = "test", .use = uses[k]};
            LabResult result;
            assert_true(lab_run(&rung, &task, &pos, &result, NULL));
            assert_int_equal(result.value, value);
        }
    }
}

static void the_strict_key_finds_more_transpositions(void **state)
{
    Position  pos    = position_of(thesis_positions[17].fen);
    LabTask   task   = {.eval = *state, .depth = 5, .threads = 1};
    Rung      strict = *lab_rung_find(STR("tt1"));
    LabResult result;
    strict.use.strict_key = true;
    assert_true(lab_run(&strict, &task, &pos, &result, NULL));
    LabResult plain = run(*state, "tt1", 17, 5, 1);
    assert_true(result.stats.nodes < plain.stats.nodes);
    assert_int_equal(result.value, plain.value);
}

static void quiescence_sees_the_recapture(void **state)
{
    Position  pos  = position_of("4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1");
    LabTask   task = {.eval = *state, .depth = 1, .threads = 1};
    LabResult greedy, careful;
    assert_true(lab_run(lab_rung_find(STR("ab1")), &task, &pos, &greedy, NULL));
    assert_true(lab_run(lab_rung_find(STR("final")), &task, &pos, &careful, NULL));
    assert_int_equal(greedy.best, move_of(&pos, "d1d6"));
    assert_true(careful.best != greedy.best);
    assert_true(careful.stats.qnodes > 0);
}

static void mate_and_stalemate_have_no_move(void **state)
{
    static const struct {
        const char *fen;
        int         value;
    } ends[] = {{"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", THESIS_MATE}, {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0}};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        Position pos = position_of(ends[i].fen);
        for (size_t k = 0; k < lab_rung_count(); k++) {
            LabTask   task = {.eval = *state, .depth = 3, .threads = 2};
            LabResult result;
            assert_true(lab_run(lab_rung(k), &task, &pos, &result, NULL));
            assert_int_equal(result.best, MOVE_NONE);
            assert_int_equal(result.value, ends[i].value);
        }
    }
}

static void games_against_the_random_mover_are_won(void **state)
{
    LabTask  task = {.eval = *state, .depth = 2, .threads = 1};
    LabGames games;
    assert_true(lab_games(lab_rung_find(STR("final")), &task, 2, 7, &games, NULL));
    assert_int_equal(games.losses, 0);
    assert_int_equal(games.games[0], 2);
    assert_true(games.nodes[0] > 20);
}

static void the_effective_branching_factor_solves_its_equation(void **state)
{
    (void)state;
    assert_true(lab_effective_branching(1 + 7 + 49 + 343, 3) > 6.999 && lab_effective_branching(1 + 7 + 49 + 343, 3) < 7.001);
    assert_true(lab_effective_branching(1, 3) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_24_roots_have_the_values_of_the_thesis),
        cmocka_unit_test(the_phase_is_not_clamped),
        cmocka_unit_test(values_of_children_are_known_before_they_are_played),
        cmocka_unit_test(the_last_ply_in_one_go_is_the_last_ply),
        cmocka_unit_test(every_order_holds_every_legal_move_once),
        cmocka_unit_test(squares_run_from_a8_and_promotions_queen_knight_rook_bishop),
        cmocka_unit_test(en_passant_comes_last_of_the_pawn_captures_from_the_h_side_first),
        cmocka_unit_test(winning_captures_come_first_in_order_three),
        cmocka_unit_test(counts_are_those_of_the_thesis),
        cmocka_unit_test(the_rules_decide_in_position_11),
        cmocka_unit_test(minimax_visits_what_perft_counts),
        cmocka_unit_test(alphabeta_finds_the_value_of_minimax_in_every_order),
        cmocka_unit_test(exact_techniques_keep_the_value),
        cmocka_unit_test(the_strict_key_finds_more_transpositions),
        cmocka_unit_test(quiescence_sees_the_recapture),
        cmocka_unit_test(mate_and_stalemate_have_no_move),
        cmocka_unit_test(games_against_the_random_mover_are_won),
        cmocka_unit_test(the_effective_branching_factor_solves_its_equation),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

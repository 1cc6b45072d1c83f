/* test_mcts_tree.c - the phases of a Monte Carlo search one by one, on trees small enough to do by hand. */
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>

#include "search/mcts.h"
#include "search/mcts_playout.h"
#include "search/mcts_prior.h"
#include "search/mcts_proof.h"

enum { SMALL = 64 * sizeof(TreeCell) };

/* A root with as many moves as a test wants; moves are only names here. */
typedef struct {
    Tree      tree;
    CellStore store;
    void     *memory;
} Garden;

static void garden_begin(Garden *g, size_t size)
{
    *g        = (Garden){0};
    g->memory = aligned_alloc(64, size);
    assert_non_null(g->memory);
    mcts_tree_init(&g->tree);
    mcts_tree_set_memory(&g->tree, g->memory, size);
    g->tree.root = mcts_tree_new_node(&g->tree, &g->store);
}

static void garden_end(Garden *g)
{
    mcts_tree_release(&g->tree);
    free(g->memory);
}

static TreeNode *root_of(Garden *g) { return mcts_tree_node(&g->tree, g->tree.root); }

/* Moves 1, 2, 3 ... with equal priors, or with these. */
static bool grow(Garden *g, TreeNode *node, int count, const uint16_t *priors)
{
    Move     moves[MOVES_MAX];
    uint16_t equal[MOVES_MAX];
    for (int i = 0; i < count; i++) {
        moves[i] = (Move)(i + 1);
        equal[i] = (uint16_t)(PRIOR_ONE / count);
    }
    return mcts_tree_make_edges(&g->tree, &g->store, node, moves, priors ? priors : equal, count);
}

/* The child behind move `move`, with so many visits and this mean for the side that moves there. */
static TreeNode *child_of(Garden *g, TreeNode *node, Move move, uint32_t visits, double mean)
{
    TreeEdge *edge = mcts_tree_find_edge(&g->tree, node, move);
    assert_non_null(edge);
    if (!mcts_tree_child(&g->tree, edge)) atomic_store(&edge->child, mcts_tree_new_node(&g->tree, &g->store));
    TreeNode *child = mcts_tree_child(&g->tree, edge);
    assert_non_null(child);
    atomic_store(&child->visits, visits);
    atomic_store(&child->value, (uint64_t)(mean * visits * (double)VALUE_ONE));
    return child;
}

static void assert_near(double actual, double expected)
{
    if (fabs(actual - expected) > 1e-12) fail_msg("%.15f instead of %.15f", actual, expected);
}

static Move selected(Garden *g, const Selection *how, uint32_t visits)
{
    TreeEdge *edge = mcts_select(&g->tree, root_of(g), how, visits);
    return edge ? edge->move : MOVE_NONE;
}

/* ---- selection ---- */

static void the_formulas_hold_to_the_digit(void **state)
{
    (void)state;
    assert_near(mcts_uct(0.5, 10, 100, 1.41), 1.4568457998425308);
    assert_near(mcts_uct(0.25, 3, 7, 0.6), 0.7332279150531741);
    assert_near(mcts_uct(0.75, 1, 1, 1.41), 0.75); /* ln 1 is 0 */
    assert_near(mcts_puct(0.4, 9, 100, 0.3, 0.6), 0.58);
    assert_near(mcts_puct(0.4, 0, 0, 0.3, 0.6), 0.4);
}

static void uct_tries_every_move_before_any_twice(void **state)
{
    Garden    g;
    Selection how = {.policy = POLICY_UCT, .c = 1};
    (void)state;
    garden_begin(&g, SMALL);
    assert_true(grow(&g, root_of(&g), 5, NULL));
    for (Move move = 1; move <= 5; move++) {
        assert_int_equal(selected(&g, &how, move), move);
        child_of(&g, root_of(&g), move, 1, 0);
    }
    garden_end(&g);
}

/* With N = 20: 0.60 + c * 0.5473..., 0.50 + c * 0.8654..., 0.30 + c * 1.2238...: c decides. */
static void uct_follows_the_largest_sum(void **state)
{
    Garden g;
    (void)state;
    garden_begin(&g, SMALL);
    assert_true(grow(&g, root_of(&g), 3, NULL));
    child_of(&g, root_of(&g), 1, 10, 0.6);
    child_of(&g, root_of(&g), 2, 4, 0.5);
    child_of(&g, root_of(&g), 3, 2, 0.3);
    for (int c = 0; c <= 200; c += 5) {
        Selection how      = {.policy = POLICY_UCT, .c = c / 100.0};
        double    best     = -1;
        Move      expected = MOVE_NONE;
        const struct {
            double n, mean;
        } child[] = {{10, 0.6}, {4, 0.5}, {2, 0.3}};
        for (int i = 0; i < 3; i++) {
            double sum = child[i].mean + how.c * sqrt(log(20) / child[i].n);
            if (sum <= best) continue;
            best     = sum;
            expected = (Move)(i + 1);
        }
        assert_int_equal(selected(&g, &how, 20), expected);
    }
    garden_end(&g);
}

static void puct_prefers_the_likely_move_and_turns_to_the_good_one(void **state)
{
    const uint16_t priors[] = {PRIOR_ONE / 2, PRIOR_ONE / 4, PRIOR_ONE / 4};
    Garden         g;
    Selection      how = {.policy = POLICY_PUCT, .c = 1};
    (void)state;
    garden_begin(&g, SMALL);
    assert_true(grow(&g, root_of(&g), 3, priors));
    assert_int_equal(selected(&g, &how, 0), 1);
    child_of(&g, root_of(&g), 1, 8, 0.2);
    assert_int_equal(selected(&g, &how, 8), 2); /* the first has disappointed */
    child_of(&g, root_of(&g), 2, 8, 0.9);
    child_of(&g, root_of(&g), 3, 8, 0.3);
    assert_int_equal(selected(&g, &how, 24), 2);
    garden_end(&g);
}

static void as_many_moves_as_lines_get_a_visit_first(void **state)
{
    const uint16_t priors[] = {PRIOR_ONE - 2, 1, 1};
    Garden         g;
    Selection      how = {.policy = POLICY_PUCT, .c = 0.1, .at_least = 3};
    (void)state;
    garden_begin(&g, SMALL);
    assert_true(grow(&g, root_of(&g), 3, priors));
    child_of(&g, root_of(&g), 1, 5, 1);
    assert_int_equal(selected(&g, &how, 5), 2);
    child_of(&g, root_of(&g), 2, 1, 0);
    assert_int_equal(selected(&g, &how, 6), 3);
    garden_end(&g);
}

static void proved_losses_are_never_followed(void **state)
{
    Garden    g;
    Selection how = {.policy = POLICY_PUCT, .c = 1};
    (void)state;
    garden_begin(&g, SMALL);
    assert_true(grow(&g, root_of(&g), 2, NULL));
    node_prove(child_of(&g, root_of(&g), 1, 5, 0.9), BOUNDS_MATES);
    child_of(&g, root_of(&g), 2, 50, 0.1);
    assert_int_equal(selected(&g, &how, 55), 2);
    node_prove(child_of(&g, root_of(&g), 2, 50, 0.1), BOUNDS_MATES);
    assert_int_equal(selected(&g, &how, 55), MOVE_NONE);
    garden_end(&g);
}

static void who_must_win_does_not_draw(void **state)
{
    Garden    g;
    Selection how = {.policy = POLICY_PUCT, .c = 0};
    (void)state;
    garden_begin(&g, SMALL);
    assert_true(grow(&g, root_of(&g), 2, NULL));
    node_prove(child_of(&g, root_of(&g), 1, 5, 0.5), BOUNDS_DRAWN);
    child_of(&g, root_of(&g), 2, 5, 0.1);
    assert_int_equal(selected(&g, &how, 10), 1);
    how.must_win = true;
    assert_int_equal(selected(&g, &how, 10), 2);
    garden_end(&g);
}

/* ---- backpropagation ---- */

static void values_change_sides_at_every_ply(void **state)
{
    Garden    g;
    TreeNode *path[3];
    (void)state;
    garden_begin(&g, SMALL);
    path[0] = root_of(&g);
    assert_true(grow(&g, path[0], 1, NULL));
    path[1] = child_of(&g, path[0], 1, 1, 0);
    assert_true(grow(&g, path[1], 1, NULL));
    path[2] = child_of(&g, path[1], 1, 1, 0);
    atomic_store(&path[0]->visits, 1);
    mcts_back_up(&g.tree, path, 2, 0.75); /* good for who moves at the leaf, so bad for who moved there */
    assert_near(node_mean(path[2]), 0.25);
    assert_near(node_mean(path[1]), 0.75);
    assert_near(node_mean(path[0]), 0.25);
    garden_end(&g);
}

static void a_mate_at_the_leaf_decides_the_whole_path(void **state)
{
    Garden    g;
    TreeNode *path[3];
    (void)state;
    garden_begin(&g, SMALL);
    path[0] = root_of(&g);
    assert_true(grow(&g, path[0], 2, NULL));
    path[1] = child_of(&g, path[0], 1, 1, 0);
    assert_true(grow(&g, path[1], 1, NULL)); /* a forced reply ... */
    path[2] = child_of(&g, path[1], 1, 1, 0);
    node_prove(path[2], BOUNDS_MATES); /* ... and then mate */
    mcts_back_up(&g.tree, path, 2, 1);
    assert_true(bounds_are_lost(node_bounds(path[1])));
    assert_int_equal(node_bounds(path[1]).upper, -SCORE_MATE + 2);
    assert_true(bounds_are_won(node_bounds(path[0])));
    assert_int_equal(node_bounds(path[0]).lower, SCORE_MATE - 3); /* mate in two moves */
    assert_int_equal(atomic_load(&path[0]->best), 1);
    garden_end(&g);
}

/* ---- proofs ---- */

static void a_side_is_lost_only_when_every_move_loses(void **state)
{
    Garden g;
    (void)state;
    garden_begin(&g, SMALL);
    TreeNode *root = root_of(&g);
    assert_true(grow(&g, root, 3, NULL));
    node_prove(child_of(&g, root, 1, 1, 0), BOUNDS_MATES);
    node_prove(child_of(&g, root, 2, 1, 0), (Bounds){SCORE_MATE - 5, SCORE_MATE});
    (void)node_prove_from_children(&g.tree, root);
    assert_false(bounds_are_decisive(node_bounds(root))); /* the third was never tried */
    node_prove(child_of(&g, root, 3, 1, 0), (Bounds){SCORE_MATE - 3, SCORE_MATE - 3});
    assert_true(node_prove_from_children(&g.tree, root));
    assert_int_equal(node_bounds(root).upper, -SCORE_MATE + 6); /* the longest defence counts */
    assert_int_equal(atomic_load(&root->best), 2);
    garden_end(&g);
}

static void a_draw_at_hand_bounds_the_value_from_below(void **state)
{
    Garden g;
    (void)state;
    garden_begin(&g, SMALL);
    TreeNode *root = root_of(&g);
    assert_true(grow(&g, root, 2, NULL));
    atomic_store(&root->visits, 4);
    atomic_store(&root->value, 4 * VALUE_ONE); /* all playouts said: lost for the side to move */
    node_prove(child_of(&g, root, 1, 1, 0), BOUNDS_DRAWN);
    assert_true(node_prove_from_children(&g.tree, root));
    assert_int_equal(node_bounds(root).lower, SCORE_DRAW);
    assert_int_equal(node_bounds(root).upper, SCORE_MATE);
    assert_near(node_value(root), 0.5);
    node_prove(child_of(&g, root, 2, 1, 0), BOUNDS_MATES); /* and the other move loses */
    assert_true(node_prove_from_children(&g.tree, root));
    assert_true(bounds_are_closed(node_bounds(root)));
    garden_end(&g);
}

static void mates_grow_by_a_ply_on_the_way_up(void **state)
{
    (void)state;
    Bounds mated = bounds_from_parent(BOUNDS_MATED), open = bounds_from_parent(BOUNDS_OPEN);
    assert_int_equal(mated.lower, SCORE_MATE - 1);
    assert_int_equal(mated.upper, SCORE_MATE - 1);
    assert_int_equal(open.lower, -SCORE_MATE);
    assert_int_equal(open.upper, SCORE_MATE);
    assert_int_equal(bounds_from_parent(BOUNDS_MATES).upper, -SCORE_MATE + 2);
    assert_int_equal(bounds_from_parent(BOUNDS_DRAWN).lower, SCORE_DRAW);
}

/* ---- memory ---- */

static void cells_run_out_without_harm(void **state)
{
    Garden g;
    (void)state;
    garden_begin(&g, SMALL);
    assert_true(grow(&g, root_of(&g), 60, NULL)); /* 20 cells */
    TreeNode *child = child_of(&g, root_of(&g), 1, 1, 0.5);
    assert_false(grow(&g, child, 300, NULL)); /* 100 cells: there are 64 */
    assert_false(node_is_expanded(child));
    while (mcts_tree_new_node(&g.tree, &g.store) != CELL_NONE) {}
    assert_int_equal(mcts_tree_used(&g.tree), 64);
    assert_false(grow(&g, child, 3, NULL));
    garden_end(&g);
}

/* Two children of the root, one of them hardly visited: its subtree goes, with its cells, and the other stays. */
static void the_least_visited_subtrees_are_given_back(void **state)
{
    Garden g;
    (void)state;
    garden_begin(&g, SMALL);
    TreeNode *root = root_of(&g);
    assert_true(grow(&g, root, 2, NULL));
    TreeNode *often = child_of(&g, root, 1, 1000, 0.5), *seldom = child_of(&g, root, 2, 2, 0.5);
    assert_true(grow(&g, often, 60, NULL) && grow(&g, seldom, 90, NULL));
    child_of(&g, often, 7, 500, 0.5);
    child_of(&g, seldom, 7, 1, 0.5);
    uint32_t before = mcts_tree_used(&g.tree);
    mcts_tree_collect(&g.tree);
    assert_true(mcts_tree_used(&g.tree) < before);
    assert_true(node_is_expanded(often));
    assert_non_null(mcts_tree_child(&g.tree, mcts_tree_find_edge(&g.tree, often, 7)));
    assert_false(node_is_expanded(seldom));
    assert_int_equal(node_visits(seldom), 2); /* what is known of it stays */
    garden_end(&g);
}

static void a_kept_subtree_is_all_that_is_left(void **state)
{
    Garden g;
    (void)state;
    garden_begin(&g, SMALL);
    TreeNode *root = root_of(&g);
    assert_true(grow(&g, root, 30, NULL));
    TreeNode *kept = child_of(&g, root, 4, 100, 0.5);
    assert_true(grow(&g, kept, 3, NULL));
    node_prove(child_of(&g, kept, 1, 9, 0.5), BOUNDS_DRAWN);
    node_prove(child_of(&g, kept, 2, 9, 0.5), BOUNDS_MATES);
    mcts_tree_keep(&g.tree, atomic_load(&mcts_tree_find_edge(&g.tree, root, 4)->child));
    assert_ptr_equal(root_of(&g), kept);
    assert_int_equal(mcts_tree_used(&g.tree), 1 + 1 + 1 + 2 + g.store.count); /* none, node, its edges, two children, the store */
    assert_false(bounds_are_closed(node_bounds(child_of(&g, kept, 1, 9, 0.5)))); /* repetitions are counted anew */
    assert_true(bounds_are_won(node_bounds(child_of(&g, kept, 2, 9, 0.5))));
    garden_end(&g);
}

/* ---- guesses ---- */

static void priors_add_up_and_the_order_is_sensible(void **state)
{
    (void)state;
    Position pos = position_of("4k3/8/8/3q4/4P3/8/8/4K2R w K - 0 1");
    MoveList list;
    uint16_t priors[MOVES_MAX];
    int      sum = 0;
    movegen_legal(&pos, &list);
    mcts_order(&pos, MOVE_NONE, &list, priors);
    for (int i = 0; i < list.count; i++) {
        sum += priors[i];
        assert_true(i == 0 || priors[i] <= priors[i - 1]);
    }
    assert_true(abs(sum - PRIOR_ONE) <= list.count);
    assert_int_equal(list.moves[0], move_of(&pos, "e4d5"));
    movegen_legal(&pos, &list);
    mcts_order(&pos, move_of(&pos, "e1e2"), &list, priors); /* a hint raises a move, but does not hide a queen */
    assert_int_equal(list.moves[0], move_of(&pos, "e4d5"));
    assert_int_equal(list.moves[1], move_of(&pos, "e1e2"));
}

static void the_curve_has_an_inverse(void **state)
{
    (void)state;
    for (Score score = -1900; score <= 1900; score += 19) assert_int_equal(mcts_score_of(mcts_value_of(score)), score);
    assert_near(mcts_value_of(0), 0.5);
    assert_near(mcts_value_of(220) + mcts_value_of(-220), 1);
    assert_true(mcts_value_of(SCORE_MATE - 3) < 1); /* an opinion, not a proof */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_formulas_hold_to_the_digit),
        cmocka_unit_test(uct_tries_every_move_before_any_twice),
        cmocka_unit_test(uct_follows_the_largest_sum),
        cmocka_unit_test(puct_prefers_the_likely_move_and_turns_to_the_good_one),
        cmocka_unit_test(as_many_moves_as_lines_get_a_visit_first),
        cmocka_unit_test(proved_losses_are_never_followed),
        cmocka_unit_test(who_must_win_does_not_draw),
        cmocka_unit_test(values_change_sides_at_every_ply),
        cmocka_unit_test(a_mate_at_the_leaf_decides_the_whole_path),
        cmocka_unit_test(a_side_is_lost_only_when_every_move_loses),
        cmocka_unit_test(a_draw_at_hand_bounds_the_value_from_below),
        cmocka_unit_test(mates_grow_by_a_ply_on_the_way_up),
        cmocka_unit_test(cells_run_out_without_harm),
        cmocka_unit_test(the_least_visited_subtrees_are_given_back),
        cmocka_unit_test(a_kept_subtree_is_all_that_is_left),
        cmocka_unit_test(priors_add_up_and_the_order_is_sensible),
        cmocka_unit_test(the_curve_has_an_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

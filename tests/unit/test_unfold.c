/* test_unfold.c - the search that writes its tree down: the tree is whole, its values are those of minimax, limits hold. */
#include "support/testing.h"

#include "chess/movegen.h"
#include "eval/evaluator.h"
#include "lab/unfold.h"

static const char busy[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
static const char calm[] = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

static UnfoldTree unfold(const char *fen, UnfoldConfig config)
{
    Position   pos = position_of(fen);
    UnfoldTree tree;
    Err        err;
    if (!unfold_search(&pos, &config, &tree, &err)) fail_msg("%s", err.text);
    return tree;
}

/* Every node of the subtree is where its parent says, in the order of the search, and counted once. */
static int check_subtree(const UnfoldTree *tree, int index)
{
    const UnfoldNode *node  = &tree->nodes[index];
    int               count = 1, last = index;
    for (int child = node->first_child; child >= 0; child = tree->nodes[child].next_sibling) {
        assert_true(child > last);
        last = child;
        assert_int_equal(tree->nodes[child].parent, index);
        assert_true(tree->nodes[child].beta <= -node->alpha); /* alpha only rises */
        count += check_subtree(tree, child);
    }
    assert_int_equal(node->nodes, count);
    return count;
}

static void every_node_stands_once_in_the_order_of_the_search(void **state)
{
    (void)state;
    UnfoldTree tree = unfold(busy, (UnfoldConfig){.depth = 3, .quiescence = true, .null_move = true, .ordering = true});
    assert_int_equal(tree.depth, 3);
    assert_int_equal(tree.nodes[0].parent, -1);
    assert_int_equal(check_subtree(&tree, 0), tree.count);
    unfold_release(&tree);
}

static void kinds_say_how_value_and_window_lie(void **state)
{
    (void)state;
    int        seen[UNFOLD_NULL + 1] = {0};
    UnfoldTree tree = unfold(busy, (UnfoldConfig){.depth = 3, .quiescence = true, .null_move = true, .ordering = true});
    assert_int_equal(tree.nodes[0].kind, UNFOLD_PV);
    for (int i = 0; i < tree.count; i++) {
        const UnfoldNode *node = &tree.nodes[i];
        seen[node->kind]++;
        if (node->kind == UNFOLD_PV) assert_true(node->score > node->alpha && node->score < node->beta);
        if (node->kind == UNFOLD_CUT) assert_true(node->score >= node->beta);
        if (node->kind == UNFOLD_ALL) assert_true(node->score <= node->alpha);
        if (node->kind == UNFOLD_QS) assert_true(node->depth <= 0);
        if (node->kind == UNFOLD_NULL) assert_int_equal(node->move, MOVE_NONE);
        if (node->move == MOVE_NONE && i > 0) assert_int_equal(node->kind, UNFOLD_NULL);
    }
    for (UnfoldKind kind = UNFOLD_PV; kind <= UNFOLD_NULL; kind++) assert_true(seen[kind] > 0);
    unfold_release(&tree);
}

/* The definition, without any cut: what the recorded search must agree with. */
static Score minimax(Evaluator *evaluator, const Position *pos, int depth, int ply)
{
    MoveList list;
    Score    best = -SCORE_INFINITE;
    movegen_legal(pos, &list);
    if (list.count == 0) return position_in_check(pos) ? score_mated_in(ply) : SCORE_DRAW;
    if (depth == 0) return evaluator_score_at(evaluator, pos, ply);
    for (int i = 0; i < list.count; i++) {
        Position next;
        position_play(pos, list.moves[i], &next);
        Score score = -minimax(evaluator, &next, depth - 1, ply + 1);
        if (score > best) best = score;
    }
    return best;
}

static void the_root_has_the_value_of_minimax(void **state)
{
    (void)state;
    static const char *const fens[]    = {busy, calm, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1"};
    Evaluator               *evaluator = evaluator_new(EVAL_CLASSICAL, NULL);
    for (size_t i = 0; i < COUNT_OF(fens); i++) {
        Position   pos      = position_of(fens[i]);
        Score      expected = minimax(evaluator, &pos, 2, 0);
        UnfoldTree ordered  = unfold(fens[i], (UnfoldConfig){.depth = 2, .ordering = true});
        UnfoldTree plain    = unfold(fens[i], (UnfoldConfig){.depth = 2});
        assert_int_equal(ordered.nodes[0].score, expected);
        assert_int_equal(plain.nodes[0].score, expected);
        unfold_release(&ordered);
        unfold_release(&plain);
    }
    evaluator_free(evaluator);
}

static void good_order_makes_the_tree_smaller(void **state)
{
    (void)state;
    UnfoldTree ordered = unfold(calm, (UnfoldConfig){.depth = 3, .ordering = true});
    UnfoldTree plain   = unfold(calm, (UnfoldConfig){.depth = 3});
    assert_int_equal(plain.depth, 3);
    assert_true(ordered.count < plain.count);
    unfold_release(&ordered);
    unfold_release(&plain);
}

static void captures_are_resolved_beyond_the_horizon(void **state)
{
    (void)state; /* the queen takes a guarded pawn: a pawn won at depth 1, a queen lost one move later */
    const char fen[] = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";
    UnfoldTree blind = unfold(fen, (UnfoldConfig){.depth = 1, .ordering = true});
    UnfoldTree sees  = unfold(fen, (UnfoldConfig){.depth = 1, .ordering = true, .quiescence = true});
    Position   pos   = position_of(fen);
    Move       grab  = move_of(&pos, "Qxd5");
    for (int side = 0; side < 2; side++) {
        const UnfoldTree *tree  = side ? &sees : &blind;
        int               child = tree->nodes[0].first_child;
        while (tree->nodes[child].move != grab) child = tree->nodes[child].next_sibling;
        assert_int_equal(-tree->nodes[child].score == tree->nodes[0].score, side == 0);
    }
    unfold_release(&blind);
    unfold_release(&sees);
}

static void mates_and_ends_are_told(void **state)
{
    (void)state;
    UnfoldConfig config = {.depth = 2, .quiescence = true, .ordering = true};
    UnfoldTree   mate   = unfold("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", config);
    assert_int_equal(mate.nodes[0].score, score_mate_in(1));
    unfold_release(&mate);
    UnfoldTree mated = unfold("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", config);
    assert_int_equal(mated.count, 1);
    assert_int_equal(mated.nodes[0].score, score_mated_in(0));
    unfold_release(&mated);
    UnfoldTree stalemate = unfold("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", config);
    assert_int_equal(stalemate.nodes[0].score, SCORE_DRAW);
    unfold_release(&stalemate);
}

static void a_tree_beyond_the_limit_gives_the_depth_before(void **state)
{
    (void)state;
    UnfoldTree tree = unfold(busy, (UnfoldConfig){.depth = UNFOLD_DEPTH_MAX, .quiescence = true});
    assert_true(tree.depth >= 1 && tree.depth < UNFOLD_DEPTH_MAX);
    assert_true(tree.count <= UNFOLD_NODES_MAX);
    assert_int_equal(tree.nodes[0].depth, tree.depth);
    assert_int_equal(check_subtree(&tree, 0), tree.count);
    unfold_release(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_stands_once_in_the_order_of_the_search),
        cmocka_unit_test(kinds_say_how_value_and_window_lie),
        cmocka_unit_test(the_root_has_the_value_of_minimax),
        cmocka_unit_test(good_order_makes_the_tree_smaller),
        cmocka_unit_test(captures_are_resolved_beyond_the_horizon),
        cmocka_unit_test(mates_and_ends_are_told),
        cmocka_unit_test(a_tree_beyond_the_limit_gives_the_depth_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

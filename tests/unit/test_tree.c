/* test_tree.c - the tree of moves: its shape, its notes, and that PGN keeps all of it. */
#include "game/tree.h"

#include "support/testing.h"

typedef struct {
    int      games, errors;
    MoveTree tree; /* the last good one */
    PgnError error;
} Found;

static bool keep(void *context, uint64_t number, MoveTree *tree, const PgnError *error)
{
    (void)number;
    Found *found = context;
    found->games++;
    if (error) {
        found->errors++;
        found->error = *error;
        return true;
    }
    tree_release(&found->tree);
    found->tree = *tree;
    *tree       = (MoveTree){0};
    return true;
}

static Found read_games(const char *pgn)
{
    Found found = {0};
    assert_true(tree_read_pgn(str_from(pgn), keep, &found, NULL));
    return found;
}

/* What comes out of a text that went in and out. */
static void assert_kept(const char *pgn, const char *moves)
{
    Found found = read_games(pgn);
    Buf   once = {0}, twice = {0};
    assert_int_equal(found.games, 1);
    assert_int_equal(found.errors, 0);
    assert_true(tree_write_pgn(&found.tree, &once));
    assert_non_null(strstr(once.data, moves));
    Found again = read_games(once.data);
    assert_true(tree_write_pgn(&again.tree, &twice));
    assert_string_equal(once.data, twice.data);
    tree_release(&found.tree);
    tree_release(&again.tree);
    buf_release(&once);
    buf_release(&twice);
}

/* Adds a line of moves below `node`; returns the last. */
static int add_line(MoveTree *tree, int node, const char *moves)
{
    Str rest = str_from(moves);
    for (Str word; (word = str_next_token(&rest)).len;) {
        char     text[16];
        Position pos;
        memcpy(text, word.ptr, word.len);
        text[word.len] = '\0';
        tree_position(tree, node, &pos);
        node = tree_add(tree, node, move_of(&pos, text), NULL);
        assert_int_not_equal(node, TREE_NONE);
    }
    return node;
}

static MoveTree new_tree(void)
{
    MoveTree tree;
    Position start;
    position_set_start(&start);
    assert_true(tree_init(&tree, &start));
    return tree;
}

static void variations_comments_nags_and_evaluations_survive(void **state)
{
    (void)state;
    assert_kept("{before} 1. e4 $1 {[%eval 0.34] best by test} e5 (1... c5 2. Nf3 (2. c3 $5) d6) (1... e6) 2. Nf3 *",
                "{before} 1. e4 $1 {[%eval 0.34] best by test} 1... e5 (1... c5 2. Nf3 (2. c3 $5)");
    assert_kept("1. e4 {[%eval #-3]} e5 {[%eval -1.05,18] [%clk 0:01:00]} *",
                "1. e4 {[%eval #-3]} 1... e5 {[%eval -1.05] [%clk 0:01:00]} *");
    assert_kept("1. e4 {[%eval nonsense]} *", "{[%eval nonsense]}");
    assert_kept("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. -- Kd6 *", "7... Kd7 8. -- Kd6 *");
}

static void a_move_that_is_there_is_not_added_twice(void **state)
{
    (void)state;
    MoveTree tree = new_tree();
    int      e4 = add_line(&tree, 0, "e4"), e5 = add_line(&tree, e4, "e5");
    assert_int_equal(add_line(&tree, 0, "e4 e5"), e5);
    assert_int_equal(tree.count, 3);
    tree_release(&tree);
}

static void promoting_changes_one_level_and_making_main_all(void **state)
{
    (void)state;
    MoveTree tree = new_tree();
    int      main = add_line(&tree, 0, "e4 e5 Nf3"), other = add_line(&tree, 0, "d4 d5"), deep = add_line(&tree, 3 + 1, "Nf6 c4");
    assert_int_equal(tree_main_end(&tree), main);
    tree_promote(&tree, deep); /* d5 (Nf6): only the inner choice */
    assert_int_equal(tree_main_end(&tree), main);
    tree_promote(&tree, deep);
    assert_int_equal(tree_main_end(&tree), deep);
    tree_make_main(&tree, other);
    assert_int_equal(tree_main_end(&tree), other);
    tree_release(&tree);
}

static void deleting_takes_all_that_follows_and_keeps_numbers(void **state)
{
    (void)state;
    MoveTree tree = new_tree();
    int      last = add_line(&tree, 0, "e4 e5 Nf3"), other = add_line(&tree, 1, "c5");
    tree_set_comment(&tree, last, STR("gone soon"), NULL);
    tree_delete(&tree, 2);
    assert_false(tree_has(&tree, 2));
    assert_false(tree_has(&tree, last));
    assert_true(tree_has(&tree, other));
    assert_int_equal(tree_main_end(&tree), other);
    assert_int_equal(add_line(&tree, 1, "e5"), 5);
    assert_false(tree_has(&tree, -1));
    assert_false(tree_has(&tree, 6));
    tree_release(&tree);
}

static void the_game_of_a_node_knows_its_repetitions(void **state)
{
    (void)state;
    MoveTree tree = new_tree();
    Game     game;
    int      node = add_line(&tree, 0, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_true(tree_game(&tree, node, &game, NULL));
    assert_int_equal(game_repetitions(&game), 3);
    game_release(&game);
    node = tree_add(&tree, node, MOVE_NONE, NULL); /* a null move is no move: the game begins after it */
    assert_true(tree_game(&tree, add_line(&tree, node, "e5"), &game, NULL));
    assert_int_equal(game.plies, 1);
    assert_int_equal(position_side(&game.start), BLACK);
    game_release(&game);
    tree_release(&tree);
}

static void limits_are_told(void **state)
{
    (void)state;
    MoveTree    tree = new_tree();
    Err         err;
    static char text[TREE_COMMENT_MAX + 1];
    memset(text, 'x', sizeof text);
    assert_false(tree_set_comment(&tree, 0, (Str){text, sizeof text}, &err));
    assert_int_equal(err.code, ERR_RANGE);
    for (int nag = 1; nag <= TREE_NAGS_MAX; nag++) assert_true(tree_toggle_nag(&tree, 0, nag, &err));
    assert_false(tree_toggle_nag(&tree, 0, 100, &err));
    assert_true(tree_toggle_nag(&tree, 0, 2, &err)); /* taken away */
    assert_true(tree_toggle_nag(&tree, 0, 100, &err));
    assert_false(tree_toggle_nag(&tree, 0, 256, &err));
    int node = 0;
    for (int i = 1; i < TREE_NODES_MAX; i++) node = tree_add(&tree, node, MOVE_NONE, &err);
    assert_int_equal(tree_add(&tree, node, MOVE_NONE, &err), TREE_NONE);
    assert_int_equal(tree.count, TREE_NODES_MAX);
    tree_release(&tree);
}

static void tags_are_found_in_any_case_and_removed_when_empty(void **state)
{
    (void)state;
    MoveTree tree = new_tree();
    assert_true(tree_set_tag(&tree, STR("White"), STR("Anna"), NULL));
    assert_true(tree_set_tag(&tree, STR("WHITE"), STR("Bert"), NULL));
    assert_str_equal(tree_tag(&tree, "white"), "Bert");
    assert_int_equal(tree.tag_count, 1);
    assert_true(tree_set_tag(&tree, STR("White"), STR(""), NULL));
    assert_int_equal(tree.tag_count, 0);
    assert_str_equal(tree_tag(&tree, "White"), "");
    tree_release(&tree);
}

static void a_broken_game_is_told_and_the_next_one_read(void **state)
{
    (void)state;
    Found found = read_games("[White \"A\"]\n\n1. e4 (1. d4 Ke4) *\n\n[White \"B\"]\n\n1. d4 1-0\n");
    assert_int_equal(found.games, 2);
    assert_int_equal(found.errors, 1);
    assert_int_equal(found.error.line, 3);
    assert_str_equal(tree_tag(&found.tree, "White"), "B");
    assert_int_equal(found.tree.result, RESULT_WHITE_WINS);
    tree_release(&found.tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variations_comments_nags_and_evaluations_survive),
        cmocka_unit_test(a_move_that_is_there_is_not_added_twice),
        cmocka_unit_test(promoting_changes_one_level_and_making_main_all),
        cmocka_unit_test(deleting_takes_all_that_follows_and_keeps_numbers),
        cmocka_unit_test(the_game_of_a_node_knows_its_repetitions),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(tags_are_found_in_any_case_and_removed_when_empty),
        cmocka_unit_test(a_broken_game_is_told_and_the_next_one_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

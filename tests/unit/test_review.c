/* test_review.c - judging moves by winning chances, reviewing whole games, and writing the verdicts into a tree. */
#include "review/review.h"

#include <math.h>

#include "review/annotate.h"
#include "support/testing.h"

static void assert_near(double actual, double expected, double margin)
{
    if (fabs(actual - expected) > margin) fail_msg("%.3f is not %.3f", actual, expected);
}

static Game game_of(const char *moves)
{
    Game     game;
    Position start;
    position_set_start(&start);
    assert_true(game_init(&game, &start));
    Str rest = str_from(moves);
    for (Str word; (word = str_next_token(&rest)).len;) {
        char text[16] = {0};
        memcpy(text, word.ptr, word.len < sizeof text ? word.len : sizeof text - 1);
        assert_true(game_play(&game, move_of(&game.now, text)));
    }
    return game;
}

/* ---- one move ---- */

/* The published curve: 50 % at 0, 59.1 % at +1, 97.5 % at +10 and beyond. */
static void winning_chances_follow_the_published_curve(void **state)
{
    (void)state;
    assert_near(review_win_percent(0), 50, 1e-9);
    assert_near(review_win_percent(100), 59.10, 0.01);
    assert_near(review_win_percent(-100), 40.90, 0.01);
    assert_near(review_win_percent(1000), 97.54, 0.01);
    assert_near(review_win_percent(5000), review_win_percent(1000), 1e-9);
    assert_near(review_win_percent(SCORE_MATE - 5), review_win_percent(1000), 1e-9);
    assert_near(review_win_percent(-SCORE_MATE), 100 - review_win_percent(1000), 1e-9);
}

static void accuracy_falls_with_lost_chances(void **state)
{
    (void)state;
    assert_near(review_move_accuracy(50, 50), 100, 1e-9);
    assert_near(review_move_accuracy(50, 60), 100, 1e-9);
    assert_near(review_move_accuracy(60, 50), 63.58, 0.01);
    assert_near(review_move_accuracy(97, 3), 0, 1e-9);
}

/* 0.1, 0.2 and 0.3 between -1 and 1 are 5, 10 and 15 percent. */
static void verdicts_begin_at_their_thresholds(void **state)
{
    (void)state;
    assert_int_equal(review_verdict(0, -54), REVIEW_GOOD);
    assert_int_equal(review_verdict(0, -55), REVIEW_INACCURACY);
    assert_int_equal(review_verdict(0, -110), REVIEW_INACCURACY);
    assert_int_equal(review_verdict(0, -111), REVIEW_MISTAKE);
    assert_int_equal(review_verdict(0, -168), REVIEW_MISTAKE);
    assert_int_equal(review_verdict(0, -169), REVIEW_BLUNDER);
    assert_int_equal(review_verdict(900, 600), REVIEW_INACCURACY);
    assert_int_equal(review_verdict(-900, -2000), REVIEW_GOOD);
    assert_int_equal(review_verdict(-50, 50), REVIEW_GOOD);
}

static void mates_are_judged_by_what_they_change(void **state)
{
    (void)state;
    Score mate = score_mate_in(5), mated = score_mated_in(6);
    assert_int_equal(review_verdict(0, mated), REVIEW_BLUNDER);
    assert_int_equal(review_verdict(-800, mated), REVIEW_MISTAKE);
    assert_int_equal(review_verdict(-1500, mated), REVIEW_INACCURACY);
    assert_int_equal(review_verdict(mate, 0), REVIEW_BLUNDER);
    assert_int_equal(review_verdict(mate, 800), REVIEW_MISTAKE);
    assert_int_equal(review_verdict(mate, 1500), REVIEW_INACCURACY);
    assert_int_equal(review_verdict(mate, mated), REVIEW_BLUNDER);
    assert_int_equal(review_verdict(score_mate_in(3), score_mate_in(9)), REVIEW_GOOD);
    assert_int_equal(review_verdict(mated, score_mated_in(2)), REVIEW_GOOD);
}

static void mates_count_the_same_for_whoever_is_to_move(void **state)
{
    (void)state;
    for (int plies = 1; plies < 9; plies++) {
        assert_int_equal(score_mate_moves(score_mate_in(plies)), (plies + 1) / 2);
        assert_int_equal(score_mate_moves(score_mated_in(plies)), -(plies + 1) / 2);
    }
}

static void phases_follow_the_material(void **state)
{
    (void)state;
    Position pos;
    position_set_start(&pos);
    assert_int_equal(phase_of(&pos), PHASE_OPENING);
    pos =
        position_of("r4rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1B3/P3BPPP/2RQ1RK1 w - - 0 1"); /* Black has three men on his back rank */
    assert_int_equal(phase_of(&pos), PHASE_MIDDLEGAME);
    pos = position_of("r1b1k1nr/pppp1ppp/8/8/8/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1"); /* nine pieces: enough are gone */
    assert_int_equal(phase_of(&pos), PHASE_MIDDLEGAME);
    pos = position_of("r4rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R4RK1 w - - 0 1");
    assert_int_equal(phase_of(&pos), PHASE_ENDGAME);
}

/* ---- many moves ---- */

static void one_bad_move_pulls_the_accuracy_down(void **state)
{
    (void)state;
    const double good[] = {100, 100, 100, 100}, bad[] = {100, 100, 100, 0}, weights[] = {1, 1, 1, 1}, heavy[] = {1, 1, 1, 3};
    assert_near(review_accuracy(good, weights, 4), 100, 1e-9);
    assert_near(review_accuracy(bad, weights, 4), (75 + 4 / 1.03) / 2, 1e-9);
    assert_near(review_accuracy(bad, heavy, 4), (50 + 4 / 1.03) / 2, 1e-9);
    assert_near(review_accuracy(NULL, NULL, 0), 0, 1e-9);
}

/* Scores given by hand: what follows from them is exact. */
static void a_review_concludes_from_its_positions(void **state)
{
    (void)state;
    const Score scores[] = {20, 20, 20, -200, 30};
    Game        game     = game_of("e4 e5 Qh5 Nc6");
    Review      review;
    assert_true(review_init(&review, &game));
    for (size_t i = 0; i < COUNT_OF(scores); i++) review.positions[i] = (ReviewPosition){.known = true, .score = scores[i]};
    assert_true(review_conclude(&review, &game));
    assert_true(review.complete);
    assert_int_equal(review.moves[0].loss_cp, 0);
    assert_int_equal(review.moves[1].loss_cp, 0);
    assert_int_equal(review.moves[2].loss_cp, 220);
    assert_int_equal(review.moves[2].verdict, REVIEW_BLUNDER);
    assert_near(review.moves[2].drop, review_win_percent(20) - review_win_percent(-200), 1e-9);
    assert_int_equal(review.moves[3].loss_cp, 230); /* Black's: -200 -> +30 from White's side */
    assert_int_equal(review.sides[WHITE].moves, 2);
    assert_near(review.sides[WHITE].loss_cp, 110, 1e-9);
    assert_int_equal(review.sides[WHITE].counts[REVIEW_BLUNDER], 1);
    assert_int_equal(review.sides[BLACK].counts[REVIEW_BLUNDER], 1);
    assert_int_equal(review.phases[WHITE][PHASE_OPENING].moves, 2);
    assert_int_equal(review.phases[WHITE][PHASE_ENDGAME].moves, 0);
    review.positions[0].known = false;
    assert_true(review_conclude(&review, &game));
    assert_false(review.complete || review.moves[0].judged);
    assert_int_equal(review.sides[WHITE].moves, 1);
    review_release(&review);
    game_release(&game);
}

static void the_best_move_and_the_only_move_cost_nothing(void **state)
{
    (void)state;
    Game     game;
    Position start = position_of("7k/8/8/8/8/8/5PPr/6K1 w - - 0 1"); /* Kxh2 and Kf1 */
    assert_true(game_init(&game, &start));
    assert_true(game_play(&game, move_of(&start, "Kf1")));
    assert_true(game_play(&game, move_of(&game.now, "Rh1+")));
    assert_true(game_play(&game, move_of(&game.now, "Ke2")));
    Review review;
    assert_true(review_init(&review, &game));
    const Score scores[] = {900, 0, 0, -900};
    for (size_t i = 0; i < COUNT_OF(scores); i++) review.positions[i] = (ReviewPosition){.known = true, .score = scores[i]};
    review.positions[0].line_count = 1;
    review.positions[0].lines[0]   = (ReviewLine){.length = 1, .moves = {move_of(&start, "Kf1")}};
    assert_true(review_conclude(&review, &game));
    assert_true(review.moves[0].is_best && review.moves[0].loss_cp == 0 && review.moves[0].verdict == REVIEW_GOOD);
    assert_true(review.moves[2].is_best && review.moves[2].loss_cp == 0); /* the only way out of check */
    review_release(&review);
    game_release(&game);
}

/* ---- with the engine ---- */

static const char scholars_mate[] = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#";

static Review review_of(Reviewer *reviewer, const Game *game, int64_t nodes)
{
    Err                err;
    Review             review;
    const ReviewLimits limits = {.nodes = nodes};
    if (!reviewer_run(reviewer, game, &limits, NULL, &review, &err)) fail_msg("%s", err.text);
    return review;
}

static void the_blunder_of_scholars_mate_is_found(void **state)
{
    (void)state;
    Err       err;
    Game      game     = game_of(scholars_mate);
    Reviewer *reviewer = reviewer_new(&err);
    assert_non_null(reviewer);
    Review review = review_of(reviewer, &game, 5000);
    assert_true(review.complete);
    assert_int_equal(review.moves[5].verdict, REVIEW_BLUNDER);
    assert_int_equal(review.positions[6].score, score_mate_in(1));
    assert_int_equal(review.positions[7].score, SCORE_MATE);
    assert_int_equal(review.moves[6].verdict, REVIEW_GOOD);
    assert_true(review.sides[WHITE].accuracy > review.sides[BLACK].accuracy + 30);
    Review again = review_of(reviewer, &game, 5000); /* the same limits give the same review */
    for (size_t i = 0; i <= game.plies; i++) assert_int_equal(review.positions[i].score, again.positions[i].score);
    review_release(&review);
    review_release(&again);
    reviewer_free(reviewer);
    game_release(&game);
}

static bool stop_after_three(void *context, size_t done, size_t total)
{
    *(size_t *)context = total;
    return done < 3;
}

static void a_stopped_review_keeps_what_was_done(void **state)
{
    (void)state;
    Err                  err;
    size_t               total    = 0;
    Game                 game     = game_of(scholars_mate);
    Reviewer            *reviewer = reviewer_new(&err);
    const ReviewLimits   limits   = {.depth = 3, .multipv = 3};
    const ReviewListener listener = {&total, stop_after_three};
    Review               review;
    assert_true(reviewer_run(reviewer, &game, &limits, &listener, &review, &err));
    assert_int_equal(total, 8);
    assert_false(review.complete || review.positions[4].known);
    assert_true(review.positions[5].known && review.moves[5].judged && !review.moves[4].judged);
    assert_int_equal(review.positions[5].line_count, 3);
    assert_true(review.positions[5].lines[0].score <= review.positions[5].lines[2].score); /* Black's best first */
    review_release(&review);
    reviewer_stop(reviewer); /* nothing runs: the next one ends at once */
    assert_true(reviewer_run(reviewer, &game, &limits, NULL, &review, &err));
    assert_false(review.positions[7].known);
    review_release(&review);
    assert_false(reviewer_run(reviewer, &game, &(ReviewLimits){0}, NULL, &review, &err));
    assert_int_equal(err.code, ERR_RANGE);
    reviewer_free(reviewer);
    game_release(&game);
}

/* ---- into a tree ---- */

static bool keep_tree(void *context, uint64_t number, MoveTree *tree, const PgnError *error)
{
    (void)number;
    assert_null(error);
    *(MoveTree *)context = *tree;
    *tree                = (MoveTree){0};
    return false;
}

static void a_tree_is_annotated_once(void **state)
{
    (void)state;
    Err      err;
    MoveTree tree;
    Game     game;
    Review   review;
    assert_true(tree_read_pgn(STR("1. f3 {odd} e5 2. g4 (2. e4) Qh4# 0-1"), keep_tree, &tree, &err));
    assert_true(tree_game(&tree, tree_main_end(&tree), &game, &err));
    assert_true(review_init(&review, &game));
    const Score scores[] = {20, -60, -60, -SCORE_MATE + 1, -SCORE_MATE};
    for (size_t i = 0; i < COUNT_OF(scores); i++) review.positions[i] = (ReviewPosition){.known = true, .score = scores[i]};
    Position pos                   = position_after(&game.start, "f3 e5");
    review.positions[2].line_count = 1;
    review.positions[2].lines[0]   = (ReviewLine){.score = -60, .length = 1, .moves = {move_of(&pos, "Nc3")}};
    assert_true(review_conclude(&review, &game));
    const char expected[] =
        "[Result \"0-1\"]\n\n1. f3 $6 {[%eval -0.60] odd Inaccuracy.} 1... e5 {[%eval -0.60]} 2. g4 $4\n"
        "{[%eval #-1] Blunder: allows mate in 1. Better was Nc3.} (2. e4) (2. Nc3\n{[%eval -0.60]}) 2... Qh4# "
        "0-1\n\n";
    for (int times = 0; times < 2; times++) {
        Buf out = {0};
        assert_true(review_annotate(&review, &game, &tree, &err));
        assert_true(tree_write_pgn(&tree, &out));
        assert_string_equal(buf_str(&out).ptr, expected);
        buf_release(&out);
    }
    review_release(&review);
    game_release(&game);
    tree_release(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winning_chances_follow_the_published_curve),   cmocka_unit_test(accuracy_falls_with_lost_chances),
        cmocka_unit_test(verdicts_begin_at_their_thresholds),           cmocka_unit_test(mates_are_judged_by_what_they_change),
        cmocka_unit_test(mates_count_the_same_for_whoever_is_to_move),  cmocka_unit_test(phases_follow_the_material),
        cmocka_unit_test(one_bad_move_pulls_the_accuracy_down),         cmocka_unit_test(a_review_concludes_from_its_positions),
        cmocka_unit_test(the_best_move_and_the_only_move_cost_nothing), cmocka_unit_test(the_blunder_of_scholars_mate_is_found),
        cmocka_unit_test(a_stopped_review_keeps_what_was_done),         cmocka_unit_test(a_tree_is_annotated_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

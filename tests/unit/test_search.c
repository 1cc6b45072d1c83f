/* test_search.c - what the search must see: mates, draws, zugzwang, several lines, limits; with each technique switched
 * off too. */
#include "test_think.h"

#include <stdio.h>

#include "search/features.h"

#define BACK_RANK "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
#define SMOTHERED "5r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1"
#define TWO_ROOKS "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* White is a queen up; the third repetition is one move of Black away after all eight moves but the last. */
#define QUEEN_UP "6k1/5pp1/7p/8/8/8/5PPP/3Q2K1 w - - 0 1"
#define ROUND_TRIP "d1d2 g8h8 d2d1 h8g8 "

/* ---- mates ---- */

typedef struct {
    const char *fen;
    int         moves;
} Mate;

static const Mate mates[] = {
    {BACK_RANK, 1},
    {"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1},
    {SMOTHERED, 2},
    {TWO_ROOKS, 2},
    {"6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2},
    {"r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3},
};

static void mates_are_found_with_their_distance(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(mates); i++) {
        SearchResult result = think_alone(mates[i].fen, "", 2 * mates[i].moves + 6);
        if (!score_is_mate(result.score) || score_mate_moves(result.score) != mates[i].moves)
            fail_msg("%s: %d instead of mate in %d", mates[i].fen, result.score, mates[i].moves);
    }
}

static void the_mated_side_counts_down(void **state)
{
    (void)state;
    assert_int_equal(score_mate_moves(think_alone(SMOTHERED, "b3g8", 6).score), -1);
    assert_int_equal(score_mate_moves(think_alone("5r1k/6pp/8/6N1/8/1Q6/6PP/6K1 w - - 0 1", "", 16).score), 4);
    assert_int_equal(score_mate_moves(think_alone("5r1k/6pp/8/6N1/8/1Q6/6PP/6K1 w - - 0 1", "g5f7", 12).score), -3);
}

static void the_line_of_a_mate_is_as_long_as_the_mate(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(mates); i++) {
        Thought thought;
        thought_init(&thought);
        Engine *engine = think_searcher(&thought);
        think(engine, mates[i].fen, "", 2 * mates[i].moves + 6);
        assert_int_equal(thought.pv_length, 2 * mates[i].moves - 1);
        engine_free(engine);
        thought_release(&thought);
    }
}

static void a_side_without_moves_has_no_best_move(void **state)
{
    (void)state;
    assert_int_equal(think_alone("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "", 5).best, MOVE_NONE);
    assert_int_equal(think_alone("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", 5).best, MOVE_NONE);
}

/* ---- draws ---- */

static void a_won_game_is_not_repeated(void **state)
{
    (void)state;
    SearchResult result = think_alone(QUEEN_UP, ROUND_TRIP "d1d2 g8h8", 9);
    assert_true(result.score > 300);
    assert_true(result.best != move_make(D2, D1));
}

static void a_lost_game_is_repeated(void **state)
{
    (void)state;
    SearchResult result = think_alone(QUEEN_UP, ROUND_TRIP "d1d2 g8h8 d2d1", 8);
    assert_int_equal(result.best, move_make(H8, G8));
    assert_drawn(result.score);
}

static void a_won_game_is_not_stalemated(void **state)
{
    (void)state;
    const char *const fens[] = {"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1",
                                "8/8/8/8/8/5k2/4q3/7K b - - 0 1"};
    for (size_t i = 0; i < COUNT_OF(fens); i++) {
        for (int depth = 2; depth <= 8; depth++) {
            SearchResult result = think_alone(fens[i], "", depth);
            Position     pos    = position_of(fens[i]), next;
            position_play(&pos, result.best, &next);
            assert_true(position_in_check(&next) || movegen_has_legal_move(&next));
            assert_true(result.score > 300);
        }
    }
}

static void stalemate_saves_a_lost_game(void **state)
{
    (void)state;
    SearchResult result = think_alone("7k/8/8/8/8/6q1/5Q2/7K w - - 0 1", "", 8);
    assert_true(result.score > -50); /* the queens come off or White is stalemated: never lost */
}

static void mate_with_the_hundredth_half_move_is_mate(void **state)
{
    (void)state;
    assert_int_equal(score_mate_moves(think_alone("7k/8/5K2/6Q1/8/8/8/8 w - - 99 90", "", 6).score), 1);
    assert_int_equal(score_mate_moves(think_alone("7k/8/5K2/6Q1/8/8/8/8 w - - 98 90", "", 6).score), 1);
    assert_int_equal(score_mate_moves(think_alone("7k/8/8/8/8/8/R7/1R4K1 w - - 97 90", "", 8).score), 2);
}

static void a_mate_after_the_hundredth_half_move_is_a_draw(void **state)
{
    (void)state;
    assert_drawn(think_alone("7k/8/8/8/8/8/R7/1R4K1 w - - 98 90", "", 12).score);
    assert_drawn(think_alone("8/8/8/4k3/8/8/8/KQ6 w - - 97 90", "", 12).score);
}

/* The quickest mate is a king's walk away, but only what mates now counts. */
static void a_queen_near_the_fifty_move_limit_mates_in_time(void **state)
{
    (void)state;
    for (int counter = 96; counter <= 99; counter++) {
        char fen[80];
        snprintf(fen, sizeof fen, "k7/8/1K6/8/8/8/8/2Q5 w - - %d 90", counter);
        SearchResult result = think_alone(fen, "", 8);
        assert_int_equal(score_mate_moves(result.score), 1);
    }
}

static void a_pawn_move_saves_the_win_from_the_fifty_move_rule(void **state)
{
    (void)state;
    SearchResult result = think_alone("7k/8/8/8/8/8/P7/KQ6 w - - 99 90", "", 8);
    assert_int_equal(move_from(result.best), A2);
    assert_true(result.score > 300);
}

static void bare_kings_with_a_minor_piece_are_drawn(void **state)
{
    (void)state;
    const char *const fens[] = {"8/8/4k3/8/8/4K3/8/8 w - - 0 1", "8/8/4k3/8/8/4KN2/8/8 w - - 0 1",
                                "8/8/4k3/8/8/4KB2/8/8 b - - 0 1", "8/8/4kb2/8/8/4K3/8/8 w - - 0 1"};
    for (size_t i = 0; i < COUNT_OF(fens); i++) {
        assert_drawn(think_alone(fens[i], "", 8).score);
        assert_true(move_is_legal(fens[i], think_alone(fens[i], "", 8).best));
    }
}

static void a_last_pawn_taken_is_a_draw(void **state)
{
    (void)state;
    assert_drawn(think_alone("8/8/8/8/4k3/4P3/4K3/7b b - - 0 1", "e4d5 e2d3 h1g2 e3e4 g2e4", 4).score);
}

/* ---- zugzwang: passing would be best, and may not be assumed ---- */

typedef struct {
    const char *fen, *best;
    int         depth;
} Study;

static void zugzwang_is_not_missed(void **state)
{
    (void)state;
    const Study studies[] = {
        {"8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", "e1f1", 22},
        {"8/8/p3R3/1p5p/1P5p/6rp/5K1p/7k w - - 0 1", "e6e1", 26},
        {"8/5b2/p2k4/1p1p1p1p/1P1K1P1P/2P1PB2/8/8 w - - 0 1", "f3e2", 18},
        {"8/3k4/8/8/3PK3/8/8/8 w - - 0 1", "e4d5", 18},
        {"2k5/8/1K1P4/8/8/8/8/8 w - - 0 1", "b6c6", 12},
        {"8/8/8/4N3/8/7p/8/5K1k w - - 0 1", "e5g4", 12},
    };
    for (size_t i = 0; i < COUNT_OF(studies); i++) {
        SearchResult result = think_alone(studies[i].fen, "", studies[i].depth);
        assert_move(studies[i].fen, result.best, studies[i].best);
    }
}

/* Morphy's mate in two is one long zugzwang: without null moves and pruning the plain search sees it at once. */
static void a_mate_by_zugzwang_is_seen(void **state)
{
    (void)state;
    const char *morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    assert_int_equal(score_mate_moves(think_alone(morphy, "", 12).score), 2);
    Engine *engine = think_searcher(NULL);
    think_option(engine, "Features", "-nmp,-rfp,-razor,-lmr,-lmp,-futility,-probcut");
    assert_int_equal(score_mate_moves(think(engine, morphy, "", 6).score), 2);
    engine_free(engine);
}

/* ---- several lines ---- */

static void lines_are_distinct_and_sorted(void **state)
{
    (void)state;
    const char *const fens[] = {START, KIWIPETE, SMOTHERED};
    for (size_t i = 0; i < COUNT_OF(fens); i++) {
        Thought thought;
        thought_init(&thought);
        Engine *engine = think_searcher(&thought);
        think_option(engine, "MultiPV", "6");
        SearchResult result = think(engine, fens[i], "", 7);
        assert_int_equal(thought.line_count, 6);
        assert_int_equal(thought.firsts[0], result.best);
        for (int a = 0; a < 6; a++) {
            assert_true(move_is_legal(fens[i], thought.firsts[a]));
            for (int b = 0; b < a; b++) assert_true(thought.firsts[a] != thought.firsts[b]);
            if (a && thought.scores[a] > thought.scores[a - 1]) fail_msg("%s: line %d is better than line %d", fens[i], a + 1, a);
        }
        engine_free(engine);
        thought_release(&thought);
    }
}

static void more_lines_than_moves_are_as_many_as_moves(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine *engine = think_searcher(&thought);
    think_option(engine, "MultiPV", "256");
    think(engine, START, "", 2);
    assert_int_equal(thought.line_count, 20);
    engine_free(engine);
    thought_release(&thought);
}

/* ---- limits ---- */

static void nodes_are_counted_exactly_with_one_thread(void **state)
{
    (void)state;
    const int64_t limits[] = {100, 1000, 5000, 12345};
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        Engine      *engine = think_searcher(NULL);
        GoLimits     go     = {.nodes = limits[i]};
        SearchResult result;
        think_position(engine, KIWIPETE, "");
        assert_true(engine_think(engine, &go, &result, NULL));
        assert_int_equal(result.nodes, limits[i]);
        engine_free(engine);
    }
}

static void soft_nodes_end_after_a_whole_iteration(void **state)
{
    (void)state;
    Engine      *engine = think_searcher(NULL);
    GoLimits     go     = {.soft_nodes = 3000};
    SearchResult soft, whole;
    think_position(engine, KIWIPETE, "");
    assert_true(engine_think(engine, &go, &soft, NULL));
    assert_true(soft.nodes >= 3000);
    engine_new_game(engine);
    whole = think(engine, KIWIPETE, "", soft.depth);
    assert_int_equal(whole.nodes, soft.nodes);
    assert_int_equal(whole.best, soft.best);
    engine_free(engine);
}

static void chosen_moves_alone_are_searched(void **state)
{
    (void)state;
    Engine      *engine = think_searcher(NULL);
    GoLimits     go     = {.depth = 6, .move_count = 2, .moves = {move_make(A2, A3), move_make(H2, H3)}};
    SearchResult result;
    think_position(engine, START, "");
    assert_true(engine_think(engine, &go, &result, NULL));
    assert_true(result.best == go.moves[0] || result.best == go.moves[1]);
    engine_free(engine);
}

/* ---- every technique ---- */

static const char *const varied[] = {
    START,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "8/P7/8/8/8/8/k6p/7K w - - 0 1",
    "5r1k/6pp/1n2Q3/4p3/8/7P/PP4PK/R1B1q3 b - - 0 1",
};

static void check_features(const char *text, int depth)
{
    Engine *engine = think_searcher(NULL);
    think_option(engine, "Features", text);
    SearchResult result = think(engine, TWO_ROOKS, "", depth);
    if (!score_is_mate(result.score) || score_mate_moves(result.score) != 2)
        fail_msg("%s: %d instead of mate in 2", text, result.score);
    for (size_t i = 0; i < COUNT_OF(varied); i++) {
        result = think(engine, varied[i], "", 4);
        if (!move_is_legal(varied[i], result.best)) fail_msg("%s: an illegal move in %s", text, varied[i]);
    }
    engine_free(engine);
}

static void every_technique_can_be_switched_off(void **state)
{
    (void)state;
    for (Feature f = 0; f < FEATURES; f++) {
        char text[40];
        snprintf(text, sizeof text, "-%s", feature_name(f));
        if (f != FEATURE_QSEARCH) check_features(text, 8); /* see the next test */
    }
}

static void without_quiescence_moves_are_still_legal_and_mates_seen(void **state)
{
    (void)state;
    Engine *engine = think_searcher(NULL);
    think_option(engine, "Features", "-qs");
    for (size_t i = 0; i < COUNT_OF(varied); i++) assert_true(move_is_legal(varied[i], think(engine, varied[i], "", 4).best));
    assert_true(think(engine, TWO_ROOKS, "", 8).score >= SCORE_MATED_IN_MAX);
    engine_free(engine);
}

static void nothing_but_plain_alpha_beta_plays_too(void **state)
{
    (void)state;
    check_features("none", 4);
    check_features("none,qs", 4);
    check_features("pvs,qs,ttcut,ttmove", 5);
}

static void switching_a_technique_off_changes_the_tree(void **state)
{
    (void)state;
    uint64_t          whole   = think_alone(KIWIPETE, "", 7).nodes;
    const char *const names[] = {"-nmp", "-lmr", "-rfp", "-ttcut", "-qs", "-history"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        Engine *engine = think_searcher(NULL);
        think_option(engine, "Features", names[i]);
        if (think(engine, KIWIPETE, "", 7).nodes == whole) fail_msg("%s makes no difference", names[i]);
        engine_free(engine);
    }
}

static void the_same_search_twice_is_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(varied); i++) {
        SearchResult a = think_alone(varied[i], "", 8), b = think_alone(varied[i], "", 8);
        assert_int_equal(a.nodes, b.nodes);
        assert_int_equal(a.best, b.best);
        assert_int_equal(a.score, b.score);
    }
}

static void all_thread_counts_find_the_mates(void **state)
{
    (void)state;
    const char *const counts[] = {"1", "2", "4"};
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
        Engine *engine = think_searcher(NULL);
        think_option(engine, "Threads", counts[c]);
        for (size_t i = 0; i < 4; i++) {
            SearchResult result = think(engine, mates[i].fen, "", 2 * mates[i].moves + 10);
            assert_int_equal(score_mate_moves(result.score), mates[i].moves);
        }
        engine_free(engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mates_are_found_with_their_distance),
        cmocka_unit_test(the_mated_side_counts_down),
        cmocka_unit_test(the_line_of_a_mate_is_as_long_as_the_mate),
        cmocka_unit_test(a_side_without_moves_has_no_best_move),
        cmocka_unit_test(a_won_game_is_not_repeated),
        cmocka_unit_test(a_lost_game_is_repeated),
        cmocka_unit_test(a_won_game_is_not_stalemated),
        cmocka_unit_test(stalemate_saves_a_lost_game),
        cmocka_unit_test(mate_with_the_hundredth_half_move_is_mate),
        cmocka_unit_test(a_mate_after_the_hundredth_half_move_is_a_draw),
        cmocka_unit_test(a_queen_near_the_fifty_move_limit_mates_in_time),
        cmocka_unit_test(a_pawn_move_saves_the_win_from_the_fifty_move_rule),
        cmocka_unit_test(bare_kings_with_a_minor_piece_are_drawn),
        cmocka_unit_test(a_last_pawn_taken_is_a_draw),
        cmocka_unit_test(zugzwang_is_not_missed),
        cmocka_unit_test(a_mate_by_zugzwang_is_seen),
        cmocka_unit_test(lines_are_distinct_and_sorted),
        cmocka_unit_test(more_lines_than_moves_are_as_many_as_moves),
        cmocka_unit_test(nodes_are_counted_exactly_with_one_thread),
        cmocka_unit_test(soft_nodes_end_after_a_whole_iteration),
        cmocka_unit_test(chosen_moves_alone_are_searched),
        cmocka_unit_test(every_technique_can_be_switched_off),
        cmocka_unit_test(without_quiescence_moves_are_still_legal_and_mates_seen),
        cmocka_unit_test(nothing_but_plain_alpha_beta_plays_too),
        cmocka_unit_test(switching_a_technique_off_changes_the_tree),
        cmocka_unit_test(the_same_search_twice_is_the_same),
        cmocka_unit_test(all_thread_counts_find_the_mates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

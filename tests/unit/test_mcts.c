/* test_mcts.c - Monte Carlo search as a whole: mates, draws, memory, the seed, threads, the kept tree, random games. */
#include "test_think.h"

#include "search/mcts_random.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#define QUEEN_UP "6k1/5pp1/7p/8/8/8/5PPP/3Q2K1 w - - 0 1"
#define ROUND_TRIP "d1d2 g8h8 d2d1 h8g8 "

enum { FEW = TESTS_SANITIZED ? 300 : 2000, MANY = TESTS_SANITIZED ? 3000 : 30000 };

static Engine *mcts_engine(Thought *t)
{
    Engine *engine = think_searcher(t);
    think_option(engine, "Search", "mcts");
    return engine;
}

static SearchResult think_within(Engine *engine, const char *fen, const char *moves, const GoLimits *limits)
{
    SearchResult result;
    Err          err = {0};
    think_position(engine, fen, moves);
    if (!engine_think(engine, limits, &result, &err)) fail_msg("%s: %s", fen, err.text);
    return result;
}

static SearchResult think_nodes(const char *fen, const char *moves, int64_t nodes)
{
    Engine      *engine = mcts_engine(NULL);
    SearchResult result = think_within(engine, fen, moves, &(GoLimits){.nodes = nodes});
    engine_free(engine);
    return result;
}

/* ---- mates ---- */

static const struct {
    const char *fen;
    int         moves;
} mates[] = {
    {"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1},
    {"7k/8/5K2/6Q1/8/8/8/8 w - - 99 90", 1},
    {"5r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1", 2},
    {"7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2},
    {"6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2},
    {"r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3},
};

static void mates_are_proved_with_their_distance(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(mates); i++) {
        Thought thought;
        thought_init(&thought);
        Engine      *engine = mcts_engine(&thought);
        GoLimits     limits = {.mate = mates[i].moves, .nodes = 100000};
        SearchResult result = think_within(engine, mates[i].fen, "", &limits);
        if (!score_is_mate(result.score) || score_mate_moves(result.score) != mates[i].moves)
            fail_msg("%s: %d instead of mate in %d", mates[i].fen, result.score, mates[i].moves);
        assert_int_equal(thought.pv_length, 2 * mates[i].moves - 1);
        assert_true(result.nodes < 100000);
        engine_free(engine);
        thought_release(&thought);
    }
}

static void mates_are_found_without_asking(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(mates); i++) {
        SearchResult result = think_nodes(mates[i].fen, "", 30000);
        if (!score_is_mate(result.score) || result.score < 0) fail_msg("%s: %d is no mate", mates[i].fen, result.score);
    }
}

static void the_mated_side_counts_down(void **state)
{
    (void)state;
    assert_int_equal(score_mate_moves(think_nodes("5r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1", "b3g8", FEW).score), -1);
}

static void a_mate_that_is_too_long_is_not_claimed(void **state)
{
    (void)state;
    Engine      *engine = mcts_engine(NULL);
    GoLimits     limits = {.mate = 1, .nodes = FEW};
    SearchResult result = think_within(engine, "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "", &limits); /* a mate in two */
    assert_false(score_is_mate(result.score));
    assert_true(result.best != MOVE_NONE);
    engine_free(engine);
}

/* ---- draws ---- */

static void a_won_game_is_not_repeated(void **state)
{
    (void)state;
    SearchResult result = think_nodes(QUEEN_UP, ROUND_TRIP "d1d2 g8h8", FEW);
    assert_true(result.score > 200);
    assert_true(result.best != move_make(D2, D1));
}

static void a_lost_game_is_repeated(void **state)
{
    (void)state;
    SearchResult result = think_nodes(QUEEN_UP, ROUND_TRIP "d1d2 g8h8 d2d1", FEW);
    assert_int_equal(result.best, move_make(H8, G8));
}

static void the_fifty_move_rule_counts_along_the_path(void **state)
{
    (void)state;
    assert_int_equal(score_mate_moves(think_nodes("7k/8/8/8/8/8/R7/1R4K1 w - - 97 90", "", FEW).score), 2);
    assert_drawn(think_nodes("7k/8/8/8/8/8/R7/1R4K1 w - - 98 90", "", FEW).score);
}

static void a_side_without_moves_has_no_best_move(void **state)
{
    (void)state;
    assert_int_equal(think_nodes("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "", FEW).best, MOVE_NONE);
    assert_int_equal(think_nodes("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", FEW).best, MOVE_NONE);
}

/* ---- limits, seed, memory ---- */

static const char *const playouts[] = {"eval", "minimax", "random"};

static void node_limits_are_exact(void **state)
{
    (void)state;
    for (int64_t nodes = 1; nodes < 100; nodes += 7) assert_int_equal(think_nodes(KIWIPETE, "", nodes).nodes, nodes);
}

static void every_setting_plays_legal_moves(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(playouts); i++) {
        for (int uct = 0; uct < 2; uct++) {
            Engine *engine = mcts_engine(NULL);
            think_option(engine, "MCTS Playout", playouts[i]);
            think_option(engine, "MCTS Policy", uct ? "uct" : "puct");
            think_option(engine, "MCTS Exploration", uct ? "141" : "80");
            SearchResult result = think_within(engine, KIWIPETE, "", &(GoLimits){.nodes = 200});
            assert_true(move_is_legal(KIWIPETE, result.best));
            assert_int_equal(result.nodes, 200);
            engine_free(engine);
        }
    }
}

static SearchResult think_seeded(const char *playout, const char *seed)
{
    Engine *engine = mcts_engine(NULL);
    think_option(engine, "MCTS Playout", playout);
    think_option(engine, "Seed", seed);
    SearchResult result = think_within(engine, KIWIPETE, "", &(GoLimits){.nodes = FEW / 4});
    engine_free(engine);
    return result;
}

static void the_same_seed_gives_the_same_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(playouts); i++) {
        SearchResult a = think_seeded(playouts[i], "7"), b = think_seeded(playouts[i], "7");
        assert_int_equal(a.best, b.best);
        assert_int_equal(a.ponder, b.ponder);
        assert_int_equal(a.score, b.score);
        assert_int_equal(a.depth, b.depth);
    }
    assert_int_not_equal(think_seeded("random", "1").score, think_seeded("random", "2").score);
}

/* A megabyte holds some thousand playouts: many times over, subtrees are given back, and the search goes on. */
static void the_smallest_hash_is_enough(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine *engine = mcts_engine(&thought);
    think_option(engine, "Hash", "1");
    SearchResult result = think_within(engine, KIWIPETE, "", &(GoLimits){.nodes = MANY});
    assert_int_equal(result.nodes, MANY);
    assert_true(move_is_legal(KIWIPETE, result.best));
    assert_true(thought.pv_length > 1);
    engine_free(engine);
    thought_release(&thought);
}

static void alphabeta_and_mcts_take_turns_in_one_engine(void **state)
{
    (void)state;
    Engine      *engine = think_engine(NULL);
    SearchResult first  = think(engine, KIWIPETE, "", 6), between, again;
    think_option(engine, "Search", "mcts");
    between = think_within(engine, KIWIPETE, "", &(GoLimits){.nodes = FEW});
    assert_int_equal(between.nodes, FEW);
    think_option(engine, "Search", "alphabeta");
    engine_new_game(engine);
    again = think(engine, KIWIPETE, "", 6);
    assert_int_equal(first.nodes, again.nodes);
    assert_int_equal(first.best, again.best);
    engine_free(engine);
}

/* ---- the kept tree ---- */

/* After one playout a fresh tree has a line of one move; a kept one remembers more. */
static void the_tree_survives_two_moves_of_the_game(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine *engine = mcts_engine(&thought);
    think_within(engine, START, "e2e4", &(GoLimits){.nodes = MANY});
    Position pos                            = position_of(START);
    Position after                          = position_after(&pos, "e2e4");
    char     moves[3 * (UCI_MOVE_SIZE + 1)] = "e2e4 ", uci[UCI_MOVE_SIZE];
    (void)move_to_uci(&after, thought.result.best, uci);
    strcat(moves, uci);
    strcat(moves, " ");
    (void)move_to_uci(&after, thought.result.ponder, uci);
    strcat(moves, uci);
    think_within(engine, START, moves, &(GoLimits){.nodes = 1});
    assert_true(thought.pv_length > 1);
    engine_new_game(engine);
    think_within(engine, START, moves, &(GoLimits){.nodes = 1});
    assert_int_equal(thought.pv_length, 1);
    engine_free(engine);
    thought_release(&thought);
}

/* The same pieces with another counter are another game: what was a win is a draw now. */
static void a_tree_with_another_counter_is_not_kept(void **state)
{
    (void)state;
    Engine *engine = mcts_engine(NULL);
    think_within(engine, "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "", &(GoLimits){.nodes = FEW});
    SearchResult result = think_within(engine, "7k/8/8/8/8/8/R7/1R4K1 w - - 98 90", "", &(GoLimits){.nodes = FEW});
    assert_drawn(result.score);
    engine_free(engine);
}

/* ---- several threads, several lines ---- */

static void two_threads_share_a_tree_in_little_memory(void **state)
{
    (void)state;
    Engine *engine = mcts_engine(NULL);
    think_option(engine, "Threads", "2");
    think_option(engine, "Hash", "1");
    for (size_t i = 0; i < COUNT_OF(playouts); i++) {
        think_option(engine, "MCTS Playout", playouts[i]);
        int64_t      nodes  = i == 0 ? MANY : FEW / 4;
        SearchResult result = think_within(engine, KIWIPETE, "", &(GoLimits){.nodes = nodes});
        assert_true(move_is_legal(KIWIPETE, result.best));
        assert_in_range(result.nodes, nodes - 1, nodes); /* the end may find the other thread within a playout */
    }
    SearchResult mate = think_within(engine, mates[5].fen, "", &(GoLimits){.mate = 3});
    assert_int_equal(score_mate_moves(mate.score), 3);
    engine_free(engine);
}

static void a_search_is_stopped_and_told_once(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine *engine = mcts_engine(&thought);
    think_option(engine, "Threads", "2");
    think_position(engine, START, "");
    think_go(engine, &(GoLimits){.infinite = true});
    thought_wait_for_depth(&thought, 2);
    assert_int_equal(thought_dones(&thought), 0);
    engine_stop(engine);
    engine_wait(engine);
    assert_int_equal(thought_dones(&thought), 1);
    engine_free(engine);
    thought_release(&thought);
}

static void lines_are_distinct_and_as_many_as_asked_for(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine *engine = mcts_engine(&thought);
    think_option(engine, "MultiPV", "5");
    think_within(engine, KIWIPETE, "", &(GoLimits){.nodes = FEW});
    assert_int_equal(thought.line_count, 5);
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < i; k++) assert_int_not_equal(thought.firsts[i], thought.firsts[k]);
    }
    engine_free(engine);
    thought_release(&thought);
}

/* ---- random games ---- */

static void picked_moves_are_legal_and_equally_likely(void **state)
{
    enum { EACH = 1000 };
    const char *const fens[] = {KIWIPETE, "8/1P5k/8/2pP4/8/8/r6K/8 w - c6 0 1", "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
                                "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"};
    Rng               rng    = rng_seeded(3);
    (void)state;
    for (size_t f = 0; f < COUNT_OF(fens); f++) {
        Position  pos  = position_of(fens[f]);
        KingState king = movegen_king_state(&pos);
        MoveList  legal;
        int       seen[MOVES_MAX] = {0};
        movegen_legal(&pos, &legal);
        for (int i = 0; i < EACH * legal.count; i++) {
            Move move = movegen_pick(&pos, &king, &rng);
            int  at   = 0;
            while (at < legal.count && legal.moves[at] != move) at++;
            assert_true(at < legal.count);
            seen[at]++;
        }
        for (int i = 0; i < legal.count; i++) assert_in_range(seen[i], EACH * 8 / 10, EACH * 12 / 10);
    }
}

static RandomOutcome random_from(const char *fen, const Key *history, size_t count)
{
    Position pos = position_of(fen);
    Rng      rng = rng_seeded(5);
    return mcts_random_game(&pos, history, count, &rng, NULL);
}

static void random_games_end_by_the_rules(void **state)
{
    (void)state;
    assert_int_equal(random_from("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", NULL, 0),
                     RANDOM_LOSS); /* mate comes before fifty moves */
    assert_int_equal(random_from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", NULL, 0), RANDOM_DRAW);
    assert_int_equal(random_from("8/8/4k3/8/8/4KB2/8/8 w - - 0 1", NULL, 0), RANDOM_DRAW);
    assert_int_equal(random_from("7k/8/8/8/8/8/8/KQ6 w - - 100 90", NULL, 0), RANDOM_DRAW);
    Position pos       = position_of("7k/8/8/8/8/8/8/KQ6 w - - 8 90");
    Key      history[] = {pos.key, 1, 2, 3, pos.key, 4, 5, 6};
    assert_int_equal(random_from("7k/8/8/8/8/8/8/KQ6 w - - 8 90", history, COUNT_OF(history)), RANDOM_DRAW);
}

static void random_games_are_won_by_either_side(void **state)
{
    int      outcomes[3] = {0};
    uint64_t plies       = 0;
    Position start;
    Rng      rng = rng_seeded(1);
    (void)state;
    position_set_start(&start);
    for (int i = 0; i < FEW; i++) outcomes[1 + mcts_random_game(&start, NULL, 0, &rng, &plies)]++;
    assert_true(outcomes[0] > FEW / 20 && outcomes[2] > FEW / 20 && outcomes[1] > FEW / 2);
    assert_in_range(plies / FEW, 250, 450);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mates_are_proved_with_their_distance),
        cmocka_unit_test(mates_are_found_without_asking),
        cmocka_unit_test(the_mated_side_counts_down),
        cmocka_unit_test(a_mate_that_is_too_long_is_not_claimed),
        cmocka_unit_test(a_won_game_is_not_repeated),
        cmocka_unit_test(a_lost_game_is_repeated),
        cmocka_unit_test(the_fifty_move_rule_counts_along_the_path),
        cmocka_unit_test(a_side_without_moves_has_no_best_move),
        cmocka_unit_test(node_limits_are_exact),
        cmocka_unit_test(every_setting_plays_legal_moves),
        cmocka_unit_test(the_same_seed_gives_the_same_answer),
        cmocka_unit_test(the_smallest_hash_is_enough),
        cmocka_unit_test(alphabeta_and_mcts_take_turns_in_one_engine),
        cmocka_unit_test(the_tree_survives_two_moves_of_the_game),
        cmocka_unit_test(a_tree_with_another_counter_is_not_kept),
        cmocka_unit_test(two_threads_share_a_tree_in_little_memory),
        cmocka_unit_test(a_search_is_stopped_and_told_once),
        cmocka_unit_test(lines_are_distinct_and_as_many_as_asked_for),
        cmocka_unit_test(picked_moves_are_legal_and_equally_likely),
        cmocka_unit_test(random_games_end_by_the_rules),
        cmocka_unit_test(random_games_are_won_by_either_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

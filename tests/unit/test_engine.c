/* test_engine.c - the Engine value: options, positions, starting and ending searches, and two of them in one process. */
#include "test_think.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/net.h"

#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

static void assert_option(const Engine *engine, const char *name, const char *expected)
{
    Buf value = {0};
    assert_true(engine_get_option(engine, str_from(name), &value));
    assert_str_equal(buf_str(&value), expected);
    buf_release(&value);
}

static bool option_is_taken(Engine *engine, const char *name, const char *value)
{
    Err err = {0};
    return engine_set_option(engine, str_from(name), str_from(value), &err);
}

/* ---- options ---- */

static void options_begin_with_their_defaults(void **state)
{
    (void)state;
    Engine *engine = think_engine(NULL);
    for (size_t i = 0; i < engine_option_count(); i++) {
        const EngineOption *o = engine_option(i);
        char                number[32];
        if (o->kind == ENGINE_OPTION_SPIN) {
            snprintf(number, sizeof number, "%lld", (long long)o->spin_default);
            assert_option(engine, o->name, number);
        } else if (o->kind == ENGINE_OPTION_CHECK || o->kind == ENGINE_OPTION_COMBO) {
            assert_option(engine, o->name, o->text_default);
        }
    }
    engine_free(engine);
}

static void names_have_any_letter_case_and_any_space(void **state)
{
    (void)state;
    Engine *engine = think_engine(NULL);
    assert_true(option_is_taken(engine, "hASH", "8"));
    assert_true(option_is_taken(engine, " move overhead ", "77"));
    assert_true(option_is_taken(engine, "Move  Overhead", "78"));
    assert_option(engine, "Move Overhead", "78");
    assert_option(engine, "Hash", "8");
    engine_free(engine);
}

static void a_bad_value_is_refused_and_the_old_one_stays(void **state)
{
    (void)state;
    const char *const bad[][2] = {
        {"Hash", "0"},
        {"Hash", "-5"},
        {"Hash", "abc"},
        {"Hash", ""},
        {"Hash", "99999999999999999999"},
        {"Threads", "0"},
        {"Threads", "1025"},
        {"MultiPV", "1.5"},
        {"Ponder", "yes"},
        {"Eval", "tarot"},
        {"Features", "-nonsense"},
        {"Nothing", "1"},
    };
    Engine *engine = think_engine(NULL);
    assert_true(option_is_taken(engine, "Hash", "4"));
    assert_true(option_is_taken(engine, "Features", "-nmp"));
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        Err err = {0};
        assert_false(engine_set_option(engine, str_from(bad[i][0]), str_from(bad[i][1]), &err));
        assert_true(err.text[0] != '\0');
        assert_false(engine_set_option(engine, str_from(bad[i][0]), str_from(bad[i][1]), NULL));
    }
    assert_option(engine, "Hash", "4");
    assert_option(engine, "Threads", "1");
    assert_option(engine, "Features", "-nmp");
    assert_option(engine, "Eval", net_is_embedded() ? "nnue" : "classical");
    engine_free(engine);
}

static void more_hash_than_memory_is_refused_and_nothing_else_changes(void **state)
{
    (void)state;
    Engine *engine = think_engine(NULL);
    Err     err    = {0};
    think_option(engine, "Hash", "2");
    think_option(engine, "Threads", "2");
    assert_true(engine_ready(engine, &err));
    if (engine_set_option(engine, STR("Hash"), STR("1048576"), &err)) {
        engine_free(engine);
        skip(); /* a machine with a terabyte */
    }
    assert_int_equal(err.code, ERR_MEMORY);
    assert_option(engine, "Hash", "2");
    assert_option(engine, "Threads", "2");
    engine_free(engine);
}

static void more_hash_than_memory_before_the_first_search_leaves_the_other_options_alone(void **state)
{
    (void)state;
    Engine *engine = think_engine(NULL);
    Err     err    = {0};
    think_option(engine, "Hash", "2");
    think_option(engine, "Threads", "2");
    if (option_is_taken(engine, "Hash", "1048576") && engine_ready(engine, &err)) {
        engine_free(engine);
        skip(); /* a machine with a terabyte */
    }
    assert_option(engine, "Threads", "2");
    engine_free(engine);
}

static void an_option_set_during_a_search_counts_from_the_next(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine *engine = think_engine(&thought);
    think_position(engine, KIWIPETE, "");
    think_go(engine, &(GoLimits){.infinite = true});
    thought_wait_for_depth(&thought, 3);
    think_option(engine, "Hash", "3");
    think_option(engine, "Threads", "3");
    think_option(engine, "MultiPV", "4");
    assert_int_equal(thought_dones(&thought), 0);
    engine_stop(engine);
    engine_wait(engine);
    assert_int_equal(thought_dones(&thought), 1);
    think(engine, KIWIPETE, "", 3);
    assert_int_equal(thought.line_count, 4);
    assert_option(engine, "Hash", "3");
    engine_free(engine);
    thought_release(&thought);
}

static void clearing_the_hash_during_a_search_is_not_lost(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine  *engine = think_engine(&thought);
    uint64_t cold   = think(engine, KIWIPETE, "", 7).nodes;
    thought.depth   = 0;
    thought.dones   = 0;
    think_go(engine, &(GoLimits){.infinite = true});
    thought_wait_for_depth(&thought, 3);
    think_option(engine, "Clear Hash", "");
    engine_stop(engine);
    engine_wait(engine);
    assert_int_equal(think(engine, KIWIPETE, "", 7).nodes, cold);
    engine_free(engine);
    thought_release(&thought);
}

/* ---- positions ---- */

static void a_position_is_taken_whole_or_not_at_all(void **state)
{
    (void)state;
    const char *const bad[][2] = {
        {"startpos", "e2e4 e7e5 e2e4"},    {"startpos", "0000"},  {"rubbish", ""},       {"", ""},
        {"8/8/8/8/8/8/8/8 w - - 0 1", ""}, {START, "e2e4 hello"}, {"startpos ", "e7e5"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        Engine      *engine = think_engine(NULL);
        SearchResult result;
        GoLimits     go  = {.depth = 1};
        Err          err = {0};
        think_position(engine, "startpos", "d2d4");
        assert_false(engine_set_position(engine, str_from(bad[i][0]), str_from(bad[i][1]), &err));
        assert_true(err.text[0] != '\0');
        assert_null(engine_position(engine));
        assert_false(engine_go(engine, &go, &err));
        assert_false(engine_think(engine, &go, &result, NULL));
        think_position(engine, "startpos", "");
        assert_true(move_is_legal(START, think(engine, "startpos", "", 2).best));
        engine_free(engine);
    }
}

static void a_new_engine_stands_at_the_start(void **state)
{
    (void)state;
    Engine  *engine = think_engine(NULL);
    Position start;
    position_set_start(&start);
    assert_true(position_same(engine_position(engine), &start));
    engine_free(engine);
}

static void a_game_is_copied(void **state)
{
    (void)state;
    Engine  *engine = think_engine(NULL);
    Position start;
    Game     game;
    position_set_start(&start);
    assert_true(game_init(&game, &start));
    assert_true(game_play(&game, move_make(E2, E4)));
    assert_true(engine_set_game(engine, &game, NULL));
    assert_true(game_play(&game, move_make(E7, E5)));
    game_release(&game);
    Position expected = position_after(&start, "e2e4");
    assert_true(position_same(engine_position(engine), &expected));
    engine_free(engine);
}

/* The third repetition is one move away: by moves as text and by a game it is the same history. */
static void a_game_brings_its_history(void **state)
{
    (void)state;
    const char *const moves  = "d1d2 g8h8 d2d1 h8g8 d1d2 g8h8 d2d1";
    Position          now    = position_of("6k1/5pp1/7p/8/8/8/5PPP/3Q2K1 w - - 0 1");
    Engine           *engine = think_engine(NULL);
    GoLimits          go     = {.depth = 6};
    SearchResult      result;
    Game              game;
    Str               rest = str_from(moves);
    assert_true(game_init(&game, &now));
    for (Str word; (word = str_next_token(&rest)).len;) {
        Move move;
        assert_true(move_from_uci(&game.now, word, &move, NULL));
        assert_true(game_play(&game, move));
    }
    assert_true(engine_set_game(engine, &game, NULL));
    assert_true(engine_think(engine, &go, &result, NULL));
    assert_int_equal(result.best, move_make(H8, G8));
    assert_drawn(result.score);
    game_release(&game);
    engine_free(engine);
}

/* ---- starting and ending ---- */

static void every_search_is_done_exactly_once(void **state)
{
    (void)state;
    const GoLimits kinds[] = {{.depth = 1}, {.depth = 4}, {.nodes = 1}, {.move_time_ms = 1}, {.mate = 1, .depth = 3}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        Thought thought;
        thought_init(&thought);
        Engine *engine = think_engine(&thought);
        think_position(engine, KIWIPETE, "");
        think_go(engine, &kinds[i]);
        engine_wait(engine);
        engine_stop(engine);
        engine_ponderhit(engine);
        engine_wait(engine);
        assert_int_equal(thought_dones(&thought), 1);
        assert_true(move_is_legal(KIWIPETE, thought.result.best));
        engine_free(engine);
        assert_int_equal(thought_dones(&thought), 1);
        thought_release(&thought);
    }
}

static void *stop_it(void *engine)
{
    engine_stop(engine);
    return NULL;
}

static void another_thread_may_stop_the_search(void **state)
{
    (void)state;
    const char *const counts[] = {"1", "2", "4"};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        Thought   thought;
        pthread_t stopper;
        thought_init(&thought);
        Engine *engine = think_engine(&thought);
        think_option(engine, "Threads", counts[i]);
        think_position(engine, KIWIPETE, "");
        think_go(engine, &(GoLimits){.infinite = true});
        thought_wait_for_depth(&thought, 2);
        assert_int_equal(pthread_create(&stopper, NULL, stop_it, engine), 0);
        engine_wait(engine);
        pthread_join(stopper, NULL);
        assert_int_equal(thought_dones(&thought), 1);
        assert_true(move_is_legal(KIWIPETE, thought.result.best));
        engine_free(engine);
        thought_release(&thought);
    }
}

static void an_infinite_search_outlives_every_other_limit(void **state)
{
    (void)state;
    const GoLimits kinds[] = {{.infinite = true, .depth = 2},
                              {.infinite = true, .nodes = 50},
                              {.infinite = true, .move_time_ms = 1},
                              {.infinite = true, .mate = 1}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        Thought thought;
        thought_init(&thought);
        Engine *engine = think_engine(&thought);
        think_position(engine, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "");
        think_go(engine, &kinds[i]);
        thought_wait_for_depth(&thought, 1);
        for (int k = 0; k < 200 && thought_dones(&thought) == 0; k++) sched_yield();
        if (thought_dones(&thought)) fail_msg("limit %zu ended an infinite search", i);
        engine_stop(engine);
        engine_wait(engine);
        assert_int_equal(thought_dones(&thought), 1);
        engine_free(engine);
        thought_release(&thought);
    }
}

static void pondering_lasts_until_the_hit(void **state)
{
    (void)state;
    const char *const counts[] = {"1", "2", "4"};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        Thought thought;
        thought_init(&thought);
        Engine *engine = think_engine(&thought);
        think_option(engine, "Threads", counts[i]);
        think_position(engine, KIWIPETE, "");
        think_go(engine, &(GoLimits){.ponder = true, .move_time_ms = 1, .has_time = {true, true}, .time_ms = {1, 1}});
        thought_wait_for_depth(&thought, 4);
        assert_int_equal(thought_dones(&thought), 0);
        engine_ponderhit(engine);
        engine_wait(engine);
        assert_int_equal(thought_dones(&thought), 1);
        assert_true(move_is_legal(KIWIPETE, thought.result.best));
        engine_free(engine);
        thought_release(&thought);
    }
}

static void a_second_go_ends_the_first(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine *engine = think_engine(&thought);
    for (int i = 0; i < 5; i++) think_go(engine, &(GoLimits){.infinite = true});
    assert_int_equal(thought_dones(&thought), 4);
    think_position(engine, KIWIPETE, "");
    assert_int_equal(thought_dones(&thought), 5);
    think_go(engine, &(GoLimits){.depth = 2});
    engine_wait(engine);
    assert_true(move_is_legal(KIWIPETE, thought.result.best));
    engine_free(engine);
    thought_release(&thought);
}

static void an_engine_may_be_freed_while_it_searches(void **state)
{
    (void)state;
    const char *const counts[] = {"1", "4"};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        Thought thought;
        thought_init(&thought);
        Engine *engine = think_engine(&thought);
        think_option(engine, "Threads", counts[i]);
        think_go(engine, &(GoLimits){.infinite = true});
        engine_free(engine);
        assert_int_equal(thought_dones(&thought), 1);
        thought_release(&thought);
    }
    engine_free(NULL);
}

static void the_first_iteration_is_always_completed(void **state)
{
    (void)state;
    const char *const free_queen = "4k3/ppp2ppp/8/3q4/8/2N5/PPP2PPP/4K3 w - - 0 1";
    const GoLimits    kinds[]    = {{.move_time_ms = 1}, {.has_time = {true, true}, .time_ms = {-100, -100}}, {.infinite = true}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        Thought thought;
        thought_init(&thought);
        Engine *engine = think_engine(&thought);
        think_position(engine, free_queen, "");
        think_go(engine, &kinds[i]);
        engine_stop(engine);
        engine_wait(engine);
        assert_move(free_queen, thought.result.best, "c3d5");
        engine_free(engine);
        thought_release(&thought);
    }
}

static void a_new_game_forgets_everything(void **state)
{
    (void)state;
    Engine      *engine = think_engine(NULL);
    SearchResult first  = think(engine, KIWIPETE, "", 7);
    think(engine, START, "", 7);
    engine_new_game(engine);
    SearchResult again = think(engine, KIWIPETE, "", 7);
    assert_int_equal(again.nodes, first.nodes);
    assert_int_equal(again.best, first.best);
    assert_int_equal(again.score, first.score);
    engine_free(engine);
}

static void the_count_of_nodes_can_be_asked_for_at_any_time(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine *engine = think_engine(&thought);
    assert_int_equal(engine_nodes(engine), 0);
    think_go(engine, &(GoLimits){.infinite = true});
    thought_wait_for_depth(&thought, 3);
    assert_true(engine_nodes(engine) > 0);
    engine_stop(engine);
    engine_wait(engine);
    assert_int_equal(engine_nodes(engine), thought.result.nodes);
    engine_free(engine);
    thought_release(&thought);
}

/* ---- two of them ---- */

static void assert_same_result(const SearchResult *a, const SearchResult *b)
{
    assert_int_equal(a->best, b->best);
    assert_int_equal(a->score, b->score);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->depth, b->depth);
}

static void two_engines_side_by_side_do_not_disturb_each_other(void **state)
{
    (void)state;
    const char *const fens[2] = {KIWIPETE, "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1"};
    SearchResult      alone[2];
    Thought           thoughts[2];
    Engine           *engines[2];
    for (int i = 0; i < 2; i++) alone[i] = think_alone(fens[i], "", 9);
    for (int i = 0; i < 2; i++) {
        thought_init(&thoughts[i]);
        engines[i] = think_searcher(&thoughts[i]);
        think_position(engines[i], fens[i], "");
    }
    for (int i = 0; i < 2; i++) think_go(engines[i], &(GoLimits){.depth = 9});
    for (int i = 0; i < 2; i++) {
        engine_wait(engines[i]);
        assert_same_result(&thoughts[i].result, &alone[i]);
    }
    think_option(engines[0], "Features", "none,qs");
    think_option(engines[0], "Eval", "material");
    think_option(engines[0], "Hash", "1");
    engine_new_game(engines[1]);
    think(engines[0], fens[1], "", 4);
    SearchResult again = think(engines[1], fens[1], "", 9);
    assert_same_result(&again, &alone[1]);
    for (int i = 0; i < 2; i++) {
        engine_free(engines[i]);
        thought_release(&thoughts[i]);
    }
}

/* ---- playing levels ---- */

static void a_weak_level_plays_legal_moves_and_its_seed_repeats_them(void **state)
{
    (void)state;
    Move games[2][12];
    for (int run = 0; run < 2; run++) {
        Engine *engine = think_engine(NULL);
        Buf     moves  = {0};
        think_option(engine, "UCI_LimitStrength", "true");
        think_option(engine, "UCI_Elo", "1100");
        think_option(engine, "Seed", "42");
        for (int ply = 0; ply < 12; ply++) {
            char         uci[UCI_MOVE_SIZE];
            SearchResult result = think(engine, "startpos", moves.len ? moves.data : "", 5);
            games[run][ply]     = result.best;
            move_to_uci(engine_position(engine), result.best, uci);
            buf_printf(&moves, "%s ", uci);
        }
        buf_release(&moves);
        engine_free(engine);
    }
    assert_memory_equal(games[0], games[1], sizeof games[0]);
}

static void every_level_plays_a_mate(void **state)
{
    (void)state;
    const char *const elos[] = {"1000", "1400", "2000", "2500"};
    for (size_t i = 0; i < COUNT_OF(elos); i++) {
        Engine *engine = think_engine(NULL);
        think_option(engine, "UCI_LimitStrength", "true");
        think_option(engine, "UCI_Elo", elos[i]);
        for (int try = 0; try < 10; try++)
            assert_int_equal(think(engine, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "", 6).best, move_make(A1, A8));
        engine_free(engine);
    }
}

/* Saves a network that takes every position for even. */
static void save_blind_network(char path[])
{
    Err  err = {0};
    Net *net = net_new(NET_HIDDEN_STEP, 1, 1);
    int  fd  = mkstemp(path);
    assert_true(fd >= 0 && net);
    close(fd);
    if (!net_save(net, path, &err)) fail_msg("%s", err.text);
    net_free(net);
}

static void only_strong_levels_judge_by_the_network(void **state)
{
    (void)state;
    const char *const queen_up = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    char              path[]   = "/tmp/tabia-blind-XXXXXX";
    Engine           *engine   = think_engine(NULL);
    save_blind_network(path);
    think_option(engine, "EvalFile", path);
    think_option(engine, "Eval", "nnue");
    think_option(engine, "Skill Level", "14");
    assert_true(think(engine, queen_up, "", 2).score > 300);
    think_option(engine, "Skill Level", "15");
    assert_int_equal(think(engine, queen_up, "", 2).score, 0);
    think_option(engine, "Skill Level", "20");
    assert_int_equal(think(engine, queen_up, "", 2).score, 0);
    engine_free(engine);
    unlink(path);
}

static void the_wish_for_several_lines_is_kept_at_a_weak_level(void **state)
{
    (void)state;
    Thought thought;
    thought_init(&thought);
    Engine *engine = think_engine(&thought);
    think_option(engine, "UCI_LimitStrength", "true");
    think_option(engine, "MultiPV", "2");
    think(engine, KIWIPETE, "", 4);
    assert_int_equal(thought.line_count, 2);
    engine_free(engine);
    thought_release(&thought);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_begin_with_their_defaults),
        cmocka_unit_test(names_have_any_letter_case_and_any_space),
        cmocka_unit_test(a_bad_value_is_refused_and_the_old_one_stays),
        cmocka_unit_test(more_hash_than_memory_is_refused_and_nothing_else_changes),
        cmocka_unit_test(more_hash_than_memory_before_the_first_search_leaves_the_other_options_alone),
        cmocka_unit_test(an_option_set_during_a_search_counts_from_the_next),
        cmocka_unit_test(clearing_the_hash_during_a_search_is_not_lost),
        cmocka_unit_test(a_position_is_taken_whole_or_not_at_all),
        cmocka_unit_test(a_new_engine_stands_at_the_start),
        cmocka_unit_test(a_game_is_copied),
        cmocka_unit_test(a_game_brings_its_history),
        cmocka_unit_test(every_search_is_done_exactly_once),
        cmocka_unit_test(another_thread_may_stop_the_search),
        cmocka_unit_test(an_infinite_search_outlives_every_other_limit),
        cmocka_unit_test(pondering_lasts_until_the_hit),
        cmocka_unit_test(a_second_go_ends_the_first),
        cmocka_unit_test(an_engine_may_be_freed_while_it_searches),
        cmocka_unit_test(the_first_iteration_is_always_completed),
        cmocka_unit_test(a_new_game_forgets_everything),
        cmocka_unit_test(the_count_of_nodes_can_be_asked_for_at_any_time),
        cmocka_unit_test(two_engines_side_by_side_do_not_disturb_each_other),
        cmocka_unit_test(a_weak_level_plays_legal_moves_and_its_seed_repeats_them),
        cmocka_unit_test(every_level_plays_a_mate),
        cmocka_unit_test(only_strong_levels_judge_by_the_network),
        cmocka_unit_test(the_wish_for_several_lines_is_kept_at_a_weak_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

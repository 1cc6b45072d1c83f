/* test_pgn_stats.c - counting what games consist of, and knowing a game when it comes again. */
#include "game/pgn_seen.h"
#include "game/pgn_stats.h"
#include "support/testing.h"

static const char three_games[] =
    "[Event \"Open\"]\n[Date \"1972.07.11\"]\n[White \"Fischer\"]\n[Black \"Spassky\"]\n[WhiteElo \"2785\"]\n"
    "[BlackElo \"2660\"]\n[ECO \"B20\"]\n\n1. e4 c5 {Sicilian} (1... e5 2. Nf3) 2. Nf3 1-0\n\n"
    "[Event \"Open\"]\n[Date \"1973.??.??\"]\n[White \"Spassky\"]\n[Black \"Fischer\"]\n\n1. e4 e5 1/2-1/2\n\n"
    "[Event \"?\"]\n[White \"Nobody\"]\n\n1. e4 e9 *\n\n"
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";

static void stats_of(PgnStats *stats, const char *text)
{
    pgn_stats_init(stats);
    PgnVisitor visitor = pgn_stats_visitor(stats);
    assert_true(pgn_read_text(str_from(text), &visitor, NULL, NULL));
    assert_false(stats->failed);
}

static void games_and_results_and_lengths_are_counted(void **state)
{
    (void)state;
    PgnStats stats;
    stats_of(&stats, three_games);
    assert_int_equal(stats.games, 4);
    assert_int_equal(stats.broken, 1);
    assert_int_equal(stats.plies, 6);
    assert_int_equal(stats.shortest, 1);
    assert_int_equal(stats.longest, 3);
    assert_int_equal(stats.results[RESULT_WHITE_WINS], 1);
    assert_int_equal(stats.results[RESULT_DRAW], 1);
    assert_int_equal(stats.results[RESULT_BLACK_WINS], 0);
    assert_int_equal(stats.results[RESULT_UNKNOWN], 1);
    assert_int_equal(stats.comments, 1);
    assert_int_equal(stats.variations, 1);
    assert_int_equal(stats.set_up, 1);
    pgn_stats_release(&stats);
}

static void a_player_scores_with_either_colour(void **state)
{
    (void)state;
    PgnStats stats;
    size_t   top[4];
    stats_of(&stats, three_games);
    assert_int_equal(pgn_names_top(&stats.players, top, COUNT_OF(top)), 2);
    assert_str_equal(pgn_name(&stats.players, &stats.players.entries[top[0]]), "Fischer");
    assert_int_equal(stats.players.entries[top[0]].games, 2);
    assert_int_equal(stats.players.entries[top[0]].wins, 1);
    assert_int_equal(stats.players.entries[top[0]].draws, 1);
    assert_int_equal(stats.players.entries[top[0]].losses, 0);
    assert_int_equal(stats.players.entries[top[1]].losses, 1);
    pgn_stats_release(&stats);
}

static void years_first_moves_and_ratings_are_counted(void **state)
{
    (void)state;
    PgnStats stats;
    size_t   top[4];
    stats_of(&stats, three_games);
    assert_int_equal(pgn_names_top(&stats.years, top, COUNT_OF(top)), 2);
    assert_str_equal(pgn_name(&stats.years, &stats.years.entries[top[0]]), "1972");
    assert_int_equal(pgn_names_top(&stats.first_moves, top, COUNT_OF(top)), 1);
    assert_str_equal(pgn_name(&stats.first_moves, &stats.first_moves.entries[top[0]]), "e4");
    assert_int_equal(stats.first_moves.entries[top[0]].games, 2);
    assert_int_equal(stats.elo[27], 1);
    assert_int_equal(stats.elo[26], 1);
    assert_int_equal(stats.elo_sum, 2785 + 2660);
    pgn_stats_release(&stats);
}

static void the_most_frequent_names_come_first(void **state)
{
    (void)state;
    PgnStats stats;
    size_t   top[3];
    Buf      text = {0};
    for (int i = 0; i < 1000; i++) buf_printf(&text, "[Event \"e%d\"] e4 *\n", i);
    for (int i = 0; i < 3; i++) buf_append(&text, STR("[Event \"e777\"] e4 *\n[Event \"e5\"] e4 *\n"));
    buf_append(&text, STR("[Event \"e5\"] e4 *\n"));
    stats_of(&stats, text.data);
    assert_int_equal(stats.events.count, 1000);
    assert_int_equal(pgn_names_top(&stats.events, top, COUNT_OF(top)), 3);
    assert_str_equal(pgn_name(&stats.events, &stats.events.entries[top[0]]), "e5");
    assert_int_equal(stats.events.entries[top[0]].games, 5);
    assert_str_equal(pgn_name(&stats.events, &stats.events.entries[top[1]]), "e777");
    assert_str_equal(pgn_name(&stats.events, &stats.events.entries[top[2]]), "e0");
    pgn_stats_release(&stats);
    buf_release(&text);
}

/* ---- seen games ---- */

static PgnGameKey key_of(const char *fen, const Move *moves, size_t count, const char *white)
{
    PgnKeyMaker maker = {0};
    Position    start = position_of(fen);
    pgn_key_begin(&maker);
    if (white) pgn_key_tag(&maker, STR("White"), str_from(white));
    pgn_key_start(&maker, &start);
    for (size_t i = 0; i < count; i++) pgn_key_move(&maker, moves[i]);
    return pgn_key_end(&maker);
}

static bool same_key(PgnGameKey a, PgnGameKey b) { return a.low == b.low && a.high == b.high; }

static void start_and_moves_make_the_key_of_a_game(void **state)
{
    (void)state;
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    static const char other[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1";
    const Move        one[]   = {move_make(E2, E4), move_make(E7, E5)};
    const Move        two[]   = {move_make(E7, E5), move_make(E2, E4)};
    PgnGameKey        key     = key_of(start, one, 2, NULL);
    assert_true(same_key(key, key_of(start, one, 2, "Tal")));
    assert_false(same_key(key, key_of(other, one, 2, NULL)));
    assert_false(same_key(key, key_of(start, two, 2, NULL)));
    assert_false(same_key(key, key_of(start, one, 1, NULL)));
}

static void games_without_moves_differ_by_their_tags(void **state)
{
    (void)state;
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_false(same_key(key_of(start, NULL, 0, "Tal"), key_of(start, NULL, 0, "Fischer")));
    assert_true(same_key(key_of(start, NULL, 0, "Tal"), key_of(start, NULL, 0, "Tal")));
}

static void a_game_is_fresh_once(void **state)
{
    (void)state;
    PgnSeen seen;
    bool    fresh;
    pgn_seen_init(&seen);
    for (uint64_t round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < 5000; i++) {
            /* Few different low halves: chains are long and the high half has to tell. Zero is a key like any other. */
            assert_true(pgn_seen_add(&seen, (PgnGameKey){i % 7, i}, &fresh));
            if (fresh != (round == 0)) fail_msg("key %d in round %d", (int)i, (int)round);
        }
    }
    assert_int_equal(seen.count, 5000);
    pgn_seen_release(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_and_results_and_lengths_are_counted),
        cmocka_unit_test(a_player_scores_with_either_colour),
        cmocka_unit_test(years_first_moves_and_ratings_are_counted),
        cmocka_unit_test(the_most_frequent_names_come_first),
        cmocka_unit_test(start_and_moves_make_the_key_of_a_game),
        cmocka_unit_test(games_without_moves_differ_by_their_tags),
        cmocka_unit_test(a_game_is_fresh_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

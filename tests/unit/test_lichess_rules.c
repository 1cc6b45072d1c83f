/* test_lichess_rules.c - what the owner may configure, what the bot wants, and how it follows a game through bad news. */
#include "support/testing.h"

#ifdef TABIA_WITH_lichess
#include "lichess/config.h"
#include "lichess/policy.h"
#include "lichess/track.h"

/* ---- config ---- */

static Config config_of(const char *text)
{
    Config config;
    Err    err;
    if (!config_parse(str_from(text), "test", &config, &err)) fail_msg("%s", err.text);
    return config;
}

static void defaults_are_set(void **state)
{
    (void)state;
    Config config = config_of("");
    assert_str_equal(config.url, "https://lichess.org");
    assert_int_equal(config.variants, VARIANT_STANDARD | VARIANT_CHESS960 | VARIANT_FROM_POSITION);
    assert_int_equal(config.max_games, 1);
    assert_int_equal(config.greeting.len, 0);
    assert_false(config.matchmaking);
    config_release(&config);
}

static void lines_change_them(void **state)
{
    (void)state;
    Config config =
        config_of("# comment\n\n url =  https://example.org:8443/ \nspeeds = rapid\nmax_games=3\r\ngreeting = Hi = # you\n"
                  "resign = yes\nengine.Hash = 64\nengine.skill level = 3\n");
    assert_str_equal(config.url, "https://example.org:8443");
    assert_int_equal(config.speeds, SPEED_RAPID);
    assert_int_equal(config.max_games, 3);
    assert_str_equal(config.greeting, "Hi = # you");
    assert_true(config.resign);
    assert_int_equal(config.engine_options, 2);
    config_release(&config);
}

static void the_example_holds_every_default(void **state)
{
    (void)state;
    Buf out = {0};
    config_write_example(&out);
    Config config = config_of(out.data);
    assert_int_equal(config.max_games, 1);
    config_release(&config);
    buf_release(&out);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"max_game = 2", "test, line 1: there is no key 'max_game'; did you mean 'max_games'?"},
        {"\nspeed = blitz", "test, line 2: there is no key 'speed'; did you mean 'speeds'?"},
        {"xyzzy_plugh = 2", "test, line 1: there is no key 'xyzzy_plugh'"},
        {"engine.Hsh = 2", "test, line 1: there is no key 'engine.Hsh'; did you mean 'engine.Hash'?"},
        {"engine.Move Overhead = 2", "test, line 1: 'Move Overhead' is the bot's own affair (see overhead_start_ms)"},
        {"max_games", "test, line 1: a line is `key = value`, or a comment that begins with #"},
        {"max_games = 2\nmax_games = 2", "test, line 2: max_games is given twice"},
        {"max_games = 33", "test, line 1: max_games is a number from 1 to 32, not '33'"},
        {"max_games = two", "test, line 1: max_games is a number from 1 to 32, not 'two'"},
        {"ponder = maybe", "test, line 1: ponder is true or false, not 'maybe'"},
        {"block = a;b", "test, line 1: block holds names with commas between, and ';' is in no name"},
        {"min_base_s = 10\nmax_base_s = 5", "test: min_base_s is above max_base_s"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Config config;
        Err    err = {0};
        assert_false(config_parse(str_from(cases[i][0]), "test", &config, &err));
        assert_string_equal(err.text, cases[i][1]);
    }
}

static void only_safe_addresses_are_taken(void **state)
{
    (void)state;
    static const char *const good[] = {"https://lichess.org", "https://lichess.dev:8443", "http://127.0.0.1:9",
                                       "http://localhost:80", "http://[::1]:8080",        "http://127.1.2.3"};
    static const char *const bad[]  = {"lichess.org",
                                       "ftp://lichess.org",
                                       "http://lichess.org",
                                       "http://127.0.0.1.example.org",
                                       "http://localhost.example.org",
                                       "https://",
                                       "https://user@lichess.org",
                                       "https://lichess.org/?a",
                                       "https://li chess.org",
                                       "http://127.0.0.1@example.org",
                                       "http://[::2]:80"};
    for (size_t i = 0; i < COUNT_OF(good); i++) assert_true(config_check_url(str_from(good[i]), NULL));
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        if (config_check_url(str_from(bad[i]), NULL)) fail_msg("accepted: %s", bad[i]);
    }
}

/* ---- policy ---- */

static const char *verdict(const char *text, LichessChallenge c, PolicyPresent now)
{
    Config      config = config_of(text);
    const char *reason = policy_challenge(&config, &c, &now, NULL);
    config_release(&config);
    return reason ? reason : "accept";
}

static void challenges_are_judged(void **state)
{
    (void)state;
    const PolicyPresent    now  = {0};
    const LichessChallenge good = {.id          = STR("abc"),
                                   .variant     = STR("standard"),
                                   .speed       = STR("blitz"),
                                   .challenger  = {.id = STR("someone"), .name = STR("Someone"), .rating = 1500},
                                   .has_clock   = true,
                                   .base_s      = 180,
                                   .increment_s = 2};
    LichessChallenge       c    = good;
    assert_string_equal(verdict("", good, now), "accept");
    assert_string_equal(verdict("", good, (PolicyPresent){.leaving = true}), "later");
    assert_string_equal(verdict("", good, (PolicyPresent){.games = 1}), "later");
    assert_string_equal(verdict("max_games = 2", good, (PolicyPresent){.games = 1}), "accept");
    assert_string_equal(verdict("block = SOMEONE", good, now), "generic");
    assert_string_equal(verdict("only = other", good, now), "generic");
    assert_string_equal(verdict("only = other, someone", good, now), "accept");
    assert_string_equal(verdict("modes = rated", good, now), "rated");
    assert_string_equal(verdict("opponents = bot", good, now), "onlyBot");
    assert_string_equal(verdict("speeds = rapid", good, now), "timeControl");
    assert_string_equal(verdict("min_increment_s = 3", good, now), "tooFast");
    assert_string_equal(verdict("max_increment_s = 1", good, now), "tooSlow");
    c.variant = STR("atomic");
    assert_string_equal(verdict("", c, now), "variant");
    assert_string_equal(verdict("variants = standard", c, now), "standard");
    c            = good;
    c.rematch_of = STR("abcd");
    assert_string_equal(verdict("rematches = 1", c, now), "accept");
    assert_string_equal(verdict("rematches = 1", c, (PolicyPresent){.rematches = 1}), "later");
}

static void draws_and_resignations_need_a_run_of_moves(void **state)
{
    (void)state;
    Config      config = config_of("draw_offer = true\ndraw_moves = 2\ndraw_min_move = 10\nresign = true\nresign_moves = 2\n");
    PolicyTrend trend  = {0};
    policy_note_score(&config, 5, &trend);
    assert_false(policy_offers_draw(&config, &trend, 20));
    policy_note_score(&config, -5, &trend);
    assert_true(policy_offers_draw(&config, &trend, 20));
    assert_false(policy_offers_draw(&config, &trend, 9));
    assert_true(policy_accepts_draw(&config, &trend, 20));
    policy_note_score(&config, 60, &trend);
    assert_false(policy_accepts_draw(&config, &trend, 20));
    policy_note_score(&config, -1000, &trend);
    assert_true(policy_accepts_draw(&config, &trend, 1));
    assert_false(policy_resigns(&config, &trend));
    policy_note_score(&config, -SCORE_MATE + 4, &trend);
    assert_true(policy_resigns(&config, &trend));
    config_release(&config);
}

static void the_overhead_follows_what_is_measured(void **state)
{
    (void)state;
    Config   config   = config_of("overhead_start_ms = 200\noverhead_min_ms = 30\noverhead_max_ms = 1000\n");
    Overhead overhead = {0};
    assert_int_equal(overhead_ms(&overhead, &config), 200);
    for (int i = 0; i < 100; i++) overhead_note(&overhead, 80);
    assert_in_range(overhead_ms(&overhead, &config), 79, 90);
    overhead_note(&overhead, 400);
    assert_in_range(overhead_ms(&overhead, &config), 200, 500); /* one bad move is remembered for a while */
    for (int i = 0; i < 100; i++) overhead_note(&overhead, -5);
    assert_int_equal(overhead_ms(&overhead, &config), 30);
    for (int i = 0; i < 100; i++) overhead_note(&overhead, 9000);
    assert_int_equal(overhead_ms(&overhead, &config), 1000);
    config_release(&config);
}

static void waits_double_up_to_the_most(void **state)
{
    (void)state;
    Config config = config_of("backoff_min_ms = 100\nbackoff_max_ms = 1000\n");
    assert_int_equal(backoff_ms(&config, 1, 0), 100);
    assert_int_equal(backoff_ms(&config, 2, 0), 200);
    assert_int_equal(backoff_ms(&config, 4, 0), 800);
    assert_int_equal(backoff_ms(&config, 1000000, 0), 1000);
    for (uint64_t chance = 0; chance < 1000; chance++) assert_in_range(backoff_ms(&config, 5, chance), 750, 1000);
    config_release(&config);
}

/* ---- track ---- */

static LichessGame game_with(const char *moves, const char *status)
{
    return (LichessGame){
        .id        = STR("abc"),
        .variant   = STR("standard"),
        .start_fen = STR("startpos"),
        .players   = {{.id = STR("bot")}, {.id = STR("other")}},
        .has_clock = true,
        .state     = {.moves = str_from(moves), .status = str_from(status), .time_ms = {60000, 60000}, .winner = -1}};
}

static void duplicated_and_old_news_change_nothing(void **state)
{
    (void)state;
    Track       track;
    LichessGame game = game_with("e2e4 e7e5", "started"), old = game_with("e2e4", "started");
    assert_true(track_init(&track));
    assert_int_equal(track_full(&track, &game, STR("BOT"), true, 1000, 0, NULL), TRACK_CHANGED);
    assert_true(track_our_turn(&track));
    assert_int_equal(track_state(&track, &game.state, 1100, NULL), TRACK_SAME);
    assert_int_equal(track_state(&track, &old.state, 1200, NULL), TRACK_OLD);
    assert_int_equal(track_full(&track, &old, STR("bot"), false, 1200, 0, NULL), TRACK_OLD);
    assert_int_equal(track.game.plies, 2);
    assert_int_equal(track_full(&track, &old, STR("bot"), true, 1200, 0, NULL), TRACK_CHANGED); /* a fresh stream is the truth */
    assert_int_equal(track.game.plies, 1);
    track_release(&track);
}

static void a_turn_has_one_move(void **state)
{
    (void)state;
    Track       track;
    LichessGame turn = game_with("e2e4 e7e5", "started"), after = game_with("e2e4 e7e5 g1f3", "started");
    LichessGame again = game_with("e2e4 c7c5", "started");
    assert_true(track_init(&track));
    track_full(&track, &turn, STR("bot"), true, 0, 0, NULL);
    assert_false(track_is_decided(&track));
    track_decide(&track, move_of(&track.game.now, "g1f3"));
    track_state(&track, &turn.state, 0, NULL);
    assert_true(track_is_decided(&track));
    track_state(&track, &after.state, 0, NULL);
    assert_false(track_is_decided(&track));
    track_full(&track, &turn, STR("bot"), true, 0, 0, NULL); /* the server forgot: the same move goes out again */
    assert_true(track_is_decided(&track));
    track.may_shrink = true;
    track_state(&track, &again.state, 0, NULL); /* the opponent took back and played another move */
    assert_false(track_is_decided(&track));
    track_release(&track);
}

static void nonsense_is_refused_whole(void **state)
{
    (void)state;
    Track       track;
    Err         err;
    LichessGame good = game_with("e2e4", "started"), bad = game_with("e2e4 e2e4", "started"), fen = good, variant = good;
    fen.start_fen   = STR("no position");
    variant.variant = STR("atomic");
    assert_true(track_init(&track));
    assert_int_equal(track_state(&track, &good.state, 0, &err), TRACK_BROKEN);
    assert_int_equal(track_full(&track, &good, STR("stranger"), true, 0, 0, &err), TRACK_BROKEN);
    assert_int_equal(track_full(&track, &good, STR("bot"), true, 0, 0, &err), TRACK_CHANGED);
    assert_int_equal(track_full(&track, &bad, STR("bot"), true, 0, 0, &err), TRACK_BROKEN);
    assert_int_equal(track_full(&track, &fen, STR("bot"), true, 0, 0, &err), TRACK_BROKEN);
    assert_int_equal(track_full(&track, &variant, STR("bot"), true, 0, 0, &err), TRACK_BROKEN);
    assert_int_equal(track.game.plies, 1);
    track_release(&track);
}

static void our_own_watch_counts_when_the_server_is_generous(void **state)
{
    (void)state;
    Track       track;
    LichessGame game = game_with("e2e4 e7e5", "started");
    assert_true(track_init(&track));
    track_full(&track, &game, STR("bot"), true, 1000, 0, NULL);
    assert_int_equal(track_time_left(&track, 6000), 55000);
    track_full(&track, &game, STR("bot"), true, 21000, 20000, NULL); /* a fresh stream, the same turn, the clock as told before */
    assert_int_equal(track_time_left(&track, 21000), 40000);
    LichessGame later = game_with("e2e4 e7e5 g1f3 b8c6", "started");
    track_full(&track, &later, STR("bot"), true, 30000, 5000, NULL); /* the turn came at an unknown moment of a gap */
    assert_int_equal(track_time_left(&track, 30000), 55000);
    track_release(&track);
}

static void an_end_stays_an_end(void **state)
{
    (void)state;
    Track       track;
    LichessGame game = game_with("e2e4 e7e5", "started"), end = game_with("e2e4", "aborted");
    assert_true(track_init(&track));
    track_full(&track, &game, STR("bot"), true, 0, 0, NULL);
    track_state(&track, &end.state, 0, NULL);
    assert_true(track.over);
    track_state(&track, &game.state, 0, NULL);
    assert_true(track.over && !track_our_turn(&track));
    track_release(&track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_set),
        cmocka_unit_test(lines_change_them),
        cmocka_unit_test(the_example_holds_every_default),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(only_safe_addresses_are_taken),
        cmocka_unit_test(challenges_are_judged),
        cmocka_unit_test(draws_and_resignations_need_a_run_of_moves),
        cmocka_unit_test(the_overhead_follows_what_is_measured),
        cmocka_unit_test(waits_double_up_to_the_most),
        cmocka_unit_test(duplicated_and_old_news_change_nothing),
        cmocka_unit_test(a_turn_has_one_move),
        cmocka_unit_test(nonsense_is_refused_whole),
        cmocka_unit_test(our_own_watch_counts_when_the_server_is_generous),
        cmocka_unit_test(an_end_stays_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void the_bot_is_not_part_of_this_build(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_bot_is_not_part_of_this_build)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif

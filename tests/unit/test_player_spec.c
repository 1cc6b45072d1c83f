/* test_player_spec.c - players and time controls as text, and the clock that counts them. */
#include "player/spec.h"
#include "support/testing.h"

static void assert_limits(const char *text, TimeControl expected)
{
    TimeControl tc  = {0};
    Err         err = {0};
    if (!timecontrol_parse(str_from(text), &tc, &err)) fail_msg("%s: %s", text, err.text);
    assert_int_equal(tc.moves, expected.moves);
    assert_int_equal(tc.base_ms, expected.base_ms);
    assert_int_equal(tc.inc_ms, expected.inc_ms);
    assert_int_equal(tc.movetime_ms, expected.movetime_ms);
    assert_int_equal(tc.nodes, expected.nodes);
    assert_int_equal(tc.depth, expected.depth);
}

static void time_controls_are_read(void **state)
{
    (void)state;
    assert_limits("4+0.04", (TimeControl){.base_ms = 4000, .inc_ms = 40});
    assert_limits("60", (TimeControl){.base_ms = 60000});
    assert_limits("40/60", (TimeControl){.moves = 40, .base_ms = 60000});
    assert_limits("40/60+0.5", (TimeControl){.moves = 40, .base_ms = 60000, .inc_ms = 500});
    assert_limits("1:30+2", (TimeControl){.base_ms = 90000, .inc_ms = 2000});
    assert_limits("40/1:30", (TimeControl){.moves = 40, .base_ms = 90000});
    assert_limits("0+1", (TimeControl){.inc_ms = 1000});
    assert_limits("0.1+0.001", (TimeControl){.base_ms = 100, .inc_ms = 1});
    assert_limits("st=0.5", (TimeControl){.movetime_ms = 500});
    assert_limits("movetime=500", (TimeControl){.movetime_ms = 500});
    assert_limits("nodes=1000", (TimeControl){.nodes = 1000});
    assert_limits("depth=8", (TimeControl){.depth = 8});
}

static void bad_time_controls_are_refused(void **state)
{
    (void)state;
    const char *texts[] = {
        "",    "x",   "4+",    "+1",  "0",    "0+0",     "-4",      "4+-1",     "0/60",     "x/60",  "40/",  "1e9",
        "nan", "inf", "4 + 1", "st=", "st=0", "depth=0", "depth=x", "nodes=-1", "wibble=3", "4+1+1", "1:2:3"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        TimeControl tc = {.depth = 77};
        Err         err;
        if (timecontrol_parse(str_from(texts[i]), &tc, &err)) fail_msg("'%s' was accepted", texts[i]);
        assert_int_equal(tc.depth, 77);
        assert_int_equal(tc.base_ms, 0);
    }
}

static void time_controls_are_written_as_they_are_read(void **state)
{
    (void)state;
    const char *texts[] = {"4+0.04", "40/60", "40/60+0.5", "st=0.5", "nodes=1000", "depth=8", "3600+30"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        TimeControl tc = {0};
        char        out[TIMECONTROL_TEXT_SIZE];
        assert_true(timecontrol_parse(str_from(texts[i]), &tc, NULL));
        timecontrol_text(&tc, out);
        assert_string_equal(out, texts[i]);
    }
    TimeControl level = {.movetime_ms = 50, .depth = 5};
    char        out[TIMECONTROL_TEXT_SIZE];
    timecontrol_text(&level, out);
    assert_string_equal(out, "st=0.05 depth=5");
}

enum { MS = 1000000 };

static void a_clock_counts_increments_and_periods(void **state)
{
    (void)state;
    GameClock   clock;
    TimeControl tc = {.moves = 2, .base_ms = 1000};
    clock_start(&clock, &tc);
    assert_int_equal(clock_allowed_ns(&clock), 1000 * (int64_t)MS);
    clock_spend(&clock, 600 * MS);
    assert_int_equal(clock_allowed_ns(&clock), 400 * MS);
    assert_int_equal(clock.moves_to_go, 1);
    clock_spend(&clock, 300 * MS);
    assert_int_equal(clock_allowed_ns(&clock), 1100 * (int64_t)MS); /* what was left and a new period */
    assert_int_equal(clock.moves_to_go, 2);
    tc = (TimeControl){.base_ms = 1000, .inc_ms = 100};
    clock_start(&clock, &tc);
    clock_spend(&clock, 50 * MS);
    clock_spend(&clock, 50 * MS);
    assert_int_equal(clock_allowed_ns(&clock), 1100 * (int64_t)MS);
    clock_spend(&clock, 5000 * (int64_t)MS); /* forgiven lateness: from zero again */
    assert_int_equal(clock_allowed_ns(&clock), 100 * MS);
    tc = (TimeControl){.depth = 3};
    clock_start(&clock, &tc);
    clock_spend(&clock, 50 * MS);
    assert_int_equal(clock_allowed_ns(&clock), INT64_MAX);
}

static PlayerSpec spec_of(const char *text, const char *each)
{
    PlayerSpec spec;
    Err        err = {0};
    if (!player_spec_parse(str_from(text), str_from(each), &spec, &err)) fail_msg("%s: %s", text, err.text);
    return spec;
}

static const PlayerOption *option_of(const PlayerSpec *spec, const char *name)
{
    for (int i = 0; i < spec->option_count; i++) {
        if (strcmp(spec->options[i].name, name) == 0) return &spec->options[i];
    }
    fail_msg("no option %s", name);
    return NULL;
}

static void our_engine_takes_options(void **state)
{
    (void)state;
    PlayerSpec spec = spec_of("tabia:Hash=64,Features=-nmp,-lmr,Threads=1", "");
    assert_int_equal(spec.kind, PLAYER_TABIA);
    assert_string_equal(spec.name, "tabia:Hash=64,Features=-nmp,-lmr,Threads=1");
    assert_string_equal(option_of(&spec, "Hash")->value, "64");
    assert_string_equal(option_of(&spec, "Features")->value, "-nmp,-lmr");
    assert_string_equal(option_of(&spec, "Threads")->value, "1");
    assert_false(option_of(&spec, "Hash")->optional);
    player_spec_release(&spec);
    spec = spec_of("tabia,name=New", "");
    assert_string_equal(spec.name, "New");
    player_spec_release(&spec);
}

static void programs_are_split_into_words(void **state)
{
    (void)state;
    PlayerSpec spec = spec_of("cmd=./engine --uci 'two words',name=New one,tc=8+0.08,option.depth=3,Move Overhead=10", "");
    assert_int_equal(spec.kind, PLAYER_UCI);
    assert_int_equal(spec.argc, 3);
    assert_string_equal(spec.argv[0], "./engine");
    assert_string_equal(spec.argv[1], "--uci");
    assert_string_equal(spec.argv[2], "two words");
    assert_null(spec.argv[3]);
    assert_string_equal(spec.name, "New one");
    assert_true(spec.has_limits);
    assert_int_equal(spec.limits.inc_ms, 80);
    assert_string_equal(option_of(&spec, "depth")->value, "3");
    assert_string_equal(option_of(&spec, "Move Overhead")->value, "10");
    player_spec_release(&spec);
    spec = spec_of("/usr/games/toga2", "");
    assert_string_equal(spec.name, "toga2");
    assert_string_equal(spec.argv[0], "/usr/games/toga2");
    player_spec_release(&spec);
    spec = spec_of("gnuchess", "");
    assert_string_equal(spec.argv[1], "--uci");
    assert_string_equal(option_of(&spec, "OwnBook")->value, "false");
    player_spec_release(&spec);
}

static void what_holds_for_each_yields_to_the_engines_own(void **state)
{
    (void)state;
    PlayerSpec spec = spec_of("toga2:Hash=32", "option.Hash=64 Ponder=false tc=4+0.04");
    assert_string_equal(option_of(&spec, "Hash")->value, "32");
    assert_false(option_of(&spec, "Hash")->optional);
    assert_true(option_of(&spec, "Ponder")->optional);
    assert_int_equal(spec.limits.base_ms, 4000);
    player_spec_release(&spec);
    spec = spec_of("toga2:depth=3", "Hash=64,tc=4+0.04,Skill Level=3");
    assert_int_equal(spec.limits.depth, 3);
    assert_int_equal(spec.limits.base_ms, 0);
    assert_string_equal(option_of(&spec, "Skill Level")->value, "3");
    player_spec_release(&spec);
}

static void stockfish_levels_are_those_of_lichess(void **state)
{
    (void)state;
    PlayerSpec spec = spec_of("stockfish-level-4", "tc=4+0.04");
    assert_string_equal(spec.argv[0], "fairy-stockfish");
    assert_string_equal(spec.name, "stockfish-level-4");
    assert_string_equal(option_of(&spec, "Skill Level")->value, "3");
    assert_int_equal(spec.limits.movetime_ms, 200);
    assert_int_equal(spec.limits.depth, 5);
    assert_int_equal(spec.limits.base_ms, 0);
    player_spec_release(&spec);
    spec = spec_of("stockfish-level-1", "");
    assert_string_equal(option_of(&spec, "Skill Level")->value, "-9");
    player_spec_release(&spec);
    spec = spec_of("stockfish-level-8", "");
    assert_int_equal(spec.limits.movetime_ms, 1000);
    assert_int_equal(spec.limits.depth, 22);
    player_spec_release(&spec);
}

static void bad_descriptions_are_refused(void **state)
{
    (void)state;
    const char *texts[] = {"",
                           ":Hash=3",
                           "name=x",
                           "cmd=",
                           "cmd='x",
                           "tabia:x",
                           "tabia:=3",
                           "tabia:tc=x",
                           "tabia:name=",
                           "random:seed=x",
                           "stockfish-level-9",
                           "stockfish-level-0",
                           "stockfish-level-",
                           "Hash=3"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        PlayerSpec spec;
        Err        err = {0};
        if (player_spec_parse(str_from(texts[i]), STR(""), &spec, &err)) fail_msg("'%s' was accepted", texts[i]);
        assert_true(strlen(err.text) > 10);
        assert_null(spec.texts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_controls_are_read),
        cmocka_unit_test(bad_time_controls_are_refused),
        cmocka_unit_test(time_controls_are_written_as_they_are_read),
        cmocka_unit_test(a_clock_counts_increments_and_periods),
        cmocka_unit_test(our_engine_takes_options),
        cmocka_unit_test(programs_are_split_into_words),
        cmocka_unit_test(what_holds_for_each_yields_to_the_engines_own),
        cmocka_unit_test(stockfish_levels_are_those_of_lichess),
        cmocka_unit_test(bad_descriptions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

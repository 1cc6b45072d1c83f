/* test_lichess_text.c - lines out of a stream, and events out of lines: whole, in pieces, broken. */
#include "support/testing.h"

#ifdef TABIA_WITH_lichess
#include "base/rng.h"
#include "lichess/events.h"
#include "lichess/splitter.h"

/* ---- splitter ---- */

/* All lines that come out when the text is fed in pieces of `size`, joined by '|'. */
static void split(const char *text, size_t size, Buf *out)
{
    Splitter splitter;
    Str      line;
    splitter_init(&splitter, 64);
    for (Str rest = str_from(text); rest.len; rest = str_skip(rest, size)) {
        assert_true(splitter_feed(&splitter, (Str){rest.ptr, rest.len < size ? rest.len : size}));
        while (splitter_next(&splitter, &line)) {
            buf_append(out, line);
            buf_append_char(out, '|');
        }
    }
    splitter_release(&splitter);
}

static void lines_come_whole_whatever_the_pieces(void **state)
{
    (void)state;
    const char *text = "{\"a\":1}\n\n\r\n  \n{\"b\":2}\r\nlast\nunfinished";
    for (size_t size = 1; size < 50; size++) {
        Buf out = {0};
        split(text, size, &out);
        assert_str_equal(buf_str(&out), "{\"a\":1}|{\"b\":2}|last|");
        buf_release(&out);
    }
}

static void a_line_is_bounded(void **state)
{
    (void)state;
    Splitter splitter;
    Str      line;
    splitter_init(&splitter, 8);
    assert_true(splitter_feed(&splitter, STR("12345678\n1234")));
    assert_true(splitter_next(&splitter, &line));
    assert_str_equal(line, "12345678");
    assert_false(splitter_next(&splitter, &line));
    assert_true(splitter_feed(&splitter, STR("5678")));
    assert_false(splitter_feed(&splitter, STR("9")));
    splitter_release(&splitter);
}

/* ---- events ---- */

static LichessEvent event_of(const char *line)
{
    LichessEvent event;
    Err          err;
    if (!lichess_event_parse(str_from(line), &event, &err)) fail_msg("%s: %s", line, err.text);
    return event;
}

static void a_whole_game_is_read(void **state)
{
    (void)state;
    LichessEvent e = event_of(
        "{\"type\":\"gameFull\",\"id\":\"pG3WSP96\",\"variant\":{\"key\":\"chess960\"},\"speed\":\"blitz\",\"rated\":true,"
        "\"white\":{\"id\":\"akeem\",\"name\":\"Akeem\",\"title\":null,\"rating\":1523},"
        "\"black\":{\"id\":\"bot0\",\"name\":\"Bot0\",\"title\":\"BOT\",\"rating\":1500},"
        "\"clock\":{\"initial\":300000,\"increment\":2000},"
        "\"state\":{\"type\":\"gameState\",\"moves\":\"e2e4 c7c5\",\"wtime\":299000,\"btime\":298000,\"winc\":2000,"
        "\"binc\":2000,\"status\":\"started\",\"bdraw\":true,\"wtakeback\":true}}");
    assert_int_equal(e.kind, LICHESS_GAME_FULL);
    assert_str_equal(e.id, "pG3WSP96");
    assert_str_equal(e.game.variant, "chess960");
    assert_str_equal(e.game.start_fen, "startpos");
    assert_true(e.game.rated && e.game.has_clock);
    assert_true(e.game.players[BLACK].bot && !e.game.players[WHITE].bot);
    assert_int_equal(e.game.players[WHITE].rating, 1523);
    assert_str_equal(e.game.state.moves, "e2e4 c7c5");
    assert_int_equal(e.game.state.time_ms[BLACK], 298000);
    assert_int_equal(e.game.state.winner, -1);
    assert_true(e.game.state.draw_offered[BLACK] && !e.game.state.draw_offered[WHITE]);
    assert_true(e.game.state.takeback_asked[WHITE] && !e.game.state.takeback_asked[BLACK]);
    lichess_event_release(&e);
}

static void a_challenge_is_read(void **state)
{
    (void)state;
    LichessEvent e =
        event_of("{\"type\":\"challenge\",\"challenge\":{\"id\":\"7pGLxJ4F\",\"challenger\":{\"id\":\"lovlas\",\"name\":"
                 "\"Lovlas\",\"title\":\"IM\",\"rating\":2506},\"variant\":{\"key\":\"standard\"},\"rated\":true,"
                 "\"timeControl\":{\"type\":\"clock\",\"limit\":300,\"increment\":25},\"speed\":\"rapid\","
                 "\"rematchOf\":\"abcd\"}}");
    assert_int_equal(e.kind, LICHESS_CHALLENGE);
    assert_int_equal(e.challenge.base_s, 300);
    assert_int_equal(e.challenge.increment_s, 25);
    assert_true(e.challenge.has_clock && e.challenge.rated && !e.challenge.challenger.bot);
    assert_str_equal(e.challenge.rematch_of, "abcd");
    lichess_event_release(&e);
}

static void unknown_types_are_no_error(void **state)
{
    (void)state;
    LichessEvent e = event_of("{\"type\":\"somethingNew\",\"x\":[1,2]}");
    assert_int_equal(e.kind, LICHESS_OTHER);
    lichess_event_release(&e);
    e = event_of("{}");
    assert_int_equal(e.kind, LICHESS_OTHER);
    lichess_event_release(&e);
}

static void lines_without_a_meaning_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        "{",
        "[]",
        "7",
        "null",
        "\xff\xfe",
        "{\"type\":\"gameStart\"}",
        "{\"type\":\"gameStart\",\"game\":{\"gameId\":7}}",
        "{\"type\":\"gameStart\",\"game\":{\"gameId\":\"../../api\"}}",
        "{\"type\":\"challenge\",\"challenge\":{\"id\":\"a/b\"}}",
        "{\"type\":\"gameState\",\"status\":\"started\"}",
        "{\"type\":\"gameState\",\"moves\":7,\"status\":\"started\"}",
        "{\"type\":\"gameFull\",\"id\":\"abc\"}",
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        LichessEvent event;
        Err          err = {0};
        if (lichess_event_parse(str_from(lines[i]), &event, &err)) fail_msg("accepted: %s", lines[i]);
        assert_true(err.text[0] != '\0');
    }
}

/* Bytes of a good line changed at random: refused or read, never a crash. */
static void damaged_lines_do_no_harm(void **state)
{
    (void)state;
    const char *line = "{\"type\":\"gameFull\",\"id\":\"abc\",\"variant\":\"standard\",\"white\":{\"id\":\"x\"},\"black\":null,"
                       "\"state\":{\"moves\":\"e2e4\",\"status\":\"started\",\"wtime\":1.5,\"btime\":-3}}";
    Rng         rng  = rng_seeded(5);
    for (int i = 0; i < 20000; i++) {
        char         text[256];
        LichessEvent event;
        size_t       len = strlen(line);
        memcpy(text, line, len + 1);
        for (uint64_t k = rng_below(&rng, 4); k > 0; k--) text[rng_below(&rng, len)] = (char)rng_below(&rng, 256);
        if (lichess_event_parse((Str){text, (size_t)rng_below(&rng, len + 1)}, &event, NULL)) lichess_event_release(&event);
    }
}

static void errors_of_answers_become_one_line(void **state)
{
    (void)state;
    char text[40];
    lichess_error_text(STR("{\"error\":\"Not your\\nturn\"}"), text, sizeof text);
    assert_string_equal(text, "Not your turn");
    lichess_error_text(STR("<html>"), text, sizeof text);
    assert_string_equal(text, "");
    lichess_error_text(STR("{\"error\":{\"clock\":[\"bad\"]}}"), text, sizeof text);
    assert_string_equal(text, "{\"clock\":[\"bad\"]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_whole_whatever_the_pieces),
        cmocka_unit_test(a_line_is_bounded),
        cmocka_unit_test(a_whole_game_is_read),
        cmocka_unit_test(a_challenge_is_read),
        cmocka_unit_test(unknown_types_are_no_error),
        cmocka_unit_test(lines_without_a_meaning_are_refused),
        cmocka_unit_test(damaged_lines_do_no_harm),
        cmocka_unit_test(errors_of_answers_become_one_line),
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

/* test_session.c - whole games at the board, typed by a script: turns, commands, clocks, interrupts, saving. */
#include "term/session.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/level.h"
#include "support/testing.h"
#include "term/game_file.h"

/* Lines are typed one after the other. "^C" is Ctrl-C at the prompt, "^O" a fallen flag; after the last line
 * the input ends. `interrupts`: so often is the engine's thinking interrupted. */
typedef struct {
    const char *const *lines;
    int                interrupts;
    Buf                output;
} Script;

static TermEvent script_read_line(void *context, int64_t deadline_ns, Str *line)
{
    Script *script = context;
    (void)deadline_ns;
    if (!*script->lines) return TERM_END;
    const char *text = *script->lines++;
    if (strcmp(text, "^C") == 0) return TERM_INTERRUPT;
    if (strcmp(text, "^O") == 0) return TERM_TIMEOUT;
    *line = str_from(text);
    return TERM_LINE;
}

static TermEvent script_wait_for(void *context, int fd)
{
    Script       *script = context;
    struct pollfd ready  = {.fd = fd, .events = POLLIN};
    if (script->interrupts > 0) {
        script->interrupts--;
        return TERM_INTERRUPT;
    }
    while (poll(&ready, 1, -1) < 0) {}
    return TERM_READY;
}

static void script_write(void *context, Str text)
{
    Script *script = context;
    buf_append(&script->output, text);
}

static SessionConfig config_of(SessionMode mode)
{
    SessionConfig config = {.mode        = mode,
                            .person_name = "Ann",
                            .skill       = SKILL_MAX,
                            .time        = {.nodes = 500},
                            .threads     = 1,
                            .hash_mb     = 1,
                            .seed        = 1,
                            .date        = "2024.05.17",
                            .width       = 80};
    position_set_start(&config.start);
    return config;
}

/* Plays a script and returns the output, which the caller frees. */
static char *played(const SessionConfig *config, int interrupts, const char *const *lines)
{
    Err    err;
    bool   saved  = false;
    Script script = {.lines = lines, .interrupts = interrupts};
    TermIo io     = {.context = &script, .read_line = script_read_line, .wait_for = script_wait_for, .write = script_write};
    if (!session_run(config, &io, &saved, &err)) fail_msg("%s", err.text);
    assert_true(saved);
    assert_false(script.output.failed);
    return script.output.data;
}

#define PLAY(config, interrupts, ...) played(config, interrupts, (const char *const[]){__VA_ARGS__, NULL})

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part)) fail_msg("'%s' is in:\n%s", part, text);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) count++;
    return count;
}

static void a_game_by_hand_ends_with_mate(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_MANUAL);
    char         *text   = PLAY(&config, 0, "f3", "e5", "g4", "Qh4", "e4", "pgn", "quit");
    assert_contains(text, "0-1: Black wins by checkmate.");
    assert_contains(text, "The game is over");
    assert_contains(text, "1. f3 e5 2. g4 Qh4# 0-1");
    assert_contains(text, "[Termination \"Black wins by checkmate\"]");
    assert_contains(text, "Goodbye.");
    free(text);
}

static void the_engine_answers_and_takes_back(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_ENGINE);
    char         *text   = PLAY(&config, 0, "e4", "d4", "undo", "fen", "undo", "fen", "undo", "quit");
    assert_contains(text, "Black plays 1... ");
    assert_contains(text, "Black plays 2... ");
    assert_int_equal(count_of(text, "Black plays"), 2);
    assert_contains(text, " w KQkq - 0 2\n");
    assert_contains(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    assert_contains(text, "There is nothing to take back.");
    free(text);
}

static void a_person_may_play_black(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_ENGINE);
    config.person        = BLACK;
    config.book          = true;
    char *text           = PLAY(&config, 0, "undo", "resign");
    assert_contains(text, "White plays 1. ");
    assert_contains(text, "(book)");
    assert_contains(text, "   h  g  f  e  d  c  b  a");
    assert_contains(text, "There is nothing to take back.");
    assert_contains(text, "1-0: Black resigns.");
    free(text);
}

static void go_lets_the_engine_move_and_changes_sides(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_ENGINE);
    char         *text   = PLAY(&config, 0, "go", "quit");
    assert_contains(text, "White plays 1. ");
    assert_contains(text, "Black, move 1> ");
    free(text);
}

static void hints_evaluations_and_levels_are_told(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_ENGINE);
    config.start         = position_of("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    char *text = PLAY(&config, 0, "hint", "eval", "level", "level club", "level 99", "lines", "moves g1", "help", "quit");
    assert_contains(text, "Hint: Rd8#");
    assert_contains(text, "The engine says #1");
    assert_contains(text, "best is Rd8#.");
    assert_contains(text, "Level 20 of 20: full strength.");
    assert_contains(text, "Level 7 of 20: club player, about 1700 Elo.");
    assert_contains(text, "a level is 0 to 20");
    assert_contains(text, "thinks is shown");
    assert_contains(text, "Kf1 Kh1\n");
    assert_contains(text, "  resign ");
    free(text);
}

static void a_promotion_is_asked_for(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_MANUAL);
    config.start         = position_of("8/4P2k/8/8/8/8/8/4K3 w - - 0 1");
    char *text           = PLAY(&config, 0, "e8", "^C", "e7e8", "king", "n", "fen", "quit");
    assert_int_equal(count_of(text, "Promote to"), 3);
    assert_contains(text, "The move is not played.");
    assert_contains(text, "4N3/7k/8/8/8/8/8/4K3 b - - 0 1");
    free(text);
}

static void repetition_is_claimed_by_hand_and_by_the_engine(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_MANUAL);
    char *text = PLAY(&config, 0, "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "draw", "Ng8", "new", "e4", "draw", "quit");
    assert_contains(text, "1/2-1/2: a draw by agreement.");
    free(text);
    text = PLAY(&config, 0, "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "draw", "quit");
    assert_contains(text, "A draw may be claimed (threefold repetition): type draw.");
    assert_contains(text, "1/2-1/2: a draw by threefold repetition.");
    free(text);
}

static void random_and_watched_games_come_to_an_end(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_RANDOM);
    config.start         = position_of("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    char *text           = PLAY(&config, 0, "Ra7", "Rb8", "quit");
    assert_contains(text, "Black plays 1... Kg8");
    assert_contains(text, "1-0: White wins by checkmate.");
    free(text);
    config       = config_of(MODE_WATCH);
    config.start = position_of("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    text         = played(&config, 0, (const char *const[]){NULL});
    assert_contains(text, "White plays 1. Ra8#");
    assert_contains(text, "1-0: White wins by checkmate.");
    assert_lacks(text, "move 1>");
    assert_lacks(text, "quit>");
    free(text);
}

static void ctrl_c_stops_thinking_and_never_loses_the_game(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_ENGINE);
    config.time          = (TimeControl){.movetime_ms = 1000000};
    char *text           = PLAY(&config, 2, "e4", "^C", "fen", "quit");
    assert_contains(text, "Black plays 1... ");
    assert_contains(text, "Type quit (or press Ctrl-D) to leave");
    assert_contains(text, " w KQkq ");
    free(text);
    config.mode = MODE_WATCH;
    text        = PLAY(&config, 1, "fen", "quit");
    assert_contains(text, "White plays 1. ");
    assert_contains(text, "paused; Enter goes on> ");
    free(text);
}

static void a_fallen_flag_loses(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_ENGINE);
    config.time          = (TimeControl){.base_ms = 60000, .inc_ms = 1000};
    char *text           = PLAY(&config, 0, "^O", "quit");
    assert_contains(text, "  1:00");
    assert_contains(text, "0-1: White ran out of time.");
    free(text);
    config.start = position_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    text         = PLAY(&config, 0, "^O", "quit");
    assert_contains(text, "1/2-1/2: White ran out of time, but a bare king cannot win.");
    free(text);
}

static void games_are_saved_in_their_own_place(void **state)
{
    (void)state;
    char   folder[] = "/tmp/tabia-test-XXXXXX", path[64], load[80];
    size_t len;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/new/games.pgn", folder);
    snprintf(load, sizeof load, "load %s 2", path);
    SessionConfig config = config_of(MODE_MANUAL);
    config.save_path     = path;
    char *text           = PLAY(&config, 0, "e4", "save", "e5", "new", "d4", "d5", "c4");
    assert_int_equal(count_of(text, "The game is saved in "), 2);
    free(text);
    char *games = read_file_text(path, &len);
    assert_int_equal(count_of(games, "[Event "), 2);
    assert_contains(games, "1. e4 e5 *\n\n[Event ");
    assert_contains(games, "1. d4 d5 2. c4 *\n");
    assert_contains(games, "[White \"Ann\"]");
    free(games);
    text = PLAY(&config, 0, load, "fen", "load nothing.pgn", "load", "fen 8/8/8/8 w", "save /proc/no/such", "quit");
    assert_contains(text, "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2");
    assert_contains(text, "Which game?");
    assert_contains(text, "nothing.pgn");
    assert_contains(text, "cannot write /proc/no/such");
    free(text);
    games = read_file_text(path, &len);
    assert_int_equal(count_of(games, "[Event "), 2); /* a loaded game is not saved again as long as nothing was played */
    free(games);
    unlink(path);
    snprintf(path, sizeof path, "%s/new", folder);
    rmdir(path);
    rmdir(folder);
}

static void nonsense_is_answered_and_does_nothing(void **state)
{
    (void)state;
    SessionConfig config = config_of(MODE_MANUAL);
    char         *text   = PLAY(&config, 0, "", "e9", "Ke2", "hnit", "\xff\xfe", "new green", "fen", "quit");
    assert_contains(text, "Your own pawn stands on e2");
    assert_contains(text, "did you mean hint?");
    assert_contains(text, "new, new white or new black.");
    assert_contains(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_by_hand_ends_with_mate),
        cmocka_unit_test(the_engine_answers_and_takes_back),
        cmocka_unit_test(a_person_may_play_black),
        cmocka_unit_test(go_lets_the_engine_move_and_changes_sides),
        cmocka_unit_test(hints_evaluations_and_levels_are_told),
        cmocka_unit_test(a_promotion_is_asked_for),
        cmocka_unit_test(repetition_is_claimed_by_hand_and_by_the_engine),
        cmocka_unit_test(random_and_watched_games_come_to_an_end),
        cmocka_unit_test(ctrl_c_stops_thinking_and_never_loses_the_game),
        cmocka_unit_test(a_fallen_flag_loses),
        cmocka_unit_test(games_are_saved_in_their_own_place),
        cmocka_unit_test(nonsense_is_answered_and_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_player.c - players of every kind: the random mover is uniform and seeded; bad engines are named and restarted. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <errno.h>

#include "base/clock.h"
#include "chess/movegen.h"
#include "player/player.h"
#include "support/testing.h"

static const TimeControl DEPTH_3 = {.depth = 3};
static const TimeControl LONG    = {.movetime_ms = 20000}; /* enough on a busy machine */
static const TimeControl SHORT   = {.movetime_ms = 150};   /* for those who will not answer anyway */

static PlayerSpec spec_of(const char *text)
{
    PlayerSpec spec;
    Err        err = {0};
    if (!player_spec_parse(str_from(text), STR(""), &spec, &err)) fail_msg("%s: %s", text, err.text);
    return spec;
}

static PlayerPatience test_patience(void)
{
    return (PlayerPatience){.start_ms = 20000, .ready_ms = 20000, .think_ms = 20000, .stop_ms = 20000, .quit_ms = 200};
}

static Player *player_of(const PlayerSpec *spec, PlayerPatience patience)
{
    Err     err;
    Player *player = player_new(spec, &patience, &err);
    if (!player) fail_msg("%s", err.text);
    return player;
}

static Game new_game(void)
{
    Game     game;
    Position start;
    position_set_start(&start);
    assert_true(game_init(&game, &start));
    return game;
}

static bool think(Player *player, const Game *game, const TimeControl *tc, PlayerAnswer *answer)
{
    GameClock clock;
    clock_start(&clock, tc);
    int64_t  allowed = clock_allowed_ns(&clock);
    PlayerGo go      = {.clocks = {&clock, &clock}, .limit_ns = allowed};
    return player_think(player, game, &go, answer);
}

static void assert_no_children(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* ---- random ---- */

static void the_random_mover_is_uniform(void **state)
{
    (void)state;
    PlayerSpec spec   = spec_of("random");
    Player    *player = player_of(&spec, test_patience());
    Game       game   = new_game();
    enum { GAMES = 20000, MOVES = 20 };
    int      counts[MOVES] = {0};
    MoveList list;
    movegen_legal(&game.now, &list);
    assert_int_equal(list.count, MOVES);
    for (uint64_t i = 0; i < GAMES; i++) {
        PlayerAnswer answer;
        assert_true(player_begin_game(player, &(PlayerGame){.seed = i}, &answer));
        assert_true(think(player, &game, &DEPTH_3, &answer));
        int k = 0;
        while (k < MOVES && list.moves[k] != answer.move) k++;
        assert_in_range(k, 0, MOVES - 1);
        counts[k]++;
    }
    double chi2 = 0, expected = (double)GAMES / MOVES;
    for (int i = 0; i < MOVES; i++) chi2 += (counts[i] - expected) * (counts[i] - expected) / expected;
    assert_true(chi2 < 43.8); /* 19 degrees of freedom: beyond this once in a thousand; the seeds are fixed */
    game_release(&game);
    player_free(player);
    player_spec_release(&spec);
}

static Move first_random_move(const char *text, uint64_t seed)
{
    PlayerSpec   spec   = spec_of(text);
    Player      *player = player_of(&spec, test_patience());
    Game         game   = new_game();
    PlayerAnswer answer;
    uint64_t     mix = 0;
    assert_true(player_begin_game(player, &(PlayerGame){.seed = seed}, &answer));
    for (int i = 0; i < 3; i++) { /* three moves as one number */
        assert_true(think(player, &game, &DEPTH_3, &answer));
        mix = mix * 31 + answer.move;
    }
    game_release(&game);
    player_free(player);
    player_spec_release(&spec);
    return (Move)mix;
}

static void the_random_mover_depends_on_its_seeds_alone(void **state)
{
    (void)state;
    assert_int_equal(first_random_move("random:seed=5", 9), first_random_move("random:seed=5", 9));
    assert_int_not_equal(first_random_move("random:seed=5", 9), first_random_move("random:seed=6", 9));
    assert_int_not_equal(first_random_move("random:seed=5", 9), first_random_move("random:seed=5", 10));
}

/* ---- foreign engines ---- */

typedef struct {
    const char  *mode;
    PlayerStatus start;  /* of player_begin_game */
    PlayerStatus answer; /* of player_think, at the first move */
    const char  *says;   /* part of the sentence */
    PlayerState  after;
} Misbehaviour;

static const Misbehaviour misbehaviours[] = {
    {"good", PLAYER_FINE, PLAYER_FINE, "", PLAYER_IDLE},
    {"exit-at-start", PLAYER_CRASHED, PLAYER_FINE, "exit status 3", PLAYER_OFF},
    {"exit", PLAYER_FINE, PLAYER_CRASHED, "exit status 7", PLAYER_OFF},
    {"segv", PLAYER_FINE, PLAYER_CRASHED, "segmentation fault", PLAYER_OFF},
    {"close", PLAYER_FINE, PLAYER_CRASHED, "closed its output", PLAYER_OFF},
    {"late", PLAYER_FINE, PLAYER_FINE, "", PLAYER_IDLE}, /* the runner looks at the time */
    {"stall", PLAYER_FINE, PLAYER_STALLED, "told to stop", PLAYER_OFF},
    {"deaf", PLAYER_FINE, PLAYER_STALLED, "told to stop", PLAYER_OFF},
    {"flood", PLAYER_FINE, PLAYER_STALLED, "told to stop", PLAYER_OFF},
    {"flood-lines", PLAYER_FINE, PLAYER_STALLED, "told to stop", PLAYER_OFF},
    {"illegal", PLAYER_FINE, PLAYER_ILLEGAL, "'e2e5'", PLAYER_IDLE},
    {"garbage-move", PLAYER_FINE, PLAYER_ILLEGAL, "'zz", PLAYER_IDLE},
    {"none", PLAYER_FINE, PLAYER_ILLEGAL, "'bestmove (none)'", PLAYER_IDLE},
    {"null", PLAYER_FINE, PLAYER_ILLEGAL, "'bestmove 0000'", PLAYER_IDLE},
    {"empty", PLAYER_FINE, PLAYER_ILLEGAL, "'bestmove'", PLAYER_IDLE},
    {"garbage", PLAYER_FINE, PLAYER_FINE, "", PLAYER_IDLE},
    {"huge", PLAYER_FINE, PLAYER_FINE, "", PLAYER_IDLE},
    {"double", PLAYER_FINE, PLAYER_FINE, "", PLAYER_IDLE},
    {"stderr", PLAYER_FINE, PLAYER_FINE, "", PLAYER_IDLE},
};

static void check_misbehaviour(const Misbehaviour *m)
{
    char         text[128];
    PlayerAnswer answer;
    snprintf(text, sizeof text, "cmd=tests/support/bad_engine.py %s 1", m->mode);
    PlayerSpec     spec     = spec_of(text);
    PlayerPatience patience = test_patience();
    if (m->answer == PLAYER_STALLED) patience.stop_ms = 300; /* the others answer, however busy the machine is */
    Player *player = player_of(&spec, patience);
    Game    game   = new_game();
    for (int round = 0; round < 2; round++) { /* the second game shows that it was restarted, or left usable */
        player_begin_game(player, &(PlayerGame){0}, &answer);
        if (answer.status != m->start)
            fail_msg("%s begins with '%s': %s", m->mode, player_status_text(answer.status), answer.text);
        if (m->start == PLAYER_FINE) {
            think(player, &game, m->answer == PLAYER_STALLED || strcmp(m->mode, "late") == 0 ? &SHORT : &LONG, &answer);
            if (answer.status != m->answer) fail_msg("%s: '%s': %s", m->mode, player_status_text(answer.status), answer.text);
        }
        if (!strstr(answer.text, m->says)) fail_msg("%s: '%s' does not say '%s'", m->mode, answer.text, m->says);
        assert_int_equal(player_state(player), m->after);
        if (player_state(player) == PLAYER_OFF) assert_no_children();
    }
    player_free(player);
    game_release(&game);
    player_spec_release(&spec);
    assert_no_children();
}

static void misbehaving_engines_are_named_and_restarted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(misbehaviours); i++) check_misbehaviour(&misbehaviours[i]);
}

static void an_engine_that_never_gets_ready_is_given_up(void **state)
{
    (void)state;
    PlayerPatience patience = {.start_ms = 200, .ready_ms = 200, .think_ms = 200, .stop_ms = 100, .quit_ms = 100};
    const char    *texts[]  = {"cmd=tests/support/bad_engine.py silent-at-start", "cmd=cat"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        PlayerSpec   spec   = spec_of(texts[i]);
        Player      *player = player_of(&spec, patience);
        PlayerAnswer answer;
        assert_false(player_begin_game(player, &(PlayerGame){0}, &answer));
        assert_int_equal(answer.status, PLAYER_STALLED);
        assert_non_null(strstr(answer.text, "uciok"));
        player_free(player);
        player_spec_release(&spec);
    }
    assert_no_children();
}

/* A second bestmove for the last position is not taken for an answer to the next: the knight would move twice. */
static void a_stale_answer_is_thrown_away(void **state)
{
    (void)state;
    PlayerSpec   spec   = spec_of("cmd=tests/support/bad_engine.py double 1");
    Player      *player = player_of(&spec, test_patience());
    Game         game   = new_game();
    PlayerAnswer answer;
    assert_true(player_begin_game(player, &(PlayerGame){0}, &answer));
    for (int i = 0; i < 6; i++) {
        if (!think(player, &game, &LONG, &answer)) fail_msg("%s", answer.text);
        assert_true(game_play(&game, answer.move));
    }
    player_free(player);
    game_release(&game);
    player_spec_release(&spec);
}

static void wrong_descriptions_are_told_apart_from_crashes(void **state)
{
    (void)state;
    const char *cases[][2] = {
        {"cmd=/no/such/engine", "/no/such/engine"},
        {"cmd=no-such-engine-anywhere", "no-such-engine-anywhere"},
        {"cmd=tests/support/bad_engine.py good,Hash=65", "Hash"},
        {"cmd=tests/support/bad_engine.py good,Hush=16", "'Hush'"},
        {"cmd=tests/support/bad_engine.py good,Mood=happy", "Mood"},
        {"tabia:Hush=16", "Hush"},
        {"tabia:Hash=many", "Hash"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        PlayerSpec   spec   = spec_of(cases[i][0]);
        Player      *player = player_of(&spec, test_patience());
        PlayerAnswer answer;
        assert_false(player_begin_game(player, &(PlayerGame){0}, &answer));
        if (answer.status != PLAYER_UNUSABLE) fail_msg("%s: %s", cases[i][0], answer.text);
        if (!strstr(answer.text, cases[i][1])) fail_msg("'%s' does not name %s", answer.text, cases[i][1]);
        player_free(player);
        player_spec_release(&spec);
    }
    assert_no_children();
}

static void scores_and_depths_are_read(void **state)
{
    (void)state;
    PlayerSpec   spec   = spec_of("cmd=tests/support/bad_engine.py score,Mood=very bad");
    Player      *player = player_of(&spec, test_patience());
    Game         game   = new_game();
    PlayerAnswer answer;
    assert_true(player_begin_game(player, &(PlayerGame){0}, &answer));
    assert_true(think(player, &game, &LONG, &answer));
    assert_true(answer.has_score);
    assert_int_equal(answer.score, -900);
    assert_int_equal(answer.depth, 3);
    assert_int_equal(answer.nodes, 5);
    player_free(player);
    game_release(&game);
    player_spec_release(&spec);
}

/* ---- ours ---- */

static void our_engine_plays_and_counts_its_time(void **state)
{
    (void)state;
    PlayerSpec   spec   = spec_of("tabia:Hash=1");
    Player      *player = player_of(&spec, test_patience());
    Game         game   = new_game();
    PlayerAnswer answer;
    assert_true(player_begin_game(player, &(PlayerGame){0}, &answer));
    for (int i = 0; i < 4; i++) {
        if (!think(player, &game, &DEPTH_3, &answer)) fail_msg("%s", answer.text);
        assert_true(answer.has_score);
        assert_int_equal(answer.depth, 3);
        assert_true(answer.elapsed_ns > 0);
        assert_true(game_play(&game, answer.move));
    }
    player_free(player);
    game_release(&game);
    player_spec_release(&spec);
}

/* Lines of our own engine: as many as MultiPV says, all different, the move played first. */
static void the_best_lines_are_collected(void **state)
{
    (void)state;
    PlayerSpec   spec   = spec_of("tabia:MultiPV=4");
    Player      *player = player_of(&spec, test_patience());
    Game         game   = new_game();
    PlayerGame   begin  = {.seed = 1};
    PlayerAnswer answer;
    GameClock    clock;
    clock_start(&clock, &DEPTH_3);
    for (int wanted = 4; wanted <= 5; wanted++) { /* five are never shown */
        PlayerLines lines = {.wanted = wanted};
        PlayerGo    go    = {.clocks = {&clock, &clock}, .limit_ns = clock_allowed_ns(&clock), .lines = &lines};
        assert_true(player_begin_game(player, &begin, &answer) && player_think(player, &game, &go, &answer));
        assert_int_equal(lines.count, wanted == 4 ? 4 : 0);
        for (int i = 0; i < lines.count; i++) {
            for (int k = 0; k < i; k++) assert_int_not_equal(lines.moves[i], lines.moves[k]);
        }
        if (lines.count) assert_int_equal(lines.moves[0], answer.move);
    }
    player_free(player);
    player_spec_release(&spec);
    game_release(&game);
}

static void an_interrupt_ends_any_wait(void **state)
{
    (void)state;
    const char *texts[] = {"tabia:Hash=1", "cmd=tests/support/bad_engine.py good", "random"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        PlayerSpec   spec   = spec_of(texts[i]);
        Player      *player = player_of(&spec, test_patience());
        Game         game   = new_game();
        PlayerAnswer answer;
        assert_true(player_begin_game(player, &(PlayerGame){0}, &answer));
        player_interrupt(player);
        assert_false(think(player, &game, &DEPTH_3, &answer));
        assert_int_equal(answer.status, PLAYER_INTERRUPTED);
        assert_false(player_begin_game(player, &(PlayerGame){0}, &answer));
        assert_int_equal(answer.status, PLAYER_INTERRUPTED);
        player_free(player);
        game_release(&game);
        player_spec_release(&spec);
    }
}

static int open_descriptors(void)
{
    DIR *dir   = opendir("/proc/self/fd");
    int  count = 0;
    if (!dir) return -1;
    while (readdir(dir)) count++;
    closedir(dir);
    return count;
}

static void no_descriptor_is_left_behind(void **state)
{
    (void)state;
    int before = open_descriptors();
    if (before < 0) skip();
    check_misbehaviour(&misbehaviours[0]);
    check_misbehaviour(&misbehaviours[2]);
    assert_int_equal(open_descriptors(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_random_mover_is_uniform),
        cmocka_unit_test(the_random_mover_depends_on_its_seeds_alone),
        cmocka_unit_test(misbehaving_engines_are_named_and_restarted),
        cmocka_unit_test(an_engine_that_never_gets_ready_is_given_up),
        cmocka_unit_test(a_stale_answer_is_thrown_away),
        cmocka_unit_test(wrong_descriptions_are_told_apart_from_crashes),
        cmocka_unit_test(scores_and_depths_are_read),
        cmocka_unit_test(our_engine_plays_and_counts_its_time),
        cmocka_unit_test(the_best_lines_are_collected),
        cmocka_unit_test(an_interrupt_ends_any_wait),
        cmocka_unit_test(no_descriptor_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

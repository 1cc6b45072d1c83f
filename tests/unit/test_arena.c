/* test_arena.c - the parts of a tournament: schedule, openings, adjudication, standings, and games with players that err. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "arena/openings.h"
#include "arena/play.h"
#include "arena/standings.h"
#include "chess/notation.h"
#include "support/testing.h"

/* ---- schedule ---- */

static void every_pair_meets_equally_often_with_both_colours(void **state)
{
    (void)state;
    enum { N = 5 };
    const ScheduleType types[]    = {SCHEDULE_ROUND_ROBIN, SCHEDULE_GAUNTLET, SCHEDULE_HEAD_TO_HEAD};
    const uint64_t     pairings[] = {10, 4, 2};
    for (int t = 0; t < 3; t++) {
        Schedule s         = {.type = types[t], .engines = t == 2 ? 4 : N, .games = 6};
        int      met[N][N] = {0};
        assert_int_equal(schedule_pairings(&s), pairings[t]);
        assert_int_equal(schedule_games(&s), pairings[t] * 6);
        for (uint64_t id = 0; id < schedule_units(&s) * 2; id++) {
            ScheduledGame g = schedule_game(&s, id);
            met[g.white][g.black]++;
            assert_int_equal(g.round, id / 2 / pairings[t]);
            assert_int_equal(g.first, id % 2 ? g.black : g.white);
        }
        for (int a = 0; a < s.engines; a++) {
            for (int b = 0; b < s.engines; b++) {
                bool meet = t == 0 ? a != b : t == 1 ? (a == 0) != (b == 0) : a / 2 == b / 2 && a != b;
                assert_int_equal(met[a][b], meet ? 3 : 0);
            }
        }
    }
}

static void an_odd_number_of_games_ends_with_a_single_one(void **state)
{
    (void)state;
    Schedule s = {.type = SCHEDULE_ROUND_ROBIN, .engines = 2, .games = 5};
    assert_int_equal(schedule_units(&s), 3);
    assert_int_equal(schedule_games(&s), 5);
    assert_int_equal(schedule_unit_games(&s, 1), 2);
    assert_int_equal(schedule_unit_games(&s, 2), 1);
}

static void a_longer_tournament_begins_like_a_shorter_one(void **state)
{
    (void)state;
    Schedule a = {.type = SCHEDULE_ROUND_ROBIN, .engines = 4, .games = 4}, b = a;
    b.games = 40;
    for (uint64_t id = 0; id < schedule_units(&a) * 2; id++) {
        ScheduledGame x = schedule_game(&a, id), y = schedule_game(&b, id);
        assert_int_equal(x.white, y.white);
        assert_int_equal(x.black, y.black);
        assert_int_equal(x.round, y.round);
    }
}

/* ---- openings ---- */

static const char *file_of(const char *name, const char *text, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "/tmp/tabia-test-%ld-%s", (long)getpid(), name);
    FILE *file = fopen(path, "w");
    if (!file) fail_msg("cannot write %s", path);
    fputs(text, file);
    fclose(file);
    return path;
}

static const char EPD[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 ; id \"one\";\n"
                          "\n# a remark\n"
                          "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\r\n"
                          "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1";

static void openings_come_from_epd_in_a_seeded_order(void **state)
{
    (void)state;
    char     path[PATH_SIZE];
    Openings openings, again;
    Err      err;
    Game     game;
    Position start;
    position_set_start(&start);
    assert_true(game_init(&game, &start));
    assert_true(openings_load(file_of("a.epd", EPD, path), 0, false, &openings, &err));
    assert_int_equal(openings.count, 3);
    assert_true(openings_begin(&openings, 4, &game)); /* they repeat */
    assert_int_equal(position_piece_on(&game.start, D4), W_PAWN);
    assert_true(openings_load(path, 0, false, &again, &err));
    openings_shuffle(&openings, 7);
    openings_shuffle(&again, 7);
    for (size_t i = 0; i < 3; i++) assert_int_equal(openings.items[i].fen_at, again.items[i].fen_at);
    bool differs = false; /* among six orders some seed gives another */
    for (uint64_t seed = 8; seed < 40; seed++) {
        openings_shuffle(&again, seed);
        differs = differs || openings.items[0].fen_at != again.items[0].fen_at;
    }
    assert_true(differs);
    openings_release(&openings);
    openings_release(&again);
    game_release(&game);
    remove(path);
}

static void openings_from_pgn_keep_their_moves(void **state)
{
    (void)state;
    static const char PGN[] =
        "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {good} Nc6 *\n\n[Event \"?\"]\n\n1. d4 d5 1-0\n";
    char     path[PATH_SIZE];
    Openings openings;
    Err      err;
    Game     game;
    Position start;
    position_set_start(&start);
    assert_true(game_init(&game, &start));
    if (!openings_load(file_of("a.pgn", PGN, path), 3, false, &openings, &err)) fail_msg("%s", err.text);
    assert_int_equal(openings.count, 2);
    assert_true(openings_begin(&openings, 0, &game));
    assert_int_equal(game.plies, 3);
    assert_int_equal(game.moves[2], move_make(G1, F3));
    assert_true(openings_begin(&openings, 1, &game));
    assert_int_equal(game.plies, 2);
    openings_release(&openings);
    game_release(&game);
    remove(path);
}

static void bad_openings_are_named_by_file_and_line(void **state)
{
    (void)state;
    const char *cases[][3] = {
        {"b.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nwibble\n", "b.epd:2"},
        {"b.epd", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "b.epd:1"}, /* stalemate */
        {"b.epd", "\n\n", "no opening"},
        {"b.epd", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\n", "chess960"},
        {"b.pgn", "1. e4 e5 2. Ke3 *\n", "b.pgn:1"},
        {"b.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n", "checkmate"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char     path[PATH_SIZE];
        Openings openings;
        Err      err = {0};
        if (openings_load(file_of(cases[i][0], cases[i][1], path), 0, false, &openings, &err))
            fail_msg("accepted: %s", cases[i][1]);
        if (!strstr(err.text, cases[i][2])) fail_msg("'%s' does not say '%s'", err.text, cases[i][2]);
        remove(path);
    }
    Openings openings;
    Err      err;
    assert_false(openings_load("/no/such/file.epd", 0, false, &openings, &err));
}

static void the_openings_of_our_own_are_legal_and_differ(void **state)
{
    (void)state;
    Openings openings;
    Err      err;
    Game     games[2];
    Position start;
    position_set_start(&start);
    if (!openings_builtin(false, &openings, &err)) fail_msg("%s", err.text);
    assert_int_equal(openings.count, 64);
    assert_true(game_init(&games[0], &start) && game_init(&games[1], &start));
    for (size_t i = 0; i < openings.count; i++) {
        assert_true(openings_begin(&openings, i, &games[0]));
        assert_int_equal(game_end(&games[0]), END_NONE);
        for (size_t j = 0; j < i; j++) {
            assert_true(openings_begin(&openings, j, &games[1]));
            assert_int_not_equal(games[0].now.key, games[1].now.key);
        }
    }
    game_release(&games[0]);
    game_release(&games[1]);
    openings_release(&openings);
}

/* ---- adjudication ---- */

static Game game_at(const char *fen)
{
    Game     game;
    Position pos = position_of(fen);
    assert_true(game_init(&game, &pos));
    return game;
}

static void a_side_that_calls_itself_lost_long_enough_loses(void **state)
{
    (void)state;
    AdjudicationRules rules = {0};
    AdjudicationState s     = {0};
    Game              game  = game_at("4k3/8/8/8/8/8/4P3/4K3 b - - 0 10");
    Result            result;
    assert_true(adjudicate_parse_resign(STR("movecount=3,score=400"), &rules, NULL));
    assert_int_equal(adjudicate_move(&rules, &s, &game, WHITE, true, -400, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &game, BLACK, true, 500, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &game, WHITE, true, -900, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &game, WHITE, true, -399, &result), ADJUDICATE_NONE); /* begins anew */
    assert_int_equal(adjudicate_move(&rules, &s, &game, WHITE, true, -400, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &game, WHITE, true, -400, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &game, WHITE, true, -400, &result), ADJUDICATE_RESIGN);
    assert_int_equal(result, RESULT_BLACK_WINS);
    game_release(&game);
}

static void with_two_sides_the_winner_must_agree(void **state)
{
    (void)state;
    AdjudicationRules rules = {0};
    AdjudicationState s     = {0};
    Game              game  = game_at("4k3/8/8/8/8/8/4P3/4K3 b - - 0 10");
    Result            result;
    assert_true(adjudicate_parse_resign(STR("movecount=1 score=400 twosided=1"), &rules, NULL));
    assert_int_equal(adjudicate_move(&rules, &s, &game, BLACK, true, -500, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &game, WHITE, true, 500, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &game, BLACK, true, -500, &result), ADJUDICATE_RESIGN);
    assert_int_equal(result, RESULT_WHITE_WINS);
    game_release(&game);
}

static void level_scores_are_a_draw_only_late_enough(void **state)
{
    (void)state;
    AdjudicationRules rules = {0};
    AdjudicationState s     = {0};
    Game              early = game_at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 40"), late = game_at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 41");
    Result            result;
    assert_true(adjudicate_parse_draw(STR("movenumber=40,movecount=2,score=10"), &rules, NULL));
    for (int i = 0; i < 6; i++) assert_int_equal(adjudicate_move(&rules, &s, &early, BLACK, true, 10, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &late, BLACK, true, -11, &result), ADJUDICATE_NONE);
    for (int i = 0; i < 3; i++) assert_int_equal(adjudicate_move(&rules, &s, &late, BLACK, true, -10, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &late, BLACK, false, 0, &result), ADJUDICATE_NONE); /* nobody said anything */
    for (int i = 0; i < 3; i++) assert_int_equal(adjudicate_move(&rules, &s, &late, BLACK, true, 0, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &late, BLACK, true, 0, &result), ADJUDICATE_DRAW);
    assert_int_equal(result, RESULT_DRAW);
    game_release(&early);
    game_release(&late);
}

static bool knows_white_wins(void *context, const Position *pos, Result *out)
{
    (void)pos;
    *out = RESULT_WHITE_WINS;
    return ++*(int *)context >= 2;
}

static void tables_and_the_move_limit_end_games(void **state)
{
    (void)state;
    int               asked = 0;
    AdjudicationRules rules = {.probe = knows_white_wins, .probe_context = &asked};
    AdjudicationState s     = {0};
    Game              game  = game_at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 40");
    Result            result;
    assert_int_equal(adjudicate_move(&rules, &s, &game, BLACK, false, 0, &result), ADJUDICATE_NONE);
    assert_int_equal(adjudicate_move(&rules, &s, &game, BLACK, false, 0, &result), ADJUDICATE_TABLES);
    assert_int_equal(result, RESULT_WHITE_WINS);
    rules = (AdjudicationRules){.max_moves = 1};
    assert_true(game_play(&game, move_of(&game.now, "e2e3")));
    assert_int_equal(adjudicate_move(&rules, &s, &game, WHITE, false, 0, &result), ADJUDICATE_NONE);
    assert_true(game_play(&game, move_of(&game.now, "e8e7")));
    assert_int_equal(adjudicate_move(&rules, &s, &game, BLACK, false, 0, &result), ADJUDICATE_LENGTH);
    game_release(&game);
}

static void bad_rules_are_refused(void **state)
{
    (void)state;
    AdjudicationRules rules = {0};
    Err               err;
    assert_false(adjudicate_parse_resign(STR("movecount=0"), &rules, &err));
    assert_false(adjudicate_parse_resign(STR("wibble=3"), &rules, &err));
    assert_false(adjudicate_parse_draw(STR("movenumber=x"), &rules, &err));
    assert_int_equal(rules.resign_moves, 0);
    assert_int_equal(rules.draw_moves, 0);
}

/* ---- standings ---- */

static void pairs_are_counted_once_both_games_are_there(void **state)
{
    (void)state;
    Schedule  schedule = {.type = SCHEDULE_ROUND_ROBIN, .engines = 2, .games = 7};
    Standings s;
    assert_true(standings_init(&s, &schedule, NULL));
    standings_add(&s, 0, RESULT_WHITE_WINS, OVER_CHECKMATE, 10);
    standings_add(&s, 3, RESULT_DRAW, OVER_REPETITION, 10); /* the second game of a pair first */
    standings_add(&s, 1, RESULT_BLACK_WINS, OVER_TIME, 10); /* engine 1 had White: it is late */
    assert_int_equal(standings_pairs(&s, 0, 1).pairs[4], 1);
    standings_add(&s, 2, RESULT_BLACK_WINS, OVER_ILLEGAL, 10); /* engine 0 had White and erred */
    standings_add(&s, 4, RESULT_DRAW, OVER_STALEMATE, 10);
    standings_add(&s, 5, RESULT_WHITE_WINS, OVER_STALL, 10); /* engine 0 had Black and stalled */
    standings_add(&s, 6, RESULT_BLACK_WINS, OVER_CRASH, 10); /* no partner will come */
    Pentanomial    p = standings_pairs(&s, 0, 1), q = standings_pairs(&s, 1, 0);
    const uint64_t expected[] = {0, 2, 0, 0, 1};
    for (int i = 0; i < PENTANOMIAL_KINDS; i++) {
        assert_int_equal(p.pairs[i], expected[i]);
        assert_int_equal(q.pairs[i], expected[4 - i]);
    }
    assert_int_equal(s.engines[0].games.wins, 2);
    assert_int_equal(s.engines[0].games.draws, 2);
    assert_int_equal(s.engines[0].games.losses, 3);
    assert_int_equal(s.engines[1].timeouts, 1);
    assert_int_equal(s.engines[0].illegal, 1);
    assert_int_equal(s.engines[0].timeouts, 1);
    assert_int_equal(s.engines[0].stalls, 1);
    assert_int_equal(s.engines[0].crashes, 1);
    assert_int_equal(s.games, 7);
    assert_true(standings_estimate(&s, 0, 1).games == 7);
    standings_release(&s);
}

/* ---- one game ---- */

typedef struct {
    const char *white, *black;
    Result      result;
    GameOver    over;
} OneGame;

static Player *player_of(PlayerSpec *spec, const char *text)
{
    Err            err;
    PlayerPatience patience = {.start_ms = 20000, .ready_ms = 20000, .think_ms = 20000, .stop_ms = 3000, .quit_ms = 300};
    if (!player_spec_parse(str_from(text), STR(""), spec, &err)) fail_msg("%s", err.text);
    return player_new(spec, &patience, &err);
}

static void play_one(const OneGame *one, const AdjudicationRules *rules, GameRecord *record)
{
    PlayerSpec  specs[2];
    TimeControl limits = {.movetime_ms = 20000}; /* enough on a busy machine; those who will not answer bring less */
    PlaySetup   setup  = {
           {player_of(&specs[0], one->white), player_of(&specs[1], one->black)}, {&limits, &limits}, -1, rules, false, 3};
    for (int i = 0; i < 2; i++) {
        if (specs[i].has_limits) setup.limits[i] = &specs[i].limits;
    }
    assert_true(record_init(record));
    assert_int_equal(play_game(&setup, record), PLAY_FINISHED);
    if (record->result != one->result || record->over != one->over)
        fail_msg("%s - %s: %s %s (%s)", one->white, one->black, result_text(record->result), game_over_name(record->over),
                 record->text);
    for (int i = 0; i < 2; i++) {
        player_free(setup.players[i]);
        player_spec_release(&specs[i]);
    }
}

#define BAD(mode) "cmd=tests/support/bad_engine.py " mode

static void the_one_at_fault_loses_with_the_reason_on_record(void **state)
{
    (void)state;
    const OneGame games[] = {
        {BAD("good"), BAD("good"), RESULT_DRAW, OVER_REPETITION},
        {BAD("exit"), BAD("good"), RESULT_BLACK_WINS, OVER_CRASH},
        {BAD("good"), BAD("exit"), RESULT_WHITE_WINS, OVER_CRASH},
        {BAD("good"), BAD("late 2") ",st=0.2", RESULT_WHITE_WINS, OVER_TIME},
        {BAD("stall 1") ",st=0.2", BAD("good"), RESULT_BLACK_WINS, OVER_STALL},
        {BAD("illegal"), BAD("good"), RESULT_BLACK_WINS, OVER_ILLEGAL},
        {BAD("good"), BAD("exit-at-start"), RESULT_WHITE_WINS, OVER_CRASH},
        {BAD("good"), "cmd=/no/such/engine", RESULT_WHITE_WINS, OVER_UNUSABLE},
    };
    AdjudicationRules rules = {0};
    for (size_t i = 0; i < COUNT_OF(games); i++) {
        GameRecord record;
        play_one(&games[i], &rules, &record);
        record_release(&record);
    }
}

static void adjudication_reaches_the_record_and_the_pgn(void **state)
{
    (void)state;
    OneGame           one   = {BAD("good"), BAD("score"), RESULT_WHITE_WINS, OVER_RESIGN};
    AdjudicationRules rules = {.resign_moves = 2, .resign_score = 400};
    GameRecord        record;
    Buf               pgn    = {0};
    TimeControl       limits = {.base_ms = 4000, .inc_ms = 40};
    RecordTags        tags   = {"a \"match\"", {"A", "B"}, {&limits, &limits}};
    play_one(&one, &rules, &record);
    record.id = 7;
    assert_true(record_write_pgn(&record, &tags, &pgn));
    const char *parts[] = {"[Event \"a \\\"match\\\"\"]", "[Round \"4.2\"]",  "[Termination \"adjudication\"]",
                           "[TimeControl \"4+0.04\"]",    "[PlyCount \"4\"]", "{-9.00/3",
                           "White wins by adjudication",  "[Result \"1-0\"]"};
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (!strstr(pgn.data, parts[i])) fail_msg("'%s' is not in:\n%s", parts[i], pgn.data);
    }
    buf_release(&pgn);
    record_release(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_meets_equally_often_with_both_colours),
        cmocka_unit_test(an_odd_number_of_games_ends_with_a_single_one),
        cmocka_unit_test(a_longer_tournament_begins_like_a_shorter_one),
        cmocka_unit_test(openings_come_from_epd_in_a_seeded_order),
        cmocka_unit_test(openings_from_pgn_keep_their_moves),
        cmocka_unit_test(bad_openings_are_named_by_file_and_line),
        cmocka_unit_test(the_openings_of_our_own_are_legal_and_differ),
        cmocka_unit_test(a_side_that_calls_itself_lost_long_enough_loses),
        cmocka_unit_test(with_two_sides_the_winner_must_agree),
        cmocka_unit_test(level_scores_are_a_draw_only_late_enough),
        cmocka_unit_test(tables_and_the_move_limit_end_games),
        cmocka_unit_test(bad_rules_are_refused),
        cmocka_unit_test(pairs_are_counted_once_both_games_are_there),
        cmocka_unit_test(the_one_at_fault_loses_with_the_reason_on_record),
        cmocka_unit_test(adjudication_reaches_the_record_and_the_pgn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

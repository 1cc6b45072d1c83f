/* test_tables.c - endgame tables: every table against the rules of chess, the known distances, and games played to their end. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/testing.h"

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "engine/engine.h"
#include "eval/endings.h"
#include "tables/tables.h"

static Tables *open_or_skip(char path[PATH_SIZE])
{
    Err err = {0};
    shared_path_or_skip("data/syzygy/regular", path);
    Tables *tables = tables_open(path, &err);
    if (!tables && !tables_are_available()) {
        print_message("skipped: %s\n", err.text);
        skip();
    }
    if (!tables) fail_msg("%s", err.text);
    return tables;
}

/* A random legal position with these men, "KQ" against "KR", or false when the throw was bad. */
static bool throw_position(Rng *rng, const char *white, const char *black, Position *out)
{
    const char *sides[COLORS] = {white, black};
    Position    pos;
    position_clear(&pos);
    for (int c = WHITE; c <= BLACK; c++) {
        for (const char *letter = sides[c]; *letter; letter++) {
            Square square = (Square)rng_below(rng, SQUARES);
            if (pos.board[square] != NO_PIECE) return false;
            position_put(&pos, square, piece_of((Color)c, piece_type(piece_from_letter(*letter))));
        }
    }
    pos.side     = (uint8_t)rng_below(rng, 2);
    pos.fullmove = 1;
    if (faults_are_fatal(position_faults(&pos))) return false;
    position_compute_keys(&pos);
    *out = pos;
    return true;
}

static const char *const endings[][2] = {
    {"KQ", "K"},  {"KR", "K"},  {"KB", "K"},  {"KN", "K"},  {"KP", "K"},  {"KQQ", "K"}, {"KQR", "K"}, {"KQB", "K"}, {"KQN", "K"},
    {"KQP", "K"}, {"KRR", "K"}, {"KRB", "K"}, {"KRN", "K"}, {"KRP", "K"}, {"KBB", "K"}, {"KBN", "K"}, {"KBP", "K"}, {"KNN", "K"},
    {"KNP", "K"}, {"KPP", "K"}, {"KQ", "KQ"}, {"KQ", "KR"}, {"KQ", "KB"}, {"KQ", "KN"}, {"KQ", "KP"}, {"KR", "KR"}, {"KR", "KB"},
    {"KR", "KN"}, {"KR", "KP"}, {"KB", "KB"}, {"KB", "KN"}, {"KB", "KP"}, {"KN", "KN"}, {"KN", "KP"}, {"KP", "KP"},
};

static TableVerdict verdict_of(const Tables *tables, const Position *pos)
{
    TableVerdict verdict;
    char         fen[FEN_SIZE];
    if (!tables_probe(tables, pos, &verdict)) {
        position_to_fen(pos, fen);
        fail_msg("no table knows %s", fen);
    }
    return verdict;
}

/* What the rules say, given the verdicts of the positions one move on: the best of them, seen from this side. */
static TableVerdict verdict_of_children(const Tables *tables, const Position *pos)
{
    MoveList legal;
    movegen_legal(pos, &legal);
    if (legal.count == 0) return position_in_check(pos) ? TABLE_LOSS : TABLE_DRAW;
    int best = TABLE_LOSS;
    for (int i = 0; i < legal.count; i++) {
        Position next;
        position_play(pos, legal.moves[i], &next);
        int value = -(int)verdict_of(tables, &next);
        if (value > best) best = value;
    }
    return (TableVerdict)best;
}

/* Thousands of random positions of every table: a verdict is exactly what our own moves make of the verdicts behind them. */
static void every_table_agrees_with_the_rules(void **state)
{
    (void)state;
    enum { THROWS = TESTS_SANITIZED ? 150 : 3000 };
    char    path[PATH_SIZE];
    Tables *tables = open_or_skip(path);
    Rng     rng    = rng_seeded(2026);
    for (size_t e = 0; e < COUNT_OF(endings); e++) {
        for (int done = 0; done < THROWS;) {
            Position pos;
            bool     swapped = rng_below(&rng, 2);
            if (!throw_position(&rng, endings[e][swapped], endings[e][!swapped], &pos)) continue;
            done++;
            TableVerdict table = verdict_of(tables, &pos), rules = verdict_of_children(tables, &pos);
            if (table == rules) continue;
            char fen[FEN_SIZE];
            position_to_fen(&pos, fen);
            fail_msg("%s: the table says %d, the moves say %d", fen, table, rules);
        }
    }
    tables_close(tables);
}

static void known_verdicts_hold(void **state)
{
    (void)state;
    char    path[PATH_SIZE], csv[PATH_SIZE];
    Tables *tables = open_or_skip(path);
    shared_path_or_skip("data/syzygy/shakmaty_chess_wdl_dtz.csv", csv);
    size_t len;
    char  *text  = read_file_text(csv, &len);
    Str    rest  = {text, len};
    int    known = 0;
    str_next_until(&rest, '\n');
    while (rest.len) {
        Str      line = str_next_until(&rest, '\n'), epd = str_next_until(&line, ',');
        int      wdl;
        Position pos;
        if (!str_to_int(str_next_until(&line, ','), -2, 2, &wdl) || !position_from_fen(epd, &pos, NULL, NULL)) continue;
        TableVerdict verdict;
        if (!tables_probe(tables, &pos, &verdict)) continue;
        assert_int_equal(verdict, wdl);
        known++;
    }
    free(text);
    tables_close(tables);
    assert_true(known > 20);
}

/* Every legal position of king and pawn against king: the table that the build makes, and the file. */
static void our_own_king_and_pawn_table_is_that_of_the_files(void **state)
{
    (void)state;
    char    path[PATH_SIZE];
    Tables *tables = open_or_skip(path);
    int     seen   = 0;
    for (int i = 0; i < SQUARES * SQUARES * SQUARES * 2; i++) {
        Square   king = i & 63, enemy = i >> 6 & 63, pawn = i >> 12 & 63;
        Position pos;
        if (king == enemy || king == pawn || enemy == pawn) continue;
        position_clear(&pos);
        position_put(&pos, king, W_KING);
        position_put(&pos, enemy, B_KING);
        position_put(&pos, pawn, W_PAWN);
        pos.side = (uint8_t)(i >> 18);
        if (faults_are_fatal(position_faults(&pos))) continue;
        bool won = abs((int)verdict_of(tables, &pos)) == TABLE_WIN;
        assert_int_equal(kpk_is_win(WHITE, king, pawn, enemy, position_side(&pos)), won);
        seen++;
    }
    assert_true(seen > 300000);
    tables_close(tables);
}

/* ---- what the library must not see ---- */

static void castling_and_many_men_are_not_probed(void **state)
{
    (void)state;
    char         path[PATH_SIZE];
    Tables      *tables = open_or_skip(path);
    TableVerdict verdict;
    TableRanking ranking;
    Position     castling = position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    Position     many     = position_of("4k3/pppp4/8/8/8/8/8/4K2R w - - 0 1");
    Position     mated    = position_of("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    assert_false(tables_probe(tables, &castling, &verdict));
    assert_false(tables_probe(tables, &many, &verdict));
    assert_false(tables_rank_moves(tables, &castling, false, true, &ranking));
    assert_false(tables_rank_moves(tables, &mated, false, true, &ranking));
    assert_true(tables_probe(tables, &mated, &verdict));
    assert_int_equal(verdict, TABLE_LOSS);
    tables_close(tables);
}

static void one_folder_at_a_time_and_shares_of_it(void **state)
{
    (void)state;
    char    path[PATH_SIZE];
    Err     err   = {0};
    Tables *first = open_or_skip(path), *second = tables_open(path, &err);
    assert_ptr_equal(first, second);
    assert_int_equal(tables_men(first), 4);
    assert_null(tables_open("/", &err));
    assert_int_equal(err.code, ERR_RANGE);
    tables_close(first);
    TableVerdict verdict;
    Position     pos = position_of("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1");
    assert_true(tables_probe(second, &pos, &verdict));
    tables_close(second);
}

static void folders_without_tables_and_broken_tables_are_refused(void **state)
{
    (void)state;
    Err err = {0};
    if (!tables_are_available()) skip();
    assert_null(tables_open("/no/such/folder", &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    char folder[] = "/tmp/tabia-test-tables-XXXXXX", name[96];
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/KQvK.rtbw", folder);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fwrite("\x71\xe8\x23\x5d and no more", 1, 16, file);
    fwrite("x", 1, 1, file);
    fclose(file);
    assert_null(tables_open(folder, &err));
    assert_int_equal(err.code, ERR_FORMAT);
    unlink(name);
    rmdir(folder);
}

/* ---- the engine with tables ---- */

static Engine *engine_with(const char *path)
{
    Err     err    = {0};
    Engine *engine = engine_new(NULL, &err);
    assert_non_null(engine);
    assert_true(engine_set_option(engine, STR("Hash"), STR("1"), &err));
    assert_true(engine_set_option(engine, STR("SyzygyPath"), str_from(path), &err));
    if (!engine_ready(engine, &err)) fail_msg("%s", err.text);
    return engine;
}

/* Plays both sides to the end. */
static GameEnd play_out(Engine *engine, const Position *start, Game *game)
{
    GameEnd end;
    game_reset(game, start);
    while ((end = game_end(game)) == END_NONE) {
        SearchResult result;
        GoLimits     go = {.nodes = 400};
        assert_true(engine_set_game(engine, game, NULL));
        assert_true(engine_think(engine, &go, &result, NULL));
        assert_true(result.best != MOVE_NONE && game_play(game, result.best));
    }
    return end;
}

/* The promise of the tables: what is won is won within the fifty-move rule, what is drawn is held. */
static void won_endings_are_won_and_drawn_ones_are_held(void **state)
{
    (void)state;
    char        path[PATH_SIZE];
    const char *asked = getenv("TABIA_ENDINGS");
    int         games = TESTS_SANITIZED ? 4 : 40;
    if (asked) str_to_int(str_from(asked), 1, 100000, &games);
    Tables  *tables = open_or_skip(path);
    Engine  *engine = engine_with(path);
    Rng      rng    = rng_seeded(300);
    Game     game;
    Position pos;
    position_set_start(&pos);
    assert_true(game_init(&game, &pos));
    int won = 0, drawn = 0;
    while (won + drawn < games) {
        size_t e = 5 + (size_t)rng_below(&rng, COUNT_OF(endings) - 5); /* four men */
        if (!throw_position(&rng, endings[e][0], endings[e][1], &pos) || !movegen_has_legal_move(&pos)) continue;
        TableVerdict verdict = verdict_of(tables, &pos);
        GameEnd      end     = play_out(engine, &pos, &game);
        Color        winner  = color_flip(position_side(&game.now));
        char         fen[FEN_SIZE];
        position_to_fen(&pos, fen);
        if (verdict == TABLE_DRAW && end == END_CHECKMATE) fail_msg("%s was drawn and is lost", fen);
        if (verdict != TABLE_DRAW && end != END_CHECKMATE) fail_msg("%s was won and ends by %s", fen, game_end_text(end));
        if (verdict != TABLE_DRAW) assert_int_equal(winner == position_side(&pos), verdict == TABLE_WIN);
        won += verdict != TABLE_DRAW;
        drawn += verdict == TABLE_DRAW;
    }
    print_message("%d won, %d drawn\n", won, drawn);
    game_release(&game);
    engine_free(engine);
    tables_close(tables);
}

typedef struct {
    uint64_t tbhits;
    Score    score;
} Heard;

static void hear(void *context, const SearchInfo *info) { *(Heard *)context = (Heard){info->tbhits, info->score}; }

static Heard think_about(const char *path, const char *fen, int depth)
{
    Heard          heard    = {0};
    SearchListener listener = {.context = &heard, .info = hear};
    Engine        *engine   = engine_new(&listener, NULL);
    SearchResult   result;
    GoLimits       go = {.depth = depth};
    assert_true(engine_set_option(engine, STR("SyzygyPath"), str_from(path), NULL));
    assert_true(engine_ready(engine, NULL));
    assert_true(engine_set_position(engine, str_from(fen), STR(""), NULL));
    assert_true(engine_think(engine, &go, &result, NULL));
    engine_free(engine);
    return heard;
}

static void the_search_asks_the_tables_below_the_root_and_counts(void **state)
{
    (void)state;
    char    path[PATH_SIZE];
    Tables *tables = open_or_skip(path);
    tables_close(tables);
    /* five men: the rook takes a knight and four are left, a drawn rook against bishop */
    Heard heard = think_about(path, "8/8/3k4/8/1n1b4/8/1R6/4K3 w - - 0 1", 6);
    assert_true(heard.tbhits > 0);
    heard = think_about(path, "8/8/8/4k3/8/8/8/KR6 w - - 0 1", 6);
    assert_true(heard.tbhits > 0);
    assert_true(score_is_win(heard.score));
}

/* Rook against king is won in up to 16 moves; with 90 half-moves spent there is no time. */
static void a_win_that_the_fifty_move_rule_spoils_is_shown_as_a_draw(void **state)
{
    (void)state;
    char    path[PATH_SIZE];
    Tables *tables = open_or_skip(path);
    tables_close(tables);
    assert_int_equal(think_about(path, "8/8/8/4k3/8/8/8/KR6 w - - 90 90", 6).score, SCORE_DRAW);
    assert_int_equal(score_mate_moves(think_about(path, "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 10).score), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_agrees_with_the_rules),
        cmocka_unit_test(known_verdicts_hold),
        cmocka_unit_test(our_own_king_and_pawn_table_is_that_of_the_files),
        cmocka_unit_test(castling_and_many_men_are_not_probed),
        cmocka_unit_test(one_folder_at_a_time_and_shares_of_it),
        cmocka_unit_test(folders_without_tables_and_broken_tables_are_refused),
        cmocka_unit_test(won_endings_are_won_and_drawn_ones_are_held),
        cmocka_unit_test(the_search_asks_the_tables_below_the_root_and_counts),
        cmocka_unit_test(a_win_that_the_fifty_move_rule_spoils_is_shown_as_a_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

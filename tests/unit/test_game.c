/* test_game.c - when a game is over: mate, stalemate, repetition, the fifty and the seventy-five moves, dead positions. */
#include "support/testing.h"

#include "game/game.h"

static Game game_of(const char *fen)
{
    Game     game;
    Position start = position_of(fen);
    assert_true(game_init(&game, &start));
    return game;
}

static void play(Game *game, const char *moves)
{
    Str rest = str_from(moves);
    for (Str word = str_next_token(&rest); word.len; word = str_next_token(&rest)) {
        char text[16] = {0};
        memcpy(text, word.ptr, word.len);
        assert_true(game_play(game, move_of(&game->now, text)));
    }
}

/* The end of a game that stands at this position. */
static GameEnd end_of(const char *fen)
{
    Game    game = game_of(fen);
    GameEnd end  = game_end(&game);
    game_release(&game);
    return end;
}

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

static void mate_wins_for_the_side_that_gave_it(void **state)
{
    (void)state;
    Game game = game_of(START_FEN);
    assert_int_equal(game_end(&game), END_NONE);
    assert_int_equal(game_result(&game, END_NONE), RESULT_UNKNOWN);
    play(&game, "f2f3 e7e5 g2g4 d8h4");
    assert_int_equal(game_end(&game), END_CHECKMATE);
    assert_int_equal(game_result(&game, END_CHECKMATE), RESULT_BLACK_WINS);
    game_reset(&game, &game.start);
    play(&game, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7");
    assert_int_equal(game_result(&game, game_end(&game)), RESULT_WHITE_WINS);
    game_release(&game);
}

static void stalemate_is_a_draw(void **state)
{
    (void)state;
    Game game = game_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_int_equal(game_end(&game), END_STALEMATE);
    assert_int_equal(game_result(&game, END_STALEMATE), RESULT_DRAW);
    game_release(&game);
}

static void mate_on_the_hundredth_half_move_is_mate(void **state)
{
    (void)state;
    Game game = game_of("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    play(&game, "a1a8");
    assert_int_equal(game.now.halfmove, 100);
    assert_int_equal(game_end(&game), END_CHECKMATE);
    game_release(&game);
    game = game_of("7k/8/6K1/8/8/8/8/R7 w - - 149 90");
    play(&game, "a1a8");
    assert_int_equal(game_end(&game), END_CHECKMATE);
    game_release(&game);
}

static void fifty_moves_may_be_claimed_and_seventy_five_end_the_game(void **state)
{
    (void)state;
    assert_int_equal(end_of("7k/8/8/8/8/8/8/R6K w - - 99 80"), END_NONE);
    assert_int_equal(end_of("7k/8/8/8/8/8/8/R6K w - - 100 80"), END_FIFTY_MOVES);
    assert_int_equal(end_of("7k/8/8/8/8/8/8/R6K w - - 149 80"), END_FIFTY_MOVES);
    assert_int_equal(end_of("7k/8/8/8/8/8/8/R6K w - - 150 80"), END_SEVENTY_FIVE_MOVES);
    assert_int_equal(end_of("k7/7R/8/8/8/8/8/K7 b - - 100 80"), END_FIFTY_MOVES); /* a check is no mate */
}

static void a_third_time_may_be_claimed_and_a_fifth_ends_the_game(void **state)
{
    (void)state;
    static const char shuffle[] = "g1f3 g8f6 f3g1 f6g8";
    Game              game      = game_of(START_FEN);
    for (int times = 2; times <= 5; times++) {
        play(&game, shuffle);
        assert_int_equal(game_repetitions(&game), times);
        assert_int_equal(game_end(&game), times == 2 ? END_NONE : times < 5 ? END_THREEFOLD_REPETITION : END_FIVEFOLD_REPETITION);
    }
    game_release(&game);
}

static void positions_before_a_pawn_move_or_capture_do_not_count(void **state)
{
    (void)state;
    Game game = game_of("7k/p7/8/8/8/8/8/R6K w - - 0 1");
    play(&game, "a1b1 h8g8 b1a1 g8h8");
    assert_int_equal(game_repetitions(&game), 2);
    play(&game, "a1b1 a7a6 b1a1 h8g8 a1b1 g8h8 b1a1 h8g8");
    assert_int_equal(game_repetitions(&game), 2); /* since a7a6 */
    play(&game, "a1a6 g8h8");
    assert_int_equal(game_repetitions(&game), 1);
    game_release(&game);
}

/* After e2e4 Black might take en passant; when the same men stand there again, he may not. */
static void a_possible_en_passant_capture_makes_another_position(void **state)
{
    (void)state;
    Game game = game_of("4k2n/8/8/8/3p4/8/4P3/4K2N w - - 0 1");
    play(&game, "e2e4 h8g6 h1g3 g6h8 g3h1 h8g6 h1g3 g6h8 g3h1");
    assert_int_equal(game_repetitions(&game), 2);
    assert_int_equal(game_end(&game), END_NONE);
    game_release(&game);
    game = game_of("4k2n/8/8/8/p7/8/4P3/4K2N w - - 0 1"); /* nobody could take: three times the same */
    play(&game, "e2e4 h8g6 h1g3 g6h8 g3h1 h8g6 h1g3 g6h8 g3h1");
    assert_int_equal(game_repetitions(&game), 3);
    assert_int_equal(game_end(&game), END_THREEFOLD_REPETITION);
    game_release(&game);
}

static void a_lost_castling_right_makes_another_position(void **state)
{
    (void)state;
    Game game = game_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(&game, "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8");
    assert_int_equal(game_repetitions(&game), 2); /* the start had more rights */
    play(&game, "h1g1 h8g8 g1h1 g8h8");
    assert_int_equal(game_repetitions(&game), 3);
    game_release(&game);
}

static void the_same_men_with_the_other_side_to_move_are_another_position(void **state)
{
    (void)state;
    Game game = game_of("7k/8/8/8/8/8/8/K4R2 w - - 0 1");
    play(&game, "a1b1 h8g8 b1a2 g8h8 a2a1");
    assert_int_equal(game_repetitions(&game), 1);
    game_release(&game);
}

static void dead_positions_are_those_where_nobody_can_ever_mate(void **state)
{
    (void)state;
    static const struct {
        const char *board;
        bool        dead;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3", true},          {"4k3/8/8/8/8/8/8/4KN2", true},     {"4k1n1/8/8/8/8/8/8/4K3", true},
        {"4k3/8/8/8/8/8/8/4KB2", true},         {"4kb2/8/8/8/8/8/8/2B1K3", true},   /* both on dark squares */
        {"4k3/8/8/8/8/4B1B1/8/B1B1K3", true},                                       /* many, all dark */
        {"4kb2/8/7b/8/8/4B1B1/8/B1B1K3", true}, {"2b1k3/8/8/8/8/8/8/2B1K3", false}, /* a light and a dark one */
        {"4k3/8/8/8/8/8/8/2B1KB2", false},      {"4k1n1/8/8/8/8/8/8/4KN2", false},  {"4k1n1/8/8/8/8/8/8/4KB2", false},
        {"4k3/8/8/8/8/8/8/1N2KN2", false},      {"4k3/8/8/8/8/8/8/4KBN1", false},   {"4k3/8/8/8/8/8/4P3/4K3", false},
        {"4k3/8/8/8/8/8/8/R3K3", false},        {"3qk3/8/8/8/8/8/8/4K3", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char fen[96] = {0}, mirrored[MIRROR_SIZE];
        strcat(strcat(fen, cases[i].board), " w - - 0 1");
        fen_mirror(fen, mirrored);
        Position pos = position_of(fen), other = position_of(mirrored);
        if (position_is_dead(&pos) != cases[i].dead) fail_msg("%s", fen);
        if (position_is_dead(&other) != cases[i].dead) fail_msg("%s", mirrored);
        assert_int_equal(end_of(fen), cases[i].dead ? END_INSUFFICIENT_MATERIAL : END_NONE);
    }
}

static void undo_takes_moves_back_one_by_one_to_the_start(void **state)
{
    (void)state;
    Game     game = game_of(START_FEN);
    Position seen[6];
    seen[0] = game.now;
    for (int i = 1; i < 6; i++) {
        static const char *const moves[] = {"", "e2e4", "d7d5", "e4d5", "e8d7", "e1e2"};
        play(&game, moves[i]);
        seen[i] = game.now;
    }
    for (int i = 4; i >= 0; i--) {
        game_undo(&game);
        assert_int_equal(game.plies, i);
        assert_memory_equal(&game.now, &seen[i], sizeof game.now);
    }
    game_undo(&game);
    assert_int_equal(game.plies, 0);
    assert_memory_equal(&game.now, &seen[0], sizeof game.now);
    game_release(&game);
}

static void a_move_after_undo_counts_repetitions_of_the_new_line_only(void **state)
{
    (void)state;
    Game game = game_of("7k/8/8/8/8/8/8/R6K w - - 0 1");
    play(&game, "a1b1 h8g8 b1a1 g8h8");
    game_undo(&game);
    play(&game, "g8f8 a1b1 f8g8 b1a1");
    assert_int_equal(game_repetitions(&game), 2); /* a1 with the king on g8 */
    play(&game, "g8h8");
    assert_int_equal(game_repetitions(&game), 2); /* the first arrival on h8 was taken back: only the start counts */
    game_release(&game);
}

static void a_game_of_two_thousand_plies_is_remembered_from_the_start(void **state)
{
    (void)state;
    Game game = game_of("7k/8/8/8/8/8/8/R6K w - - 0 1");
    for (int i = 0; i < 500; i++) play(&game, "a1b1 h8g8 b1a1 g8h8");
    assert_int_equal(game.plies, 2000);
    assert_int_equal(game_repetitions(&game), 501);
    assert_true(game.keys[0] == game.keys[2000]);
    assert_int_equal(game_end(&game), END_SEVENTY_FIVE_MOVES);
    game_release(&game);
}

static void only_what_ends_by_itself_is_automatic(void **state)
{
    (void)state;
    assert_false(game_end_is_automatic(END_NONE));
    assert_false(game_end_is_automatic(END_FIFTY_MOVES));
    assert_false(game_end_is_automatic(END_THREEFOLD_REPETITION));
    assert_true(game_end_is_automatic(END_CHECKMATE));
    assert_true(game_end_is_automatic(END_STALEMATE));
    assert_true(game_end_is_automatic(END_INSUFFICIENT_MATERIAL));
    assert_true(game_end_is_automatic(END_SEVENTY_FIVE_MOVES));
    assert_true(game_end_is_automatic(END_FIVEFOLD_REPETITION));
}

static void results_are_written_as_in_pgn_and_ends_in_words(void **state)
{
    (void)state;
    assert_string_equal(result_text(RESULT_WHITE_WINS), "1-0");
    assert_string_equal(result_text(RESULT_BLACK_WINS), "0-1");
    assert_string_equal(result_text(RESULT_DRAW), "1/2-1/2");
    assert_string_equal(result_text(RESULT_UNKNOWN), "*");
    assert_string_equal(game_end_text(END_CHECKMATE), "checkmate");
    for (GameEnd a = END_NONE; a <= END_THREEFOLD_REPETITION; a++) {
        for (GameEnd b = END_NONE; b < a; b++) assert_string_not_equal(game_end_text(a), game_end_text(b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mate_wins_for_the_side_that_gave_it),
        cmocka_unit_test(stalemate_is_a_draw),
        cmocka_unit_test(mate_on_the_hundredth_half_move_is_mate),
        cmocka_unit_test(fifty_moves_may_be_claimed_and_seventy_five_end_the_game),
        cmocka_unit_test(a_third_time_may_be_claimed_and_a_fifth_ends_the_game),
        cmocka_unit_test(positions_before_a_pawn_move_or_capture_do_not_count),
        cmocka_unit_test(a_possible_en_passant_capture_makes_another_position),
        cmocka_unit_test(a_lost_castling_right_makes_another_position),
        cmocka_unit_test(the_same_men_with_the_other_side_to_move_are_another_position),
        cmocka_unit_test(dead_positions_are_those_where_nobody_can_ever_mate),
        cmocka_unit_test(undo_takes_moves_back_one_by_one_to_the_start),
        cmocka_unit_test(a_move_after_undo_counts_repetitions_of_the_new_line_only),
        cmocka_unit_test(a_game_of_two_thousand_plies_is_remembered_from_the_start),
        cmocka_unit_test(only_what_ends_by_itself_is_automatic),
        cmocka_unit_test(results_are_written_as_in_pgn_and_ends_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

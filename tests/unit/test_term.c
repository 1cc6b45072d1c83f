/* test_term.c - the terminal's pure parts: the board as text, what is typed, moves read with good will, reasons why not. */
#include "support/testing.h"

#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "term/board_view.h"
#include "term/command.h"
#include "term/move_input.h"
#include "term/panel.h"
#include "term/think_view.h"

static const TermStyle plain = {TERM_COLOR_NONE, false}, rich = {TERM_COLOR_24_BIT, true};

static bool contains(Str text, const char *part) { return str_find_nocase(text, str_from(part)) < text.len; }

/* ---- what the terminal can ---- */

static void colours_are_used_only_where_they_are_wanted(void **state)
{
    (void)state;
    TermEnvironment e = {.is_terminal = true, .term = "xterm-256color", .locale = "de_DE.UTF-8"};
    assert_int_equal(term_style(&e).color, TERM_COLOR_256);
    assert_true(term_style(&e).unicode);
    e.colorterm = "truecolor";
    assert_int_equal(term_style(&e).color, TERM_COLOR_24_BIT);
    e.locale = "C";
    assert_false(term_style(&e).unicode);
    e.no_color = "1";
    assert_int_equal(term_style(&e).color, TERM_COLOR_NONE);
    e.no_color = "";
    assert_int_equal(term_style(&e).color, TERM_COLOR_24_BIT);
    e.term = "dumb";
    assert_int_equal(term_style(&e).color, TERM_COLOR_NONE);
    e.term = NULL;
    assert_int_equal(term_style(&e).color, TERM_COLOR_NONE);
    e = (TermEnvironment){.is_terminal = false, .term = "xterm", .locale = "C.UTF-8"};
    assert_int_equal(term_style(&e).color, TERM_COLOR_NONE);
    assert_false(term_style(&e).unicode);
}

/* ---- the board ---- */

static void the_plain_board_marks_move_and_check(void **state)
{
    (void)state;
    Buf       out    = {0};
    Position  before = position_of("rnbqkbnr/ppppp2p/5p2/6p1/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 3");
    Move      mate   = move_of(&before, "Qh5");
    Position  after  = position_after(&before, "Qh5");
    BoardView view   = {.pos = &after};
    board_view_marks(&before, mate, view.marks);
    board_view(&view, &plain, &out);
    assert_string_equal(out.data, "   a  b  c  d  e  f  g  h\n"
                                  "8  r  n  b  q (k) b  n  r  8\n"
                                  "7  p  p  p  p  p  .  .  p  7\n"
                                  "6  .  .  .  .  .  p  .  .  6\n"
                                  "5  .  .  .  .  .  .  p [Q] 5\n"
                                  "4  .  .  .  .  P  .  .  .  4\n"
                                  "3  .  .  N  .  .  .  .  .  3\n"
                                  "2  P  P  P  P  .  P  P  P  2\n"
                                  "1  R  .  B [.] K  B  N  R  1\n"
                                  "   a  b  c  d  e  f  g  h\n");
    buf_reset(&out);
    view.flipped = true;
    board_view_row(&view, &plain, 1, &out);
    assert_string_equal(out.data, "1  R  N  B  K [.] B  .  R  1 ");
    buf_release(&out);
}

static void castling_marks_the_king_in_chess960_too(void **state)
{
    (void)state;
    Square   marks[2];
    Position pos = position_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    board_view_marks(&pos, move_of(&pos, "O-O-O"), marks);
    assert_int_equal(marks[0], E1);
    assert_int_equal(marks[1], C1);
    board_view_marks(&pos, MOVE_NONE, marks);
    assert_int_equal(marks[0], SQ_NONE);
}

static void every_row_is_equally_wide_whatever_the_style(void **state)
{
    (void)state;
    const TermStyle styles[] = {plain, rich, {TERM_COLOR_256, true}, {TERM_COLOR_256, false}};
    Position        pos;
    position_set_start(&pos);
    BoardView view = {.pos = &pos, .marks = {E2, E4}};
    for (size_t i = 0; i < COUNT_OF(styles); i++) {
        for (int row = 0; row < BOARD_VIEW_ROWS; row++) {
            Buf out = {0};
            board_view_row(&view, &styles[i], row, &out);
            assert_int_equal(text_width(buf_str(&out)), BOARD_VIEW_WIDTH);
            assert_true(contains(buf_str(&out), "\033[") == (styles[i].color != TERM_COLOR_NONE));
            buf_release(&out);
        }
    }
}

static void the_panel_shows_players_opening_moves_and_material(void **state)
{
    (void)state;
    Err      err;
    Game     game;
    Position start;
    Buf      out   = {0};
    Names   *names = names_new(&err);
    position_set_start(&start);
    assert_true(game_init(&game, &start));
    const char *moves[] = {"e4", "d5", "exd5", "Qxd5", "Nc3", "Qa5", "d4", "c6", "Nf3"};
    for (size_t i = 0; i < COUNT_OF(moves); i++) assert_true(game_play(&game, move_of(&game.now, moves[i])));
    Panel panel       = {.game = &game, .names = {"Ann", "Bob"}, .has_clock = true, .left_ns = {61000000000, 9400000000}};
    panel.has_opening = names_of_game(names, &game, &panel.opening);
    panel_append(&panel, &plain, &out);
    Str text = buf_str(&out);
    assert_true(contains(text, "> Black  Bob  0:09.4"));
    assert_true(contains(text, "  White  Ann  1:01"));
    assert_true(contains(text, "B01 Scandinavian Defense"));
    assert_true(contains(text, "  2. exd5    Qxd5"));
    assert_true(contains(text, "  5. Nf3"));
    assert_false(contains(text, "  1. e4"));
    assert_false(contains(text, "\033"));
    names_free(names);
    game_release(&game);
    buf_release(&out);
}

/* ---- commands ---- */

static TermCommandKind kind_of(const char *line)
{
    TermCommand command;
    Err         err;
    return term_command_parse(str_from(line), &command, &err) ? command.kind : TERM_COMMANDS;
}

static void words_are_commands_and_the_rest_are_moves(void **state)
{
    (void)state;
    assert_int_equal(kind_of(""), TERM_NOTHING);
    assert_int_equal(kind_of("  "), TERM_NOTHING);
    assert_int_equal(kind_of("Undo"), TERM_UNDO);
    assert_int_equal(kind_of("?"), TERM_HELP);
    assert_int_equal(kind_of("fen 8/8/8/8/8/8/8/8 w - - 0 1"), TERM_FEN);
    assert_int_equal(kind_of("load games2.pgn 3"), TERM_LOAD);
    assert_int_equal(kind_of("e4"), TERM_MOVE);
    assert_int_equal(kind_of("e2 e4"), TERM_MOVE);
    assert_int_equal(kind_of("O-O-O"), TERM_MOVE);
    assert_int_equal(kind_of("0-0"), TERM_MOVE);
    assert_int_equal(kind_of("oo"), TERM_MOVE);
    assert_int_equal(kind_of("xyzzy"), TERM_COMMANDS);
}

static void a_typing_error_is_answered_with_what_was_meant(void **state)
{
    (void)state;
    TermCommand command;
    Err         err;
    assert_false(term_command_parse(STR("hnit"), &command, &err));
    assert_true(contains(str_from(err.text), "did you mean hint?"));
    assert_false(term_command_parse(STR("qiut"), &command, &err));
    assert_true(contains(str_from(err.text), "did you mean quit?"));
    assert_false(term_command_parse(STR("hello there"), &command, &err));
    assert_true(contains(str_from(err.text), "'hello' is neither"));
}

static void distance_counts_changed_letters(void **state)
{
    (void)state;
    assert_int_equal(text_distance(STR("level"), STR("LEVEL"), 2), 0);
    assert_int_equal(text_distance(STR("level"), STR("lvel"), 2), 1);
    assert_int_equal(text_distance(STR("hnit"), STR("hint"), 2), 1);
    assert_int_equal(text_distance(STR("e4"), STR("d5"), 2), 2);
    assert_int_equal(text_distance(STR("undo"), STR("resign"), 2), 3);
}

/* ---- moves ---- */

typedef struct {
    const char *fen, *text, *san; /* san NULL: the piece is asked for */
} Spelled;

static const char start_fen[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static void sloppy_moves_are_understood(void **state)
{
    (void)state;
    const char    castle[]  = "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1";
    const char    bishops[] = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";
    const char    promote[] = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    const Spelled cases[]   = {
          {start_fen, "e4", "e4"},        {start_fen, "E4", "e4"},       {start_fen, "e2e4", "e4"},    {start_fen, "e2 e4", "e4"},
          {start_fen, "e2-e4", "e4"},     {start_fen, "e2 to e4", "e4"}, {start_fen, "E2 - E4", "e4"}, {start_fen, "nf3", "Nf3"},
          {start_fen, "NF3", "Nf3"},      {start_fen, "N f3", "Nf3"},    {start_fen, "Ng1-f3", "Nf3"}, {start_fen, "nf3!", "Nf3"},
          {castle, "O-O", "O-O"},         {castle, "0-0", "O-O"},        {castle, "o-o-o", "O-O-O"},   {castle, "e1g1", "O-O"},
          {bishops, "bxc3", "bxc3"},      {bishops, "Bxc3", "Bxc3"},     {promote, "e8=Q+", "e8=Q+"},  {promote, "e8n", "e8=N"},
          {promote, "exd8=r", "exd8=R+"}, {promote, "e7e8b", "e8=B"},    {promote, "e8", NULL},        {promote, "e7 d8", NULL},
          {promote, "exd8", NULL},        {promote, "e7e8", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Err       err = {0};
        char      san[SAN_SIZE];
        Position  pos   = position_of(cases[i].fen);
        MoveInput input = move_input_read(&pos, str_from(cases[i].text), &err);
        if (input.status == MOVE_INPUT_BAD) fail_msg("'%s': %s", cases[i].text, err.text);
        assert_int_equal(input.status, cases[i].san ? MOVE_INPUT_OK : MOVE_INPUT_ASK);
        move_to_san(&pos, input.move, san);
        if (cases[i].san) assert_string_equal(san, cases[i].san);
        if (!cases[i].san) assert_int_equal(move_promotion(input.move), QUEEN);
    }
}

static void promotions_are_named_in_several_ways(void **state)
{
    (void)state;
    assert_int_equal(move_input_promotion(STR("")), QUEEN);
    assert_int_equal(move_input_promotion(STR("Queen")), QUEEN);
    assert_int_equal(move_input_promotion(STR("=r")), ROOK);
    assert_int_equal(move_input_promotion(STR("bish")), BISHOP);
    assert_int_equal(move_input_promotion(STR("N")), KNIGHT);
    assert_int_equal(move_input_promotion(STR("knight")), KNIGHT);
    assert_int_equal(move_input_promotion(STR("k")), NO_TYPE);
    assert_int_equal(move_input_promotion(STR("king")), NO_TYPE);
}

typedef struct {
    const char *fen, *text, *part; /* the sentence holds this part */
} Refused;

static void an_illegal_move_says_why(void **state)
{
    (void)state;
    const char    pinned[]  = "4r1k1/8/8/8/8/8/4N3/4K2R w K - 0 1";
    const char    checked[] = "4k3/8/8/8/7q/8/3PP1PP/3QKBNR w K - 0 1";
    const char    castle[]  = "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1";
    const char    knights[] = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
    const Refused cases[]   = {
          {start_fen, "e5", "None of your pawns can go to e5; possible: e3, e4"},
          {start_fen, "e3e4", "e3 is empty"},
          {start_fen, "e7e5", "The pawn on e7 is not yours: it is White's move"},
          {start_fen, "Bc4", "none of your bishops can go to c4"},
          {start_fen, "f1c4", "The bishop's way is barred: something stands on e2"},
          {start_fen, "a1c3", "A rook does not go from a1 to c3"},
          {start_fen, "e1e2", "Your own pawn stands on e2"},
          {start_fen, "g1g3", "possible: Nf3, Nh3"},
          {start_fen, "exd3", "d3"},
          {start_fen, "O-O", "you cannot castle: something stands on f1"},
          {start_fen, "zz9", "'zz9' is no move"},
          {"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8k", "That is no way to write this move; possible: e8=Q"},
          {pinned, "Nc3", "The knight on e2 is pinned"},
          {checked, "d4", "Your king is in check from the queen on h4"},
          {checked, "g3", NULL},
          {castle, "O-O", "the king would go over f1, which is attacked"},
          {castle, "Kf2", "f2 is attacked by the rook on f3"},
          {knights, "Nd2", "Nd2 can be several moves; possible: Nbd2, Nfd2"},
          {knights, "O-O", "you may not castle on that side"},
          {knights, "Qd1", "You have no queen"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Err       err   = {0};
        Position  pos   = position_of(cases[i].fen);
        MoveInput input = move_input_read(&pos, str_from(cases[i].text), &err);
        if (!cases[i].part) {
            assert_int_equal(input.status, MOVE_INPUT_OK);
            continue;
        }
        assert_int_equal(input.status, MOVE_INPUT_BAD);
        if (!contains(str_from(err.text), cases[i].part)) fail_msg("'%s': %s", cases[i].text, err.text);
    }
}

/* Anything may be typed: nothing but a sentence comes of it. */
static void any_text_is_safe_to_read(void **state)
{
    (void)state;
    static const char letters[] = "abcdefgh12345678NBRQKx=+#O0- o";
    Rng               rng       = rng_seeded(7);
    Position          pos       = position_of("r3k2r/1P3ppp/8/2pP4/8/8/p4PPP/R3K2R w KQkq c6 0 2");
    for (int i = 0; i < 20000; i++) {
        char   text[40];
        size_t len = (size_t)rng_below(&rng, i % 100 ? 8 : sizeof text);
        for (size_t k = 0; k < len; k++) text[k] = letters[rng_below(&rng, sizeof letters - 1)];
        Err       err   = {0};
        MoveInput input = move_input_read(&pos, (Str){text, len}, &err);
        if (input.status == MOVE_INPUT_BAD) {
            assert_true(err.text[0] != '\0');
        } else {
            KingState king = movegen_king_state(&pos);
            assert_true(movegen_is_legal(&pos, &king, input.move));
        }
    }
}

/* ---- lines of thought ---- */

static void scores_and_lines_read_like_a_person_writes_them(void **state)
{
    (void)state;
    Buf out = {0};
    score_append(35, &out), buf_append_char(&out, ' ');
    score_append(-120, &out), buf_append_char(&out, ' ');
    score_append(score_mate_in(5), &out), buf_append_char(&out, ' ');
    score_append(score_mated_in(4), &out), buf_append_char(&out, ' ');
    score_append(SCORE_TB_WIN - 3, &out), buf_append_char(&out, ' ');
    count_append(812, &out), buf_append_char(&out, ' ');
    count_append(12345, &out), buf_append_char(&out, ' ');
    count_append(4560000, &out);
    assert_string_equal(out.data, "+0.35 -1.20 #3 #-2 won 812 12.3k 4.56M");
    buf_reset(&out);
    Position pos     = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    Position later   = position_after(&pos, "e5");
    Move     moves[] = {move_of(&pos, "e5"), move_of(&later, "Nf3"), MOVE_NONE};
    later            = position_after(&later, "Nf3");
    moves[2]         = move_of(&later, "Nc6");
    san_line_append(&pos, moves, 3, 0, &out);
    assert_string_equal(out.data, "1... e5 2. Nf3 Nc6");
    buf_reset(&out);
    san_line_append(&pos, moves, 3, 14, &out);
    assert_string_equal(out.data, "1... e5 2. Nf3");
    buf_reset(&out);
    clock_append(3723000000000, &out);
    assert_string_equal(out.data, "1:02:03");
    buf_release(&out);
}

/* ---- Chess960 ---- */

static void the_starts_of_chess960_have_their_numbers(void **state)
{
    (void)state;
    static const struct {
        int         number;
        const char *board;
    } known[] = {{0, "bbqnnrkr"}, {518, "rnbqkbnr"}, {959, "rkrnnqbb"}};
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        Position pos;
        char     fen[FEN_SIZE];
        chess960_start(known[i].number, &pos);
        position_to_fen(&pos, fen);
        assert_memory_equal(fen, known[i].board, 8);
    }
    for (int n = 0; n < CHESS960_STARTS; n++) {
        Position pos, again;
        char     fen[FEN_SIZE];
        chess960_start(n, &pos);
        position_to_fen(&pos, fen);
        again = position_of(fen);
        assert_int_equal(position_faults(&pos), 0);
        assert_int_equal(pos.key, again.key);
        assert_int_equal(bb_count(pos.castle_rooks), 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_used_only_where_they_are_wanted),
        cmocka_unit_test(the_plain_board_marks_move_and_check),
        cmocka_unit_test(castling_marks_the_king_in_chess960_too),
        cmocka_unit_test(every_row_is_equally_wide_whatever_the_style),
        cmocka_unit_test(the_panel_shows_players_opening_moves_and_material),
        cmocka_unit_test(words_are_commands_and_the_rest_are_moves),
        cmocka_unit_test(a_typing_error_is_answered_with_what_was_meant),
        cmocka_unit_test(distance_counts_changed_letters),
        cmocka_unit_test(sloppy_moves_are_understood),
        cmocka_unit_test(promotions_are_named_in_several_ways),
        cmocka_unit_test(an_illegal_move_says_why),
        cmocka_unit_test(any_text_is_safe_to_read),
        cmocka_unit_test(scores_and_lines_read_like_a_person_writes_them),
        cmocka_unit_test(the_starts_of_chess960_have_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

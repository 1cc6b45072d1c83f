/* test_pgn_reader.c - what the PGN reader makes of good, odd and broken text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/pgn_events.h"
#include "support/testing.h"

/* ---- tags ---- */

static void tags_and_moves_and_result_come_in_order(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"Hastings\"]\n[White \"Tal\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n",
                      "G [Event=Hastings] [White=Tal] [Result=1-0] S e4 e5 Nf3 =1-0\n");
}

static void escapes_in_a_tag_value_are_resolved(void **state)
{
    (void)state;
    assert_pgn_events("[A \"say \\\"hi\\\"\"] [B \"c:\\\\pgn\"] [C \"a\\b\"] [D \"\\\"]\"] [E \"]][\"]\n*\n",
                      "G [A=say \"hi\"] [B=c:\\pgn] [C=a\\b] [D=\"]] [E=]][] S =*\n");
}

static void quotes_that_nobody_escaped_belong_to_the_value(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"The \"Big\" Open\"]\n*\n", "G [Event=The \"Big\" Open] S =*\n");
}

static void tags_may_stand_on_one_line_with_the_moves(void **state)
{
    (void)state;
    assert_pgn_events("[White \"a\"] [Black \"b\"] 1. e4 *\n[White \"c\"] 1. d4 1-0",
                      "G [White=a] [Black=b] S e4 =*\nG [White=c] S d4 =1-0\n");
}

static void tags_may_be_indented_and_parted_by_empty_lines(void **state)
{
    (void)state;
    assert_pgn_events("  [Event \"a\"]\n\n\t[ Site  \"b\" ]\n\n\n1. e4 *\n", "G [Event=a] [Site=b] S e4 =*\n");
}

static void a_game_needs_no_tags(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 e5 *\n\n1. d4 0-1\n", "G S e4 e5 =*\nG S d4 =0-1\n");
    assert_pgn_events("e4 e5 Nf3 *\nNf3 Nc6 1-0", "G S e4 e5 Nf3 =*\nG S Nf3 Nc6 =1-0\n");
}

static void a_game_needs_no_moves(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"a\"]\n[Result \"0-1\"]\n\n0-1\n\n[Event \"b\"]\n\n*\n",
                      "G [Event=a] [Result=0-1] S =0-1\nG [Event=b] S =*\n");
    assert_pgn_events("*\n1-0\n", "G S =*\nG S =1-0\n");
}

static void games_of_tags_alone_are_told_apart_by_their_first_tag(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"a\"]\n[Site \"x\"]\n\n[Event \"b\"]\n[Site \"y\"]\n",
                      "G [Event=a] [Site=x] S =*\nG [Event=b] [Site=y] S =*\n");
}

static void latin1_becomes_utf8_and_utf8_stays(void **state)
{
    (void)state;
    assert_pgn_events("[White \"Andr\xe9\"]\n[Black \"Tár\"]\n\n1. e4 {\xe9t\xe9 é} *\n",
                      "G [White=Andr\xc3\xa9] [Black=Tár] S e4 {\xc3\xa9t\xc3\xa9 é} =*\n");
}

static void a_byte_order_mark_is_passed_over(void **state)
{
    (void)state;
    assert_pgn_events("\xef\xbb\xbf[Event \"a\"]\n1. e4 *\n\xef\xbb\xbf[Event \"b\"]\n*",
                      "G [Event=a] S e4 =*\nG [Event=b] S =*\n");
    assert_pgn_events("\xef\xbb\xbf[Event x]\n1. e4 e9", "G S e4 !2:7 'e9' is not a move! =*\n");
}

static void line_ends_of_every_system_are_the_same(void **state)
{
    (void)state;
    const char *expected = "G [Event=a] S {two lines} e4 {semi} e5 =1-0\nG [Event=b] S =*\n";
    assert_pgn_events("[Event \"a\"]\n\n{two\nlines} 1. e4 ;semi\ne5 1-0\n\n[Event \"b\"]\n\n*\n", expected);
    assert_pgn_events("[Event \"a\"]\r\n\r\n{two\r\nlines} 1. e4 ;semi\r\ne5 1-0\r\n\r\n[Event \"b\"]\r\n\r\n*\r\n", expected);
    assert_pgn_events("[Event \"a\"]\r\r{two\rlines} 1. e4 ;semi\re5 1-0\r\r[Event \"b\"]\r\r*\r", expected);
}

/* ---- where a game starts from ---- */

static void the_fen_tag_sets_the_position(void **state)
{
    (void)state;
    assert_pgn_events("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 *\n",
                      "G [SetUp=1] [FEN=4k3/8/8/8/8/8/4P3/4K3 b - - 0 7] S:4k3/8/8/8/8/8/4P3/4K3 b - - 0 7 Kd7 e4 =*\n");
}

static void a_bad_fen_is_reported_at_its_own_place(void **state)
{
    (void)state;
    PgnEvents events = {0};
    pgn_events_read(&events,
                    STR("[Event \"a\"]\n[FEN \"4k3/8/8/x7/8/8/8/4K3 w - - 0 1\"]\n\n1. Ke2 *\n\n[Event \"b\"]\n\n1. e4 *\n"), 0);
    assert_non_null(strstr(events.text.data, "!2:15 "));
    assert_non_null(strstr(events.text.data, "G [Event=b] S e4 =*\n"));
    assert_int_equal(events.counts.games, 2);
    assert_int_equal(events.counts.errors, 1);
    pgn_events_release(&events);
}

static void chess960_is_known_by_many_names(void **state)
{
    (void)state;
    static const char *const names[] = {"Chess960", "chess 960", "Fischerandom", "fischerrandom", "Fischer Random", "freestyle"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        PgnEvents events = {0};
        char      text[256];
        snprintf(text, sizeof text, "[Variant \"%s\"]\n[FEN \"4k3/8/8/8/8/8/8/1R1K3R w BH - 0 1\"]\n\n1. O-O *\n", names[i]);
        pgn_events_read(&events, str_from(text), 0);
        assert_non_null(strstr(events.text.data, " S960:4k3/8/8/8/8/8/8/1R1K3R w HB - 0 1 O-O =*"));
        pgn_events_release(&events);
    }
}

static void names_of_ordinary_chess_are_no_variant(void **state)
{
    (void)state;
    assert_pgn_events("[Variant \"Standard\"] 1. e4 *\n[Variant \"From Position\"] 1. e4 *\n[Variant \"?\"] 1. e4 *\n",
                      "G [Variant=Standard] S e4 =*\nG [Variant=From Position] S e4 =*\nG [Variant=?] S e4 =*\n");
}

static void a_variant_we_do_not_play_is_refused_and_skipped(void **state)
{
    (void)state;
    assert_pgn_events("[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n\n[Event \"b\"]\n\n1. d4 *\n",
                      "G [Variant=Crazyhouse] !1:11 the variant 'Crazyhouse' is not supported! =*\nG [Event=b] S d4 =*\n");
    assert_pgn_events("[Variant \"Atomic\"] 1. e4 {no end\n\n[Variant \"Antichess\"]\n\n*\n",
                      "G [Variant=Atomic] !1:11 the variant 'Atomic' is not supported! =*\n"
                      "G [Variant=Antichess] !3:11 the variant 'Antichess' is not supported! =*\n");
}

/* ---- movetext ---- */

static void move_numbers_come_in_many_forms(void **state)
{
    (void)state;
    const char *expected = "G S e4 e5 Nf3 Nc6 =*\n";
    assert_pgn_events("1.e4 e5 2.Nf3 Nc6 *", expected);
    assert_pgn_events("1. e4 1... e5 2. Nf3 2... Nc6 *", expected);
    assert_pgn_events("1 e4 e5 2 Nf3 Nc6 *", expected);
    assert_pgn_events("1.e4 1...e5 2 . Nf3 2. ... Nc6 *", expected);
    assert_pgn_events("1. e4 1\xe2\x80\xa6 e5 2. Nf3 2\xe2\x80\xa6Nc6 *", expected);
}

static void every_result_is_known(void **state)
{
    (void)state;
    assert_pgn_events("e4 1-0 e4 0-1 e4 1/2-1/2 e4 1/2 e4 *",
                      "G S e4 =1-0\nG S e4 =0-1\nG S e4 =1/2-1/2\nG S e4 =1/2-1/2\nG S e4 =*\n");
}

static void a_missing_result_is_taken_from_the_tag(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"a\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5\n\n[Event \"b\"]\n\n1. d4\n",
                      "G [Event=a] [Result=1/2-1/2] S e4 e5 =1/2-1/2\nG [Event=b] S d4 =*\n");
}

static void the_result_of_the_movetext_wins_over_the_tag(void **state)
{
    (void)state;
    assert_pgn_events("[Result \"1-0\"] e4 0-1\n[Result \"1-0\"] e4 *\n", "G [Result=1-0] S e4 =0-1\nG [Result=1-0] S e4 =*\n");
}

static void games_without_tags_and_results_are_told_apart_by_move_one(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 e5 2. Nf3\n\n1. d4 d5\n\n2. c4 *\n", "G S e4 e5 Nf3 =*\nG S d4 d5 c4 =*\n");
}

static void null_moves_have_four_spellings(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 -- 2. d4 Z0 3. Nf3 0000 4. Nc3 @@@@ *", "G S e4 -- d4 -- Nf3 -- Nc3 -- =*\n");
}

static void a_null_move_in_check_is_an_error(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 f5 2. Qh5+ -- *", "G S e4 f5 Qh5+ !1:18 a null move is not possible in check! =*\n");
}

static void annotations_are_numbers_whatever_their_form(void **state)
{
    (void)state;
    assert_pgn_events("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! 4. Ba4 $14 $255 *",
                      "G S e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bb5 $5 a6 $6 Ba4 $14 $255 =*\n");
    assert_pgn_events("1. e4 ! e5 += 2. Nf3+- Nc6 = 3. Bb5 -/+ N *", "G S e4 $1 e5 $14 Nf3 $18 Nc6 $10 Bb5 $17 $146 =*\n");
}

static void odd_spellings_of_moves_are_read(void **state)
{
    (void)state;
    assert_pgn_events("1. e2e4 d7-d5 2. exd5 c5 3. dxc6e.p. Nf6 4. cxb7 g6 5. bxa8(Q) Bg7 6. Nf3 0-0 *",
                      "G S e4 d5 exd5 c5 dxc6 Nf6 cxb7 g6 bxa8=Q Bg7 Nf3 O-O =*\n");
}

static void comments_hold_anything_but_a_closing_brace(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 { a { b ( c ; d [x] $1 1-0\n% not an escape } e5 {}{ } *",
                      "G S e4 {a { b ( c ; d [x] $1 1-0 % not an escape} e5 =*\n");
    assert_pgn_events("1. e4 {two  spaces\tand tab} *", "G S e4 {two  spaces\tand tab} =*\n");
}

static void a_semicolon_comments_out_the_rest_of_the_line(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 ; good } move (\ne5 *", "G S e4 {good } move (} e5 =*\n");
}

/* Found by the fuzzer: behind ';' zero bytes stayed in the comment, before the tags they split it. */
static void zero_bytes_separate_the_words_of_a_comment(void **state)
{
    (void)state;
    static const char text[] = "1. e4 {\0a\0\0b \0} e5 ;\0c\0\n*";
    PgnEvents         events = {0};
    pgn_events_read(&events, (Str){text, sizeof text - 1}, 0);
    assert_string_equal(events.text.data, "G S e4 {a b} e5 {c} =*\n");
    pgn_events_release(&events);
}

/* Found by the fuzzer: written again, such a game began with a sign that begins no game. */
static void a_glyph_before_the_first_move_judges_nothing(void **state)
{
    (void)state;
    assert_pgn_events("[White \"Tal\"]\n\n$10 1. e4 $1 *", "G [White=Tal] S e4 $1 =*\n");
}

static void comments_before_the_first_move_are_kept(void **state)
{
    (void)state;
    assert_pgn_events("{file}\n[Event \"a\"]\n;line\n[Site \"b\"]\n\n{game} 1. e4 *\n\n{next} 1. d4 *\n",
                      "G [Event=a] [Site=b] S {file} {line} {game} e4 =*\nG S {next} d4 =*\n");
}

static void a_comment_on_the_line_of_the_result_belongs_to_that_game(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 1-0 {Black resigns} ; at once\n\n1. d4 *\n", "G S e4 {Black resigns} {at once} =1-0\nG S d4 =*\n");
}

static void lines_that_begin_with_percent_are_escaped(void **state)
{
    (void)state;
    assert_pgn_events("%first\n[Event \"a\"]\n%[Event \"b\"]\n\n1. e4\n%e9 {\ne5 *\n", "G [Event=a] S e4 e5 =*\n");
    assert_pgn_events("1. e4 %e5 *\n", "G S e4 !1:7 '%' has no meaning here! =*\n");
}

static void variations_nest_and_go_back_one_move(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) e5 2. Nf3 *",
                      "G S e4 ( d4 d5 ( Nf6 c4 ) c4 ) ( c4 ) e5 Nf3 =*\n");
}

static void comments_and_annotations_stand_in_variations(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 ({why not} 1. d4! {solid}) e5 (1... c5) {end} *",
                      "G S e4 ( {why not} d4 $1 {solid} ) e5 ( c5 ) {end} =*\n");
}

static void a_result_at_the_end_of_a_variation_is_passed_over(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 (1. d4 d5 1/2-1/2) e5 1-0", "G S e4 ( d4 d5 ) e5 =1-0\n");
}

/* "1. e4 (1. d4 (1. e4 (1. d4 ..." to the given depth, all closed. */
static char *nested_text(int depth)
{
    Buf text = {0};
    buf_append(&text, STR("1. e4"));
    for (int i = 0; i < depth; i++) buf_append(&text, i % 2 ? STR(" (1. e4") : STR(" (1. d4"));
    for (int i = 0; i < depth; i++) buf_append_char(&text, ')');
    buf_append(&text, STR(" e5 *\n\n1. c4 *\n"));
    return text.data;
}

static void variations_nest_a_thousand_deep(void **state)
{
    (void)state;
    char     *text   = nested_text(PGN_DEPTH_MAX);
    PgnEvents events = {0};
    pgn_events_read(&events, str_from(text), 0);
    assert_int_equal(events.counts.errors, 0);
    assert_int_equal(events.counts.games, 2);
    assert_int_equal(events.counts.plies, 3);
    pgn_events_release(&events);
    free(text);
}

static void deeper_nesting_than_the_limit_is_an_error_and_no_crash(void **state)
{
    (void)state;
    char     *text   = nested_text(PGN_DEPTH_MAX + 1);
    PgnEvents events = {.whole_games_only = true};
    pgn_events_read(&events, str_from(text), 0);
    assert_int_equal(events.counts.errors, 1);
    assert_string_equal(events.text.data, "G S c4 =*\n");
    pgn_events_release(&events);
    free(text);
}

/* ---- broken games ---- */

static void an_error_names_line_and_column(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"a\"]\n\n1. e4 e5\n2. Nf3 Nc6 3. Ke3 a6 *\n",
                      "G [Event=a] S e4 e5 Nf3 Nc6 !4:15 'Ke3' is not a legal move here! =*\n");
    assert_pgn_events("1. e4 {a\nb} e5 ] *", "G S e4 {a b} e5 !2:7 ']' has no meaning here! =*\n");
    assert_pgn_events("1. e4 e5 2. (1. d4) *", "G S e4 e5 ( !1:17 'd4' is not a legal move here! =*\n");
    assert_pgn_events("1. e4 $ e5 *", "G S e4 !1:7 '$' needs a number that fits! =*\n");
    assert_pgn_events("1. e4 \x01 *", "G S e4 !1:7 the byte 0x01 has no meaning here! =*\n");
    assert_pgn_events("1. e4 ) *", "G S e4 !1:7 ')' closes no variation! =*\n");
    assert_pgn_events("[A \"\"] (1. d4) e4 *", "G [A=] S !1:8 a variation stands before any move it could replace! =*\n");
}

static void a_game_ends_with_checkmate(void **state)
{
    (void)state;
    assert_pgn_events("1. f3 e5 2. g4 Qh4# 3. a3 *", "G S f3 e5 g4 Qh4# !1:24 'a3' is not a legal move here! =*\n");
}

static void a_broken_game_between_good_ones_harms_neither(void **state)
{
    (void)state;
    assert_pgn_events(
        "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[Result \"1-0\"]\n\n1. e4 Ke7 2. {x\n} d4 (1. [%x] ) 1-0 2. c4\n"
        "3. a3 1-0\n\n[Event \"c\"]\n\n1. d4 *\n",
        "G [Event=a] S e4 =*\nG [Event=b] [Result=1-0] S e4 !8:7 'Ke7' is not a legal move here! =1-0\nG [Event=c] S d4 =*\n");
}

static void after_a_broken_game_without_tags_the_next_one_is_found(void **state)
{
    (void)state;
    assert_pgn_events("1. e4 Kxx d5 1-0\n1. c4 c5 *\n", "G S e4 !1:7 'Kxx' is not a move! =*\nG S c4 c5 =*\n");
}

static void a_comment_that_is_never_closed_costs_one_game(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"a\"]\n\n1. e4 {oops e5 1-0\n\n[Event \"b\"]\n\n1. d4 {fine} *\n",
                      "G [Event=a] S e4 !3:7 the comment is not closed! =*\nG [Event=b] S d4 {fine} =*\n");
    assert_pgn_events("[White \"a\"]\n\n1. e4 {oops\n\n[White \"b\"]\n\n1. d4 {fine} *\n",
                      "G [White=a] S e4 !3:7 the comment is not closed! =*\nG [White=b] S d4 {fine} =*\n");
    assert_pgn_events("1. e4 {at the end", "G S e4 !1:7 the comment is not closed! =*\n");
}

static void a_comment_that_is_never_closed_in_a_skipped_game_costs_no_other(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"a\"]\n\n1. e5 {oops\n\n[Event \"b\"]\n\n1. d4 {fine} *\n",
                      "G [Event=a] S !3:4 'e5' is not a legal move here! =*\nG [Event=b] S d4 {fine} =*\n");
}

static void a_variation_that_is_never_closed_is_reported_where_it_opens(void **state)
{
    (void)state;
    const char *next = "\n\n[Event \"b\"]\n\n1. d4 *\n";
    char        text[128];
    snprintf(text, sizeof text, "1. e4 (1. d4 d5%s", next);
    assert_pgn_events(text, "G S e4 ( d4 d5 !1:7 the variation is not closed! =*\nG [Event=b] S d4 =*\n");
    snprintf(text, sizeof text, "1. e4 (1. d4 d5 1-0%s", next);
    assert_pgn_events(text, "G S e4 ( d4 d5 !1:7 the variation is not closed! =*\nG [Event=b] S d4 =*\n");
    assert_pgn_events("1. e4 (1. d4", "G S e4 ( d4 !1:7 the variation is not closed! =*\n");
}

static void a_broken_tag_costs_one_game(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"a\n[Site \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n1. d4 *\n",
                      "G !1:8 the value of the tag 'Event' is not closed by a quote! =*\nG [Event=c] S d4 =*\n");
    assert_pgn_events("[Event \"a\"]\n[Site b]\n[Date \"x\"]\n\n1. e4 e5 1-0\n\n[Event \"c\"]\n\n1. d4 *\n",
                      "G [Event=a] !2:1 a tag is written [Name \"value\"]! =*\nG [Event=c] S d4 =*\n");
}

static void a_broken_game_of_tags_alone_costs_one_game(void **state)
{
    (void)state;
    assert_pgn_events("[Event \"a\"]\n[Site \"b]\n[Date \"x\"]\n\n[Event \"c\"]\n\n1. d4 *\n",
                      "G [Event=a] !2:7 the value of the tag 'Site' is not closed by a quote! =*\nG [Event=c] S d4 =*\n");
}

static void text_before_and_between_games_is_passed_over(void **state)
{
    (void)state;
    assert_pgn_events(
        "Games of 1972\n(a collection) {of sorts}\n12. was the best\n\n[Event \"a\"]\n\n1. e4 1-0\n\nThe end. * * *\n",
        "G [Event=a] S e4 =1-0\n");
    assert_pgn_events("", "");
    assert_pgn_events("nothing here\n\n  \n", "");
}

static void an_empty_input_has_no_games(void **state)
{
    (void)state;
    PgnEvents events = {0};
    pgn_events_read(&events, STR(""), 0);
    assert_int_equal(events.counts.games, 0);
    assert_int_equal(events.counts.bytes, 0);
    pgn_events_release(&events);
}

/* ---- streaming ---- */

static const char odd_text[] =
    "\xef\xbb\xbf%escape\r\nSome text\n{prefix}\n[Event \"Andr\xe9 \\\"x\\\"\"]\r\n[Site \"y\"]\r\n\r\n{before} 1. e4! {a\r\nb} "
    "(1. d4 d5 (1... Nf6 $14 ;semi } x\n) 2. c4) e5 2. Nf3\xe2\x80\xa6 Nc6?! 3. O-O-O *\n\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 "
    "1\"]\n"
    "1. a8(Q)+ Kd7 2. -- 0000 1/2-1/2 {same line}\n\n[Event \"c\n[Date \"?\"]\n\n1. e4 1-0\n\n[Event \"d\"] 1. e4 (1. c4\n\n"
    "[Event \"e\"]\n1. e4 {open\n\n[Event \"f\"]\n\n1. e4 d5 2. exd5 e5 3. dxe6e.p. Bxe6 0-1\n\n1. Nf3 Nf6 2. Ng1\n\n1. c4 "
    "*\n\\n";

static void pieces_of_any_size_give_the_same_events(void **state)
{
    (void)state;
    PgnEvents whole = {0};
    pgn_events_read(&whole, str_from(odd_text), 0);
    assert_int_equal(whole.counts.games, 8);
    assert_int_equal(whole.counts.errors, 4);
    assert_int_equal(whole.counts.bytes, sizeof odd_text - 1);
    for (size_t piece = 1; piece <= 64; piece++) {
        PgnEvents pieces = {0};
        pgn_events_read(&pieces, str_from(odd_text), piece);
        assert_string_equal(pieces.text.data, whole.text.data);
        assert_memory_equal(&pieces.counts, &whole.counts, sizeof whole.counts);
        pgn_events_release(&pieces);
    }
    pgn_events_release(&whole);
}

static void every_beginning_of_a_text_reads_without_a_crash(void **state)
{
    (void)state;
    for (size_t len = 0; len < sizeof odd_text; len++) {
        PgnEvents events = {0};
        char     *copy   = malloc(len + 1); /* of its own size, so that a sanitizer sees a step too far */
        memcpy(copy, odd_text, len);
        pgn_events_read(&events, (Str){copy, len}, 3);
        assert_int_equal(events.counts.bytes, len);
        free(copy);
        pgn_events_release(&events);
    }
}

static void a_comment_larger_than_the_buffer_arrives_whole(void **state)
{
    (void)state;
    size_t    size   = 3 << 20;
    Buf       text   = {0};
    PgnEvents events = {0};
    buf_append(&text, STR("1. e4 {"));
    for (size_t i = 0; i < size; i++) buf_append_char(&text, (char)('a' + i % 26));
    buf_append(&text, STR("} e5 *\n"));
    pgn_events_read(&events, buf_str(&text), 1000);
    assert_int_equal(events.text.len, size + strlen("G S e4 {} e5 =*\n"));
    assert_int_equal(events.counts.plies, 2);
    pgn_events_release(&events);
    buf_release(&text);
}

static void many_games_of_a_long_file_are_all_found(void **state)
{
    (void)state;
    Buf       text   = {0};
    PgnCounts counts = {0};
    for (int i = 0; i < 20000; i++) buf_printf(&text, "[Round \"%d\"]\n\n1. e4 e5 2. Nf3 {%d} Nc6 1-0\n\n", i, i);
    assert_true(pgn_read_text(buf_str(&text), &(PgnVisitor){0}, &counts, NULL));
    assert_int_equal(counts.games, 20000);
    assert_int_equal(counts.plies, 80000);
    assert_int_equal(counts.errors, 0);
    buf_release(&text);
}

static bool stop_at_second_move(void *context, const Position *before, Move move)
{
    (void)before, (void)move;
    int *count = context;
    return ++*count < 2;
}

static void a_visitor_can_stop_the_reading(void **state)
{
    (void)state;
    int        moves   = 0;
    PgnVisitor visitor = {.context = &moves, .move = stop_at_second_move};
    assert_true(pgn_read_text(STR("1. e4 e5 2. Nf3 *"), &visitor, NULL, NULL));
    assert_int_equal(moves, 2);
}

static ptrdiff_t fail_after_some(void *context, char *out, size_t size, Err *err)
{
    (void)size;
    bool *given = context;
    if (*given) {
        err_set(err, ERR_IO, 0, "the disk is gone");
        return -1;
    }
    *given = true;
    memcpy(out, "1. e4 * 1. d4 d5", 16);
    return 16;
}

static void a_failing_source_is_told_and_its_last_game_is_not_ended(void **state)
{
    (void)state;
    bool       given   = false;
    PgnEvents  events  = {0};
    PgnVisitor visitor = pgn_events_visitor(&events);
    Err        err     = {0};
    assert_false(pgn_read(&(PgnSource){&given, fail_after_some}, &visitor, &events.counts, &err));
    assert_string_equal(err.text, "the disk is gone");
    assert_string_equal(events.text.data, "G S e4 =*\nG S d4 d5");
    pgn_events_release(&events);
}

static void a_file_that_does_not_exist_is_named(void **state)
{
    (void)state;
    Err err = {0};
    assert_false(pgn_read_file("/nowhere/games.pgn", &(PgnVisitor){0}, NULL, &err));
    assert_non_null(strstr(err.text, "/nowhere/games.pgn"));
}

/* ---- real files ---- */

static void games_that_the_world_plays_have_no_errors(void **state)
{
    (void)state;
    char      path[PATH_SIZE];
    PgnCounts counts = {0};
    shared_path_or_skip("data/games/small2700.pgn", path);
    assert_true(pgn_read_file(path, &(PgnVisitor){0}, &counts, NULL));
    assert_int_equal(counts.games, 1500);
    assert_int_equal(counts.errors, 0);
    assert_int_equal(counts.plies, 119396);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_and_moves_and_result_come_in_order),
        cmocka_unit_test(escapes_in_a_tag_value_are_resolved),
        cmocka_unit_test(quotes_that_nobody_escaped_belong_to_the_value),
        cmocka_unit_test(tags_may_stand_on_one_line_with_the_moves),
        cmocka_unit_test(tags_may_be_indented_and_parted_by_empty_lines),
        cmocka_unit_test(a_game_needs_no_tags),
        cmocka_unit_test(a_game_needs_no_moves),
        cmocka_unit_test(games_of_tags_alone_are_told_apart_by_their_first_tag),
        cmocka_unit_test(latin1_becomes_utf8_and_utf8_stays),
        cmocka_unit_test(a_byte_order_mark_is_passed_over),
        cmocka_unit_test(line_ends_of_every_system_are_the_same),
        cmocka_unit_test(the_fen_tag_sets_the_position),
        cmocka_unit_test(a_bad_fen_is_reported_at_its_own_place),
        cmocka_unit_test(chess960_is_known_by_many_names),
        cmocka_unit_test(names_of_ordinary_chess_are_no_variant),
        cmocka_unit_test(a_variant_we_do_not_play_is_refused_and_skipped),
        cmocka_unit_test(move_numbers_come_in_many_forms),
        cmocka_unit_test(every_result_is_known),
        cmocka_unit_test(a_missing_result_is_taken_from_the_tag),
        cmocka_unit_test(the_result_of_the_movetext_wins_over_the_tag),
        cmocka_unit_test(games_without_tags_and_results_are_told_apart_by_move_one),
        cmocka_unit_test(null_moves_have_four_spellings),
        cmocka_unit_test(a_null_move_in_check_is_an_error),
        cmocka_unit_test(annotations_are_numbers_whatever_their_form),
        cmocka_unit_test(odd_spellings_of_moves_are_read),
        cmocka_unit_test(comments_hold_anything_but_a_closing_brace),
        cmocka_unit_test(a_semicolon_comments_out_the_rest_of_the_line),
        cmocka_unit_test(comments_before_the_first_move_are_kept),
        cmocka_unit_test(a_comment_on_the_line_of_the_result_belongs_to_that_game),
        cmocka_unit_test(lines_that_begin_with_percent_are_escaped),
        cmocka_unit_test(variations_nest_and_go_back_one_move),
        cmocka_unit_test(comments_and_annotations_stand_in_variations),
        cmocka_unit_test(a_result_at_the_end_of_a_variation_is_passed_over),
        cmocka_unit_test(variations_nest_a_thousand_deep),
        cmocka_unit_test(deeper_nesting_than_the_limit_is_an_error_and_no_crash),
        cmocka_unit_test(an_error_names_line_and_column),
        cmocka_unit_test(a_game_ends_with_checkmate),
        cmocka_unit_test(a_broken_game_between_good_ones_harms_neither),
        cmocka_unit_test(after_a_broken_game_without_tags_the_next_one_is_found),
        cmocka_unit_test(a_comment_that_is_never_closed_costs_one_game),
        cmocka_unit_test(a_comment_that_is_never_closed_in_a_skipped_game_costs_no_other),
        cmocka_unit_test(a_variation_that_is_never_closed_is_reported_where_it_opens),
        cmocka_unit_test(a_broken_tag_costs_one_game),
        cmocka_unit_test(a_broken_game_of_tags_alone_costs_one_game),
        cmocka_unit_test(text_before_and_between_games_is_passed_over),
        cmocka_unit_test(an_empty_input_has_no_games),
        cmocka_unit_test(pieces_of_any_size_give_the_same_events),
        cmocka_unit_test(every_beginning_of_a_text_reads_without_a_crash),
        cmocka_unit_test(a_comment_larger_than_the_buffer_arrives_whole),
        cmocka_unit_test(many_games_of_a_long_file_are_all_found),
        cmocka_unit_test(a_visitor_can_stop_the_reading),
        cmocka_unit_test(a_failing_source_is_told_and_its_last_game_is_not_ended),
        cmocka_unit_test(a_glyph_before_the_first_move_judges_nothing),
        cmocka_unit_test(zero_bytes_separate_the_words_of_a_comment),
        cmocka_unit_test(a_file_that_does_not_exist_is_named),
        cmocka_unit_test(games_that_the_world_plays_have_no_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

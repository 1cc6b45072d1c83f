/* test_pgn_writer.c - what the PGN writer writes, and that it reads back to the same game. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "game/pgn_tee.h"
#include "support/pgn_events.h"
#include "support/testing.h"

/* Reads `text` and writes it; the caller releases the result. */
static Buf rewritten(Str text)
{
    Buf        out     = {0};
    PgnWriter *writer  = pgn_writer_new(&out);
    PgnVisitor visitor = pgn_writer_visitor(writer);
    assert_true(pgn_read_text(text, &visitor, NULL, NULL));
    pgn_writer_free(writer);
    return out;
}

static void assert_rewritten(const char *text, const char *expected)
{
    Buf out = rewritten(str_from(text));
    assert_string_equal(buf_str(&out).ptr, expected);
    buf_release(&out);
}

/* Every whole game of `text` comes back with the same events, and writing again changes no byte. False, after a message,
 * when not. */
static bool round_trips(Str text)
{
    PgnEvents before = {.whole_games_only = true, .sort_tags = true}, after = {.sort_tags = true};
    Buf       first  = rewritten(text);
    Buf       second = rewritten(buf_str(&first));
    pgn_events_read(&before, text, 0);
    pgn_events_read(&after, buf_str(&first), 0);
    bool same = str_equal(buf_str(&before.text), buf_str(&after.text)) && str_equal(buf_str(&first), buf_str(&second));
    if (!same)
        print_message("before:\n%s\nafter:\n%s\ntext:\n%s\n", buf_str(&before.text).ptr, buf_str(&after.text).ptr,
                      buf_str(&first).ptr);
    buf_release(&first);
    buf_release(&second);
    pgn_events_release(&before);
    pgn_events_release(&after);
    return same;
}

/* ---- the form ---- */

static void the_roster_comes_first_and_other_tags_keep_their_order(void **state)
{
    (void)state;
    assert_rewritten("[ECO \"C20\"]\n[Black \"b\"]\n[White \"a\"]\n[Annotator \"x\"]\n[Event \"e\"]\n\ne4 e5 1-0",
                     "[Event \"e\"]\n[White \"a\"]\n[Black \"b\"]\n[ECO \"C20\"]\n[Annotator \"x\"]\n\n1. e4 e5 1-0\n\n");
}

static void quotes_and_backslashes_are_escaped(void **state)
{
    (void)state;
    assert_rewritten("[Event \"\\\"a\\\\b\\\"\"] *", "[Event \"\\\"a\\\\b\\\"\"]\n\n*\n\n");
}

static void moves_are_written_in_exact_notation(void **state)
{
    (void)state;
    assert_rewritten("e2e4 f7f6 d4 g7g5 Qh5", "1. e4 f6 2. d4 g5 3. Qh5# *\n\n");
    assert_rewritten("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 5. Z0 *",
                     "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. -- *\n\n");
}

static void black_gets_a_number_after_a_comment_and_a_variation(void **state)
{
    (void)state;
    assert_rewritten("1. e4 {x} e5 2. Nf3 (2. f4 exf4) Nc6! 3. Bb5 $14 a6 *",
                     "1. e4 {x} 1... e5 2. Nf3 (2. f4 exf4) 2... Nc6 $1 3. Bb5 $14 a6 *\n\n");
    assert_rewritten("1. e4 e5 (1... c5 {a} 2. Nf3 (2. c3) d6) 2. Nf3 *",
                     "1. e4 e5 (1... c5 {a} 2. Nf3 (2. c3) 2... d6) 2. Nf3 *\n\n");
}

static void a_game_that_black_begins_starts_with_three_dots(void **state)
{
    (void)state;
    assert_rewritten("[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 9\"] Kd7 Kd2 *",
                     "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 9\"]\n\n9... Kd7 10. Kd2 *\n\n");
}

static void lines_are_at_most_eighty_characters(void **state)
{
    (void)state;
    Buf text = {0};
    buf_append(&text, STR("1. Nf3 {"));
    for (int i = 0; i < 60; i++) buf_printf(&text, "word%d ", i);
    buf_append(&text, STR("} (1. Nc3 (1. a3 ({deep} 1. h3))) Nf6"));
    for (int i = 0; i < 40; i++) buf_append(&text, STR(" Ng1 (Nd4) Ng8 (Nd5) Nf3 Nf6"));
    Buf out  = rewritten(buf_str(&text));
    Str rest = buf_str(&out);
    assert_true(rest.len > 1000);
    while (rest.len) {
        Str line = str_next_until(&rest, '\n');
        assert_in_range(line.len, 0, 80);
        assert_false(line.len && line.ptr[line.len - 1] == '('); /* which stays with its first word */
    }
    assert_true(round_trips(buf_str(&text)));
    buf_release(&text);
    buf_release(&out);
}

static void a_note_inside_a_comment_stays_on_one_line(void **state)
{
    (void)state;
    assert_rewritten(
        "1. e4 {[%eval 0.17] [%clk 0:30:00] a} e5 {[%eval 0.19] b} 2. Nf3 {[%eval 0.25] c} Nc6 {open [%eval 0.33] d} *",
        "1. e4 {[%eval 0.17] [%clk 0:30:00] a} 1... e5 {[%eval 0.19] b} 2. Nf3\n"
        "{[%eval 0.25] c} 2... Nc6 {open [%eval 0.33] d} *\n\n");
}

static void a_comment_with_a_closing_brace_goes_behind_a_semicolon(void **state)
{
    (void)state;
    assert_rewritten("1. e4 ;a } b\ne5 (1... c5 ;}\n) *", "1. e4 ;a } b\n1... e5 (1... c5 ;}\n) *\n\n");
}

static void a_broken_game_leaves_nothing(void **state)
{
    (void)state;
    assert_rewritten("[A \"1\"] e4 *\n[A \"2\"] e4 e9 *\n[A \"3\"] d4 *\n", "[A \"1\"]\n\n1. e4 *\n\n[A \"3\"]\n\n1. d4 *\n\n");
}

/* ---- by hand ---- */

static void a_start_that_the_tags_do_not_tell_is_added(void **state)
{
    (void)state;
    Buf        out    = {0};
    PgnWriter *writer = pgn_writer_new(&out);
    PgnVisitor w      = pgn_writer_visitor(writer);
    Position   start  = position_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    w.begin_game(w.context);
    w.tag(w.context, STR("Event"), STR("two\nlines"));
    w.begin_moves(w.context, &start);
    w.move(w.context, &start, move_of(&start, "e2e4"));
    w.end_game(w.context, RESULT_DRAW);
    assert_string_equal(out.data,
                        "[Event \"two lines\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 1/2-1/2\n\n");
    pgn_writer_free(writer);
    buf_release(&out);
}

static void chess960_is_added_when_the_position_does_not_show_it(void **state)
{
    (void)state;
    Buf        out    = {0};
    PgnWriter *writer = pgn_writer_new(&out);
    PgnVisitor w      = pgn_writer_visitor(writer);
    Position   start;
    position_set_start(&start);
    start.chess960 = true;
    w.begin_game(w.context);
    w.begin_moves(w.context, &start);
    w.end_game(w.context, RESULT_UNKNOWN);
    assert_string_equal(out.data, "[Variant \"Chess960\"]\n\n*\n\n");
    pgn_writer_free(writer);
    buf_release(&out);
}

static void a_comment_is_put_on_one_line_and_an_empty_one_dropped(void **state)
{
    (void)state;
    Buf        out    = {0};
    PgnWriter *writer = pgn_writer_new(&out);
    PgnVisitor w      = pgn_writer_visitor(writer);
    Position   start;
    position_set_start(&start);
    w.begin_game(w.context);
    w.begin_moves(w.context, &start);
    w.comment(w.context, STR(" a \n\n b}\nc "));
    w.comment(w.context, STR("  \n"));
    w.end_game(w.context, RESULT_UNKNOWN);
    assert_string_equal(out.data, ";a b} c\n*\n\n");
    pgn_writer_free(writer);
    buf_release(&out);
}

static void a_tee_tells_both_visitors_everything(void **state)
{
    (void)state;
    const char *text = "[Event \"a\"]\n\n1. e4! {x} (1. d4) e5 1-0\n\n1. e4 e9 *\n";
    PgnEvents   left = {0}, right = {0};
    PgnTee      tee     = {pgn_events_visitor(&left), pgn_events_visitor(&right)};
    PgnVisitor  visitor = pgn_tee_visitor(&tee);
    assert_true(pgn_read_text(str_from(text), &visitor, NULL, NULL));
    assert_string_equal(left.text.data, "G [Event=a] S e4 $1 {x} ( d4 ) e5 =1-0\nG S e4 !5:7 'e9' is not a move! =*\n");
    assert_string_equal(left.text.data, right.text.data);
    pgn_events_release(&left);
    pgn_events_release(&right);
}

/* ---- there and back ---- */

static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "*",
        "{only a comment} *",
        "1. e4 {a  double  space and [Event \"x\"] and % sign, long enough that the line must be broken somewhere in here} e5 *",
        "1. e4 {[Event \"x\"] [%clk 1:00] [%eval 0.3] [%cal Ge2e4,Gd2d4,Gg1f3] [%csl Re5,Rd5,Rf5] [%emt 0:00:01] end} *",
        "1. e4 ;[Event \"x\"] } and a long comment that cannot stand in braces because of the one that it holds itself, alas\n *",
        "1. e4 ({}) (1. d4 ( ) ( {x} ) d5) $3 e5 ( ;a } b\n) *",
        "[Result \"1-0\"] e4",
        "[Event \"\\\\\"] [X \"a\\\"]\"] [Y \"\"] *",
        "[White \"Andr\xe9\"] {\xe9\nt\xe9} 1. e4 *",
        "[FEN \"1r1k3r/8/8/8/8/8/8/1R1K3R w BHbh - 0 1\"] [Variant \"Chess960\"] 1. O-O O-O-O *",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 0\"] 1. e4 *",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 99 4000000000\"] Kd7 {x} e4 *",
        "1. e4 e5 2. Nf3\n\n1. d4 -- (-- --) *",
        "1. e4 {supercalifragilisticexpialidocious-supercalifragilisticexpialidocious-supercalifragilisticexpialidocious} e5 *",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (!round_trips(str_from(texts[i]))) fail_msg("text %zu does not come back", i);
    }
}

/* Checks every file below `folder`; returns how many. */
static int check_folder(const char *folder)
{
    int            files = 0;
    DIR           *dir   = opendir(folder);
    struct dirent *entry;
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        char        path[2 * PATH_SIZE];
        struct stat info;
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &info) != 0) continue;
        if (S_ISDIR(info.st_mode)) {
            files += check_folder(path);
            continue;
        }
        size_t len;
        char  *text = read_file_text(path, &len);
        if (!round_trips((Str){text, len})) fail_msg("%s does not come back", path);
        free(text);
        files++;
    }
    closedir(dir);
    return files;
}

static void every_odd_file_of_the_world_comes_back(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    shared_path_or_skip("data/pgn-odd", path);
    assert_true(check_folder(path) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_roster_comes_first_and_other_tags_keep_their_order),
        cmocka_unit_test(quotes_and_backslashes_are_escaped),
        cmocka_unit_test(moves_are_written_in_exact_notation),
        cmocka_unit_test(black_gets_a_number_after_a_comment_and_a_variation),
        cmocka_unit_test(a_game_that_black_begins_starts_with_three_dots),
        cmocka_unit_test(lines_are_at_most_eighty_characters),
        cmocka_unit_test(a_note_inside_a_comment_stays_on_one_line),
        cmocka_unit_test(a_comment_with_a_closing_brace_goes_behind_a_semicolon),
        cmocka_unit_test(a_broken_game_leaves_nothing),
        cmocka_unit_test(a_start_that_the_tags_do_not_tell_is_added),
        cmocka_unit_test(chess960_is_added_when_the_position_does_not_show_it),
        cmocka_unit_test(a_comment_is_put_on_one_line_and_an_empty_one_dropped),
        cmocka_unit_test(a_tee_tells_both_visitors_everything),
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(every_odd_file_of_the_world_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

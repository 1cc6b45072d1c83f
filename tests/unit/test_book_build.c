/* test_book_build.c - making books: counts in bounded memory, weights, limits, merging. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/testing.h"

#include "book/build.h"
#include "book/counts.h"

static const char GAMES[] = "[White \"A\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2500\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 1-0\n\n"
                            "[White \"B\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2400\"]\n\n1. e4 c5 2. Nf3 d6 1/2-1/2\n\n"
                            "[White \"C\"]\n\n1. e4 e5 2. Bc4 0-1\n\n"
                            "[White \"D\"]\n\n1. d4 *\n\n"
                            "[White \"E\"]\n\n1. a3 a6 2. Ke5 1-0\n\n"
                            "[White \"F\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 1-0\n\n";

/* A folder for the files of one test. */
typedef struct {
    char folder[64];
    char book[96], other[96];
} Files;

static int set_up(void **state)
{
    Files *files = calloc(1, sizeof *files);
    if (!files) return -1;
    snprintf(files->folder, sizeof files->folder, "/tmp/tabia-test-build-XXXXXX");
    if (!mkdtemp(files->folder)) return -1;
    snprintf(files->book, sizeof files->book, "%s/book.bin", files->folder);
    snprintf(files->other, sizeof files->other, "%s/other.bin", files->folder);
    *state = files;
    return 0;
}

static int tear_down(void **state)
{
    Files *files = *state;
    unlink(files->book);
    unlink(files->other);
    int code = rmdir(files->folder); /* fails when something was left behind */
    free(files);
    return code;
}

static BookPlan plan_for(const char *path) { return (BookPlan){.path = path, .max_ply = 40, .min_games = 1, .memory_mb = 1}; }

static BookReport build(const BookPlan *plan, const char *games)
{
    Err          err = {0};
    BookReport   report;
    BookBuilder *builder = book_builder_new(plan, &err);
    assert_non_null(builder);
    PgnVisitor visitor = book_builder_visitor(builder);
    assert_true(pgn_read_text(str_from(games), &visitor, NULL, &err));
    if (!book_builder_finish(builder, &report, &err)) fail_msg("%s", err.text);
    book_builder_free(builder);
    return report;
}

static BookMoves moves_after(const char *path, const char *line)
{
    Err       err  = {0};
    Book     *book = book_open(path, &err);
    Position  pos  = position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    BookMoves moves;
    if (!book) fail_msg("%s", err.text);
    pos = position_after(&pos, line);
    book_probe(book, &pos, pos.key, &moves);
    book_free(book);
    return moves;
}

/* e4: one win, one draw, one loss for White is 3 points in 3 games; d4 without a result counts as drawn. */
static void results_become_weights_for_the_side_that_moved(void **state)
{
    const Files *files  = *state;
    BookPlan     plan   = plan_for(files->book);
    BookReport   report = build(&plan, GAMES);
    assert_int_equal(report.games, 4);
    assert_int_equal(report.left_out, 2);
    assert_int_equal(report.moves, 12);
    BookMoves moves = moves_after(files->book, "");
    assert_int_equal(moves.count, 2);
    assert_int_equal(moves.moves[0].weight, 3);
    assert_int_equal(moves.moves[0].games, 3);
    assert_int_equal(moves.moves[0].per_mille, 500);
    assert_int_equal(moves.moves[1].weight, 1);
    moves = moves_after(files->book, "e4"); /* e5 lost and won, c5 drew */
    assert_int_equal(moves.count, 2);
    assert_int_equal(moves.moves[0].weight, 2);
    assert_int_equal(moves.moves[0].games, 2);
    assert_int_equal(moves.moves[1].games, 1);
    moves = moves_after(files->book, "e4 e5"); /* Bc4 lost: no weight, no entry; f4 stands in a variation */
    assert_int_equal(moves.count, 1);
    assert_int_equal(moves.moves[0].per_mille, 1000);
}

static void every_limit_of_the_plan_holds(void **state)
{
    const Files *files = *state;
    BookPlan     plan  = plan_for(files->book);
    plan.min_games     = 2;
    build(&plan, GAMES);
    assert_int_equal(moves_after(files->book, "").count, 1);
    assert_int_equal(moves_after(files->book, "e4").count, 1);
    plan         = plan_for(files->book);
    plan.max_ply = 1;
    build(&plan, GAMES);
    assert_int_equal(moves_after(files->book, "").count, 3); /* a3 too: the game breaks where nobody looks any more */
    assert_int_equal(moves_after(files->book, "e4").count, 0);
    plan         = plan_for(files->book);
    plan.min_elo = 2500;
    assert_int_equal(build(&plan, GAMES).games, 1);
    plan           = plan_for(files->book);
    plan.min_score = 51;
    build(&plan, GAMES);
    assert_int_equal(moves_after(files->book, "").count, 0);
    assert_int_equal(moves_after(files->book, "e4 e5").count, 1);
}

static void a_book_without_moves_is_not_written(void **state)
{
    const Files *files = *state;
    Err          err   = {0};
    BookReport   report;
    BookPlan     plan    = plan_for(files->book);
    BookBuilder *builder = book_builder_new(&plan, &err);
    assert_false(book_builder_finish(builder, &report, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    book_builder_free(builder);
    assert_int_equal(access(files->book, F_OK), -1);
}

/* ---- counting in bounded memory ---- */

typedef struct {
    CountRecord last;
    uint64_t    records, wins, draws, losses, mix;
} Seen;

static bool look(void *context, const CountRecord *record, Err *err)
{
    (void)err;
    Seen *seen = context;
    if (seen->records)
        assert_true(record->key > seen->last.key || (record->key == seen->last.key && record->move > seen->last.move));
    seen->last = *record;
    seen->records++;
    seen->wins += record->wins;
    seen->draws += record->draws;
    seen->losses += record->losses;
    seen->mix = (seen->mix ^ record->key ^ record->move ^ record->wins) * 0x9e3779b97f4a7c15U;
    return true;
}

/* The same 60,000 results of about 12,000 moves, in a table that holds all, and in one that is full a thousand times, so that the
 * runs are merged several times over. */
static void a_small_memory_gives_the_same_counts_in_the_same_order(void **state)
{
    enum { RESULTS = 60000 };
    const Files *files = *state;
    Seen         seen[2];
    for (int i = 0; i < 2; i++) {
        Err     err    = {0};
        Rng     rng    = rng_seeded(11);
        Counts *counts = counts_new(i == 0 ? (size_t)16 << 20 : 2000, files->book, &err);
        assert_non_null(counts);
        for (int k = 0; k < RESULTS; k++) {
            CountRecord record = {.key = rng_below(&rng, 3000) * 0x9e3779b97f4a7c15U, .move = (uint16_t)rng_below(&rng, 4)};
            record.wins        = k % 3 == 0;
            record.draws       = k % 3 == 1;
            record.losses      = k % 3 == 2;
            if (!counts_add(counts, &record, &err)) fail_msg("%s", err.text);
        }
        if (i == 0) assert_int_equal(counts_runs(counts), 0);
        if (i == 1) assert_true(counts_runs(counts) > 200);
        seen[i] = (Seen){0};
        if (!counts_merge(counts, look, &seen[i], &err)) fail_msg("%s", err.text);
        counts_free(counts);
    }
    assert_int_equal(seen[0].wins + seen[0].draws + seen[0].losses, RESULTS);
    assert_int_equal(seen[1].records, seen[0].records);
    assert_int_equal(seen[1].wins, seen[0].wins);
    assert_int_equal(seen[1].mix, seen[0].mix);
}

/* ---- merging ---- */

static void write_book(const char *path, const BookEntry *entries, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[BOOK_ENTRY_SIZE];
        book_write_entry(&entries[i], bytes);
        fwrite(bytes, sizeof bytes, 1, file);
    }
    fclose(file);
}

static size_t merge_two(const Files *files, bool first_wins, BookEntry *out, size_t room)
{
    const BookEntry a[] = {{10, 1, 60000, 0}, {20, 5, 4, book_pack_counts(10, 200)}};
    const BookEntry b[] = {{10, 1, 30000, 0}, {10, 2, 9, 0}, {20, 5, 6, book_pack_counts(30, 600)}, {30, 7, 1, 0}};
    char            path[128];
    Err             err = {0};
    BookReport      report;
    snprintf(path, sizeof path, "%s/merged.bin", files->folder);
    write_book(files->book, a, COUNT_OF(a));
    write_book(files->other, b, COUNT_OF(b));
    Book *books[2] = {book_open(files->book, &err), book_open(files->other, &err)};
    assert_true(book_merge((const Book *const *)books, 2, first_wins, path, &report, &err));
    Book *merged = book_open(path, &err);
    assert_non_null(merged);
    size_t count = book_size(merged);
    assert_int_equal(report.entries, count);
    for (size_t i = 0; i < count && i < room; i++) out[i] = book_entry(merged, i);
    book_free(merged);
    book_free(books[0]);
    book_free(books[1]);
    unlink(path);
    return count;
}

static void merged_books_add_up_and_scale_together(void **state)
{
    BookEntry entries[8];
    uint32_t  games;
    int       score;
    assert_int_equal(merge_two(*state, false, entries, COUNT_OF(entries)), 4);
    assert_int_equal(entries[0].weight, 65535); /* 90,000 does not fit */
    assert_int_equal(entries[1].weight, 6);     /* 9 of 90,000 */
    assert_int_equal(entries[2].weight, 10);
    assert_true(book_unpack_counts(entries[2].learn, &games, &score));
    assert_int_equal(games, 40);
    assert_int_equal(score, 500);
    assert_int_equal(entries[3].key, 30);
}

static void in_layers_the_first_book_with_a_position_has_it_alone(void **state)
{
    BookEntry entries[8];
    assert_int_equal(merge_two(*state, true, entries, COUNT_OF(entries)), 3);
    assert_int_equal(entries[0].weight, 60000);
    assert_int_equal(entries[1].weight, 4);
    assert_int_equal(entries[2].key, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(results_become_weights_for_the_side_that_moved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_limit_of_the_plan_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_book_without_moves_is_not_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_small_memory_gives_the_same_counts_in_the_same_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(merged_books_add_up_and_scale_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(in_layers_the_first_book_with_a_position_has_it_alone, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_precision.c - precision at k: the measure, the suite, and the file that keeps the reference's answers. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lab/precision.h"
#include "support/testing.h"

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

typedef struct {
    char folder[64], suite[96], cache[96];
} Files;

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int make_files(void **state)
{
    Files *files = calloc(1, sizeof *files);
    if (!files) return -1;
    strcpy(files->folder, "/tmp/tabia-precision-XXXXXX");
    if (!mkdtemp(files->folder)) return -1;
    snprintf(files->suite, sizeof files->suite, "%s/suite.epd", files->folder);
    snprintf(files->cache, sizeof files->cache, "%s/cache.txt", files->folder);
    write_text(files->suite, "# comment\n\n"
                             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n"
                             "7k/8/8/8/8/8/6q1/7K w - - 0 1\n"
                             "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    *state = files;
    return 0;
}

static int remove_files(void **state)
{
    Files *files = *state;
    unlink(files->suite);
    unlink(files->cache);
    rmdir(files->folder);
    free(files);
    return 0;
}

static TopMoves top(const char *fen, const char *words)
{
    TopMoves out  = {0};
    Position pos  = position_of(fen);
    Str      rest = str_from(words);
    for (Str word; (word = str_next_token(&rest)).len;) {
        char text[8] = {0};
        memcpy(text, word.ptr, word.len);
        out.moves[out.count++] = move_of(&pos, text);
    }
    return out;
}

static void common_moves_count_wherever_they_stand(void **state)
{
    (void)state;
    TopMoves a = top(START, "e2e4 d2d4 g1f3 c2c4 b1c3"), b = top(START, "c2c4 a2a3 e2e4 h2h3 h2h4"), c = top(START, "f2f3");
    assert_true(precision_at(&a, &b, 5) == 0.4);
    assert_true(precision_at(&a, &a, 5) == 1);
    assert_true(precision_at(&c, &c, 5) == 0.2);
    assert_true(precision_at(&c, &a, 5) == 0);
}

static void positions_with_too_few_moves_are_left_out(void **state)
{
    const Files   *files = *state;
    PrecisionSuite suite;
    assert_true(precision_load(files->suite, 5, 0, &suite, NULL));
    assert_int_equal(suite.count, 2); /* 20 and 6 moves; the mated-in-a-corner king has one */
    assert_int_equal(suite.left_out, 1);
    assert_string_equal(suite.items[0].fen, START);
    assert_true(precision_by_chance(&suite, 5) == (5.0 / 20 + 5.0 / 6) / 2);
    precision_release(&suite);
    assert_true(precision_load(files->suite, 5, 1, &suite, NULL));
    assert_int_equal(suite.count, 1);
    precision_release(&suite);
    Err err;
    assert_false(precision_load(files->suite, 20, 0, &suite, &err));
    assert_non_null(strstr(err.text, "more than 20 legal moves"));
}

static void answers_are_kept_and_found_again(void **state)
{
    const Files   *files = *state;
    PrecisionSuite suite;
    TopMoves       known[2] = {{0}}, first = top(START, "e2e4 d2d4");
    PrecisionCache cache = {.path = files->cache, .engine = "ref:x=1", .limit = "depth=2", .k = 2};
    assert_true(precision_load(files->suite, 2, 0, &suite, NULL));
    assert_int_equal(suite.count, 2);
    assert_true(precision_cache_load(&cache, &suite, known, NULL)); /* no file yet */
    assert_int_equal(known[0].count, 0);
    assert_true(precision_cache_add(&cache, &suite.items[0], &first, NULL));
    assert_true(precision_cache_load(&cache, &suite, known, NULL));
    assert_memory_equal(&known[0], &first, sizeof first);
    assert_int_equal(known[1].count, 0);

    Err err;
    cache.k = 3; /* another question */
    assert_false(precision_cache_load(&cache, &suite, known, &err));
    assert_non_null(strstr(err.text, "cache.txt:1:"));
    assert_int_equal(known[0].count, 0);
    precision_release(&suite);
}

static void every_kind_of_damage_is_found(void **state)
{
    const char *const broken[] = {
        "rubbish | e2e4 d2d4\n",                                           /* no position */
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e2e4", /* torn */
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e2e4 e2e5\n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e2e4 e2e4\n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | e2e4 d2d4 c2c4\n",
    };
    const Files   *files = *state;
    PrecisionSuite suite;
    TopMoves       known[2] = {{0}};
    PrecisionCache cache    = {.path = files->cache, .engine = "ref", .limit = "depth=2", .k = 2};
    assert_true(precision_load(files->suite, 2, 0, &suite, NULL));
    for (size_t i = 0; i <= COUNT_OF(broken); i++) { /* at last an empty file */
        char text[256] = "";
        Err  err;
        if (i < COUNT_OF(broken))
            snprintf(text, sizeof text, "# tabia lab precision 1 | k 2 | limit depth=2 | engine ref\n%s", broken[i]);
        write_text(files->cache, text);
        assert_false(precision_cache_load(&cache, &suite, known, &err));
        assert_non_null(strstr(err.text, "delete it"));
    }
    precision_release(&suite);
}

static void a_file_name_tells_the_question(void **state)
{
    (void)state;
    Buf path = {0};
    precision_cache_path(&path, "here", "/data/suites/wac.epd", "stockfish:Hash=64", "depth=12", 5);
    assert_string_equal(path.data, "here/wac-k5-stockfish_Hash=64-depth=12.txt");
    buf_release(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_moves_count_wherever_they_stand),
        cmocka_unit_test_setup_teardown(positions_with_too_few_moves_are_left_out, make_files, remove_files),
        cmocka_unit_test_setup_teardown(answers_are_kept_and_found_again, make_files, remove_files),
        cmocka_unit_test_setup_teardown(every_kind_of_damage_is_found, make_files, remove_files),
        cmocka_unit_test(a_file_name_tells_the_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

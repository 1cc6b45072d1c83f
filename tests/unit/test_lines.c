/* test_lines.c - reading line by line, from pipes and files. */
#include "support/testing.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/lines.h"

/* A reader of a pipe that already holds `text` (less than a pipe's capacity). */
static LineReader reader_of(Str text)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text.ptr, text.len), text.len);
    close(ends[1]);
    LineReader lines;
    lines_init(&lines, ends[0]);
    return lines;
}

static void finish(LineReader *lines)
{
    int fd = lines->fd;
    lines_release(lines);
    assert_int_equal(close(fd), 0); /* a descriptor that was handed in stays the caller's */
}

static void check_lines(Str text, const char *const *expected, size_t count)
{
    LineReader lines = reader_of(text);
    Str        line;
    Err        err;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(lines_next(&lines, &line, &err), LINE_READ);
        assert_str_equal(line, expected[i]);
    }
    assert_int_equal(lines_next(&lines, &line, &err), LINE_END);
    assert_int_equal(lines_next(&lines, &line, &err), LINE_END);
    finish(&lines);
}

static void lines_come_without_their_ends_whatever_those_are(void **state)
{
    (void)state;
    static const char *const expected[] = {"uci", "isready", "", "quit"};
    check_lines(STR("uci\nisready\r\n\nquit\n"), expected, COUNT_OF(expected));
}

static void a_last_line_needs_no_end(void **state)
{
    (void)state;
    static const char *const expected[] = {"a", "b"};
    check_lines(STR("a\nb"), expected, COUNT_OF(expected));
    check_lines(STR("a\nb\r"), expected, COUNT_OF(expected));
}

static void only_the_last_carriage_return_belongs_to_the_end(void **state)
{
    (void)state;
    static const char *const expected[] = {"a\r", "b\rc"};
    check_lines(STR("a\r\r\nb\rc\n"), expected, COUNT_OF(expected));
}

static void an_empty_stream_has_no_lines(void **state)
{
    (void)state;
    check_lines(STR(""), NULL, 0);
}

static void a_zero_byte_does_not_end_a_line(void **state)
{
    (void)state;
    LineReader lines = reader_of(STR("a\0b\n"));
    Str        line;
    assert_int_equal(lines_next(&lines, &line, NULL), LINE_READ);
    assert_int_equal(line.len, 3);
    assert_memory_equal(line.ptr, "a\0b", 3);
    finish(&lines);
}

/* Longer than the reader's chunk and than any pipe: it takes a file. */
static void a_line_of_a_million_characters_is_one_line(void **state)
{
    (void)state;
    char path[] = "/tmp/tabia-lines-XXXXXX";
    int  fd     = mkstemp(path);
    assert_true(fd >= 0);
    Buf text = {0};
    for (int i = 0; i < 1000000; i++) buf_append_char(&text, (char)('a' + i % 23));
    buf_append(&text, STR("\nshort\n"));
    assert_int_equal(write(fd, text.data, text.len), text.len);
    close(fd);
    LineReader lines;
    Str        line;
    Err        err;
    assert_true(lines_open(&lines, path, &err));
    assert_int_equal(lines_next(&lines, &line, &err), LINE_READ);
    assert_int_equal(line.len, 1000000);
    assert_memory_equal(line.ptr, text.data, 1000000);
    assert_int_equal(lines_next(&lines, &line, &err), LINE_READ);
    assert_str_equal(line, "short");
    assert_int_equal(lines_next(&lines, &line, &err), LINE_END);
    lines_release(&lines);
    buf_release(&text);
    unlink(path);
}

static void a_missing_file_is_an_error_that_names_it(void **state)
{
    (void)state;
    LineReader lines;
    Err        err = {0};
    assert_false(lines_open(&lines, "/nonexistent/games.pgn", &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, "/nonexistent/games.pgn"));
    assert_non_null(strstr(err.text, "No such file"));
}

static void a_folder_cannot_be_read(void **state)
{
    (void)state;
    LineReader lines;
    Str        line;
    Err        err = {0};
    assert_true(lines_open(&lines, "/", &err));
    assert_int_equal(lines_next(&lines, &line, &err), LINE_FAILED);
    assert_int_equal(err.code, ERR_IO);
    lines_release(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_without_their_ends_whatever_those_are),
        cmocka_unit_test(a_last_line_needs_no_end),
        cmocka_unit_test(only_the_last_carriage_return_belongs_to_the_end),
        cmocka_unit_test(an_empty_stream_has_no_lines),
        cmocka_unit_test(a_zero_byte_does_not_end_a_line),
        cmocka_unit_test(a_line_of_a_million_characters_is_one_line),
        cmocka_unit_test(a_missing_file_is_an_error_that_names_it),
        cmocka_unit_test(a_folder_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

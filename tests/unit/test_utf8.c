/* test_utf8.c - which bytes are UTF-8, and what becomes of those that are not. */
#include "support/testing.h"

#include "base/utf8.h"

static void the_length_of_a_character_is_that_of_the_standard(void **state)
{
    (void)state;
    assert_int_equal(utf8_length(STR("a")), 1);
    assert_int_equal(utf8_length(STR("\x7f")), 1);
    assert_int_equal(utf8_length(STR("\xc2\x80")), 2);
    assert_int_equal(utf8_length(STR("\xdf\xbf")), 2);
    assert_int_equal(utf8_length(STR("\xe0\xa0\x80")), 3);
    assert_int_equal(utf8_length(STR("\xed\x9f\xbf")), 3);
    assert_int_equal(utf8_length(STR("\xef\xbf\xbf")), 3);
    assert_int_equal(utf8_length(STR("\xf0\x90\x80\x80")), 4);
    assert_int_equal(utf8_length(STR("\xf4\x8f\xbf\xbf")), 4);
    assert_int_equal(utf8_length((Str){"\0", 1}), 1);
}

static void what_the_standard_forbids_has_no_length(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",             /* a continuation first */
        "\xc0\x80",         /* zero in two bytes */
        "\xc1\xbf",         /* longer than needed */
        "\xe0\x9f\xbf",     /* longer than needed */
        "\xf0\x8f\xbf\xbf", /* longer than needed */
        "\xed\xa0\x80",     /* a surrogate half */
        "\xf4\x90\x80\x80", /* beyond U+10FFFF */
        "\xf5\x80\x80\x80",
        "\xff",
        "\xc3", /* cut short */
        "\xe2\x99",
        "\xf0\x9f\x99",
        "\xc3(",
        "\xe2\x99z",
        "\xe2z\x9e",
    };
    assert_int_equal(utf8_length(STR("")), 0);
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        if (utf8_length(str_from(bad[i])) != 0) fail_msg("case %zu was taken for a character", i);
    }
}

static void latin1_bytes_become_the_characters_they_stand_for(void **state)
{
    (void)state;
    Buf out = {0};
    utf8_append_lenient(&out, STR("Andr\xe9 \xff\x80 Tár\xe2\x99\x9e"));
    assert_str_equal(buf_str(&out), "Andr\xc3\xa9 \xc3\xbf\xc2\x80 Tár\xe2\x99\x9e");
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_length_of_a_character_is_that_of_the_standard),
        cmocka_unit_test(what_the_standard_forbids_has_no_length),
        cmocka_unit_test(latin1_bytes_become_the_characters_they_stand_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

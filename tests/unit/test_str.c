/* test_str.c - views of text: comparing, cutting, reading numbers. */
#include "support/testing.h"

static void views_of_the_same_text_are_equal_and_case_counts(void **state)
{
    (void)state;
    assert_true(str_equal(STR("tabia"), str_from("tabia")));
    assert_false(str_equal(STR("tabia"), STR("Tabia")));
    assert_false(str_equal(STR("tabia"), STR("tabi")));
    assert_true(str_equal((Str){NULL, 0}, STR("")));
}

static void case_is_ignored_only_where_asked(void **state)
{
    (void)state;
    assert_true(str_equal_nocase(STR("Move Overhead"), STR("mOVE oVERHEAD")));
    assert_false(str_equal_nocase(STR("Hash"), STR("Hash ")));
    assert_false(str_equal_nocase(STR("["), STR("{"))); /* 32 apart, but no letters */
    assert_false(str_equal_nocase(STR("@"), STR("`")));
}

static void a_null_pointer_is_an_empty_view(void **state)
{
    (void)state;
    assert_int_equal(str_from(NULL).len, 0);
}

static void prefixes_and_suffixes_are_found_at_their_ends_only(void **state)
{
    (void)state;
    assert_true(str_starts_with(STR("perft5"), STR("perft")));
    assert_false(str_starts_with(STR("perf"), STR("perft")));
    assert_false(str_starts_with(STR("xperft"), STR("perft")));
    assert_true(str_ends_with(STR("games.pgn"), STR(".pgn")));
    assert_false(str_ends_with(STR("pgn"), STR(".pgn")));
    assert_true(str_starts_with(STR("a"), STR("")));
    assert_true(str_ends_with(STR(""), STR("")));
}

static void trimming_takes_every_kind_of_space_from_both_ends_only(void **state)
{
    (void)state;
    assert_str_equal(str_trim(STR(" \t\r\n\v\f a b \n")), "a b");
    assert_str_equal(str_trim(STR("   ")), "");
    assert_str_equal(str_trim(STR("")), "");
    assert_str_equal(str_trim(STR("\x01 a")), "\x01 a");
}

static void skipping_beyond_the_end_leaves_an_empty_view_at_the_end(void **state)
{
    (void)state;
    Str text = STR("abc");
    assert_str_equal(str_skip(text, 1), "bc");
    assert_int_equal(str_skip(text, 3).len, 0);
    assert_int_equal(str_skip(text, 99).len, 0);
    assert_ptr_equal(str_skip(text, 99).ptr, text.ptr + 3);
}

static void searching_ignores_case_and_says_where(void **state)
{
    (void)state;
    assert_int_equal(str_find_nocase(STR("the Name is"), STR("NAME")), 4);
    assert_int_equal(str_find_nocase(STR("aab"), STR("ab")), 1);
    assert_int_equal(str_find_nocase(STR("abc"), STR("abcd")), 3);
    assert_int_equal(str_find_nocase(STR("abc"), STR("x")), 3);
    assert_int_equal(str_find_nocase(STR("abc"), STR("")), 0);
}

static void tokens_are_runs_without_spaces_and_end_empty(void **state)
{
    (void)state;
    Str rest = STR("  go \tdepth 5\r\n");
    assert_str_equal(str_next_token(&rest), "go");
    assert_str_equal(str_next_token(&rest), "depth");
    assert_str_equal(str_next_token(&rest), "5");
    assert_int_equal(str_next_token(&rest).len, 0);
    assert_int_equal(str_next_token(&rest).len, 0);
}

static void parts_between_separators_may_be_empty(void **state)
{
    (void)state;
    Str rest = STR("a::b");
    assert_str_equal(str_next_until(&rest, ':'), "a");
    assert_str_equal(str_next_until(&rest, ':'), "");
    assert_str_equal(str_next_until(&rest, ':'), "b");
    assert_int_equal(rest.len, 0);
    assert_str_equal(str_next_until(&rest, ':'), "");
}

static void signed_numbers_are_read_whole_up_to_their_limits(void **state)
{
    (void)state;
    int64_t value = 7;
    assert_true(str_to_i64(STR("-42"), &value) && value == -42);
    assert_true(str_to_i64(STR("+42"), &value) && value == 42);
    assert_true(str_to_i64(STR("9223372036854775807"), &value) && value == INT64_MAX);
    assert_true(str_to_i64(STR("-9223372036854775807"), &value) && value == -INT64_MAX);
    assert_true(str_to_i64(STR("-9223372036854775808"), &value) && value == INT64_MIN);
}

static void what_is_no_number_or_too_big_leaves_the_result_alone(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "-",
                                      "+",
                                      "--1",
                                      "+-1",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "0x10",
                                      "1e3",
                                      "12a",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "99999999999999999999999"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int64_t value = 7;
        if (str_to_i64(str_from(bad[i]), &value) || value != 7) fail_msg("'%s' was read as %jd", bad[i], (intmax_t)value);
    }
}

static void unsigned_numbers_reach_the_largest_and_no_further(void **state)
{
    (void)state;
    uint64_t value = 7;
    assert_true(str_to_u64(STR("18446744073709551615"), &value) && value == UINT64_MAX);
    assert_true(str_to_u64(STR("0000000000000000000000012"), &value) && value == 12);
    assert_false(str_to_u64(STR("18446744073709551616"), &value));
    assert_false(str_to_u64(STR("-1"), &value));
    assert_false(str_to_u64(STR("+1"), &value));
    assert_int_equal(value, 12);
}

static void small_numbers_obey_their_range(void **state)
{
    (void)state;
    int value = 7;
    assert_true(str_to_int(STR("1"), 1, 5, &value) && value == 1);
    assert_true(str_to_int(STR("5"), 1, 5, &value) && value == 5);
    assert_false(str_to_int(STR("0"), 1, 5, &value));
    assert_false(str_to_int(STR("6"), 1, 5, &value));
    assert_false(str_to_int(STR("4294967297"), 1, 5, &value)); /* 2^32 + 1 */
    assert_int_equal(value, 5);
}

static void decimal_fractions_are_read_and_infinities_are_not(void **state)
{
    (void)state;
    double value = 7;
    assert_true(str_to_double(STR("-1.5e2"), &value));
    assert_true(value == -150);
    assert_true(str_to_double((Str){"0.25999", 4}, &value));
    assert_true(value == 0.25);
    static const char *const bad[] = {"", " 1", "1 ", "1,5", "inf", "-nan", "1e999", "abc", "1.5x", "0x10"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        if (str_to_double(str_from(bad[i]), &value)) fail_msg("'%s' was read as %g", bad[i], value);
    }
    assert_true(value == 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_of_the_same_text_are_equal_and_case_counts),
        cmocka_unit_test(case_is_ignored_only_where_asked),
        cmocka_unit_test(a_null_pointer_is_an_empty_view),
        cmocka_unit_test(prefixes_and_suffixes_are_found_at_their_ends_only),
        cmocka_unit_test(trimming_takes_every_kind_of_space_from_both_ends_only),
        cmocka_unit_test(skipping_beyond_the_end_leaves_an_empty_view_at_the_end),
        cmocka_unit_test(searching_ignores_case_and_says_where),
        cmocka_unit_test(tokens_are_runs_without_spaces_and_end_empty),
        cmocka_unit_test(parts_between_separators_may_be_empty),
        cmocka_unit_test(signed_numbers_are_read_whole_up_to_their_limits),
        cmocka_unit_test(what_is_no_number_or_too_big_leaves_the_result_alone),
        cmocka_unit_test(unsigned_numbers_reach_the_largest_and_no_further),
        cmocka_unit_test(small_numbers_obey_their_range),
        cmocka_unit_test(decimal_fractions_are_read_and_infinities_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

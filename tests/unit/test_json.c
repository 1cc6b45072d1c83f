/* test_json.c - writing JSON. */
#include "support/testing.h"

#include <math.h>

#include "base/json.h"

typedef struct {
    Buf        buf;
    JsonWriter w;
} Json;

static int begin(void **state)
{
    static Json json;
    json = (Json){0};
    json_init(&json.w, &json.buf);
    *state = &json;
    return 0;
}

static int end(void **state)
{
    Json *json = *state;
    buf_release(&json->buf);
    return 0;
}

static void members_are_separated_by_commas_and_nothing_else(void **state)
{
    Json *j = *state;
    json_begin_object(&j->w, NULL);
    json_str(&j->w, "fen", STR("8/8"));
    json_u64(&j->w, "nodes", UINT64_MAX);
    json_i64(&j->w, "score", INT64_MIN);
    json_bool(&j->w, "mate", true);
    json_bool(&j->w, "draw", false);
    json_none(&j->w, "pv");
    json_end_object(&j->w);
    assert_str_equal(buf_str(&j->buf), "{\"fen\":\"8/8\",\"nodes\":18446744073709551615,\"score\":-9223372036854775808,"
                                       "\"mate\":true,\"draw\":false,\"pv\":null}");
}

static void nested_values_start_their_own_list_of_members(void **state)
{
    Json *j = *state;
    json_begin_array(&j->w, NULL);
    json_begin_object(&j->w, NULL);
    json_end_object(&j->w);
    json_begin_array(&j->w, NULL);
    json_i64(&j->w, NULL, 1);
    json_i64(&j->w, NULL, 2);
    json_end_array(&j->w);
    json_begin_object(&j->w, NULL);
    json_begin_object(&j->w, "moves");
    json_u64(&j->w, "e2e4", 20);
    json_end_object(&j->w);
    json_i64(&j->w, "depth", 2);
    json_end_object(&j->w);
    json_end_array(&j->w);
    assert_str_equal(buf_str(&j->buf), "[{},[1,2],{\"moves\":{\"e2e4\":20},\"depth\":2}]");
}

static void quotes_backslashes_and_control_characters_are_escaped(void **state)
{
    Json *j = *state;
    json_str(&j->w, NULL, (Str){"a\"b\\c\n\x1f\0d/\x7f", 11});
    assert_str_equal(buf_str(&j->buf), "\"a\\\"b\\\\c\\u000a\\u001f\\u0000d/\x7f\"");
}

static void keys_are_escaped_too(void **state)
{
    Json *j = *state;
    json_begin_object(&j->w, NULL);
    json_none(&j->w, "a\"b");
    json_end_object(&j->w);
    assert_str_equal(buf_str(&j->buf), "{\"a\\\"b\":null}");
}

static void utf8_passes_and_broken_bytes_become_the_replacement_character(void **state)
{
    Json *j = *state;
    json_str(&j->w, NULL, STR("Tár \xe2\x99\x9e \xf0\x9f\x99\x82 \xff\xe9!"));
    assert_str_equal(buf_str(&j->buf), "\"Tár \xe2\x99\x9e \xf0\x9f\x99\x82 \xef\xbf\xbd\xef\xbf\xbd!\"");
}

static void fractions_have_the_decimals_asked_for_and_no_infinity(void **state)
{
    Json *j = *state;
    json_begin_array(&j->w, NULL);
    json_double(&j->w, NULL, 1.23456, 3);
    json_double(&j->w, NULL, -2, 0);
    json_double(&j->w, NULL, INFINITY, 2);
    json_double(&j->w, NULL, NAN, 2);
    json_end_array(&j->w);
    assert_str_equal(buf_str(&j->buf), "[1.235,-2,null,null]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(members_are_separated_by_commas_and_nothing_else, begin, end),
        cmocka_unit_test_setup_teardown(nested_values_start_their_own_list_of_members, begin, end),
        cmocka_unit_test_setup_teardown(quotes_backslashes_and_control_characters_are_escaped, begin, end),
        cmocka_unit_test_setup_teardown(keys_are_escaped_too, begin, end),
        cmocka_unit_test_setup_teardown(utf8_passes_and_broken_bytes_become_the_replacement_character, begin, end),
        cmocka_unit_test_setup_teardown(fractions_have_the_decimals_asked_for_and_no_infinity, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

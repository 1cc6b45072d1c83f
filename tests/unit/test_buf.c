/* test_buf.c - text that grows. */
#include "support/testing.h"

#include "base/buf.h"

static void an_unused_buffer_is_empty_text(void **state)
{
    (void)state;
    Buf buf = {0};
    assert_str_equal(buf_str(&buf), "");
    buf_reset(&buf);
    buf_release(&buf);
    buf_release(&buf); /* twice does no harm */
}

static void appended_parts_stand_in_order_and_end_with_zero(void **state)
{
    (void)state;
    Buf buf;
    buf_init(&buf);
    buf_append(&buf, STR("perft"));
    buf_append_char(&buf, ' ');
    buf_printf(&buf, "%d %s", 6, "nodes");
    assert_str_equal(buf_str(&buf), "perft 6 nodes");
    assert_string_equal(buf.data, "perft 6 nodes");
    assert_false(buf.failed);
    buf_release(&buf);
}

static void a_hundred_thousand_bytes_arrive_one_by_one(void **state)
{
    (void)state;
    Buf buf = {0};
    for (int i = 0; i < 100000; i++) buf_append_char(&buf, (char)('a' + i % 26));
    assert_int_equal(buf.len, 100000);
    for (int i = 0; i < 100000; i++) assert_int_equal(buf.data[i], 'a' + i % 26);
    assert_int_equal(buf.data[100000], '\0');
    buf_release(&buf);
}

static void formatted_text_of_exactly_the_capacity_grows_it(void **state)
{
    (void)state;
    Buf buf = {0};
    buf_printf(&buf, "%063d", 0);
    buf_printf(&buf, "%01d", 7); /* the 64th byte: no room was left for the zero */
    assert_int_equal(buf.len, 64);
    assert_int_equal(strlen(buf.data), 64);
    assert_int_equal(buf.data[63], '7');
    buf_release(&buf);
}

static void reset_keeps_the_memory_and_forgets_the_text(void **state)
{
    (void)state;
    Buf buf = {0};
    buf_append(&buf, STR("something"));
    const char *memory = buf.data;
    buf_reset(&buf);
    assert_int_equal(buf.len, 0);
    assert_string_equal(buf.data, "");
    assert_ptr_equal(buf.data, memory);
    buf_release(&buf);
}

static void consuming_drops_bytes_from_the_front(void **state)
{
    (void)state;
    Buf buf = {0};
    buf_append(&buf, STR("abcdef"));
    buf_consume(&buf, 2);
    assert_string_equal(buf.data, "cdef");
    buf_consume(&buf, 0);
    assert_string_equal(buf.data, "cdef");
    buf_consume(&buf, 99);
    assert_string_equal(buf.data, "");
    buf_release(&buf);
}

static void an_impossible_size_fails_and_keeps_the_text(void **state)
{
    (void)state;
    Buf buf = {0};
    buf_append(&buf, STR("kept"));
    assert_false(buf_reserve(&buf, SIZE_MAX - 2));
    assert_true(buf.failed);
    assert_string_equal(buf.data, "kept");
    buf_reset(&buf);
    assert_false(buf.failed);
    buf_release(&buf);
}

static void zero_bytes_are_text_like_any_other(void **state)
{
    (void)state;
    Buf buf = {0};
    buf_append(&buf, (Str){"a\0b", 3});
    assert_int_equal(buf.len, 3);
    assert_memory_equal(buf.data, "a\0b", 4);
    buf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unused_buffer_is_empty_text),
        cmocka_unit_test(appended_parts_stand_in_order_and_end_with_zero),
        cmocka_unit_test(a_hundred_thousand_bytes_arrive_one_by_one),
        cmocka_unit_test(formatted_text_of_exactly_the_capacity_grows_it),
        cmocka_unit_test(reset_keeps_the_memory_and_forgets_the_text),
        cmocka_unit_test(consuming_drops_bytes_from_the_front),
        cmocka_unit_test(an_impossible_size_fails_and_keeps_the_text),
        cmocka_unit_test(zero_bytes_are_text_like_any_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_epd.c - lines of EPD: position and operations. */
#include <stdio.h>

#include "support/testing.h"

#include "game/epd.h"

static Epd epd_of(const char *line)
{
    Epd epd;
    Err err = {0};
    if (!epd_parse(str_from(line), &epd, &err)) fail_msg("'%s': %s", line, err.text);
    return epd;
}

static Err error_of(const char *line)
{
    Epd epd;
    Err err = {0};
    if (epd_parse(str_from(line), &epd, &err)) fail_msg("'%s' was taken", line);
    return err;
}

static void operations_are_found_by_name(void **state)
{
    (void)state;
    Epd epd = epd_of("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6 Rf3; id \"WAC.001\"; acd 12;");
    assert_int_equal(epd.count, 3);
    assert_str_equal(epd_get(&epd, STR("bm")), "Qg6 Rf3");
    assert_str_equal(epd_get(&epd, STR("id")), "WAC.001");
    assert_str_equal(epd_get(&epd, STR("acd")), "12");
    assert_str_equal(epd_get(&epd, STR("am")), "");
    assert_int_equal(epd.position.board[G3], W_QUEEN);
}

static void six_fields_of_fen_are_read_too(void **state)
{
    (void)state;
    Epd epd = epd_of("4k3/8/8/8/8/8/4P3/4K3 b - - 7 31 D1 5; D2 40");
    assert_int_equal(epd.position.halfmove, 7);
    assert_int_equal(epd.position.fullmove, 31);
    assert_str_equal(epd_get(&epd, STR("D1")), "5");
    assert_str_equal(epd_get(&epd, STR("D2")), "40");
}

static void a_semicolon_may_come_before_the_first_operation(void **state)
{
    (void)state;
    Epd epd = epd_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902\r\n");
    assert_int_equal(epd.count, 3);
    assert_str_equal(epd_get(&epd, STR("D1")), "20");
    assert_str_equal(epd_get(&epd, STR("D3")), "8902");
}

static void a_semicolon_in_quotes_ends_nothing(void **state)
{
    (void)state;
    Epd epd = epd_of("4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"a; b\"; c1 \"x\" \"y\"; hmvc 3; draw_offer;");
    assert_str_equal(epd_get(&epd, STR("c0")), "a; b");
    assert_str_equal(epd_get(&epd, STR("c1")), "\"x\" \"y\"");
    assert_str_equal(epd_get(&epd, STR("hmvc")), "3");
    assert_int_equal(epd.count, 4);
    assert_str_equal(epd.operations[3].name, "draw_offer");
    assert_str_equal(epd.operations[3].value, "");
}

static void a_position_alone_is_a_line(void **state)
{
    (void)state;
    assert_int_equal(epd_of("4k3/8/8/8/8/8/4P3/4K3 w - -").count, 0);
    assert_int_equal(epd_of("4k3/8/8/8/8/8/4P3/4K3 w - - ; ;").count, 0);
}

static void faults_are_told_with_their_place(void **state)
{
    (void)state;
    Err err = error_of("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"open");
    assert_int_equal(err.code, ERR_SYNTAX);
    assert_int_equal(err.offset, 35);
    err = error_of("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; 17 x;");
    assert_int_equal(err.code, ERR_SYNTAX);
    assert_int_equal(err.offset, 35);
    err = error_of("4k3/8/8/x7/8/8/4P3/4K3 w - - bm e4;");
    assert_int_equal(err.offset, 8);
    assert_int_not_equal(error_of("").code, ERR_NONE);
}

static void too_many_operations_are_refused(void **state)
{
    (void)state;
    char   line[2048];
    size_t used = (size_t)snprintf(line, sizeof line, "4k3/8/8/8/8/8/4P3/4K3 w - -");
    for (int i = 0; i < EPD_OPERATIONS_MAX; i++) used += (size_t)snprintf(line + used, sizeof line - used, " a%d 1;", i);
    assert_int_equal(epd_of(line).count, EPD_OPERATIONS_MAX);
    snprintf(line + used, sizeof line - used, " last 1;");
    assert_int_equal(error_of(line).code, ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_found_by_name),
        cmocka_unit_test(six_fields_of_fen_are_read_too),
        cmocka_unit_test(a_semicolon_may_come_before_the_first_operation),
        cmocka_unit_test(a_semicolon_in_quotes_ends_nothing),
        cmocka_unit_test(a_position_alone_is_a_line),
        cmocka_unit_test(faults_are_told_with_their_place),
        cmocka_unit_test(too_many_operations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

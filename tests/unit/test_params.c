/* test_params.c - the table of the search's numbers: every one has a name of its own and stands inside its bounds. */
#include <string.h>

#include "engine/engine.h"
#include "search/params.h"
#include "support/testing.h"

static void every_number_has_a_name_and_stands_inside_its_bounds(void **state)
{
    (void)state;
    for (Param i = 0; i < PARAMS; i++) {
        const ParamInfo *info = param_info(i);
        assert_true(info->low < info->high);
        assert_in_range(info->initial - info->low, 0, info->high - info->low);
        for (Param k = 0; k < i; k++) assert_string_not_equal(param_info(k)->name, info->name);
    }
}

static void the_defaults_are_the_constants(void **state)
{
    (void)state;
    const SearchParams params = params_default();
    for (Param i = 0; i < PARAMS; i++) assert_int_equal(params.number[i], param_info(i)->initial);
    assert_string_equal(param_info(PARAM_RFP_MARGIN)->name, "RFP_MARGIN");
    assert_int_equal(TUNED(&params, RFP_MARGIN), param_info(PARAM_RFP_MARGIN)->initial);
}

static bool is_option(const char *name)
{
    for (size_t i = 0; i < engine_option_count(); i++) {
        if (strcmp(engine_option(i)->name, name) == 0) return true;
    }
    return false;
}

/* A player of the normal build must not be able to detune it by accident; a tuner needs every one of them. */
static void they_are_options_in_a_tuning_build_only(void **state)
{
    (void)state;
#ifdef TABIA_TUNE
    const bool expected = true;
#else
    const bool expected = false;
#endif
    for (Param i = 0; i < PARAMS; i++) assert_int_equal(is_option(param_info(i)->name), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_a_name_and_stands_inside_its_bounds),
        cmocka_unit_test(the_defaults_are_the_constants),
        cmocka_unit_test(they_are_options_in_a_tuning_build_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stats_mean.c - means and their errors against tables and by hand. */
#include <math.h>

#include "stats/mean.h"
#include "support/testing.h"

static void assert_near(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance)) fail_msg("%.10g is not %.10g +- %g", actual, expected, tolerance);
}

static void students_points_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_near(stats_student(3), 3.182446, 0.02);
    assert_near(stats_student(5), 2.570582, 0.002);
    assert_near(stats_student(10), 2.228139, 0.0002);
    assert_near(stats_student(30), 2.042272, 1e-5);
    assert_near(stats_student(199), 1.971957, 1e-6);
    assert_near(stats_student(1000000), 1.959966, 1e-6);
    assert_true(isinf(stats_student(0)));
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares 32, so s = sqrt(32 / 7). */
static void the_error_is_students(void **state)
{
    (void)state;
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    MeanEstimate m        = stats_mean(values, 8);
    assert_int_equal(m.count, 8);
    assert_near(m.mean, 5, 1e-12);
    assert_near(m.error, 2.364624 * sqrt(32.0 / 7 / 8), 0.001);
}

static void what_pairs_share_cancels(void **state)
{
    (void)state;
    const double a[] = {0.1, 0.9, 0.4, 0.6}, b[] = {0.2, 1.0, 0.5, 0.7};
    MeanEstimate m = stats_mean_difference(a, b, 4);
    assert_near(m.mean, -0.1, 1e-12);
    assert_near(m.error, 0, 1e-12);
}

static void few_values_say_little(void **state)
{
    (void)state;
    const double one = 0.3;
    assert_near(stats_mean(NULL, 0).mean, 0, 0);
    assert_near(stats_mean(&one, 1).mean, 0.3, 0);
    assert_true(isinf(stats_mean(NULL, 0).error) && isinf(stats_mean(&one, 1).error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(students_points_are_those_of_the_tables),
        cmocka_unit_test(the_error_is_students),
        cmocka_unit_test(what_pairs_share_cancels),
        cmocka_unit_test(few_values_say_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

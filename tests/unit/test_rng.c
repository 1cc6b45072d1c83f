/* test_rng.c - the seeded random numbers: the same everywhere, and not obviously bad. */
#include "support/testing.h"

#include "base/rng.h"

/* xoshiro256** seeded by splitmix64, as its authors publish them: the first numbers for seed 0 and for the state 1, 2, 3, 4. */
static void the_sequence_is_the_published_one(void **state)
{
    (void)state;
    Rng                   rng        = {{1, 2, 3, 4}};
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240};
    for (size_t i = 0; i < COUNT_OF(expected); i++) assert_true(rng_next(&rng) == expected[i]);
    Rng seeded = rng_seeded(0);
    assert_true(seeded.s[0] == 0xe220a8397b1dcdafU); /* splitmix64(0) */
    assert_true(seeded.s[1] == 0x6e789e6aa1b965f4U);
    assert_true(rng_next(&seeded) == 0x99ec5f36cb75f2b4U);
}

static void equal_seeds_give_equal_sequences_and_others_do_not(void **state)
{
    (void)state;
    Rng a = rng_seeded(42), b = rng_seeded(42), c = rng_seeded(43);
    int same = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t number = rng_next(&a);
        assert_true(number == rng_next(&b));
        same += number == rng_next(&c);
    }
    assert_int_equal(same, 0);
}

static void bounded_numbers_stay_below_and_reach_every_value(void **state)
{
    (void)state;
    Rng rng        = rng_seeded(1);
    int counts[10] = {0};
    for (int i = 0; i < 100000; i++) {
        uint64_t number = rng_below(&rng, 10);
        assert_in_range(number, 0, 9);
        counts[number]++;
    }
    for (int i = 0; i < 10; i++) assert_in_range(counts[i], 9600, 10400); /* four standard deviations */
    assert_int_equal(rng_below(&rng, 1), 0);
}

static void the_unit_interval_is_half_open_and_filled(void **state)
{
    (void)state;
    Rng    rng = rng_seeded(2);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double number = rng_unit(&rng);
        assert_true(number >= 0 && number < 1);
        sum += number;
    }
    assert_true(sum > 49600 && sum < 50400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sequence_is_the_published_one),
        cmocka_unit_test(equal_seeds_give_equal_sequences_and_others_do_not),
        cmocka_unit_test(bounded_numbers_stay_below_and_reach_every_value),
        cmocka_unit_test(the_unit_interval_is_half_open_and_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

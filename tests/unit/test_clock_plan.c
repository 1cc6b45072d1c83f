/* test_clock_plan.c - a plan never spends what is not there, for every kind of clock. */
#include "support/testing.h"

#include "engine/clock_plan.h"

static const int64_t times[] = {
    INT64_MIN,
    -INT64_MAX,
    -3600000,
    -1000,
    -1,
    0,
    1,
    2,
    3,
    5,
    9,
    10,
    11,
    19,
    20,
    21,
    50,
    99,
    100,
    101,
    250,
    500,
    999,
    1000,
    2500,
    5000,
    9999,
    10000,
    30000,
    60000,
    180000,
    300000,
    900000,
    3600000,
    7200000,
    86400000,
    31536000000,
    1000000000000000,
    INT64_MAX / 4,
    INT64_MAX,
};
static const int64_t incs[]      = {INT64_MIN, -1000,         -1,       0, 1, 2, 10, 40, 100, 1000, 2000, 10000, 180000,
                                    3600000,   INT64_MAX / 4, INT64_MAX};
static const int64_t overheads[] = {0, 1, 10, 30, 100, 1000, 5000};
static const int     to_go[]     = {-1, 0, 1, 2, 3, 5, 10, 20, 40, 41, 100, 1000, INT32_MAX};

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* What may be used at most: all but the overhead; when that leaves nothing, a tenth, for a move must be made. */
static int64_t most_of(const ClockState *state)
{
    int64_t time = larger(state->time_ms, 1);
    return larger(larger(time - state->overhead_ms, time / 10), 1);
}

static void check_plan(const ClockState *s)
{
    ClockPlan plan = clock_plan(s);
    bool      fine = plan.soft_ms >= 1 && plan.hard_ms >= plan.soft_ms && plan.hard_ms <= most_of(s);
    if (fine) return;
    fail_msg("time %lld inc %lld moves %d overhead %lld: soft %lld hard %lld", (long long)s->time_ms, (long long)s->inc_ms,
             s->moves_to_go, (long long)s->overhead_ms, (long long)plan.soft_ms, (long long)plan.hard_ms);
}

static void no_plan_is_longer_than_the_clock_without_the_overhead(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT_OF(times); t++) {
        for (size_t i = 0; i < COUNT_OF(incs); i++) {
            for (size_t o = 0; o < COUNT_OF(overheads); o++) {
                for (size_t m = 0; m < COUNT_OF(to_go); m++)
                    check_plan(&(ClockState){
                        .time_ms = times[t], .inc_ms = incs[i], .moves_to_go = to_go[m], .overhead_ms = overheads[o]});
            }
        }
    }
}

/* A number that does not fit is no reason to move at once. */
static void very_much_time_is_used(void **state)
{
    (void)state;
    const ClockState rich[] = {
        {.time_ms = INT64_MAX, .overhead_ms = 10},
        {.time_ms = INT64_MAX, .inc_ms = INT64_MAX, .overhead_ms = 10},
        {.time_ms = INT64_MAX, .moves_to_go = 1, .overhead_ms = 10},
        {.time_ms = INT64_MAX / 4, .moves_to_go = 2},
        {.time_ms = INT64_MAX / 50, .moves_to_go = 40},
        {.time_ms = 60000, .inc_ms = INT64_MAX, .overhead_ms = 10},
        {.time_ms = 60000, .inc_ms = INT64_MAX / 3, .overhead_ms = 10},
    };
    for (size_t i = 0; i < COUNT_OF(rich); i++) {
        ClockPlan plan = clock_plan(&rich[i]);
        if (plan.soft_ms < 1000) fail_msg("clock %zu: an aim of %lld ms", i, (long long)plan.soft_ms);
    }
}

static void an_empty_clock_still_gives_a_millisecond(void **state)
{
    (void)state;
    ClockPlan plan = clock_plan(&(ClockState){.time_ms = 0, .overhead_ms = 10});
    assert_int_equal(plan.soft_ms, 1);
    assert_int_equal(plan.hard_ms, 1);
    plan = clock_plan(&(ClockState){.time_ms = -500, .inc_ms = 1000, .overhead_ms = 10});
    assert_int_equal(plan.hard_ms, 1);
}

/* Every move uses its aim and costs the overhead on top; the increment comes after the move. */
static void a_game_that_uses_every_aim_does_not_flag(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT_OF(times); t++) {
        for (int64_t inc = 0; inc <= 1000; inc += 100) {
            int64_t clock = times[t];
            if (clock < 1000 || clock > 86400000) continue;
            for (int move = 0; move < 60; move++) {
                ClockPlan plan = clock_plan(&(ClockState){.time_ms = clock, .inc_ms = inc, .overhead_ms = 5});
                clock -= plan.soft_ms + 5;
                if (clock <= 0) fail_msg("%lld + %lld ms: flagged at move %d", (long long)times[t], (long long)inc, move + 1);
                clock += inc;
            }
        }
    }
}

static void the_moves_to_a_control_share_the_time(void **state)
{
    (void)state;
    for (int moves = 1; moves <= 40; moves++) {
        int64_t clock = 60000;
        for (int left = moves; left > 0; left--) {
            ClockPlan plan = clock_plan(&(ClockState){.time_ms = clock, .moves_to_go = left, .overhead_ms = 10});
            clock -= plan.soft_ms + 10;
            if (clock <= 0) fail_msg("%d moves in a minute: flagged with %d to go", moves, left);
        }
        if (clock > 40000) fail_msg("%d moves in a minute: %lld ms never used", moves, (long long)clock);
    }
}

static void the_last_move_before_a_control_may_use_most_of_the_time(void **state)
{
    (void)state;
    ClockPlan last = clock_plan(&(ClockState){.time_ms = 10000, .moves_to_go = 1, .overhead_ms = 10});
    ClockPlan many = clock_plan(&(ClockState){.time_ms = 10000, .moves_to_go = 40, .overhead_ms = 10});
    assert_true(last.soft_ms >= 5000);
    assert_true(many.soft_ms < 1000);
}

static void more_time_never_means_less_thought(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT_OF(to_go); m++) {
        ClockPlan before = {0};
        for (int64_t time = 1; time < 7200000; time += 1 + time / 7) {
            ClockPlan plan = clock_plan(&(ClockState){.time_ms = time, .inc_ms = 20, .moves_to_go = to_go[m], .overhead_ms = 10});
            if (plan.soft_ms < before.soft_ms || plan.hard_ms < before.hard_ms)
                fail_msg("%d moves to go: less thought with %lld ms than with less", to_go[m], (long long)time);
            before = plan;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_plan_is_longer_than_the_clock_without_the_overhead),
        cmocka_unit_test(very_much_time_is_used),
        cmocka_unit_test(an_empty_clock_still_gives_a_millisecond),
        cmocka_unit_test(a_game_that_uses_every_aim_does_not_flag),
        cmocka_unit_test(the_moves_to_a_control_share_the_time),
        cmocka_unit_test(the_last_move_before_a_control_may_use_most_of_the_time),
        cmocka_unit_test(more_time_never_means_less_thought),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_work.c - units of work on threads: each done once, by a thread that may use its own state. */
#include "support/testing.h"

#include <stdatomic.h>

#include "base/work.h"

enum { UNITS = 5000, THREADS_MAX = 8 };

typedef struct {
    atomic_int done[UNITS];
    long       per_thread[THREADS_MAX]; /* written without locks: the number of the thread makes it private */
    int        threads;
    atomic_int bad_thread;
} Context;

static void count_unit(void *context, size_t unit, int thread)
{
    Context *c = context;
    if (thread < 0 || thread >= c->threads) {
        atomic_fetch_add(&c->bad_thread, 1);
        return;
    }
    atomic_fetch_add(&c->done[unit], 1);
    c->per_thread[thread]++;
}

static void every_unit_is_done_exactly_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= THREADS_MAX; threads *= 2) {
        Context context = {.threads = threads};
        long    sum     = 0;
        work_run(UNITS, threads, count_unit, &context);
        for (int i = 0; i < UNITS; i++) assert_int_equal(context.done[i], 1);
        for (int i = 0; i < THREADS_MAX; i++) sum += context.per_thread[i];
        assert_int_equal(sum, UNITS);
        assert_int_equal(context.bad_thread, 0);
    }
}

static void more_threads_than_units_is_no_harm(void **state)
{
    (void)state;
    Context context = {.threads = THREADS_MAX};
    work_run(3, THREADS_MAX, count_unit, &context);
    assert_int_equal(context.done[0] + context.done[1] + context.done[2], 3);
    assert_int_equal(context.done[3], 0);
}

static void no_units_return_at_once(void **state)
{
    (void)state;
    Context context = {.threads = 2};
    work_run(0, 2, count_unit, &context);
    assert_int_equal(context.done[0], 0);
}

static void there_is_at_least_one_processor(void **state)
{
    (void)state;
    assert_in_range(work_processors(), 1, 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_is_done_exactly_once),
        cmocka_unit_test(more_threads_than_units_is_no_harm),
        cmocka_unit_test(no_units_return_at_once),
        cmocka_unit_test(there_is_at_least_one_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* work.c - see work.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/work.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    atomic_size_t next;
    size_t        units;
    WorkFn       *fn;
    void         *context;
} Queue;

typedef struct {
    Queue    *queue;
    pthread_t id;
    int       index;
} Helper;

static void take_units(Queue *queue, int thread)
{
    for (;;) {
        size_t unit = atomic_fetch_add_explicit(&queue->next, 1, memory_order_relaxed);
        if (unit >= queue->units) return;
        queue->fn(queue->context, unit, thread);
    }
}

static void *helper_main(void *argument)
{
    Helper *helper = argument;
    take_units(helper->queue, helper->index);
    return NULL;
}

void work_run(size_t units, int threads, WorkFn *fn, void *context)
{
    Queue   queue   = {.units = units, .fn = fn, .context = context};
    int     wanted  = threads > 1 ? threads - 1 : 0;
    Helper *helpers = wanted ? calloc((size_t)wanted, sizeof *helpers) : NULL;
    int     started = 0;
    while (helpers && started < wanted) {
        helpers[started].queue = &queue;
        helpers[started].index = started + 1;
        if (pthread_create(&helpers[started].id, NULL, helper_main, &helpers[started]) != 0) break;
        started++;
    }
    take_units(&queue, 0);
    for (int i = 0; i < started; i++) pthread_join(helpers[i].id, NULL);
    free(helpers);
}

int work_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

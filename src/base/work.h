/* work.h - independent units of work, taken by threads from one shared queue.
 *
 * Whatever is big in Tabia (a perft tree, a tournament, self-play) is cut into numbered units that do not depend on each
 * other; a unit is taken when a thread is free, so uneven units balance themselves.
 */
#ifndef BASE_WORK_H
#define BASE_WORK_H

#include "base/err.h"

/* Does unit `unit`; `thread` is 0..threads-1 and tells which private state to use. */
typedef void WorkFn(void *context, size_t unit, int thread);

/* Runs units 0..units-1 on `threads` threads (the caller is one of them) and returns when all are done: it blocks.
 * When fewer threads can be started than asked for, those that run do all the work. */
void work_run(size_t units, int threads, WorkFn *fn, void *context);

/* How many processors this process may use, at least 1. */
int work_processors(void);

#endif

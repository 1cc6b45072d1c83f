/* clock.h - time that only goes forward. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t clock_now_ms(void) { return clock_now_ns() / 1000000; }

static inline double clock_seconds_since(int64_t start_ns) { return (double)(clock_now_ns() - start_ns) * 1e-9; }

#endif

/* bench.h - the signature of the search: the nodes of fixed searches, the same on every compiler and machine. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "base/err.h"
#include "engine/engine.h"

enum { BENCH_DEPTH = 15 };

typedef struct {
    int         depth;
    const char *features; /* NULL: all */
    void       *context;
    void (*position)(void *context, int index, int count, const char *fen, uint64_t nodes); /* after each; may be NULL */
} BenchOptions;

typedef struct {
    uint64_t nodes;
    double   seconds;
} BenchResult;

/* Searches every position of the list with one thread and 16 MB of hash. Blocks. */
bool bench_run(const BenchOptions *options, BenchResult *out, Err *err);

static inline double bench_nps(const BenchResult *result)
{
    return result->seconds > 0 ? (double)result->nodes / result->seconds : 0;
}

#endif

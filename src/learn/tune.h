/* tune.h - finds better numbers for the classical evaluation: positions with the results of their games in, params.def out.
 *
 * Texel's method: the evaluation, put through a logistic curve, should predict the result. Every position is traced once
 * into sparse counts (how often each parameter counted); after that a value and its gradient are sums over them, and Adam
 * descends. Danger and complexity are not linear in their parameters; the chain rule takes care of them.
 * The outcome depends on data, options and seed, not on the number of threads.
 * Threads: a TuneSet belongs to one thread at a time; tune_run starts its own helpers and blocks.
 */
#ifndef LEARN_TUNE_H
#define LEARN_TUNE_H

#include "base/buf.h"
#include "base/err.h"
#include "chess/position.h"
#include "eval/params.h"

typedef struct {
    double mg[EVAL_PARAMS];
    double eg[EVAL_PARAMS];
} TuneParams;

/* One parameter's count in one position. */
typedef struct {
    uint16_t param;
    int16_t  count;
} TuneCount;

/* One position: where its counts begin, and how many of each kind follow each other. */
typedef struct {
    size_t   first;
    uint16_t linear;         /* White minus Black */
    uint16_t danger[COLORS]; /* against White's king, against Black's; none when nobody attacks */
    uint16_t complexity;
    float    mg_weight; /* phase, and what is left of the fifty moves */
    float    eg_weight; /* the other part, with the ending's scale */
    float    result;    /* White's: 1, 0.5, 0 */
} TuneRecord;

typedef struct {
    TuneRecord *records;
    size_t      count, capacity;
    TuneCount  *counts;
    size_t      count_total, count_capacity;
    uint64_t    skipped; /* known endings and positions in check: nothing to learn from them here */
} TuneSet;

void tune_set_init(TuneSet *set);
void tune_set_release(TuneSet *set);

/* Traces one position with its game's result for White. False only when memory is short. */
bool tune_set_add(TuneSet *set, const Position *pos, double result);

/* Reads lines of FEN or EPD with a result: c9 "1-0"; or [1.0] or ; 0.5 (any number from 0 to 1 will do) */
bool tune_set_read_lines(TuneSet *set, const char *path, Err *err);

/* Reads games and takes quiet positions out of each, one in about `every` plies; "-" is standard input. */
bool tune_set_read_pgn(TuneSet *set, const char *path, int every, uint64_t seed, Err *err);

/* The result in the text after a FEN, for White; false when there is none. */
bool tune_result_of(Str text, double *result);

typedef struct {
    int      epochs;
    int      threads;
    int      batch;      /* positions a step; 0: all */
    double   rate;       /* Adam's step, in centipawns */
    double   prior_cp;   /* how far a parameter is expected to be from its old value; pulls rare ones back */
    double   validation; /* part of the positions kept aside */
    uint64_t seed;
} TuneOptions;

typedef struct {
    int    epoch; /* 0: before any step */
    double scale; /* K of the logistic curve, per centipawn */
    double training_loss, validation_loss;
} TuneProgress;

/* Return false to stop early; what was learned so far is kept. */
typedef bool TuneListener(void *context, const TuneProgress *progress);

/* Improves `params`, which hold the values to begin with. The best epoch by validation is returned. */
bool tune_run(const TuneSet *set, const TuneOptions *options, TuneParams *params, TuneListener *listener, void *context,
              Err *err);

/* The value of one traced position for White with other parameters, in centipawns: the evaluation itself, unrounded. */
double tune_value(const TuneSet *set, size_t index, const TuneParams *params);

/* The parameters that are compiled in. */
void tune_params_default(TuneParams *params);

/* The text of a params.def with these values (rounded); `provenance` are the lines of its head, each ended by a newline. */
void tune_write_params(const TuneParams *params, Str provenance, Buf *out);

/* Puts the text into `path` all at once: a reader sees the old file or the new one. What is no plain file (a pipe, a device) is
 * simply written to. */
bool tune_save(Str text, const char *path, Err *err);

#endif

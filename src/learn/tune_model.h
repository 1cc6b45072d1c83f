/* tune_model.h - value and gradient of traced positions. Private to learn. Hot: both functions. */
#ifndef LEARN_TUNE_MODEL_H
#define LEARN_TUNE_MODEL_H

#include "learn/tune.h"

/* What the forward pass knows of one position, kept for the gradient. */
typedef struct {
    double value;          /* for White, centipawns */
    double danger[COLORS]; /* middle game sums */
    double danger_eg[COLORS];
    double eg_open;         /* d(eg)/d(linear eg): 0 when complexity swallowed it all */
    double complexity_sign; /* d(eg)/d(complexity) */
} TuneForward;

TuneForward tune_forward(const TuneSet *set, const TuneRecord *r, const TuneParams *params);

/* Adds `slope` * d(value)/d(parameter) to `gradient` for every parameter of the position. */
void tune_backward(const TuneSet *set, const TuneRecord *r, const TuneForward *f, double slope, TuneParams *gradient);

#endif

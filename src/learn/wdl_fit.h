/* wdl_fit.h - fits the curves of eval/wdl.h to games: from which value on a win is likelier than not, and how sharply.
 *
 * Two logistic curves, for winning and (mirrored) for losing; where they stand and how steep they are are polynomials of the
 * phase. Maximum likelihood by Newton's method with the expected curvature. Threads: [any], one set each.
 */
#ifndef LEARN_WDL_FIT_H
#define LEARN_WDL_FIT_H

#include "eval/evaluator.h"
#include "learn/samples.h"

typedef struct {
    WdlModel model;
    size_t   samples;          /* those with a score */
    double   before, after;    /* mean loss (negative log likelihood of a sample) of the present model and of this one */
    double   predicted, found; /* points per sample, of all samples: they agree when the curves fit */
} WdlFit;

/* False with *err when there is too little to fit. */
bool wdl_fit(const SampleSet *set, WdlFit *out, Err *err);

#endif

/* sprt.h - the sequential probability ratio test: play until the games themselves say which of two hypotheses holds.
 *
 * H0: the difference is elo0; H1: it is elo1 > elo0. After every game or pair the log-likelihood ratio (LLR) of the two is
 * compared with two bounds that follow from the error rates asked for. The test is Wald's, generalised: nobody knows how
 * often games are drawn, so for each hypothesis the distribution of results is the most likely one that has the
 * difference the hypothesis states (maximum likelihood under a constraint, solved exactly, not by the usual normal
 * approximation). This is the test that fishtest and fastchess run, for logistic and for normalised Elo.
 * Kinds of results that have not occurred count as a thousandth of a result, as in fishtest: they are possible.
 * Threads: [any]; pure functions of their arguments. One LLR takes a microsecond or two.
 */
#ifndef STATS_SPRT_H
#define STATS_SPRT_H

#include <stdbool.h>

#include "base/err.h"
#include "stats/elo.h"

typedef enum {
    SPRT_LOGISTIC,   /* elo0 and elo1 are Elo: a hypothesis fixes the expected score */
    SPRT_NORMALISED, /* they are normalised Elo: it fixes the score in standard deviations of a game */
} SprtModel;

typedef struct {
    double    elo0, elo1;
    double    alpha; /* chance to accept H1 though H0 holds */
    double    beta;  /* chance to accept H0 though H1 holds */
    SprtModel model;
} SprtParams;

typedef enum { SPRT_CONTINUE, SPRT_ACCEPT_H0, SPRT_ACCEPT_H1 } SprtVerdict;

typedef struct {
    double      llr;
    double      lower, upper; /* the bounds */
    SprtVerdict verdict;
} SprtState;

/* elo0 < elo1, both within the range of their model, and error rates that leave something to decide. The range of normalised
 * Elo is where the solution is known to converge whatever the results; differences beyond it need no test. */
enum { SPRT_ELO_MAX = 1000, SPRT_NELO_MAX = 100 };
bool sprt_check_params(const SprtParams *params, Err *err);

/* Where the test stands. Without games the LLR is 0. `params` has passed sprt_check_params. */
SprtState sprt_state_trinomial(const SprtParams *params, Trinomial games);
SprtState sprt_state_pentanomial(const SprtParams *params, Pentanomial pairs);

#endif

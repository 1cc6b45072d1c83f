/* sprt.c - see sprt.h.
 *
 * The mathematics, once. Results of kind i have value a[i] and were seen with frequency f[i] > 0. We look for the
 * distribution p that makes them most likely, maximising sum f[i] ln p[i], among those with sum p[i] g[i] = 0. Lagrange's
 * conditions give p[i] = f[i] / (1 + x g[i]), with x the root of sum f[i] g[i] / (1 + x g[i]) = 0 in the interval where all
 * denominators are positive; there the sum falls from +infinity to -infinity, so the root exists and is the only one.
 *  - Logistic Elo fixes the mean: g[i] = a[i] - s, and one solution is the answer.
 *  - Normalised Elo fixes mean - 1/2 = t sigma, which is not linear in p. We put its tangent at the current p in its place,
 *    solve, and repeat from the solution; the tangent is g[i] = a[i] - 1/2 - t sigma/2 (1 + ((a[i] - mean) / sigma)^2).
 */
#include "stats/sprt.h"

#include <math.h>
#include <stddef.h>

enum {
    KINDS_MAX    = PENTANOMIAL_KINDS,
    ROOT_STEPS   = 100, /* bisection alone needs about 60 */
    TANGENTS_MAX = 50,  /* two to ten are usual */
};

static const double UNSEEN_COUNT = 1e-3;  /* what a kind that has not occurred counts */
static const double CONVERGED    = 1e-12; /* change of a probability that no longer matters */

typedef struct {
    size_t kinds;
    double total;
    double f[KINDS_MAX]; /* frequencies, all positive */
    double a[KINDS_MAX]; /* values between 0 and 1 */
} Sample;

static Sample sample_of(const uint64_t *counts, size_t kinds)
{
    Sample s = {.kinds = kinds};
    for (size_t i = 0; i < kinds; i++) {
        s.f[i] = counts[i] ? (double)counts[i] : UNSEEN_COUNT;
        s.a[i] = (double)i / (double)(kinds - 1);
        s.total += s.f[i];
    }
    for (size_t i = 0; i < kinds; i++) s.f[i] /= s.total;
    return s;
}

/* sum f g / (1 + x g), and its derivative, which is negative. */
static double constraint_at(const Sample *s, const double *g, double x, double *slope)
{
    double sum = 0;
    *slope     = 0;
    for (size_t i = 0; i < s->kinds; i++) {
        double ratio = g[i] / (1 + x * g[i]);
        sum += s->f[i] * ratio;
        *slope -= s->f[i] * ratio * ratio;
    }
    return sum;
}

/* Newton's method, kept inside a bracket that every step narrows: near a pole of the sum Newton alone would jump out. */
static double find_root(const Sample *s, const double *g, double low, double high)
{
    double x = 0;
    for (int step = 0; step < ROOT_STEPS; step++) {
        double slope;
        double sum = constraint_at(s, g, x, &slope);
        if (sum == 0) return x;
        if (sum > 0)
            low = x;
        else
            high = x;
        double next = x - sum / slope;
        if (!(next > low && next < high)) next = low + (high - low) / 2;
        if (fabs(next - x) <= 1e-15 * fabs(x)) return next;
        x = next;
    }
    return x;
}

/* The most likely distribution with sum p g = 0; false when g is on one side of zero, so that there is none. */
static bool solve_linear(const Sample *s, const double *g, double *p)
{
    double lowest = g[0], highest = g[0];
    for (size_t i = 1; i < s->kinds; i++) {
        lowest  = fmin(lowest, g[i]);
        highest = fmax(highest, g[i]);
    }
    if (!(lowest < 0 && highest > 0)) return false;
    double x = find_root(s, g, -1 / highest, -1 / lowest);
    for (size_t i = 0; i < s->kinds; i++) p[i] = s->f[i] / (1 + x * g[i]);
    return true;
}

static bool solve_mean(const Sample *s, double mean, double *p)
{
    double g[KINDS_MAX] = {0};
    for (size_t i = 0; i < s->kinds; i++) g[i] = s->a[i] - mean;
    return solve_linear(s, g, p);
}

static void tangent_at(const Sample *s, const double *p, double t, double *g)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < s->kinds; i++) mean += p[i] * s->a[i];
    for (size_t i = 0; i < s->kinds; i++) variance += p[i] * (s->a[i] - mean) * (s->a[i] - mean);
    double sigma = sqrt(variance);
    for (size_t i = 0; i < s->kinds; i++) {
        double off = (s->a[i] - mean) / sigma;
        g[i]       = s->a[i] - 0.5 - t * sigma / 2 * (1 + off * off);
    }
}

/* `t` is the mean above 1/2 in standard deviations of one sample. Starts from equal chances, where sigma is far from 0. */
static bool solve_normalised(const Sample *s, double t, double *p)
{
    for (size_t i = 0; i < s->kinds; i++) p[i] = 1 / (double)s->kinds;
    for (int round = 0; round < TANGENTS_MAX; round++) {
        double g[KINDS_MAX] = {0}, next[KINDS_MAX] = {0};
        double change = 0;
        tangent_at(s, p, t, g);
        if (!solve_linear(s, g, next)) return false;
        for (size_t i = 0; i < s->kinds; i++) {
            change = fmax(change, fabs(next[i] - p[i]));
            p[i]   = next[i];
        }
        if (change < CONVERGED) break;
    }
    return true;
}

static bool solve_hypothesis(const Sample *s, SprtModel model, double elo, double games_in_sample, double *p)
{
    if (model == SPRT_LOGISTIC) return solve_mean(s, stats_score_from_elo(elo), p);
    /* The mean of two games has 1/sqrt(2) of the deviation of one, so the same excess is sqrt(2) times as many of them. */
    return solve_normalised(s, stats_sigma_from_nelo(elo) * sqrt(games_in_sample), p);
}

/* Within the ranges of sprt_check_params both hypotheses have a solution; outside them 0 stands for "no evidence". */
static double llr_of(const SprtParams *params, const Sample *s, double games_in_sample)
{
    double p0[KINDS_MAX], p1[KINDS_MAX];
    if (!solve_hypothesis(s, params->model, params->elo0, games_in_sample, p0)) return 0;
    if (!solve_hypothesis(s, params->model, params->elo1, games_in_sample, p1)) return 0;
    double llr = 0;
    for (size_t i = 0; i < s->kinds; i++) llr += s->total * s->f[i] * log(p1[i] / p0[i]);
    return isfinite(llr) ? llr : 0;
}

static SprtState state_of(const SprtParams *params, const uint64_t *counts, size_t kinds, double games_in_sample)
{
    SprtState state = {.lower = log(params->beta / (1 - params->alpha)), .upper = log((1 - params->beta) / params->alpha)};
    bool      empty = true;
    for (size_t i = 0; i < kinds; i++) empty = empty && counts[i] == 0;
    if (empty) return state;
    Sample s  = sample_of(counts, kinds);
    state.llr = llr_of(params, &s, games_in_sample);
    if (state.llr >= state.upper)
        state.verdict = SPRT_ACCEPT_H1;
    else if (state.llr <= state.lower)
        state.verdict = SPRT_ACCEPT_H0;
    return state;
}

SprtState sprt_state_trinomial(const SprtParams *params, Trinomial games)
{
    uint64_t counts[3] = {games.losses, games.draws, games.wins};
    return state_of(params, counts, 3, 1);
}

SprtState sprt_state_pentanomial(const SprtParams *params, Pentanomial pairs)
{
    return state_of(params, pairs.pairs, PENTANOMIAL_KINDS, 2);
}

bool sprt_check_params(const SprtParams *params, Err *err)
{
    if (!(params->elo0 < params->elo1)) return err_set(err, ERR_RANGE, 0, "elo0 must be smaller than elo1");
    int limit = params->model == SPRT_NORMALISED ? SPRT_NELO_MAX : SPRT_ELO_MAX;
    if (!(params->elo0 >= -limit && params->elo1 <= limit)) {
        return err_set(err, ERR_RANGE, 0, "elo0 and elo1 must be between -%d and %d", limit, limit);
    }
    if (!(params->alpha > 0 && params->alpha < 1 && params->beta > 0 && params->beta < 1)) {
        return err_set(err, ERR_RANGE, 0, "alpha and beta must be above 0 and below 1");
    }
    if (params->alpha + params->beta >= 1) return err_set(err, ERR_RANGE, 0, "alpha and beta must sum to less than 1");
    return true;
}

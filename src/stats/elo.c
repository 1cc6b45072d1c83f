/* elo.c - see elo.h. */
#include "stats/elo.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static const double Z_95 = 1.959963984540054; /* the 97.5 % point of the normal distribution */

/* Normalised Elo is scaled so that it equals Elo for small differences when no game is drawn: then the standard deviation
 * of a game is 1/2, and the slope of the logistic curve at 1/2 is ln(10)/1600. */
static const double NELO_SCALE = 347.43558552260146; /* 800 / ln(10) */

/* The mean and the variance of one sample, a game or a pair, with the score of a sample between 0 and 1. */
typedef struct {
    double samples;
    double mean;
    double variance;
} Moments;

static Moments moments_of(const uint64_t *counts, size_t kinds)
{
    Moments m = {0, 0.5, 0};
    for (size_t i = 0; i < kinds; i++) m.samples += (double)counts[i];
    if (m.samples == 0) return m;
    m.mean = 0;
    for (size_t i = 0; i < kinds; i++) m.mean += (double)counts[i] / m.samples * (double)i / (double)(kinds - 1);
    for (size_t i = 0; i < kinds; i++) {
        double off = (double)i / (double)(kinds - 1) - m.mean;
        m.variance += (double)counts[i] / m.samples * off * off;
    }
    return m;
}

/* Has only one kind of result occurred? Asked of the counts, because rounding may leave a variance that is not quite zero. */
static bool has_spread(const uint64_t *counts, size_t kinds)
{
    size_t seen = 0;
    for (size_t i = 0; i < kinds; i++) seen += counts[i] != 0;
    return seen > 1;
}

double stats_score_from_elo(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

double stats_elo_from_score(double score)
{
    if (score <= 0) return -INFINITY;
    if (score >= 1) return INFINITY;
    return 400 * log10(score / (1 - score));
}

double stats_sigma_from_nelo(double nelo) { return nelo / NELO_SCALE; }

/* The interval, when the sample has spread. An end of the score's interval beyond 0 or 1 is an infinite Elo. */
static void estimate_errors(const Moments *m, double games_in_sample, EloEstimate *out)
{
    double deviation = sqrt(m->variance / m->samples);
    out->score_error = Z_95 * deviation;
    out->elo_low     = stats_elo_from_score(m->mean - out->score_error);
    out->elo_high    = stats_elo_from_score(m->mean + out->score_error);
    out->elo_error   = (out->elo_high - out->elo_low) / 2;
    out->los         = erfc(-(m->mean - 0.5) / deviation / sqrt(2)) / 2;
    out->nelo        = NELO_SCALE * (m->mean - 0.5) / sqrt(games_in_sample * m->variance);
}

static EloEstimate estimate(const uint64_t *counts, size_t kinds, uint64_t games_in_sample)
{
    Moments     m      = moments_of(counts, kinds);
    EloEstimate out    = {.score = m.mean, .elo = stats_elo_from_score(m.mean)};
    size_t      middle = kinds / 2; /* the kind that is worth half the points */
    if (m.samples > 0) {
        out.draw_ratio = (double)counts[middle] / m.samples;
        out.nelo_error = Z_95 * NELO_SCALE / sqrt(m.samples * (double)games_in_sample);
    } else {
        out.nelo_error = INFINITY;
    }
    for (size_t i = 0; i < kinds; i++) out.games += counts[i] * games_in_sample;
    if (has_spread(counts, kinds)) {
        estimate_errors(&m, (double)games_in_sample, &out);
        return out;
    }
    out.score_error = INFINITY;
    out.elo_low     = -INFINITY;
    out.elo_high    = INFINITY;
    out.elo_error   = INFINITY;
    out.nelo        = m.mean == 0.5 ? 0 : copysign(INFINITY, m.mean - 0.5);
    out.los         = m.mean == 0.5 ? 0.5 : (double)(m.mean > 0.5);
    return out;
}

EloEstimate stats_elo_trinomial(Trinomial games)
{
    uint64_t counts[3] = {games.losses, games.draws, games.wins};
    return estimate(counts, 3, 1);
}

EloEstimate stats_elo_pentanomial(Pentanomial pairs) { return estimate(pairs.pairs, PENTANOMIAL_KINDS, 2); }

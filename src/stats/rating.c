/* rating.c - see rating.h. Newton's method on a concave function, with the dense linear algebra that takes. */
#include "stats/rating.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAYERS_MAX  = 4096, /* three matrices of doubles, 400 MB: far beyond any crosstable */
    NEWTON_STEPS = 200,
};

static const double Z_95         = 1.959963984540054;
static const double ELO_PER_UNIT = 173.71779276130073; /* 400 / ln(10): the natural unit of the logistic curve */
static const double STEP_MAX     = 2.0;                /* units; keeps a first step from overshooting into flat ground */
static const double CONVERGED    = 1e-11;

/* Ratings in natural units inside; everything of size n or n*n lives in one block. */
typedef struct {
    const PairResult *results;
    size_t            count;
    size_t            n;
    double            prior;
    double           *block;
    double           *r;        /* n: the ratings */
    double           *gradient; /* n: points scored minus points expected, then the Newton step */
    double           *hessian;  /* n*n: the information, then its Cholesky factor */
    double           *inverse;  /* n*n */
    double           *spread;   /* n*n: the variance of the gradient as the results show it, then scratch */
} Table;

static double logistic(double x) { return 1 / (1 + exp(-x)); }

static double games_of(const Trinomial *t) { return (double)t->wins + (double)t->draws + (double)t->losses; }

static double points_of(const Trinomial *t) { return (double)t->wins + 0.5 * (double)t->draws; }

/* False when memory is short. */
static bool table_init(Table *t, const PairResult *results, size_t count, size_t n, double prior)
{
    *t       = (Table){.results = results, .count = count, .n = n, .prior = prior};
    t->block = n ? calloc(2 * n + 3 * n * n, sizeof *t->block) : NULL;
    if (!t->block) return false;
    t->r        = t->block;
    t->gradient = t->r + n;
    t->hessian  = t->gradient + n;
    t->inverse  = t->hessian + n * n;
    t->spread   = t->inverse + n * n;
    return true;
}

/* Adds the Laplacian term of one pairing: it acts on the difference of two ratings only. */
static void add_difference(double *matrix, size_t n, size_t a, size_t b, double weight)
{
    matrix[a * n + a] += weight;
    matrix[b * n + b] += weight;
    matrix[a * n + b] -= weight;
    matrix[b * n + a] -= weight;
}

/* Gradient, information and observed spread at the current ratings. The information alone cannot see a shift of all ratings;
 * adding 1/n everywhere fixes the mean without touching differences. */
static void table_derive(Table *t)
{
    size_t n = t->n;
    memset(t->gradient, 0, n * sizeof *t->gradient);
    memset(t->spread, 0, n * n * sizeof *t->spread);
    for (size_t i = 0; i < n * n; i++) t->hessian[i] = 1 / (double)n;
    for (size_t i = 0; i < t->count; i++) {
        const PairResult *result = &t->results[i];
        const Trinomial  *g      = &result->games;
        double            p      = logistic(t->r[result->a] - t->r[result->b]);
        double            excess = points_of(g) - games_of(g) * p;
        t->gradient[result->a] += excess;
        t->gradient[result->b] -= excess;
        add_difference(t->hessian, n, result->a, result->b, games_of(g) * p * (1 - p));
        double seen = (double)g->wins * (1 - p) * (1 - p) + (double)g->draws * (0.5 - p) * (0.5 - p) + (double)g->losses * p * p;
        add_difference(t->spread, n, result->a, result->b, seen);
    }
    for (size_t i = 0; i < n; i++) { /* the prior: draws against a player of rating 0 */
        double p = logistic(t->r[i]);
        t->gradient[i] += t->prior * (0.5 - p);
        t->hessian[i * n + i] += t->prior * p * (1 - p);
    }
}

/* Replaces the lower triangle of a symmetric positive matrix by its Cholesky factor; false when it is not positive. */
static bool cholesky(double *m, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = m[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= m[i * n + k] * m[j * n + k];
            if (i > j) {
                m[i * n + j] = sum / m[j * n + j];
            } else {
                if (!(sum > 0)) return false;
                m[j * n + j] = sqrt(sum);
            }
        }
    }
    return true;
}

/* Solves with a Cholesky factor, in place; the elements of the vector are `stride` apart. */
static void solve_factored(const double *factor, size_t n, double *v, size_t stride)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) v[i * stride] -= factor[i * n + k] * v[k * stride];
        v[i * stride] /= factor[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) v[i * stride] -= factor[k * n + i] * v[k * stride];
        v[i * stride] /= factor[i * n + i];
    }
}

/* True when the ratings are found; then hessian holds the factor and spread the spread at (all but) the optimum. */
static bool table_solve(Table *t)
{
    for (int step = 0; step < NEWTON_STEPS; step++) {
        table_derive(t);
        if (!cholesky(t->hessian, t->n)) return false;
        solve_factored(t->hessian, t->n, t->gradient, 1);
        double largest = 0;
        for (size_t i = 0; i < t->n; i++) largest = fmax(largest, fabs(t->gradient[i]));
        if (!isfinite(largest)) return false;
        double scale = largest > STEP_MAX ? STEP_MAX / largest : 1;
        for (size_t i = 0; i < t->n; i++) t->r[i] += scale * t->gradient[i];
        if (largest < CONVERGED) return true;
    }
    return false;
}

/* Turns `inverse` into P H^-1 with P taking the mean off every column: how a rating, measured from the mean of all, answers
 * to the results. */
static void table_invert(Table *t)
{
    size_t n = t->n;
    for (size_t column = 0; column < n; column++) {
        for (size_t i = 0; i < n; i++) t->inverse[i * n + column] = i == column;
        solve_factored(t->hessian, n, t->inverse + column, n);
        double mean = 0;
        for (size_t i = 0; i < n; i++) mean += t->inverse[i * n + column] / (double)n;
        for (size_t i = 0; i < n; i++) t->inverse[i * n + column] -= mean;
    }
}

/* The variance of player i: row i of the inverse, times the spread, times that row again. */
static double table_variance(const Table *t, size_t i)
{
    const double *row = t->inverse + i * t->n;
    double        sum = 0;
    for (size_t a = 0; a < t->n; a++) {
        double inner = 0;
        for (size_t b = 0; b < t->n; b++) inner += t->spread[a * t->n + b] * row[b];
        sum += row[a] * inner;
    }
    return sum;
}

static void table_report(Table *t, double mean_rating, Rating *out)
{
    double mean = 0;
    for (size_t i = 0; i < t->n; i++) mean += t->r[i] / (double)t->n;
    table_invert(t);
    for (size_t i = 0; i < t->n; i++) {
        double variance = table_variance(t, i);
        out[i]          = (Rating){.rating = mean_rating + ELO_PER_UNIT * (t->r[i] - mean)};
        out[i].error    = variance > 1e-18 ? Z_95 * ELO_PER_UNIT * sqrt(variance) : INFINITY;
    }
    for (size_t i = 0; i < t->count; i++) {
        const PairResult *result = &t->results[i];
        uint64_t          games  = result->games.wins + result->games.draws + result->games.losses;
        out[result->a].games += games;
        out[result->b].games += games;
        out[result->a].points += points_of(&result->games);
        out[result->b].points += games_of(&result->games) - points_of(&result->games);
    }
}

/* Marks every player reachable from player 0 along "scored against" (or, backwards, "gave points to"). */
static size_t reach(const PairResult *results, size_t count, size_t n, bool backwards, bool *seen)
{
    memset(seen, 0, n * sizeof *seen);
    seen[0]      = true;
    size_t found = 1;
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < count; i++) {
            const PairResult *result = &results[i];
            bool              up     = result->games.wins || result->games.draws;
            bool              down   = result->games.losses || result->games.draws;
            bool              a_to_b = backwards ? down : up;
            bool              b_to_a = backwards ? up : down;
            size_t            other  = seen[result->a] ? result->b : result->a;
            if (seen[result->a] == seen[result->b] || !(seen[result->a] ? a_to_b : b_to_a)) continue;
            seen[other] = true;
            grown       = true;
            found++;
        }
    }
    return found;
}

/* Ford's condition: finite most likely ratings exist when chains of points lead from everybody to everybody. */
static bool results_bound_ratings(const PairResult *results, size_t count, size_t n, Err *err)
{
    bool *seen = malloc(n * sizeof *seen);
    if (!seen) return err_set(err, ERR_MEMORY, 0, "no memory to rate %zu players", n);
    bool bound = reach(results, count, n, false, seen) == n && reach(results, count, n, true, seen) == n;
    free(seen);
    if (bound) return true;
    return err_set(err, ERR_RANGE, 0, "some players won or lost every game against the rest, or never met it: use a prior");
}

static bool check_arguments(const PairResult *results, size_t count, size_t players, RatingParams params, Err *err)
{
    if (players == 0 || players > PLAYERS_MAX) return err_set(err, ERR_RANGE, 0, "can rate 1 to %d players", (int)PLAYERS_MAX);
    if (!(params.prior_draws >= 0 && isfinite(params.prior_draws) && isfinite(params.mean))) {
        return err_set(err, ERR_RANGE, 0, "the prior must be a number of draws, 0 or more, and the mean a number");
    }
    for (size_t i = 0; i < count; i++) {
        if (results[i].a < players && results[i].b < players && results[i].a != results[i].b) continue;
        return err_set(err, ERR_RANGE, i, "result %zu is not between two of the players", i);
    }
    return params.prior_draws > 0 || results_bound_ratings(results, count, players, err);
}

bool stats_rate_players(const PairResult *results, size_t count, size_t players, RatingParams params, Rating *out, Err *err)
{
    Table table;
    if (!check_arguments(results, count, players, params, err)) return false;
    if (!table_init(&table, results, count, players, params.prior_draws)) {
        return err_set(err, ERR_MEMORY, 0, "no memory to rate %zu players", players);
    }
    bool solved = table_solve(&table);
    if (solved) table_report(&table, params.mean, out);
    free(table.block);
    return solved || err_set(err, ERR_RANGE, 0, "the ratings are too far apart to be computed");
}

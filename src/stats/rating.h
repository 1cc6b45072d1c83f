/* rating.h - ratings of several players from the games they played with each other: the numbers of a crosstable.
 *
 * The model is Bradley and Terry's: a player r points above another expects the logistic score of r; a draw is half a win
 * and half a loss. The ratings are those that make the results most likely, so in the end every player has scored exactly
 * what the ratings expect. Only differences have a meaning; the mean is put where the caller wants it.
 * The errors do not trust the model's variance, which knows no draws and would be too large: they use the spread of the
 * results actually seen around their expectation (the "sandwich" estimator).
 * Cost: cubic in the number of players; under ten milliseconds for a hundred.
 * Threads: [any]; pure but for the memory it takes and gives back.
 */
#ifndef STATS_RATING_H
#define STATS_RATING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "stats/elo.h"

/* The games of one pairing, seen from player `a`. A pairing may occur several times; no games are fine. */
typedef struct {
    size_t    a, b; /* indices of players, not equal */
    Trinomial games;
} PairResult;

typedef struct {
    double   rating;
    double   error; /* 95 %, of the distance from the mean of all; INFINITY when the results show no spread */
    uint64_t games;
    double   points;
} Rating;

typedef struct {
    double mean;        /* the mean of all ratings */
    double prior_draws; /* draws each player is given against an average one; 0: the results alone */
} RatingParams;

/* Fills `out[0..players-1]`. Fails with ERR_RANGE when there is nothing to rate, an index is wrong, or the results alone do
 * not bound the ratings: some group has won every game against the rest, or never met it. A prior of a draw or two makes
 * such tables ratable. ERR_MEMORY when memory is short. On failure `out` is untouched. */
bool stats_rate_players(const PairResult *results, size_t count, size_t players, RatingParams params, Rating *out, Err *err);

#endif

/* elo.h - what a match result says about strength: Elo, its error, normalised Elo and the likelihood of superiority.
 *
 * A match is counted in one of two ways. Trinomial: games won, lost and drawn, taken as independent. Pentanomial: pairs of
 * games from the same opening with colours reversed, by the points the pair gave; the two games of a pair share the
 * opening's bias, which cancels within the pair, so the pair is the sample and its error is smaller and honest.
 *
 * Conventions where the formulas give nothing:
 *  - no games: score 1/2, Elo 0, error INFINITY, LOS 1/2;
 *  - all points or none: Elo and nElo are +-INFINITY, the error INFINITY, LOS 1 or 0;
 *  - a sample without spread (all draws): the Elo stands, the error is INFINITY, for one kind of result tells no variance.
 * Nothing here is ever NaN.
 * Threads: [any]; pure functions of their arguments.
 */
#ifndef STATS_ELO_H
#define STATS_ELO_H

#include <stdint.h>

typedef struct {
    uint64_t wins, losses, draws;
} Trinomial;

enum { PENTANOMIAL_KINDS = 5 };

typedef struct {
    uint64_t pairs[PENTANOMIAL_KINDS]; /* pairs that gave 0, 1/2, 1, 3/2 and 2 points */
} Pentanomial;

/* "95 %" means +-1.96 standard deviations throughout. */
typedef struct {
    uint64_t games;
    double   score;             /* points a game, 0..1 */
    double   score_error;       /* 95 %, of the score */
    double   elo;               /* logistic: 400 points are odds of 10 to 1 */
    double   elo_low, elo_high; /* the ends of the 95 % interval; the score's interval put through the Elo curve */
    double   elo_error;         /* half the width of that interval */
    double   nelo;              /* normalised: the score above 1/2 in standard deviations of one game, scaled to look like Elo */
    double   nelo_error;        /* 95 %, as fishtest and fastchess give it: right near 0, a little narrow beyond 50 Elo */
    double   los;               /* likelihood of superiority, 0..1 */
    double   draw_ratio;        /* drawn games, or pairs that gave one point, of all; 0 without games */
} EloEstimate;

EloEstimate stats_elo_trinomial(Trinomial games);
EloEstimate stats_elo_pentanomial(Pentanomial pairs);

/* The expected score of a player `elo` points stronger, and back; +-INFINITY stand for scores of 1 and 0. */
double stats_score_from_elo(double elo);
double stats_elo_from_score(double score);

/* One point of normalised Elo, in standard deviations of one game. */
double stats_sigma_from_nelo(double nelo);

#endif

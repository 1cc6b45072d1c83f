/* test_stats_simulation.c - the statistics against matches whose truth is known: thousands of them, seeded, in seconds. */
#include <math.h>

#include "base/rng.h"
#include "stats/rating.h"
#include "stats/sprt.h"
#include "support/testing.h"

enum { MATCHES = TESTS_SANITIZED ? 400 : 4000 };

/* Three standard deviations of a rate of 5 % seen in MATCHES matches. */
static double rate_slack(void) { return 3 * sqrt(0.05 * 0.95 / MATCHES); }

static void assert_between(double actual, double low, double high)
{
    if (!(low <= actual && actual <= high)) fail_msg("%g is not between %g and %g", actual, low, high);
}

/* A distribution over five kinds of pairs with the given mean: two games of which `draws` end drawn, whose openings favour
 * one side by `bias`, so that the two games of a pair are not independent. */
static void pair_distribution(double mean, double draws, double bias, double out[5])
{
    double win[2], loss[2];
    for (int i = 0; i < 2; i++) {
        double score = mean + (i ? bias : -bias);
        win[i]       = score - draws / 2;
        loss[i]      = 1 - score - draws / 2;
        assert_true(win[i] >= 0 && loss[i] >= 0);
    }
    out[0] = loss[0] * loss[1];
    out[1] = draws * (loss[0] + loss[1]);
    out[2] = draws * draws + win[0] * loss[1] + win[1] * loss[0];
    out[3] = draws * (win[0] + win[1]);
    out[4] = win[0] * win[1];
}

static int draw_kind(Rng *rng, const double *p, int kinds)
{
    double x = rng_unit(rng);
    int    i = 0;
    while (i < kinds - 1 && x >= p[i]) x -= p[i++];
    return i;
}

/* The share of matches that ended with `verdict`; every one must end. */
static double sprt_rate(const SprtParams *params, const double *p, SprtVerdict verdict, int matches, uint64_t seed)
{
    Rng rng   = rng_seeded(seed);
    int count = 0;
    for (int i = 0; i < matches; i++) {
        Pentanomial pairs = {{0}};
        SprtState   state = {.verdict = SPRT_CONTINUE};
        for (int n = 0; state.verdict == SPRT_CONTINUE; n++) {
            assert_true(n < 100000);
            pairs.pairs[draw_kind(&rng, p, 5)]++;
            state = sprt_state_pentanomial(params, pairs);
        }
        count += state.verdict == verdict;
    }
    return (double)count / matches;
}

static void logistic_sprt_keeps_its_error_rates(void **state)
{
    (void)state;
    SprtParams params = {0, 40, 0.05, 0.05, SPRT_LOGISTIC};
    double     p[5];
    pair_distribution(stats_score_from_elo(0), 0.4, 0.1, p);
    assert_between(sprt_rate(&params, p, SPRT_ACCEPT_H1, MATCHES, 1), 0.02, 0.05 + rate_slack());
    pair_distribution(stats_score_from_elo(40), 0.4, 0.1, p);
    assert_between(sprt_rate(&params, p, SPRT_ACCEPT_H0, MATCHES, 2), 0.02, 0.05 + rate_slack());
}

/* Unequal rates, and a difference outside both hypotheses: still better than asked for. */
static void sprt_rates_are_those_of_its_own_bounds(void **state)
{
    (void)state;
    SprtParams params = {-20, 30, 0.02, 0.1, SPRT_LOGISTIC};
    double     p[5];
    pair_distribution(stats_score_from_elo(-20), 0.5, 0.05, p);
    assert_between(sprt_rate(&params, p, SPRT_ACCEPT_H1, MATCHES, 3), 0.004, 0.02 + rate_slack());
    pair_distribution(stats_score_from_elo(30), 0.5, 0.05, p);
    assert_between(sprt_rate(&params, p, SPRT_ACCEPT_H0, MATCHES, 4), 0.05, 0.1 + 1.4 * rate_slack());
    pair_distribution(stats_score_from_elo(80), 0.4, 0.05, p);
    assert_between(sprt_rate(&params, p, SPRT_ACCEPT_H0, MATCHES, 5), 0, 0.01);
}

/* The mean of a pair whose normalised Elo is `nelo`, found by halving: spread and mean depend on each other. */
static double mean_of_nelo(double nelo, double draws, double bias)
{
    double low = 0.5 - 0.2, high = 0.5 + 0.2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, variance = 0, p[5];
        pair_distribution(middle, draws, bias, p);
        for (int k = 0; k < 5; k++) variance += p[k] * (k / 4.0 - middle) * (k / 4.0 - middle);
        if ((middle - 0.5) / sqrt(2 * variance) < stats_sigma_from_nelo(nelo))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void normalised_sprt_keeps_its_error_rates(void **state)
{
    (void)state;
    SprtParams params = {0, 60, 0.05, 0.05, SPRT_NORMALISED};
    double     p[5];
    pair_distribution(0.5, 0.4, 0.05, p);
    assert_between(sprt_rate(&params, p, SPRT_ACCEPT_H1, MATCHES, 6), 0.02, 0.05 + rate_slack());
    pair_distribution(mean_of_nelo(60, 0.4, 0.05), 0.4, 0.05, p);
    assert_between(sprt_rate(&params, p, SPRT_ACCEPT_H0, MATCHES, 7), 0.02, 0.05 + rate_slack());
}

static void pentanomial_error_bars_hold_the_truth_95_times_in_100(void **state)
{
    (void)state;
    static const double ELOS[] = {0, 35, -120};
    Rng                 rng    = rng_seeded(8);
    for (size_t e = 0; e < COUNT_OF(ELOS); e++) {
        double p[5];
        int    inside = 0, inside_nelo = 0;
        pair_distribution(stats_score_from_elo(ELOS[e]), 0.4, 0.1, p);
        double mean = stats_score_from_elo(ELOS[e]), variance = 0;
        for (int k = 0; k < 5; k++) variance += p[k] * (k / 4.0 - mean) * (k / 4.0 - mean);
        double true_nelo = 800 / log(10) * (mean - 0.5) / sqrt(2 * variance);
        for (int i = 0; i < MATCHES; i++) {
            Pentanomial pairs = {{0}};
            for (int n = 0; n < 400; n++) pairs.pairs[draw_kind(&rng, p, 5)]++;
            EloEstimate estimate = stats_elo_pentanomial(pairs);
            inside += estimate.elo_low <= ELOS[e] && ELOS[e] <= estimate.elo_high;
            inside_nelo += fabs(estimate.nelo - true_nelo) <= estimate.nelo_error;
        }
        assert_between((double)inside / MATCHES, 0.95 - rate_slack() - 0.005, 0.95 + rate_slack() + 0.005);
        if (fabs(ELOS[e]) > 50) continue; /* the usual error of nElo is meant for small differences */
        assert_between((double)inside_nelo / MATCHES, 0.95 - rate_slack() - 0.005, 0.95 + rate_slack() + 0.005);
    }
}

static void trinomial_error_bars_hold_the_truth_95_times_in_100(void **state)
{
    (void)state;
    Rng    rng    = rng_seeded(9);
    double mean   = stats_score_from_elo(50);
    double p[3]   = {1 - mean - 0.15, 0.3, mean - 0.15};
    int    inside = 0;
    for (int i = 0; i < MATCHES; i++) {
        uint64_t counts[3] = {0};
        for (int n = 0; n < 500; n++) counts[draw_kind(&rng, p, 3)]++;
        EloEstimate estimate = stats_elo_trinomial((Trinomial){.losses = counts[0], .draws = counts[1], .wins = counts[2]});
        inside += estimate.elo_low <= 50 && 50 <= estimate.elo_high;
    }
    assert_between((double)inside / MATCHES, 0.95 - rate_slack() - 0.005, 0.95 + rate_slack() + 0.005);
}

/* When the truth is no difference, LOS is as good as uniform: it exceeds 0.9 one time in ten. */
static void likelihood_of_superiority_is_calibrated(void **state)
{
    (void)state;
    Rng    rng  = rng_seeded(10);
    double p[3] = {0.3, 0.4, 0.3};
    int    high = 0;
    for (int i = 0; i < MATCHES; i++) {
        uint64_t counts[3] = {0};
        for (int n = 0; n < 300; n++) counts[draw_kind(&rng, p, 3)]++;
        high += stats_elo_trinomial((Trinomial){.losses = counts[0], .draws = counts[1], .wins = counts[2]}).los > 0.9;
    }
    assert_between((double)high / MATCHES, 0.1 - 1.5 * rate_slack(), 0.1 + 1.5 * rate_slack());
}

/* Six players, every pair 20 games with draws: each rating's own bar holds its true distance from the mean. */
static void rating_error_bars_hold_the_truth_95_times_in_100(void **state)
{
    (void)state;
    enum { PLAYERS = 6, TOURNAMENTS = MATCHES / 4 };
    static const double TRUE_RATING[PLAYERS] = {150, 70, 20, -30, -90, -120};
    Rng                 rng                  = rng_seeded(11);
    int                 inside               = 0;
    for (int i = 0; i < TOURNAMENTS; i++) {
        PairResult results[PLAYERS * PLAYERS];
        Rating     ratings[PLAYERS];
        size_t     count = 0;
        for (size_t a = 0; a < PLAYERS; a++) {
            for (size_t b = a + 1; b < PLAYERS; b++) {
                double   mean      = stats_score_from_elo(TRUE_RATING[a] - TRUE_RATING[b]);
                double   draws     = 0.6 * (1 - mean);
                double   p[3]      = {1 - mean - draws / 2, draws, mean - draws / 2};
                uint64_t counts[3] = {0};
                for (int n = 0; n < 20; n++) counts[draw_kind(&rng, p, 3)]++;
                results[count++] = (PairResult){a, b, {.losses = counts[0], .draws = counts[1], .wins = counts[2]}};
            }
        }
        assert_true(stats_rate_players(results, count, PLAYERS, (RatingParams){0}, ratings, NULL));
        for (int k = 0; k < PLAYERS; k++) inside += fabs(ratings[k].rating - TRUE_RATING[k]) <= ratings[k].error;
    }
    assert_between((double)inside / (TOURNAMENTS * PLAYERS), 0.93, 0.97);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logistic_sprt_keeps_its_error_rates),
        cmocka_unit_test(sprt_rates_are_those_of_its_own_bounds),
        cmocka_unit_test(normalised_sprt_keeps_its_error_rates),
        cmocka_unit_test(pentanomial_error_bars_hold_the_truth_95_times_in_100),
        cmocka_unit_test(trinomial_error_bars_hold_the_truth_95_times_in_100),
        cmocka_unit_test(likelihood_of_superiority_is_calibrated),
        cmocka_unit_test(rating_error_bars_hold_the_truth_95_times_in_100),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

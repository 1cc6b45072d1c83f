/* test_stats_elo.c - Elo, errors, LOS and SPRT against published figures, against brute force, and at the edges. */
#include <math.h>

#include "stats/elo.h"
#include "stats/sprt.h"
#include "support/testing.h"

static void assert_near(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance)) fail_msg("%.10g is not %.10g +- %g", actual, expected, tolerance);
}

static const SprtParams NORMALISED_0_2 = {0, 2, 0.05, 0.05, SPRT_NORMALISED};
static const SprtParams LOGISTIC_0_2   = {0, 2, 0.05, 0.05, SPRT_LOGISTIC};

static void elo_is_logistic(void **state)
{
    (void)state;
    assert_near(stats_elo_from_score(0.5), 0, 1e-12);
    assert_near(stats_elo_from_score(0.75), 190.848502, 1e-6);
    assert_near(stats_elo_from_score(10.0 / 11), 400, 1e-9);
    assert_near(stats_score_from_elo(-400), 1.0 / 11, 1e-12);
    assert_near(stats_elo_from_score(stats_score_from_elo(123.4)), 123.4, 1e-9);
    assert_true(isinf(stats_elo_from_score(1)) && isinf(stats_elo_from_score(0)));
    assert_near(stats_score_from_elo(INFINITY), 1, 0);
}

/* Score 3/4, variance 3/16, 100 games: by hand. */
static void a_trinomial_error_is_that_of_the_mean(void **state)
{
    (void)state;
    EloEstimate e = stats_elo_trinomial((Trinomial){.wins = 75, .losses = 25});
    assert_near(e.elo, 190.848502, 1e-6);
    assert_near(e.score_error, 1.959964 * sqrt(3.0 / 16 / 100), 1e-6);
    assert_near(e.elo_low, stats_elo_from_score(0.75 - e.score_error), 1e-9);
    assert_near(e.elo_high, stats_elo_from_score(0.75 + e.score_error), 1e-9);
    assert_near(e.nelo, 800 / log(10) * 0.25 / sqrt(3.0 / 16), 1e-9);
    assert_int_equal(e.games, 100);
    assert_near(e.draw_ratio, 0, 0);
}

/* The figures that the tests of fastchess give for these results. */
static void trinomial_estimates_agree_with_fastchess(void **state)
{
    (void)state;
    EloEstimate e = stats_elo_trinomial((Trinomial){.wins = 136, .losses = 96, .draws = 111});
    assert_near(e.elo, 40.70, 0.01);
    assert_near(e.elo_error, 30.43, 0.01);
    assert_near(e.nelo, 49.77, 0.01);
    assert_near(e.nelo_error, 36.77, 0.01);
    assert_near(e.los, 0.9960, 0.0001);
    e = stats_elo_trinomial((Trinomial){.wins = 76, .losses = 89, .draws = 123});
    assert_near(e.nelo, -20.76, 0.01);
    assert_near(e.nelo_error, 40.13, 0.01);
    assert_near(e.los, 0.1553, 0.0001);
}

static void pentanomial_estimates_agree_with_fastchess(void **state)
{
    (void)state;
    EloEstimate e = stats_elo_pentanomial((Pentanomial){{332, 433, 457 + 41, 333, 334}});
    assert_near(e.elo, -8.64, 0.01);
    assert_near(e.elo_error, 10.33, 0.01);
    assert_near(e.nelo, -9.17, 0.01);
    assert_near(e.nelo_error, 10.96, 0.01);
    assert_near(e.los, 0.0505, 0.0001);
    e = stats_elo_pentanomial((Pentanomial){{34, 54, 31 + 32, 64, 75}});
    assert_near(e.elo, 55.58, 0.01);
    assert_near(e.elo_error, 27.65, 0.01);
    assert_near(e.nelo, 57.94, 0.01);
    assert_near(e.nelo_error, 28.28, 0.01);
}

/* A published test of the engine Reckless (2025-12-06): Elo 30.09 +- 2.56, nElo 56.71 +- 4.80, draw ratio 0.48. */
static void pentanomial_estimates_agree_with_a_published_match(void **state)
{
    (void)state;
    EloEstimate e = stats_elo_pentanomial((Pentanomial){{59, 1751, 4800, 3267, 169}});
    assert_near(e.elo, 30.09, 0.01);
    assert_near(e.elo_error, 2.56, 0.01);
    assert_near(e.nelo, 56.71, 0.01);
    assert_near(e.nelo_error, 4.80, 0.01);
    assert_near(e.draw_ratio, 0.48, 0.005);
    assert_int_equal(e.games, 2 * 10046);
}

static void no_games_say_nothing(void **state)
{
    (void)state;
    EloEstimate estimates[] = {stats_elo_trinomial((Trinomial){0}), stats_elo_pentanomial((Pentanomial){{0}})};
    for (size_t i = 0; i < COUNT_OF(estimates); i++) {
        EloEstimate e = estimates[i];
        assert_true(e.games == 0 && e.elo == 0 && e.nelo == 0 && e.los == 0.5 && e.score == 0.5 && e.draw_ratio == 0);
        assert_true(isinf(e.elo_error) && isinf(e.nelo_error) && isinf(e.elo_low) && isinf(e.elo_high) && isinf(e.score_error));
    }
}

static void all_points_are_an_infinite_elo_with_certain_superiority(void **state)
{
    (void)state;
    EloEstimate wins = stats_elo_trinomial((Trinomial){.wins = 7});
    assert_true(wins.elo == INFINITY && wins.nelo == INFINITY && wins.elo_error == INFINITY && wins.los == 1);
    EloEstimate losses = stats_elo_pentanomial((Pentanomial){{3, 0, 0, 0, 0}});
    assert_true(losses.elo == -INFINITY && losses.nelo == -INFINITY && losses.elo_error == INFINITY && losses.los == 0);
}

static void draws_alone_tell_no_error(void **state)
{
    (void)state;
    EloEstimate e = stats_elo_trinomial((Trinomial){.draws = 50});
    assert_true(e.elo == 0 && e.nelo == 0 && e.los == 0.5 && isinf(e.elo_error) && e.draw_ratio == 1);
}

static void nothing_is_ever_not_a_number(void **state)
{
    (void)state;
    static const uint64_t COUNTS[] = {0, 1, 3, 1000000000};
    for (int code = 0; code < 1024; code++) {
        Pentanomial p = {
            {COUNTS[code & 3], COUNTS[code >> 2 & 3], COUNTS[code >> 4 & 3], COUNTS[code >> 6 & 3], COUNTS[code >> 8]}};
        EloEstimate e = stats_elo_pentanomial(p);
        assert_false(isnan(e.elo) || isnan(e.elo_error) || isnan(e.elo_low) || isnan(e.elo_high) || isnan(e.nelo) ||
                     isnan(e.los));
        assert_true(e.los >= 0 && e.los <= 1);
        double logistic   = sprt_state_pentanomial(&LOGISTIC_0_2, p).llr;
        double normalised = sprt_state_pentanomial(&NORMALISED_0_2, p).llr;
        assert_true(isfinite(logistic) && isfinite(normalised));
    }
}

/* Openings that decide the game, lost with one colour and won with the other: games vary, pairs do not. */
static void pairs_have_smaller_errors_than_their_games(void **state)
{
    (void)state;
    EloEstimate pairs = stats_elo_pentanomial((Pentanomial){{0, 10, 80, 10, 0}});
    EloEstimate games = stats_elo_trinomial((Trinomial){.wins = 85, .losses = 85, .draws = 30});
    assert_int_equal(pairs.games, games.games);
    assert_true(pairs.elo_error < games.elo_error / 2);
}

static void bounds_follow_from_the_error_rates(void **state)
{
    (void)state;
    SprtState even = sprt_state_pentanomial(&LOGISTIC_0_2, (Pentanomial){{0}});
    assert_near(even.lower, -2.944439, 1e-6);
    assert_near(even.upper, 2.944439, 1e-6);
    assert_near(even.llr, 0, 0);
    assert_int_equal(even.verdict, SPRT_CONTINUE);
    SprtParams odd = {0, 5, 0.01, 0.2, SPRT_LOGISTIC};
    SprtState  s   = sprt_state_trinomial(&odd, (Trinomial){0});
    assert_near(s.lower, log(0.2 / 0.99), 1e-12);
    assert_near(s.upper, log(0.8 / 0.01), 1e-12);
}

/* The figures that the tests of fastchess give for these results. */
static void llr_agrees_with_fastchess(void **state)
{
    (void)state;
    static const struct {
        SprtParams  params;
        Pentanomial pairs;
        double      llr;
    } PAIRS[] = {
        {{0, 2, 0.05, 0.05, SPRT_NORMALISED}, {{365, 16618, 36029 + 200, 16974, 390}}, 2.25},
        {{-1.75, 0.25, 0.05, 0.05, SPRT_NORMALISED}, {{127, 4883, 10311 + 401, 5150, 104}}, 3.01},
        {{0.5, 2.5, 0.05, 0.05, SPRT_LOGISTIC}, {{223, 9863, 20279 + 1000, 10037, 246}}, -3.07},
        {{0, 2, 0.05, 0.05, SPRT_LOGISTIC}, {{871, 26175, 55003 + 980, 26678, 821}}, -4.98},
    };
    static const struct {
        SprtParams params;
        Trinomial  games;
        double     llr;
    } GAMES[] = {
        {{0, 2, 0.05, 0.05, SPRT_NORMALISED}, {36433, 36027, 68692}, 0.92},
        {{-1.75, 0.25, 0.05, 0.05, SPRT_NORMALISED}, {10871, 10650, 20431}, 2.30},
        {{0.5, 2.5, 0.05, 0.05, SPRT_LOGISTIC}, {21404, 21184, 40708}, -1.57},
        {{0, 2, 0.05, 0.05, SPRT_LOGISTIC}, {57433, 57030, 106593}, -2.59},
    };
    for (size_t i = 0; i < COUNT_OF(PAIRS); i++) {
        assert_near(sprt_state_pentanomial(&PAIRS[i].params, PAIRS[i].pairs).llr, PAIRS[i].llr, 0.0055);
    }
    for (size_t i = 0; i < COUNT_OF(GAMES); i++) {
        assert_near(sprt_state_trinomial(&GAMES[i].params, GAMES[i].games).llr, GAMES[i].llr, 0.0055);
    }
}

static double log_likelihood(const double *counts, const double *p, int kinds)
{
    double sum = 0;
    for (int i = 0; i < kinds; i++) {
        if (p[i] <= 0) return -INFINITY;
        sum += counts[i] * log(p[i]);
    }
    return sum;
}

/* The best log-likelihood of five kinds with mean `mean`, found by walking: from a binomial, along the three directions that
 * change neither the sum nor the mean, with ever smaller steps. */
static double brute_pentanomial(const double *counts, double mean)
{
    static const double BINOMIAL[] = {1, 4, 6, 4, 1};
    double              p[5];
    for (int i = 0; i < 5; i++) p[i] = BINOMIAL[i] * pow(mean, i) * pow(1 - mean, 4 - i);
    double best = log_likelihood(counts, p, 5);
    for (double step = 0.1; step > 1e-10; step /= 2) {
        for (bool better = true; better;) {
            better = false;
            for (int move = 0; move < 6; move++) {
                double next[5], by = move % 2 ? step : -step;
                memcpy(next, p, sizeof p);
                next[move / 2] += by;
                next[move / 2 + 1] -= 2 * by;
                next[move / 2 + 2] += by;
                double value = log_likelihood(counts, next, 5);
                if (value <= best) continue;
                best   = value;
                better = true;
                memcpy(p, next, sizeof p);
            }
        }
    }
    return best;
}

/* The best log-likelihood of losses, draws, wins, over the share of draws; `mean_above` tells the mean above 1/2 for a share. */
static double brute_trinomial(const double *counts, double fixed, double (*mean_above)(double fixed, double draws))
{
    double low = 0, high = 1;
    for (int i = 0; i < 300; i++) {
        double value[2], draws[2] = {low + (high - low) / 3, high - (high - low) / 3};
        for (int side = 0; side < 2; side++) {
            double above = mean_above(fixed, draws[side]);
            double p[3]  = {(1 - draws[side]) / 2 - above, draws[side], (1 - draws[side]) / 2 + above};
            value[side]  = log_likelihood(counts, p, 3);
        }
        if (value[0] < value[1])
            low = draws[0];
        else
            high = draws[1];
    }
    double above = mean_above(fixed, low);
    double p[3]  = {(1 - low) / 2 - above, low, (1 - low) / 2 + above};
    return log_likelihood(counts, p, 3);
}

static double above_by_score(double score, double draws)
{
    (void)draws;
    return score - 0.5;
}

/* mean - 1/2 = t sigma and sigma^2 = (1 - draws)/4 - (mean - 1/2)^2, solved for the mean. */
static double above_by_sigma(double t, double draws) { return t * sqrt((1 - draws) / 4 / (1 + t * t)); }

static void logistic_pentanomial_llr_is_the_maximum(void **state)
{
    (void)state;
    static const uint64_t CASES[][5] = {
        {1, 2, 3, 4, 5}, {10, 20, 40, 20, 10}, {3, 30, 60, 50, 9}, {5, 1, 1, 1, 2}, {2, 9, 4, 1, 1}};
    SprtParams params = {-10, 25, 0.05, 0.05, SPRT_LOGISTIC};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        double      counts[5];
        Pentanomial pairs;
        for (int k = 0; k < 5; k++) counts[k] = (double)(pairs.pairs[k] = CASES[i][k]);
        double expected =
            brute_pentanomial(counts, stats_score_from_elo(25)) - brute_pentanomial(counts, stats_score_from_elo(-10));
        assert_near(sprt_state_pentanomial(&params, pairs).llr, expected, 1e-6);
    }
}

static void trinomial_llr_is_the_maximum_in_both_models(void **state)
{
    (void)state;
    static const Trinomial CASES[] = {{10, 8, 20}, {1, 5, 2}, {300, 200, 100}, {7, 7, 1}, {40, 1, 3}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const double counts[3] = {(double)CASES[i].losses, (double)CASES[i].draws, (double)CASES[i].wins};
        SprtParams   params    = {-10, 25, 0.05, 0.05, SPRT_LOGISTIC};
        double       logistic  = brute_trinomial(counts, stats_score_from_elo(25), above_by_score) -
                          brute_trinomial(counts, stats_score_from_elo(-10), above_by_score);
        assert_near(sprt_state_trinomial(&params, CASES[i]).llr, logistic, 1e-6);
        params.model      = SPRT_NORMALISED;
        double normalised = brute_trinomial(counts, 25 * log(10) / 800, above_by_sigma) -
                            brute_trinomial(counts, -10 * log(10) / 800, above_by_sigma);
        assert_near(sprt_state_trinomial(&params, CASES[i]).llr, normalised, 1e-6);
    }
}

/* All wins, by hand: a result has chance s under each hypothesis, but for the thousandths that stand for the unseen. */
static void llr_of_wins_alone_is_their_log_odds(void **state)
{
    (void)state;
    SprtParams params = {0, 100, 0.05, 0.05, SPRT_LOGISTIC};
    double     each   = log(stats_score_from_elo(100) / 0.5);
    assert_near(sprt_state_trinomial(&params, (Trinomial){.wins = 10}).llr, 10 * each, 0.02);
    assert_int_equal(sprt_state_trinomial(&params, (Trinomial){.wins = 10}).verdict, SPRT_CONTINUE);
    assert_int_equal(sprt_state_trinomial(&params, (Trinomial){.wins = 20}).verdict, SPRT_ACCEPT_H1);
    assert_int_equal(sprt_state_trinomial(&params, (Trinomial){.losses = 20}).verdict, SPRT_ACCEPT_H0);
}

static void swapping_sides_and_hypotheses_changes_the_sign(void **state)
{
    (void)state;
    for (int model = SPRT_LOGISTIC; model <= SPRT_NORMALISED; model++) {
        SprtParams params = {-3, 8, 0.05, 0.05, (SprtModel)model}, mirror = {-8, 3, 0.05, 0.05, (SprtModel)model};
        double     there = sprt_state_pentanomial(&params, (Pentanomial){{9, 40, 90, 55, 12}}).llr;
        double     back  = sprt_state_pentanomial(&mirror, (Pentanomial){{12, 55, 90, 40, 9}}).llr;
        assert_near(there, -back, 1e-9);
    }
}

static void parameters_that_decide_nothing_are_refused(void **state)
{
    (void)state;
    static const SprtParams BAD[] = {
        {5, 0, 0.05, 0.05, SPRT_LOGISTIC},
        {5, 5, 0.05, 0.05, SPRT_LOGISTIC},
        {0, 5, 0, 0.05, SPRT_LOGISTIC},
        {0, 5, 0.05, 1, SPRT_LOGISTIC},
        {0, 5, 0.6, 0.4, SPRT_LOGISTIC},
        {0, NAN, 0.05, 0.05, SPRT_LOGISTIC},
        {-INFINITY, 5, 0.05, 0.05, SPRT_LOGISTIC},
        {0, 5, NAN, 0.05, SPRT_LOGISTIC},
        {0, 101, 0.05, 0.05, SPRT_NORMALISED},
    };
    Err err;
    for (size_t i = 0; i < COUNT_OF(BAD); i++) {
        assert_false(sprt_check_params(&BAD[i], &err));
        assert_int_equal(err.code, ERR_RANGE);
    }
    assert_true(sprt_check_params(&NORMALISED_0_2, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elo_is_logistic),
        cmocka_unit_test(a_trinomial_error_is_that_of_the_mean),
        cmocka_unit_test(trinomial_estimates_agree_with_fastchess),
        cmocka_unit_test(pentanomial_estimates_agree_with_fastchess),
        cmocka_unit_test(pentanomial_estimates_agree_with_a_published_match),
        cmocka_unit_test(no_games_say_nothing),
        cmocka_unit_test(all_points_are_an_infinite_elo_with_certain_superiority),
        cmocka_unit_test(draws_alone_tell_no_error),
        cmocka_unit_test(nothing_is_ever_not_a_number),
        cmocka_unit_test(pairs_have_smaller_errors_than_their_games),
        cmocka_unit_test(bounds_follow_from_the_error_rates),
        cmocka_unit_test(llr_agrees_with_fastchess),
        cmocka_unit_test(logistic_pentanomial_llr_is_the_maximum),
        cmocka_unit_test(trinomial_llr_is_the_maximum_in_both_models),
        cmocka_unit_test(llr_of_wins_alone_is_their_log_odds),
        cmocka_unit_test(swapping_sides_and_hypotheses_changes_the_sign),
        cmocka_unit_test(parameters_that_decide_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

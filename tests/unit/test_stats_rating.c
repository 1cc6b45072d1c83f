/* test_stats_rating.c - ratings of a crosstable: against what can be solved by hand, and where nothing can be solved. */
#include <math.h>

#include "base/rng.h"
#include "stats/rating.h"
#include "support/testing.h"

static void assert_near(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance)) fail_msg("%.10g is not %.10g +- %g", actual, expected, tolerance);
}

static void two_players_differ_by_the_elo_of_their_match(void **state)
{
    (void)state;
    PairResult  match = {0, 1, {.wins = 60, .losses = 25, .draws = 35}};
    EloEstimate elo   = stats_elo_trinomial(match.games);
    Rating      r[2];
    assert_true(stats_rate_players(&match, 1, 2, (RatingParams){.mean = 2500}, r, NULL));
    assert_near(r[0].rating - r[1].rating, elo.elo, 1e-6);
    assert_near(r[0].rating + r[1].rating, 5000, 1e-6);
    assert_near(r[0].error, elo.elo_error / 2, elo.elo_error / 2 * 0.03); /* half the difference; a straight line for the curve */
    assert_near(r[0].error, r[1].error, 1e-9);
    assert_int_equal(r[0].games, 120);
    assert_near(r[0].points, 77.5, 0);
    assert_near(r[1].points, 42.5, 0);
}

static void a_circle_of_wins_makes_equals(void **state)
{
    (void)state;
    PairResult circle[] = {{0, 1, {.wins = 3}}, {1, 2, {.wins = 3}}, {2, 0, {.wins = 3}}};
    Rating     r[3];
    assert_true(stats_rate_players(circle, 3, 3, (RatingParams){0}, r, NULL));
    for (int i = 0; i < 3; i++) assert_near(r[i].rating, 0, 1e-9);
}

/* Two players who never met are rated through a third: 75 % is 190.85 points, twice that apart. */
static void ratings_add_up_along_a_chain(void **state)
{
    (void)state;
    PairResult chain[] = {{0, 1, {.wins = 75, .losses = 25}}, {2, 1, {.wins = 25, .losses = 75}}};
    Rating     r[3];
    assert_true(stats_rate_players(chain, 2, 3, (RatingParams){0}, r, NULL));
    assert_near(r[0].rating, 190.848502, 1e-5);
    assert_near(r[1].rating, 0, 1e-6);
    assert_near(r[2].rating, -190.848502, 1e-5);
    assert_true(r[1].error < r[0].error);
}

static void the_order_of_players_and_results_does_not_matter(void **state)
{
    (void)state;
    PairResult there[] = {{0, 1, {9, 4, 3}}, {1, 2, {5, 5, 2}}, {0, 2, {7, 1, 8}}};
    PairResult back[]  = {{2, 0, {1, 7, 8}}, {2, 1, {5, 5, 2}}, {1, 0, {2, 3, 1}}, {1, 0, {2, 6, 2}}};
    Rating     r[3], s[3];
    assert_true(stats_rate_players(there, 3, 3, (RatingParams){0}, r, NULL));
    assert_true(stats_rate_players(back, 4, 3, (RatingParams){0}, s, NULL));
    for (int i = 0; i < 3; i++) {
        assert_near(r[i].rating, s[i].rating, 1e-6);
        assert_near(r[i].points, s[i].points, 0);
    }
}

/* What "most likely" comes to: everybody has scored exactly what the ratings expect. Any table, however lopsided. */
static void every_player_scores_what_the_ratings_expect(void **state)
{
    (void)state;
    enum { PLAYERS = 8, PAIRINGS = PLAYERS * (PLAYERS - 1) / 2 };
    Rng rng = rng_seeded(12);
    for (int table = 0; table < 300; table++) {
        PairResult results[PAIRINGS];
        size_t     count = 0;
        for (size_t a = 0; a < PLAYERS; a++) {
            for (size_t b = a + 1; b < PLAYERS; b++) {
                uint64_t wide    = rng_below(&rng, 3) ? 10 : 100000;
                results[count++] = (PairResult){a, b, {rng_below(&rng, wide), rng_below(&rng, 4), 1 + rng_below(&rng, 3)}};
            }
        }
        Rating r[PLAYERS];
        assert_true(stats_rate_players(results, count, PLAYERS, (RatingParams){.mean = 1000}, r, NULL));
        double expected[PLAYERS] = {0}, sum = 0;
        for (size_t i = 0; i < count; i++) {
            double games = (double)(results[i].games.wins + results[i].games.losses + results[i].games.draws);
            double score = games * stats_score_from_elo(r[results[i].a].rating - r[results[i].b].rating);
            expected[results[i].a] += score;
            expected[results[i].b] += games - score;
        }
        for (int i = 0; i < PLAYERS; i++) {
            assert_near(expected[i], r[i].points, 1e-6 * (double)r[i].games);
            assert_true(isfinite(r[i].error) && r[i].error > 0);
            sum += r[i].rating;
        }
        assert_near(sum / PLAYERS, 1000, 1e-6);
    }
}

static void tables_that_bound_nothing_are_refused(void **state)
{
    (void)state;
    PairResult perfect[] = {{0, 1, {.wins = 5}}, {0, 2, {.wins = 5}}, {1, 2, {2, 2, 2}}};
    PairResult islands[] = {{0, 1, {1, 1, 1}}, {2, 3, {1, 1, 1}}};
    Rating     r[4];
    Err        err;
    assert_false(stats_rate_players(perfect, 3, 3, (RatingParams){0}, r, &err));
    assert_int_equal(err.code, ERR_RANGE);
    assert_false(stats_rate_players(islands, 2, 4, (RatingParams){0}, r, &err));
    assert_false(stats_rate_players(NULL, 0, 2, (RatingParams){0}, r, &err));
}

static void a_prior_makes_every_table_ratable(void **state)
{
    (void)state;
    PairResult   perfect[] = {{0, 1, {.wins = 50}}, {0, 2, {.wins = 50}}, {1, 2, {.wins = 30, .losses = 10}}};
    PairResult   islands[] = {{0, 1, {3, 1, 1}}, {2, 3, {1, 1, 1}}};
    RatingParams prior     = {.prior_draws = 2};
    Rating       r[4];
    assert_true(stats_rate_players(perfect, 3, 3, prior, r, NULL));
    assert_true(r[0].rating > r[1].rating && r[1].rating > r[2].rating && isfinite(r[0].rating));
    assert_near(r[0].rating + r[1].rating + r[2].rating, 0, 1e-6);
    assert_true(stats_rate_players(islands, 2, 4, prior, r, NULL));
    assert_true(r[0].rating > r[2].rating && r[2].rating > r[1].rating);
    assert_near(r[2].rating, r[3].rating, 1e-6);
}

static void draws_alone_make_equals_of_unknown_error(void **state)
{
    (void)state;
    PairResult draws = {0, 1, {.draws = 10}};
    Rating     r[2];
    assert_true(stats_rate_players(&draws, 1, 2, (RatingParams){0}, r, NULL));
    assert_near(r[0].rating, 0, 1e-9);
    assert_true(isinf(r[0].error) && isinf(r[1].error));
}

static void arguments_out_of_range_are_refused(void **state)
{
    (void)state;
    PairResult self = {1, 1, {1, 1, 1}}, outside = {0, 2, {1, 1, 1}}, fine = {0, 1, {1, 1, 1}};
    Rating     r[2];
    Err        err;
    assert_false(stats_rate_players(&self, 1, 2, (RatingParams){0}, r, &err));
    assert_false(stats_rate_players(&outside, 1, 2, (RatingParams){0}, r, &err));
    assert_false(stats_rate_players(&fine, 1, 0, (RatingParams){0}, r, &err));
    assert_false(stats_rate_players(&fine, 1, 2, (RatingParams){.prior_draws = -1}, r, &err));
    assert_false(stats_rate_players(&fine, 1, 2, (RatingParams){.mean = NAN}, r, &err));
    assert_true(stats_rate_players(&fine, 1, 2, (RatingParams){0}, r, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_players_differ_by_the_elo_of_their_match),
        cmocka_unit_test(a_circle_of_wins_makes_equals),
        cmocka_unit_test(ratings_add_up_along_a_chain),
        cmocka_unit_test(the_order_of_players_and_results_does_not_matter),
        cmocka_unit_test(every_player_scores_what_the_ratings_expect),
        cmocka_unit_test(tables_that_bound_nothing_are_refused),
        cmocka_unit_test(a_prior_makes_every_table_ratable),
        cmocka_unit_test(draws_alone_make_equals_of_unknown_error),
        cmocka_unit_test(arguments_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

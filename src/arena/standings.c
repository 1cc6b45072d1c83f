/* standings.c - see standings.h. */
#include "arena/standings.h"

#include <stdlib.h>

bool standings_init(Standings *standings, const Schedule *schedule, Err *err)
{
    size_t n         = (size_t)schedule->engines;
    *standings       = (Standings){.schedule = *schedule};
    uint64_t numbers = schedule_units(schedule) * 2;
    if (numbers < SIZE_MAX / 2) {
        standings->engines = calloc(n, sizeof *standings->engines);
        standings->versus  = calloc(n * n, sizeof *standings->versus);
        standings->pairs   = calloc(n * n, sizeof *standings->pairs);
        standings->results = calloc((size_t)numbers, 1);
    }
    if (standings->engines && standings->versus && standings->pairs && standings->results) return true;
    standings_release(standings);
    return err_set(err, ERR_MEMORY, 0, "out of memory for a tournament of %llu games",
                   (unsigned long long)schedule_games(schedule));
}

void standings_release(Standings *standings)
{
    free(standings->engines);
    free(standings->versus);
    free(standings->pairs);
    free(standings->results);
    *standings = (Standings){0};
}

static void count_result(Trinomial *t, int points2)
{
    if (points2 == 2) t->wins++;
    if (points2 == 1) t->draws++;
    if (points2 == 0) t->losses++;
}

/* Half points of White. */
static int white_points2(Result result) { return result == RESULT_WHITE_WINS ? 2 : result == RESULT_DRAW ? 1 : 0; }

static void count_fault(EngineTally *tally, GameOver over)
{
    if (over == OVER_CRASH || over == OVER_UNUSABLE) tally->crashes++;
    if (over == OVER_TIME || over == OVER_STALL) tally->timeouts++;
    if (over == OVER_STALL) tally->stalls++;
    if (over == OVER_ILLEGAL) tally->illegal++;
}

/* When both games of the unit are there, they are one sample more. */
static void count_pair(Standings *s, uint64_t id)
{
    uint64_t first = id & ~(uint64_t)1;
    if (schedule_unit_games(&s->schedule, id / 2) < 2 || !standings_has(s, first) || !standings_has(s, first + 1)) return;
    ScheduledGame game   = schedule_game(&s->schedule, first);
    int           points = white_points2((Result)s->results[first]) + 2 - white_points2((Result)s->results[first + 1]);
    int           n      = s->schedule.engines;
    s->pairs[game.white * n + game.black].pairs[points]++;
    s->pairs[game.black * n + game.white].pairs[4 - points]++;
}

void standings_add(Standings *s, uint64_t id, Result result, GameOver over, uint64_t plies)
{
    ScheduledGame game  = schedule_game(&s->schedule, id);
    int           white = white_points2(result), n = s->schedule.engines;
    s->results[id] = (uint8_t)result;
    s->games++;
    s->plies += plies;
    s->overs[over]++;
    s->white_wins += white == 2;
    s->black_wins += white == 0;
    count_result(&s->engines[game.white].games, white);
    count_result(&s->engines[game.black].games, 2 - white);
    count_result(&s->versus[game.white * n + game.black], white);
    count_result(&s->versus[game.black * n + game.white], 2 - white);
    if (over >= OVER_FIRST_FAULT) count_fault(&s->engines[white == 2 ? game.black : game.white], over);
    count_pair(s, id);
}

static uint64_t pentanomial_games(const Pentanomial *p)
{
    uint64_t games = 0;
    for (int i = 0; i < PENTANOMIAL_KINDS; i++) games += 2 * p->pairs[i];
    return games;
}

/* Elo and error come from the finished pairs, which know the truth about the error; score, number and draws from all games. */
static EloEstimate estimate(Trinomial games, const Pentanomial *pairs)
{
    EloEstimate by_game = stats_elo_trinomial(games);
    if (pentanomial_games(pairs) == 0) return by_game;
    EloEstimate e = stats_elo_pentanomial(*pairs);
    e.games       = by_game.games;
    e.score       = by_game.score;
    e.draw_ratio  = by_game.draw_ratio;
    return e;
}

EloEstimate standings_estimate(const Standings *s, int a, int b)
{
    Pentanomial pairs = standings_pairs(s, a, b);
    return estimate(standings_versus(s, a, b), &pairs);
}

EloEstimate standings_estimate_engine(const Standings *s, int a)
{
    Pentanomial sum = {0};
    for (int b = 0; b < s->schedule.engines; b++) {
        for (int i = 0; i < PENTANOMIAL_KINDS; i++) sum.pairs[i] += standings_pairs(s, a, b).pairs[i];
    }
    return estimate(s->engines[a].games, &sum);
}

SprtState standings_sprt(const Standings *s, const SprtParams *params)
{
    return sprt_state_pentanomial(params, standings_pairs(s, 0, 1));
}

bool standings_rate(const Standings *s, Rating *out)
{
    int         n       = s->schedule.engines;
    size_t      count   = 0;
    PairResult *results = calloc((size_t)n * (size_t)n, sizeof *results);
    if (!results) return false;
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n; b++) results[count++] = (PairResult){(size_t)a, (size_t)b, standings_versus(s, a, b)};
    }
    /* Somebody who has won everything has no rating from the results alone; one imagined draw gives everybody one. */
    bool ok = stats_rate_players(results, count, (size_t)n, (RatingParams){0}, out, NULL) ||
              stats_rate_players(results, count, (size_t)n, (RatingParams){.prior_draws = 1}, out, NULL);
    free(results);
    return ok;
}

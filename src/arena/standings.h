/* standings.h - who has how many points: the tallies of a tournament, built up game by game.
 *
 * Every number is a function of the set of results, not of their order, so a resumed tournament has the table of one that
 * was never interrupted. A unit's two games make one sample of the pentanomial statistics as soon as both are there.
 * Threads: the arena holds its lock around every call.
 */
#ifndef ARENA_STANDINGS_H
#define ARENA_STANDINGS_H

#include "arena/record.h"
#include "arena/schedule.h"
#include "stats/elo.h"
#include "stats/rating.h"
#include "stats/sprt.h"

typedef struct {
    Trinomial games;
    uint64_t  crashes;  /* ended by itself, or could not be started */
    uint64_t  timeouts; /* too late, or never: stalls are among them */
    uint64_t  stalls;
    uint64_t  illegal;
} EngineTally;

typedef struct {
    Schedule     schedule;
    EngineTally *engines;
    Trinomial   *versus;  /* [a * engines + b]: from a's view */
    Pentanomial *pairs;   /* the same, finished pairs only */
    uint8_t     *results; /* by game id: a Result; RESULT_UNKNOWN is 0 */
    uint64_t     games;   /* finished */
    uint64_t     plies;   /* played, without openings */
    uint64_t     overs[OVERS];
    uint64_t     white_wins, black_wins;
} Standings;

bool standings_init(Standings *standings, const Schedule *schedule, Err *err); /* false when memory is short */
void standings_release(Standings *standings);

static inline bool standings_has(const Standings *standings, uint64_t id) { return standings->results[id] != RESULT_UNKNOWN; }

/* Counts a game; it must not have been counted before. */
void standings_add(Standings *standings, uint64_t id, Result result, GameOver over, uint64_t plies);

static inline Trinomial   standings_versus(const Standings *s, int a, int b) { return s->versus[a * s->schedule.engines + b]; }
static inline Pentanomial standings_pairs(const Standings *s, int a, int b) { return s->pairs[a * s->schedule.engines + b]; }

/* How a stands against b: Elo and error from the finished pairs (single games while there are none), the rest from all games. */
EloEstimate standings_estimate(const Standings *standings, int a, int b);

/* How a stands against the field it met. */
EloEstimate standings_estimate_engine(const Standings *standings, int a);

/* Where the test of engine 0 against engine 1 stands. */
SprtState standings_sprt(const Standings *standings, const SprtParams *params);

/* Ratings of all engines with mean 0; `out` has room for them. False when memory is short. */
bool standings_rate(const Standings *standings, Rating *out);

#endif

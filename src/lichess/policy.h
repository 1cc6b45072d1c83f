/* policy.h - what the bot wants: pure functions of its configuration and of what it knows. Threads: [any]. */
#ifndef LICHESS_POLICY_H
#define LICHESS_POLICY_H

#include "eval/score.h"
#include "lichess/config.h"
#include "lichess/events.h"

/* What a verdict about a challenge depends on beyond the challenge itself. */
typedef struct {
    int  games;     /* that run, or are promised */
    int  rematches; /* already accepted in a row from this opponent */
    bool leaving;   /* no new games */
} PolicyPresent;

/* NULL: accept. Otherwise the reason, by the names the server knows ("tooFast"), and in `why` (may be NULL) a sentence. */
const char *policy_challenge(const Config *config, const LichessChallenge *challenge, const PolicyPresent *now, const char **why);

/* How the bot's own scores have run. `move_number`: the move of the game that was just decided. */
typedef struct {
    int level; /* moves in a row that were level */
    int lost;  /* moves in a row that were lost */
} PolicyTrend;

void policy_note_score(const Config *config, Score score, PolicyTrend *trend);
bool policy_offers_draw(const Config *config, const PolicyTrend *trend, int64_t move_number);
bool policy_accepts_draw(const Config *config, const PolicyTrend *trend, int64_t move_number);
bool policy_resigns(const Config *config, const PolicyTrend *trend);
bool policy_grants_takeback(const Config *config, int granted);

/* Whether to challenge this bot; `self` is our own identity. */
bool policy_challenges(const Config *config, const LichessAccount *bot, Str self);

/* "bullet" and so on for a clock, as the server counts: base and forty increments. */
unsigned policy_speed(int64_t base_s, int64_t increment_s);

/* What a move costs on its way, learned from what the clock lost beyond our thinking: a running mean and a running deviation, as
 * TCP estimates round trips. */
typedef struct {
    bool   known;
    double mean_ms, deviation_ms;
} Overhead;

void    overhead_note(Overhead *overhead, double lost_ms);
int64_t overhead_ms(const Overhead *overhead, const Config *config); /* mean and three deviations, within the bounds */

/* How long to wait before trial number `failures` + 1: doubles from the least to the most, less up to a quarter by chance, so
 * that clients that lost the same server do not return at the same moment. `chance` is anything. */
int64_t backoff_ms(const Config *config, int failures, uint64_t chance);

#endif

/* clock_plan.c - see clock_plan.h. */
#include "engine/clock_plan.h"

static int64_t at_most(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t at_least(int64_t a, int64_t b) { return a > b ? a : b; }

/* A month: what no clock shows, and far from where sums overflow. */
static const int64_t LONGEST_MS = (int64_t)30 * 24 * 3600 * 1000;

/* To the end of the game a fixed share of what is left plus most of the increment; to a time control an equal share.
 * The overhead of the next moves is set aside. */
ClockPlan clock_plan(const ClockState *state)
{
    enum { HORIZON = 26, LAGS = 12, SHARE_MAX_PERCENT = 55, CONTROL_LAST_PERCENT = 85 };
    int64_t   time  = at_most(at_least(state->time_ms, 1), LONGEST_MS);
    int64_t   inc   = at_most(at_least(state->inc_ms, 0), LONGEST_MS);
    int       moves = state->moves_to_go > 0 ? (int)at_most(state->moves_to_go, HORIZON + 14) : HORIZON;
    int64_t   spare = at_least(time - state->overhead_ms * at_most(moves, LAGS), time / 5);
    int64_t   soft  = spare / moves + inc * 3 / 4;
    int64_t   limit = at_least(time - state->overhead_ms, time / 10);
    int64_t   most  = limit * (state->moves_to_go == 1 ? CONTROL_LAST_PERCENT : SHARE_MAX_PERCENT) / 100;
    ClockPlan plan  = {.soft_ms = at_most(soft, most), .hard_ms = at_most(soft * 4, most)};
    plan.soft_ms    = at_least(plan.soft_ms, 1);
    plan.hard_ms    = at_least(plan.hard_ms, 1);
    return plan;
}

/* clock_plan.h - how long to think: from the clock of the game to two limits for the search. Pure. */
#ifndef ENGINE_CLOCK_PLAN_H
#define ENGINE_CLOCK_PLAN_H

#include <stdint.h>

typedef struct {
    int64_t time_ms; /* left on our clock; may be negative */
    int64_t inc_ms;
    int     moves_to_go; /* 0: the rest of the game */
    int64_t overhead_ms; /* what the way to the clock costs each move */
} ClockState;

typedef struct {
    int64_t soft_ms; /* aim */
    int64_t hard_ms; /* never beyond; at least 1 */
} ClockPlan;

ClockPlan clock_plan(const ClockState *state);

#endif

/* timecontrol.h - how much thinking a player may do: clocks, fixed times, depths, nodes; and the clock that counts them.
 *
 * Written as "4+0.04" (seconds and increment), "40/60" (moves in seconds), "40/60+0.5", "1:30+2" (minutes and seconds),
 * "st=0.5" (seconds a move), "movetime=500" (the same in milliseconds), "nodes=1000", "depth=8", several joined by a space.
 * Threads: [any]; plain values.
 */
#ifndef PLAYER_TIMECONTROL_H
#define PLAYER_TIMECONTROL_H

#include "base/err.h"
#include "base/str.h"

/* A zero means "no limit of this kind"; several limits hold together. */
typedef struct {
    int     moves;       /* the base time is for so many moves, then it is added again; 0: for the whole game */
    int64_t base_ms;     /* the clock at the start */
    int64_t inc_ms;      /* added after every move */
    int64_t movetime_ms; /* for every move; no clock then */
    int64_t nodes;
    int     depth;
} TimeControl;

/* Is one of the limits above given at all? Without one a player would think for ever. */
static inline bool timecontrol_is_set(const TimeControl *tc)
{
    return tc->base_ms > 0 || tc->inc_ms > 0 || tc->movetime_ms > 0 || tc->nodes > 0 || tc->depth > 0;
}

static inline bool timecontrol_has_clock(const TimeControl *tc) { return tc->base_ms > 0 || tc->inc_ms > 0; }

/* Reads one clock: "4+0.04", "40/60", "st=1". On failure `*out` is untouched. */
bool timecontrol_parse(Str text, TimeControl *out, Err *err);

/* Adds one limit by name ("tc", "st", "movetime", "nodes", "depth") to `*out`. *known tells whether the name is a limit at all;
 * false with *err when its value is wrong. */
bool timecontrol_set(TimeControl *out, Str name, Str value, bool *known, Err *err);

/* The text form, zero-terminated; "-" when nothing is limited. */
enum { TIMECONTROL_TEXT_SIZE = 128 };
void timecontrol_text(const TimeControl *tc, char out[TIMECONTROL_TEXT_SIZE]);

/* ---- the clock of one side in one game ---- */

typedef struct {
    TimeControl tc;
    int64_t     left_ns;
    int         moves_to_go; /* to the next control; 0: no control */
} GameClock;

void clock_start(GameClock *clock, const TimeControl *tc);

/* How long the next move may take; INT64_MAX without a clock or a fixed time. */
int64_t clock_allowed_ns(const GameClock *clock);

/* A move took so long: takes it off, adds increment and the time of a new period. A clock below zero (lateness that was
 * forgiven) starts again from zero. */
void clock_spend(GameClock *clock, int64_t elapsed_ns);

#endif

/* schedule.h - who plays whom, with which colours, from which opening: a pure function of the game's number.
 *
 * A unit is a pair of engines meeting twice from one opening, with colours reversed; it is what threads take and what the
 * statistics count as one sample. Units are numbered round by round, so a longer tournament begins with exactly the games
 * of a shorter one and a finished one can be extended. Game `id` is game id % 2 of unit id / 2.
 */
#ifndef ARENA_SCHEDULE_H
#define ARENA_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

typedef enum {
    SCHEDULE_ROUND_ROBIN,  /* everybody against everybody */
    SCHEDULE_GAUNTLET,     /* the first against all others */
    SCHEDULE_HEAD_TO_HEAD, /* the first against the second, the third against the fourth... */
} ScheduleType;

typedef struct {
    ScheduleType type;
    int          engines;
    uint64_t     games; /* of each pair of engines; when odd, the last unit has one game */
} Schedule;

typedef struct {
    int      white, black; /* numbers of engines */
    int      first;        /* the engine whose view the statistics of the pair take: White in the first game */
    uint64_t round;        /* from 0; also the number of the opening */
} ScheduledGame;

bool schedule_type_from_text(Str text, ScheduleType *out);

/* Fails when the type does not fit the number of engines. */
bool schedule_check(const Schedule *schedule, Err *err);

uint64_t      schedule_pairings(const Schedule *schedule);
uint64_t      schedule_units(const Schedule *schedule);
uint64_t      schedule_games(const Schedule *schedule);                     /* all of them */
int           schedule_unit_games(const Schedule *schedule, uint64_t unit); /* 2, or 1 at the end of an odd number */
ScheduledGame schedule_game(const Schedule *schedule, uint64_t id);

#endif

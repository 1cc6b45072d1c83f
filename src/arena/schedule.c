/* schedule.c - see schedule.h. */
#include "arena/schedule.h"

bool schedule_type_from_text(Str text, ScheduleType *out)
{
    if (str_equal(text, STR("roundrobin"))) {
        *out = SCHEDULE_ROUND_ROBIN;
    } else if (str_equal(text, STR("gauntlet"))) {
        *out = SCHEDULE_GAUNTLET;
    } else if (str_equal(text, STR("head-to-head"))) {
        *out = SCHEDULE_HEAD_TO_HEAD;
    } else {
        return false;
    }
    return true;
}

bool schedule_check(const Schedule *schedule, Err *err)
{
    if (schedule->engines < 2) return err_set(err, ERR_RANGE, 0, "a match needs two engines: give --engine twice or more");
    if (schedule->type == SCHEDULE_HEAD_TO_HEAD && schedule->engines % 2)
        return err_set(err, ERR_RANGE, 0, "head-to-head needs an even number of engines, not %d", schedule->engines);
    if (schedule->games < 1) return err_set(err, ERR_RANGE, 0, "a match needs at least one game");
    return true;
}

uint64_t schedule_pairings(const Schedule *schedule)
{
    uint64_t n = (uint64_t)schedule->engines;
    switch (schedule->type) {
    case SCHEDULE_ROUND_ROBIN: return n * (n - 1) / 2;
    case SCHEDULE_GAUNTLET: return n - 1;
    case SCHEDULE_HEAD_TO_HEAD: return n / 2;
    }
    return 0;
}

uint64_t schedule_units(const Schedule *schedule) { return (schedule->games + 1) / 2 * schedule_pairings(schedule); }

uint64_t schedule_games(const Schedule *schedule) { return schedule->games * schedule_pairings(schedule); }

int schedule_unit_games(const Schedule *schedule, uint64_t unit)
{
    uint64_t round = unit / schedule_pairings(schedule);
    return round * 2 + 1 < schedule->games ? 2 : 1;
}

/* Pairing `number` of all against all: 0-1, 0-2, 1-2, 0-3, 1-3, 2-3... */
static void round_robin_pair(uint64_t number, int *a, int *b)
{
    int second = 1;
    while (number >= (uint64_t)second) number -= (uint64_t)second++;
    *a = (int)number;
    *b = second;
}

ScheduledGame schedule_game(const Schedule *schedule, uint64_t id)
{
    uint64_t unit = id / 2, pairings = schedule_pairings(schedule);
    int      number = (int)(unit % pairings), a = 0, b = number + 1;
    if (schedule->type == SCHEDULE_ROUND_ROBIN) round_robin_pair((uint64_t)number, &a, &b);
    if (schedule->type == SCHEDULE_HEAD_TO_HEAD) {
        a = number * 2;
        b = a + 1;
    }
    bool reversed = id % 2 == 1;
    return (ScheduledGame){.white = reversed ? b : a, .black = reversed ? a : b, .first = a, .round = unit / pairings};
}

/* timecontrol.c - see timecontrol.h. */
#include "player/timecontrol.h"

#include <math.h>
#include <stdio.h>

enum { SECONDS_MAX = 1000000, MOVES_MAX_TC = 1000 };

/* "4", "0.5", "1:30": seconds, with minutes before a colon. */
static bool read_seconds(Str text, int64_t *out_ms)
{
    Str    rest = text, first = str_next_until(&rest, ':');
    double minutes = 0, seconds;
    if (first.len < text.len) {
        if (!str_to_double(first, &minutes)) return false;
        first = rest;
    }
    if (!str_to_double(first, &seconds)) return false;
    double total = minutes * 60 + seconds;
    if (minutes < 0 || seconds < 0 || total > SECONDS_MAX) return false;
    *out_ms = llround(total * 1000);
    return true;
}

static bool parse_clock(Str text, TimeControl *out, Err *err)
{
    TimeControl tc   = *out;
    Str         rest = text, head = str_next_until(&rest, '/');
    tc.moves = 0;
    if (head.len < text.len) {
        if (!str_to_int(head, 1, MOVES_MAX_TC, &tc.moves))
            return err_set(err, ERR_SYNTAX, 0, "time control '%.*s': before '/' stands a number of moves, as in 40/60",
                           STR_ARGS(text));
        head = rest;
    }
    Str  inc = head, base = str_next_until(&inc, '+');
    bool has_inc = base.len < head.len;
    tc.inc_ms    = 0;
    if (!read_seconds(base, &tc.base_ms) || (has_inc && !read_seconds(inc, &tc.inc_ms)))
        return err_set(
            err, ERR_SYNTAX, 0,
            "time control '%.*s' is not of the form 4+0.04 (seconds+increment), 40/60 (moves/seconds) or st=1 (seconds a move)",
            STR_ARGS(text));
    if (tc.base_ms <= 0 && tc.inc_ms <= 0)
        return err_set(err, ERR_RANGE, 0, "time control '%.*s' leaves no time", STR_ARGS(text));
    *out = tc;
    return true;
}

static bool parse_positive(Str name, Str value, int64_t max, int64_t *out, Err *err)
{
    int64_t number = 0;
    if (!str_to_i64(value, &number) || number < 1 || number > max)
        return err_set(err, ERR_RANGE, 0, "%.*s takes a number from 1 to %lld, not '%.*s'", STR_ARGS(name), (long long)max,
                       STR_ARGS(value));
    *out = number;
    return true;
}

bool timecontrol_set(TimeControl *out, Str name, Str value, bool *known, Err *err)
{
    int64_t number = 0;
    *known         = true;
    if (str_equal(name, STR("tc"))) return timecontrol_parse(value, out, err);
    if (str_equal(name, STR("nodes"))) return parse_positive(name, value, INT64_MAX, &out->nodes, err);
    if (str_equal(name, STR("movetime"))) return parse_positive(name, value, (int64_t)SECONDS_MAX * 1000, &out->movetime_ms, err);
    if (str_equal(name, STR("depth"))) {
        if (!parse_positive(name, value, 1000, &number, err)) return false;
        out->depth = (int)number;
        return true;
    }
    if (str_equal(name, STR("st"))) {
        int64_t ms;
        if (!read_seconds(value, &ms) || ms < 1)
            return err_set(err, ERR_RANGE, 0, "st takes seconds a move, as in st=0.5, not '%.*s'", STR_ARGS(value));
        out->movetime_ms = ms;
        return true;
    }
    *known = false;
    return true;
}

bool timecontrol_parse(Str text, TimeControl *out, Err *err)
{
    Str  value = text, name = str_next_until(&value, '=');
    bool known = false;
    if (name.len == text.len) return parse_clock(text, out, err);
    if (str_equal(name, STR("tc"))) return parse_clock(value, out, err);
    if (!timecontrol_set(out, name, value, &known, err)) return false;
    return known || err_set(err, ERR_SYNTAX, 0, "time control '%.*s': '%.*s' is no limit (tc, st, movetime, nodes, depth)",
                            STR_ARGS(text), STR_ARGS(name));
}

/* Appends "text" after a space when something stands there already. */
static void add(char *out, size_t *len, const char *text)
{
    if (*len >= TIMECONTROL_TEXT_SIZE) return;
    int wrote = snprintf(out + *len, TIMECONTROL_TEXT_SIZE - *len, "%s%s", *len ? " " : "", text);
    *len += wrote > 0 ? (size_t)wrote : 0;
}

void timecontrol_text(const TimeControl *tc, char out[TIMECONTROL_TEXT_SIZE])
{
    char   part[64];
    size_t len = 0;
    out[0]     = '\0';
    if (timecontrol_has_clock(tc)) {
        char moves[16] = "", inc[32] = "";
        if (tc->moves) snprintf(moves, sizeof moves, "%d/", tc->moves);
        if (tc->inc_ms) snprintf(inc, sizeof inc, "+%g", (double)tc->inc_ms / 1000);
        snprintf(part, sizeof part, "%s%.10g%s", moves, (double)tc->base_ms / 1000, inc);
        add(out, &len, part);
    }
    if (tc->movetime_ms) {
        snprintf(part, sizeof part, "st=%.10g", (double)tc->movetime_ms / 1000);
        add(out, &len, part);
    }
    if (tc->nodes) {
        snprintf(part, sizeof part, "nodes=%lld", (long long)tc->nodes);
        add(out, &len, part);
    }
    if (tc->depth) {
        snprintf(part, sizeof part, "depth=%d", tc->depth);
        add(out, &len, part);
    }
    if (len == 0) add(out, &len, "-");
}

void clock_start(GameClock *clock, const TimeControl *tc)
{
    /* The increment comes after a move, as in cutechess and fastchess; only "0+1" needs it for the first move. */
    *clock = (GameClock){.tc = *tc, .moves_to_go = tc->moves, .left_ns = (tc->base_ms ? tc->base_ms : tc->inc_ms) * 1000000};
}

int64_t clock_allowed_ns(const GameClock *clock)
{
    int64_t allowed = INT64_MAX;
    if (timecontrol_has_clock(&clock->tc)) allowed = clock->left_ns;
    if (clock->tc.movetime_ms && clock->tc.movetime_ms * 1000000 < allowed) allowed = clock->tc.movetime_ms * 1000000;
    return allowed;
}

void clock_spend(GameClock *clock, int64_t elapsed_ns)
{
    if (!timecontrol_has_clock(&clock->tc)) return;
    clock->left_ns -= elapsed_ns;
    if (clock->left_ns < 0) clock->left_ns = 0;
    clock->left_ns += clock->tc.inc_ms * 1000000;
    if (clock->moves_to_go && --clock->moves_to_go == 0) {
        clock->moves_to_go = clock->tc.moves;
        clock->left_ns += clock->tc.base_ms * 1000000;
    }
}

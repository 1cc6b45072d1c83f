/* slot.h - one engine of a game and what it is doing. Internal to `web`.
 *
 * A slot runs one job at a time. What it should do is asked from the game's state (slot_wanted); when that differs from what it
 * does, the keeper stops the old job and starts the new one. A job has a number that is never used again, so a result that
 * comes too late is known as such.
 * Threads: fields under the hub's lock; slot_keep and slot_free on the keeper's thread.
 */
#ifndef WEB_SLOT_H
#define WEB_SLOT_H

#include "engine/engine.h"
#include "web/events.h"

enum { LINES_MAX = 10, LINE_MOVES = 40, OPTIONS_MAX = 64, ITERATIONS_MAX = 128 };

typedef enum { JOB_NONE, JOB_ENGINE, JOB_ANALYSIS, JOB_THREAT, JOB_HINT } JobKind;

typedef struct {
    char name[64];
    char value[256];
} OptionValue;

/* What to think about. */
typedef struct {
    JobKind     kind;
    uint64_t    number; /* 0: nothing */
    int         node;
    GoLimits    limits;
    int         multipv;
    int         level; /* SKILL_MAX: full strength */
    int         option_count;
    OptionValue options[OPTIONS_MAX];
} Job;

/* One line as the search told it, with room for its moves. */
typedef struct {
    SearchInfo info; /* `pv` and `root` are not to be used */
    Move       pv[LINE_MOVES];
} SlotLine;

typedef enum { SLOT_IDLE, SLOT_THINKING, SLOT_DONE } SlotState;

typedef struct Slot {
    struct Session *session;
    Engine         *engine; /* NULL until needed, and again when it was idle too long */
    SlotState       state;
    Job             job;      /* that runs, or that is done */
    uint64_t        finished; /* the number of the last job that ended by itself */
    Position        root;
    int             line_count;
    SlotLine        lines[LINES_MAX];
    int             lines_wanted; /* fewer than the job says where there are fewer moves */
    int             whole_count;
    SlotLine        whole[LINES_MAX]; /* the last set that came to its end: lines of one depth, every move once */
    bool            lines_pending;    /* something to send at next_send_ms */
    int64_t         next_send_ms;
    int64_t         next_iteration_ms; /* before it, only shallow iterations are told */
    uint64_t        last_nodes;        /* at the end of the last iteration, and of the one before it: for `iteration` events */
    uint64_t        last_iteration_nodes;
    int             last_depth;
    SearchCounts    last_counts;
    SearchResult    result; /* `root` is not to be used */
    int64_t         done_ms;
    int64_t         used_ms; /* when it last had something to do */
} Slot;

/* [lock] Brings the slot to its wanted job. True: the lock was given up in between, look at everything again. */
bool slot_keep(Slot *slot, int64_t now_ms);

/* [keeper, lock] Stops and frees the engine; gives the lock up in between. */
void slot_free(Slot *slot);

/* [lock] Sends lines whose time has come; returns when the next ones are due, INT64_MAX: none. */
int64_t slot_send_lines(Slot *slot, int64_t now_ms);

const char *job_kind_text(JobKind kind); /* "engine", "analysis", "threat", "hint" */

#endif

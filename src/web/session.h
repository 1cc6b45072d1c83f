/* session.h - one game on the server: its tree, who plays, clocks, engines, listeners. Internal to `web`.
 *
 * Rules of play: a clock runs from the moment both sides have made their first move. A takeback leaves the clocks as they are.
 * Ends that must be claimed (threefold repetition, fifty moves) are claimed at once when a machine takes part, else by an offer.
 * Every change makes the revision grow, is saved before it is answered, and is told to all clients.
 * Threads: everything under the hub's lock.
 */
#ifndef WEB_SESSION_H
#define WEB_SESSION_H

#include "game/tree.h"
#include "review/review.h"
#include "web/slot.h"

enum {
    ID_SIZE         = 9,
    NAME_SIZE       = 128,
    RANDOM_DELAY_MS = 150,  /* so that a person can follow two random movers */
    MOVETIME_MS     = 1000, /* of an engine without a clock */
};

typedef enum { SIDE_HUMAN, SIDE_ENGINE, SIDE_RANDOM, SIDE_KINDS } SideKind;

typedef struct {
    SideKind kind;
    int      level;       /* of an engine: 0 .. SKILL_MAX */
    int64_t  movetime_ms; /* of an engine without a clock; 0: MOVETIME_MS */
} Side;

enum { SLOT_ANALYST = COLORS, SLOTS };

struct Hub;
struct Request;

typedef struct Session {
    struct Hub *hub;
    char        id[ID_SIZE];
    uint64_t    revision;
    MoveTree    tree;
    int         current;       /* the end of the played line */
    Side        sides[COLORS]; /* names are the tags White and Black */
    const char *end;           /* why the game is over: static text; NULL while it is not, or when nobody knows */
    bool        paused;        /* nobody is to move until `play` */
    bool        dormant;       /* loaded from disk and not yet asked for: engines and clocks sleep */
    bool        saved;         /* as it is now */
    bool        deleted;       /* the keeper will free it */
    Color       draw_offer;    /* COLORS: none */

    bool    has_time;
    int64_t base_ms, increment_ms;
    int64_t left_ms[COLORS];
    int64_t turn_began_ms; /* of the side to move */

    uint64_t        jobs;     /* numbers given so far */
    uint64_t        turn;     /* the number of the job of whoever is to move: changes with every move */
    Job             analysis; /* wanted; number 0: none */
    Job             hint;
    struct Request *hint_waits; /* who asked for it */
    int64_t         random_due_ms;
    Slot            slots[SLOTS];
    Channel         channel;
    Buf             report;        /* the last one, as JSON; empty: none */
    uint64_t        report_wanted; /* 0: no */
    ReviewLimits    report_limits;
} Session;

static inline Result session_result(const Session *s) { return s->tree.result; }
Color                session_to_move(const Session *s);
bool                 session_is_over(const Session *s);

/* The end of the line that was played; where nothing was, of the main line. Analysis may go on beyond it. */
int session_line_end(const Session *s);

/* Whose clock runs; COLORS: none. And what is left on a clock at a moment. */
Color   session_clock_running(const Session *s);
int64_t session_left_ms(const Session *s, Color color, int64_t now_ms);

/* Something changed: revision, file, clients, keeper. */
void session_changed(Session *s);

/* Plays a legal move at `current` for the side to move; decides whether the game is over. False with *err: the tree is full. */
bool session_make_move(Session *s, Move move, TreeEval eval, int64_t when_ms, Err *err);

/* `current` is another node now: clocks go on from here, engines think anew. Does not call session_changed. */
void session_move_to(Session *s, int node);

void session_finish(Session *s, Result result, const char *end);

/* Flags, random moves; returns when to look again. [keeper] */
int64_t session_tick(Session *s, int64_t now_ms);

/* What a slot should be doing now; number 0: nothing. */
const Job *session_wanted(Session *s, int slot, Job *scratch);

/* A job of a slot ended by itself: the engine's move, the hint, the end of an analysis. [keeper] */
void session_job_done(Session *s, Slot *slot);

/* Takes the clocks and players out of the tags of a saved game; and puts them in before saving. */
void session_read_tags(Session *s);
void session_write_tags(Session *s);

const char *side_kind_text(SideKind kind);

#endif

/* arena.h - a tournament: engines, schedule, openings, rules in; games, a table and files out.
 *
 * Each of `concurrency` threads takes the next unit (two games from one opening), plays it with players of its own and hands the
 * result over under one lock: files, table and listener see one finished game at a time. What was finished stays finished,
 * whatever happens to the process (journal.h).
 * Threads: [owner] the thread that made it; [any] at any time.
 */
#ifndef ARENA_ARENA_H
#define ARENA_ARENA_H

#include "arena/adjudicate.h"
#include "arena/openings.h"
#include "arena/standings.h"
#include "player/player.h"

enum { ARENA_CONCURRENCY_MAX = 1024 };

typedef struct {
    const PlayerSpec *engines; /* `schedule.engines` of them, with names that differ */
    Schedule          schedule;
    TimeControl       limits;    /* of engines that bring none of their own */
    int64_t           margin_ms; /* see PlaySetup */
    AdjudicationRules rules;
    const Openings   *openings; /* already in the order in which they are played */
    bool              chess960;
    int               concurrency;
    bool              has_sprt; /* two engines; stops when the test is decided */
    SprtParams        sprt;
    uint64_t          seed;
    PlayerPatience    patience;
    const char       *event;
    const char       *pgn_path, *state_path; /* NULL: none */
    const char       *setup;                 /* describes all of the above in one line, for --resume */
    bool              resume, sync;
} ArenaConfig;

/* Called with the arena's lock held, after each finished game, on the thread that played it. Must not call arena functions. */
typedef void ArenaGameFn(void *context, const GameRecord *record, const Standings *standings);

typedef enum {
    ARENA_COMPLETE, /* every game was played */
    ARENA_DECIDED,  /* the SPRT came to its verdict */
    ARENA_STOPPED,  /* arena_stop was called */
    ARENA_FAILED,   /* *err says why: files, memory */
} ArenaOutcome;

typedef struct Arena Arena;

/* Opens the files and reads what was played before. Everything `config` points to must outlive the arena. */
Arena *arena_new(const ArenaConfig *config, ArenaGameFn *on_game, void *context, Err *err);
void   arena_free(Arena *arena); /* NULL is fine */

/* [owner] Plays what is left; blocks until the end. */
ArenaOutcome arena_run(Arena *arena, Err *err);

/* [any] No new game begins, the running ones are abandoned, arena_run returns soon. */
void arena_stop(Arena *arena);

/* [owner] The table; not while arena_run runs. */
const Standings *arena_standings(const Arena *arena);

/* The limits that hold for an engine. */
const TimeControl *arena_limits(const ArenaConfig *config, int engine);

#endif

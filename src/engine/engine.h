/* engine.h - a whole chess player as one value: options, hash, threads, clock plan, playing level.
 *
 * The UCI loop, the terminal, the web page, matches and tests all hold an Engine and listen to it. Two of them live side by
 * side in one process without knowing of each other.
 * Threads: [owner] the one thread that drives it; [any] at any time. Listeners are called on the thread that leads the search;
 * see search.h.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "game/game.h"
#include "search/search.h"

typedef struct Engine Engine;

/* The listener is copied. Nothing heavy happens yet: table and threads are made when first needed (engine_ready). */
Engine *engine_new(const SearchListener *listener, Err *err);
void    engine_free(Engine *engine); /* stops a search and waits for it */

/* ---- options, as data: the UCI front end prints and sets what this table holds ---- */

typedef enum {
    ENGINE_OPTION_CHECK,
    ENGINE_OPTION_SPIN,
    ENGINE_OPTION_COMBO,
    ENGINE_OPTION_BUTTON,
    ENGINE_OPTION_STRING
} EngineOptionKind;

typedef struct {
    const char        *name;
    EngineOptionKind   kind;
    const char        *text_default; /* CHECK ("true"), COMBO, STRING */
    int64_t            spin_default, low, high;
    const char *const *choices; /* COMBO: NULL-terminated */
} EngineOption;

size_t              engine_option_count(void);
const EngineOption *engine_option(size_t index);

/* [owner] Name in any case, value as text (ignored for a button). Never waits for a search: what cannot change while
 * one runs (Hash, Threads) changes before the next. Setting a value that is set already does nothing. False with *err for an
 * unknown name, a bad value, a book that cannot be read or memory that is not there: the old value stays. (SyzygyPath: there
 * are no tables then. What it names is looked at when table and threads exist.) */
bool engine_set_option(Engine *engine, Str name, Str value, Err *err);

/* [owner] The present value as text. False for an unknown name. */
bool engine_get_option(const Engine *engine, Str name, Buf *out);

/* [owner] Makes table and threads now and blocks until they are there; returns at once while a search runs. False with *err when
 * memory is short: the engine then works with what fits. */
bool engine_ready(Engine *engine, Err *err);

/* ---- position ---- */

/* [owner] A new game: hash and histories are forgotten. */
void engine_new_game(Engine *engine);

/* [owner] "startpos" or a FEN, and moves in UCI form separated by spaces. All or nothing: on an error the engine has no
 * position and engine_go refuses until a good one comes. Any running search is stopped first. */
bool engine_set_position(Engine *engine, Str fen, Str moves, Err *err);

/* [owner] The same from a game (a copy is taken). */
bool engine_set_game(Engine *engine, const Game *game, Err *err);

/* [owner] The position now; NULL after a failed engine_set_position. */
const Position *engine_position(const Engine *engine);

/* ---- thinking ---- */

/* What `go` asks for. Times in milliseconds may be negative: some interfaces send that when a flag has fallen. */
typedef struct {
    bool    has_time[COLORS]; /* time_ms of that colour was given */
    int64_t time_ms[COLORS];
    int64_t inc_ms[COLORS];
    int     moves_to_go;  /* 0: the whole game */
    int     depth;        /* 0: none */
    int     mate;         /* 0: none */
    int64_t nodes;        /* 0: none */
    int64_t soft_nodes;   /* 0: none */
    int64_t move_time_ms; /* 0: none */
    bool    infinite;
    bool    ponder;
    int     move_count; /* searchmoves; 0: all */
    Move    moves[MOVES_MAX];
} GoLimits;

/* [owner] Starts thinking; returns at once, the listener gets `done` exactly once. False with *err when there is no position.
 * A move of the book needs no thinking: `done` is then called on this thread, before the return. */
bool engine_go(Engine *engine, const GoLimits *limits, Err *err);

void engine_stop(Engine *engine);      /* [any] */
void engine_ponderhit(Engine *engine); /* [any] */
void engine_wait(Engine *engine);      /* [owner] blocks until no search runs and `done` has returned */

/* [owner] Thinks on this thread until done: for matches, tests and tools. The listener hears everything as well. */
bool engine_think(Engine *engine, const GoLimits *limits, SearchResult *out, Err *err);

/* [owner] The network of `Eval nnue`, whether or not it is chosen; NULL: none. It lives until the next option is set. */
const Net *engine_network(Engine *engine);

uint64_t engine_nodes(const Engine *engine); /* [any] */

#endif

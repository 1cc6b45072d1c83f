/* thinker.h - the engine at the board: thinks while the console stays awake, and shows what it thinks.
 *
 * A search runs on its own thread and ends with a byte in a pipe, so that one poll waits for it and for Ctrl-C.
 * Threads: [owner] one thread; `show` is called on the search's thread, or on the owner's when the answer is at hand at once.
 */
#ifndef TERM_THINKER_H
#define TERM_THINKER_H

#include "engine/engine.h"
#include "term/io.h"

typedef struct Thinker Thinker;

/* Shows a line of thought. */
typedef struct {
    void *context;
    void (*show)(void *context, const SearchInfo *info);
} ThinkerListener;

Thinker *thinker_new(const ThinkerListener *listener, Err *err); /* NULL and *err when memory or descriptors are short */
void     thinker_free(Thinker *thinker);

/* For options; the engine is not to be searched with by others. */
Engine *thinker_engine(Thinker *thinker);

typedef enum { THINK_DONE, THINK_INTERRUPTED, THINK_LEAVE, THINK_FAILED } ThinkStatus;

/* Thinks about the end of `game`, which has a legal move. Ctrl-C ends the thinking early: `*out` then has the best so far.
 * THINK_LEAVE: the process is asked to end. `lines`: whether to show lines. */
ThinkStatus thinker_think(Thinker *thinker, const TermIo *io, const Game *game, const GoLimits *limits, bool lines,
                          SearchResult *out, Err *err);

#endif

/* thinker.h - an engine for the event loop: it thinks on its own threads and wakes the loop when it has a move.
 *
 * Threads: [owner] the loop's thread calls everything; the engine's search thread only leaves its result and wakes.
 */
#ifndef LICHESS_THINKER_H
#define LICHESS_THINKER_H

#include "lichess/config.h"
#include "lichess/http.h"

typedef struct Thinker Thinker;

/* An engine with the options of the configuration, its table and threads made: blocks until they are there. */
Thinker *thinker_new(const Config *config, Http *http, Err *err);
void     thinker_free(Thinker *thinker); /* stops and waits; NULL is fine */

void thinker_new_game(Thinker *thinker);
bool thinker_go(Thinker *thinker, const Game *game, const GoLimits *limits, int64_t overhead_ms, Err *err);
void thinker_ponderhit(Thinker *thinker);
void thinker_hurry(Thinker *thinker);                   /* asks for the move now; it still comes by thinker_take */
bool thinker_take(Thinker *thinker, SearchResult *out); /* true once a search: it has ended with this. Never blocks */
void thinker_stop(Thinker *thinker);                    /* ends the search and forgets its result */

#endif

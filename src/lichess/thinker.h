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
Thinker *bot_thinker_new(const Config *config, Http *http, Err *err);
void     bot_thinker_free(Thinker *thinker); /* stops and waits; NULL is fine */

void bot_thinker_new_game(Thinker *thinker);
bool bot_thinker_go(Thinker *thinker, const Game *game, const GoLimits *limits, int64_t overhead_ms, Err *err);
void bot_thinker_ponderhit(Thinker *thinker);
void bot_thinker_hurry(Thinker *thinker);                   /* asks for the move now; it still comes by thinker_take */
bool bot_thinker_take(Thinker *thinker, SearchResult *out); /* true once a search: it has ended with this. Never blocks */
void bot_thinker_stop(Thinker *thinker);                    /* ends the search and forgets its result */

#endif

/* uci_perft.h - `go perft`: counts on a thread of its own, so that `stop`, `isready` and `quit` are heard meanwhile.
 *
 * Nothing is told before the count is complete, so a divide is never half a divide. Depths that take a moment are counted at
 * once, so that a script may send what it likes behind them.
 * Threads: [owner] the thread that reads the commands, for everything here.
 */
#ifndef APP_UCI_PERFT_H
#define APP_UCI_PERFT_H

#include <pthread.h>
#include <stdatomic.h>

#include "chess/position.h"

typedef struct UciSession UciSession;

typedef struct {
    pthread_t   thread;
    bool        started; /* and not joined yet; it may be done */
    atomic_bool stop;
    UciSession *session;
    Position    pos;
    int         depth;
} UciPerft;

void uci_perft_go(UciSession *session, const Position *pos, int depth); /* one that runs is stopped first */
void uci_perft_stop(UciSession *session);                               /* returns at once */
void uci_perft_wait(UciSession *session);                               /* blocks until none runs */

#endif

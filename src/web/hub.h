/* hub.h - everything the server holds: games, engines, clients, and the one lock that guards it. Internal to `web`.
 *
 * Who does what: requests (the HTTP thread) change games under the lock and never wait (what takes a while goes to the thread of
 * errands.h); the keeper's thread alone drives
 * engines ([owner] in engine.h), lets clocks run out, moves for the random player and frees what is idle; listeners on
 * search threads take the lock for a moment to leave what was found. The lock is never held while an engine is waited for.
 * A game decides by its own state what its engines should do; the keeper makes it so (slot.h).
 */
#ifndef WEB_HUB_H
#define WEB_HUB_H

#include <pthread.h>

#include "base/rng.h"
#include "book/book.h"
#include "book/names.h"
#include "net/net.h"
#include "tables/tables.h"
#include "web/errands.h"
#include "web/reporter.h"
#include "web/session.h"

enum {
    GAMES_MAX      = 2000,
    ENGINES_MAX    = 8,
    CLIENTS_MAX    = 256,
    PING_MS        = 15000,
    ENGINE_IDLE_MS = 600000, /* an engine that nobody needed for so long is freed */
    HASH_MB_MAX    = 1024,
    ANALYSE_PV_MAX = 40,
};

typedef struct Hub {
    pthread_mutex_t lock;
    pthread_cond_t  changed; /* the keeper looks again */
    pthread_t       keeper;
    Reporter        reporter;
    Errands         errands;
    bool            keeper_runs, quit;
    bool            remote;   /* not loopback only: options that name files are refused */
    Session       **sessions; /* oldest first */
    size_t          count, cap;
    int             engines, clients;
    int             threads_max;
    Book           *book;   /* NULL: none */
    Names          *names;  /* NULL: none */
    Tables         *tables; /* NULL: none */
    const char     *table_path;
    Net            *network; /* that the program carries; NULL: none */
    Rng             rng;     /* random movers, ids */
    Buf             data;    /* the folder of saved games */
    Buf             notice;
    int64_t         next_ping_ms;
} Hub;

/* Opens book, names and tables, loads saved games, starts the keeper. False with *err; hub_release is fine in any case. */
bool hub_init(Hub *hub, const char *data, const char *tables, bool remote, Err *err);

/* Ends the keeper and its engines; streams end. No request may run any more but those that wait. */
void hub_stop(Hub *hub);
void hub_release(Hub *hub);

/* [lock] Adds a game around `tree`, which it takes over. NULL with *err when there are too many. */
Session *hub_add(Hub *hub, MoveTree *tree, Err *err);
Session *hub_find(const Hub *hub, Str id); /* [lock] NULL: there is none */
void     hub_wake(Hub *hub);               /* [lock] the keeper has something to do */

/* [lock] The opening name of the position at a node; false when it has none. */
bool hub_opening(const Hub *hub, const Position *pos, OpeningName *out);

#endif

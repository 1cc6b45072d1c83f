/* uci_session.h - the UCI front end: lines in, an Engine in the middle, lines out. Used by cmd_uci.c. */
#ifndef APP_UCI_SESSION_H
#define APP_UCI_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "app/uci_perft.h"
#include "engine/engine.h"
#include "uci/command.h"

struct UciSession {
    Engine         *engine;
    pthread_mutex_t lock;              /* one line at a time goes out, from whichever thread */
    Buf             line;              /* being written, under the lock */
    Buf             held;              /* with Minimal: the last info line, shown before the best move */
    _Atomic bool    show_wdl, minimal; /* read on the search's thread */
    _Atomic bool    broken_output;
    bool            debug, waits_for_search;
    FILE           *log; /* Debug Log File, under the lock; NULL for none */
    UciPerft        perft;
};

bool uci_session_init(UciSession *session, Err *err);
void uci_session_release(UciSession *session); /* stops a search or a perft and waits for it */

/* Acts on one line; false when the session is over. */
bool uci_session_line(UciSession *session, Str line);

/* Tells the GUI something in words. [any thread] */
void uci_session_say(UciSession *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

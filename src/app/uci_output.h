/* uci_output.h - what the engine finds, as UCI lines. Internal to the UCI front end. */
#ifndef APP_UCI_OUTPUT_H
#define APP_UCI_OUTPUT_H

#include "app/uci_session.h"

/* The listener that an Engine gets; its context is the session. Called on a search thread. */
SearchListener uci_output_listener(UciSession *session);

/* Begins a line (takes the lock) and ends it (writes, flushes, lets go). */
Buf *uci_output_begin(UciSession *session);
void uci_output_end(UciSession *session);

/* "bestmove" for a `go` that was refused. */
void uci_output_refuse(UciSession *session);

#endif

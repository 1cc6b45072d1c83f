/* console.h - a terminal or a pipe as a TermIo: lines in, text out, Ctrl-C as an event.
 *
 * While a Console lives, SIGINT, SIGTERM and SIGHUP are blocked and taken from a descriptor (signalfd): there is no handler and
 * no global. Line editing is the terminal's own. Threads: [owner] one; `write` by one thread at a time.
 */
#ifndef TERM_CONSOLE_H
#define TERM_CONSOLE_H

#include <signal.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "base/err.h"
#include "term/io.h"

typedef struct {
    int         input, output; /* descriptors; the caller's */
    int         signals;
    sigset_t    before; /* the mask as it was */
    Buf         lines;  /* what has been read */
    size_t      start;  /* of the next line in it */
    bool        ended;  /* the input has */
    atomic_bool leave;  /* SIGTERM or SIGHUP came, or the output is gone */
    atomic_bool gone;   /* nobody reads the output any more */
} Console;

/* Call it before any thread is started: they inherit the blocked signals. */
bool   console_init(Console *console, int input, int output, Err *err);
void   console_release(Console *console);
TermIo console_io(Console *console); /* borrows the console */

#endif

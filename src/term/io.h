/* io.h - where a session's lines come from and its text goes to, behind one small interface: a console, or a test. */
#ifndef TERM_IO_H
#define TERM_IO_H

#include "base/str.h"

typedef enum {
    TERM_LINE,
    TERM_READY,     /* the descriptor can be read */
    TERM_INTERRUPT, /* Ctrl-C */
    TERM_TIMEOUT,   /* the deadline has passed */
    TERM_END,       /* the input has ended, or the process is asked to leave */
} TermEvent;

typedef struct {
    void *context;

    /* Blocks until there is a line (*line lives until the next call), or until something else happens; `deadline_ns` is on
     * clock_now_ns, INT64_MAX for none. TERM_LINE, TERM_INTERRUPT, TERM_TIMEOUT or TERM_END. */
    TermEvent (*read_line)(void *context, int64_t deadline_ns, Str *line);

    /* Blocks until `fd` can be read. TERM_READY, TERM_INTERRUPT or TERM_END (asked to leave); lines stay where they are. */
    TermEvent (*wait_for)(void *context, int fd);

    void (*write)(void *context, Str text); /* one call at a time */

    bool echo; /* lines do not show by themselves (they come from a pipe): the session repeats them */
} TermIo;

#endif

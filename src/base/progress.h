/* progress.h - how far long work is: one line that redraws itself on a terminal, a plain line now and then elsewhere.
 *
 * Writes to the stream it is given (standard error, by the commands). Calling it often is cheap: it looks at the clock and
 * draws at most ten times a second on a terminal, once in ten seconds elsewhere.
 * Threads: one at a time; callers that share it hold their own lock.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE       *stream; /* NULL: silent */
    const char *what;   /* "games", "positions": the unit that is counted */
    uint64_t    total;  /* 0: not known */
    int64_t     start_ns;
    int64_t     drawn_ns;
    bool        terminal;
    bool        drawn;
} Progress;

void progress_start(Progress *progress, FILE *stream, const char *what, uint64_t total);
void progress_update(Progress *progress, uint64_t done);
void progress_end(Progress *progress); /* clears the line on a terminal */

#endif

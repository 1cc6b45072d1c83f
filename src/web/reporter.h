/* reporter.h - whole games judged move by move, one at a time, on a thread of its own. Internal to `web`; see review/review.h.
 *
 * Threads: [lock] calls under the hub's lock; the thread itself takes the lock only to leave what it found.
 */
#ifndef WEB_REPORTER_H
#define WEB_REPORTER_H

#include <pthread.h>

#include "review/review.h"

struct Hub;
struct Session;

typedef struct {
    struct Hub     *hub;
    pthread_t       thread;
    pthread_cond_t  changed;
    bool            runs, quit;
    Reviewer       *reviewer; /* made by the thread when first needed */
    struct Session *session;  /* that is being judged; NULL: none, or it was called off */
} Reporter;

bool reporter_start(Reporter *reporter, struct Hub *hub); /* false when no thread can be had */
void reporter_stop(Reporter *reporter);                   /* waits for the thread; without the lock */

/* [lock] Wants a report of the line that was played (session_line_end); it waits its turn. */
void reporter_ask(Reporter *reporter, struct Session *s, const ReviewLimits *limits);

/* [lock] No report is wanted any more. */
void reporter_cancel(Reporter *reporter, struct Session *s);

#endif

/* errands.h - requests that take a while are answered on a thread of their own, one after the other. Internal to `web`.
 *
 * A request that waits is suspended: its connection is not touched by the library until it is resumed, so the request lives as
 * long as it stands in the queue, whatever its client does meanwhile.
 * Threads: [lock] calls under the hub's lock; handlers run on the thread without it.
 */
#ifndef WEB_ERRANDS_H
#define WEB_ERRANDS_H

#include <pthread.h>
#include <stdbool.h>

struct Hub;
struct Request;

enum { ERRANDS_MAX = 32 }; /* that wait */

typedef struct {
    struct Hub     *hub;
    pthread_t       thread;
    pthread_cond_t  changed;
    bool            runs, quit;
    struct Request *queue[ERRANDS_MAX]; /* a ring; the oldest at `first` */
    int             first, count;
} Errands;

bool errands_start(Errands *errands, struct Hub *hub); /* false when no thread can be had */
void errands_stop(Errands *errands);                   /* refuses who still waits, and waits for the thread; without the lock */

/* [lock] The request's handler will be called and the request be resumed; the caller suspends it before giving up the lock.
 * False: too many wait already. */
bool errands_add(Errands *errands, struct Request *request);

#endif

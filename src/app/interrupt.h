/* interrupt.h - Ctrl-C for work that blocks: a thread waits for the signal and calls a function that stops the work.
 *
 * No handler, no global: SIGINT, SIGTERM and SIGHUP are blocked in the calling thread and in every thread started after it.
 */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
    void (*stop)(void *context); /* called on the waiting thread, once for every signal */
    void       *context;
    atomic_bool came; /* a signal has */
    atomic_bool over;
    sigset_t    signals, before;
    pthread_t   thread;
    bool        watching;
} Interrupt;

/* Begin before the threads of the work are started; end after they are gone. */
void interrupt_begin(Interrupt *interrupt, void (*stop)(void *context), void *context);
void interrupt_end(Interrupt *interrupt);

#endif

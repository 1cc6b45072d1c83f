/* interrupt.c - see interrupt.h. */
#include "app/interrupt.h"

static void *wait_for_signals(void *argument)
{
    Interrupt *interrupt = argument;
    int        number;
    while (sigwait(&interrupt->signals, &number) == 0) {
        if (atomic_load(&interrupt->over)) break;
        atomic_store(&interrupt->came, true);
        interrupt->stop(interrupt->context);
    }
    return NULL;
}

void interrupt_begin(Interrupt *interrupt, void (*stop)(void *context), void *context)
{
    *interrupt = (Interrupt){.stop = stop, .context = context};
    sigemptyset(&interrupt->signals);
    sigaddset(&interrupt->signals, SIGINT);
    sigaddset(&interrupt->signals, SIGTERM);
    sigaddset(&interrupt->signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &interrupt->signals, &interrupt->before);
    interrupt->watching = pthread_create(&interrupt->thread, NULL, wait_for_signals, interrupt) == 0;
}

void interrupt_end(Interrupt *interrupt)
{
    atomic_store(&interrupt->over, true);
    if (interrupt->watching) {
        pthread_kill(interrupt->thread, SIGINT); /* wakes it; `over` tells it that this one is from us */
        pthread_join(interrupt->thread, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
}

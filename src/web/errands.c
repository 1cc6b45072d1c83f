/* errands.c - see errands.h. */
#include "web/errands.h"

#include "web/request.h"

bool errands_add(Errands *errands, Request *request)
{
    if (errands->count == ERRANDS_MAX) return false;
    errands->queue[(errands->first + errands->count++) % ERRANDS_MAX] = request;
    pthread_cond_signal(&errands->changed);
    return true;
}

static Request *take_first(Errands *errands)
{
    Request *request = errands->queue[errands->first];
    errands->first   = (errands->first + 1) % ERRANDS_MAX;
    errands->count--;
    return request;
}

/* Whoever waits when the end comes is told so. */
static void *run(void *context)
{
    Errands *errands = context;
    Hub     *hub     = errands->hub;
    pthread_mutex_lock(&hub->lock);
    while (errands->count || !errands->quit) {
        if (!errands->count) {
            pthread_cond_wait(&errands->changed, &hub->lock);
            continue;
        }
        Request *request = take_first(errands);
        bool     quit    = errands->quit;
        pthread_mutex_unlock(&hub->lock);
        if (quit) {
            request_refuse_end(request);
        } else {
            request->route->handle(request);
        }
        pthread_mutex_lock(&hub->lock);
        request->waits = false;
        MHD_resume_connection(request->connection);
    }
    pthread_mutex_unlock(&hub->lock);
    return NULL;
}

bool errands_start(Errands *errands, Hub *hub)
{
    *errands = (Errands){.hub = hub};
    if (pthread_cond_init(&errands->changed, NULL) != 0) return false;
    errands->runs = pthread_create(&errands->thread, NULL, run, errands) == 0;
    if (!errands->runs) pthread_cond_destroy(&errands->changed);
    return errands->runs;
}

void errands_stop(Errands *errands)
{
    if (!errands->runs) return;
    pthread_mutex_lock(&errands->hub->lock);
    errands->quit = true;
    pthread_cond_signal(&errands->changed);
    pthread_mutex_unlock(&errands->hub->lock);
    pthread_join(errands->thread, NULL);
    pthread_cond_destroy(&errands->changed);
    errands->runs = false;
}

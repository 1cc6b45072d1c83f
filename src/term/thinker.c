/* thinker.c - see thinker.h. */
#include "term/thinker.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { EARLY_MS = 100, LINE_MOVES = 24 };

struct Thinker {
    Engine         *engine;
    ThinkerListener listener;
    int             done[2]; /* a pipe: the search writes a byte when it has ended */
    SearchResult    result;
    bool            lines;
    /* The newest line of the first moments, on the search's thread: shown only when nothing newer comes at once. */
    bool       held;
    SearchInfo held_info;
    Move       held_pv[LINE_MOVES];
};

static void show_held(Thinker *self)
{
    if (self->held && self->listener.show) self->listener.show(self->listener.context, &self->held_info);
    self->held = false;
}

static void on_info(void *context, const SearchInfo *info)
{
    Thinker *self = context;
    if (!self->lines || info->multipv != 1 || info->bound != BOUND_EXACT || info->pv_length == 0) return;
    if (self->held && info->time_ms >= EARLY_MS) show_held(self);
    self->held_info           = *info;
    self->held_info.pv        = self->held_pv;
    self->held_info.pv_length = info->pv_length < LINE_MOVES ? info->pv_length : LINE_MOVES;
    for (int i = 0; i < self->held_info.pv_length; i++) self->held_pv[i] = info->pv[i];
    self->held = true;
    if (info->time_ms >= EARLY_MS) show_held(self);
}

static void on_done(void *context, const SearchResult *result)
{
    Thinker *self = context;
    show_held(self);
    self->result = *result;
    ssize_t put  = write(self->done[1], "", 1); /* an empty pipe has room for it */
    (void)put;
}

Thinker *thinker_new(const ThinkerListener *listener, Err *err)
{
    Thinker *self = calloc(1, sizeof *self);
    if (!self) {
        err_set(err, ERR_MEMORY, 0, "no memory for the engine");
        return NULL;
    }
    self->listener = *listener;
    if (pipe(self->done) != 0) {
        err_set_errno(err, ERR_IO, "cannot make a pipe");
        free(self);
        return NULL;
    }
    for (int i = 0; i < 2; i++) fcntl(self->done[i], F_SETFD, FD_CLOEXEC);
    const SearchListener heard = {.context = self, .info = on_info, .done = on_done};
    self->engine               = engine_new(&heard, err);
    if (self->engine) return self;
    thinker_free(self);
    return NULL;
}

void thinker_free(Thinker *thinker)
{
    if (!thinker) return;
    engine_free(thinker->engine);
    close(thinker->done[0]);
    close(thinker->done[1]);
    free(thinker);
}

Engine *thinker_engine(Thinker *thinker) { return thinker->engine; }

ThinkStatus thinker_think(Thinker *thinker, const TermIo *io, const Game *game, const GoLimits *limits, bool lines,
                          SearchResult *out, Err *err)
{
    ThinkStatus status = THINK_DONE;
    TermEvent   event;
    char        byte;
    thinker->lines = lines;
    thinker->held  = false;
    if (!engine_set_game(thinker->engine, game, err) || !engine_go(thinker->engine, limits, err)) return THINK_FAILED;
    while ((event = io->wait_for(io->context, thinker->done[0])) == TERM_INTERRUPT) {
        engine_stop(thinker->engine);
        status = THINK_INTERRUPTED;
    }
    if (event == TERM_END) {
        engine_stop(thinker->engine);
        status = THINK_LEAVE;
    }
    ssize_t got = read(thinker->done[0], &byte, 1); /* blocks until `done` was called, which a stop makes a matter of moments */
    engine_wait(thinker->engine);
    *out = thinker->result;
    return got == 1 ? status : THINK_LEAVE;
}

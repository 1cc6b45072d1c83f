/* hub.c - see hub.h: the list of games, and the keeper. */
#include "web/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "web/request.h"
#include "web/shelf.h"

void hub_wake(Hub *hub) { pthread_cond_signal(&hub->changed); }

bool hub_opening(const Hub *hub, const Position *pos, OpeningName *out) { return hub->names && names_find(hub->names, pos, out); }

/* ---- games ---- */

Session *hub_find(const Hub *hub, Str id)
{
    for (size_t i = 0; i < hub->count; i++) {
        if (!hub->sessions[i]->deleted && str_equal(str_from(hub->sessions[i]->id), id)) return hub->sessions[i];
    }
    return NULL;
}

/* A name that no game has, neither here nor on disk. */
static void make_id(Hub *hub, char out[ID_SIZE])
{
    Buf  path = {0};
    bool taken;
    do {
        snprintf(out, ID_SIZE, "%08x", (unsigned)(rng_next(&hub->rng) >> 32));
        buf_reset(&path);
        buf_printf(&path, "%s/%s.pgn", hub->data.data, out);
        taken = hub_find(hub, str_from(out)) || (!path.failed && access(path.data, F_OK) == 0);
    } while (taken);
    buf_release(&path);
}

Session *hub_add(Hub *hub, MoveTree *tree, Err *err)
{
    if (hub->count >= GAMES_MAX) {
        err_set(err, ERR_RANGE, 0, "there are %d games already, and that is the limit: delete some", GAMES_MAX);
        return NULL;
    }
    if (hub->count == hub->cap) {
        size_t    cap  = hub->cap ? hub->cap * 2 : 64;
        Session **more = realloc(hub->sessions, cap * sizeof(Session *));
        if (more) {
            hub->sessions = more;
            hub->cap      = cap;
        }
    }
    Session *s = hub->count < hub->cap ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        err_set(err, ERR_MEMORY, 0, "no memory for another game");
        return NULL;
    }
    s->hub  = hub;
    s->tree = *tree;
    *tree   = (MoveTree){0};
    make_id(hub, s->id);
    s->current       = tree_main_end(&s->tree);
    s->turn          = ++s->jobs;
    s->draw_offer    = COLORS;
    s->turn_began_ms = clock_now_ms();
    for (int i = 0; i < SLOTS; i++) s->slots[i].session = s;
    hub->sessions[hub->count++] = s;
    return s;
}

/* [keeper, lock] */
static void free_session(Hub *hub, size_t index)
{
    Session *s = hub->sessions[index];
    reporter_cancel(&hub->reporter, s);
    for (int i = 0; i < SLOTS; i++) slot_free(&s->slots[i]);
    request_refuse_hint(s);
    channel_close(&s->channel);
    /* The lock was given up: games may have been added, but only the keeper takes any away. */
    memmove(&hub->sessions[index], &hub->sessions[index + 1], (hub->count - index - 1) * sizeof(Session *));
    hub->count--;
    tree_release(&s->tree);
    buf_release(&s->report);
    free(s);
}

/* ---- the keeper ---- */

/* One look at a game. True: something happened, look at everything again. */
static bool keep_session(Hub *hub, size_t index, int64_t now_ms, int64_t *next_ms)
{
    Session *s = hub->sessions[index];
    if (s->deleted) {
        free_session(hub, index);
        return true;
    }
    int64_t due = session_tick(s, now_ms);
    if (due <= now_ms) return true;
    if (due < *next_ms) *next_ms = due;
    for (int i = 0; i < SLOTS; i++) {
        if (slot_keep(&s->slots[i], now_ms)) return true;
    }
    return false;
}

static void ping_clients(Hub *hub, int64_t now_ms)
{
    if (now_ms < hub->next_ping_ms) return;
    hub->next_ping_ms = now_ms + PING_MS;
    for (size_t i = 0; i < hub->count; i++) channel_ping(&hub->sessions[i]->channel);
}

static void wait_until(Hub *hub, int64_t when_ms)
{
    struct timespec when = {.tv_sec = (time_t)(when_ms / 1000), .tv_nsec = (long)(when_ms % 1000) * 1000000};
    pthread_cond_timedwait(&hub->changed, &hub->lock, &when);
}

static void *keep(void *context)
{
    Hub *hub = context;
    pthread_mutex_lock(&hub->lock);
    while (!hub->quit) {
        int64_t now   = clock_now_ms();
        int64_t next  = hub->next_ping_ms;
        bool    again = false;
        for (size_t i = 0; i < hub->count && !again; i++) again = keep_session(hub, i, now, &next);
        if (again) continue;
        ping_clients(hub, now);
        if (next > now) wait_until(hub, next);
    }
    while (hub->count) free_session(hub, hub->count - 1);
    pthread_mutex_unlock(&hub->lock);
    return NULL;
}

/* ---- life ---- */

static bool init_lock(Hub *hub)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    bool ok = pthread_mutex_init(&hub->lock, NULL) == 0 && pthread_cond_init(&hub->changed, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return ok;
}

bool hub_init(Hub *hub, const char *data, const char *tables, bool remote, Err *err)
{
    *hub = (Hub){.remote = remote, .rng = rng_seeded((uint64_t)clock_now_ns() ^ (uint64_t)getpid() << 32)};
    if (!init_lock(hub)) return err_set(err, ERR_MEMORY, 0, "no lock can be made");
    long cores        = sysconf(_SC_NPROCESSORS_ONLN);
    hub->threads_max  = cores > 0 ? (int)cores : 1;
    hub->next_ping_ms = clock_now_ms() + PING_MS;
    buf_append(&hub->data, str_from(data));
    hub->book  = book_open_default(NULL);
    hub->names = names_new(err);
    if (!hub->names || hub->data.failed) return false;
    if (net_is_embedded()) hub->network = net_embedded(NULL);
    if (tables) {
        hub->tables     = tables_open(tables, err);
        hub->table_path = tables;
        if (!hub->tables) return false;
    }
    if (!shelf_open(data, err) || !shelf_load(hub, err)) return false;
    if (!reporter_start(&hub->reporter, hub) || !errands_start(&hub->errands, hub))
        return err_set(err, ERR_MEMORY, 0, "no thread can be started");
    hub->keeper_runs = pthread_create(&hub->keeper, NULL, keep, hub) == 0;
    return hub->keeper_runs || err_set(err, ERR_MEMORY, 0, "no thread can be started");
}

void hub_stop(Hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    hub->quit = true; /* from now on no request begins to wait */
    hub_wake(hub);
    pthread_mutex_unlock(&hub->lock);
    reporter_stop(&hub->reporter);
    errands_stop(&hub->errands);
    if (hub->keeper_runs) pthread_join(hub->keeper, NULL);
    hub->keeper_runs = false;
}

void hub_release(Hub *hub)
{
    for (size_t i = 0; i < hub->count; i++) { /* only when the keeper never ran */
        tree_release(&hub->sessions[i]->tree);
        free(hub->sessions[i]);
    }
    free(hub->sessions);
    book_free(hub->book);
    names_free(hub->names);
    tables_close(hub->tables);
    net_free(hub->network);
    buf_release(&hub->data);
    buf_release(&hub->notice);
    pthread_cond_destroy(&hub->changed);
    pthread_mutex_destroy(&hub->lock);
}

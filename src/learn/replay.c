/* replay.c - see replay.h. */
#include "learn/replay.h"

#include <stdlib.h>

#include "game/pgn.h"
#include "learn/store.h"

typedef struct {
    ReplaySet *set;
    Key        start_key; /* of the usual start */
    bool       usual;
    int        variation, plies;
    bool       failed;
} Collector;

static bool on_moves(void *context, const Position *start)
{
    Collector *c = context;
    c->usual     = start->key == c->start_key;
    c->variation = c->plies = 0;
    return true;
}

static bool on_open(void *context)
{
    ((Collector *)context)->variation++;
    return true;
}

static bool on_close(void *context)
{
    ((Collector *)context)->variation--;
    return true;
}

/* A null move ends what can be replayed. */
static bool on_move(void *context, const Position *before, Move move)
{
    (void)before;
    Collector *c   = context;
    ReplaySet *set = c->set;
    if (!c->usual || c->variation || c->plies == STORE_PLIES_MAX) return true;
    if (move == MOVE_NONE) {
        c->usual = false;
        return true;
    }
    if (set->move_count == set->move_capacity) {
        size_t capacity = set->move_capacity ? 2 * set->move_capacity : 1U << 16;
        Move  *grown    = realloc(set->moves, capacity * sizeof *grown);
        c->failed       = !grown;
        if (!grown) return false;
        set->moves         = grown;
        set->move_capacity = capacity;
    }
    set->moves[set->move_count++] = move;
    c->plies++;
    return true;
}

static bool on_end(void *context, Result result)
{
    Collector *c     = context;
    ReplaySet *set   = c->set;
    size_t     first = set->move_count - (size_t)c->plies;
    if (result == RESULT_UNKNOWN || c->plies == 0) {
        set->move_count = first;
        return true;
    }
    if (set->count == set->capacity) {
        size_t      capacity = set->capacity ? 2 * set->capacity : 1024;
        ReplayGame *grown    = realloc(set->games, capacity * sizeof *grown);
        c->failed            = !grown;
        if (!grown) return false;
        set->games    = grown;
        set->capacity = capacity;
    }
    set->games[set->count++] = (ReplayGame){.first = first, .plies = c->plies, .result = result};
    c->plies                 = 0;
    return true;
}

bool replay_read(ReplaySet *set, const char *const *paths, int count, Err *err)
{
    Position start;
    position_set_start(&start);
    Collector  collector = {.set = set, .start_key = start.key};
    PgnVisitor visitor   = {.context         = &collector,
                            .begin_moves     = on_moves,
                            .move            = on_move,
                            .begin_variation = on_open,
                            .end_variation   = on_close,
                            .end_game        = on_end};
    for (int i = 0; i < count; i++) {
        if (!pgn_read_file(paths[i], &visitor, NULL, err)) return false;
        if (collector.failed) return err_set(err, ERR_MEMORY, 0, "no memory for so many games");
    }
    return true;
}

void replay_release(ReplaySet *set)
{
    free(set->games);
    free(set->moves);
    *set = (ReplaySet){0};
}

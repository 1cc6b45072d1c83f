/* positions.c - see positions.h. */
#include "learn/positions.h"

#include <stdlib.h>
#include <string.h>

#include "game/pgn.h"

/* One distinct position. */
typedef struct {
    Key      key;
    uint32_t games;
    uint32_t points; /* White's half points */
    uint64_t last_game;
} Entry;

typedef struct {
    SampleSet *set;     /* samples and entries in the same order */
    Entry     *entries; /* set->count of them */
    size_t     entry_capacity;
    uint32_t  *slots; /* open addressing: index + 1 into entries */
    size_t     slot_count;
    size_t     first; /* samples that were in the set before */

    size_t  *visited; /* entries of the game being read */
    size_t   visited_count, visited_capacity;
    uint64_t game;
    int      ply, first_ply, variation;
    bool     failed;

    PositionSource *source;
} Collector;

static bool grow(void **data, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity) return true;
    size_t wanted = *capacity ? 2 * *capacity : 1024;
    while (wanted < need) wanted *= 2;
    void *grown = realloc(*data, wanted * size);
    if (!grown) return false;
    *data     = grown;
    *capacity = wanted;
    return true;
}

static size_t slot_of(const Collector *c, Key key)
{
    size_t slot = key & (c->slot_count - 1);
    while (c->slots[slot] && c->entries[c->slots[slot] - 1].key != key) slot = (slot + 1) & (c->slot_count - 1);
    return slot;
}

/* Twice the room, once half of it is used. */
static bool reserve_slots(Collector *c, size_t entries)
{
    if (c->slots && 2 * entries < c->slot_count) return true;
    size_t count = c->slots ? 2 * c->slot_count : 1U << 16;
    free(c->slots);
    c->slots      = calloc(count, sizeof *c->slots);
    c->slot_count = count;
    if (!c->slots) return false;
    for (size_t i = 0; i < entries; i++) c->slots[slot_of(c, c->entries[i].key)] = (uint32_t)(i + 1);
    return true;
}

/* The entry of a position, made when it is new. */
static bool find_entry(Collector *c, const Position *pos, size_t *index)
{
    size_t count = c->set->count - c->first;
    if (!reserve_slots(c, count)) return false;
    size_t slot = slot_of(c, pos->key);
    if (c->slots[slot]) {
        *index = c->slots[slot] - 1;
        return true;
    }
    Sample sample = sample_of(pos, SCORE_NONE, SAMPLE_RESULT_DRAW);
    if (!grow((void **)&c->entries, &c->entry_capacity, count + 1, sizeof *c->entries) || !samples_add(c->set, &sample))
        return false;
    c->entries[count] = (Entry){.key = pos->key};
    c->slots[slot]    = (uint32_t)(count + 1);
    *index            = count;
    return true;
}

static bool on_begin(void *context)
{
    Collector *c     = context;
    c->visited_count = 0;
    c->ply           = 0;
    c->variation     = 0;
    c->game++;
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

static bool on_move(void *context, const Position *before, Move move)
{
    Collector *c = context;
    if (c->variation || move == MOVE_NONE || c->ply++ < c->first_ply) return true;
    size_t index;
    c->failed = !find_entry(c, before, &index) ||
                !grow((void **)&c->visited, &c->visited_capacity, c->visited_count + 1, sizeof *c->visited);
    if (c->failed) return false;
    if (c->entries[index].last_game != c->game) c->visited[c->visited_count++] = index;
    c->entries[index].last_game = c->game;
    return true;
}

static bool on_end(void *context, Result result)
{
    Collector *c = context;
    c->source->games++;
    c->source->plies += (uint64_t)c->ply;
    if (result == RESULT_UNKNOWN) return true;
    uint32_t points = result == RESULT_WHITE_WINS ? 2 : result == RESULT_DRAW ? 1 : 0;
    for (size_t i = 0; i < c->visited_count; i++) {
        c->entries[c->visited[i]].games++;
        c->entries[c->visited[i]].points += points;
    }
    return true;
}

static bool on_error(void *context, const PgnError *error)
{
    (void)error;
    ((Collector *)context)->source->broken++;
    return true;
}

/* Means into the samples; positions of games without a result fall out. */
static void settle(Collector *c)
{
    size_t kept = c->first;
    for (size_t i = c->first; i < c->set->count; i++) {
        const Entry *entry = &c->entries[i - c->first];
        Sample       s     = c->set->samples[i];
        if (entry->games == 0) continue;
        uint32_t mean           = (uint32_t)((uint64_t)SAMPLE_RESULT_WIN * entry->points / (2U * entry->games));
        s.result                = (uint16_t)(s.turned ? SAMPLE_RESULT_WIN - mean : mean);
        c->set->samples[kept++] = s;
    }
    c->set->count = kept;
}

bool positions_from_pgn(SampleSet *set, const char *const *paths, int count, int first_ply, PositionSource *source, Err *err)
{
    *source              = (PositionSource){0};
    Collector  collector = {.set = set, .first = set->count, .first_ply = first_ply, .source = source};
    PgnVisitor visitor   = {.context         = &collector,
                            .begin_game      = on_begin,
                            .move            = on_move,
                            .begin_variation = on_open,
                            .end_variation   = on_close,
                            .end_game        = on_end,
                            .error           = on_error};
    bool       ok        = true;
    for (int i = 0; i < count && ok; i++) {
        ok = pgn_read_file(paths[i], &visitor, NULL, err);
        if (ok && collector.failed) ok = err_set(err, ERR_MEMORY, 0, "no memory for so many positions");
    }
    settle(&collector);
    free(collector.entries);
    free(collector.slots);
    free(collector.visited);
    return ok;
}

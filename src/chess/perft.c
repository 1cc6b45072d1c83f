/* perft.c - see perft.h. The two-colour, keyed, copied position of the engine is what is measured: nothing special. */
#include "chess/perft.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/work.h"

/* ---- a table of subtree sizes: two words an entry, the first disguised by the second so that torn pairs do not match ---- */

typedef struct {
    _Atomic uint64_t check; /* key ^ nodes */
    _Atomic uint64_t nodes;
} HashEntry;

typedef struct {
    HashEntry *entries; /* NULL: no table */
    size_t     mask;
} Hash;

/* Depth is part of the question, so it is part of the key. */
static Key hash_key(const Position *pos, int depth) { return pos->key ^ ((Key)depth * 0x9e3779b97f4a7c15U); }

static bool hash_probe(const Hash *hash, Key key, uint64_t *nodes)
{
    HashEntry *entry = &hash->entries[key & hash->mask];
    uint64_t   found = atomic_load_explicit(&entry->nodes, memory_order_relaxed);
    if ((atomic_load_explicit(&entry->check, memory_order_relaxed) ^ found) != key || found == 0) return false;
    *nodes = found;
    return true;
}

static void hash_store(const Hash *hash, Key key, uint64_t nodes)
{
    HashEntry *entry = &hash->entries[key & hash->mask];
    atomic_store_explicit(&entry->nodes, nodes, memory_order_relaxed);
    atomic_store_explicit(&entry->check, key ^ nodes, memory_order_relaxed);
}

static bool hash_init(Hash *hash, size_t size_mb, Err *err)
{
    *hash = (Hash){0};
    if (size_mb == 0) return true;
    size_t entries = 1;
    while (entries * 2 * sizeof(HashEntry) <= size_mb << 20) entries *= 2;
    hash->mask    = entries - 1;
    hash->entries = calloc(entries, sizeof *hash->entries);
    return hash->entries || err_set(err, ERR_MEMORY, 0, "no memory for a hash table of %zu MB", size_mb);
}

/* ---- the tree ---- */

uint64_t perft(const Position *pos, int depth)
{
    if (depth <= 1) return depth == 1 ? (uint64_t)movegen_count(pos) : 1;
    MoveList list;
    movegen_legal(pos, &list);
    uint64_t nodes = 0;
    Position next;
    for (int i = 0; i < list.count; i++) {
        position_play(pos, list.moves[i], &next);
        nodes += perft(&next, depth - 1);
    }
    return nodes;
}

/* ---- the tree cut into units ---- */

typedef struct {
    int      root;   /* index of the root move */
    Move     second; /* MOVE_NONE: the whole subtree of the root move */
    uint64_t nodes;
} Unit;

typedef struct {
    const Position    *pos;
    MoveList           roots;
    int                depth;
    Hash               hash;
    const atomic_bool *stop;
    Unit              *units;
    size_t             count;
} Job;

static bool is_stopped(const Job *job) { return job->stop && atomic_load_explicit(job->stop, memory_order_relaxed); }

/* As perft, with the table where there is one; near the root it asks whether to go on. Nonsense when it was stopped. */
static uint64_t count_leaves(const Job *job, const Position *pos, int depth)
{
    enum { ASK_DEPTH = 4 }; /* smaller subtrees are done in a moment */
    bool hashed = job->hash.entries && depth > 1;
    if (!hashed && (!job->stop || depth < ASK_DEPTH)) return perft(pos, depth);
    Key      key   = hash_key(pos, depth);
    uint64_t nodes = 0;
    if (is_stopped(job) || (hashed && hash_probe(&job->hash, key, &nodes))) return nodes;
    MoveList list;
    Position next;
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++) {
        position_play(pos, list.moves[i], &next);
        nodes += count_leaves(job, &next, depth - 1);
    }
    if (hashed) hash_store(&job->hash, key, nodes);
    return nodes;
}

static void run_unit(void *context, size_t index, int thread)
{
    (void)thread;
    Job     *job  = context;
    Unit    *unit = &job->units[index];
    Position first, second;
    position_play(job->pos, job->roots.moves[unit->root], &first);
    if (unit->second == MOVE_NONE) {
        unit->nodes = count_leaves(job, &first, job->depth - 1);
    } else {
        position_play(&first, unit->second, &second);
        unit->nodes = count_leaves(job, &second, job->depth - 2);
    }
}

/* One unit a root move, or a unit for each pair of moves when threads would otherwise wait for a big last one. */
static bool cut_units(Job *job, bool two_plies, Err *err)
{
    size_t room = (size_t)job->roots.count * (two_plies ? MOVES_MAX : 1) + 1;
    job->units  = calloc(room, sizeof *job->units);
    if (!job->units) return err_set(err, ERR_MEMORY, 0, "no memory for the work queue");
    for (int i = 0; i < job->roots.count; i++) {
        if (!two_plies) {
            job->units[job->count++] = (Unit){.root = i};
            continue;
        }
        Position first;
        MoveList replies;
        position_play(job->pos, job->roots.moves[i], &first);
        movegen_legal(&first, &replies);
        for (int k = 0; k < replies.count; k++) job->units[job->count++] = (Unit){.root = i, .second = replies.moves[k]};
    }
    return true;
}

static uint64_t sum_units(const Job *job, PerftMove *moves)
{
    uint64_t nodes = 0;
    for (int i = 0; moves && i < job->roots.count; i++) moves[i] = (PerftMove){.move = job->roots.moves[i]};
    for (size_t i = 0; i < job->count; i++) {
        nodes += job->units[i].nodes;
        if (moves) moves[job->units[i].root].nodes += job->units[i].nodes;
    }
    return nodes;
}

bool perft_run(const Position *pos, const PerftOptions *options, uint64_t *nodes, PerftMove *moves, int *move_count, Err *err)
{
    enum { TWO_PLY_DEPTH = 4 }; /* below it a root move's subtree is too small to wait for */
    Job job = {.pos = pos, .depth = options->depth, .stop = options->stop};
    if (move_count) *move_count = 0;
    if (options->depth == 0) {
        *nodes = 1;
        return true;
    }
    movegen_legal(pos, &job.roots);
    bool two_plies = options->threads > 1 && options->depth >= TWO_PLY_DEPTH;
    bool ok        = hash_init(&job.hash, options->hash_mb, err) && cut_units(&job, two_plies, err);
    if (ok) {
        work_run(job.count, options->threads, run_unit, &job);
        *nodes = sum_units(&job, moves);
        if (move_count) *move_count = job.roots.count;
        if (is_stopped(&job)) ok = err_set(err, ERR_IO, 0, "stopped");
    }
    free(job.hash.entries);
    free(job.units);
    return ok;
}

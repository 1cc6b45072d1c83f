/* tt.c - see tt.h.
 *
 * An entry is two words: data, and key ^ data. The data holds, from the low bits: move 16, score 16, evaluation 16,
 * depth 8, bound 2, "was on the principal variation" 1, age 5. Four entries make a cache line.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "search/tt.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/wide.h"
#include "base/work.h"

enum { CLUSTER_ENTRIES = 4, AGE_BITS = 5, AGE_MASK = (1 << AGE_BITS) - 1 };

typedef struct {
    _Atomic uint64_t check;
    _Atomic uint64_t data;
} Entry;

typedef struct {
    _Alignas(64) Entry entries[CLUSTER_ENTRIES];
} Cluster;

_Static_assert(sizeof(Cluster) == 64, "a probe touches one cache line");

struct Tt {
    Cluster *clusters;
    size_t   count; /* in use as a table */
    size_t   lent;  /* more of them, behind those, that somebody else uses now */
    unsigned age;
};

static Cluster *cluster_of(const Tt *tt, Key key) { return &tt->clusters[wide_mul_high(key, tt->count)]; }

static unsigned data_age(uint64_t data) { return (unsigned)(data >> 59); }
static int      data_depth(uint64_t data) { return (int)(data >> 48 & 0xff) - 1; }

/* Big pages, where the system has them, save a second miss on nearly every probe. */
static Cluster *allocate_clusters(size_t count)
{
    enum { BIG_PAGE = 2 << 20 };
    void *memory = NULL;
    if (posix_memalign(&memory, BIG_PAGE, count * sizeof(Cluster)) != 0) return NULL;
    madvise(memory, count * sizeof(Cluster), MADV_HUGEPAGE);
    return memory;
}

/* The system would grant more than there is and end the process later, when it is used. */
bool tt_fits(size_t size_mb)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    return pages <= 0 || page_size <= 0 || size_mb <= ((size_t)pages * (size_t)page_size) >> 20;
}

Tt *tt_new(size_t size_mb, Err *err)
{
    Tt *tt = tt_fits(size_mb) ? calloc(1, sizeof *tt) : NULL;
    if (tt) {
        tt->count    = (size_mb << 20) / sizeof(Cluster);
        tt->clusters = allocate_clusters(tt->count);
    }
    if (!tt || !tt->clusters) {
        free(tt);
        err_set(err, ERR_MEMORY, 0, "no memory for a hash table of %zu MB", size_mb);
        return NULL;
    }
    return tt;
}

void tt_free(Tt *tt)
{
    if (!tt) return;
    free(tt->clusters);
    free(tt);
}

enum { CLEAR_UNIT = 1 << 16 }; /* clusters: 4 MB a unit */

static void clear_unit(void *context, size_t unit, int thread)
{
    (void)thread;
    Tt    *tt    = context;
    size_t begin = unit * CLEAR_UNIT;
    size_t end   = begin + CLEAR_UNIT < tt->count ? begin + CLEAR_UNIT : tt->count;
    memset((void *)&tt->clusters[begin], 0, (end - begin) * sizeof(Cluster));
}

void tt_clear(Tt *tt, int threads)
{
    work_run((tt->count + CLEAR_UNIT - 1) / CLEAR_UNIT, threads, clear_unit, tt);
    tt->age = 0;
}

void *tt_lend(Tt *tt, size_t *size)
{
    enum { KEPT_SHARE = 8 };
    size_t whole = tt->count + tt->lent;
    tt->count    = whole / KEPT_SHARE;
    tt->lent     = whole - tt->count;
    tt_clear(tt, 1);
    *size = tt->lent * sizeof(Cluster);
    return &tt->clusters[tt->count];
}

void tt_take_back(Tt *tt, int threads)
{
    tt->count += tt->lent;
    tt->lent = 0;
    tt_clear(tt, threads);
}

bool tt_has_lent(const Tt *tt) { return tt->lent > 0; }

void tt_new_search(Tt *tt) { tt->age = (tt->age + 1) & AGE_MASK; }

void tt_prefetch(const Tt *tt, Key key) { __builtin_prefetch(cluster_of(tt, key)); }

/* Mate scores are stored as distances from the position itself, so that they are right at any ply. */
static Score score_to_table(Score score, int ply)
{
    return score_is_win(score) ? score + ply : score_is_loss(score) ? score - ply : score;
}
static Score score_from_table(Score score, int ply)
{
    return score_is_win(score) ? score - ply : score_is_loss(score) ? score + ply : score;
}

static uint64_t pack(const TtHit *entry, int ply, unsigned age)
{
    uint64_t score = (uint16_t)(int16_t)(entry->score == SCORE_NONE ? SCORE_NONE : score_to_table(entry->score, ply));
    uint64_t eval  = (uint16_t)(int16_t)entry->eval;
    return entry->move | score << 16 | eval << 32 | (uint64_t)(uint8_t)(entry->depth + 1) << 48 | (uint64_t)entry->bound << 56 |
           (uint64_t)entry->was_pv << 58 | (uint64_t)age << 59;
}

bool tt_probe(const Tt *tt, Key key, int ply, TtHit *out)
{
    Cluster *cluster = cluster_of(tt, key);
    for (int i = 0; i < CLUSTER_ENTRIES; i++) {
        uint64_t data  = atomic_load_explicit(&cluster->entries[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&cluster->entries[i].check, memory_order_relaxed);
        if ((check ^ data) != key || data == 0) continue;
        Score score = (int16_t)(uint16_t)(data >> 16);
        *out        = (TtHit){
                   .move   = (Move)data,
                   .score  = score == SCORE_NONE ? SCORE_NONE : score_from_table(score, ply),
                   .eval   = (int16_t)(uint16_t)(data >> 32),
                   .depth  = data_depth(data),
                   .bound  = (Bound)(data >> 56 & 3),
                   .was_pv = data >> 58 & 1,
        };
        return true;
    }
    return false;
}

/* How much an entry is worth keeping: deep and young. */
static int keep_value(const Tt *tt, uint64_t data)
{
    int years = (int)((tt->age - data_age(data)) & AGE_MASK);
    return data == 0 ? -1000 : data_depth(data) - 4 * years;
}

void tt_store(Tt *tt, Key key, int ply, const TtHit *entry)
{
    enum { PV_BONUS = 2, REPLACE_MARGIN = 4 };
    Cluster *cluster = cluster_of(tt, key);
    Entry   *target  = NULL;
    TtHit    fresh   = *entry;
    int      lowest  = 0;
    for (int i = 0; i < CLUSTER_ENTRIES; i++) {
        Entry   *e     = &cluster->entries[i];
        uint64_t data  = atomic_load_explicit(&e->data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&e->check, memory_order_relaxed);
        if ((check ^ data) == key && data != 0) {
            if (fresh.move == MOVE_NONE) fresh.move = (Move)data; /* an old move is better than none */
            bool same_search = data_age(data) == tt->age;
            bool shallower   = fresh.depth + PV_BONUS * fresh.was_pv + REPLACE_MARGIN <= data_depth(data);
            if (fresh.bound != BOUND_EXACT && same_search && shallower) return;
            target = e;
            break;
        }
        int value = keep_value(tt, data);
        if (!target || value < lowest) {
            target = e;
            lowest = value;
        }
    }
    uint64_t data = pack(&fresh, ply, tt->age);
    atomic_store_explicit(&target->data, data, memory_order_relaxed);
    atomic_store_explicit(&target->check, key ^ data, memory_order_relaxed);
}

int tt_hashfull(const Tt *tt)
{
    enum { SAMPLE = 250 };
    size_t sample = tt->count < SAMPLE ? tt->count : SAMPLE;
    size_t used   = 0;
    if (sample == 0) return 0;
    for (size_t i = 0; i < sample; i++) {
        for (int k = 0; k < CLUSTER_ENTRIES; k++) {
            uint64_t data = atomic_load_explicit(&tt->clusters[i].entries[k].data, memory_order_relaxed);
            used += data != 0 && data_age(data) == tt->age;
        }
    }
    return (int)(used * 1000 / (sample * CLUSTER_ENTRIES));
}

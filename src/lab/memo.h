/* memo.h - two tables of what was searched before: the growing one of the thesis, and one of a fixed size that keeps bounds.
 *
 * Memo: exact values with the ply they were found at, never overwritten, without limit; a position is found by its key alone.
 * BoundTable: value, bound, remaining depth and best move; the newcomer replaces what was there.
 * Hot: the probes. Threads: each belongs to one search.
 */
#ifndef LAB_MEMO_H
#define LAB_MEMO_H

#include <stddef.h>

#include "chess/move.h"

typedef struct {
    Key     key;
    int32_t value;
    int32_t mark; /* the ply and one; 0: free */
} MemoEntry;

typedef struct {
    MemoEntry *slots;
    size_t     size; /* a power of two, or 0 */
    size_t     count;
} Memo;

void memo_release(Memo *memo);

static inline int memo_ply(const MemoEntry *entry) { return entry->mark - 1; }

/* The entry of this position, or NULL. */
static inline const MemoEntry *memo_find(const Memo *memo, Key key)
{
    if (memo->size == 0) return NULL;
    for (size_t i = key & (memo->size - 1);; i = (i + 1) & (memo->size - 1)) {
        if (memo->slots[i].mark == 0) return NULL;
        if (memo->slots[i].key == key) return &memo->slots[i];
    }
}

static inline void memo_prefetch(const Memo *memo, Key key)
{
    if (memo->size) __builtin_prefetch(&memo->slots[key & (memo->size - 1)]);
}

/* Keeps a value unless the position is known already. False when memory is short. */
bool memo_add(Memo *memo, Key key, int value, int ply);

typedef enum { LAB_BOUND_NONE, LAB_BOUND_UPPER, LAB_BOUND_LOWER, LAB_BOUND_EXACT } LabBound;

typedef struct {
    Key     key;
    int32_t value;
    Move    move;
    uint8_t depth; /* remaining */
    uint8_t bound; /* a LabBound; NONE: free */
} BoundEntry;

typedef struct {
    BoundEntry *slots; /* BOUND_SLOTS of them, or NULL */
} BoundTable;

enum { BOUND_SLOTS = 1 << 20 };

bool bounds_init(BoundTable *table); /* empty; false when memory is short */
void bounds_release(BoundTable *table);

static inline BoundEntry *bounds_slot(const BoundTable *table, Key key) { return &table->slots[key & (BOUND_SLOTS - 1)]; }

#endif

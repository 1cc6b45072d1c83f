/* memo.c - see memo.h. */
#include "lab/memo.h"

#include <stdlib.h>

enum { MEMO_FIRST_SIZE = 1 << 12 };

void memo_release(Memo *memo)
{
    free(memo->slots);
    *memo = (Memo){0};
}

static void insert(Memo *memo, const MemoEntry *entry)
{
    size_t i = entry->key & (memo->size - 1);
    while (memo->slots[i].mark) i = (i + 1) & (memo->size - 1);
    memo->slots[i] = *entry;
    memo->count++;
}

/* Twice the room; at most half of the slots are ever taken, so probes stay short. */
static bool grow(Memo *memo)
{
    Memo larger  = {.size = memo->size ? 2 * memo->size : MEMO_FIRST_SIZE};
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < memo->size; i++) {
        if (memo->slots[i].mark) insert(&larger, &memo->slots[i]);
    }
    free(memo->slots);
    *memo = larger;
    return true;
}

bool memo_add(Memo *memo, Key key, int value, int ply)
{
    if (memo_find(memo, key)) return true;
    if (2 * memo->count >= memo->size && !grow(memo)) return false;
    insert(memo, &(MemoEntry){key, value, ply + 1});
    return true;
}

bool bounds_init(BoundTable *table)
{
    table->slots = calloc(BOUND_SLOTS, sizeof *table->slots);
    return table->slots != NULL;
}

void bounds_release(BoundTable *table)
{
    free(table->slots);
    table->slots = NULL;
}

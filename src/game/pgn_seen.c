/* pgn_seen.c - see pgn_seen.h. */
#include "game/pgn_seen.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1024 };

static uint64_t scramble(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93U;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93U;
    return x ^ (x >> 32);
}

/* The two halves take the same value in by different ways, so they do not fail together. */
static void absorb(PgnGameKey *key, uint64_t value)
{
    key->low  = scramble(key->low + value + 0x9e3779b97f4a7c15U);
    key->high = (key->high ^ scramble(value ^ 0x2545f4914f6cdd1dU)) * 0x9fb21c651e98df25U;
    key->high ^= key->high >> 28;
}

static void absorb_text(PgnGameKey *key, Str text)
{
    for (size_t i = 0; i < text.len; i++) absorb(key, (unsigned char)text.ptr[i]);
    absorb(key, text.len + 256);
}

void pgn_key_begin(PgnKeyMaker *maker)
{
    maker->moves = maker->tags = maker->players = (PgnGameKey){0};
    maker->plies = maker->depth = 0;
}

void pgn_key_tag(PgnKeyMaker *maker, Str name, Str value)
{
    /* A sum, because the order of tags says nothing. */
    PgnGameKey one = {0};
    absorb_text(&one, name);
    absorb_text(&one, value);
    maker->tags.low += one.low;
    maker->tags.high += one.high;
    if (!str_equal(name, STR("White")) && !str_equal(name, STR("Black"))) return;
    maker->players.low += one.low;
    maker->players.high += one.high;
}

void pgn_key_start(PgnKeyMaker *maker, const Position *start) { absorb(&maker->moves, start->key); }

void pgn_key_move(PgnKeyMaker *maker, Move move)
{
    if (maker->depth > 0) return;
    absorb(&maker->moves, move);
    maker->plies++;
}

PgnGameKey pgn_key_end(const PgnKeyMaker *maker)
{
    PgnGameKey key = maker->moves;
    absorb(&key, maker->plies);
    const PgnGameKey *also = maker->plies == 0 ? &maker->tags : maker->players_count ? &maker->players : NULL;
    if (also) {
        absorb(&key, also->low);
        absorb(&key, also->high);
    }
    return key;
}

void pgn_seen_init(PgnSeen *seen) { *seen = (PgnSeen){0}; }

void pgn_seen_release(PgnSeen *seen)
{
    free(seen->slots);
    pgn_seen_init(seen);
}

/* The slot that holds `key`, or the free one where it belongs. */
static PgnGameKey *find_slot(const PgnSeen *seen, PgnGameKey key)
{
    size_t mask = seen->capacity - 1;
    size_t i    = (size_t)key.low & mask;
    for (;; i = (i + 1) & mask) {
        PgnGameKey *slot = &seen->slots[i];
        if ((slot->low == 0 && slot->high == 0) || (slot->low == key.low && slot->high == key.high)) return slot;
    }
}

static bool grow(PgnSeen *seen)
{
    PgnSeen larger = {.capacity = seen->capacity ? seen->capacity * 2 : FIRST_SLOTS, .count = seen->count};
    larger.slots   = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < seen->capacity; i++) {
        if (seen->slots[i].low || seen->slots[i].high) *find_slot(&larger, seen->slots[i]) = seen->slots[i];
    }
    free(seen->slots);
    *seen = larger;
    return true;
}

bool pgn_seen_add(PgnSeen *seen, PgnGameKey key, bool *fresh)
{
    if (key.low == 0 && key.high == 0) key.low = 1; /* zero means free */
    if (seen->count >= seen->capacity / 4 * 3 && !grow(seen)) return false;
    PgnGameKey *slot = find_slot(seen, key);
    *fresh           = slot->low == 0 && slot->high == 0;
    if (!*fresh) return true;
    *slot = key;
    seen->count++;
    return true;
}

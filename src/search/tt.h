/* tt.h - the transposition table: what earlier searches learned about a position.
 *
 * Workload: one probe and about one store a node, from every worker at once; nearly always a cache miss, so a probe touches
 * exactly one 64-byte line and the caller prefetches it as soon as the child's key is known.
 * Invariant: an entry that fails its own check (key ^ data) is absent: torn pairs of words are harmless.
 * Threads: [any] probe, store, prefetch, hashfull; [owner] the rest, only while no search runs.
 */
#ifndef SEARCH_TT_H
#define SEARCH_TT_H

#include "base/err.h"
#include "chess/move.h"
#include "search/search.h"

typedef struct Tt Tt;

/* What the table knew. `score` is relative to the probing ply; `move` may be MOVE_NONE, `eval` SCORE_NONE. */
typedef struct {
    Move  move;
    Score score;
    Score eval;
    int   depth;
    Bound bound;
    bool  was_pv;
} TtHit;

Tt  *tt_new(size_t size_mb, Err *err); /* NULL and *err when memory is short */
bool tt_fits(size_t size_mb);          /* [any] not more than the memory of the machine */
void tt_free(Tt *tt);
void tt_clear(Tt *tt, int threads); /* forgets everything, with so many helpers */
void tt_new_search(Tt *tt);         /* what is stored from now on is younger */

/* Lends all but an eighth of the table's memory (aligned to 64 bytes) until tt_take_back; what the table knew is forgotten
 * both times. */
void *tt_lend(Tt *tt, size_t *size);
void  tt_take_back(Tt *tt, int threads);
bool  tt_has_lent(const Tt *tt);

void tt_prefetch(const Tt *tt, Key key);
bool tt_probe(const Tt *tt, Key key, int ply, TtHit *out);
void tt_store(Tt *tt, Key key, int ply, const TtHit *entry);
int  tt_hashfull(const Tt *tt); /* permille, by a sample */

#endif

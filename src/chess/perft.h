/* perft.h - counting the leaves of the tree of legal moves: the proof of a move generator, and its benchmark.
 *
 * The last ply is counted without being played (bulk counting). With threads, the tree is cut two plies deep where that is
 * needed to feed them, and the pieces are taken from one shared queue.
 */
#ifndef CHESS_PERFT_H
#define CHESS_PERFT_H

#include <stdatomic.h>

#include "base/err.h"
#include "chess/movegen.h"

enum { PERFT_DEPTH_MAX = 64, PERFT_THREADS_MAX = 1024 };

typedef struct {
    int                depth;   /* 0..PERFT_DEPTH_MAX */
    int                threads; /* 1..PERFT_THREADS_MAX */
    size_t             hash_mb; /* 0: none */
    const atomic_bool *stop;    /* set by somebody: give up soon; NULL: nobody does */
} PerftOptions;

/* One root move and the leaves below it. */
typedef struct {
    Move     move;
    uint64_t nodes;
} PerftMove;

/* The leaves at exactly `depth` (1 at depth 0), on the caller's thread, without a table. */
uint64_t perft(const Position *pos, int depth);

/* The same by `options`; `moves` (may be NULL, else room for MOVES_MAX) receives the share of every root move and
 * `*move_count` their number. False when there is no memory for the table or it was stopped. Blocks until done. */
bool perft_run(const Position *pos, const PerftOptions *options, uint64_t *nodes, PerftMove *moves, int *move_count, Err *err);

#endif

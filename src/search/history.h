/* history.h - what a worker remembers of moves: which cut, after which, and how wrong the evaluation was.
 *
 * Every number moves toward its limit by "gravity": a bonus counts less the nearer the limit is, so old news fade.
 * Hot: read for every move that is ordered, written at every cutoff. Two workers share one (worker.h): cells are atomic, but
 * an update is a read and a write, so that now and then one of two at the same moment is lost. Nobody depends on it.
 */
#ifndef SEARCH_HISTORY_H
#define SEARCH_HISTORY_H

#include <stdatomic.h>

#include "chess/position.h"
#include "eval/score.h"
#include "search/params.h"

enum { HISTORY_MAX = 16384, CORRECTION_SIZE = 16384, CORRECTION_MAX = 1024 };

typedef _Atomic int16_t HistoryCell;
typedef HistoryCell     PieceTo[PIECES][SQUARES];

typedef struct {
    HistoryCell  butterfly[COLORS][SQUARES][SQUARES];       /* side, from, to */
    HistoryCell  capture[PIECES][SQUARES][PIECE_TYPES + 1]; /* mover, to, victim */
    _Atomic Move counter[PIECES][SQUARES];                  /* what refuted this move last */
    PieceTo      continuation[PIECES][SQUARES];             /* by an earlier move (mover, to), then mover and to */
    HistoryCell  pawn_correction[COLORS][CORRECTION_SIZE];
    HistoryCell  nonpawn_correction[COLORS][COLORS][CORRECTION_SIZE]; /* side to move, whose pieces */
} Histories;

void histories_clear(Histories *h);

static inline int history_value(const HistoryCell *cell) { return atomic_load_explicit(cell, memory_order_relaxed); }

static inline void history_pull(HistoryCell *cell, int bonus, int limit)
{
    int value = history_value(cell), magnitude = bonus < 0 ? -bonus : bonus;
    atomic_store_explicit(cell, (int16_t)(value + bonus - value * magnitude / limit), memory_order_relaxed);
}

static inline void history_add(HistoryCell *cell, int bonus) { history_pull(cell, bonus, HISTORY_MAX); }

/* What experience with these pawns and pieces adds to the evaluation, in centipawns. */
Score correction_value(const Histories *h, const SearchParams *params, const Position *pos);

/* A search of `depth` found the evaluation wrong by `error`. */
void correction_update(Histories *h, const Position *pos, int depth, Score error);

#endif

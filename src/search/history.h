/* history.h - what workers remember of moves: which cut, after which; and what each one knows of the evaluation's errors.
 *
 * Every number moves toward its limit by "gravity": a bonus counts less the nearer the limit is, so old news fade.
 * Hot: read for every move that is ordered, written at every cutoff. Two workers share Histories (worker.h): cells are atomic,
 * but an update is a read and a write, so that now and then one of two at the same moment is lost. Nobody depends on it.
 * Corrections are a worker's own: shared, they made the same trees at an eighth fewer nodes a second.
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
} Histories;

typedef struct {
    int16_t pawns[COLORS][CORRECTION_SIZE];
    int16_t pieces[COLORS][COLORS][CORRECTION_SIZE]; /* side to move, whose pieces */
} Corrections;

void histories_clear(Histories *h);
void corrections_clear(Corrections *c);

static inline int history_value(const HistoryCell *cell) { return atomic_load_explicit(cell, memory_order_relaxed); }

/* What a bonus makes of a value between -limit and limit. */
static inline int16_t history_pulled(int value, int bonus, int limit)
{
    int magnitude = bonus < 0 ? -bonus : bonus;
    return (int16_t)(value + bonus - value * magnitude / limit);
}

static inline void history_add(HistoryCell *cell, int bonus)
{
    atomic_store_explicit(cell, history_pulled(history_value(cell), bonus, HISTORY_MAX), memory_order_relaxed);
}

/* What experience with these pawns and pieces adds to the evaluation, in centipawns. */
Score correction_value(const Corrections *c, const SearchParams *params, const Position *pos);

/* A search of `depth` found the evaluation wrong by `error`. */
void correction_update(Corrections *c, const Position *pos, int depth, Score error);

#endif

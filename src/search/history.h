/* history.h - what a worker remembers of moves: which cut, after which, and how wrong the evaluation was.
 *
 * Every number moves toward its limit by "gravity": a bonus counts less the nearer the limit is, so old news fade.
 * Hot: read for every move that is ordered, written at every cutoff. One per worker, never shared.
 */
#ifndef SEARCH_HISTORY_H
#define SEARCH_HISTORY_H

#include "chess/position.h"
#include "eval/score.h"
#include "search/params.h"

enum { HISTORY_MAX = 16384, CORRECTION_SIZE = 16384, CORRECTION_MAX = 1024 };

typedef int16_t PieceTo[PIECES][SQUARES];

typedef struct {
    int16_t butterfly[COLORS][SQUARES][SQUARES];       /* side, from, to */
    int16_t capture[PIECES][SQUARES][PIECE_TYPES + 1]; /* mover, to, victim */
    Move    counter[PIECES][SQUARES];                  /* what refuted this move last */
    PieceTo continuation[PIECES][SQUARES];             /* by an earlier move (mover, to), then mover and to */
    int16_t pawn_correction[COLORS][CORRECTION_SIZE];
    int16_t nonpawn_correction[COLORS][COLORS][CORRECTION_SIZE]; /* side to move, whose pieces */
} Histories;

void histories_clear(Histories *h);

static inline void history_add(int16_t *cell, int bonus)
{
    int magnitude = bonus < 0 ? -bonus : bonus;
    *cell         = (int16_t)(*cell + bonus - *cell * magnitude / HISTORY_MAX);
}

/* What experience with these pawns and pieces adds to the evaluation, in centipawns. */
Score correction_value(const Histories *h, const SearchParams *params, const Position *pos);

/* A search of `depth` found the evaluation wrong by `error`. */
void correction_update(Histories *h, const Position *pos, int depth, Score error);

#endif

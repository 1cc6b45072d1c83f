/* history.c - see history.h. */
#include "search/history.h"

#include <string.h>

#include "search/params.h"

void histories_clear(Histories *h) { memset((void *)h, 0, sizeof *h); }

static size_t slot(Key key) { return key & (CORRECTION_SIZE - 1); }

Score correction_value(const Histories *h, const SearchParams *params, const Position *pos)
{
    Color side  = position_side(pos);
    int   pawns = history_value(&h->pawn_correction[side][slot(pos->pawn_key)]);
    int   white = history_value(&h->nonpawn_correction[side][WHITE][slot(pos->nonpawn_key[WHITE])]);
    int   black = history_value(&h->nonpawn_correction[side][BLACK][slot(pos->nonpawn_key[BLACK])]);
    int   sum   = pawns * TUNED(params, CORRECTION_PAWN_WEIGHT) + (white + black) * TUNED(params, CORRECTION_NONPAWN_WEIGHT);
    return sum / (100 * CORRECTION_MAX / 64);
}

static void correct(HistoryCell *cell, int bonus) { history_pull(cell, bonus, CORRECTION_MAX); }

void correction_update(Histories *h, const Position *pos, int depth, Score error)
{
    Color side  = position_side(pos);
    int   bonus = error * depth / 8;
    int   limit = CORRECTION_MAX / 4;
    bonus       = bonus > limit ? limit : bonus < -limit ? -limit : bonus;
    correct(&h->pawn_correction[side][slot(pos->pawn_key)], bonus);
    correct(&h->nonpawn_correction[side][WHITE][slot(pos->nonpawn_key[WHITE])], bonus);
    correct(&h->nonpawn_correction[side][BLACK][slot(pos->nonpawn_key[BLACK])], bonus);
}

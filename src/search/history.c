/* history.c - see history.h. */
#include "search/history.h"

#include <string.h>

#include "search/params.h"

void histories_clear(Histories *h) { memset(h, 0, sizeof *h); }

static size_t slot(Key key) { return key & (CORRECTION_SIZE - 1); }

Score correction_value(const Histories *h, const SearchParams *params, const Position *pos)
{
    Color side = position_side(pos);
    int   sum  = h->pawn_correction[side][slot(pos->pawn_key)] * TUNED(params, CORRECTION_PAWN_WEIGHT);
    sum += h->nonpawn_correction[side][WHITE][slot(pos->nonpawn_key[WHITE])] * TUNED(params, CORRECTION_NONPAWN_WEIGHT);
    sum += h->nonpawn_correction[side][BLACK][slot(pos->nonpawn_key[BLACK])] * TUNED(params, CORRECTION_NONPAWN_WEIGHT);
    return sum / (100 * CORRECTION_MAX / 64);
}

static void correct(int16_t *cell, int bonus)
{
    int magnitude = bonus < 0 ? -bonus : bonus;
    *cell         = (int16_t)(*cell + bonus - *cell * magnitude / CORRECTION_MAX);
}

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

/* history.c - see history.h. */
#include "search/history.h"

#include <string.h>

#include "search/params.h"

void histories_clear(Histories *h) { memset((void *)h, 0, sizeof *h); }

void corrections_clear(Corrections *c) { memset(c, 0, sizeof *c); }

static size_t slot(Key key) { return key & (CORRECTION_SIZE - 1); }

Score correction_value(const Corrections *c, const SearchParams *params, const Position *pos)
{
    Color side  = position_side(pos);
    int   pawns = c->pawns[side][slot(pos->pawn_key)];
    int   white = c->pieces[side][WHITE][slot(pos->nonpawn_key[WHITE])];
    int   black = c->pieces[side][BLACK][slot(pos->nonpawn_key[BLACK])];
    int   sum   = pawns * TUNED(params, CORRECTION_PAWN_WEIGHT) + (white + black) * TUNED(params, CORRECTION_NONPAWN_WEIGHT);
    return sum / (100 * CORRECTION_MAX / 64);
}

static void correct(int16_t *cell, int bonus) { *cell = history_pulled(*cell, bonus, CORRECTION_MAX); }

void correction_update(Corrections *c, const Position *pos, int depth, Score error)
{
    Color side  = position_side(pos);
    int   bonus = error * depth / 8;
    int   limit = CORRECTION_MAX / 4;
    bonus       = bonus > limit ? limit : bonus < -limit ? -limit : bonus;
    correct(&c->pawns[side][slot(pos->pawn_key)], bonus);
    correct(&c->pieces[side][WHITE][slot(pos->nonpawn_key[WHITE])], bonus);
    correct(&c->pieces[side][BLACK][slot(pos->nonpawn_key[BLACK])], bonus);
}

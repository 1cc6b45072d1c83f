/* classical.h - the classical evaluation: a sum of terms a chess player would name. Private to eval and learn.
 *
 * Hot: classical_score. Threads: [any], each with its own pawn table.
 */
#ifndef EVAL_CLASSICAL_H
#define EVAL_CLASSICAL_H

#include "eval/eval_info.h"

enum { PAWN_TABLE_SIZE = 8192 }; /* entries of 64 bytes: half a megabyte a thread, a hit rate above 95 % */

/* Makes every entry of a pawn table (PAWN_TABLE_SIZE of them) unknown. */
void classical_reset_pawns(PawnEntry *table);

/* The value of `pos` for the side to move. */
Score classical_score(const Position *pos, PawnEntry *table);

/* Whether the material is an ending with a value of its own, and that value for the side to move. It holds for every
 * evaluation. */
bool classical_known(const Position *pos, Score *value);

/* The same value as classical_score with all that led to it; needs no table. */
Score classical_trace(const Position *pos, EvalTrace *trace);

#endif

/* endings.h - endings whose result is known: exact values for a few men, and how far an advantage is worth less than it looks.
 * Private to eval and learn. Threads: [any].
 */
#ifndef EVAL_ENDINGS_H
#define EVAL_ENDINGS_H

#include "eval/trace.h"

/* A cheap first look: few enough men, or one side with its king alone. */
static inline bool ending_is_possible(const Position *pos)
{
    return bb_count(position_occupied(pos)) <= 4 || !bb_more_than_one(pos->colors[WHITE]) ||
           !bb_more_than_one(pos->colors[BLACK]);
}

/* Whether the material is an ending with a value of its own; then its value for White and the rule's name. */
bool ending_probe(const Position *pos, Score *white, const char **rule);

/* What part (of SCALE_NORMAL) of an end game advantage of `strong` is worth having; `rule` is set when one applies. */
int ending_scale(const Position *pos, Color strong, int phase, const char **rule);

/* King and pawn against king, exact. `square`s as on the board; `side` is to move. */
bool kpk_is_win(Color strong, Square king, Square pawn, Square enemy_king, Color side);

#endif

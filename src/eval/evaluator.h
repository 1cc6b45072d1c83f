/* evaluator.h - the choice between evaluations, and the state that one search thread keeps for them.
 *
 * An Evaluator belongs to one worker. It is told of every move played and taken back, so that an efficiently updatable
 * network can follow; the classical evaluation needs only its pawn table. Hot: evaluator_score once a node.
 * Threads: one at a time.
 */
#ifndef EVAL_EVALUATOR_H
#define EVAL_EVALUATOR_H

#include "base/err.h"
#include "chess/position.h"
#include "eval/score.h"

typedef enum { EVAL_MATERIAL, EVAL_CLASSICAL, EVAL_KINDS } EvalKind;

typedef struct Evaluator Evaluator;

Evaluator *evaluator_new(EvalKind kind, Err *err); /* NULL and *err when memory is short */
void       evaluator_free(Evaluator *evaluator);
void       evaluator_set_kind(Evaluator *evaluator, EvalKind kind);

/* The static value of `pos` for the side to move, within +-SCORE_EVAL_MAX. Never called in check by the search. */
Score evaluator_score(Evaluator *evaluator, const Position *pos);

const char *eval_kind_name(EvalKind kind); /* "material", "classical" */

/* Chances out of 1000 of a win, draw and loss for the side to move; they add up to 1000. */
typedef struct {
    int win, draw, loss;
} Wdl;

Wdl score_to_wdl(Score score, const Position *pos);

#endif

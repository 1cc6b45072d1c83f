/* evaluator.c - one worker's evaluation: which kind, and the tables it keeps. Hot: evaluator_score. */
#include "eval/evaluator.h"

#include <stdlib.h>

#include "eval/classical.h"

struct Evaluator {
    EvalKind   kind;
    PawnEntry *pawns;
};

Evaluator *evaluator_new(EvalKind kind, Err *err)
{
    Evaluator *evaluator = malloc(sizeof *evaluator);
    PawnEntry *pawns     = aligned_alloc(_Alignof(PawnEntry), PAWN_TABLE_SIZE * sizeof *pawns);
    if (!evaluator || !pawns) {
        free(evaluator);
        free(pawns);
        err_set(err, ERR_MEMORY, 0, "not enough memory for an evaluator");
        return NULL;
    }
    classical_reset_pawns(pawns);
    *evaluator = (Evaluator){.kind = kind, .pawns = pawns};
    return evaluator;
}

void evaluator_free(Evaluator *evaluator)
{
    if (!evaluator) return;
    free(evaluator->pawns);
    free(evaluator);
}

void evaluator_set_kind(Evaluator *evaluator, EvalKind kind) { evaluator->kind = kind; }

/* The plain count that beginners learn and the laboratory compares with. */
static Score material_score(const Position *pos)
{
    static const int values[PIECE_TYPES] = {100, 300, 300, 500, 900, 0};
    Color            us = position_side(pos), them = color_flip(us);
    Score            score = 0;
    for (PieceType type = PAWN; type < KING; type++) {
        score += values[type] * (bb_count(position_pieces(pos, us, type)) - bb_count(position_pieces(pos, them, type)));
    }
    return score;
}

Score evaluator_score(Evaluator *evaluator, const Position *pos)
{
    return evaluator->kind == EVAL_CLASSICAL ? classical_score(pos, evaluator->pawns) : material_score(pos);
}

const char *eval_kind_name(EvalKind kind) { return kind == EVAL_MATERIAL ? "material" : "classical"; }

/* evaluator.c - one worker's evaluation: which kind, and the tables it keeps. Hot: evaluator_score. */
#include "eval/evaluator.h"

#include <stdlib.h>

#include "eval/classical.h"
#include "net/state.h"

struct Evaluator {
    EvalKind   kind;
    PawnEntry *pawns;
    NetState  *state; /* NULL: no network */
    uint64_t   net_hash;
    const Mlp *mlp; /* NULL: none */
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
    net_state_free(evaluator->state);
    free(evaluator);
}

void evaluator_set_kind(Evaluator *evaluator, EvalKind kind) { evaluator->kind = kind; }

void evaluator_set_net(Evaluator *evaluator, const Net *net)
{
    uint64_t hash = net ? net->hash : 0;
    if (evaluator->state && net && hash == evaluator->net_hash && net_state_net(evaluator->state) == net) return;
    net_state_free(evaluator->state);
    evaluator->state    = net ? net_state_new(net, NULL) : NULL;
    evaluator->net_hash = hash;
}

void evaluator_set_mlp(Evaluator *evaluator, const Mlp *mlp) { evaluator->mlp = mlp; }

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

/* Material in pawns plus the network's -1 to 1, as the ancestor added them. */
static Score mlp_score(const Evaluator *evaluator, const Position *pos)
{
    float in[MLP_INPUTS];
    mlp_encode(pos, in);
    int white = (int)(100 * mlp_value(evaluator->mlp, in, NULL));
    return score_clamp_eval(material_score(pos) + (position_side(pos) == WHITE ? white : -white));
}

/* Endings that are known need no guess. The network knows nothing of the fifty-move rule: its judgement fades as the counter
 * grows. */
static Score net_score(Evaluator *evaluator, const Position *pos, int ply)
{
    Score known;
    if (classical_known(pos, &known)) return known;
    int value = net_evaluate(evaluator->state, pos, ply);
    return score_clamp_eval(value * (200 - pos->halfmove) / 200);
}

Score evaluator_score_at(Evaluator *evaluator, const Position *pos, int ply)
{
    if (evaluator->kind == EVAL_MATERIAL) return material_score(pos);
    if (evaluator->kind == EVAL_NNUE && evaluator->state) return net_score(evaluator, pos, ply);
    if (evaluator->kind == EVAL_MLP && evaluator->mlp) return mlp_score(evaluator, pos);
    return classical_score(pos, evaluator->pawns);
}

const char *eval_kind_name(EvalKind kind)
{
    static const char *const names[EVAL_KINDS] = {"material", "classical", "nnue", "mlp"};
    return names[kind];
}

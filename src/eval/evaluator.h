/* evaluator.h - the choice between evaluations, and the state that one search thread keeps for them.
 *
 * An Evaluator belongs to one worker. The classical evaluation needs its pawn table, the network the sums of its first layer for
 * every ply; both follow from the positions they are asked about. Hot: evaluator_score_at once a node.
 * Threads: one at a time.
 */
#ifndef EVAL_EVALUATOR_H
#define EVAL_EVALUATOR_H

#include "base/err.h"
#include "chess/position.h"
#include "eval/score.h"
#include "net/mlp.h"
#include "net/net.h"

typedef enum { EVAL_MATERIAL, EVAL_CLASSICAL, EVAL_NNUE, EVAL_MLP, EVAL_KINDS } EvalKind;

typedef struct Evaluator Evaluator;

Evaluator *evaluator_new(EvalKind kind, Err *err); /* NULL and *err when memory is short */
void       evaluator_free(Evaluator *evaluator);
void       evaluator_set_kind(Evaluator *evaluator, EvalKind kind);

/* The network that EVAL_NNUE asks; it must live as long as it is used. NULL, or no memory for it: EVAL_NNUE is classical. */
void evaluator_set_net(Evaluator *evaluator, const Net *net);
void evaluator_set_mlp(Evaluator *evaluator, const Mlp *mlp); /* the same for EVAL_MLP */

/* The static value of `pos` for the side to move, within +-SCORE_EVAL_MAX. Never called in check by the search. `ply` says where
 * in the tree: neighbours there share work, and the value does not depend on it. */
Score evaluator_score_at(Evaluator *evaluator, const Position *pos, int ply);

static inline Score evaluator_score(Evaluator *evaluator, const Position *pos) { return evaluator_score_at(evaluator, pos, 0); }

const char *eval_kind_name(EvalKind kind); /* "material", "classical", "nnue", "mlp" */

/* Chances out of 1000 of a win, draw and loss for the side to move; they add up to 1000. */
typedef struct {
    int win, draw, loss;
} Wdl;

/* What a value wins: polynomials of the phase (0: kings and pawns, 1: all men). `tabia train wdl` fits them. */
enum { WDL_EVEN_TERMS = 3, WDL_SPREAD_TERMS = 2 };

typedef struct {
    double even[WDL_EVEN_TERMS];     /* the value at which winning and not winning are equally likely: one pawn */
    double spread[WDL_SPREAD_TERMS]; /* values over which the odds change by a factor of e */
} WdlModel;

WdlModel wdl_default_model(void); /* of the classical evaluation */

/* The curves of a kind of evaluation; a network's come with it (NULL, or one without: those of networks in general). */
WdlModel wdl_model_of(EvalKind kind, const Net *net);

/* Writes curves into a network. */
void wdl_to_net(const WdlModel *model, Net *net);

/* Whether every phase has a pawn and a rising curve. */
bool wdl_is_sound(const WdlModel *model);

/* What is told to people and programs: centipawns of which a hundred win every second game, in this phase of it. Mates and
 * table scores stay as they are. `model` says what the values of their evaluation mean. */
Score score_to_centipawns(Score value, const Position *pos, const WdlModel *model);

Wdl centipawns_to_wdl(Score centipawns, const Position *pos);

double wdl_phase(int weight); /* from the weight of the men: minor 1, rook 2, queen 4 */
double wdl_even_chance(const WdlModel *model, double phase);
double wdl_spread(const WdlModel *model, double phase);

#endif

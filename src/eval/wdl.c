/* wdl.c - from a value to the chances of winning, drawing and losing, and to centipawns that mean the same in every game.
 *
 * Two logistic curves, one for winning and its mirror image for losing; what is left between them is the draw. Where they
 * stand and how steep they are depends on how many pieces are on the board: with few, a small advantage is seldom enough
 * but a large one is sure. Fitted by likelihood to positions of games between players above 2500: the classical evaluation's to
 * 340,000 of them with values of searches of 500 nodes, the network's to 13.3 million with values of one iteration. In centipawns
 * both have nearly the same shape, so one serves for the chances. Not hot. Threads: [any].
 */
#include <math.h>

#include "eval/evaluator.h"
#include "eval/trace.h"

WdlModel wdl_default_model(void) { return (WdlModel){.even = {199.4, -105.0, 85.0}, .spread = {80.9, 91.9}}; }

WdlModel wdl_model_of(EvalKind kind)
{
    if (kind != EVAL_NNUE) return wdl_default_model();
    return (WdlModel){.even = {160.9, -188.3, 110.0}, .spread = {68.2, 13.8}};
}

double wdl_even_chance(const WdlModel *model, double phase)
{
    return model->even[0] + phase * (model->even[1] + phase * model->even[2]);
}

double wdl_spread(const WdlModel *model, double phase) { return model->spread[0] + phase * model->spread[1]; }

double wdl_phase(int weight) { return (double)(weight < PHASE_MAX ? weight : PHASE_MAX) / PHASE_MAX; }

static double position_phase(const Position *pos)
{
    return wdl_phase(bb_count(pos->types[KNIGHT] | pos->types[BISHOP]) + 2 * bb_count(pos->types[ROOK]) +
                     4 * bb_count(pos->types[QUEEN]));
}

Score score_to_centipawns(Score value, const Position *pos, EvalKind kind)
{
    if (value == SCORE_NONE || score_is_decisive(value)) return value;
    WdlModel model  = wdl_model_of(kind);
    long     scaled = lround(100 * value / wdl_even_chance(&model, position_phase(pos)));
    return (Score)(scaled > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : scaled < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : scaled);
}

Wdl centipawns_to_wdl(Score centipawns, const Position *pos)
{
    if (score_is_win(centipawns)) return (Wdl){.win = 1000};
    if (score_is_loss(centipawns)) return (Wdl){.loss = 1000};
    WdlModel model = wdl_default_model();
    double   phase = position_phase(pos), slope = wdl_even_chance(&model, phase) / (100 * wdl_spread(&model, phase));
    int      win  = (int)lround(1000 / (1 + exp((100 - centipawns) * slope)));
    int      loss = (int)lround(1000 / (1 + exp((100 + centipawns) * slope)));
    return (Wdl){.win = win, .draw = 1000 - win - loss, .loss = loss};
}

/* wdl.c - from a value to the chances of winning, drawing and losing, and to centipawns that mean the same in every game.
 *
 * Two logistic curves, one for winning and its mirror image for losing; what is left between them is the draw. Where they
 * stand and how steep they are depends on how many pieces are on the board: with few, a small advantage is seldom enough
 * but a large one is sure. Fitted by likelihood: the classical evaluation's to 340,000 positions of games between players above
 * 2500 with values of searches of 500 nodes; those of networks in general to 144,000 positions of the engine's own games at 5,000
 * nodes a move (docs/networks.md). Chances are told by the engine's own games. Not hot. Threads: [any].
 */
#include <math.h>

#include "eval/evaluator.h"
#include "eval/trace.h"

_Static_assert(NET_CURVES == WDL_EVEN_TERMS + WDL_SPREAD_TERMS, "a network has room for both curves");

WdlModel wdl_default_model(void) { return (WdlModel){.even = {199.4, -105.0, 85.0}, .spread = {80.9, 91.9}}; }

WdlModel wdl_model_of(EvalKind kind, const Net *net)
{
    WdlModel any = {.even = {216.0, -305.3, 144.5}, .spread = {55.0, -7.5}}, own;
    if (kind != EVAL_NNUE) return wdl_default_model();
    if (!net) return any;
    for (int i = 0; i < WDL_EVEN_TERMS; i++) own.even[i] = net->curves[i] / 100.0;
    for (int i = 0; i < WDL_SPREAD_TERMS; i++) own.spread[i] = net->curves[WDL_EVEN_TERMS + i] / 100.0;
    return wdl_is_sound(&own) ? own : any;
}

void wdl_to_net(const WdlModel *model, Net *net)
{
    for (int i = 0; i < WDL_EVEN_TERMS; i++) net->curves[i] = (int32_t)lround(100 * model->even[i]);
    for (int i = 0; i < WDL_SPREAD_TERMS; i++) net->curves[WDL_EVEN_TERMS + i] = (int32_t)lround(100 * model->spread[i]);
}

bool wdl_is_sound(const WdlModel *model)
{
    for (int weight = 0; weight <= PHASE_MAX; weight++) {
        if (wdl_even_chance(model, wdl_phase(weight)) < 1 || wdl_spread(model, wdl_phase(weight)) < 1) return false;
    }
    return true;
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

Score score_to_centipawns(Score value, const Position *pos, const WdlModel *model)
{
    if (value == SCORE_NONE || score_is_decisive(value)) return value;
    long scaled = lround(100 * value / wdl_even_chance(model, position_phase(pos)));
    return (Score)(scaled > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : scaled < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : scaled);
}

Wdl centipawns_to_wdl(Score centipawns, const Position *pos)
{
    if (score_is_win(centipawns)) return (Wdl){.win = 1000};
    if (score_is_loss(centipawns)) return (Wdl){.loss = 1000};
    WdlModel model = wdl_model_of(EVAL_NNUE, NULL);
    double   phase = position_phase(pos), slope = wdl_even_chance(&model, phase) / (100 * wdl_spread(&model, phase));
    int      win  = (int)lround(1000 / (1 + exp((100 - centipawns) * slope)));
    int      loss = (int)lround(1000 / (1 + exp((100 + centipawns) * slope)));
    return (Wdl){.win = win, .draw = 1000 - win - loss, .loss = loss};
}

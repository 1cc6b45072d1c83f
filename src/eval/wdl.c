/* wdl.c - from a value to the chances of winning, drawing and losing.
 *
 * Two logistic curves, one for winning and its mirror image for losing; what is left between them is the draw. Where they
 * stand and how steep they are depends on how many pieces are on the board: with few, a small advantage is seldom enough
 * but a large one is sure. Fitted by likelihood to 340,000 positions of games between players above 2500 (a search of 500 nodes
 * gave the values). Not hot. Threads: [any].
 */
#include <math.h>

#include "eval/evaluator.h"
#include "eval/trace.h"

/* Centipawns at which winning and not winning are equally likely: a parabola of the phase (0 .. 1). */
static double even_chance(double phase) { return 199.4 - 105.0 * phase + 85.0 * phase * phase; }

/* Centipawns over which the chance changes by a factor of e. */
static double spread(double phase) { return 80.9 + 91.9 * phase; }

static double position_phase(const Position *pos)
{
    int phase =
        bb_count(pos->types[KNIGHT] | pos->types[BISHOP]) + 2 * bb_count(pos->types[ROOK]) + 4 * bb_count(pos->types[QUEEN]);
    return (double)(phase < PHASE_MAX ? phase : PHASE_MAX) / PHASE_MAX;
}

Wdl score_to_wdl(Score score, const Position *pos)
{
    if (score_is_win(score)) return (Wdl){.win = 1000};
    if (score_is_loss(score)) return (Wdl){.loss = 1000};
    double phase = position_phase(pos), even = even_chance(phase), width = spread(phase);
    int    win  = (int)lround(1000 / (1 + exp((even - score) / width)));
    int    loss = (int)lround(1000 / (1 + exp((even + score) / width)));
    return (Wdl){.win = win, .draw = 1000 - win - loss, .loss = loss};
}

/* wdl.c - from a value to the chances of winning, drawing and losing. */
#include "eval/evaluator.h"

#include <math.h>

Wdl score_to_wdl(Score score, const Position *pos)
{
    (void)pos;
    if (score_is_win(score)) return (Wdl){1000, 0, 0};
    if (score_is_loss(score)) return (Wdl){0, 0, 1000};
    double win = 1000 / (1 + exp((150 - score) / 80.0)), loss = 1000 / (1 + exp((150 + score) / 80.0));
    Wdl    wdl = {.win = (int)lround(win), .loss = (int)lround(loss)};
    wdl.draw   = 1000 - wdl.win - wdl.loss;
    return wdl;
}

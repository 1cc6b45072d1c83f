/* quiesce.c - rung 5: never stop in the middle of an exchange.
 *
 * At the horizon a capture may hang, and a static value would be wrong by a piece. So only captures and promotions are
 * searched on, until there are none. The side to move need not take: the static value ("stand pat") is a lower bound.
 * A child that is content with its static value is never played.
 */
#include "lab/tree.h"

int lab_quiesce(LabSearch *s, const LabNode *node, int ply, int alpha, int beta, int stand_pat)
{
    if (stand_pat >= beta) {
        s->stats->leaves++;
        return stand_pat;
    }
    ChildValues values = child_values(s->eval, node);
    Order       order;
    LabNode     child;
    int         best = stand_pat, number = 0;
    if (stand_pat > alpha) alpha = stand_pat;
    order_init(&order, &node->pos, order_noisy);
    for (Move move; (move = order_next(&order)) != MOVE_NONE; number++) {
        int value = child_value(&values, move);
        lab_count_qnode(s->stats, ply + 1);
        if (value <= alpha) {
            s->stats->leaves++;
        } else {
            thesis_play(s->eval, node, move, &child);
            value = -lab_quiesce(s, &child, ply + 1, -beta, -alpha, -value);
        }
        if (value > best) best = value;
        if (best >= beta) {
            lab_count_cutoff(s->stats, ply, number);
            return best;
        }
        if (best > alpha) alpha = best;
    }
    if (number == 0) s->stats->leaves++;
    return best;
}

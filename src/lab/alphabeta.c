/* alphabeta.c - rungs 2 to 6: leave out what cannot matter.
 *
 * Alpha is what the side to move has already found elsewhere, beta what its opponent has. As soon as a move is worth beta or
 * more, the opponent will not let this position come about, and the other moves need no look. The value at the root
 * is that of minimax; the better the order of the moves, the earlier the cutoffs (lab/order.h).
 * With techniques switched on: the null move (nullmove.c) before the moves, quiescence (quiesce.c) at the horizon.
 */
#include "lab/tree.h"

/* A child at the horizon: its static value, or what captures make of it. */
static int horizon_child(LabSearch *s, const LabNode *node, const ChildValues *values, Move move, int ply, int alpha, int beta)
{
    int value = child_value(values, move);
    s->stats->nodes++;
    if (!s->use.quiescence || -value >= -alpha) { /* it stands pat: the opponent is content with the position as it is */
        s->stats->leaves++;
        return value;
    }
    LabNode child;
    thesis_play(s->eval, node, move, &child);
    return -lab_quiesce(s, &child, ply + 1, -beta, -alpha, -value);
}

int lab_alphabeta(LabSearch *s, const LabNode *node, int ply, int alpha, int beta)
{
    int best;
    s->stats->nodes++;
    if (lab_null_move(s, node, ply, alpha, beta, lab_alphabeta, &best)) return best;

    bool        at_horizon = ply + 1 == s->depth;
    ChildValues values     = child_values(s->eval, node);
    Order       order;
    LabNode     child;
    int         number = 0;
    best               = -THESIS_MATE;
    order_init(&order, &node->pos, order_static[s->use.ordering]);
    for (Move move; (move = order_next(&order)) != MOVE_NONE; number++) {
        int value;
        if (at_horizon) {
            value = horizon_child(s, node, &values, move, ply, alpha, beta);
        } else {
            thesis_play(s->eval, node, move, &child);
            value = -lab_alphabeta(s, &child, ply + 1, -beta, -alpha);
        }
        if (ply == 0 && !lab_is_passing(s) && (value > best || number == 0)) s->best = move;
        if (value > best) best = value;
        if (best >= beta) {
            lab_count_cutoff(s->stats, ply, number);
            return best;
        }
        if (best > alpha) alpha = best;
    }
    if (number > 0) return best;
    s->stats->leaves++;
    return lab_no_move(order_in_check(&order));
}

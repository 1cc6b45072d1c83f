/* minimax.c - rung 1: look at everything.
 *
 * Each side picks the move that is best for it, assuming that the other will do the same: the value of a position is the
 * largest of its children's values, each seen from the other side. Nothing is left out, so the tree has as many nodes as
 * there are lines of play; every later rung is measured against it.
 */
#include "lab/tree.h"

int lab_minimax(LabSearch *s, const LabNode *node, int ply)
{
    s->stats->nodes++;
    if (ply + 1 == s->depth && ply > 0) {
        int count, best = lab_horizon_best(s->eval, node, &count);
        s->stats->nodes += (uint64_t)count;
        s->stats->leaves += count ? (uint64_t)count : 1;
        return best;
    }
    bool        at_horizon = ply + 1 == s->depth;
    ChildValues values     = child_values(s->eval, node);
    Order       order;
    LabNode     child;
    int         best = -THESIS_MATE - 1;
    order_init(&order, &node->pos, order_static[s->use.ordering]);
    for (Move move; (move = order_next(&order)) != MOVE_NONE;) {
        int value;
        if (at_horizon) {
            s->stats->nodes++;
            s->stats->leaves++;
            value = child_value(&values, move);
        } else {
            thesis_play(s->eval, node, move, &child);
            value = -lab_minimax(s, &child, ply + 1);
        }
        if (value <= best) continue;
        best = value;
        if (ply == 0) s->best = move;
    }
    if (best >= -THESIS_MATE) return best;
    s->stats->leaves++;
    return lab_no_move(order_in_check(&order));
}

/* nullmove.c - rung 3: a position so good that one may even pass.
 *
 * Before trying moves, the side to move passes and the opponent's best answer is searched less deep. If even that stays at or
 * above beta, some real move will too, and the node ends. Wrong in zugzwang, where passing would be the best move; the
 * verified form asks again, by a search of the node itself to the same reduced depth, before it believes the cutoff.
 * R is the thesis's: the reply is entered at ply + R, so R = 1 reduces nothing (the literature's R is one less).
 * The null-move search itself uses plain alpha-beta; its nodes are counted apart, for the thesis did not count them at all.
 */
#include "lab/tree.h"

bool lab_null_move(LabSearch *s, const LabNode *node, int ply, int alpha, int beta, LabSearchFn *search, int *value)
{
    int reduced = ply + s->use.null_reduction;
    if (s->use.null_reduction == 0 || lab_is_passing(s) || s->depth <= reduced || position_in_check(&node->pos)) return false;
    LabNode passed;
    passed.sums = node->sums;
    position_play_null(&node->pos, &passed.pos);

    s->counted.null_tries++;
    s->stats = &s->uncounted;
    *value   = -search(s, &passed, reduced, -beta, -alpha);
    if (*value >= beta && s->use.null_verified) *value = search(s, node, reduced, alpha, beta);
    s->stats = &s->counted;
    if (*value < beta) return false;
    s->counted.leaves++;
    s->counted.null_cuts[node->pos.side]++;
    return true;
}

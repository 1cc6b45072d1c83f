/* quiesce.c - the quiescence search: captures (and at its first ply quiet checks) until the position is calm enough to evaluate.
 * Hot: more than half of all nodes are here. */
#include "chess/see.h"
#include "search/params.h"
#include "search/picker.h"
#include "search/steps.h"

/* What the node knows without looking at moves: the score it may stand on. */
static Score stand_pat(Worker *w, Node *n)
{
    if (n->in_check) {
        n->frame->eval = SCORE_NONE;
        return -SCORE_INFINITE;
    }
    step_static_eval(w, n);
    return n->eval;
}

/* A capture that cannot lift the score to alpha even with a margin is left out; checks and promotions are not. */
static bool is_hopeless(const Worker *w, const Node *n, Move move, Score *best)
{
    if (n->in_check || score_is_loss(*best) || move_kind(move) == MOVE_PROMOTION) return false;
    Score reach =
        n->eval + TUNED(w->params, QS_FUTILITY_MARGIN) + see_values[piece_type(position_captured(&n->frame->pos, move))];
    if (position_captured(&n->frame->pos, move) == NO_PIECE || reach > n->alpha) return false;
    if (reach > *best) *best = reach;
    return true;
}

static Score search_moves(Worker *w, Node *n, int depth, Score best)
{
    Picker     picker;
    bool       checks = depth == 0 && feature_on(w, FEATURE_QS_CHECKS);
    int        played = 0;
    PickerMode mode   = n->in_check ? PICK_ALL : checks ? PICK_NOISY_CHECKS : PICK_NOISY;
    picker_init(&picker, w, n->ply, mode, n->hit.move, 0);
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        worker_expect(w, n->frame, move);
        if (is_hopeless(w, n, move, &best)) continue;
        if (n->in_check && played > 1 && !score_is_loss(best) && !position_is_noisy(&n->frame->pos, move)) break;
        worker_play(w, n->ply, move);
        Score score = -search_quiesce(w, n->ply + 1, depth - 1, -n->beta, -n->alpha, n->is_pv);
        worker_undo(w);
        if (w->aborted) return SCORE_DRAW;
        played++;
        if (score <= best) continue;
        best = score;
        if (score <= n->alpha) continue;
        n->best_move = move;
        if (n->is_pv) step_update_pv(n->frame, move);
        n->alpha = score;
        if (score >= n->beta) break;
    }
    if (n->in_check && played == 0) return score_mated_in(n->ply);
    return best;
}

Score search_quiesce(Worker *w, int ply, int depth, Score alpha, Score beta, bool is_pv)
{
    Node  n            = {.frame = frame_at(w, ply), .ply = ply, .depth = depth, .alpha = alpha, .beta = beta, .is_pv = is_pv};
    Score start_alpha  = alpha, score;
    n.in_check         = n.frame->king.checkers != 0;
    n.frame->pv_length = 0;
    if (ply > w->seldepth) w->seldepth = ply;
    w->counts.qnodes++;
    if (worker_should_stop(w)) return SCORE_DRAW;
    if (step_draw(w, &n, &score) || step_too_deep(w, &n, &score)) return score;
    step_probe(w, &n);
    if (!is_pv && step_hash_cutoff(w, &n, 0, &score)) return score;

    Score best     = stand_pat(w, &n);
    int   limit    = w->search->config.quiescence_depth;
    bool  too_long = !feature_on(w, FEATURE_QSEARCH) || (limit >= 0 && -depth >= limit);
    if (too_long) return n.in_check ? evaluator_score_at(w->evaluator, &n.frame->pos, ply) : best;
    if (best >= beta) {
        if (!n.has_hit) step_store(w, &n, best, BOUND_LOWER, 0);
        return best;
    }
    if (best > n.alpha) n.alpha = best;
    best = search_moves(w, &n, depth, best);
    if (w->aborted) return SCORE_DRAW;
    step_store(w, &n, best, best >= beta ? BOUND_LOWER : best > start_alpha && is_pv ? BOUND_EXACT : BOUND_UPPER, 0);
    return best;
}

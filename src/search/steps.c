/* steps.c - what a node does before it looks at its moves, and after. See steps.h. */
#include "search/steps.h"

#include "chess/see.h"
#include "search/params.h"

enum { HALFMOVE_SAFE = 90 }; /* from here on scores of the table, which does not know the counter, are not trusted */

/* Repetition, fifty moves, bare kings: worth nothing, whatever the evaluation says. A move that only could repeat already bounds
 * the score from below. */
bool step_draw(Worker *w, Node *n, Score *out)
{
    if (n->ply == 0) return false;
    if (draw_by_rule(w, n->ply)) {
        *out = draw_score(w);
        return true;
    }
    if (!feature_on(w, FEATURE_UPCOMING_REPETITION) || n->alpha >= SCORE_DRAW || !draw_is_upcoming(w, n->ply)) return false;
    n->alpha = draw_score(w);
    *out     = n->alpha;
    return n->alpha >= n->beta;
}

/* The stacks end here. */
bool step_too_deep(Worker *w, Node *n, Score *out)
{
    if (n->ply < PLY_MAX - 1) return false;
    *out = n->in_check ? SCORE_DRAW : evaluator_score_at(w->evaluator, &n->frame->pos, n->ply);
    return true;
}

/* Even a mate on the next move cannot improve on a shorter mate that is already found. */
bool step_mate_distance(const Worker *w, Node *n, Score *out)
{
    if (!feature_on(w, FEATURE_MATE_DISTANCE) || n->is_root) return false;
    Score worst = score_mated_in(n->ply), best = score_mate_in(n->ply + 1);
    if (n->alpha < worst) n->alpha = worst;
    if (n->beta > best) n->beta = best;
    *out = n->alpha;
    return n->alpha >= n->beta;
}

void step_probe(Worker *w, Node *n)
{
    n->has_hit = tt_probe(w->search->tt, n->frame->pos.key, n->ply, &n->hit);
    w->counts.hash_probes++;
    w->counts.hash_hits += n->has_hit;
    if (!n->has_hit) n->hit = (TtHit){.score = SCORE_NONE, .eval = SCORE_NONE, .depth = -1};
    n->frame->was_pv = n->is_pv || n->hit.was_pv;
}

/* An earlier search at least as deep has answered this question. Not near the fifty-move limit: the table does not know the
 * counter, so its score may come from a position with more time. */
bool step_hash_cutoff(Worker *w, Node *n, int depth, Score *out)
{
    if (!n->has_hit || !feature_on(w, FEATURE_TT_CUTOFF) || n->hit.depth < depth || n->hit.score == SCORE_NONE) return false;
    if (n->frame->pos.halfmove >= HALFMOVE_SAFE) return false;
    Bound need = n->hit.score >= n->beta ? BOUND_LOWER : BOUND_UPPER;
    if (!(n->hit.bound & need)) return false;
    *out = n->hit.score;
    return true;
}

/* Few men are left and the tables know who wins. Asked only right after a capture or a pawn move, because the verdict counts on
 * all of the fifty moves. On the principal variation the search goes on, to find a mate and a line to show, but within what
 * the tables say. */
bool step_tables(Worker *w, Node *n, Score *out)
{
    enum { DEPTH_BONUS = 6 }; /* the entry is better than any search */
    const SearchConfig *config = &w->search->config;
    const Position     *pos    = &n->frame->pos;
    if (!config->tables || n->is_root || pos->halfmove != 0 || !feature_on(w, FEATURE_TABLES)) return false;
    int          men = bb_count(position_occupied(pos));
    TableVerdict verdict;
    if (men > config->table_men || (men == config->table_men && n->depth < config->table_depth)) return false;
    if (!tables_probe(config->tables, pos, &verdict)) return false;
    uint64_t hits = atomic_load_explicit(&w->tbhits, memory_order_relaxed) + 1;
    atomic_store_explicit(&w->tbhits, hits, memory_order_relaxed);

    int  win  = config->table_fifty ? TABLE_WIN : TABLE_CURSED_WIN;
    bool wins = (int)verdict >= win, loses = (int)verdict <= -win;
    *out        = wins ? SCORE_TB_WIN - n->ply : loses ? n->ply - SCORE_TB_WIN : SCORE_DRAW;
    Bound bound = wins ? BOUND_LOWER : loses ? BOUND_UPPER : BOUND_EXACT;
    if (bound == BOUND_EXACT || (wins ? *out >= n->beta : *out <= n->alpha)) {
        int depth   = n->depth + DEPTH_BONUS;
        n->raw_eval = SCORE_NONE;
        step_store(w, n, *out, bound, depth < SEARCH_DEPTH_MAX ? depth : SEARCH_DEPTH_MAX);
        return true;
    }
    if (wins) n->floor = *out;
    if (loses) n->ceiling = *out;
    if (n->alpha < n->floor) n->alpha = n->floor;
    return false;
}

/* The evaluation, corrected by experience; the table's score is better still where its bound points the right way. */
void step_static_eval(Worker *w, Node *n)
{
    n->raw_eval =
        n->has_hit && n->hit.eval != SCORE_NONE ? n->hit.eval : evaluator_score_at(w->evaluator, &n->frame->pos, n->ply);
    Score corrected = n->raw_eval;
    if (feature_on(w, FEATURE_CORRECTION))
        corrected = score_clamp_eval(corrected + correction_value(w->histories, w->params, &n->frame->pos));
    n->frame->eval = n->eval = corrected;
    if (!n->has_hit || n->hit.score == SCORE_NONE || !feature_on(w, FEATURE_TT_CUTOFF) || score_is_decisive(n->hit.score)) return;
    if (n->frame->pos.halfmove >= HALFMOVE_SAFE) return;
    Bound need = n->hit.score > n->eval ? BOUND_LOWER : BOUND_UPPER;
    if (n->hit.bound & need) n->eval = n->hit.score;
}

/* So far below alpha that only tactics can help: let quiescence look for them. */
bool step_razoring(Worker *w, Node *n, Score *out)
{
    if (!feature_on(w, FEATURE_RAZORING) || n->is_pv || n->depth > TUNED(w->params, RAZOR_DEPTH)) return false;
    if (n->eval + TUNED(w->params, RAZOR_BASE) + TUNED(w->params, RAZOR_MARGIN) * n->depth >= n->alpha) return false;
    Score score      = search_quiesce(w, n->ply, 0, n->alpha, n->alpha + 1, false);
    n->frame->was_pv = n->hit.was_pv; /* the call used this frame */
    *out             = score;
    return w->aborted || score <= n->alpha;
}

/* So far above beta that the opponent's best reply will hardly bring us back below it. Never on the principal variation, whose
 * score is shown. */
bool step_reverse_futility(const Worker *w, const Node *n, Score *out)
{
    if (!feature_on(w, FEATURE_RFP) || n->is_pv || n->depth > TUNED(w->params, RFP_DEPTH) || score_is_decisive(n->eval))
        return false;
    Score margin = TUNED(w->params, RFP_MARGIN) * (n->depth - n->improving);
    if (n->eval - margin < n->beta || score_is_loss(n->beta)) return false;
    *out = (n->eval + n->beta) / 2;
    return true;
}

static bool has_pieces(const Position *pos, Color color)
{
    return (pos->colors[color] & ~(pos->types[PAWN] | pos->types[KING])) != 0;
}

/* Passing is the worst move in nearly every position: if even that keeps us above beta, a real move will. With pawns only,
 * passing may be the best move (zugzwang), so it is not tried; at high depth the verdict is verified without null moves. */
bool step_null_move(Worker *w, Node *n, Score *out)
{
    const Position *pos = &n->frame->pos;
    if (!feature_on(w, FEATURE_NMP) || n->is_pv || n->depth < TUNED(w->params, NMP_DEPTH) || n->eval < n->beta ||
        n->frame->eval < n->beta - 20 * n->depth)
        return false;
    if (n->ply < w->null_min_ply || n->frame[-1].move == MOVE_NONE || score_is_loss(n->beta)) return false;
    if (!has_pieces(pos, position_side(pos))) return false;

    int above     = (n->eval - n->beta) / TUNED(w->params, NMP_EVAL_DIVISOR);
    int reduction = TUNED(w->params, NMP_BASE) + n->depth / TUNED(w->params, NMP_DIVISOR) + (above < 3 ? above : 3);
    worker_play_null(w, n->ply);
    Score score = -search_node(w, n->ply + 1, n->depth - reduction, -n->beta, -n->beta + 1, false, !n->cut_node);
    worker_undo(w);
    if (w->aborted) return true;
    if (score < n->beta) return false;
    if (score_is_win(score)) score = n->beta; /* a mate behind a pass proves nothing */
    *out = score;
    if (!feature_on(w, FEATURE_NMP_VERIFY) || w->null_min_ply || n->depth < TUNED(w->params, NMP_VERIFY_DEPTH)) return true;

    w->null_min_ply = n->ply + 3 * (n->depth - reduction) / 4;
    Score verified  = search_node(w, n->ply, n->depth - reduction, n->beta - 1, n->beta, false, false);
    w->null_min_ply = 0;
    return w->aborted || verified >= n->beta;
}

/* A good capture that beats beta by a margin at reduced depth will very probably beat beta at full depth. */
bool step_probcut(Worker *w, Node *n, Score *out)
{
    enum { REDUCTION = 4 };
    Score high = n->beta + TUNED(w->params, PROBCUT_MARGIN);
    if (!feature_on(w, FEATURE_PROBCUT) || n->is_pv || n->depth < TUNED(w->params, PROBCUT_DEPTH) || score_is_decisive(n->beta))
        return false;
    if (n->has_hit && n->hit.depth >= n->depth - REDUCTION + 1 && n->hit.score != SCORE_NONE && n->hit.score < high) return false;
    Picker picker;
    picker_init(&picker, w, n->ply, PICK_GOOD_NOISY, n->hit.move, high - n->frame->eval);
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        if (move == n->frame->excluded) continue;
        worker_play(w, n->ply, move);
        Score score = -search_quiesce(w, n->ply + 1, 0, -high, -high + 1, false);
        if (score >= high) score = -search_node(w, n->ply + 1, n->depth - REDUCTION, -high, -high + 1, false, !n->cut_node);
        worker_undo(w);
        if (w->aborted) return true;
        if (score < high) continue;
        n->best_move = move;
        step_store(w, n, score, BOUND_LOWER, n->depth - REDUCTION + 1);
        *out = score;
        return true;
    }
    return false;
}

/* Without a move from the table this node will be ordered badly: look less deep now, and know a move next time. */
void step_internal_reduction(const Worker *w, Node *n)
{
    if (!feature_on(w, FEATURE_IIR) || n->depth < TUNED(w->params, IIR_DEPTH) || n->hit.move != MOVE_NONE || n->frame->excluded)
        return;
    if (n->is_pv || n->cut_node) n->depth--;
}

void step_store(Worker *w, Node *n, Score best, Bound bound, int depth)
{
    TtHit entry = {
        .move   = n->best_move,
        .score  = best,
        .eval   = n->in_check ? SCORE_NONE : n->raw_eval,
        .depth  = depth,
        .bound  = bound,
        .was_pv = n->frame->was_pv,
    };
    tt_store(w->search->tt, n->frame->pos.key, n->ply, &entry);
}

void step_update_pv(Frame *frame, Move move)
{
    const Frame *child = frame + 1;
    frame->pv[0]       = move;
    for (int i = 0; i < child->pv_length; i++) frame->pv[i + 1] = child->pv[i];
    frame->pv_length = child->pv_length + 1;
}

static int history_bonus(const Worker *w, int depth)
{
    int bonus = TUNED(w->params, HISTORY_BONUS_MULT) * depth - TUNED(w->params, HISTORY_BONUS_BASE);
    return bonus < TUNED(w->params, HISTORY_BONUS_MAX) ? bonus : TUNED(w->params, HISTORY_BONUS_MAX);
}

static void add_quiet(Worker *w, const Frame *f, Move move, int bonus)
{
    Piece  man = f->pos.board[move_from(move)];
    Square to  = move_to(move);
    history_add(&w->histories->butterfly[f->pos.side][move_from(move)][to], bonus);
    history_add(&(*f[-1].continuation)[man][to], bonus);
    history_add(&(*f[-2].continuation)[man][to], bonus);
    history_add(&(*f[-4].continuation)[man][to], bonus);
}

static void add_noisy(Worker *w, const Frame *f, Move move, int bonus)
{
    PieceType victim = piece_type(position_captured(&f->pos, move));
    history_add(&w->histories->capture[f->pos.board[move_from(move)]][move_to(move)][victim], bonus);
}

/* The move that cut gets a bonus, those tried before it in vain a malus. */
void step_update_histories(Worker *w, Node *n, const Tried *tried)
{
    Frame *f     = n->frame;
    int    bonus = history_bonus(w, n->depth);
    if (position_is_noisy(&f->pos, n->best_move)) {
        add_noisy(w, f, n->best_move, bonus);
    } else {
        add_quiet(w, f, n->best_move, bonus);
        for (int i = 0; i < tried->quiet_count; i++) add_quiet(w, f, tried->quiets[i], -bonus);
        if (f->killers[0] != n->best_move) {
            f->killers[1] = f->killers[0];
            f->killers[0] = n->best_move;
        }
        if (f[-1].move != MOVE_NONE) w->histories->counter[f[-1].moved][move_to(f[-1].move)] = n->best_move;
    }
    for (int i = 0; i < tried->noisy_count; i++) add_noisy(w, f, tried->noisies[i], -bonus);
}

/* The search's verdict against the evaluation, where they can be compared: a quiet best move, and a bound that contradicts. */
void step_update_correction(Worker *w, Node *n, Score best, Bound bound)
{
    if (n->in_check || !feature_on(w, FEATURE_CORRECTION) || score_is_decisive(best)) return;
    if (n->best_move != MOVE_NONE && position_is_noisy(&n->frame->pos, n->best_move)) return;
    if (bound == BOUND_LOWER && best <= n->frame->eval) return;
    if (bound == BOUND_UPPER && best >= n->frame->eval) return;
    correction_update(w->histories, &n->frame->pos, n->depth, best - n->frame->eval);
}

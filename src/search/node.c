/* node.c - one node of the alpha-beta search: a list of named steps, then the moves.
 *
 * The steps before the moves are in steps.c; this file decides for each move whether it is worth searching, how deep, and with
 * which window. Hot: everything.
 */
#include "chess/see.h"
#include "search/params.h"
#include "search/steps.h"

/* A move on its way through the loop. */
typedef struct {
    Move move;
    int  number; /* from 1 */
    bool quiet;
    bool gives_check;
    int  history;
    int  extension;
    int  reduction; /* in plies, the late-move table's value */
} Candidate;

/* Whether the evaluation is better than our last one: rising positions deserve more trust in beta cutoffs. */
static bool is_improving(const Worker *w, const Node *n)
{
    const Frame *f = n->frame;
    if (!feature_on(w, FEATURE_IMPROVING) || n->in_check) return false;
    if (f[-2].eval != SCORE_NONE) return f->eval > f[-2].eval;
    return f[-4].eval == SCORE_NONE || f->eval > f[-4].eval;
}

static int table_reduction(const Worker *w, int depth, int number, bool quiet)
{
    int d = depth < REDUCTION_MAX ? depth : REDUCTION_MAX - 1, m = number < REDUCTION_MAX ? number : REDUCTION_MAX - 1;
    return w->search->reductions[!quiet][d][m];
}

/* ---- which moves to leave out near the leaves ---- */

/* After so many moves without a cutoff the remaining quiet ones will hardly bring one. */
static bool is_too_late(const Worker *w, const Node *n, int number)
{
    if (!feature_on(w, FEATURE_LMP) || n->depth > TUNED(w->params, LMP_DEPTH)) return false;
    return number > (TUNED(w->params, LMP_BASE) + n->depth * n->depth) / (n->improving ? 1 : 2);
}

/* Even with a margin for the move's worth the evaluation stays below alpha. */
static bool is_futile(const Worker *w, const Node *n, int depth)
{
    if (!feature_on(w, FEATURE_FUTILITY) || n->in_check || depth > TUNED(w->params, FUTILITY_DEPTH) || score_is_win(n->alpha))
        return false;
    return n->eval + TUNED(w->params, FUTILITY_BASE) + TUNED(w->params, FUTILITY_MARGIN) * depth <= n->alpha;
}

/* Experience says that this move never works. */
static bool has_bad_history(const Worker *w, const Candidate *c, int depth)
{
    return feature_on(w, FEATURE_HISTORY_PRUNING) && depth <= TUNED(w->params, HISTORY_PRUNING_DEPTH) &&
           c->history < -TUNED(w->params, HISTORY_PRUNING_MARGIN) * depth;
}

/* The move loses material that so little depth will not win back. */
static bool loses_material(const Worker *w, const Node *n, const Candidate *c, int depth)
{
    if (!feature_on(w, FEATURE_SEE_PRUNING) || n->depth > TUNED(w->params, SEE_DEPTH)) return false;
    int margin = c->quiet
                     ? TUNED(w->params, SEE_QUIET_MARGIN) * depth * depth / 2 + TUNED(w->params, SEE_QUIET_MARGIN) * depth / 2
                     : TUNED(w->params, SEE_NOISY_MARGIN) * n->depth;
    return !see_at_least(&n->frame->pos, c->move, -margin);
}

/* Decides on a late move before it is played; may tell the picker to give no more quiet moves. */
static bool is_pruned(const Worker *w, const Node *n, const Candidate *c, Picker *picker, Score best)
{
    if (n->is_root || score_is_loss(best)) return false;
    int depth = n->depth - c->reduction;
    if (depth < 1) depth = 1;
    if (c->quiet) {
        if (is_too_late(w, n, c->number)) picker->skip_quiets = true;
        if (!c->gives_check && is_futile(w, n, depth)) {
            picker->skip_quiets = true;
            return true;
        }
        if (has_bad_history(w, c, depth)) return true;
    }
    return picker->stage > STAGE_GOOD_NOISY && loses_material(w, n, c, depth);
}

/* ---- how deep ---- */

/* Is the table's move the only good one? Search the others at half depth with a lowered window: if all stay below, the move is
 * singular and deserves more depth; if one reaches beta as well, the node is cut (multicut); if the table's score was far above
 * beta, the move can do with less. */
static bool decide_singular(Worker *w, Node *n, Candidate *c, Score *out)
{
    Frame *f = n->frame;
    if (!feature_on(w, FEATURE_SINGULAR) || n->is_root || n->depth < TUNED(w->params, SINGULAR_DEPTH) || c->move != n->hit.move ||
        f->excluded)
        return false;
    if (n->hit.depth < n->depth - 3 || !(n->hit.bound & BOUND_LOWER) || score_is_decisive(n->hit.score)) return false;
    if (n->ply >= 2 * w->root_depth) return false;
    Score bar    = n->hit.score - 2 * n->depth;
    bool  was_pv = f->was_pv;
    f->excluded  = c->move;
    Score others = search_node(w, n->ply, (n->depth - 1) / 2, bar - 1, bar, false, n->cut_node);
    f->excluded  = MOVE_NONE;
    f->was_pv    = was_pv;
    if (w->aborted) return true;
    if (others < bar) {
        c->extension = 1;
        if (!n->is_pv && others < bar - TUNED(w->params, SINGULAR_DOUBLE_MARGIN) &&
            f->double_extensions < TUNED(w->params, SINGULAR_DOUBLE_MAX))
            c->extension = 2;
    } else if (feature_on(w, FEATURE_MULTICUT) && bar >= n->beta) {
        *out = bar;
        return true;
    } else if (n->hit.score >= n->beta) {
        c->extension = -1;
    } else if (n->cut_node) {
        c->extension = -1;
    }
    return false;
}

static int late_move_reduction(const Worker *w, const Node *n, const Candidate *c)
{
    int reduction = table_reduction(w, n->depth, c->number, c->quiet);
    if (!n->frame->was_pv) reduction += 1024;
    if (n->is_pv) reduction -= 1024;
    if (n->cut_node) reduction += 1024;
    if (!n->improving) reduction += 512;
    if (c->gives_check) reduction -= 1024;
    if (n->frame[1].cutoffs > 3) reduction += 512;
    if (c->move == n->frame->killers[0] || c->move == n->frame->killers[1]) reduction -= 1024;
    reduction -= c->history * 1024 / TUNED(w->params, LMR_HISTORY_DIVISOR);
    return reduction / 1024;
}

/* Late moves first get less depth and a null window; one that surprises is searched again in full. */
static Score search_move(Worker *w, Node *n, const Candidate *c, Score alpha)
{
    int   depth = n->depth - 1 + c->extension, ply = n->ply + 1;
    Score score = -SCORE_INFINITE;
    bool  first = c->number == 1;
    if (feature_on(w, FEATURE_LMR) && n->depth >= 3 && c->number > 1 + n->is_pv) {
        int reduction = late_move_reduction(w, n, c);
        int less      = depth - reduction;
        less          = less < 1 ? 1 : less > depth + n->is_pv ? depth + n->is_pv : less;
        score         = -search_node(w, ply, less, -alpha - 1, -alpha, false, true);
        if (score > alpha && less < depth) score = -search_node(w, ply, depth, -alpha - 1, -alpha, false, !n->cut_node);
    } else if (!first && feature_on(w, FEATURE_PVS)) {
        score = -search_node(w, ply, depth, -alpha - 1, -alpha, false, !n->cut_node);
    } else if (!n->is_pv) {
        return -search_node(w, ply, depth, -n->beta, -alpha, false, !n->cut_node);
    }
    bool full = first || !feature_on(w, FEATURE_PVS) || (score > alpha && (n->is_root || score < n->beta));
    if (n->is_pv && full && !w->aborted) score = -search_node(w, ply, depth, -n->beta, -alpha, true, false);
    return score;
}

/* ---- the root keeps a book on its moves ---- */

/* NULL: an earlier line has it, or it ranks below the moves that this line is about. */
static RootMove *find_root_move(Worker *w, Move move)
{
    int rank = w->root_moves[w->pv_index].rank;
    for (int i = w->pv_index; i < w->root_count && w->root_moves[i].rank == rank; i++) {
        if (w->root_moves[i].move == move) return &w->root_moves[i];
    }
    return NULL;
}

static void note_root_move(Worker *w, const Node *n, const Candidate *c, Score score, uint64_t nodes_before)
{
    RootMove *root = find_root_move(w, c->move);
    root->nodes += worker_nodes(w) - nodes_before;
    if (c->number > 1 && score <= n->alpha) {
        root->score = -SCORE_INFINITE; /* only a bound is known: the order of these stays as it was */
        return;
    }
    const Frame *child = n->frame + 1;
    root->score        = score;
    root->average      = root->average == -SCORE_INFINITE ? score : (2 * score + root->average) / 3;
    root->bound        = score <= n->alpha ? BOUND_UPPER : score >= n->beta ? BOUND_LOWER : BOUND_EXACT;
    root->seldepth     = w->seldepth;
    root->pv_length    = child->pv_length + 1;
    root->pv[0]        = c->move;
    for (int i = 0; i < child->pv_length; i++) root->pv[i + 1] = child->pv[i];
}

static void report_root_progress(Worker *w, const Node *n, const Candidate *c)
{
    enum { SILENT_MS = 3000 };
    const SearchListener *listener = &w->search->listener;
    if (w->index != 0 || !listener->progress || n->depth < 6 || search_elapsed_ms(w->search) < SILENT_MS) return;
    SearchProgress progress = {
        .root = &w->search->root, .depth = w->root_depth, .move = c->move, .number = c->number + w->pv_index};
    listener->progress(listener->context, &progress);
}

/* ---- the loop ---- */

static void remember_tried(Tried *tried, const Candidate *c)
{
    if (c->quiet && tried->quiet_count < (int)(sizeof tried->quiets / sizeof *tried->quiets)) {
        tried->quiets[tried->quiet_count++] = c->move;
    } else if (!c->quiet && tried->noisy_count < (int)(sizeof tried->noisies / sizeof *tried->noisies)) {
        tried->noisies[tried->noisy_count++] = c->move;
    }
}

static Candidate make_candidate(Worker *w, const Node *n, const CheckMap *checks, Move move, int number)
{
    const Position *pos = &n->frame->pos;
    Candidate       c   = {.move = move, .number = number, .quiet = !position_is_noisy(pos, move)};
    worker_expect(w, n->frame, move);
    c.gives_check = checks_gives(pos, checks, move);
    c.history     = c.quiet ? picker_quiet_history(w, n->ply, move) : picker_noisy_history(w, n->ply, move);
    c.reduction   = table_reduction(w, n->depth, number, c.quiet) / 1024;
    return c;
}

/* Plays and searches one move; the score is the node's point of view. */
static Score try_move(Worker *w, Node *n, const Candidate *c)
{
    Frame   *f      = n->frame;
    uint64_t before = worker_nodes(w);
    if (n->is_root) report_root_progress(w, n, c);
    worker_play(w, n->ply, c->move);
    f[1].double_extensions += c->extension >= 2;
    Score score = search_move(w, n, c, n->alpha);
    worker_undo(w);
    if (n->is_root && !w->aborted) note_root_move(w, n, c, score, before);
    return score;
}

/* Searches the moves; returns the best score, -SCORE_INFINITE when there was none to search. */
static Score search_moves(Worker *w, Node *n)
{
    Frame *f    = n->frame;
    Score  best = -SCORE_INFINITE, early = SCORE_DRAW;
    Picker picker;
    Tried  tried  = {0};
    int    number = 0;
    picker_init(&picker, w, n->ply, PICK_ALL, n->is_root ? w->root_moves[w->pv_index].move : n->hit.move, 0);
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        if (move == f->excluded || (n->is_root && !find_root_move(w, move))) continue;
        Candidate c = make_candidate(w, n, &picker.checks, move, ++number);
        if (number > 1 && is_pruned(w, n, &c, &picker, best)) continue;
        if (decide_singular(w, n, &c, &early)) {
            n->is_multicut = true;
            return early;
        }
        if (feature_on(w, FEATURE_CHECK_EXTENSION) && n->in_check && c.extension == 0 && n->ply < 2 * w->root_depth)
            c.extension = 1;
        Score score = try_move(w, n, &c);
        if (w->aborted) return SCORE_DRAW;
        if (score > best) best = score;
        if (score > n->alpha) {
            n->best_move = move;
            if (n->is_pv) step_update_pv(f, move);
            if (score >= n->beta) {
                f->cutoffs++;
                w->counts.cutoffs[number < CUTOFF_NUMBERS ? number - 1 : CUTOFF_NUMBERS - 1]++;
                step_update_histories(w, n, &tried);
                return best;
            }
            n->alpha = score;
        }
        remember_tried(&tried, &c);
    }
    return best;
}

/* Checkmate, stalemate, or nothing left besides the excluded move. */
static Score score_without_moves(const Node *n)
{
    if (n->frame->excluded) return n->alpha;
    return n->in_check ? score_mated_in(n->ply) : SCORE_DRAW;
}

static void begin_node(Worker *w, Node *n)
{
    Frame *f        = n->frame;
    n->in_check     = f->king.checkers != 0;
    f->pv_length    = 0;
    f[2].killers[0] = f[2].killers[1] = MOVE_NONE;
    f[1].cutoffs                      = 0;
    f[1].excluded                     = MOVE_NONE;
    if (n->ply > w->seldepth) w->seldepth = n->ply;
}

/* The static evaluation and what it already decides. */
static bool prune_node(Worker *w, Node *n, Score *out)
{
    if (n->in_check) {
        n->frame->eval = n->eval = SCORE_NONE;
        return false;
    }
    if (n->frame->excluded) {
        n->eval = n->raw_eval = n->frame->eval; /* known from the visit that asks */
        n->improving          = is_improving(w, n);
        return false;
    }
    step_static_eval(w, n);
    n->improving = is_improving(w, n);
    return step_razoring(w, n, out) || step_reverse_futility(w, n, out) || step_null_move(w, n, out) || step_probcut(w, n, out);
}

Score search_node(Worker *w, int ply, int depth, Score alpha, Score beta, bool is_pv, bool cut_node)
{
    if (depth <= 0) return search_quiesce(w, ply, 0, alpha, beta, is_pv);
    Node n  = {.frame = frame_at(w, ply), .ply = ply, .depth = depth, .alpha = alpha, .beta = beta};
    n.floor = -SCORE_INFINITE, n.ceiling = SCORE_INFINITE;
    n.is_pv = is_pv, n.cut_node = cut_node, n.is_root = ply == 0;
    Score start_alpha = alpha, score = SCORE_DRAW;
    begin_node(w, &n);
    if (worker_should_stop(w)) return SCORE_DRAW;
    if (step_draw(w, &n, &score) || step_too_deep(w, &n, &score) || step_mate_distance(w, &n, &score)) return score;
    if (n.alpha > start_alpha) start_alpha = n.alpha;
    if (n.frame->excluded) {
        n.hit = (TtHit){.score = SCORE_NONE, .eval = SCORE_NONE, .depth = -1};
    } else {
        step_probe(w, &n);
        if (!is_pv && step_hash_cutoff(w, &n, depth, &score)) return score;
        if (step_tables(w, &n, &score)) return score;
    }
    if (prune_node(w, &n, &score)) return w->aborted ? SCORE_DRAW : score;
    step_internal_reduction(w, &n);

    Score best = search_moves(w, &n);
    if (w->aborted) return SCORE_DRAW;
    if (best == -SCORE_INFINITE) return score_without_moves(&n);
    if (best < n.floor) best = n.floor;
    if (best > n.ceiling) best = n.ceiling;
    if (n.frame->excluded || n.is_multicut) return best; /* not the value of this node's own question */
    Bound bound = best >= beta ? BOUND_LOWER : n.is_pv && n.alpha > start_alpha ? BOUND_EXACT : BOUND_UPPER;
    if (!n.is_root || w->pv_index == 0) step_store(w, &n, best, bound, n.depth);
    step_update_correction(w, &n, best, bound);
    return best;
}

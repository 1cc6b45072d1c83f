/* iterate.c - deeper and deeper: iterations, aspiration windows, the order of the root moves, reports, and when to stop. */
#include <stdlib.h>

#include "search/params.h"
#include "search/worker.h"

static Score clamp_score(int value)
{
    return value < -SCORE_INFINITE ? -SCORE_INFINITE : value > SCORE_INFINITE ? SCORE_INFINITE : value;
}

/* ---- reports ---- */

static void report_line(Worker *w, int line, Score score, Bound bound, const RootMove *root)
{
    struct Search        *search   = w->search;
    const SearchListener *listener = &search->listener;
    if (!listener->info) return;
    SearchInfo info = {
        .root       = &search->root,
        .depth      = w->root_depth,
        .seldepth   = root->seldepth,
        .multipv    = line + 1,
        .score      = score,
        .bound      = bound,
        .nodes      = search_nodes(search),
        .line_nodes = root->nodes,
        .time_ms    = search_elapsed_ms(search),
        .tbhits     = search_tbhits(search),
        .hashfull   = tt_hashfull(search->tt),
        .pv         = root->pv,
        .pv_length  = root->pv_length,
        .counts     = &w->counts,
    };
    listener->info(listener->context, &info);
    if (line == 0) {
        w->reported       = root->move;
        w->reported_reply = root->pv_length > 1 ? root->pv[1] : MOVE_NONE;
    }
}

/* Every line of this iteration; a line that was not reached keeps its last score. */
static void report_iteration(Worker *w, int lines)
{
    for (int i = 0; i < lines; i++) {
        const RootMove *root = &w->root_moves[i];
        if (root->score != -SCORE_INFINITE) report_line(w, i, root->score, BOUND_EXACT, root);
    }
}

/* ---- the order of the root moves ---- */

static bool comes_before(const RootMove *a, const RootMove *b)
{
    if (a->rank != b->rank) return a->rank > b->rank;
    return a->score != b->score ? a->score > b->score : a->previous > b->previous;
}

/* A stable insertion sort: equal moves keep their order, and there are few. */
static void sort_root_moves(RootMove *moves, int begin, int end)
{
    for (int i = begin + 1; i < end; i++) {
        for (int k = i; k > begin && comes_before(&moves[k], &moves[k - 1]); k--) {
            RootMove swap = moves[k];
            moves[k]      = moves[k - 1];
            moves[k - 1]  = swap;
        }
    }
}

/* ---- one line at one depth ---- */

/* A narrow window first: most iterations confirm the last score, and a narrow window cuts more. */
static void search_line(Worker *w, int depth)
{
    enum { QUIET_MS = 3000 };
    const SearchConfig *config  = &w->search->config;
    int                 width   = config->aspiration_window >= 0 ? config->aspiration_window : TUNED(w->params, ASPIRATION_WIDTH);
    Score               average = w->root_moves[w->pv_index].average;
    Score               alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    bool                narrow = feature_on(w, FEATURE_ASPIRATION) && depth >= TUNED(w->params, ASPIRATION_DEPTH) && width > 0 &&
                  average != -SCORE_INFINITE;
    if (narrow) {
        alpha = clamp_score(average - width);
        beta  = clamp_score(average + width);
    }
    for (int failed_high = 0;;) {
        int   now   = depth - failed_high > 1 ? depth - failed_high : 1;
        Score score = search_node(w, 0, now, alpha, beta, true, false);
        sort_root_moves(w->root_moves, w->pv_index, w->root_count);
        if (w->aborted) return;
        const RootMove *root  = &w->root_moves[w->pv_index];
        bool            fails = score <= alpha || score >= beta;
        if (fails && w->index == 0 && w->search->limits.multipv == 1 && search_elapsed_ms(w->search) > QUIET_MS)
            report_line(w, w->pv_index, score, score <= alpha ? BOUND_UPPER : BOUND_LOWER, root);
        if (score <= alpha) {
            beta        = (alpha + beta) / 2;
            alpha       = clamp_score(score - width);
            failed_high = 0;
        } else if (score >= beta) {
            beta = clamp_score(score + width);
            if (failed_high < 3 && !score_is_decisive(score)) failed_high++;
        } else {
            return;
        }
        width += width / 2;
        if (width > 600 || score_is_decisive(score)) {
            alpha = -SCORE_INFINITE;
            beta  = SCORE_INFINITE;
        }
    }
}

/* ---- when to stop ---- */

/* How settled the search is, over the iterations. */
typedef struct {
    Move  best;
    int   stable;   /* iterations with the same best move */
    Score score[2]; /* of the last two iterations */
} Mood;

static void update_mood(Mood *mood, const RootMove *root)
{
    mood->stable   = root->move == mood->best ? mood->stable + 1 : 0;
    mood->best     = root->move;
    mood->score[1] = mood->score[0];
    mood->score[0] = root->score;
}

/* The soft limit, stretched when the best move changes, takes few of the nodes, or loses score; shrunk when all is clear. */
static double time_scale(const Worker *w, const Mood *mood)
{
    uint64_t nodes     = worker_nodes(w);
    double   share     = nodes ? (double)w->root_moves[0].nodes / (double)nodes : 0.5;
    double   effort    = 1.9 - 1.4 * share;
    int      stable    = mood->stable < 10 ? mood->stable : 10;
    double   stability = 1.25 - 0.05 * stable;
    int      drop      = mood->score[1] - mood->score[0];
    drop               = drop < -20 ? -20 : drop > 60 ? 60 : drop;
    double trend       = 1.0 + drop * 0.006;
    return effort * stability * trend;
}

static bool mate_is_proved(const Worker *w, int moves)
{
    Score score = w->root_moves[0].score;
    return moves > 0 && score_is_mate(score) && score > 0 && score_mate_moves(score) <= moves;
}

/* A mate that no deeper search can shorten. */
static bool nothing_to_gain(const Worker *w)
{
    Score score = w->root_moves[0].score;
    return score_is_mate(score) && w->root_depth > 2 * abs(score_mate_moves(score)) + 8;
}

static bool iteration_is_last(Worker *w, const Mood *mood)
{
    struct Search      *search = w->search;
    const SearchLimits *limits = &search->limits;
    if (limits->depth && w->root_depth >= limits->depth) return true;
    if (mate_is_proved(w, limits->mate)) return true;
    if (limits->soft_nodes && search_nodes(search) >= limits->soft_nodes) return true;
    if (!limits->soft_ms || atomic_load_explicit(&search->pondering, memory_order_relaxed)) return false;
    if (w->root_count == 1 || nothing_to_gain(w)) return true;
    return (double)search_elapsed_ms(search) >= (double)limits->soft_ms * time_scale(w, mood);
}

/* ---- all iterations ---- */

/* The next depth to search: every one, or for study the last at once. */
static int first_depth(const Worker *w)
{
    const struct Search *search = w->search;
    return search->config.iterative || !search->limits.depth ? 1 : search->limits.depth;
}

static bool iterate_once(Worker *w, int depth, int lines)
{
    w->root_depth = depth;
    for (int i = 0; i < w->root_count; i++) {
        w->root_moves[i].previous = w->root_moves[i].score;
        w->root_moves[i].score    = -SCORE_INFINITE;
    }
    for (w->pv_index = 0; w->pv_index < lines && !w->aborted; w->pv_index++) {
        w->seldepth = 0;
        search_line(w, depth);
        if (!w->aborted) sort_root_moves(w->root_moves, 0, w->pv_index + 1);
    }
    w->pv_index = 0;
    return !w->aborted;
}

/* An unfinished iteration counts as far as it came: when it confirmed or replaced the best move. Otherwise the last whole one
 * stands. */
static void settle_aborted(Worker *w, const RootMove *last)
{
    if (w->root_moves[0].score != -SCORE_INFINITE && w->root_moves[0].bound != BOUND_UPPER) return;
    for (int i = 0; i < w->root_count; i++) {
        if (w->root_moves[i].move != last->move) continue;
        for (int k = i; k > 0; k--) w->root_moves[k] = w->root_moves[k - 1];
        w->root_moves[0] = *last;
        return;
    }
}

void worker_iterate(Worker *w)
{
    Mood mood  = {.best = MOVE_NONE};
    int  lines = w->search->limits.multipv < w->root_count ? w->search->limits.multipv : w->root_count;
    sort_root_moves(w->root_moves, 0, w->root_count); /* by rank: nothing else is known yet */
    RootMove last = w->root_moves[0];
    for (int depth = first_depth(w); depth <= SEARCH_DEPTH_MAX; depth++) {
        if (!iterate_once(w, depth, lines)) {
            settle_aborted(w, &last);
            break;
        }
        w->completed = depth;
        last         = w->root_moves[0];
        if (w->index != 0) {
            if (atomic_load_explicit(&w->search->stop, memory_order_relaxed)) break;
            if (w->search->limits.depth && depth >= w->search->limits.depth) break;
            continue;
        }
        report_iteration(w, lines);
        update_mood(&mood, &last);
        if (iteration_is_last(w, &mood)) break;
        if (atomic_load_explicit(&w->search->stop, memory_order_relaxed)) break;
    }
}

/* announce.c - the verdict of a finished search: whose move is played, its last line, and the result for the listener.
 *
 * Called by worker 0 when all others sleep. Not hot.
 */
#include "search/worker.h"

/* Whoever searched deepest with the best score has most to say; agreement adds up. */
static Worker *vote(Search *search)
{
    Worker *best   = search->workers[0];
    Score   lowest = SCORE_INFINITE;
    if (search->thread_count == 1 || search->by_mcts || search->limits.multipv > 1 || search->limits.depth) return best;
    for (int i = 0; i < search->thread_count; i++) {
        Worker *w = search->workers[i];
        if (w->completed && w->root_moves[0].score < lowest) lowest = w->root_moves[0].score;
    }
    int64_t best_votes = -1;
    for (int i = 0; i < search->thread_count; i++) {
        Worker *w     = search->workers[i];
        int64_t votes = 0;
        if (!w->completed || w->root_moves[0].score == -SCORE_INFINITE) continue;
        for (int k = 0; k < search->thread_count; k++) {
            const Worker *other = search->workers[k];
            if (other->completed && other->root_moves[0].move == w->root_moves[0].move)
                votes += (int64_t)(other->root_moves[0].score - lowest + 20) * other->completed;
        }
        bool mates = score_is_win(w->root_moves[0].score) && w->root_moves[0].score > best->root_moves[0].score;
        bool wins  = score_is_win(best->root_moves[0].score);
        if (mates || (!wins && (votes > best_votes || (votes == best_votes && w->completed > best->completed)))) {
            best       = w;
            best_votes = votes;
        }
    }
    return best;
}

/* The opponent's expected reply: the second move of the line, or what the table knows after the first. */
static Move find_ponder(const Search *search, const RootMove *root)
{
    if (root->pv_length > 1) return root->pv[1];
    Position next;
    TtHit    hit;
    position_play(&search->root, root->move, &next);
    KingState king = movegen_king_state(&next);
    if (!tt_probe(search->tt, next.key, 1, &hit) || hit.move == MOVE_NONE) return MOVE_NONE;
    return movegen_is_legal(&next, &king, hit.move) ? hit.move : MOVE_NONE;
}

static void report_line(const Search *search, const Worker *w, int line)
{
    const SearchListener *listener = &search->listener;
    const RootMove       *root     = &w->root_moves[line];
    bool                  reached  = root->score != -SCORE_INFINITE; /* by the last iteration, which may have been cut short */
    int                   depth    = reached ? w->root_depth : w->completed;
    SearchInfo            info     = {
                       .root      = &search->root,
                       .depth     = depth > 0 ? depth : 1,
                       .seldepth  = root->seldepth,
                       .multipv   = line + 1,
                       .score     = reached ? root->score : root->previous,
                       .bound     = BOUND_EXACT,
                       .nodes     = search_nodes(search),
                       .time_ms   = search_elapsed_ms(search),
                       .tbhits    = search_tbhits(search),
                       .hashfull  = search_hashfull(search),
                       .pv        = root->pv,
                       .pv_length = root->pv_length,
    };
    listener->info(listener->context, &info);
}

/* Before the best move comes a line that begins with it, also when the last iteration was cut short or another thread won; the
 * other lines follow, lest a move stands in two of them. */
static void report_last_lines(Search *search, Worker *best)
{
    const Worker *lead = search->workers[0];
    RootMove     *root = &best->root_moves[0];
    if (root->score == -SCORE_INFINITE) root->score = evaluator_score(best->evaluator, &search->root);
    Move reply = root->pv_length > 1 ? root->pv[1] : MOVE_NONE;
    bool told  = lead->reported == root->move && lead->reported_reply == reply && best == lead;
    if (!search->listener.info || told) return;
    report_line(search, best, 0);
    for (int i = 1; i < search->limits.multipv && i < best->root_count; i++) {
        const RootMove *next = &best->root_moves[i];
        if (next->score == -SCORE_INFINITE && next->previous == -SCORE_INFINITE) break; /* never searched */
        report_line(search, best, i);
    }
}

void search_announce(Search *search)
{
    Worker               *lead     = search->workers[0];
    Worker               *best     = lead->root_count ? vote(search) : lead;
    const SearchListener *listener = &search->listener;
    SearchResult          result   = {.root = &search->root, .nodes = search_nodes(search), .time_ms = search_elapsed_ms(search)};
    if (best->root_count) {
        const RootMove *root = &best->root_moves[0];
        report_last_lines(search, best);
        result.best   = root->move;
        result.ponder = find_ponder(search, root);
        result.score  = root->score;
        result.depth  = best->completed;
    }
    if (listener->done) listener->done(listener->context, &result);
}

/* mcts_report.c - what the tree says: root moves in order, lines, scores; and the new root in the old tree. See mcts.h. */
#include <string.h>

#include "search/mcts.h"
#include "search/mcts_playout.h"
#include "search/mcts_proof.h"

/* ---- the order of moves ---- */

typedef enum { CLASS_LOST, CLASS_UNTRIED, CLASS_OPEN, CLASS_WON } MoveClassOf;

/* What a move's place depends on: won before open before untried before lost; the nearer win, the more visits, the later loss. */
typedef struct {
    Move move;
    int  rank; /* of a root move, by SearchLimits: comes first of all */
    MoveClassOf class;
    uint32_t visits;
    Score    score;
    CellId   child;
} Ranked;

static Ranked rank_edge(const Tree *tree, const TreeNode *node, const TreeEdge *edge)
{
    const TreeNode *child = mcts_tree_child(tree, edge);
    Ranked          r     = {.move = edge->move, .class = CLASS_UNTRIED, .score = -SCORE_INFINITE};
    bool            mates =
        edge->move == atomic_load_explicit(&node->best, memory_order_relaxed) && node_bounds(node).lower == SCORE_MATE - 1;
    if (mates) { /* seen when the moves were made, and never tried */
        r.class = CLASS_WON;
        r.score = SCORE_MATE - 1;
    }
    if (mates || !child || node_visits(child) == 0) return r;
    Bounds b = bounds_from_parent(node_bounds(child));
    r.child  = atomic_load_explicit(&edge->child, memory_order_acquire);
    r.visits = node_visits(child);
    r.class  = bounds_are_won(b) ? CLASS_WON : bounds_are_lost(b) ? CLASS_LOST : CLASS_OPEN;
    r.score  = r.class == CLASS_WON ? b.lower : r.class == CLASS_LOST ? b.upper : mcts_score_of(node_value(child));
    return r;
}

static bool comes_before(const Ranked *a, const Ranked *b)
{
    if (a->rank != b->rank) return a->rank > b->rank;
    if (a->class != b->class) return a->class > b->class;
    if (a->class == CLASS_OPEN && a->visits != b->visits) return a->visits > b->visits;
    return a->score > b->score;
}

/* The move of a node that the tree would play; MOVE_NONE in `move` when it has none with visits. */
static Ranked best_of(const Tree *tree, const TreeNode *node)
{
    Ranked   best = {.move = MOVE_NONE};
    EdgeWalk walk = mcts_tree_edges(tree, node);
    for (TreeEdge *edge; (edge = mcts_tree_next_edge(&walk));) {
        Ranked r = rank_edge(tree, node, edge);
        if (r.class == CLASS_UNTRIED) continue;
        if (best.move == MOVE_NONE || comes_before(&r, &best)) best = r;
    }
    Move decisive = atomic_load_explicit(&node->best, memory_order_relaxed);
    if (best.move == MOVE_NONE && bounds_are_won(node_bounds(node))) best.move = decisive; /* the last move of a mate */
    return best;
}

/* The line that begins with this move. */
static int follow(const Tree *tree, const Ranked *first, Move pv[], int longest)
{
    int    length = 0;
    Ranked next   = *first;
    while (length < longest && next.move != MOVE_NONE) {
        pv[length++] = next.move;
        if (next.child == CELL_NONE) break;
        next = best_of(tree, mcts_tree_node(tree, next.child));
    }
    return length;
}

static void sort_ranked(Ranked *list, int count)
{
    for (int i = 1; i < count; i++) {
        for (int k = i; k > 0 && comes_before(&list[k], &list[k - 1]); k--) {
            Ranked swap = list[k];
            list[k]     = list[k - 1];
            list[k - 1] = swap;
        }
    }
}

/* An untried move is not put before those that can be shown. */
static int rank_of(const SearchLimits *limits, const Ranked *r)
{
    int rank = 0;
    for (int i = 0; i < limits->move_count; i++) {
        if (limits->moves[i] == r->move) rank = limits->ranks[i];
    }
    return r->class == CLASS_UNTRIED && rank > 0 ? 0 : rank;
}

void mcts_rank_root(Worker *w)
{
    const Mcts     *m     = w->search->mcts;
    const TreeNode *root  = mcts_tree_node(&m->tree, m->tree.root);
    EdgeWalk        walk  = mcts_tree_edges(&m->tree, root);
    int             count = 0, deepest = 1;
    Ranked          list[MOVES_MAX];
    for (TreeEdge *edge; (edge = mcts_tree_next_edge(&walk));) {
        list[count]      = rank_edge(&m->tree, root, edge);
        list[count].rank = rank_of(&w->search->limits, &list[count]);
        count++;
    }
    sort_ranked(list, count);
    for (int i = 0; i < m->thread_count; i++) {
        int ply = atomic_load_explicit(&m->threads[i].deepest, memory_order_relaxed);
        deepest = ply > deepest ? ply : deepest;
    }
    for (int i = 0; i < count; i++) {
        RootMove *r  = &w->root_moves[i];
        r->move      = list[i].move;
        r->score     = list[i].score;
        r->bound     = BOUND_EXACT;
        r->nodes     = list[i].visits;
        r->pv_length = follow(&m->tree, &list[i], r->pv, PLY_MAX);
        r->seldepth  = deepest > r->pv_length ? deepest : r->pv_length;
    }
}

/* ---- telling ---- */

void mcts_report(Worker *w)
{
    struct Search        *search   = w->search;
    Mcts                 *m        = search->mcts;
    const SearchListener *listener = &search->listener;
    int                   lines    = search->limits.multipv < w->root_count ? search->limits.multipv : w->root_count;
    int depth = mcts_depth(m), proved = score_is_decisive(w->root_moves[0].score) ? w->root_moves[0].pv_length : 0;
    if (proved > depth) depth = proved; /* nothing is left to look for in a mate of that length */
    m->depth_told     = depth > m->depth_told ? depth : m->depth_told;
    m->last_report_ms = search_elapsed_ms(search);
    w->root_depth     = m->depth_told;
    SearchInfo info   = {
          .root     = &search->root,
          .depth    = m->depth_told,
          .bound    = BOUND_EXACT,
          .nodes    = search_nodes(search),
          .time_ms  = m->last_report_ms,
          .tbhits   = search_tbhits(search),
          .hashfull = mcts_fill(m),
    };
    for (int i = 0; i < lines && listener->info; i++) {
        const RootMove *root = &w->root_moves[i];
        if (root->score == -SCORE_INFINITE) break; /* untried */
        info.multipv    = i + 1;
        info.line_nodes = root->nodes;
        info.seldepth   = root->seldepth;
        info.score      = root->score;
        info.pv         = root->pv;
        info.pv_length  = root->pv_length;
        listener->info(listener->context, &info);
    }
    w->reported       = w->root_moves[0].move;
    w->reported_reply = w->root_moves[0].pv_length > 1 ? w->root_moves[0].pv[1] : MOVE_NONE;
}

void mcts_settle(Worker *w)
{
    Move first = w->reported, reply = w->reported_reply;
    mcts_rank_root(w);
    const RootMove *root = &w->root_moves[0];
    if (root->move != first || (root->pv_length > 1 ? root->pv[1] : MOVE_NONE) != reply) mcts_report(w);
    w->completed = w->root_depth;
}

/* ---- knowing the tree again ---- */

/* Of the keys that can still come back: two histories with the same digest draw by repetition in the same places. */
Key mcts_past(const Position *root, const Key *history, size_t history_count)
{
    size_t reach  = history_count < root->halfmove ? history_count : root->halfmove;
    Key    digest = root->halfmove;
    for (size_t i = history_count - reach; i < history_count; i++) digest = (digest ^ history[i]) * 0x9e3779b97f4a7c15U;
    return digest;
}

/* The child of `node` whose position has this key; CELL_NONE when the tree has none. `*pos` becomes that position. */
static CellId step_to(const Tree *tree, CellId id, Key key, Position *pos)
{
    EdgeWalk walk = mcts_tree_edges(tree, mcts_tree_node(tree, id));
    for (TreeEdge *edge; (edge = mcts_tree_next_edge(&walk));) {
        CellId   child = atomic_load_explicit(&edge->child, memory_order_acquire);
        Position next;
        position_play(pos, edge->move, &next);
        if (next.key != key) continue;
        *pos = next;
        return child;
    }
    return CELL_NONE;
}

/* Whether the tree's root is the position `back` plies before the new one, and the moves since are in the tree. */
static CellId find_root(const Mcts *m, const Position *root, const Key *history, size_t count, size_t back)
{
    Position pos = m->root;
    CellId   id  = m->tree.root;
    if ((back ? history[count - back] : root->key) != m->root.key) return CELL_NONE;
    if (mcts_past(&m->root, history, count - back) != m->past) return CELL_NONE;
    for (size_t i = 1; i <= back && id != CELL_NONE; i++)
        id = step_to(&m->tree, id, i < back ? history[count - back + i] : root->key, &pos);
    bool same = position_same(&pos, root) && pos.halfmove == root->halfmove && pos.chess960 == root->chess960;
    return same ? id : CELL_NONE;
}

bool mcts_adopt(Mcts *m, const Position *root, const Key *history, size_t history_count)
{
    enum { BACK_MAX = 8 };
    if (m->tree.root == CELL_NONE) return false;
    for (size_t back = 0; back <= BACK_MAX && back <= history_count; back++) {
        CellId id = find_root(m, root, history, history_count, back);
        if (id == CELL_NONE) continue;
        mcts_tree_keep(&m->tree, id);
        return true;
    }
    return false;
}

/* mcts_walk.c - one playout: selection, expansion, simulation, backpropagation. Hot: all of it. See mcts.h. */
#include "chess/checks.h"
#include "search/mcts.h"
#include "search/mcts_playout.h"
#include "search/mcts_prior.h"
#include "search/mcts_proof.h"

/* A move that mates at once, MOVE_NONE when there is none. */
static Move find_mate(const Position *pos, const MoveList *list)
{
    CheckMap checks;
    checks_map(pos, &checks);
    for (int i = 0; i < list->count; i++) {
        Position next;
        if (!checks_gives(pos, &checks, list->moves[i])) continue;
        position_play(pos, list->moves[i], &next);
        if (!movegen_has_legal_move(&next)) return list->moves[i];
    }
    return MOVE_NONE;
}

/* At the root only the moves that were asked for. */
static void list_moves(Worker *w, int ply, MoveList *list)
{
    const Frame *f = frame_at(w, ply);
    if (ply > 0) {
        movegen_class(&f->pos, &f->king, MOVES_ALL, list);
        return;
    }
    list->count = w->root_count;
    for (int i = 0; i < w->root_count; i++) list->moves[i] = w->root_moves[i].move;
}

bool mcts_expand(Worker *w, TreeNode *node, int ply)
{
    Mcts           *m    = w->search->mcts;
    const Position *pos  = &frame_at(w, ply)->pos;
    CellId          none = CELL_NONE;
    MoveList        list;
    uint16_t        priors[MOVES_MAX];
    if (!atomic_compare_exchange_strong_explicit(&node->edges, &none, (CellId)EDGES_EXPANDING, memory_order_acquire,
                                                 memory_order_relaxed))
        return false;
    list_moves(w, ply, &list);
    Move mate = find_mate(pos, &list);
    if (mate != MOVE_NONE) {
        atomic_store_explicit(&node->best, mate, memory_order_relaxed);
        node_prove(node, BOUNDS_MATES);
    }
    if (mate == MOVE_NONE && m->mating && ply == m->expand_max) node_prove(node, BOUNDS_NOT_WON);
    if (list.count == 0 || (mate != MOVE_NONE && ply > 0)) { /* there is nothing to follow; but a root shows all its moves */
        atomic_store_explicit(&node->edges, CELL_NONE, memory_order_release);
        return true;
    }
    mcts_order(pos, atomic_load_explicit(&node->best, memory_order_relaxed), &list, priors);
    if (mcts_tree_make_edges(&m->tree, &m->threads[w->index].store, node, list.moves, priors, list.count)) return true;
    atomic_store_explicit(&m->low, true, memory_order_relaxed);
    return false;
}

/* The end of the game as the rules have it. */
static bool is_terminal(Worker *w, TreeNode *node, int ply)
{
    const Frame *f = frame_at(w, ply);
    if (draw_by_rule(w, ply)) {
        node_prove(node, BOUNDS_DRAWN);
    } else if (node_visits(node) <= 1 && !movegen_has_legal_move(&f->pos)) {
        node_prove(node, f->king.checkers ? BOUNDS_MATED : BOUNDS_DRAWN);
    } else {
        return false;
    }
    return true;
}

/* The node behind the edge, made now when the edge was never taken; NULL when cells are short. */
static TreeNode *take_edge(Mcts *m, CellStore *store, TreeEdge *edge)
{
    CellId id = atomic_load_explicit(&edge->child, memory_order_acquire);
    if (id != CELL_NONE) return mcts_tree_node(&m->tree, id);
    CellId made = mcts_tree_new_node(&m->tree, store);
    if (made == CELL_NONE) {
        atomic_store_explicit(&m->low, true, memory_order_relaxed);
        return NULL;
    }
    if (atomic_compare_exchange_strong_explicit(&edge->child, &id, made, memory_order_acq_rel, memory_order_acquire))
        return mcts_tree_node(&m->tree, made);
    mcts_tree_drop_cell(&m->tree, store, made); /* another thread was faster */
    return mcts_tree_node(&m->tree, id);
}

static uint32_t count_visit(TreeNode *node) { return atomic_fetch_add_explicit(&node->visits, 1, memory_order_relaxed); }

/* The side that is to mate moves at even plies. */
bool mcts_is_refuted(const Mcts *m, const TreeNode *node, int ply)
{
    Bounds b = node_bounds(node);
    return m->mating && (ply % 2 == 0 ? b.upper <= SCORE_DRAW : b.lower >= SCORE_DRAW);
}

/* Whether the walk ends here: decided, at the end of the game, new, too deep, or without memory for its moves. */
static bool ends_here(Worker *w, TreeNode *node, int ply, uint32_t visits_before)
{
    const Mcts *m = w->search->mcts;
    if (ply == 0) return false;
    if (bounds_are_closed(node_bounds(node)) || mcts_is_refuted(m, node, ply) || is_terminal(w, node, ply)) return true;
    if (node_is_expanded(node)) return false;
    if (ply > m->expand_max) return true;
    if (visits_before == 0) {
        if (m->mating) mcts_expand(w, node, ply); /* looks for a mate at once */
        return true;
    }
    return !mcts_expand(w, node, ply) || !node_is_expanded(node) || mcts_is_refuted(m, node, ply);
}

/* Walks down to a leaf and returns its ply; the path is in the thread's `path`, the positions in the frames. */
static int descend(Worker *w)
{
    Mcts       *m    = w->search->mcts;
    MctsThread *t    = &m->threads[w->index];
    TreeNode   *node = mcts_tree_node(&m->tree, m->tree.root);
    Selection   how  = m->selection;
    for (int ply = 0;; ply++) {
        uint32_t before = count_visit(node);
        t->path[ply]    = node;
        if (ends_here(w, node, ply, before)) return ply;
        how.must_win    = m->mating && ply % 2 == 0 && !mcts_is_refuted(m, node, ply);
        TreeEdge *edge  = mcts_select(&m->tree, node, &how, before);
        TreeNode *child = edge ? take_edge(m, &t->store, edge) : NULL;
        if (!child) return ply;
        worker_play(w, ply, edge->move);
        node         = child;
        how.at_least = 0; /* only the root shows several lines */
    }
}

/* What the leaf is worth for its side to move: a fact where there is one. */
static double simulate(Worker *w, TreeNode *leaf, int ply)
{
    Mcts  *m = w->search->mcts;
    Bounds b = node_bounds(leaf);
    Move   hint;
    if (bounds_are_closed(b)) return bounds_floor(b);
    if (mcts_is_refuted(m, leaf, ply)) return ply % 2;
    if (ply == 0) return 1 - node_value(leaf); /* no cell for any child: nothing to ask */
    double value = mcts_playout(w, ply, m->playout, &m->threads[w->index].rng, &hint);
    if (hint != MOVE_NONE && !bounds_are_decisive(node_bounds(leaf)))
        atomic_store_explicit(&leaf->best, hint, memory_order_relaxed);
    return value;
}

void mcts_back_up(const Tree *tree, TreeNode *const path[], int ply, double value)
{
    Bounds leaf = node_bounds(path[ply]);
    bool   news = leaf.lower > -SCORE_MATE || leaf.upper < SCORE_MATE;
    for (int i = ply; i >= 0; i--) {
        TreeNode *node = path[i];
        if (news && i < ply) news = node_prove_from_children(tree, node);
        Bounds b = node_bounds(node);
        if (bounds_are_closed(b)) value = bounds_floor(b);
        value = 1 - value;
        atomic_fetch_add_explicit(&node->value, (uint64_t)(value * (double)VALUE_ONE), memory_order_relaxed);
    }
}

static void count_playout(MctsThread *t, int ply)
{
    /* Only this thread writes; others read. */
    uint64_t playouts = atomic_load_explicit(&t->playouts, memory_order_relaxed);
    uint64_t depths   = atomic_load_explicit(&t->depth_sum, memory_order_relaxed);
    atomic_store_explicit(&t->depth_sum, depths + (uint64_t)ply, memory_order_relaxed);
    atomic_store_explicit(&t->playouts, playouts + 1, memory_order_relaxed);
    if (ply > atomic_load_explicit(&t->deepest, memory_order_relaxed))
        atomic_store_explicit(&t->deepest, ply, memory_order_relaxed);
}

void mcts_play_once(Worker *w)
{
    Mcts       *m     = w->search->mcts;
    MctsThread *t     = &m->threads[w->index];
    int         ply   = descend(w);
    double      value = simulate(w, t->path[ply], ply);
    for (int i = 0; i < ply; i++) worker_undo(w);
    if (w->aborted) { /* stopped in the middle: as if it had never begun */
        for (int i = 0; i <= ply; i++) atomic_fetch_sub_explicit(&t->path[i]->visits, 1, memory_order_relaxed);
        return;
    }
    mcts_back_up(&m->tree, t->path, ply, value);
    count_playout(t, ply);
}

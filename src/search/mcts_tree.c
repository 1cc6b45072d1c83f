/* mcts_tree.c - see mcts_tree.h. */
#include "search/mcts_tree.h"

#include <string.h>

#include "search/mcts_proof.h"

enum { STORE_CELLS = 1024 };

void mcts_tree_init(Tree *tree)
{
    *tree = (Tree){0};
    pthread_mutex_init(&tree->lock, NULL);
}

void mcts_tree_release(Tree *tree) { pthread_mutex_destroy(&tree->lock); }

void mcts_tree_set_memory(Tree *tree, void *memory, size_t size)
{
    size_t count      = size / sizeof(TreeCell);
    tree->cells       = memory;
    tree->cell_count  = count < (CellId)EDGES_EXPANDING ? (uint32_t)count : (CellId)EDGES_EXPANDING;
    tree->store_cells = tree->cell_count / 4096 < STORE_CELLS ? tree->cell_count / 4096 + 1 : STORE_CELLS;
    mcts_tree_reset(tree);
}

void mcts_tree_reset(Tree *tree)
{
    tree->root       = CELL_NONE;
    tree->fresh      = 1;
    tree->free       = CELL_NONE;
    tree->free_count = 0;
}

uint32_t mcts_tree_used(Tree *tree)
{
    pthread_mutex_lock(&tree->lock);
    uint32_t used = tree->fresh - tree->free_count;
    pthread_mutex_unlock(&tree->lock);
    return used;
}

/* ---- cells ---- */

static CellId take_one(Tree *tree)
{
    CellId id = tree->free;
    if (id != CELL_NONE) {
        tree->free = tree->cells[id].next_free;
        tree->free_count--;
    } else if (tree->fresh < tree->cell_count) {
        id = tree->fresh++;
    }
    return id;
}

static void refill(Tree *tree, CellStore *store)
{
    pthread_mutex_lock(&tree->lock);
    while (store->count < tree->store_cells) {
        CellId id = take_one(tree);
        if (id == CELL_NONE) break;
        tree->cells[id].next_free = store->free;
        store->free               = id;
        store->count++;
    }
    pthread_mutex_unlock(&tree->lock);
}

static CellId take_cell(Tree *tree, CellStore *store)
{
    if (store->count == 0) refill(tree, store);
    if (store->count == 0) return CELL_NONE;
    CellId id   = store->free;
    store->free = tree->cells[id].next_free;
    store->count--;
    return id;
}

void mcts_tree_drop_cell(Tree *tree, CellStore *store, CellId id)
{
    tree->cells[id].next_free = store->free;
    store->free               = id;
    store->count++;
}

CellId mcts_tree_new_node(Tree *tree, CellStore *store)
{
    CellId id = take_cell(tree, store);
    if (id == CELL_NONE) return id;
    TreeNode *node = mcts_tree_node(tree, id);
    atomic_init(&node->value, 0);
    atomic_init(&node->visits, 0);
    atomic_init(&node->bounds, bounds_pack(BOUNDS_OPEN));
    atomic_init(&node->edges, CELL_NONE);
    atomic_init(&node->best, MOVE_NONE);
    node->edge_count = 0;
    return id;
}

static void drop_chain(Tree *tree, CellStore *store, CellId first)
{
    while (first != CELL_NONE) {
        CellId next = tree->cells[first].edges.next;
        mcts_tree_drop_cell(tree, store, first);
        first = next;
    }
}

bool mcts_tree_make_edges(Tree *tree, CellStore *store, TreeNode *node, const Move *moves, const uint16_t *priors, int count)
{
    CellId first = CELL_NONE;
    for (int begin = (count - 1) / EDGES_A_CELL * EDGES_A_CELL; begin >= 0; begin -= EDGES_A_CELL) {
        CellId id = take_cell(tree, store); /* the last cell first: each names the one behind it */
        if (id == CELL_NONE) {
            drop_chain(tree, store, first);
            atomic_store_explicit(&node->edges, CELL_NONE, memory_order_release);
            return false;
        }
        EdgeCell *cell = &tree->cells[id].edges;
        cell->next     = first;
        first          = id;
        for (int i = 0; i < EDGES_A_CELL && begin + i < count; i++) {
            cell->edges[i].move  = moves[begin + i];
            cell->edges[i].prior = priors[begin + i];
            atomic_init(&cell->edges[i].child, CELL_NONE);
        }
    }
    node->edge_count = (uint16_t)count;
    atomic_store_explicit(&node->edges, first, memory_order_release);
    return true;
}

TreeEdge *mcts_tree_find_edge(const Tree *tree, const TreeNode *node, Move move)
{
    EdgeWalk  walk = mcts_tree_edges(tree, node);
    TreeEdge *edge;
    while ((edge = mcts_tree_next_edge(&walk)) && edge->move != move) {}
    return edge;
}

double node_mean(const TreeNode *node)
{
    uint32_t visits = node_visits(node);
    if (visits == 0) return 0.5;
    return (double)atomic_load_explicit(&node->value, memory_order_relaxed) / (double)VALUE_ONE / (double)visits;
}

/* ---- giving cells back ---- */

static void free_cell(Tree *tree, TreeCell *cells, CellId id)
{
    cells[id].next_free = tree->free;
    tree->free          = id;
    tree->free_count++;
}

static void free_subtree(Tree *tree, CellId id, CellId spared);

/* The edges of a node and all below them, but for the subtree `spared`. The tree is at most PLY_MAX plies deep. */
static void free_edges(Tree *tree, TreeNode *node, CellId spared)
{
    TreeCell *cells = tree->cells;
    if (!cells) return;
    EdgeWalk walk = mcts_tree_edges(tree, node);
    for (TreeEdge *edge; (edge = mcts_tree_next_edge(&walk));) {
        CellId child = atomic_load_explicit(&edge->child, memory_order_relaxed);
        if (child != CELL_NONE && child != spared) free_subtree(tree, child, spared);
    }
    CellId cell = atomic_load_explicit(&node->edges, memory_order_relaxed);
    while (cell != CELL_NONE) {
        CellId next = cells[cell].edges.next;
        free_cell(tree, cells, cell);
        cell = next;
    }
    atomic_store_explicit(&node->edges, CELL_NONE, memory_order_relaxed);
    node->edge_count = 0;
}

static void free_subtree(Tree *tree, CellId id, CellId spared)
{
    free_edges(tree, mcts_tree_node(tree, id), spared);
    free_cell(tree, tree->cells, id);
}

/* Takes the edges from every node below `node` that has fewer visits than asked for. */
static void prune_below(Tree *tree, const TreeNode *node, uint32_t visits)
{
    EdgeWalk walk = mcts_tree_edges(tree, node);
    for (TreeEdge *edge; (edge = mcts_tree_next_edge(&walk));) {
        TreeNode *child = mcts_tree_child(tree, edge);
        if (!child || !node_is_expanded(child)) continue;
        if (node_visits(child) < visits) {
            free_edges(tree, child, CELL_NONE);
        } else {
            prune_below(tree, child, visits);
        }
    }
}

void mcts_tree_collect(Tree *tree)
{
    enum { FREE_SHARE = 3 }; /* a third of the cells: rare enough, and what is thrown away was hardly visited */
    uint32_t wanted = tree->cell_count / FREE_SHARE;
    if (tree->root == CELL_NONE) return;
    const TreeNode *root = mcts_tree_node(tree, tree->root);
    for (uint32_t visits = 4; visits && tree->free_count < wanted; visits *= 2) prune_below(tree, root, visits);
}

/* What was proved of draws may rest on a repetition that is none any more; mates are mates. */
static void forget_draws(Tree *tree, TreeNode *node)
{
    Bounds bounds = node_bounds(node);
    if (!bounds_are_decisive(bounds)) atomic_store_explicit(&node->bounds, bounds_pack(BOUNDS_OPEN), memory_order_relaxed);
    EdgeWalk walk = mcts_tree_edges(tree, node);
    for (TreeEdge *edge; (edge = mcts_tree_next_edge(&walk));) {
        TreeNode *child = mcts_tree_child(tree, edge);
        if (child) forget_draws(tree, child);
    }
}

void mcts_tree_keep(Tree *tree, CellId id)
{
    if (id != tree->root) free_subtree(tree, tree->root, id);
    tree->root = id;
    forget_draws(tree, mcts_tree_node(tree, id));
}

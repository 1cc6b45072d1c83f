/* mcts_tree.h - the Monte Carlo tree: nodes and edges in cells of one size, in memory that somebody lends.
 *
 * A node is a position that was reached, an edge is a legal move of it; all edges of a node are made at once, best guess first,
 * and a child node when its edge is first taken. Both live in cells of 32 bytes and name each other by number, so freed
 * cells serve for anything and memory never falls to pieces. When cells run out, the subtrees with fewest visits are given back.
 * Invariants: cell 0 is never used: number 0 is "none". A node's value is counted for the side that moved into it. `bounds` only
 * ever narrow. Edges are written before the node names them.
 * Threads: statistics, bounds, children and the naming of edges are atomic; a worker takes cells from its own small store. What
 * frees cells (mcts_tree_collect, mcts_tree_keep, mcts_tree_reset) runs while nobody else looks at the tree.
 */
#ifndef SEARCH_MCTS_TREE_H
#define SEARCH_MCTS_TREE_H

#include <pthread.h>
#include <stdatomic.h>

#include "chess/move.h"
#include "eval/score.h"

typedef uint32_t CellId;

enum {
    CELL_NONE       = 0,
    EDGES_A_CELL    = 3,
    EDGES_EXPANDING = -1, /* as CellId: some thread is making the edges of this node */
    PRIOR_ONE       = 65535,
};

/* Between which scores a node's value is proved to lie, for the side to move in it; mates count plies from the node. */
typedef struct {
    int16_t lower, upper;
} Bounds;

typedef struct {
    _Atomic uint64_t value; /* sum of the playouts, each 0..VALUE_ONE, for the side that moved here */
    _Atomic uint32_t visits;
    _Atomic uint32_t bounds; /* a Bounds, see bounds_pack */
    _Atomic CellId   edges;  /* the first cell of them */
    uint16_t         edge_count;
    _Atomic Move     best; /* of a decided node the move that decides; before that what the playout liked */
} TreeNode;

#define VALUE_ONE ((uint64_t)1 << 32)

typedef struct {
    Move           move;
    uint16_t       prior; /* of PRIOR_ONE */
    _Atomic CellId child;
} TreeEdge;

typedef struct {
    TreeEdge edges[EDGES_A_CELL];
    CellId   next;
} EdgeCell;

typedef union {
    _Alignas(32) TreeNode node;
    EdgeCell edges;
    CellId   next_free;
} TreeCell;

_Static_assert(sizeof(TreeCell) == 32, "two cells make a cache line");

typedef struct {
    TreeCell       *cells;
    uint32_t        cell_count;
    CellId          root;  /* CELL_NONE: there is no tree */
    CellId          fresh; /* cells from here on were never used */
    CellId          free;  /* a chain of cells that were given back */
    uint32_t        free_count;
    uint32_t        store_cells; /* what one store may hold at most: small where there are few cells */
    pthread_mutex_t lock;        /* of fresh, free and free_count */
} Tree;

/* A thread's own cells, taken from the tree many at a time. */
typedef struct {
    CellId   free;
    uint32_t count;
} CellStore;

void mcts_tree_init(Tree *tree); /* no cells yet */
void mcts_tree_release(Tree *tree);

/* Uses this memory from now on (NULL: none) and forgets everything. Stores of cells must be forgotten too. */
void mcts_tree_set_memory(Tree *tree, void *memory, size_t size);
void mcts_tree_reset(Tree *tree); /* forgets everything, keeps the memory; stores as above */

uint32_t mcts_tree_used(Tree *tree); /* cells in use or in stores */

static inline TreeNode *mcts_tree_node(const Tree *tree, CellId id) { return &tree->cells[id].node; }

/* A new node without visits, edges or bounds; CELL_NONE when no cell is left. */
CellId mcts_tree_new_node(Tree *tree, CellStore *store);

/* Gives a cell back that nobody else knows of. */
void mcts_tree_drop_cell(Tree *tree, CellStore *store, CellId id);

/* Gives the node edges with these moves and priors, in this order. One thread for each node: it has set `edges` to
 * EDGES_EXPANDING. False when cells are short: the node is then without edges as before. */
bool mcts_tree_make_edges(Tree *tree, CellStore *store, TreeNode *node, const Move *moves, const uint16_t *priors, int count);

/* ---- walking the edges of a node ---- */

typedef struct {
    const Tree *tree;
    CellId      cell;
    int         index, left;
} EdgeWalk;

static inline EdgeWalk mcts_tree_edges(const Tree *tree, const TreeNode *node)
{
    CellId first = atomic_load_explicit(&node->edges, memory_order_acquire);
    bool   none  = first == CELL_NONE || first == (CellId)EDGES_EXPANDING;
    return (EdgeWalk){.tree = tree, .cell = first, .left = none ? 0 : node->edge_count};
}

/* The next edge; NULL at the end. */
static inline TreeEdge *mcts_tree_next_edge(EdgeWalk *walk)
{
    if (walk->left == 0) return NULL;
    if (walk->index == EDGES_A_CELL) {
        walk->cell  = walk->tree->cells[walk->cell].edges.next;
        walk->index = 0;
    }
    walk->left--;
    return &walk->tree->cells[walk->cell].edges.edges[walk->index++];
}

/* The node behind an edge; NULL when it was never taken. */
static inline TreeNode *mcts_tree_child(const Tree *tree, const TreeEdge *edge)
{
    CellId id = atomic_load_explicit(&edge->child, memory_order_acquire);
    return id == CELL_NONE ? NULL : mcts_tree_node(tree, id);
}

TreeEdge *mcts_tree_find_edge(const Tree *tree, const TreeNode *node, Move move); /* NULL when it has none with this move */

static inline uint32_t node_visits(const TreeNode *node) { return atomic_load_explicit(&node->visits, memory_order_relaxed); }

static inline bool node_is_expanded(const TreeNode *node)
{
    CellId edges = atomic_load_explicit(&node->edges, memory_order_acquire);
    return edges != CELL_NONE && edges != (CellId)EDGES_EXPANDING;
}

/* The mean of its playouts for the side that moved into it, 0..1; a half without visits. */
double node_mean(const TreeNode *node);

/* ---- giving cells back ---- */

/* Frees the subtrees of nodes with few visits, fewest first, until a part of all cells is free. The root's children stay. */
void mcts_tree_collect(Tree *tree);

/* Makes `id` (a node of the tree) the root and frees everything that is not below it; drops what was proved of draws, because a
 * repetition counts from the root. */
void mcts_tree_keep(Tree *tree, CellId id);

#endif

/* mcts_proof.c - see mcts_proof.h. */
#include "search/mcts_proof.h"

/* A mate is one ply further away. What is not proved stays so: the ends of the range are no mates. */
static int16_t one_ply_earlier(int16_t score)
{
    bool unknown = score == SCORE_MATE;
    if (unknown || !score_is_decisive(score)) return score;
    return (int16_t)(score > 0 ? score - 1 : score + 1);
}

/* `lower` of a mated child is exactly -SCORE_MATE, which is also what nothing proved looks like: both mean "at worst mated at
 * once", and for the parent "at best a mate in one", so no distinction is lost. */
Bounds bounds_from_parent(Bounds child)
{
    Bounds turned = {.lower = one_ply_earlier((int16_t)-child.upper), .upper = one_ply_earlier((int16_t)-child.lower)};
    if (child.upper == SCORE_MATE) turned.lower = -SCORE_MATE;
    if (child.upper == -SCORE_MATE) turned.lower = turned.upper = SCORE_MATE - 1; /* mated: it was the last move */
    return turned;
}

void node_prove(TreeNode *node, Bounds known)
{
    uint32_t old = atomic_load_explicit(&node->bounds, memory_order_relaxed), wanted;
    do {
        Bounds b = bounds_unpack(old);
        if (known.lower > b.lower) b.lower = known.lower;
        if (known.upper < b.upper) b.upper = known.upper;
        if (b.lower > b.upper) return; /* cannot be; keep what was known first */
        wanted = bounds_pack(b);
    } while (wanted != old &&
             !atomic_compare_exchange_weak_explicit(&node->bounds, &old, wanted, memory_order_relaxed, memory_order_relaxed));
}

bool node_prove_from_children(const Tree *tree, TreeNode *node)
{
    Bounds    all      = {-SCORE_MATE, -SCORE_MATE};
    Move      quickest = MOVE_NONE, longest = MOVE_NONE; /* to win, and to lose */
    EdgeWalk  walk = mcts_tree_edges(tree, node);
    TreeEdge *edge;
    if (walk.left == 0) return false;
    while ((edge = mcts_tree_next_edge(&walk))) {
        const TreeNode *child = mcts_tree_child(tree, edge);
        Bounds          b     = child ? bounds_from_parent(node_bounds(child)) : BOUNDS_OPEN;
        if (quickest == MOVE_NONE || b.lower > all.lower) quickest = edge->move;
        if (longest == MOVE_NONE || b.upper > all.upper) longest = edge->move;
        if (b.lower > all.lower) all.lower = b.lower;
        if (b.upper > all.upper) all.upper = b.upper;
    }
    Bounds before = node_bounds(node);
    if (all.lower <= before.lower && all.upper >= before.upper) return false;
    node_prove(node, all);
    if (bounds_are_decisive(all)) {
        Move best = bounds_are_won(all) ? quickest : longest;
        atomic_store_explicit(&node->best, best, memory_order_relaxed);
    }
    return true;
}

double node_value(const TreeNode *node)
{
    Bounds b    = node_bounds(node);
    double mean = node_mean(node), floor = 1 - bounds_ceiling(b), ceiling = 1 - bounds_floor(b);
    return mean < floor ? floor : mean > ceiling ? ceiling : mean;
}

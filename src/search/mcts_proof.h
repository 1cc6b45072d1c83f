/* mcts_proof.h - what is proved of a node: bounds of its value, won and lost games with the distance to mate.
 *
 * A playout is an opinion; checkmate, stalemate and the draw rules are facts, and so is what follows from them: who can move into
 * a lost position has won, who can only move into won ones has lost, and who can draw has at least a draw.
 * Threads: [any]; bounds only narrow, so threads that prove at the same time agree.
 */
#ifndef SEARCH_MCTS_PROOF_H
#define SEARCH_MCTS_PROOF_H

#include "search/mcts_tree.h"

#define BOUNDS_OPEN ((Bounds){-SCORE_MATE, SCORE_MATE})
#define BOUNDS_DRAWN ((Bounds){SCORE_DRAW, SCORE_DRAW})
#define BOUNDS_NOT_WON ((Bounds){-SCORE_MATE, SCORE_DRAW})
#define BOUNDS_MATED ((Bounds){-SCORE_MATE, -SCORE_MATE})
#define BOUNDS_MATES ((Bounds){SCORE_MATE - 1, SCORE_MATE - 1}) /* with the next move */

static inline uint32_t bounds_pack(Bounds b) { return (uint32_t)(uint16_t)b.lower | (uint32_t)(uint16_t)b.upper << 16; }
static inline Bounds   bounds_unpack(uint32_t word) { return (Bounds){(int16_t)(uint16_t)word, (int16_t)(uint16_t)(word >> 16)}; }

static inline Bounds node_bounds(const TreeNode *node)
{
    return bounds_unpack(atomic_load_explicit(&node->bounds, memory_order_relaxed));
}

static inline bool bounds_are_won(Bounds b) { return score_is_win(b.lower); }
static inline bool bounds_are_lost(Bounds b) { return score_is_loss(b.upper); }
static inline bool bounds_are_decisive(Bounds b) { return bounds_are_won(b) || bounds_are_lost(b); }

/* Nothing is left to learn: the outcome is known (a shorter mate may still exist). */
static inline bool bounds_are_closed(Bounds b) { return bounds_are_decisive(b) || b.lower == b.upper; }

/* The outcome of a closed node for the side to move, or the nearest a value may come to it: 0, a half or 1. */
static inline double bounds_floor(Bounds b) { return b.lower < SCORE_DRAW ? 0 : b.lower == SCORE_DRAW ? 0.5 : 1; }
static inline double bounds_ceiling(Bounds b) { return b.upper > SCORE_DRAW ? 1 : b.upper == SCORE_DRAW ? 0.5 : 0; }

/* The same position as the other side sees it, one ply earlier. */
Bounds bounds_from_parent(Bounds child);

/* Narrows the node's bounds to what is known besides. */
void node_prove(TreeNode *node, Bounds known);

/* Looks at the children: true when the node's bounds became narrower. Remembers the move that decides. */
bool node_prove_from_children(const Tree *tree, TreeNode *node);

/* The mean for the side that moved into the node, within its bounds. */
double node_value(const TreeNode *node);

#endif

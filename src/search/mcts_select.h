/* mcts_select.h - which move of a node to follow: the formulas, and the choice.
 *
 * UCT:  w/n + c * sqrt(ln N / n), moves without visits first.
 * PUCT: w/n + c * P * sqrt(N) / (1 + n); a move without visits counts with the node's own value less a little (first-play
 * urgency).
 * w/n is the mean of a move for the side that makes it, n its visits, N those of the node, P the move's prior. Proved moves count
 * with what is proved; a proved loss is never followed, nor a move that cannot reach what another has proved.
 * Hot: once for every ply of every playout. Threads: [any].
 */
#ifndef SEARCH_MCTS_SELECT_H
#define SEARCH_MCTS_SELECT_H

#include "search/mcts_tree.h"
#include "search/search.h"

double mcts_uct(double mean, double visits, double parent_visits, double c);
double mcts_puct(double mean, double visits, double parent_visits, double prior, double c);

typedef struct {
    PolicyKind policy;
    double     c;
    int        at_least; /* so many moves get a visit before any gets a second: the lines that will be shown */
    bool       must_win; /* moves that are proved not to win are not followed either: only a mate is asked for */
} Selection;

/* The edge to follow from an expanded node that was visited `parent_visits` times before; NULL when every move is proved lost. */
TreeEdge *mcts_select(const Tree *tree, const TreeNode *node, const Selection *how, uint32_t parent_visits);

#endif

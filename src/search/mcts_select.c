/* mcts_select.c - see mcts_select.h. */
#include "search/mcts_select.h"

#include <math.h>

#include "search/mcts_proof.h"

double mcts_uct(double mean, double visits, double parent_visits, double c)
{
    return mean + c * sqrt(log(parent_visits) / visits);
}

double mcts_puct(double mean, double visits, double parent_visits, double prior, double c)
{
    return mean + c * prior * sqrt(parent_visits) / (1 + visits);
}

/* A move that is proved lost, or proved not to reach what the node has already or what is asked for. */
static bool is_hopeless(const Selection *how, const TreeNode *child, Bounds node)
{
    Bounds b = node_bounds(child);
    return bounds_are_won(b) || -b.lower < node.lower || (how->must_win && b.lower >= SCORE_DRAW);
}

/* What a move without visits is taken for: the more of the likely moves have been tried, the less. */
static double first_play_value(const TreeNode *node, double visited_prior)
{
    enum { REDUCTION_PERCENT = 20 };
    double own = 1 - node_value(node), value = own - REDUCTION_PERCENT / 100.0 * sqrt(visited_prior);
    return value > 0 ? value : 0;
}

static double score_of(const Selection *how, const TreeEdge *edge, const TreeNode *child, uint32_t parent_visits)
{
    double visits = node_visits(child), mean = node_value(child), parent = parent_visits > 1 ? parent_visits : 1;
    if (how->policy == POLICY_UCT) return mcts_uct(mean, visits, parent, how->c);
    return mcts_puct(mean, visits, parent, (double)edge->prior / PRIOR_ONE, how->c);
}

TreeEdge *mcts_select(const Tree *tree, const TreeNode *node, const Selection *how, uint32_t parent_visits)
{
    TreeEdge *best = NULL, *edge;
    Bounds    own  = node_bounds(node);
    EdgeWalk  walk = mcts_tree_edges(tree, node);
    double    top = -1, visited_prior = 0;
    int       visited = 0;
    while ((edge = mcts_tree_next_edge(&walk))) {
        const TreeNode *child = mcts_tree_child(tree, edge);
        double          score;
        if (child && node_visits(child) > 0) {
            visited++;
            visited_prior += (double)edge->prior / PRIOR_ONE;
            if (is_hopeless(how, child, own)) continue;
            score = score_of(how, edge, child, parent_visits);
            if (score <= top) continue;
        } else {
            /* Edges stand in the order of their priors: of those without visits the first is the best. */
            if (how->policy == POLICY_UCT || visited < how->at_least) return edge;
            score = mcts_puct(first_play_value(node, visited_prior), 0, parent_visits, (double)edge->prior / PRIOR_ONE, how->c);
            return score > top ? edge : best;
        }
        top  = score;
        best = edge;
    }
    return best;
}

/* unfold.h - a small alpha-beta search that writes down every node it visits, so that a person can unfold the tree.
 *
 * Iterative deepening over alpha-beta with captures first, killer moves, quiescence and (on request) the null move; values are
 * the classical evaluation's. The tree of the last depth that was finished within the node limit is kept. For looking, not for
 * playing.
 * Threads: [any]; a call shares nothing.
 */
#ifndef LAB_UNFOLD_H
#define LAB_UNFOLD_H

#include "base/err.h"
#include "chess/position.h"
#include "eval/score.h"

enum { UNFOLD_DEPTH_MAX = 6, UNFOLD_NODES_MAX = 150000 };

typedef enum {
    UNFOLD_PV,   /* the value is exact: between alpha and beta */
    UNFOLD_CUT,  /* at least beta: the opponent will not allow it */
    UNFOLD_ALL,  /* at most alpha: no move was good enough */
    UNFOLD_QS,   /* beyond the horizon: captures only */
    UNFOLD_NULL, /* the side to move passed */
} UnfoldKind;

/* Values are for the side to move in the node. */
typedef struct {
    int        parent, first_child, next_sibling; /* indices; -1: none */
    Move       move;                              /* that led here; MOVE_NONE: the root, or a null move */
    UnfoldKind kind;
    Score      score, alpha, beta;
    int        depth; /* left; 0 and less: quiescence */
    int        nodes; /* of the subtree, this one included */
} UnfoldNode;

typedef struct {
    int  depth; /* 1 .. UNFOLD_DEPTH_MAX */
    bool quiescence;
    bool null_move;
    bool ordering; /* captures and killers first; else the order of the generator */
} UnfoldConfig;

typedef struct {
    UnfoldNode *nodes; /* [0] is the root */
    int         count;
    int         depth; /* that was finished */
} UnfoldTree;

/* Searches `pos`. False with *err when memory is short. */
bool unfold_search(const Position *pos, const UnfoldConfig *config, UnfoldTree *out, Err *err);
void unfold_release(UnfoldTree *tree);

const char *unfold_kind_text(UnfoldKind kind); /* "pv", "cut", "all", "qs", "null" */

#endif

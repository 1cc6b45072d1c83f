/* tree.h - the teaching searches, from plain minimax to principal variation search, and the state one of them works with.
 *
 * All are written as negamax: a value is for the side to move, a child's value is negated. `ply` counts from the root, the
 * horizon lies at ply `depth`. The last ply is evaluated from its parent without playing the moves (thesis.h); it is counted as
 * if it were entered. Mate at the horizon is not seen, as in the thesis.
 * Threads: a LabSearch belongs to one thread; the evaluation it points to is shared.
 */
#ifndef LAB_TREE_H
#define LAB_TREE_H

#include "lab/memo.h"
#include "lab/order.h"
#include "lab/stats.h"
#include "lab/thesis.h"

/* Which entries of the table the minimax of the thesis trusts, by the ply they were stored at. */
typedef enum { MEMO_SAME_PLY = 1, MEMO_SHALLOWER_PLY, MEMO_ANY_PLY } MemoPolicy;

/* The techniques of a search; a rung is a set of them. */
typedef struct {
    int  ordering;       /* 1..4 */
    int  null_reduction; /* plies; 0: no null move */
    bool null_verified;
    bool quiescence;
    int  memo;       /* a MemoPolicy; 0: none */
    bool strict_key; /* for it: positions are equal by the rules of chess, not by the key of the thesis */
    bool mvv_lva;
    bool table;     /* of bounds, by remaining depth; cuts */
    bool hash_move; /* its best move is tried first */
    bool deepening;
    int  aspiration; /* half the window; 0: always open */
    bool pvs;
    bool root_split;
} Techniques;

typedef struct {
    const ThesisEval *eval;
    Techniques        use;
    int               depth; /* the ply of the horizon */
    LabStats         *stats; /* where nodes are counted now: `counted`, or `uncounted` inside a null-move search */
    LabStats          counted, uncounted;
    Memo              memo[COLORS]; /* by side to move: the last ply then asks the small half */
    BoundTable        bounds;
    Move              best; /* at the root */
    bool              out_of_memory;
} LabSearch;

static inline bool lab_is_passing(const LabSearch *s) { return s->stats == &s->uncounted; }

/* Each searches `node`, which lies above the horizon (ply < depth), and returns its value; at ply 0 it leaves the best move. */
int lab_minimax(LabSearch *s, const LabNode *node, int ply);
int lab_minimax_memo(LabSearch *s, const LabNode *root); /* from ply 0 */
int lab_alphabeta(LabSearch *s, const LabNode *node, int ply, int alpha, int beta);
int lab_improved(LabSearch *s, const LabNode *node, int ply, int alpha, int beta);

/* The children of a node one ply above the horizon, without playing them: the best value, the number of moves in `*count`. */
int lab_horizon_best(const ThesisEval *eval, const LabNode *node, int *count);

/* Captures and promotions until it is quiet. `stand_pat` is the static value of `node`, which the caller has counted. */
int lab_quiesce(LabSearch *s, const LabNode *node, int ply, int alpha, int beta, int stand_pat);

/* Whether passing the move already reaches beta: then `*value` ends the node. `search` is what the reply is searched with. */
typedef int LabSearchFn(LabSearch *s, const LabNode *node, int ply, int alpha, int beta);
bool        lab_null_move(LabSearch *s, const LabNode *node, int ply, int alpha, int beta, LabSearchFn *search, int *value);

/* A node without legal moves: mated or stalemated. */
static inline int lab_no_move(bool in_check) { return in_check ? -THESIS_MATE : 0; }

#endif

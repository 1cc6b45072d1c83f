/* steps.h - the named steps of a node. Internal to `search`.
 *
 * A step answers "is this node done?": when it returns true, *out is the node's value. Each looks at its own switch
 * (features.def) and holds one idea, with the reason for it at its definition.
 */
#ifndef SEARCH_STEPS_H
#define SEARCH_STEPS_H

#include "search/picker.h"

/* A node while it is being searched. */
typedef struct {
    Frame *frame;
    int    ply, depth;
    Score  alpha, beta;
    bool   is_pv, cut_node, is_root;
    bool   in_check, improving;
    bool   is_multicut; /* the moves ended early by the singular search */
    bool   has_hit;
    TtHit  hit;            /* move MOVE_NONE and bound BOUND_NONE when the table knew nothing */
    Score  raw_eval;       /* as evaluated, for the table */
    Score  eval;           /* corrected, and refined by the table's bound */
    Score  floor, ceiling; /* between which the tables put the value */
    Move   best_move;
} Node;

/* ---- before any move ---- */
bool step_draw(Worker *w, Node *n, Score *out);
bool step_too_deep(Worker *w, Node *n, Score *out);
bool step_mate_distance(const Worker *w, Node *n, Score *out);
void step_probe(Worker *w, Node *n);
bool step_hash_cutoff(Worker *w, Node *n, int depth, Score *out);
bool step_tables(Worker *w, Node *n, Score *out);
void step_static_eval(Worker *w, Node *n);
bool step_razoring(Worker *w, Node *n, Score *out);
bool step_reverse_futility(const Worker *w, const Node *n, Score *out);
bool step_null_move(Worker *w, Node *n, Score *out);
bool step_probcut(Worker *w, Node *n, Score *out);
void step_internal_reduction(const Worker *w, Node *n);

/* ---- after the moves ---- */
void step_store(Worker *w, Node *n, Score best, Bound bound, int depth);
void step_update_pv(Frame *frame, Move move);

/* The moves tried before the one that cut, for their malus. */
typedef struct {
    int  quiet_count, noisy_count;
    Move quiets[64];
    Move noisies[32];
} Tried;

void step_update_histories(Worker *w, Node *n, const Tried *tried);
void step_update_correction(Worker *w, Node *n, Score best, Bound bound);

#endif

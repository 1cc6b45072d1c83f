/* stats.h - what a teaching search counts while it works. */
#ifndef LAB_STATS_H
#define LAB_STATS_H

#include "chess/types.h"

enum { CUTOFF_MOVES = 8, LAB_DEPTH_MAX = 64 };

/* A node is counted when it is entered, the root included. Leaves are nodes at the horizon (or, with quiescence, nodes that
 * stand pat or have nothing to take), mates and stalemates, table hits that end a node, and null-move cutoffs. */
typedef struct {
    uint64_t nodes;                       /* of the tree; quiescence included, null-move searches not */
    uint64_t leaves;                      /* of these */
    uint64_t qnodes;                      /* of these: beyond the horizon */
    uint64_t null_nodes;                  /* visited by null-move searches and their verification, not among `nodes` */
    uint64_t null_tries;                  /* null-move searches begun */
    uint64_t null_cuts[COLORS];           /* nodes they ended, by the side to move */
    uint64_t cutoffs;                     /* beta cutoffs by a move */
    uint64_t cutoff_on[CUTOFF_MOVES];     /* by its number: first, second ... and all later ones in the last */
    uint64_t cutoff_ply[LAB_DEPTH_MAX];   /* by the ply of the node that was cut */
    uint64_t hash_probes, hash_hits;      /* table asked, position found */
    uint64_t hash_cuts;                   /* nodes it ended */
    uint64_t hash_hit_ply[LAB_DEPTH_MAX]; /* hits by ply */
    uint64_t qnode_ply[LAB_DEPTH_MAX];    /* quiescence nodes by ply */
    uint64_t aspiration_fails;
    int      seldepth; /* the deepest ply */
} LabStats;

void lab_stats_add(LabStats *sum, const LabStats *part); /* seldepth: the larger one */

/* Children per node that has any: (nodes - 1) / (nodes - leaves); 0 for a tree of one node. */
double lab_branching(const LabStats *stats);

/* The factor b of a regular tree of this depth with so many nodes: 1 + b + ... + b^depth = nodes. */
double lab_effective_branching(uint64_t nodes, int depth);

static inline int lab_ply_slot(int ply) { return ply < LAB_DEPTH_MAX ? ply : LAB_DEPTH_MAX - 1; }

static inline void lab_count_cutoff(LabStats *stats, int ply, int move_number)
{
    stats->cutoffs++;
    stats->cutoff_on[move_number < CUTOFF_MOVES ? move_number : CUTOFF_MOVES - 1]++;
    stats->cutoff_ply[lab_ply_slot(ply)]++;
}

static inline void lab_count_qnode(LabStats *stats, int ply)
{
    stats->nodes++;
    stats->qnodes++;
    stats->qnode_ply[lab_ply_slot(ply)]++;
    if (ply > stats->seldepth) stats->seldepth = ply;
}

#endif

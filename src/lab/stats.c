/* stats.c - see stats.h. */
#include "lab/stats.h"

#include <math.h>

void lab_stats_add(LabStats *sum, const LabStats *part)
{
    sum->nodes += part->nodes;
    sum->leaves += part->leaves;
    sum->qnodes += part->qnodes;
    sum->null_nodes += part->null_nodes;
    sum->null_tries += part->null_tries;
    sum->null_cuts[WHITE] += part->null_cuts[WHITE];
    sum->null_cuts[BLACK] += part->null_cuts[BLACK];
    sum->cutoffs += part->cutoffs;
    for (int i = 0; i < CUTOFF_MOVES; i++) sum->cutoff_on[i] += part->cutoff_on[i];
    for (int i = 0; i < LAB_DEPTH_MAX; i++) {
        sum->cutoff_ply[i] += part->cutoff_ply[i];
        sum->hash_hit_ply[i] += part->hash_hit_ply[i];
        sum->qnode_ply[i] += part->qnode_ply[i];
    }
    sum->hash_probes += part->hash_probes;
    sum->hash_hits += part->hash_hits;
    sum->hash_cuts += part->hash_cuts;
    sum->aspiration_fails += part->aspiration_fails;
    if (part->seldepth > sum->seldepth) sum->seldepth = part->seldepth;
}

double lab_branching(const LabStats *stats)
{
    uint64_t inner = stats->nodes - stats->leaves;
    return inner ? (double)(stats->nodes - 1) / (double)inner : 0;
}

double lab_effective_branching(uint64_t nodes, int depth)
{
    if (depth < 1 || nodes < 2) return 0;
    double low = 0, high = (double)nodes;
    for (int i = 0; i < 200 && high - low > 1e-9; i++) {
        double middle = (low + high) / 2, sum = 0;
        for (int ply = 0; ply <= depth; ply++) sum += pow(middle, ply);
        *(sum < (double)nodes ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

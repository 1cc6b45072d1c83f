/* ablate.h - what each technique of the engine is worth: the whole engine against itself with one of them switched off.
 *
 * Two measures. Nodes to depth: how many nodes fixed positions cost without it (more nodes for the same depth: it saved
 * work; fewer: it spends work on seeing more). Elo: games at a fixed number of nodes a move, so that the
 * machine's load does not matter, from both sides of each opening, with the error of the pairs.
 * Threads: [owner]; the listener is called on the owner's thread, one feature after the other.
 */
#ifndef LAB_ABLATE_H
#define LAB_ABLATE_H

#include "search/features.h"
#include "stats/elo.h"

typedef struct {
    int         depth;       /* of the nodes-to-depth measure; 0: leave it out */
    uint64_t    games;       /* of each feature; 0: leave Elo out */
    uint64_t    nodes;       /* a move in those games */
    int         concurrency; /* games at a time */
    const char *openings;    /* a file, or NULL: the built-in lines */
} AblateConfig;

typedef struct {
    Feature     feature;
    uint64_t    nodes, nodes_whole; /* to depth: without it, and the whole engine */
    EloEstimate elo;                /* of the engine without it against the whole; games == 0: not measured */
} AblateRow;

typedef void AblateRowFn(void *context, const AblateRow *row);

/* Measures `count` features in turn. Blocks. False with *err when memory, an option or a file is the matter. */
bool lab_ablate(const AblateConfig *config, const Feature *features, size_t count, AblateRowFn *on_row, void *context, Err *err);

#endif

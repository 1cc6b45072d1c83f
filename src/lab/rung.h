/* rung.h - the ladder: its rungs by name, and one search of one position on one of them.
 *
 * Threads: [any]; lab_run shares nothing between calls but the evaluation.
 */
#ifndef LAB_RUNG_H
#define LAB_RUNG_H

#include "base/err.h"
#include "base/str.h"
#include "lab/tree.h"

typedef struct {
    const char *name;   /* "ab1", as the command line and JSON call it */
    const char *title;  /* "Alpha-beta, captures first" */
    const char *text;   /* the idea in one sentence */
    const char *source; /* the file to read */
    Techniques  use;
    bool        full;   /* the engine's own search */
    int         offset; /* the depth at which the report measures it, relative to the thesis's depths */
} Rung;

size_t      lab_rung_count(void);
const Rung *lab_rung(size_t index);
const Rung *lab_rung_find(Str name); /* NULL when there is none */

/* One finished iteration; searches without iterative deepening have one. */
typedef struct {
    int      depth;
    uint64_t nodes; /* of this iteration alone, as LabStats counts them */
    uint64_t qnodes, cutoffs, first_move_cutoffs, hash_hits;
    int      value;
    int      seldepth, aspiration_fails;
    double   seconds;
    Move     best;
} LabIteration;

typedef struct {
    LabStats     stats;
    Move         best;  /* MOVE_NONE when there is no legal move */
    int          value; /* centipawns from White; mates are +-THESIS_MATE */
    double       seconds;
    double       cpu_seconds; /* of the searching threads together */
    int          iteration_count;
    LabIteration iterations[LAB_DEPTH_MAX];
    double       parallel_share; /* root split: the part of the time that ran on several threads */
} LabResult;

typedef struct {
    const ThesisEval *eval;
    int               depth;   /* 0..LAB_DEPTH_MAX - 1 */
    int               threads; /* for the rungs that use them */
} LabTask;

/* Blocks until done. False with *err when memory is short; `*out` is then not to be used. */
bool lab_run(const Rung *rung, const LabTask *task, const Position *pos, LabResult *out, Err *err);

/* Private to src/lab: the searches with several parts. */
void lab_deepen(LabSearch *s, const LabNode *root, LabResult *out);
bool lab_root_split(LabSearch *s, const LabNode *root, int threads, LabResult *out, Err *err);
bool lab_full(const LabTask *task, const Position *pos, LabResult *out, Err *err);
void lab_note_iteration(LabResult *out, const LabSearch *s, int value,
                        double seconds); /* what s->counted grew by since the last */

bool lab_search_init(LabSearch *s, const ThesisEval *eval, const Techniques *use, int depth, Err *err);
void lab_search_release(LabSearch *s);

#endif

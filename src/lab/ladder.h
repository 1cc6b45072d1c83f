/* ladder.h - many searches: rungs times positions, shared out among threads, told in order.
 *
 * Threads: [owner] for all of it; the listener is called on some thread, one call at a time, rung by rung and position by
 * position however the searches ended.
 */
#ifndef LAB_LADDER_H
#define LAB_LADDER_H

#include <stdatomic.h>

#include "base/buf.h"
#include "chess/fen.h"
#include "lab/rung.h"

typedef struct {
    Position pos;
    char     fen[FEN_SIZE];
    int      depth; /* "+0" */
} LadderPosition;

typedef struct {
    LadderPosition *items;
    size_t          count, cap;
} LadderPositions;

bool ladder_positions_thesis(LadderPositions *out, Err *err);

/* A FEN or EPD a line, with " | DEPTH" after it where the depth is not `depth`; '#' begins a comment. On failure `*out` is
 * empty. */
bool ladder_positions_load(const char *path, int depth, LadderPositions *out, Err *err);
void ladder_positions_release(LadderPositions *positions);

/* One search that was done. */
typedef struct {
    const Rung *rung;
    int         offset;
    size_t      position;
    int         depth;
    LabResult   result;
} LadderRow;

typedef struct {
    const Rung *rung;
    int         offset;
} LadderStage;

typedef struct {
    const ThesisEval      *eval;
    LabEvalKind            eval_kind; /* what `eval` is */
    const LadderPositions *positions;
    const LadderStage     *stages;
    size_t                 stage_count;
    int                    ordering; /* 1..4 instead of the rungs' own; 0: theirs */
    bool                   strict_key;
    int                    threads; /* searches at a time, or threads of one search where a rung uses several */
    const atomic_bool     *stop;    /* set by somebody: begin no further search; NULL: nobody does */
} LadderConfig;

typedef void LadderRowFn(void *context, const LadderRow *row);

/* The rows, stage by stage, `positions->count` of them each; the caller frees them. NULL with *err when memory is short.
 * `*stages_done` is how many stages are whole: fewer than asked for when it was stopped. */
LadderRow *ladder_run(const LadderConfig *config, LadderRowFn *on_row, void *context, size_t *stages_done, Err *err);

/* Depth of a position at an offset: never below 0 nor beyond what a search can do. */
int ladder_depth(const LadderPosition *position, int offset);

#endif

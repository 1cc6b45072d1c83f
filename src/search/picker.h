/* picker.h - the moves of a node, best first, made only when they are asked for.
 *
 * Stages: the table's move; captures that do not lose material, by victim and experience; killers and the counter move;
 * quiet moves by experience; captures that lose. Most nodes end before the quiet moves are even generated.
 * Hot: everything.
 */
#ifndef SEARCH_PICKER_H
#define SEARCH_PICKER_H

#include "chess/checks.h"
#include "search/worker.h"

typedef enum {
    STAGE_TABLE,
    STAGE_MAKE_NOISY,
    STAGE_GOOD_NOISY,
    STAGE_KILLER_1,
    STAGE_KILLER_2,
    STAGE_COUNTER,
    STAGE_MAKE_QUIET,
    STAGE_QUIET,
    STAGE_BAD_NOISY,
    STAGE_MAKE_EVASIONS,
    STAGE_EVASIONS,
    STAGE_MAKE_CHECKS,
    STAGE_CHECKS,
    STAGE_DONE
} PickerStage;

/* Which moves are wanted. */
typedef enum {
    PICK_ALL,          /* a node of the main search */
    PICK_NOISY,        /* quiescence: captures and promotions */
    PICK_NOISY_CHECKS, /* and then quiet checks */
    PICK_GOOD_NOISY,   /* captures that gain at least `threshold` */
} PickerMode;

typedef struct {
    Worker      *w;
    const Frame *frame;
    int          ply;
    PickerMode   mode;
    PickerStage  stage;
    Move         table_move, killers[2], counter;
    int          threshold;
    bool         skip_quiets; /* set by the search: no more quiet moves, but for those that give check */
    CheckMap     checks;      /* of PICK_ALL and PICK_NOISY_CHECKS */
    int          index, bad_count;
    MoveList     list;
    int          scores[MOVES_MAX + 1];
    Move         bad[MOVES_MAX]; /* losing captures, kept for the end */
} Picker;

void picker_init(Picker *p, Worker *w, int ply, PickerMode mode, Move table_move, int threshold);

/* The next move, MOVE_NONE at the end. */
Move picker_next(Picker *p);

/* What experience says of a quiet move at this ply: the sum that orders it. */
int picker_quiet_history(const Worker *w, int ply, Move move);
int picker_noisy_history(const Worker *w, int ply, Move move);

#endif

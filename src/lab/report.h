/* report.h - the ladder on paper: a chapter in Markdown, the rows as CSV, plots as SVG.
 *
 * Files are written whole and then given their names, so that an interrupted run leaves the old ones.
 */
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include "lab/games.h"
#include "lab/ladder.h"

/* Makes `folder` and `folder`/ladder, before long work is begun in vain. */
bool report_prepare(const char *folder, Err *err);

/* Writes folder/ladder.md, folder/ladder/rows.csv and the plots. `rows` are as ladder_run gives them. Plays ten games for one. */
bool report_write(const char *folder, const LadderConfig *config, const LadderRow *rows, double seconds, Err *err);

/* Writes folder/name with what `text` holds, and releases it. */
bool report_write_file(const char *folder, const char *name, Buf *text, Err *err);

/* Private to src/lab: sums of a stage, and the chapter. */
typedef struct {
    const Rung *rung;
    int         offset;
    LabStats    stats;
    double      seconds, cpu_seconds;
    double      branching; /* the mean of the positions' branching factors, as the thesis gives it */
} StageSum;

typedef struct {
    StageSum        *sums;
    size_t           count;
    const LadderRow *rows; /* `positions` of each sum, in their order */
    size_t           positions;
    int              threads;
    double           seconds; /* of the whole run */
    bool             thesis;  /* the thesis's positions, evaluation and orders: its figures stand beside ours */
    LabGames         games;
    const char      *machine;
    const char      *figures; /* what other experiments measured, as Markdown, or "" */
} Chapter;

const StageSum *chapter_find(const Chapter *chapter, const char *rung, int offset); /* NULL when it was not measured */
void            chapter_write(Buf *out, const Chapter *chapter);

#endif

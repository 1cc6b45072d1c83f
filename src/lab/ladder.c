/* ladder.c - see ladder.h. */
#include "lab/ladder.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/lines.h"
#include "base/work.h"

void ladder_positions_release(LadderPositions *positions)
{
    free(positions->items);
    *positions = (LadderPositions){0};
}

static bool add_position(LadderPositions *out, Str fen, int depth, Err *err)
{
    LadderPosition item = {.depth = depth};
    FenReport      report;
    if (!position_from_fen_prefix(fen, &item.pos, &(Str){0}, &report, err)) return false;
    position_to_fen(&item.pos, item.fen);
    if (out->count == out->cap) {
        size_t          cap   = out->cap ? 2 * out->cap : 32;
        LadderPosition *items = realloc(out->items, cap * sizeof *items);
        if (!items) return err_set(err, ERR_MEMORY, 0, "out of memory");
        out->items = items;
        out->cap   = cap;
    }
    out->items[out->count++] = item;
    return true;
}

bool ladder_positions_thesis(LadderPositions *out, Err *err)
{
    *out = (LadderPositions){0};
    for (int i = 0; i < THESIS_POSITIONS; i++) {
        if (add_position(out, str_from(thesis_positions[i].fen), thesis_positions[i].depth, err)) continue;
        ladder_positions_release(out);
        return false;
    }
    return true;
}

static bool add_line(LadderPositions *out, Str line, int depth, Err *err)
{
    Str fen  = str_trim(str_next_until(&line, '|'));
    Str rest = str_trim(line);
    if (fen.len == 0 || fen.ptr[0] == '#') return true;
    if (rest.len && !str_to_int(rest, 0, LAB_DEPTH_MAX - 1, &depth))
        return err_set(err, ERR_SYNTAX, 0, "the depth after '|' is a number from 0 to %d, not '%.*s'", LAB_DEPTH_MAX - 1,
                       STR_ARGS(rest));
    return add_position(out, fen, depth, err);
}

bool ladder_positions_load(const char *path, int depth, LadderPositions *out, Err *err)
{
    LineReader lines;
    LineStatus status;
    Str        line;
    Err        why;
    int        number = 0;
    *out              = (LadderPositions){0};
    if (!lines_open(&lines, path, err)) return false;
    bool ok = true;
    while (ok && (status = lines_next(&lines, &line, err)) != LINE_END) {
        number++;
        if (status == LINE_FAILED) {
            ok = false;
        } else if (!add_line(out, line, depth, &why)) {
            ok = err_set(err, why.code, why.offset, "%s:%d: %s", path, number, why.text);
        }
    }
    lines_release(&lines);
    if (ok && out->count == 0) ok = err_set(err, ERR_SYNTAX, 0, "%s holds no position", path);
    if (!ok) ladder_positions_release(out);
    return ok;
}

int ladder_depth(const LadderPosition *position, int offset)
{
    int depth = position->depth + offset;
    return depth < 0 ? 0 : depth >= LAB_DEPTH_MAX ? LAB_DEPTH_MAX - 1 : depth;
}

typedef struct {
    const LadderConfig *config;
    Rung                rung; /* of the stage, with what the configuration changes */
    LadderRow          *rows; /* of the stage */
    bool               *done;
    size_t              told; /* rows the listener has heard */
    LadderRowFn        *on_row;
    void               *context;
    pthread_mutex_t     lock; /* of all below and of `told` */
    bool                failed;
    Err                 err;
} Stage;

/* Tells the listener every row whose predecessors are told. */
static void tell(Stage *stage, size_t unit)
{
    stage->done[unit] = true;
    while (stage->told < stage->config->positions->count && stage->done[stage->told]) {
        if (stage->on_row) stage->on_row(stage->context, &stage->rows[stage->told]);
        stage->told++;
    }
}

static void search_position(void *context, size_t unit, int thread)
{
    Stage     *stage = context;
    LadderRow *row   = &stage->rows[unit];
    bool       alone = stage->rung.full || stage->rung.use.root_split;
    LabTask    task  = {.eval = stage->config->eval, .depth = row->depth, .threads = alone ? stage->config->threads : 1};
    Err        err;
    (void)thread;
    if (stage->config->stop && *stage->config->stop) return;
    bool ok = lab_run(&stage->rung, &task, &stage->config->positions->items[unit].pos, &row->result, &err);
    pthread_mutex_lock(&stage->lock);
    if (ok && !stage->failed) {
        tell(stage, unit);
    } else if (!stage->failed) {
        stage->failed = true;
        stage->err    = err;
    }
    pthread_mutex_unlock(&stage->lock);
}

/* `*whole` tells whether every position was searched. */
static bool run_stage(const LadderConfig *config, const LadderStage *what, LadderRow *rows, LadderRowFn *on_row, void *context,
                      bool *whole, Err *err)
{
    size_t count = config->positions->count;
    Stage  stage = {.config = config, .rung = *what->rung, .rows = rows, .on_row = on_row, .context = context};
    stage.done   = calloc(count, sizeof *stage.done);
    if (!stage.done) return err_set(err, ERR_MEMORY, 0, "out of memory");
    if (config->ordering && !what->rung->full) stage.rung.use.ordering = config->ordering;
    stage.rung.use.strict_key = config->strict_key;
    for (size_t i = 0; i < count; i++) {
        rows[i]       = (LadderRow){.rung = what->rung, .offset = what->offset, .position = i};
        rows[i].depth = ladder_depth(&config->positions->items[i], what->offset);
    }
    bool alone = what->rung->full || what->rung->use.root_split;
    pthread_mutex_init(&stage.lock, NULL);
    work_run(count, alone ? 1 : config->threads, search_position, &stage);
    pthread_mutex_destroy(&stage.lock);
    free(stage.done);
    *whole = stage.told == count;
    if (stage.failed && err) *err = stage.err;
    return !stage.failed;
}

LadderRow *ladder_run(const LadderConfig *config, LadderRowFn *on_row, void *context, size_t *stages_done, Err *err)
{
    size_t     count = config->positions->count;
    bool       whole = true;
    LadderRow *rows  = calloc(count * config->stage_count, sizeof *rows);
    *stages_done     = 0;
    if (!rows) {
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    for (size_t i = 0; whole && i < config->stage_count; i++) {
        if (!run_stage(config, &config->stages[i], &rows[i * count], on_row, context, &whole, err)) {
            free(rows);
            return NULL;
        }
        *stages_done += whole;
    }
    return rows;
}

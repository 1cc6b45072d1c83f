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

/* Stages whose searches wait for nothing but a free thread: one queue of rungs times positions, so that the one long search of a
 * rung does not keep the other threads from the next rung. A rung that uses several threads itself is a group of its own. */
typedef struct {
    const LadderConfig *config;
    const LadderStage  *stages;
    LadderRow          *rows;
    size_t              count; /* of rows */
    bool               *done;
    size_t              told; /* rows the listener has heard */
    LadderRowFn        *on_row;
    void               *context;
    pthread_mutex_t     lock; /* of all below and of `told` */
    bool                failed;
    Err                 err;
} Group;

static bool takes_all_threads(const Rung *rung) { return rung->full || rung->use.root_split; }

/* Tells the listener every row whose predecessors are told. */
static void tell(Group *group, size_t unit)
{
    group->done[unit] = true;
    while (group->told < group->count && group->done[group->told]) {
        if (group->on_row) group->on_row(group->context, &group->rows[group->told]);
        group->told++;
    }
}

/* The rung with what the configuration changes. */
static Rung rung_of(const LadderConfig *config, const Rung *rung)
{
    Rung out = *rung;
    if (config->ordering && !rung->full) out.use.ordering = config->ordering;
    out.use.strict_key = config->strict_key;
    return out;
}

/* Stopped, or a search has failed: begin no other. */
static bool is_over(Group *group)
{
    pthread_mutex_lock(&group->lock);
    bool failed = group->failed;
    pthread_mutex_unlock(&group->lock);
    return failed || (group->config->stop && *group->config->stop);
}

static void search_position(void *context, size_t unit, int thread)
{
    Group              *group  = context;
    const LadderConfig *config = group->config;
    LadderRow          *row    = &group->rows[unit];
    Rung                rung   = rung_of(config, row->rung);
    LabTask task = {.eval = config->eval, .depth = row->depth, .threads = takes_all_threads(&rung) ? config->threads : 1};
    Err     err;
    (void)thread;
    if (is_over(group)) return;
    bool ok = lab_run(&rung, &task, &config->positions->items[row->position].pos, &row->result, &err);
    pthread_mutex_lock(&group->lock);
    if (ok && !group->failed) {
        tell(group, unit);
    } else if (!group->failed) {
        group->failed = true;
        group->err    = err;
    }
    pthread_mutex_unlock(&group->lock);
}

static bool run_group(Group *group, size_t stages, Err *err)
{
    const LadderConfig *config    = group->config;
    size_t              positions = config->positions->count;
    group->count                  = stages * positions;
    group->done                   = calloc(group->count, sizeof *group->done);
    if (!group->done) return err_set(err, ERR_MEMORY, 0, "out of memory");
    for (size_t i = 0; i < group->count; i++) {
        const LadderStage *stage = &group->stages[i / positions];
        group->rows[i]           = (LadderRow){.rung = stage->rung, .offset = stage->offset, .position = i % positions};
        group->rows[i].depth     = ladder_depth(&config->positions->items[i % positions], stage->offset);
    }
    pthread_mutex_init(&group->lock, NULL);
    work_run(group->count, takes_all_threads(group->stages->rung) ? 1 : config->threads, search_position, group);
    pthread_mutex_destroy(&group->lock);
    free(group->done);
    if (group->failed && err) *err = group->err;
    return !group->failed;
}

/* How many stages from `first` on form a group. */
static size_t group_size(const LadderConfig *config, size_t first)
{
    size_t count = 1;
    if (takes_all_threads(config->stages[first].rung)) return 1;
    while (first + count < config->stage_count && !takes_all_threads(config->stages[first + count].rung)) count++;
    return count;
}

LadderRow *ladder_run(const LadderConfig *config, LadderRowFn *on_row, void *context, size_t *stages_done, Err *err)
{
    size_t     positions = config->positions->count;
    bool       whole     = true;
    LadderRow *rows      = calloc(positions * config->stage_count, sizeof *rows);
    *stages_done         = 0;
    if (!rows) {
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    for (size_t i = 0, size; whole && i < config->stage_count; i += size) {
        Group group   = {.config = config, .stages = &config->stages[i], .rows = &rows[i * positions], .on_row = on_row};
        size          = group_size(config, i);
        group.context = context;
        if (!run_group(&group, size, err)) {
            free(rows);
            return NULL;
        }
        *stages_done += group.told / positions;
        whole = group.told == group.count;
    }
    return rows;
}

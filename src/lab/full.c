/* full.c - the last rung: the engine's own search, as it plays, to the same depth. It counts nodes its own way and evaluates
 * with its own evaluation, so only its move, its value and its cost compare with the rungs below. */
#include "lab/rung.h"
#include "search/search.h"

enum { FULL_HASH_MB = 16 };

typedef struct {
    LabResult *out;
    uint64_t   nodes_before;
    int64_t    ms_before;
} Listener;

static void on_info(void *context, const SearchInfo *info)
{
    Listener  *listener = context;
    LabResult *out      = listener->out;
    if (info->bound != BOUND_EXACT || out->iteration_count == LAB_DEPTH_MAX) return;
    out->iterations[out->iteration_count++] = (LabIteration){
        .depth    = info->depth,
        .nodes    = info->nodes - listener->nodes_before,
        .value    = info->score,
        .seldepth = info->seldepth,
        .seconds  = (double)(info->time_ms - listener->ms_before) * 1e-3,
        .best     = info->pv_length ? info->pv[0] : MOVE_NONE,
    };
    listener->nodes_before = info->nodes;
    listener->ms_before    = info->time_ms;
    if (info->seldepth > out->stats.seldepth) out->stats.seldepth = info->seldepth;
}

static void on_done(void *context, const SearchResult *result)
{
    LabResult *out   = ((Listener *)context)->out;
    out->best        = result->best;
    out->value       = result->score;
    out->stats.nodes = result->nodes;
}

static bool think(const LabTask *task, const Position *pos, LabResult *out, Err *err)
{
    Search *search = search_new(FULL_HASH_MB, task->threads, err);
    if (!search) return false;
    SearchConfig   config   = search_default_config();
    SearchLimits   limits   = {.depth = task->depth > 0 ? task->depth : 1, .multipv = 1};
    Listener       context  = {.out = out};
    SearchListener listener = {.context = &context, .info = on_info, .done = on_done};
    search_set_config(search, &config);
    search_run(search, pos, NULL, 0, &limits, &listener);
    search_free(search);
    if (score_is_mate(out->value)) out->value = out->value > 0 ? THESIS_MATE : -THESIS_MATE;
    return true;
}

bool lab_full(const LabTask *task, const Position *pos, LabResult *out, Err *err)
{
    if (movegen_has_legal_move(pos)) {
        if (!think(task, pos, out, err)) return false;
    } else { /* the search would say so by its missing move alone */
        out->value       = lab_no_move(position_in_check(pos));
        out->stats.nodes = out->stats.leaves = 1;
    }
    if (pos->side == BLACK) out->value = -out->value;
    return true;
}

/* rung.c - see rung.h. */
#include "lab/rung.h"

#include <string.h>

#include "base/clock.h"

/* clang-format off */
#define FINAL .ordering = 1, .null_reduction = 2, .quiescence = true
static const Rung rungs[] = {
    {"minimax", "Plain minimax", "look at every line of play", "minimax.c", {.ordering = 1}, false, 0},
    {"ab1", "Alpha-beta, captures first", "leave out what cannot change the result; captures before quiet moves",
     "alphabeta.c", {.ordering = 1}, false, 2},
    {"ab2", "Alpha-beta, quiet moves first", "the same with the worst order of the four", "order.c", {.ordering = 2}, false, 0},
    {"ab3", "Alpha-beta, winning captures first", "captures that win material before even ones", "order.c",
     {.ordering = 3}, false, 2},
    {"ab4", "Alpha-beta, big takers first", "winning captures by big pieces first, quiet moves of big pieces first", "order.c",
     {.ordering = 4}, false, 2},
    {"null1", "Null move, R = 1", "pass and see whether the position still holds; no reduction", "nullmove.c",
     {.ordering = 1, .null_reduction = 1}, false, 2},
    {"null2", "Null move, R = 2", "the reply to the pass is searched one ply less deep", "nullmove.c",
     {.ordering = 1, .null_reduction = 2}, false, 2},
    {"null3", "Null move, R = 3", "two plies less deep", "nullmove.c", {.ordering = 1, .null_reduction = 3}, false, 2},
    {"nullv", "Null move, R = 2, verified", "a cutoff must be confirmed by a search of the node itself", "nullmove.c",
     {.ordering = 1, .null_reduction = 2, .null_verified = true}, false, 2},
    {"tt1", "Minimax with a table, same ply", "a position met again at the same ply is not searched again", "transposition.c",
     {.ordering = 1, .memo = MEMO_SAME_PLY}, false, 0},
    {"tt2", "Minimax with a table, same ply or above", "also values that were searched deeper", "transposition.c",
     {.ordering = 1, .memo = MEMO_SHALLOWER_PLY}, false, 0},
    {"tt3", "Minimax with a table, any ply", "also values that were searched less deep", "transposition.c",
     {.ordering = 1, .memo = MEMO_ANY_PLY}, false, 0},
    {"qs", "Quiescence", "captures and promotions are followed to their end", "quiesce.c", {FINAL}, false, -1},
    {"final", "The thesis's final algorithm", "alpha-beta 1, null move R = 2 and quiescence together", "alphabeta.c",
     {FINAL}, false, 0},
    {"mvvlva", "Most valuable victim first", "captures of big pieces by small ones first", "improved.c",
     {FINAL, .mvv_lva = true}, false, 0},
    {"hashmove", "Table of bounds, its move first", "known bounds end nodes, known best moves are tried first", "improved.c",
     {FINAL, .mvv_lva = true, .table = true, .hash_move = true}, false, 0},
    {"deepening", "Iterative deepening", "depth 1, 2, 3 ...: each iteration orders the next", "deepen.c",
     {FINAL, .mvv_lva = true, .table = true, .hash_move = true, .deepening = true}, false, 0},
    {"aspiration", "Aspiration windows", "begin with a narrow window around the last value", "deepen.c",
     {FINAL, .mvv_lva = true, .table = true, .hash_move = true, .deepening = true, .aspiration = 50}, false, 0},
    {"pvs", "Principal variation search", "ask of later moves only whether they beat the first", "improved.c",
     {FINAL, .mvv_lva = true, .table = true, .hash_move = true, .deepening = true, .aspiration = 50, .pvs = true}, false, 0},
    {"rootsplit", "Root-split threads", "the root moves of the last iteration are shared out among threads", "rootsplit.c",
     {FINAL, .mvv_lva = true, .table = true, .hash_move = true, .deepening = true, .aspiration = 50, .pvs = true,
      .root_split = true}, false, 0},
    {"full", "Tabia's own search", "everything the engine knows, with its own evaluation; threads share one table (Lazy SMP)",
     "../search/node.c", {0}, true, 0},
};
/* clang-format on */

size_t      lab_rung_count(void) { return sizeof rungs / sizeof *rungs; }
const Rung *lab_rung(size_t index) { return &rungs[index]; }

const Rung *lab_rung_find(Str name)
{
    for (size_t i = 0; i < lab_rung_count(); i++) {
        if (str_equal(str_from(rungs[i].name), name)) return &rungs[i];
    }
    return NULL;
}

bool lab_search_init(LabSearch *s, const ThesisEval *eval, const Techniques *use, int depth, Err *err)
{
    memset(s, 0, sizeof *s);
    s->eval  = eval;
    s->use   = *use;
    s->depth = depth;
    s->stats = &s->counted;
    if (use->table && !bounds_init(&s->bounds)) return err_set(err, ERR_MEMORY, 0, "out of memory for the table");
    return true;
}

void lab_search_release(LabSearch *s)
{
    memo_release(&s->memo[WHITE]);
    memo_release(&s->memo[BLACK]);
    bounds_release(&s->bounds);
}

void lab_note_iteration(LabResult *out, const LabSearch *s, int value, double seconds)
{
    LabIteration  sum = {0};
    LabIteration *it  = &out->iterations[out->iteration_count];
    for (int i = 0; i < out->iteration_count; i++) {
        sum.nodes += out->iterations[i].nodes;
        sum.qnodes += out->iterations[i].qnodes;
        sum.cutoffs += out->iterations[i].cutoffs;
        sum.first_move_cutoffs += out->iterations[i].first_move_cutoffs;
        sum.hash_hits += out->iterations[i].hash_hits;
        sum.aspiration_fails += out->iterations[i].aspiration_fails;
    }
    *it = (LabIteration){.depth              = s->depth,
                         .nodes              = s->counted.nodes - sum.nodes,
                         .qnodes             = s->counted.qnodes - sum.qnodes,
                         .cutoffs            = s->counted.cutoffs - sum.cutoffs,
                         .first_move_cutoffs = s->counted.cutoff_on[0] - sum.first_move_cutoffs,
                         .hash_hits          = s->counted.hash_hits - sum.hash_hits,
                         .aspiration_fails   = (int)s->counted.aspiration_fails - sum.aspiration_fails,
                         .value              = value,
                         .seldepth           = s->counted.seldepth,
                         .seconds            = seconds,
                         .best               = s->best};
    out->iteration_count++;
}

/* The searches without iterations, chosen by their techniques. */
static int search_once(LabSearch *s, const LabNode *root)
{
    if (s->use.memo) return lab_minimax_memo(s, root);
    return lab_alphabeta(s, root, 0, -THESIS_MATE, THESIS_MATE);
}

static bool run_techniques(LabSearch *s, const LabNode *root, const Rung *rung, int threads, LabResult *out, Err *err)
{
    if (s->use.root_split) return lab_root_split(s, root, threads, out, err);
    if (s->use.mvv_lva) {
        lab_deepen(s, root, out);
        return true;
    }
    int64_t start = clock_now_ns();
    out->value    = strcmp(rung->name, "minimax") == 0 ? lab_minimax(s, root, 0) : search_once(s, root);
    lab_note_iteration(out, s, out->value, clock_seconds_since(start));
    return true;
}

/* Depth 0, and a null-move cutoff in the root: a value without a move. */
static Move first_legal(const Position *pos)
{
    Order order;
    order_init(&order, pos, order_static[1]);
    return order_next(&order);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool lab_run(const Rung *rung, const LabTask *task, const Position *pos, LabResult *out, Err *err)
{
    int64_t start = clock_now_ns();
    double  cpu   = cpu_seconds();
    memset(out, 0, sizeof *out);
    if (rung->full) {
        if (!lab_full(task, pos, out, err)) return false;
        out->seconds = clock_seconds_since(start);
        out->cpu_seconds += cpu_seconds() - cpu;
        return true;
    }
    LabSearch s;
    LabNode   root;
    thesis_set_root(task->eval, pos, &root);
    bool ok = lab_search_init(&s, task->eval, &rung->use, task->depth, err);
    if (ok && task->depth == 0) {
        s.counted.nodes = s.counted.leaves = 1;
        out->value                         = (pos->side == WHITE ? 1 : -1) * thesis_value(root.sums);
    } else if (ok) {
        ok = run_techniques(&s, &root, rung, task->threads, out, err);
    }
    if (ok && s.out_of_memory) ok = err_set(err, ERR_MEMORY, 0, "out of memory for the table of positions");
    s.counted.null_nodes = s.uncounted.nodes;
    lab_stats_add(&out->stats, &s.counted);
    out->best = s.best ? s.best : first_legal(pos);
    if (pos->side == BLACK) out->value = -out->value;
    if (out->stats.seldepth < task->depth) out->stats.seldepth = task->depth;
    lab_search_release(&s);
    out->seconds = clock_seconds_since(start);
    out->cpu_seconds += cpu_seconds() - cpu;
    return ok;
}

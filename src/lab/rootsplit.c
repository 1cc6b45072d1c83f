/* rootsplit.c - rung 12: several threads, each with root moves of its own.
 *
 * The iterations before the last run on one thread; in the last, the first move is searched alone, because its value is the
 * bound that keeps the others small. Then free threads take the remaining root moves one by one. Each thread has a table of its
 * own; all share the best value so far. What is done alone, and the last long move everybody waits for, bound the gain:
 * Amdahl's law. (Lazy SMP, which the engine uses, shares a table instead of moves; rung `full` with threads.)
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/work.h"
#include "lab/rung.h"

typedef struct {
    const LabNode  *root;
    LabSearch      *searches; /* one a thread */
    double         *cpu;      /* seconds, one a thread */
    Move            moves[MOVES_MAX];
    size_t          count;
    atomic_int      alpha;
    pthread_mutex_t lock; /* of best and best_at */
    int             best;
    size_t          best_at;
} Split;

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* One root move: first only whether it beats the best so far, then by how much. Of equal moves the earlier one stays. */
static void search_root_move(void *context, size_t unit, int thread)
{
    Split     *split = context;
    LabSearch *s     = &split->searches[thread];
    size_t     at    = unit + 1;
    double     begin = thread_seconds();
    int        alpha = split->alpha;
    LabNode    child;
    thesis_play(s->eval, split->root, split->moves[at], &child);
    int value = -lab_improved(s, &child, 1, -alpha - 1, -alpha);
    if (value > alpha) value = -lab_improved(s, &child, 1, -THESIS_MATE, -alpha);
    pthread_mutex_lock(&split->lock);
    if (value > split->best || (value == split->best && value > alpha && at < split->best_at)) {
        split->best    = value;
        split->best_at = at;
        if (value > split->alpha) split->alpha = value;
    }
    pthread_mutex_unlock(&split->lock);
    split->cpu[thread] += thread_seconds() - begin;
}

/* The best move of the iteration before comes first, the others as the static order has them. */
static void collect_moves(Split *split, Move first)
{
    Order order;
    order_init(&order, &split->root->pos, order_static[1]);
    if (first != MOVE_NONE) split->moves[split->count++] = first;
    for (Move move; (move = order_next(&order)) != MOVE_NONE;) {
        if (move != first) split->moves[split->count++] = move;
    }
}

static bool make_searches(Split *split, const LabSearch *s, int threads, Err *err)
{
    split->searches = calloc((size_t)threads, sizeof *split->searches);
    split->cpu      = calloc((size_t)threads, sizeof *split->cpu);
    bool ok         = split->searches && split->cpu;
    for (int i = 0; ok && i < threads; i++) {
        ok = lab_search_init(&split->searches[i], s->eval, &s->use, s->depth, err);
        if (ok) memcpy(split->searches[i].bounds.slots, s->bounds.slots, BOUND_SLOTS * sizeof *s->bounds.slots);
    }
    return ok || err_set(err, ERR_MEMORY, 0, "out of memory for %d searches", threads);
}

static void release_searches(Split *split, int threads)
{
    for (int i = 0; split->searches && i < threads; i++) lab_search_release(&split->searches[i]);
    free(split->searches);
    free(split->cpu);
}

/* The last iteration, shared out. `s` has searched the first move and knows alpha. */
static bool split_moves(LabSearch *s, Split *split, int threads, LabResult *out, Err *err)
{
    if (!make_searches(split, s, threads, err)) return false;
    pthread_mutex_init(&split->lock, NULL);
    work_run(split->count - 1, threads, search_root_move, split);
    pthread_mutex_destroy(&split->lock);
    for (int i = 0; i < threads; i++) {
        LabSearch *part = &split->searches[i];
        lab_stats_add(&s->counted, &part->counted);
        s->uncounted.nodes += part->uncounted.nodes;
        if (i > 0) out->cpu_seconds += split->cpu[i]; /* the caller's own time is counted by lab_run */
    }
    return true;
}

bool lab_root_split(LabSearch *s, const LabNode *root, int threads, LabResult *out, Err *err)
{
    int64_t start = clock_now_ns();
    int     last  = s->depth;
    Split   split = {.root = root};
    s->depth      = last - 1;
    if (last > 1) lab_deepen(s, root, out);
    collect_moves(&split, s->best);
    s->depth = last;
    if (split.count == 0 || last == 1) { /* nothing to share out */
        out->value = lab_improved(s, root, 0, -THESIS_MATE, THESIS_MATE);
        lab_note_iteration(out, s, out->value, clock_seconds_since(start));
        return true;
    }
    int64_t iteration = clock_now_ns();
    LabNode child;
    s->counted.nodes++; /* the root */
    thesis_play(s->eval, root, split.moves[0], &child);
    split.best  = -lab_improved(s, &child, 1, -THESIS_MATE, THESIS_MATE);
    split.alpha = split.best;

    int64_t parallel = clock_now_ns();
    bool    ok       = split.count == 1 || split_moves(s, &split, threads, out, err);
    double  shared   = clock_seconds_since(parallel);
    release_searches(&split, threads);
    s->best    = split.moves[split.best_at];
    out->value = split.best;
    lab_note_iteration(out, s, out->value, clock_seconds_since(iteration));
    double whole        = clock_seconds_since(start);
    out->parallel_share = whole > 0 ? shared / whole : 0;
    return ok;
}

/* pool.c - the Search value: its threads, the start and the end of a search. See search.h.
 *
 * Workers sleep on a condition variable until `job` grows. Worker 0 leads: when its iterations end it waits (asleep) while the
 * search must not end yet, stops the others, lets them vote, and tells the listener. Nothing spins.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "search/mcts.h"
#include "search/params.h"
#include "search/worker.h"

SearchConfig search_default_config(void)
{
    return (SearchConfig){.mcts              = {.exploration = 100},
                          .eval              = EVAL_CLASSICAL,
                          .features          = features_all(),
                          .params            = params_default(),
                          .quiescence_depth  = -1,
                          .iterative         = true,
                          .aspiration_window = -1};
}

/* Reductions grow with the logarithms of depth and move number. */
static void fill_reductions(Search *search)
{
    const SearchParams *params = &search->config.params;
    for (int d = 1; d < REDUCTION_MAX; d++) {
        for (int m = 1; m < REDUCTION_MAX; m++) {
            double product = log(d) * log(m);
            search->reductions[0][d][m] =
                (int)(1024 * (TUNED(params, LMR_BASE) / 100.0 + product * 100 / TUNED(params, LMR_DIVISOR)));
            search->reductions[1][d][m] =
                (int)(1024 * (TUNED(params, LMR_NOISY_BASE) / 100.0 + product * 100 / TUNED(params, LMR_NOISY_DIVISOR)));
        }
    }
}

/* ---- workers ---- */

static void worker_free(Worker *w)
{
    if (!w) return;
    evaluator_free(w->evaluator);
    free(w->histories);
    free(w->frames);
    free(w->keys);
    free(w->root_moves);
    free(w);
}

static Worker *worker_new(Search *search, int index, Err *err)
{
    Worker *w = calloc(1, sizeof *w);
    if (w) {
        w->search     = search;
        w->index      = index;
        w->evaluator  = evaluator_new(search->config.eval, err);
        w->histories  = calloc(1, sizeof *w->histories);
        w->frames     = aligned_alloc(_Alignof(Frame), FRAMES * sizeof *w->frames);
        w->root_moves = calloc(MOVES_MAX, sizeof *w->root_moves);
    }
    if (!w || !w->evaluator || !w->histories || !w->frames || !w->root_moves) {
        worker_free(w);
        err_set(err, ERR_MEMORY, 0, "no memory for search thread %d", index + 1);
        return NULL;
    }
    memset((void *)w->frames, 0, FRAMES * sizeof *w->frames);
    return w;
}

static void prepare_frames(Worker *w)
{
    for (int i = 0; i < FRAMES; i++) {
        Frame *f        = &w->frames[i];
        f->move         = MOVE_NONE;
        f->moved        = NO_PIECE;
        f->excluded     = MOVE_NONE;
        f->eval         = SCORE_NONE;
        f->continuation = &w->histories->continuation[NO_PIECE][A1];
        f->killers[0] = f->killers[1] = MOVE_NONE;
        f->double_extensions = f->cutoffs = 0;
    }
    Frame *root      = frame_at(w, 0);
    root->pos        = w->search->root;
    root->king       = movegen_king_state(&root->pos);
    root->since_null = (int)w->search->history_count;
}

static void prepare_root_moves(Worker *w)
{
    const SearchLimits *limits = &w->search->limits;
    MoveList            legal;
    movegen_legal(&w->search->root, &legal);
    w->root_count = 0;
    for (int i = 0; i < legal.count; i++) {
        int k = 0;
        while (k < limits->move_count && limits->moves[k] != legal.moves[i]) k++;
        if (limits->move_count && k == limits->move_count) continue;
        RootMove *root = &w->root_moves[w->root_count++];
        root->rank     = limits->move_count ? limits->ranks[k] : 0;
        root->move = root->pv[0] = legal.moves[i];
        root->pv_length          = 1;
        root->score = root->previous = root->average = -SCORE_INFINITE;
        root->bound                                  = BOUND_NONE;
        root->nodes                                  = 0;
        root->seldepth                               = 0;
    }
}

static void worker_prepare(Worker *w)
{
    Search *search = w->search;
    if (search->history_count) memcpy(w->keys, search->history_copy, search->history_count * sizeof *w->keys);
    w->key_count = w->root_keys = search->history_count;
    w->features                 = search->config.features;
    w->params                   = &search->config.params;
    w->completed = w->seldepth = w->pv_index = w->root_depth = w->null_min_ply = 0;
    w->aborted                                                                 = false;
    w->clock_countdown                                                         = 0;
    w->reported = w->reported_reply = MOVE_NONE;
    evaluator_set_net(w->evaluator, search->config.net);
    evaluator_set_mlp(w->evaluator, search->config.mlp);
    evaluator_set_kind(w->evaluator, search->config.eval);
    prepare_frames(w);
    prepare_root_moves(w);
}

/* Room for the game's keys and the path below. */
static bool worker_reserve_keys(Worker *w, size_t history)
{
    size_t need = history + PLY_MAX + 8;
    if (need <= w->key_cap) return true;
    Key *keys = realloc(w->keys, need * 2 * sizeof *keys);
    if (!keys) return false;
    w->keys    = keys;
    w->key_cap = need * 2;
    return true;
}

/* ---- the end of a search ---- */

/* Worker 0: sleeps while the search must not end by itself, then ends it for all. */
static void lead_to_end(Worker *w)
{
    Search *search = w->search;
    pthread_mutex_lock(&search->lock);
    while (!atomic_load_explicit(&search->stop, memory_order_relaxed) &&
           (search->limits.infinite || atomic_load_explicit(&search->pondering, memory_order_relaxed)))
        pthread_cond_wait(&search->changed, &search->lock);
    atomic_store_explicit(&search->stop, true, memory_order_relaxed);
    while (search->busy > 1) pthread_cond_wait(&search->ended, &search->lock);
    pthread_mutex_unlock(&search->lock);
    if (search->by_mcts && w->root_count) mcts_settle(w);
    search_announce(search);
}

static void run_job(Worker *w)
{
    if (w->root_count && w->search->by_mcts) mcts_run(w);
    if (w->root_count && !w->search->by_mcts) worker_iterate(w);
    if (w->index == 0) lead_to_end(w);
}

static void *worker_main(void *argument)
{
    Worker  *w      = argument;
    Search  *search = w->search;
    uint64_t seen   = 0;
    pthread_mutex_lock(&search->lock);
    for (;;) {
        while (!search->quit && search->job == seen) pthread_cond_wait(&search->changed, &search->lock);
        if (search->quit) break;
        seen = search->job;
        if (w->index == 0 && search->led_by_caller) continue;
        pthread_mutex_unlock(&search->lock);
        run_job(w);
        pthread_mutex_lock(&search->lock);
        search->busy--;
        pthread_cond_broadcast(&search->ended);
    }
    pthread_mutex_unlock(&search->lock);
    return NULL;
}

/* ---- the pool ---- */

static void stop_workers(Search *search)
{
    search_stop(search);
    search_wait(search);
    pthread_mutex_lock(&search->lock);
    search->quit = true;
    pthread_cond_broadcast(&search->changed);
    pthread_mutex_unlock(&search->lock);
    for (int i = 0; i < search->thread_count; i++) {
        if (search->workers[i]->started) pthread_join(search->workers[i]->thread, NULL);
        worker_free(search->workers[i]);
    }
    free(search->workers);
    search->workers      = NULL;
    search->thread_count = 0;
    search->quit         = false;
    search->job          = 0;
}

static bool start_workers(Search *search, int threads, Err *err)
{
    search->workers = calloc((size_t)threads, sizeof(void *));
    if (!search->workers) return err_set(err, ERR_MEMORY, 0, "no memory for %d threads", threads);
    for (int i = 0; i < threads; i++) {
        Worker *w = worker_new(search, i, err);
        if (w && pthread_create(&w->thread, NULL, worker_main, w) == 0) {
            w->started                              = true;
            search->workers[search->thread_count++] = w;
            continue;
        }
        if (w) err_set(err, ERR_MEMORY, 0, "the system does not start search thread %d of %d", i + 1, threads);
        worker_free(w);
        stop_workers(search);
        return false;
    }
    return true;
}

Search *search_new(size_t hash_mb, int threads, Err *err)
{
    Search *search = calloc(1, sizeof *search);
    if (!search) {
        err_set(err, ERR_MEMORY, 0, "no memory for a search");
        return NULL;
    }
    search->config = search_default_config();
    pthread_mutex_init(&search->lock, NULL);
    pthread_cond_init(&search->changed, NULL);
    pthread_cond_init(&search->ended, NULL);
    fill_reductions(search);
    search->tt = tt_new(hash_mb, err);
    if (!search->tt || !start_workers(search, threads, err)) {
        search_free(search);
        return NULL;
    }
    search_clear(search);
    return search;
}

void search_free(Search *search)
{
    if (!search) return;
    if (search->workers) stop_workers(search);
    mcts_free(search->mcts);
    tt_free(search->tt);
    free(search->history_copy);
    pthread_cond_destroy(&search->changed);
    pthread_cond_destroy(&search->ended);
    pthread_mutex_destroy(&search->lock);
    free(search);
}

bool search_hash_fits(size_t hash_mb) { return tt_fits(hash_mb); }

bool search_set_hash(Search *search, size_t hash_mb, Err *err)
{
    Tt *fresh = tt_new(hash_mb, err);
    if (!fresh) return false;
    mcts_lose_memory(search->mcts);
    tt_free(search->tt);
    search->tt = fresh;
    tt_clear(fresh, search->thread_count);
    return true;
}

bool search_set_threads(Search *search, int threads, Err *err)
{
    int old = search->thread_count;
    if (threads == old) return true;
    stop_workers(search);
    if (start_workers(search, threads, err)) return true;
    start_workers(search, old, NULL); /* these ran a moment ago */
    return false;
}

void search_set_config(Search *search, const SearchConfig *config)
{
    bool refill    = memcmp(&search->config.params, &config->params, sizeof config->params) != 0;
    search->config = *config;
    if (refill) fill_reductions(search);
}

void search_clear(Search *search)
{
    tt_clear(search->tt, search->thread_count);
    mcts_forget(search->mcts);
    for (int i = 0; i < search->thread_count; i++) histories_clear(search->workers[i]->histories);
}

/* Copies the keys since the last irreversible move: older positions cannot come back. */
static size_t copy_history(Search *search, const Position *root, const Key *history, size_t count)
{
    size_t wanted = count < root->halfmove ? count : root->halfmove;
    if (wanted > search->history_cap) {
        Key *keys = realloc(search->history_copy, wanted * sizeof *keys);
        if (!keys) return 0;
        search->history_copy = keys;
        search->history_cap  = wanted;
    }
    if (wanted) memcpy(search->history_copy, history + count - wanted, wanted * sizeof *history);
    return wanted;
}

/* Everything a search needs before its threads run. */
static void prepare(Search *search, const Position *root, const Key *history, size_t history_count, const SearchLimits *limits,
                    const SearchListener *listener)
{
    search_wait(search);
    search->root          = *root;
    search->limits        = *limits;
    search->listener      = *listener;
    search->history_count = copy_history(search, root, history, history_count);
    tt_new_search(search->tt);
    atomic_store_explicit(&search->stop, false, memory_order_relaxed);
    atomic_store_explicit(&search->pondering, limits->ponder, memory_order_relaxed);
    atomic_store_explicit(&search->start_ms, limits->start_ms, memory_order_relaxed);
    for (int i = 0; i < search->thread_count; i++) {
        Worker *w = search->workers[i];
        atomic_store_explicit(&w->nodes, 0, memory_order_relaxed);
        atomic_store_explicit(&w->tbhits, 0, memory_order_relaxed);
        w->counts = (SearchCounts){0};
        if (!worker_reserve_keys(w, search->history_count)) search->history_count = 0;
        worker_prepare(w);
    }
    mcts_choose(search, history, history_count);
}

/* Wakes the threads; the leading one only when the caller does not lead. */
static void launch(Search *search, bool led_by_caller)
{
    pthread_mutex_lock(&search->lock);
    search->busy          = search->thread_count;
    search->led_by_caller = led_by_caller;
    if (search->thread_count > 1 || !led_by_caller) {
        search->job++;
        pthread_cond_broadcast(&search->changed);
    }
    pthread_mutex_unlock(&search->lock);
}

static void leave_job(Search *search)
{
    pthread_mutex_lock(&search->lock);
    search->busy--;
    pthread_cond_broadcast(&search->ended);
    pthread_mutex_unlock(&search->lock);
}

void search_start(Search *search, const Position *root, const Key *history, size_t history_count, const SearchLimits *limits,
                  const SearchListener *listener)
{
    prepare(search, root, history, history_count, limits, listener);
    launch(search, false);
}

/* Short searches would spend a good part of their time on waking another thread: this one leads itself. */
void search_run(Search *search, const Position *root, const Key *history, size_t history_count, const SearchLimits *limits,
                const SearchListener *listener)
{
    prepare(search, root, history, history_count, limits, listener);
    launch(search, true);
    run_job(search->workers[0]);
    leave_job(search);
}

void search_stop(Search *search)
{
    pthread_mutex_lock(&search->lock);
    atomic_store_explicit(&search->stop, true, memory_order_relaxed);
    if (search->busy > 0) pthread_cond_broadcast(&search->changed); /* else nobody waits for it: sleepers sleep on */
    pthread_mutex_unlock(&search->lock);
}

void search_ponderhit(Search *search)
{
    pthread_mutex_lock(&search->lock);
    if (atomic_load_explicit(&search->pondering, memory_order_relaxed)) /* a stray one must not turn the clock back */
        atomic_store_explicit(&search->start_ms, clock_now_ms(), memory_order_relaxed);
    atomic_store_explicit(&search->pondering, false, memory_order_relaxed);
    pthread_cond_broadcast(&search->changed);
    pthread_mutex_unlock(&search->lock);
}

void search_wait(Search *search)
{
    pthread_mutex_lock(&search->lock);
    while (search->busy > 0) pthread_cond_wait(&search->ended, &search->lock);
    pthread_mutex_unlock(&search->lock);
}

bool search_is_running(Search *search)
{
    pthread_mutex_lock(&search->lock);
    bool running = search->busy > 0;
    pthread_mutex_unlock(&search->lock);
    return running;
}

uint64_t search_nodes(const Search *search)
{
    uint64_t sum = 0;
    if (search->by_mcts) return mcts_playouts(search->mcts);
    for (int i = 0; i < search->thread_count; i++) sum += worker_nodes(search->workers[i]);
    return sum;
}

uint64_t search_tbhits(const Search *search)
{
    uint64_t sum = 0;
    for (int i = 0; i < search->thread_count; i++) sum += atomic_load_explicit(&search->workers[i]->tbhits, memory_order_relaxed);
    return sum;
}

int search_hashfull(const Search *search) { return search->by_mcts ? mcts_fill(search->mcts) : tt_hashfull(search->tt); }

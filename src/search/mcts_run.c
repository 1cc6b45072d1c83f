/* mcts_run.c - the Monte Carlo search as a whole: its memory, its root, the loop of each worker, when to stop. See mcts.h. */
#include <stdlib.h>

#include "base/clock.h"
#include "search/mcts.h"
#include "search/mcts_proof.h"

Mcts *mcts_new(void)
{
    Mcts *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    mcts_tree_init(&m->tree);
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->changed, NULL);
    return m;
}

void mcts_free(Mcts *m)
{
    if (!m) return;
    mcts_tree_release(&m->tree);
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
    free(m->threads);
    free(m);
}

void mcts_forget(Mcts *m)
{
    if (!m) return;
    mcts_tree_reset(&m->tree);
    for (int i = 0; i < m->thread_count; i++) m->threads[i].store = (CellStore){0};
}

void mcts_lose_memory(Mcts *m)
{
    if (!m) return;
    mcts_tree_set_memory(&m->tree, NULL, 0);
    mcts_forget(m);
}

uint64_t mcts_playouts(const Mcts *m)
{
    uint64_t sum = 0;
    for (int i = 0; i < m->thread_count; i++) sum += atomic_load_explicit(&m->threads[i].playouts, memory_order_relaxed);
    return sum;
}

int mcts_fill(Mcts *m) { return m->tree.cell_count ? (int)((uint64_t)mcts_tree_used(&m->tree) * 1000 / m->tree.cell_count) : 0; }

int mcts_depth(const Mcts *m)
{
    uint64_t sum = 0, playouts = mcts_playouts(m);
    for (int i = 0; i < m->thread_count; i++) sum += atomic_load_explicit(&m->threads[i].depth_sum, memory_order_relaxed);
    int depth = playouts ? (int)(sum / playouts) : 1;
    return depth > 1 ? depth : 1;
}

/* ---- before the search ---- */

static bool prepare_threads(Mcts *m, int count)
{
    if (count != m->thread_count) {
        MctsThread *threads = calloc((size_t)count, sizeof *threads);
        if (!threads) return false;
        mcts_forget(m); /* the old stores held cells */
        free(m->threads);
        m->threads      = threads;
        m->thread_count = count;
    }
    for (int i = 0; i < count; i++) {
        MctsThread *t = &m->threads[i];
        t->rng        = rng_seeded(m->config.seed * SEARCH_THREADS_MAX + (uint64_t)i);
        atomic_store_explicit(&t->playouts, 0, memory_order_relaxed);
        atomic_store_explicit(&t->depth_sum, 0, memory_order_relaxed);
        atomic_store_explicit(&t->deepest, 0, memory_order_relaxed);
    }
    return true;
}

/* A root with its moves; an old one keeps what is known of it. */
static bool prepare_root(struct Search *search)
{
    Mcts      *m     = search->mcts;
    Worker    *lead  = search->workers[0];
    CellStore *store = &m->threads[0].store;
    if (m->tree.root == CELL_NONE) m->tree.root = mcts_tree_new_node(&m->tree, store);
    if (m->tree.root == CELL_NONE) return false;
    TreeNode *root = mcts_tree_node(&m->tree, m->tree.root);
    if (node_is_expanded(root) || lead->root_count == 0) return true;
    atomic_store_explicit(&root->bounds, bounds_pack(BOUNDS_OPEN),
                          memory_order_relaxed); /* decided before it had moves to show */
    return mcts_expand(lead, root, 0);
}

static bool same_config(const MctsConfig *a, const MctsConfig *b)
{
    return a->playout == b->playout && a->policy == b->policy && a->exploration == b->exploration && a->seed == b->seed;
}

static void remember_root(struct Search *search, const Key *history, size_t history_count)
{
    Mcts *m    = search->mcts;
    m->root    = search->root;
    m->past    = mcts_past(&search->root, history, history_count);
    m->partial = search->limits.move_count != 0 || m->mating; /* or not all that is possible was looked at */
}

static void set_rules(struct Search *search)
{
    Mcts               *m      = search->mcts;
    const SearchLimits *limits = &search->limits;
    const MctsConfig   *config = &search->config.mcts;
    m->config                  = *config;
    m->playout                 = config->playout;
    m->selection  = (Selection){.policy = config->policy, .c = config->exploration / 100.0, .at_least = limits->multipv};
    m->expand_max = MCTS_PLY_MAX;
    /* A mate in N moves has 2N - 1 plies, and the last is seen when its node gets its moves: what is proved is short enough. */
    m->mating = limits->mate > 0;
    if (m->mating && 2 * limits->mate - 2 < m->expand_max) m->expand_max = 2 * limits->mate - 2;
    m->limit          = limits->nodes;
    m->depth_told     = 0;
    m->next_report    = 1;
    m->last_report_ms = 0;
    atomic_store_explicit(&m->begun, 0, memory_order_relaxed);
    atomic_store_explicit(&m->finished, false, memory_order_relaxed);
    atomic_store_explicit(&m->low, false, memory_order_relaxed);
}

static bool prepare_search(struct Search *search, const Key *history, size_t history_count)
{
    if (!search->mcts) search->mcts = mcts_new();
    Mcts *m = search->mcts;
    if (!m) return false;
    if (!tt_has_lent(search->tt)) {
        size_t size;
        void  *memory = tt_lend(search->tt, &size);
        mcts_tree_set_memory(&m->tree, memory, size);
        mcts_forget(m);
    }
    bool whole = search->limits.move_count == 0 && search->limits.mate == 0 && !m->partial;
    bool keep  = whole && same_config(&m->config, &search->config.mcts);
    set_rules(search);
    if (!prepare_threads(m, search->thread_count)) return false;
    if (!keep || !mcts_adopt(m, &search->root, history, history_count)) mcts_forget(m);
    remember_root(search, history, history_count);
    if (prepare_root(search)) return true;
    mcts_tree_collect(&m->tree);
    if (prepare_root(search)) return true;
    mcts_forget(m); /* cannot be: a root fits into the smallest table. But a fresh start costs nothing */
    return prepare_root(search);
}

/* Nothing but a king is left to hunt. Every move wins, so means tell nothing; what counts is depth, and alpha-beta has it. Where
 * a mate in so many moves is asked for, the tree can prove it. */
static bool is_hunt(const struct Search *search)
{
    const Position *pos = &search->root;
    return !search->limits.mate && !(bb_more_than_one(pos->colors[WHITE]) && bb_more_than_one(pos->colors[BLACK]));
}

void mcts_choose(struct Search *search, const Key *history, size_t history_count)
{
    search->by_mcts = search->config.kind == SEARCH_MCTS && !is_hunt(search) && prepare_search(search, history, history_count);
    if (search->by_mcts) {
        search->limits.nodes = 0; /* the nodes of the playouts' own searches are not what is limited */
    } else if (tt_has_lent(search->tt)) {
        mcts_lose_memory(search->mcts);
        tt_take_back(search->tt, search->thread_count);
    }
}

/* ---- collecting ---- */

static void enter(Mcts *m)
{
    pthread_mutex_lock(&m->lock);
    while (atomic_load_explicit(&m->collecting, memory_order_relaxed)) pthread_cond_wait(&m->changed, &m->lock);
    m->active++;
    pthread_mutex_unlock(&m->lock);
}

static void leave(Mcts *m)
{
    pthread_mutex_lock(&m->lock);
    m->active--;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
}

/* Waits until the others pause, collects, and wakes them; when another collects already, this one pauses too. */
static void collect(Mcts *m)
{
    pthread_mutex_lock(&m->lock);
    if (atomic_load_explicit(&m->collecting, memory_order_relaxed)) {
        m->active--;
        pthread_cond_broadcast(&m->changed);
        while (atomic_load_explicit(&m->collecting, memory_order_relaxed)) pthread_cond_wait(&m->changed, &m->lock);
        m->active++;
    } else if (atomic_load_explicit(&m->low, memory_order_relaxed)) {
        atomic_store_explicit(&m->collecting, true, memory_order_relaxed);
        while (m->active > 1) pthread_cond_wait(&m->changed, &m->lock);
        mcts_tree_collect(&m->tree);
        atomic_store_explicit(&m->low, false, memory_order_relaxed);
        atomic_store_explicit(&m->collecting, false, memory_order_relaxed);
        pthread_cond_broadcast(&m->changed);
    }
    pthread_mutex_unlock(&m->lock);
}

static bool must_pause(const Mcts *m)
{
    return atomic_load_explicit(&m->low, memory_order_relaxed) || atomic_load_explicit(&m->collecting, memory_order_relaxed);
}

/* ---- when to stop ---- */

static bool root_is_decided(const Mcts *m)
{
    const TreeNode *root = mcts_tree_node(&m->tree, m->tree.root);
    return bounds_are_closed(node_bounds(root)) || (mcts_is_refuted(m, root, 0) && mcts_playouts(m) > 0);
}

/* The soft limit, stretched while the visits are spread over several moves and shrunk when one has nearly all of them. */
static double time_scale(const Mcts *m)
{
    const TreeNode *root = mcts_tree_node(&m->tree, m->tree.root);
    EdgeWalk        walk = mcts_tree_edges(&m->tree, root);
    uint32_t        most = 0, all = 1;
    for (TreeEdge *edge; (edge = mcts_tree_next_edge(&walk));) {
        const TreeNode *child  = mcts_tree_child(&m->tree, edge);
        uint32_t        visits = child ? node_visits(child) : 0;
        if (visits > most) most = visits;
        all += visits;
    }
    return 1.7 - 1.3 * most / all;
}

static bool time_is_up(const Worker *w)
{
    const struct Search *search = w->search;
    const SearchLimits  *limits = &search->limits;
    if (!limits->hard_ms && !limits->soft_ms) return false;
    if (atomic_load_explicit(&search->pondering, memory_order_relaxed)) return false;
    if (limits->soft_ms && w->root_count == 1) return true;
    int64_t elapsed = search_elapsed_ms(search);
    if (limits->hard_ms && elapsed >= limits->hard_ms) return true;
    return limits->soft_ms && (double)elapsed >= (double)limits->soft_ms * time_scale(search->mcts);
}

/* What only the leading worker looks at, every few playouts. */
static bool leader_has_enough(const Worker *w, uint64_t own)
{
    enum { INTERVAL = 8 };
    const Mcts         *m      = w->search->mcts;
    const SearchLimits *limits = &w->search->limits;
    if (own % INTERVAL && w->search->thread_count == 1 && limits->depth != 1) return false;
    if (limits->depth && mcts_depth(m) >= limits->depth && mcts_playouts(m) >= (uint64_t)w->root_count) return true;
    if (limits->soft_nodes && mcts_playouts(m) >= limits->soft_nodes) return true;
    return time_is_up(w);
}

static bool is_over(Worker *w)
{
    struct Search *search = w->search;
    Mcts          *m      = search->mcts;
    uint64_t       own    = atomic_load_explicit(&m->threads[w->index].playouts, memory_order_relaxed);
    if (root_is_decided(m) || w->aborted) return true;
    if (w->index != 0 && atomic_load_explicit(&m->finished, memory_order_relaxed)) return true;
    bool may_stop = own > 0 || w->index != 0; /* one playout is always made: there must be something to say */
    if (may_stop && atomic_load_explicit(&search->stop, memory_order_relaxed)) return true;
    if (may_stop && w->index == 0 && leader_has_enough(w, own)) return true;
    return m->limit && atomic_fetch_add_explicit(&m->begun, 1, memory_order_relaxed) >= m->limit;
}

/* ---- the loop ---- */

/* At every doubling of the playouts, when they go deeper, and after the first seconds every second; but not before every line
 * that will be shown has been tried. */
static void report_sometimes(Worker *w)
{
    enum { INTERVAL_MS = 1000, FIRST_MS = 3000, LOOK_EVERY = 64 };
    Mcts    *m        = w->search->mcts;
    uint64_t playouts = mcts_playouts(m),
             lines    = (uint64_t)(m->selection.at_least < w->root_count ? m->selection.at_least : w->root_count);
    bool due          = playouts >= m->next_report;
    if (playouts < lines || (!due && playouts % LOOK_EVERY)) return;
    int64_t elapsed = search_elapsed_ms(w->search);
    due             = due || mcts_depth(m) > m->depth_told || (elapsed > FIRST_MS && elapsed - m->last_report_ms > INTERVAL_MS);
    if (!due) return;
    while (m->next_report <= playouts) m->next_report *= 2;
    mcts_rank_root(w);
    mcts_report(w);
}

void mcts_run(Worker *w)
{
    Mcts *m = w->search->mcts;
    enter(m);
    while (!is_over(w)) {
        if (must_pause(m)) collect(m);
        mcts_play_once(w);
        if (w->index == 0) report_sometimes(w);
    }
    if (w->index == 0) {
        atomic_store_explicit(&m->finished, true, memory_order_relaxed);
        mcts_rank_root(w);
        mcts_report(w);
    }
    leave(m);
}

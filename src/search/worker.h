/* worker.h - one thread of a search and all it owns; the pool it belongs to. Internal to `search`.
 *
 * A worker walks the tree with a stack of frames, one a ply. What several threads touch is atomic: the stop flag and the
 * node counters here, the words of the transposition table there. Everything else is private to the worker.
 */
#ifndef SEARCH_WORKER_H
#define SEARCH_WORKER_H

#include <pthread.h>
#include <stdatomic.h>

#include "chess/movegen.h"
#include "search/history.h"
#include "search/search.h"
#include "search/tt.h"

enum {
    FRAMES_BEFORE = 6, /* so that "two plies ago" exists at the root */
    FRAMES        = FRAMES_BEFORE + PLY_MAX + 4,
    REDUCTION_MAX = 64,
};

/* One ply of the tree. */
typedef struct {
    Position  pos;
    KingState king; /* of pos */
    Move      move; /* being searched from here; MOVE_NONE for a null move */
    Piece     moved;
    Move      excluded; /* left out: the singular search asks what the others are worth */
    Move      killers[2];
    PieceTo  *continuation; /* the row that `move` opens for the plies below */
    Score     eval;         /* corrected static evaluation; SCORE_NONE in check */
    int       since_null;   /* plies since a null move or the root's last irreversible one */
    int       double_extensions;
    int       cutoffs; /* of the children so far */
    bool      was_pv;
    int       pv_length;
    Move      pv[PLY_MAX + 4];
} Frame;

/* A move of the root with what is known of it. */
typedef struct {
    Move     move;
    int      rank;  /* by SearchLimits */
    Score    score; /* of this iteration; -SCORE_INFINITE until searched */
    Score    previous;
    Score    average; /* over iterations, for the aspiration window */
    Bound    bound;
    int      seldepth;
    uint64_t nodes;
    int      pv_length;
    Move     pv[PLY_MAX + 4];
} RootMove;

typedef struct Worker {
    struct Search      *search;
    int                 index; /* 0 leads: it watches the clock and reports */
    pthread_t           thread;
    bool                started;
    Evaluator          *evaluator;
    Histories          *histories;
    FeatureSet          features;
    const SearchParams *params; /* of the search */
    Frame              *frames; /* FRAMES of them */
    Key                *keys;   /* of the game and of the path: for repetitions */
    size_t              key_count, key_cap;
    size_t              root_keys; /* how many of them come before the root */

    RootMove *root_moves;
    int       root_count;
    int       pv_index; /* which line of MultiPV is being searched */
    int       root_depth;
    int       completed; /* iterations */
    int       seldepth;
    int       null_min_ply; /* while verifying a null move: none before this ply */
    bool      aborted;
    Move      reported, reported_reply; /* the first moves of the last line that the listener was told */

    SearchCounts     counts; /* private to the thread */
    _Atomic uint64_t nodes;
    _Atomic uint64_t tbhits;
    uint64_t         clock_countdown;
} Worker;

struct Search {
    Tt          *tt;
    struct Mcts *mcts;    /* NULL until first needed; its tree lives in memory of the table */
    bool         by_mcts; /* how this search thinks */
    SearchConfig config;
    int          thread_count;
    Worker     **workers;
    int          reductions[2][REDUCTION_MAX][REDUCTION_MAX]; /* quiet and noisy: depth, move number; in 1024ths of a ply */

    /* The search that runs: written by the owner before it starts. */
    SearchLimits   limits;
    SearchListener listener;
    Position       root;
    Key           *history_copy; /* keys of the game before the root; every worker copies them */
    size_t         history_count, history_cap;

    _Atomic bool    stop;
    _Atomic bool    pondering;
    _Atomic int64_t start_ms;

    pthread_mutex_t lock;
    pthread_cond_t  changed;       /* job, quit, stop or pondering */
    pthread_cond_t  ended;         /* a worker: apart, so that sleeping workers sleep on through the end of a short search */
    uint64_t        job;           /* counts searches: workers wait for it to grow */
    int             busy;          /* workers still searching */
    bool            led_by_caller; /* search_run: the first worker's own thread sleeps on */
    bool            quit;
};

static inline bool feature_on(const Worker *w, Feature feature) { return w->features >> feature & 1; }

static inline Frame *frame_at(Worker *w, int ply) { return &w->frames[FRAMES_BEFORE + ply]; }

static inline void worker_count_node(Worker *w)
{
    /* Only this thread writes: a plain add, visible to readers, without a locked instruction. */
    atomic_store_explicit(&w->nodes, atomic_load_explicit(&w->nodes, memory_order_relaxed) + 1, memory_order_relaxed);
}

static inline uint64_t worker_nodes(const Worker *w) { return atomic_load_explicit(&w->nodes, memory_order_relaxed); }

/* Whether to unwind: asked at every node. Looks at the clock and the node limit now and then. */
bool worker_should_stop(Worker *w);

/* The main thread's iterations, or a helper's. */
void worker_iterate(Worker *w);

/* The value of the node at `ply` (its frame holds the position). */
Score search_node(Worker *w, int ply, int depth, Score alpha, Score beta, bool is_pv, bool cut_node);
Score search_quiesce(Worker *w, int ply, int depth, Score alpha, Score beta, bool is_pv);

/* Sends for the table's line of the position after `move`, which arrives while pruning is still being decided. */
void worker_expect(const Worker *w, const Frame *frame, Move move);

/* Plays `move` from ply into the frame below, or takes back: frames, keys, node count, prefetch. */
void worker_play(Worker *w, int ply, Move move);
void worker_play_null(Worker *w, int ply);
void worker_undo(Worker *w);

/* Draws by repetition and fifty moves at this ply; and whether a move exists that repeats. */
bool  draw_by_rule(const Worker *w, int ply);
bool  draw_is_upcoming(const Worker *w, int ply);
Score draw_score(const Worker *w);

/* Milliseconds since the clock of this search began to run. */
int64_t search_elapsed_ms(const struct Search *search);

/* announce.c: chooses among the threads' moves and tells the listener; all other workers sleep. */
void search_announce(Search *search);

#endif

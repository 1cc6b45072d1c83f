/* search.h - a position and limits in, events out: alpha-beta or Monte Carlo tree search, as the configuration says.
 *
 * A Search owns the transposition table, the Monte Carlo tree (in the table's memory) and the worker threads. It knows no
 * options, no clock policy and no text: it is given deadlines in milliseconds on the monotonic clock, and tells a listener what
 * it finds.
 * Threads: [owner] the one thread that made it, and only while no search runs unless said otherwise; [any] at any time;
 * listeners are called on a search thread, one call at a time, and must not block for long nor call [owner] functions.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/err.h"
#include "chess/position.h"
#include "eval/evaluator.h"
#include "search/features.h"
#include "search/params.h"
#include "tables/tables.h"

enum { SEARCH_THREADS_MAX = 1024, SEARCH_DEPTH_MAX = PLY_MAX - 1, MULTIPV_MAX = 256 };

typedef enum { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

/* How long and how far. A zero means "no limit of this kind" except where noted; the earliest limit that is met ends it. */
typedef struct {
    int      depth;      /* iterations; of a Monte Carlo search, the mean length of a playout's path */
    uint64_t nodes;      /* exact with one thread; of a Monte Carlo search, playouts */
    uint64_t soft_nodes; /* no new iteration after this many: for self-play */
    int      mate;       /* stop when a mate in at most this many moves is proved */
    int64_t  start_ms;   /* when the clock began to run (clock_now_ms) */
    int64_t  soft_ms;    /* since start_ms: aim to finish by then, scaled by how settled the search is */
    int64_t  hard_ms;    /* since start_ms: never beyond */
    bool     infinite;   /* report no best move before search_stop, whatever other limits say */
    bool     ponder;     /* as infinite until search_ponderhit; then the times count from that moment */
    int      multipv;    /* lines wanted, at least 1 */
    int      move_count; /* 0: all root moves */
    Move     moves[MOVES_MAX];
    int      ranks[MOVES_MAX]; /* of `moves`: one of a higher rank comes before all of lower ones, whatever its score */
} SearchLimits;

/* What the leading thread has counted since the search began: for those who look inside. */
enum { CUTOFF_NUMBERS = 8 };

typedef struct {
    uint64_t qnodes;                  /* nodes of the quiescence search */
    uint64_t cutoffs[CUTOFF_NUMBERS]; /* beta cutoffs by the number of the move: first, second ... and all later ones */
    uint64_t hash_probes, hash_hits;  /* the table was asked; it knew the position */
} SearchCounts;

/* One line of thought. `pv` begins at the root; a view that lives during the call. */
typedef struct {
    const Position     *root;
    int                 depth, seldepth;
    int                 multipv; /* from 1 */
    Score               score;   /* in the unit of the evaluation; the engine passes it on in centipawns */
    Bound               bound;   /* EXACT, LOWER (at least) or UPPER (at most) */
    uint64_t            nodes, tbhits;
    uint64_t            line_nodes; /* spent on the first move of this line; of a Monte Carlo search, its visits */
    int64_t             time_ms;
    int                 hashfull; /* permille */
    const Move         *pv;
    int                 pv_length;
    const SearchCounts *counts; /* NULL where nothing is counted; a view that lives during the call */
} SearchInfo;

/* The move being looked at in the root, told after the first seconds. */
typedef struct {
    const Position *root;
    int             depth;
    Move            move;
    int             number; /* from 1 */
} SearchProgress;

typedef struct {
    const Position *root;
    Move            best;   /* MOVE_NONE only when there is no legal move */
    Move            ponder; /* MOVE_NONE when there is none */
    Score           score;  /* as in SearchInfo */
    Score           value;  /* always in the unit of the evaluation: what trainers learn from */
    int             depth;
    uint64_t        nodes;
    int64_t         time_ms;
} SearchResult;

/* Any of them may be NULL. */
typedef struct {
    void *context;
    void (*info)(void *context, const SearchInfo *info);
    void (*progress)(void *context, const SearchProgress *progress);
    void (*done)(void *context, const SearchResult *result); /* exactly once a search; the last call of it */
} SearchListener;

typedef enum { SEARCH_ALPHABETA, SEARCH_MCTS } SearchKind;

/* What a new leaf of the Monte Carlo tree is worth: a quiescence search, alpha-beta of depth 3, or a game of random moves. */
typedef enum { PLAYOUT_EVAL, PLAYOUT_MINIMAX, PLAYOUT_RANDOM, PLAYOUTS } PlayoutKind;

/* Which move of a node is tried next: weighted by a first guess of each, or all alike. mcts_select.h has the formulas. */
typedef enum { POLICY_PUCT, POLICY_UCT } PolicyKind;

typedef struct {
    PlayoutKind playout;
    PolicyKind  policy;
    int         exploration; /* the constant c in hundredths */
    uint64_t    seed;        /* of random playouts; equal seeds and node limits give equal moves on one thread */
} MctsConfig;

/* What may be changed between searches. */
typedef struct {
    SearchKind    kind;
    MctsConfig    mcts; /* of SEARCH_MCTS */
    EvalKind      eval;
    const Net    *net; /* of EVAL_NNUE; lives until the next search begins */
    const Mlp    *mlp; /* of EVAL_MLP, likewise */
    FeatureSet    features;
    SearchParams  params;            /* looked at in a tuning build only */
    int           quiescence_depth;  /* -1: no limit; else so many plies of captures */
    bool          iterative;         /* false: search the depth limit at once (for study) */
    int           aspiration_window; /* half width in centipawns; 0: always full windows; -1: the search's own */
    const Tables *tables;            /* NULL: none; must outlive the search that uses them */
    int           table_men;         /* probe positions with at most so many men ... */
    int           table_depth;       /* ... and those with exactly so many only at this depth or more */
    bool          table_fifty;       /* wins that the fifty-move rule spoils are draws */
} SearchConfig;

typedef struct Search Search;

Search *search_new(size_t hash_mb, int threads, Err *err); /* NULL and *err when memory or threads are short */
void    search_free(Search *search);                       /* stops and waits; NULL is fine */

bool         search_hash_fits(size_t hash_mb);                          /* [any] whether this machine has so much memory at all */
bool         search_set_hash(Search *search, size_t hash_mb, Err *err); /* [owner] keeps the old table when it fails */
bool         search_set_threads(Search *search, int threads, Err *err); /* [owner] keeps the old threads when it fails */
void         search_set_config(Search *search, const SearchConfig *config); /* [owner] */
SearchConfig search_default_config(void);
void         search_clear(Search *search); /* [owner] forgets table and histories: a new game */

/* [owner] Starts searching `root`; `history` are the keys of the earlier positions of the game, oldest first, without the root's.
 * Returns at once; the listener hears the rest. */
void search_start(Search *search, const Position *root, const Key *history, size_t history_count, const SearchLimits *limits,
                  const SearchListener *listener);

/* [owner] The same on the caller's thread: returns when the search has ended and the listener has heard everything. */
void search_run(Search *search, const Position *root, const Key *history, size_t history_count, const SearchLimits *limits,
                const SearchListener *listener);

void     search_stop(Search *search);           /* [any] asks the search to end; returns at once */
void     search_ponderhit(Search *search);      /* [any] the awaited move was played: the clock runs now */
void     search_wait(Search *search);           /* [any but a listener] blocks until no search runs */
bool     search_is_running(Search *search);     /* [any] */
uint64_t search_nodes(const Search *search);    /* [any] nodes of the running or last search */
uint64_t search_tbhits(const Search *search);   /* [any] positions of it that the tables knew */
int      search_hashfull(const Search *search); /* [any] */

#endif

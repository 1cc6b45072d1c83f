/* mcts.h - Monte Carlo tree search: alpha-beta's position, limits and listener, another way to think. Internal to `search`.
 *
 * A playout walks from the root to a leaf (mcts_select), gives the leaf its moves when it comes there again (mcts_prior), asks
 * what it is worth (mcts_playout), and carries the answer back up; what is certain is proved on the way (mcts_proof). Each worker
 * makes playouts in one common tree (mcts_tree): a visit counts before its value does, so that others meanwhile look elsewhere.
 * When cells run out, the worker that notices lets the others finish their playout and sleep, collects, and wakes them.
 * The tree survives the search: when the game has gone on along it, what is below the new position is kept.
 * Threads: [owner] as search.h, while no search runs; mcts_run on every worker; the rest on the leading one.
 */
#ifndef SEARCH_MCTS_H
#define SEARCH_MCTS_H

#include "base/rng.h"
#include "search/mcts_select.h"
#include "search/worker.h"

enum { MCTS_PLY_MAX = PLY_MAX - 64 }; /* nodes so deep get no moves: the playout's own search needs room below */

/* What one worker keeps for itself. */
typedef struct {
    CellStore        store;
    Rng              rng;
    TreeNode        *path[MCTS_PLY_MAX + 2];
    _Atomic uint64_t playouts;
    _Atomic uint64_t depth_sum; /* of their paths */
    _Atomic int      deepest;
} MctsThread;

typedef struct Mcts {
    Tree        tree;
    MctsThread *threads;
    int         thread_count;

    /* The search that runs. */
    Selection        selection;
    PlayoutKind      playout;
    int              expand_max; /* the deepest ply at which a node gets its moves */
    bool             mating;     /* only a mate of the side to move is asked for: who has not won at expand_max has failed */
    uint64_t         limit;      /* playouts; 0: none */
    _Atomic uint64_t begun;      /* playouts that were begun, for that limit */
    _Atomic bool     finished;   /* the leading worker has seen enough */

    /* The collection: who runs low asks, all others pause between two playouts. */
    pthread_mutex_t lock;
    pthread_cond_t  changed;
    int             active; /* workers that may be inside a playout; guarded by lock */
    _Atomic bool    collecting;
    _Atomic bool    low; /* a playout found no cell */

    /* What the tree is about, to know it again. */
    MctsConfig config;
    Position   root;
    Key        past;    /* a digest of the keys before the root that can still repeat */
    bool       partial; /* the root had not all of its moves */

    /* What was reported. */
    int      depth_told;
    uint64_t next_report;
    int64_t  last_report_ms;
} Mcts;

Mcts *mcts_new(void); /* [owner] NULL when memory is short */
void  mcts_free(Mcts *m);

/* [owner] Decides how the search that is about to run thinks (search->by_mcts; alpha-beta when memory is short, or when a bare
 * king is hunted) and readies the tree for it: memory, threads, the root with its moves. The two share the table's memory: it
 * goes to the tree or comes back. `history` is the whole game's. */
void mcts_choose(struct Search *search, const Key *history, size_t history_count);

void mcts_forget(Mcts *m);      /* [owner] no tree from now on; NULL is fine */
void mcts_lose_memory(Mcts *m); /* [owner] the lent cells are gone; NULL is fine */

/* This worker's part of the search. */
void mcts_run(Worker *w);

/* The leading worker's root moves in the order of the tree, after all others have ended; tells the listener when news is left. */
void mcts_settle(Worker *w);

uint64_t mcts_playouts(const Mcts *m); /* [any] */
int      mcts_fill(Mcts *m);           /* [any] permille of the cells */

/* ---- between the files of mcts_*.c ---- */

/* One playout from root to leaf and back. */
void mcts_play_once(Worker *w);

/* From the leaf at path[ply], worth `value` for its side to move, to the root: every node counts the value for the side that
 * moved into it, and a decided node decides what goes on upward. */
void mcts_back_up(const Tree *tree, TreeNode *const path[], int ply, double value);

/* Gives the node at `ply` its moves; false when it stays without (another thread is at it, or cells are short). */
bool mcts_expand(Worker *w, TreeNode *node, int ply);

/* Keeps the subtree of the new root when the game went on along the tree. */
bool mcts_adopt(Mcts *m, const Position *root, const Key *history, size_t history_count);
Key  mcts_past(const Position *root, const Key *history, size_t history_count);

/* The question "is there a mate?" is answered with no in a node of this ply. */
bool mcts_is_refuted(const Mcts *m, const TreeNode *node, int ply);

/* The mean depth of the playouts, at least 1. */
int mcts_depth(const Mcts *m);

/* Brings w->root_moves into the tree's order with scores and lines; mcts_report tells the first lines of them. */
void mcts_rank_root(Worker *w);
void mcts_report(Worker *w);

#endif

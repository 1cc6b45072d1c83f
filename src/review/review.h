/* review.h - a whole game looked at by the engine: what every move cost, who played how well, and what was better.
 *
 * Every position of the game is searched with the same limits, from the last to the first: so the hash table already knows
 * what the game's own move led to when the position before it is searched, and the two scores of a move agree better.
 * The result is a value. Scores in it are from White's side; losses are of the side that moved and never negative.
 * Threads: [owner] one thread at a time; [any] at any time. The listener is called on the owner's thread.
 */
#ifndef REVIEW_REVIEW_H
#define REVIEW_REVIEW_H

#include "engine/engine.h"
#include "game/game.h"
#include "review/judge.h"

enum { REVIEW_LINE_MOVES = 12, REVIEW_LINES_MAX = 8 };

/* What the engine would play. */
typedef struct {
    Score score; /* White's side */
    int   depth;
    int   length;
    Move  moves[REVIEW_LINE_MOVES];
} ReviewLine;

/* A position of the game. Where the game is over by the rules there are no lines, and the score is known without a search. */
typedef struct {
    bool       known; /* false: a review that was stopped did not come so far */
    Score      score; /* White's side: of the best line */
    int        line_count;
    ReviewLine lines[REVIEW_LINES_MAX]; /* best first */
} ReviewPosition;

/* A move of the game; positions[i] stands before moves[i] and positions[i + 1] after it. */
typedef struct {
    Move          move;
    Color         side;
    Phase         phase;
    bool          judged;  /* both positions are known: what follows is meant */
    bool          is_best; /* the engine's own choice, or the only move: it costs nothing */
    Score         before;  /* White's side: of the best move, and of this one */
    Score         after;
    int           loss_cp;  /* 0..2 * REVIEW_CP_MAX */
    double        drop;     /* of winning chances, in percentage points, 0..100 */
    double        accuracy; /* 0..100 */
    ReviewVerdict verdict;
} ReviewMove;

typedef struct {
    int    moves;                   /* judged ones; the rest means nothing when there are none */
    double accuracy;                /* 0..100 */
    double loss_cp;                 /* average */
    int    counts[REVIEW_VERDICTS]; /* moves by verdict */
} ReviewSummary;

typedef struct {
    size_t          plies;
    ReviewMove     *moves;     /* `plies` of them */
    ReviewPosition *positions; /* plies + 1 */
    ReviewSummary   sides[COLORS];
    ReviewSummary   phases[COLORS][PHASES];
    bool            complete; /* every position is known */
    uint64_t        nodes;
    double          seconds;
} Review;

void review_release(Review *review); /* `Review r = {0}` is fine */

/* Fills moves, sides and phases from positions (their known, score and lines); for whoever has the scores already.
 * False when memory is short. */
bool review_conclude(Review *review, const Game *game);

/* An empty review of a game: nothing known. False when memory is short. */
bool review_init(Review *review, const Game *game);

/* ---- making one ---- */

/* How much to think about each position: at least one must be given, the earliest that is met counts. */
typedef struct {
    int64_t movetime_ms;
    int64_t nodes;
    int     depth;
    int     multipv; /* lines to find, 1..REVIEW_LINES_MAX; 0 is 1 */
} ReviewLimits;

/* Called after each position; may be NULL. False ends the review. */
typedef struct {
    void *context;
    bool (*progress)(void *context, size_t done, size_t total);
} ReviewListener;

typedef struct Reviewer Reviewer;

Reviewer *reviewer_new(Err *err); /* makes an engine of its own; NULL and *err when memory is short */
void      reviewer_free(Reviewer *reviewer);

/* [owner] Its engine, to set options (Hash, Threads, Eval, SyzygyPath); not to search with. */
Engine *reviewer_engine(Reviewer *reviewer);

/* [owner] Reviews a game; blocks. `*out` need not be initialised and is to be released. True also when it was stopped: then
 * `complete` is false, and what was done is in `*out`. False with *err when memory is short or no limit is given. */
bool reviewer_run(Reviewer *reviewer, const Game *game, const ReviewLimits *limits, const ReviewListener *listener, Review *out,
                  Err *err);

/* [any] Ends the review that runs, or the next one if none does, within milliseconds. */
void reviewer_stop(Reviewer *reviewer);

#endif

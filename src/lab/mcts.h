/* mcts.h - experiments with Monte Carlo tree search: how fast it plays out, which settings are best, how far alpha-beta is ahead.
 *
 * Matches are tournaments of two in the arena, from both sides of each opening, with the error of the pairs. At equal nodes a
 * playout of MCTS stands against a node of alpha-beta; at equal time both have the same clock.
 * Threads: [owner]; listeners are called on the owner's thread.
 */
#ifndef LAB_MCTS_H
#define LAB_MCTS_H

#include "base/buf.h"
#include "chess/position.h"
#include "search/search.h"
#include "stats/elo.h"

enum { LAB_MCTS_VALUES_MAX = 16, LAB_MCTS_NAME_SIZE = 48 };

typedef struct {
    uint64_t    games; /* of each match; 0: none */
    uint64_t    nodes; /* a move, at equal nodes */
    int         movetime_ms;
    int         concurrency;
    const char *openings;                    /* a file, or NULL: the built-in lines */
    int         values[LAB_MCTS_VALUES_MAX]; /* of c in hundredths: each against the default */
    int         value_count;
} LabMctsGames;

typedef struct {
    char        first[LAB_MCTS_NAME_SIZE], second[LAB_MCTS_NAME_SIZE];
    char        limit[LAB_MCTS_NAME_SIZE]; /* "500 nodes", "50 ms" */
    EloEstimate elo;                       /* of the first */
} LabMctsMatch;

typedef void LabMctsMatchFn(void *context, const LabMctsMatch *match);

/* Playouts against each other, values of c, UCT against PUCT, MCTS against alpha-beta and against random moves. Blocks. */
bool lab_mcts_games(const LabMctsGames *config, LabMctsMatchFn *on_match, void *context, Err *err);

/* How fast one core plays out from the start position. */
typedef struct {
    double random_games, random_plies; /* whole random games a second, and their mean length */
    double playouts[PLAYOUTS];         /* of each kind a second, in a search of its own */
} LabMctsRates;

/* By the time that this process had the processor, so that other work on the machine does not count. `games` random games,
 * about a second of each search. */
bool lab_mcts_rates(uint64_t games, LabMctsRates *out, Err *err);

/* Mates in 1, 2, 3 ... of a suite: EPD lines with "dm 2", "bm #2" or "ce +M2"; others are left out. */
enum { LAB_MCTS_MATE_MAX = 10 };

typedef struct {
    uint64_t positions[LAB_MCTS_MATE_MAX + 1], proved[LAB_MCTS_MATE_MAX + 1]; /* by the moves to mate */
    uint64_t playouts[LAB_MCTS_MATE_MAX + 1];
    Buf      missed; /* the FENs that were not proved, each with a line end; for the caller to release */
} LabMctsMates;

/* Adds the suite's positions (at most `most` of them, 0: all) to *out: is a mate of that length proved within `nodes`
 * playouts? */
bool lab_mcts_mates(const char *path, uint64_t most, uint64_t nodes, LabMctsMates *out, Err *err);

/* Where the visits of one search went, most first. */
typedef struct {
    Position root;
    uint64_t nodes;
    int      count;
    Move     moves[MOVES_MAX];
    uint64_t visits[MOVES_MAX];
    Score    scores[MOVES_MAX];
} LabMctsVisits;

bool lab_mcts_visits(const char *fen, PlayoutKind playout, uint64_t nodes, LabMctsVisits *out, Err *err);

const char *lab_mcts_playout_name(PlayoutKind playout); /* "eval", "minimax", "random" */

#endif

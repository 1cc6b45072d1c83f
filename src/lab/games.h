/* games.h - what a search does in the course of real games: statistics by move number, averaged over games against a player
 * that moves at random.
 *
 * The search plays White in one game and Black in the next. Threads: [any]. */
#ifndef LAB_GAMES_H
#define LAB_GAMES_H

#include "lab/rung.h"

enum { LAB_GAME_MOVES = 60 };

/* Means a move; `games[i]` is how many games reached that move. */
typedef struct {
    int    moves; /* the longest game, at most LAB_GAME_MOVES */
    int    games[LAB_GAME_MOVES];
    double nodes[LAB_GAME_MOVES], qnodes[LAB_GAME_MOVES], cutoffs[LAB_GAME_MOVES], hash_hits[LAB_GAME_MOVES];
    int    wins, draws, losses;
} LabGames;

/* Plays `count` games at this depth. Blocks. False with *err when memory is short. */
bool lab_games(const Rung *rung, const LabTask *task, int count, uint64_t seed, LabGames *out, Err *err);

#endif

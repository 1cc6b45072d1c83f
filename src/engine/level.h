/* level.h - playing below full strength like a person: seeing less, and choosing among moves that look nearly equal.
 *
 * A level limits how much is searched and blurs the scores of the best few moves before one is chosen. A move that loses clearly
 * more than the blur is never chosen, so nothing is hung out of nowhere, and a forced mate is always played.
 */
#ifndef ENGINE_LEVEL_H
#define ENGINE_LEVEL_H

#include "base/rng.h"
#include "chess/move.h"
#include "eval/score.h"

enum { LEVEL_ELO_MIN = 1000, LEVEL_ELO_MAX = 3000, LEVEL_LINES = 6, SKILL_MAX = 20 };

typedef struct {
    uint64_t nodes; /* soft limit of the search */
    int      blur;  /* centipawns: the spread of the error */
    int      loss;  /* centipawns: never choose a move that is worse than the best by more */
} Level;

/* What a search of several lines found, best first. */
typedef struct {
    int   count;
    Move  moves[LEVEL_LINES];
    Move  replies[LEVEL_LINES]; /* the second move of the line, or MOVE_NONE */
    Score scores[LEVEL_LINES];
} LevelChoice;

Level level_of_elo(int elo);
int   level_elo_of_skill(int skill); /* Skill Level 0..19 to an Elo; 20 is full strength */

/* Which of the lines to play: an index. */
int level_choose(const Level *level, const LevelChoice *choice, Rng *rng);

#endif

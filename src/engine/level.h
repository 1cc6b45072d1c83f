/* level.h - playing below full strength like a person: seeing less, and choosing among moves that look nearly equal.
 *
 * A level limits how much is searched and blurs the scores of the best few moves before one is chosen. A move that loses clearly
 * more than the blur is never chosen, so nothing is hung out of nowhere, and a forced mate is always played.
 */
#ifndef ENGINE_LEVEL_H
#define ENGINE_LEVEL_H

#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "chess/position.h"
#include "search/search.h"

enum { LEVEL_ELO_MIN = 1000, LEVEL_ELO_TABLES = 2200, LEVEL_ELO_NETWORK = 2500, LEVEL_ELO_MAX = 3000 };
enum { LEVEL_LINES = 6, LEVEL_PV = 16, SKILL_MAX = 20 };

typedef struct {
    uint64_t nodes;   /* soft limit of the search */
    int      blur;    /* centipawns: the spread of the error; at least one, so that no two games are alike */
    int      lines;   /* how many moves are compared, 1..LEVEL_LINES */
    int      loss;    /* centipawns: never choose a move that is worse than the best by more */
    bool     tables;  /* has the technique to keep what the endgame tables promise */
    bool     network; /* judges by the network, where there is one; below, a better network must not move the levels */
} Level;

/* What a search of several lines found, best first. */
typedef struct {
    int   count;
    Move  moves[LEVEL_LINES];
    Score scores[LEVEL_LINES];
    /* The lines themselves, to show the one that is played; their `pv` is to be taken from `pvs`. */
    SearchInfo lines[LEVEL_LINES];
    Move       pvs[LEVEL_LINES][LEVEL_PV];
} LevelChoice;

/* For `pos`, because what every beginner learns first (mating a bare king) is not blurred. */
Level level_of_elo(int elo, const Position *pos);
int   level_elo_of_skill(int skill); /* Skill Level 0..19 to an Elo; 20 is full strength */

/* What a person calls a Skill Level: "beginner" .. "full strength". Several levels share a name. */
const char *level_name(int skill);

/* A Skill Level from a number 0..20, an Elo from LEVEL_ELO_MIN on, or a name or its beginning ("club": the middle one). */
bool level_from_text(Str text, int *skill, Err *err);

/* Which of the lines to play: an index. */
int level_choose(const Level *level, const LevelChoice *choice, Rng *rng);

#endif

/* level.c - see level.h. */
#include "engine/level.h"

#include <math.h>

/* Fitted so that each of the twenty skill steps wins 55 to 75 % (docs/strength.md): the blur decides below, the nodes above. */
Level level_of_elo(int elo, const Position *pos)
{
    enum { TECHNIQUE_NODES = 20000 };
    double above = elo - LEVEL_ELO_MIN, range = LEVEL_ELO_MAX - LEVEL_ELO_MIN;
    double share = above / range; /* 0 weakest, 1 strongest */
    double fade  = 1 - share;
    Level  level = {
         .nodes = (uint64_t)(400 * pow(2, 8 * share)),
         .blur  = (int)(240 * fade * fade),
         .loss  = (int)(400 * fade),
    };
    bool bare_king = !bb_more_than_one(pos->colors[color_flip(position_side(pos))]);
    if (bare_king) level.blur = 0;
    if (bare_king && level.nodes < TECHNIQUE_NODES) level.nodes = TECHNIQUE_NODES;
    return level;
}

int level_elo_of_skill(int skill) { return LEVEL_ELO_MIN + (LEVEL_ELO_MAX - LEVEL_ELO_MIN) * skill / SKILL_MAX; }

/* The sum of four uniform numbers is near enough to a bell curve: mean 0, deviation about 0.58. */
static double bell(Rng *rng) { return rng_unit(rng) + rng_unit(rng) + rng_unit(rng) + rng_unit(rng) - 2; }

int level_choose(const Level *level, const LevelChoice *choice, Rng *rng)
{
    Score best = choice->scores[0];
    if (choice->count < 2 || score_is_mate(best))
        return 0; /* a mate is played; a lost position is defended as well as it can be */
    int    chosen = 0;
    double top    = -1e9;
    for (int i = 0; i < choice->count; i++) {
        double value = choice->scores[i] + level->blur * bell(rng);
        if (best - choice->scores[i] > level->loss || score_is_loss(choice->scores[i])) continue;
        if (value <= top) continue;
        top    = value;
        chosen = i;
    }
    return chosen;
}

/* level.c - see level.h. */
#include "engine/level.h"

#include <math.h>

/* Every hundred Elo the nodes grow by the same factor. The network is a step by itself, so it begins with fewer nodes than the
 * classical evaluation ends with; from there on the factor is larger, because strong players draw more. */
static double level_nodes(int elo)
{
    /* at LEVEL_ELO_NETWORK and every hundred from there */
    static const double network[] = {18500, 31000, 53000, 90000, 155000, 300000};
    enum { LAST = sizeof network / sizeof *network - 1 };
    if (elo < LEVEL_ELO_NETWORK) return 540 * pow(1.35, (elo - LEVEL_ELO_MIN) / 100.0);
    int above = elo - LEVEL_ELO_NETWORK, i = above / 100 < LAST ? above / 100 : LAST - 1;
    return network[i] * pow(network[i + 1] / network[i], above / 100.0 - i);
}

/* In the network's unit an advantage that wins is two to three times smaller, so the same error would weigh that much more. The
 * classical levels end where the network begins, so their error is on its way to vanish one level before the top. */
static double level_blur(int elo)
{
    bool   network = elo >= LEVEL_ELO_NETWORK;
    double weakest = network ? 96 : 213, gone = network ? LEVEL_ELO_MAX : LEVEL_ELO_MAX - 100;
    return weakest * pow((gone - elo) / (gone - LEVEL_ELO_MIN), 2.3);
}

/* Who errs by little compares few moves: the others would never be chosen, and looking at them costs nodes. */
static int level_lines(int blur)
{
    int lines = 1 + (blur + 3) / 4;
    return lines < LEVEL_LINES ? lines : LEVEL_LINES;
}

/* Fitted so that each skill step wins 55 to 75 % (measured: docs/strength.md). The blur decides below, the nodes above. */
Level level_of_elo(int elo, const Position *pos)
{
    enum { TECHNIQUE_NODES = 20000 };
    double fade  = (double)(LEVEL_ELO_MAX - elo) / (LEVEL_ELO_MAX - LEVEL_ELO_MIN); /* 1 weakest, 0 strongest */
    Level  level = {
         .nodes   = (uint64_t)level_nodes(elo),
         .blur    = (int)ceil(level_blur(elo)),
         .loss    = (int)(400 * fade),
         .tables  = elo >= LEVEL_ELO_TABLES,
         .network = elo >= LEVEL_ELO_NETWORK,
    };
    bool bare_king = !bb_more_than_one(pos->colors[color_flip(position_side(pos))]);
    if (bare_king) level.blur = 0;
    if (bare_king && level.nodes < TECHNIQUE_NODES) level.nodes = TECHNIQUE_NODES;
    level.lines = level_lines(level.blur);
    return level;
}

int level_elo_of_skill(int skill) { return LEVEL_ELO_MIN + (LEVEL_ELO_MAX - LEVEL_ELO_MIN) * skill / SKILL_MAX; }

/* ---- names ---- */

static const struct {
    const char *name;
    int         first; /* the lowest Skill Level that is called so */
} level_names[] = {
    {"beginner", 0}, {"casual player", 3}, {"club player", 6},     {"expert", 9},
    {"master", 12},  {"grandmaster", 15},  {"world champion", 18}, {"full strength", SKILL_MAX},
};
enum { LEVEL_NAMES = sizeof level_names / sizeof *level_names };

const char *level_name(int skill)
{
    int i = LEVEL_NAMES - 1;
    while (i > 0 && skill < level_names[i].first) i--;
    return level_names[i].name;
}

/* The level in the middle of those that share a name. */
static int middle_of(int i)
{
    int end = i + 1 < LEVEL_NAMES ? level_names[i + 1].first : SKILL_MAX + 1;
    return (level_names[i].first + end - 1) / 2;
}

static int skill_of_elo(int elo)
{
    int skill = SKILL_MAX - 1;
    while (skill > 0 && level_elo_of_skill(skill) > elo) skill--;
    return elo >= LEVEL_ELO_MAX ? SKILL_MAX : skill;
}

bool level_from_text(Str text, int *skill, Err *err)
{
    int number;
    text = str_trim(text);
    if (str_to_int(text, 0, SKILL_MAX, skill)) return true;
    if (str_to_int(text, LEVEL_ELO_MIN, 4000, &number)) {
        *skill = skill_of_elo(number);
        return true;
    }
    for (int i = 0; text.len && i < LEVEL_NAMES; i++) {
        Str name = str_from(level_names[i].name);
        if (text.len > name.len || !str_equal_nocase(text, (Str){name.ptr, text.len})) continue;
        *skill = middle_of(i);
        return true;
    }
    return err_set(err, ERR_RANGE, 0,
                   "a level is 0 to %d, an Elo from %d on, or a word: beginner, casual, club, expert, master, "
                   "grandmaster, world champion, full strength",
                   SKILL_MAX, LEVEL_ELO_MIN);
}

/* ---- choosing ---- */

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

/* policy.c - see policy.h. */
#include "lichess/policy.h"

static const char *decline(const char **why, const char *reason, const char *sentence)
{
    if (why) *why = sentence;
    return reason;
}

static const char *judge_clock(const Config *config, const LichessChallenge *c, const char **why)
{
    if (!c->has_clock) return NULL;
    if (c->base_s < config->min_base_s) return decline(why, "tooFast", "less time than min_base_s");
    if (c->base_s > config->max_base_s) return decline(why, "tooSlow", "more time than max_base_s");
    if (c->increment_s < config->min_increment_s) return decline(why, "tooFast", "less increment than min_increment_s");
    if (c->increment_s > config->max_increment_s) return decline(why, "tooSlow", "more increment than max_increment_s");
    return NULL;
}

static const char *judge_player(const Config *config, const LichessUser *user, const char **why)
{
    if (config_names_hold(config->block, user->id) || config_names_hold(config->block, user->name))
        return decline(why, "generic", "the player is on the block list");
    if (config->only.len && !config_names_hold(config->only, user->id) && !config_names_hold(config->only, user->name))
        return decline(why, "generic", "the player is not on the list `only`");
    if (user->bot && !(config->opponents & OPPONENT_BOT)) return decline(why, "noBot", "no games against bots");
    if (!user->bot && !(config->opponents & OPPONENT_HUMAN)) return decline(why, "onlyBot", "games against bots only");
    if (user->rating < config->min_rating) return decline(why, "generic", "rated below min_rating");
    if (user->rating > config->max_rating) return decline(why, "generic", "rated above max_rating");
    return NULL;
}

const char *policy_challenge(const Config *config, const LichessChallenge *c, const PolicyPresent *now, const char **why)
{
    unsigned speed = config_speed(c->speed);
    if (now->leaving) return decline(why, "later", "the bot is about to leave");
    if (!(config->variants & config_variant(c->variant)))
        return decline(why, config->variants == VARIANT_STANDARD ? "standard" : "variant", "not a variant of the list");
    const char *reason = judge_player(config, &c->challenger, why);
    if (reason) return reason;
    if (!(config->speeds & speed)) return decline(why, "timeControl", "not a speed of the list");
    reason = judge_clock(config, c, why);
    if (reason) return reason;
    if (c->rated && !(config->modes & MODE_RATED)) return decline(why, "casual", "casual games only");
    if (!c->rated && !(config->modes & MODE_CASUAL)) return decline(why, "rated", "rated games only");
    if (c->rematch_of.len && now->rematches >= config->rematches) return decline(why, "later", "enough rematches in a row");
    if (now->games >= config->max_games) return decline(why, "later", "as many games as max_games allows");
    return NULL;
}

void policy_note_score(const Config *config, Score score, PolicyTrend *trend)
{
    bool level   = score >= -config->draw_score && score <= config->draw_score;
    trend->level = level ? trend->level + 1 : 0;
    trend->lost  = score <= -config->resign_score ? trend->lost + 1 : 0;
}

static bool is_level(const Config *config, const PolicyTrend *trend, int64_t move_number)
{
    return trend->level >= config->draw_moves && move_number >= config->draw_min_move;
}

bool policy_offers_draw(const Config *config, const PolicyTrend *trend, int64_t move_number)
{
    return config->draw_offer && is_level(config, trend, move_number);
}

/* A lost game is a draw gladly taken, at any time. */
bool policy_accepts_draw(const Config *config, const PolicyTrend *trend, int64_t move_number)
{
    return config->draw_accept && (is_level(config, trend, move_number) || trend->lost > 0);
}

bool policy_resigns(const Config *config, const PolicyTrend *trend)
{
    return config->resign && trend->lost >= config->resign_moves;
}

bool policy_grants_takeback(const Config *config, int granted) { return granted < config->takebacks; }

unsigned policy_speed(int64_t base_s, int64_t increment_s)
{
    int64_t whole = base_s + 40 * increment_s;
    if (whole < 30) return SPEED_ULTRA_BULLET;
    if (whole < 180) return SPEED_BULLET;
    if (whole < 480) return SPEED_BLITZ;
    if (whole < 1500) return SPEED_RAPID;
    return SPEED_CLASSICAL;
}

bool policy_challenges(const Config *config, const LichessAccount *bot, Str self)
{
    unsigned speed = policy_speed(config->matchmaking_base_s, config->matchmaking_increment_s);
    int      index = 0;
    while (!(speed & 1U << index)) index++;
    if (!bot->bot || str_equal_nocase(bot->id, self)) return false;
    if (config_names_hold(config->block, bot->id)) return false;
    if (config->only.len && !config_names_hold(config->only, bot->id)) return false;
    return bot->ratings[index] >= config->matchmaking_min_rating && bot->ratings[index] <= config->matchmaking_max_rating;
}

void overhead_note(Overhead *overhead, double lost_ms)
{
    if (lost_ms < 0) lost_ms = 0;
    if (!overhead->known) {
        *overhead = (Overhead){true, lost_ms, lost_ms / 2};
        return;
    }
    double away = lost_ms > overhead->mean_ms ? lost_ms - overhead->mean_ms : overhead->mean_ms - lost_ms;
    overhead->deviation_ms += (away - overhead->deviation_ms) / 4;
    overhead->mean_ms += (lost_ms - overhead->mean_ms) / 8;
}

int64_t overhead_ms(const Overhead *overhead, const Config *config)
{
    double ms = overhead->known ? overhead->mean_ms + 3 * overhead->deviation_ms : (double)config->overhead_start_ms;
    if (ms < (double)config->overhead_min_ms) return config->overhead_min_ms;
    if (ms > (double)config->overhead_max_ms) return config->overhead_max_ms;
    return (int64_t)ms;
}

int64_t backoff_ms(const Config *config, int failures, uint64_t chance)
{
    int64_t wait = config->backoff_min_ms;
    for (int i = 1; i < failures && wait < config->backoff_max_ms; i++) wait *= 2;
    if (wait > config->backoff_max_ms) wait = config->backoff_max_ms;
    return wait - (int64_t)(chance % (uint64_t)(wait / 4 + 1));
}

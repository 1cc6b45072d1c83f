/* adjudicate.c - see adjudicate.h. */
#include "arena/adjudicate.h"

#include "tables/tables.h"

typedef struct {
    const char *name;
    int         low, high;
    int        *target;
} Setting;

/* Reads "name=value" parts into their targets; the table ends with a NULL name. */
static bool parse_settings(const char *what, Str text, const Setting *settings, Err *err)
{
    Str rest = text;
    while (str_trim(rest).len) {
        rest       = str_trim(rest);
        size_t end = 0;
        while (end < rest.len && rest.ptr[end] != ',' && !char_is_space(rest.ptr[end])) end++;
        Str part = {rest.ptr, end}, value = part, name = str_next_until(&value, '=');
        rest = str_skip(rest, end + 1);
        if (part.len == 0) continue;
        const Setting *s = settings;
        while (s->name && !str_equal(str_from(s->name), name)) s++;
        if (!s->name)
            return err_set(err, ERR_SYNTAX, (size_t)(name.ptr - text.ptr), "--%s has no part '%.*s'", what, STR_ARGS(name));
        if (!str_to_int(value, s->low, s->high, s->target))
            return err_set(err, ERR_RANGE, (size_t)(part.ptr - text.ptr), "--%s: %s takes a number from %d to %d, not '%.*s'",
                           what, s->name, s->low, s->high, STR_ARGS(value));
    }
    return true;
}

bool adjudicate_parse_resign(Str text, AdjudicationRules *rules, Err *err)
{
    int           moves = 3, score = 400, two_sided = 0;
    const Setting settings[] = {
        {"movecount", 1, 1000, &moves}, {"score", 1, SCORE_MATE, &score}, {"twosided", 0, 1, &two_sided}, {0}};
    if (!parse_settings("resign", text, settings, err)) return false;
    rules->resign_moves     = moves;
    rules->resign_score     = score;
    rules->resign_two_sided = two_sided != 0;
    return true;
}

bool adjudicate_parse_draw(Str text, AdjudicationRules *rules, Err *err)
{
    int           number = 40, moves = 8, score = 10;
    const Setting settings[] = {
        {"movenumber", 1, 10000, &number}, {"movecount", 1, 1000, &moves}, {"score", 0, SCORE_MATE, &score}, {0}};
    if (!parse_settings("draw", text, settings, err)) return false;
    rules->draw_number = number;
    rules->draw_moves  = moves;
    rules->draw_score  = score;
    return true;
}

static void count_move(const AdjudicationRules *rules, AdjudicationState *state, Color mover, bool has_score, Score score)
{
    bool loses = has_score && score <= -rules->resign_score, wins = has_score && score >= rules->resign_score;
    bool level            = has_score && score >= -rules->draw_score && score <= rules->draw_score;
    state->losing[mover]  = loses ? state->losing[mover] + 1 : 0;
    state->winning[mover] = wins ? state->winning[mover] + 1 : 0;
    state->level          = level ? state->level + 1 : 0;
}

bool adjudicate_probe_tables(void *context, const Position *pos, Result *out)
{
    TableRanking ranking;
    if (!tables_rank_moves(context, pos, false, true, &ranking)) return false;
    Color us = position_side(pos);
    *out     = RESULT_DRAW;
    if (ranking.verdict == TABLE_WIN) *out = us == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
    if (ranking.verdict == TABLE_LOSS) *out = us == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS;
    return true;
}

Adjudication adjudicate_move(const AdjudicationRules *rules, AdjudicationState *state, const Game *game, Color mover,
                             bool has_score, Score score, Result *result)
{
    count_move(rules, state, mover, has_score, score);
    if (rules->resign_moves && state->losing[mover] >= rules->resign_moves &&
        (!rules->resign_two_sided || state->winning[color_flip(mover)] >= rules->resign_moves)) {
        *result = mover == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS;
        return ADJUDICATE_RESIGN;
    }
    int finished = (int)game->now.fullmove - (game->now.side == WHITE ? 1 : 0); /* the number of the move just made */
    if (rules->draw_moves && finished >= rules->draw_number && state->level >= 2 * rules->draw_moves) {
        *result = RESULT_DRAW;
        return ADJUDICATE_DRAW;
    }
    if (rules->probe && rules->probe(rules->probe_context, &game->now, result)) return ADJUDICATE_TABLES;
    if (rules->max_moves && game->plies >= 2 * (size_t)rules->max_moves) {
        *result = RESULT_DRAW;
        return ADJUDICATE_LENGTH;
    }
    return ADJUDICATE_NONE;
}

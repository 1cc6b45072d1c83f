/* players.c - see players.h. */
#include "web/players.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "engine/level.h"

enum { TIME_MS_MAX = 24 * 3600 * 1000, MOVETIME_MS_MAX = 600000 };

void players_reset(Players *players)
{
    *players = (Players){0};
    for (Color c = WHITE; c < COLORS; c++) players->sides[c] = (Side){.kind = SIDE_HUMAN, .level = SKILL_MAX};
}

static bool bad(Request *r, const char *name, const char *what)
{
    request_fail(r, 422, "bad_player", "%s: %s", name, what);
    return false;
}

/* A whole number between two bounds, or nothing. */
static bool read_number(const json_t *object, const char *key, int64_t high, int64_t *out)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value)) return true;
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= 0 && *out <= high;
}

static bool read_side(Request *r, const char *name, Color color, Players *players)
{
    const json_t *object = json_object_get(r->json, name);
    if (!object || json_is_null(object)) return true;
    const char *kind  = json_string_value(json_object_get(object, "kind"));
    Side       *side  = &players->sides[color];
    int64_t     level = SKILL_MAX, movetime = 0;
    int         known = -1;
    for (SideKind k = SIDE_HUMAN; kind && k < SIDE_KINDS; k++) {
        if (strcmp(kind, side_kind_text(k)) == 0) known = (int)k;
    }
    if (known < 0) return bad(r, name, "kind is one of human, engine and random");
    if (!read_number(object, "level", SKILL_MAX, &level)) return bad(r, name, "level is a whole number from 0 to 20");
    if (!read_number(object, "movetime_ms", MOVETIME_MS_MAX, &movetime))
        return bad(r, name, "movetime_ms is a whole number from 0 to 600000");
    const json_t *label = json_object_get(object, "name");
    if (label && !json_is_null(label) && (!json_is_string(label) || json_string_length(label) >= NAME_SIZE))
        return bad(r, name, "name is a text of less than 128 bytes");
    *side = (Side){.kind = (SideKind)known, .level = (int)level, .movetime_ms = movetime};
    if (json_is_string(label)) players->names[color] = (Str){json_string_value(label), json_string_length(label)};
    players->given[color] = true;
    return true;
}

static bool read_time(Request *r, Players *players)
{
    const json_t *time  = json_object_get(r->json, "time");
    players->time_given = time != NULL;
    if (!time || json_is_null(time)) return true;
    bool ok = json_is_object(time) && read_number(time, "base_ms", TIME_MS_MAX, &players->base_ms) &&
              read_number(time, "increment_ms", TIME_MS_MAX, &players->increment_ms);
    players->has_time = true;
    if (ok && players->base_ms + players->increment_ms > 0) return true;
    request_fail(r, 422, "bad_time", "time is {\"base_ms\": N, \"increment_ms\": N}, not both 0 and neither above a day");
    return false;
}

bool players_read(Request *r, Players *players)
{
    return read_side(r, "white", WHITE, players) && read_side(r, "black", BLACK, players) && read_time(r, players);
}

static void set_name(Session *s, Color color, Str name)
{
    const Side *side = &s->sides[color];
    char        text[64];
    if (side->kind == SIDE_ENGINE && side->level < SKILL_MAX) {
        snprintf(text, sizeof text, "Tabia, level %d", side->level);
    } else {
        snprintf(text, sizeof text, "%s",
                 side->kind == SIDE_ENGINE   ? "Tabia"
                 : side->kind == SIDE_RANDOM ? "Random mover"
                                             : "You");
    }
    tree_set_tag(&s->tree, color == WHITE ? STR("White") : STR("Black"), name.len ? name : str_from(text), NULL);
}

void players_apply(const Players *players, Session *s)
{
    for (Color c = WHITE; c < COLORS; c++) {
        bool first = tree_tag(&s->tree, c == WHITE ? "White" : "Black").len == 0;
        if (players->given[c] || first) s->sides[c] = players->sides[c];
        if (players->given[c] || first) set_name(s, c, players->names[c]);
    }
    if (!players->time_given) return;
    s->has_time     = players->has_time;
    s->base_ms      = players->base_ms;
    s->increment_ms = players->increment_ms;
    /* The first increment belongs to the first move; a clock that starts at 0 lives on it. */
    for (Color c = WHITE; c < COLORS; c++) s->left_ms[c] = players->base_ms ? players->base_ms : players->increment_ms;
    s->turn_began_ms = clock_now_ms();
    if (s->has_time) return;
    tree_set_tag(&s->tree, STR("TimeControl"), STR(""), NULL);
    tree_set_tag(&s->tree, STR("ClocksMs"), STR(""), NULL);
}

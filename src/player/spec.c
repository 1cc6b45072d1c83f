/* spec.c - see spec.h. */
#include "player/spec.h"

#include <stdio.h>
#include <stdlib.h>

/* Engines that can be called by name. The rest of the line, in the syntax of the line itself, is what is special about them. */
typedef struct {
    const char *name;
    const char *parts;
    const char *what;
} Known;

static const Known known_engines[] = {
    {"stockfish", "cmd=stockfish", "Debian's Stockfish"},
    {"fairy-stockfish", "cmd=fairy-stockfish", "Debian's Fairy-Stockfish"},
    {"ethereal-chess", "cmd=ethereal-chess", "Debian's Ethereal"},
    {"toga2", "cmd=toga2", "Debian's Toga II"},
    {"glaurung", "cmd=glaurung,option.Threads=1", "Debian's Glaurung, one thread"},
    {"gnuchess", "cmd=gnuchess --uci", "Debian's GNU Chess"},
};

/* Lichess's levels: https://lichess.org plays Fairy-Stockfish with these numbers. */
typedef struct {
    int skill, movetime_ms, depth;
} Level;

static const Level levels[] = {
    {-9, 50, 5}, {-5, 100, 5}, {-1, 150, 5}, {3, 200, 5}, {7, 300, 5}, {11, 400, 8}, {16, 500, 13}, {20, 1000, 22},
};

bool player_spec_known(size_t index, const char **name, const char **what)
{
    size_t count = sizeof known_engines / sizeof *known_engines;
    if (index > count) return false;
    *name = index < count ? known_engines[index].name : "stockfish-level-1..8";
    *what = index < count ? known_engines[index].what : "lichess's levels (fairy-stockfish with its skill, time and depth)";
    return true;
}

/* A zero-terminated copy that lives as long as the spec; NULL and *err when memory is short. */
static char *keep(PlayerSpec *spec, Str text, Err *err)
{
    char **grown = realloc(spec->texts, (spec->text_count + 1) * sizeof *grown);
    char  *copy  = malloc(text.len + 1);
    if (grown) spec->texts = grown;
    if (!grown || !copy) {
        free(copy);
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    if (text.len) memcpy(copy, text.ptr, text.len);
    copy[text.len]                  = '\0';
    spec->texts[spec->text_count++] = copy;
    return copy;
}

void player_spec_release(PlayerSpec *spec)
{
    for (size_t i = 0; i < spec->text_count; i++) free(spec->texts[i]);
    free(spec->texts);
    *spec = (PlayerSpec){0};
}

bool player_spec_rename(PlayerSpec *spec, Str name, Err *err)
{
    const char *copy = keep(spec, name, err);
    if (copy) spec->name = copy;
    return copy != NULL;
}

/* Splits a command into words; quotes hold words with spaces together. */
static bool set_command(PlayerSpec *spec, Str command, Err *err)
{
    spec->kind = PLAYER_UCI;
    spec->argc = 0;
    size_t i   = 0;
    while (i < command.len) {
        while (i < command.len && char_is_space(command.ptr[i])) i++;
        if (i >= command.len) break;
        char   quote = command.ptr[i] == '"' || command.ptr[i] == '\'' ? command.ptr[i++] : ' ';
        size_t start = i;
        while (i < command.len && (quote == ' ' ? !char_is_space(command.ptr[i]) : command.ptr[i] != quote)) i++;
        if (quote != ' ' && i >= command.len)
            return err_set(err, ERR_SYNTAX, start, "cmd=%.*s: a quote is not closed", STR_ARGS(command));
        if (spec->argc == SPEC_ARGS_MAX)
            return err_set(err, ERR_RANGE, i, "cmd=%.*s: more than %d words", STR_ARGS(command), SPEC_ARGS_MAX);
        char *word = keep(spec, (Str){command.ptr + start, i - start}, err);
        if (!word) return false;
        spec->argv[spec->argc++] = word;
        if (quote != ' ') i++;
    }
    spec->argv[spec->argc] = NULL;
    return spec->argc > 0 || err_set(err, ERR_SYNTAX, 0, "cmd= names no program");
}

static bool set_option(PlayerSpec *spec, Str name, Str value, bool optional, Err *err)
{
    const char *kept_name = keep(spec, name, err), *kept_value = keep(spec, value, err);
    if (!kept_name || !kept_value) return false;
    int slot = 0;
    while (slot < spec->option_count && !str_equal_nocase(str_from(spec->options[slot].name), name)) slot++;
    if (slot == SPEC_OPTIONS_MAX) return err_set(err, ERR_RANGE, 0, "more than %d options for one engine", SPEC_OPTIONS_MAX);
    spec->options[slot] = (PlayerOption){.name = kept_name, .value = kept_value, .optional = optional};
    if (slot == spec->option_count) spec->option_count++;
    return true;
}

/* Where a part comes from decides what it may do and whether the engine must know the option. */
typedef enum { FROM_EACH, FROM_US, FROM_LINE } Origin;

static bool set_part(PlayerSpec *spec, Str key, Str value, Origin origin, Err *err)
{
    bool known = false;
    if (str_starts_with(key, STR("option."))) return set_option(spec, str_skip(key, 7), value, origin != FROM_LINE, err);
    if (str_equal(key, STR("name"))) {
        return value.len ? player_spec_rename(spec, value, err) : err_set(err, ERR_SYNTAX, 0, "name= is empty");
    }
    if (str_equal(key, STR("cmd"))) return set_command(spec, value, err);
    if (str_equal(key, STR("dir"))) return (spec->dir = keep(spec, value, err)) != NULL;
    if (str_equal(key, STR("log"))) return (spec->log = keep(spec, value, err)) != NULL;
    if (str_equal(key, STR("seed")))
        return str_to_u64(value, &spec->seed) ||
               err_set(err, ERR_SYNTAX, 0, "seed takes a whole number, not '%.*s'", STR_ARGS(value));
    TimeControl limits = {0};
    if (origin != FROM_LINE || spec->own_limits) limits = spec->limits; /* an engine's own limits are instead of all others */
    if (!timecontrol_set(&limits, key, value, &known, err)) return false;
    if (!known) return set_option(spec, key, value, origin != FROM_LINE, err);
    spec->limits     = limits;
    spec->has_limits = true;
    spec->own_limits = spec->own_limits || origin == FROM_LINE;
    return true;
}

/* Takes "key=value" off the front; parts without '=' that follow belong to the value. Commas separate. */
static bool next_part(Str *rest, Str *key, Str *value, Err *err)
{
    Str part = str_next_until(rest, ',');
    *value   = part;
    *key     = str_next_until(value, '=');
    if (key->len == part.len) return err_set(err, ERR_SYNTAX, 0, "'%.*s' is not of the form key=value", STR_ARGS(part));
    while (rest->len) {
        Str after = *rest, next = str_next_until(&after, ',');
        if (memchr(next.ptr, '=', next.len)) break;
        value->len = (size_t)(next.ptr + next.len - value->ptr);
        *rest      = after;
    }
    *key   = str_trim(*key);
    *value = str_trim(*value);
    return key->len > 0 || err_set(err, ERR_SYNTAX, 0, "'%.*s' has no name before '='", STR_ARGS(part));
}

static bool set_parts(PlayerSpec *spec, Str parts, Origin origin, Err *err)
{
    Str key, value;
    while (str_trim(parts).len) {
        if (!next_part(&parts, &key, &value, err)) return false;
        if (!set_part(spec, key, value, origin, err)) return false;
    }
    return true;
}

/* "option.Hash=64 tc=4+0.04": without a comma, spaces separate. */
static bool set_each(PlayerSpec *spec, Str each, Err *err)
{
    if (each.len && memchr(each.ptr, ',', each.len)) return set_parts(spec, each, FROM_EACH, err);
    while (str_trim(each).len) {
        if (!set_parts(spec, str_next_token(&each), FROM_EACH, err)) return false;
    }
    return true;
}

static bool set_level(PlayerSpec *spec, Str head, bool *is_level, Err *err)
{
    const Str prefix = STR("stockfish-level-");
    int       level;
    *is_level = str_starts_with(head, prefix);
    if (!*is_level) return true;
    int count = (int)(sizeof levels / sizeof *levels);
    if (!str_to_int(str_skip(head, prefix.len), 1, count, &level))
        return err_set(err, ERR_RANGE, 0, "'%.*s': the levels are stockfish-level-1 to stockfish-level-%d", STR_ARGS(head),
                       count);
    char         skill[16];
    const Level *l = &levels[level - 1];
    snprintf(skill, sizeof skill, "%d", l->skill);
    spec->has_limits = true;
    spec->limits     = (TimeControl){.movetime_ms = l->movetime_ms, .depth = l->depth};
    return set_command(spec, STR("fairy-stockfish"), err) && set_option(spec, STR("Skill Level"), str_from(skill), false, err);
}

static Str base_name(Str path)
{
    for (size_t i = path.len; i > 1; i--) {
        if (path.ptr[i - 1] == '/' && i < path.len) return str_skip(path, i);
    }
    return path;
}

/* Who is it? Sets kind, command and a first name from the word before the colon. */
static bool set_head(PlayerSpec *spec, Str head, Err *err)
{
    bool is_level;
    if (head.len == 0) return err_set(err, ERR_SYNTAX, 0, "an engine needs a name: tabia, random, a program, or cmd=PROGRAM");
    if (!player_spec_rename(spec, base_name(head), err)) return false;
    if (str_equal_nocase(head, STR("tabia"))) return (spec->kind = PLAYER_TABIA, true);
    if (str_equal_nocase(head, STR("random"))) return (spec->kind = PLAYER_RANDOM, true);
    if (!set_level(spec, head, &is_level, err)) return false;
    if (is_level) return true;
    for (size_t i = 0; i < sizeof known_engines / sizeof *known_engines; i++) {
        if (str_equal(head, str_from(known_engines[i].name)))
            return set_parts(spec, str_from(known_engines[i].parts), FROM_US, err);
    }
    return set_command(spec, head, err);
}

/* "cmd=./engine --uci,name=New": all parts, no word before them. */
static bool parse_without_head(PlayerSpec *spec, Str line, Err *err)
{
    if (!set_parts(spec, line, FROM_LINE, err)) return false;
    if (spec->argc == 0)
        return err_set(err, ERR_SYNTAX, 0, "'%.*s' names no program: begin with a name or with cmd=PROGRAM", STR_ARGS(line));
    return spec->name || player_spec_rename(spec, base_name(str_from(spec->argv[0])), err);
}

static bool parse_into(PlayerSpec *spec, Str line, Str each, Err *err)
{
    size_t end = 0;
    while (end < line.len && line.ptr[end] != ':' && line.ptr[end] != ',' && line.ptr[end] != '=') end++;
    if (!(spec->source = keep(spec, line, err))) return false;
    /* The runner gives the openings; an engine with a book of its own keeps it closed unless its line says otherwise. */
    if (!set_parts(spec, STR("option.OwnBook=false"), FROM_US, err) || !set_each(spec, each, err)) return false;
    if (spec->argc || spec->name)
        return err_set(err, ERR_SYNTAX, 0, "cmd and name are an engine's own: they cannot stand in --each");
    if (end < line.len && line.ptr[end] == '=') return parse_without_head(spec, line, err);
    Str parts = str_trim(str_skip(line, end + 1));
    if (!set_head(spec, str_trim((Str){line.ptr, end}), err)) return false;
    if (parts.len == 0) return true;
    Buf name = {0}; /* what it is called unless name= follows: options and all, so that two of a kind can be told apart */
    buf_printf(&name, "%s:%.*s", spec->name, STR_ARGS(parts));
    bool ok = player_spec_rename(spec, buf_str(&name), err);
    buf_release(&name);
    return ok && set_parts(spec, parts, FROM_LINE, err);
}

bool player_spec_parse(Str line, Str each, PlayerSpec *out, Err *err)
{
    PlayerSpec spec = {.seed = 1};
    line            = str_trim(line);
    if (!parse_into(&spec, line, each, err)) {
        player_spec_release(&spec);
        *out = (PlayerSpec){0};
        return false;
    }
    *out = spec;
    return true;
}

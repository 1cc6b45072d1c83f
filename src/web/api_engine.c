/* api_engine.c - what engines do beside playing: analysis, threats, hints, reports; events. Handlers: see request.h. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "engine/level.h"
#include "search/features.h"
#include "web/forms.h"
#include "web/players.h"
#include "web/request.h"

enum { HINT_MS = 1000, LIMIT_MS_MAX = 24 * 3600 * 1000 };

/* ---- about ---- */

static void form_option(JsonWriter *w, const EngineOption *option)
{
    static const char *const types[] = {"check", "spin", "combo", "button", "string"};
    json_begin_object(w, NULL);
    json_str(w, "name", str_from(option->name));
    json_str(w, "type", str_from(types[option->kind]));
    if (option->kind == ENGINE_OPTION_SPIN) {
        json_i64(w, "default", option->spin_default);
        json_i64(w, "min", option->low);
        json_i64(w, "max", option->high);
    } else if (option->kind == ENGINE_OPTION_CHECK) {
        json_bool(w, "default", strcmp(option->text_default, "true") == 0);
    } else if (option->kind != ENGINE_OPTION_BUTTON) {
        bool none = strcmp(option->text_default, "<empty>") == 0;
        json_str(w, "default", str_from(none ? "" : option->text_default));
    }
    if (option->kind == ENGINE_OPTION_COMBO) {
        json_begin_array(w, "choices");
        for (int i = 0; option->choices[i]; i++) json_str(w, NULL, str_from(option->choices[i]));
        json_end_array(w);
    }
    json_end_object(w);
}

static const EngineOption *find_option(Str name)
{
    for (size_t i = 0; i < engine_option_count(); i++) {
        if (str_equal_nocase(str_from(engine_option(i)->name), name)) return engine_option(i);
    }
    return NULL;
}

/* Options that the server sets itself, or that mean nothing here. */
static bool is_hidden(const EngineOption *option)
{
    static const char *const hidden[] = {"Ponder",        "UCI_Chess960", "UCI_ShowWDL", "UCI_AnalyseMode", "UCI_LimitStrength",
                                         "UCI_Elo",       "Skill Level",  "Minimal",     "Debug Log File",  "MultiPV",
                                         "Move Overhead", "OwnBook",      "Book File",   "Book File White", "Book File Black",
                                         "Book Depth",    "Book Choice",  "Book Veto",   "SyzygyPath"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (strcmp(hidden[i], option->name) == 0) return true;
    }
    return option->kind == ENGINE_OPTION_BUTTON;
}

static bool is_file(const EngineOption *option)
{
    return option->kind == ENGINE_OPTION_STRING && !str_equal(str_from(option->name), STR("Features"));
}

static void form_choices(JsonWriter *w, const char *key, const char *option_name, const char *otherwise)
{
    const EngineOption *option = find_option(str_from(option_name));
    json_begin_array(w, key);
    for (int i = 0; option && option->kind == ENGINE_OPTION_COMBO && option->choices[i]; i++)
        json_str(w, NULL, str_from(option->choices[i]));
    if (!option) json_str(w, NULL, str_from(otherwise));
    json_end_array(w);
}

static void form_levels(JsonWriter *w)
{
    json_begin_array(w, "levels");
    for (int level = 0; level <= SKILL_MAX; level++) {
        json_begin_object(w, NULL);
        json_i64(w, "level", level);
        json_str(w, "name", str_from(level_name(level)));
        json_i64(w, "elo", level_elo_of_skill(level));
        json_end_object(w);
    }
    json_end_array(w);
}

static void form_network(JsonWriter *w, const Net *net)
{
    char name[17];
    if (!net) {
        json_none(w, "network");
        return;
    }
    snprintf(name, sizeof name, "%016" PRIx64, net->hash);
    json_begin_object(w, "network");
    json_str(w, "name", str_from(name));
    json_i64(w, "hidden", net->hidden);
    json_i64(w, "buckets", net->buckets);
    json_end_object(w);
}

void api_about(Request *r)
{
    JsonWriter w;
    request_begin(r, 200, &w);
    json_begin_object(&w, NULL);
    json_str(&w, "version", STR("Tabia"));
    form_levels(&w);
    json_begin_array(&w, "options");
    for (size_t i = 0; i < engine_option_count(); i++) {
        const EngineOption *option = engine_option(i);
        if (!is_hidden(option) && !(is_file(option) && r->hub->remote)) form_option(&w, option);
    }
    json_end_array(&w);
    json_begin_array(&w, "features");
    for (Feature feature = 0; feature < FEATURES; feature++) {
        json_begin_object(&w, NULL);
        json_str(&w, "name", str_from(feature_name(feature)));
        json_str(&w, "text", str_from(feature_text(feature)));
        json_end_object(&w);
    }
    json_end_array(&w);
    form_choices(&w, "evals", "Eval", "classical");
    form_choices(&w, "searches", "Search", "alphabeta");
    form_network(&w, r->hub->network);
    json_begin_object(&w, "limits");
    json_i64(&w, "games", GAMES_MAX);
    json_i64(&w, "engines", ENGINES_MAX);
    json_i64(&w, "threads", r->hub->threads_max);
    json_i64(&w, "hash_mb", HASH_MB_MAX);
    json_i64(&w, "multipv", LINES_MAX);
    json_i64(&w, "nodes", TREE_NODES_MAX);
    json_end_object(&w);
    json_end_object(&w);
}

/* ---- analysis ---- */

static bool bad_option(Request *r, const char *name, const char *text)
{
    request_fail(r, 422, "bad_option", "%.64s: %s", name, text);
    return false;
}

/* Limits that belong to the machine rather than to the engine. */
static bool option_fits(Request *r, const EngineOption *option, Str value)
{
    int64_t number = 0;
    if (option->kind == ENGINE_OPTION_SPIN && (!str_to_i64(value, &number) || number < option->low || number > option->high))
        return bad_option(r, option->name, "the value is out of its range");
    if (strcmp(option->name, "Threads") == 0 && number > r->hub->threads_max)
        return bad_option(r, option->name, "this machine has not so many cores");
    if (strcmp(option->name, "Hash") == 0 && number > HASH_MB_MAX)
        return bad_option(r, option->name, "this server gives at most 1024 MB to an engine");
    return true;
}

static bool read_option(Request *r, const char *name, const json_t *value, OptionValue *out)
{
    const EngineOption *option = find_option(str_from(name));
    if (!option || is_hidden(option)) return bad_option(r, name, "there is no such option; /api/about lists them");
    if (is_file(option) && r->hub->remote) return bad_option(r, name, "files cannot be named from afar");
    if (json_is_boolean(value)) {
        snprintf(out->value, sizeof out->value, "%s", json_is_true(value) ? "true" : "false");
    } else if (json_is_integer(value)) {
        snprintf(out->value, sizeof out->value, "%lld", (long long)json_integer_value(value));
    } else if (json_is_string(value) && json_string_length(value) < sizeof out->value) {
        snprintf(out->value, sizeof out->value, "%s", json_string_value(value));
    } else {
        return bad_option(r, name, "the value must be a text of less than 256 bytes, a whole number, true or false");
    }
    snprintf(out->name, sizeof out->name, "%s", option->name);
    return option_fits(r, option, str_from(out->value));
}

/* The values are tried on an engine that never thinks: whatever it refuses is refused here, with its sentence. */
static bool try_options(Request *r, const Job *job)
{
    Err     err;
    Engine *engine = engine_new(NULL, &err);
    bool    ok     = engine != NULL;
    for (int pass = 0; ok && pass < 2; pass++) { /* files before what needs them */
        for (int i = 0; ok && i < job->option_count; i++) {
            if (is_file(find_option(str_from(job->options[i].name))) != (pass == 0)) continue;
            ok = engine_set_option(engine, str_from(job->options[i].name), str_from(job->options[i].value), &err);
        }
    }
    engine_free(engine);
    if (!ok) request_fail_err(r, 422, "bad_option", &err);
    return ok;
}

static bool read_options(Request *r, Job *job)
{
    json_t     *options = json_object_get(r->json, "options");
    const char *name;
    json_t     *value;
    if (!options || json_is_null(options)) return true;
    if (!json_is_object(options) || json_object_size(options) > OPTIONS_MAX) {
        request_fail(r, 422, "bad_value", "options must be an object of names and values");
        return false;
    }
    json_object_foreach(options, name, value)
    {
        if (!read_option(r, name, value, &job->options[job->option_count])) return false;
        job->option_count++;
    }
    return try_options(r, job);
}

static bool read_limits(Request *r, GoLimits *limits)
{
    int64_t depth = 0, movetime = 0, nodes = 0;
    if (!request_int(r, "depth", 0, SEARCH_DEPTH_MAX, &depth) || !request_int(r, "movetime_ms", 0, LIMIT_MS_MAX, &movetime) ||
        !request_int(r, "nodes", 0, INT64_MAX, &nodes))
        return false;
    limits->depth        = (int)depth;
    limits->move_time_ms = movetime;
    limits->nodes        = nodes;
    limits->infinite     = !depth && !movetime && !nodes;
    return true;
}

/* The moves to look at, in the position that is searched; without "moves" all. */
static bool read_moves(Request *r, const Position *pos, GoLimits *limits)
{
    const json_t *moves = json_object_get(r->json, "moves");
    Err           err;
    if (!moves || json_is_null(moves)) return true;
    size_t count = json_array_size(moves);
    if (count == 0 || count > MOVES_MAX) {
        request_fail(r, 422, "bad_value", "moves must be a list of moves, such as [\"e2e4\", \"Nf3\"]");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(moves, i));
        Move        move;
        if (!request_read_move(pos, str_from(text ? text : ""), &move, &err)) {
            request_fail_err(r, 422, "bad_move", &err);
            return false;
        }
        int at = 0;
        while (at < limits->move_count && limits->moves[at] != move) at++;
        limits->moves[at] = move;
        if (at == limits->move_count) limits->move_count++;
    }
    return true;
}

/* Engines are few: whether one can be had for the slot now. */
static bool engine_is_free(Request *r, const Slot *slot)
{
    const Hub *hub = r->hub;
    if (slot->engine || hub->engines < ENGINES_MAX) return true;
    for (size_t i = 0; i < hub->count; i++) {
        for (int k = 0; k < SLOTS; k++) {
            const Slot *other = &hub->sessions[i]->slots[k];
            if (other->engine && other->state == SLOT_IDLE) return true;
        }
    }
    request_fail(r, 409, "engines_busy", "all %d engines are thinking: stop another analysis first", ENGINES_MAX);
    return false;
}

void api_analyse(Request *r)
{
    Session *s       = r->session;
    Job      job     = {.kind = JOB_ANALYSIS, .node = s->current, .level = SKILL_MAX};
    int64_t  multipv = 1;
    bool     threat  = false;
    Position pos;
    if (!request_node(r, "node", &job.node) || !request_int(r, "multipv", 1, LINES_MAX, &multipv) ||
        !request_bool(r, "threat", &threat) || !read_limits(r, &job.limits) || !read_options(r, &job))
        return;
    tree_position(&s->tree, job.node, &pos);
    job.multipv = (int)multipv;
    if (threat) job.kind = JOB_THREAT;
    if (threat && position_in_check(&pos)) {
        request_fail(r, 409, "in_check", "whoever stands in check cannot pass, so there is no threat to show");
        return;
    }
    if (threat && json_object_get(r->json, "moves")) {
        request_fail(r, 422, "bad_value", "moves are for the side to move; a threat has none");
        return;
    }
    if (!read_moves(r, &pos, &job.limits)) return;
    if (!engine_is_free(r, &s->slots[SLOT_ANALYST])) return;
    job.number  = ++s->jobs;
    s->analysis = job;
    hub_wake(r->hub);
    request_empty(r);
}

void api_stop(Request *r)
{
    r->session->analysis.number = 0;
    reporter_cancel(&r->hub->reporter, r->session);
    hub_wake(r->hub);
    request_empty(r);
}

/* ---- reports ---- */

void api_report(Request *r)
{
    enum { REPORT_MS = 200, NODES_MAX = 1000000000 };
    int64_t movetime = 0, nodes = 0;
    if (!request_int(r, "movetime_ms", 0, LIMIT_MS_MAX, &movetime) || !request_int(r, "nodes", 0, NODES_MAX, &nodes)) return;
    if (!movetime && !nodes) movetime = REPORT_MS;
    if (session_line_end(r->session) == 0) {
        request_fail(r, 409, "no_moves", "there are no moves to judge yet");
        return;
    }
    ReviewLimits limits = {.movetime_ms = movetime, .nodes = nodes};
    reporter_cancel(&r->hub->reporter, r->session);
    reporter_ask(&r->hub->reporter, r->session, &limits);
    request_empty(r);
}

void api_report_last(Request *r)
{
    if (!r->session->report.len) {
        request_fail(r, 404, "no_report", "there is no report of this game yet: ask for one with POST");
        return;
    }
    r->status = 200;
    r->type   = "application/json";
    buf_append(&r->answer, buf_str(&r->session->report));
}

/* ---- hints ---- */

void api_hint(Request *r)
{
    Session *s = r->session;
    Game     game;
    GameEnd  end  = END_NONE;
    int      node = s->current;
    if (!request_node(r, "node", &node)) return;
    if (tree_game(&s->tree, node, &game, NULL)) {
        end = game_end(&game);
        game_release(&game);
    }
    if (end == END_CHECKMATE || end == END_STALEMATE) {
        request_fail(r, 409, "game_over", "there is no move here: %s", game_end_text(end));
    } else if (s->hint.number) {
        request_fail(r, 409, "hint_waits", "a hint is on its way already");
    } else if (engine_is_free(r, &s->slots[SLOT_ANALYST])) {
        s->hint = (Job){.kind = JOB_HINT, .number = ++s->jobs, .node = node, .multipv = 1, .level = SKILL_MAX};
        s->hint.limits.move_time_ms = HINT_MS;
        s->hint_waits               = r;
        r->waits                    = true;
        hub_wake(r->hub);
    }
}

/* ---- events ---- */

void api_events(Request *r)
{
    const char *id = request_query(r, "game");
    r->session     = id ? hub_find(r->hub, str_from(id)) : NULL;
    if (!r->session) {
        request_fail(r, 404, "no_game", "there is no such game");
    } else if (r->hub->clients >= CLIENTS_MAX || r->hub->quit) {
        request_fail(r, 503, "too_many_clients", "%d pages listen already", r->hub->clients);
    } else {
        if (r->session->dormant) { /* somebody looks at a game that was loaded: it goes on */
            session_move_to(r->session, r->session->current);
            r->session->dormant = false;
            hub_wake(r->hub);
        }
        r->stream = true;
    }
}

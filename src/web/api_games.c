/* api_games.c - games as a whole: list, make, import, show, change, delete. Handlers: see request.h. */
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "engine/level.h"
#include "web/forms.h"
#include "web/players.h"
#include "web/request.h"
#include "web/shelf.h"

void api_games(Request *r)
{
    JsonWriter w;
    request_begin(r, 200, &w);
    json_begin_object(&w, NULL);
    json_begin_array(&w, "games");
    for (size_t i = r->hub->count; i-- > 0;) {
        if (!r->hub->sessions[i]->deleted) form_summary(&w, r->hub->sessions[i]);
    }
    json_end_array(&w);
    json_end_object(&w);
}

void api_game(Request *r) { request_game(r, 200); }

void api_delete(Request *r)
{
    shelf_remove(r->session);
    reporter_cancel(&r->hub->reporter, r->session);
    r->session->deleted = true;
    hub_wake(r->hub);
    request_empty(r);
}

void api_pgn(Request *r)
{
    r->status = 200;
    r->type   = "text/x-chess-pgn";
    if (!tree_write_pgn(&r->session->tree, &r->answer)) r->answer.failed = true;
}

/* ---- a new game ---- */

static bool read_start(Request *r, Position *out)
{
    Str  fen      = {0};
    bool chess960 = false;
    Err  err;
    position_set_start(out);
    if (!request_text(r, "fen", &fen) || !request_bool(r, "chess960", &chess960)) return false;
    if (fen.len && !position_from_fen(fen, out, NULL, &err)) {
        request_fail_at(r, 422, "bad_fen", &err);
        return false;
    }
    if (chess960) out->chess960 = true;
    return true;
}

static void set_date(MoveTree *tree)
{
    char      text[16];
    time_t    now = time(NULL);
    struct tm day;
    if (localtime_r(&now, &day) && strftime(text, sizeof text, "%Y.%m.%d", &day))
        tree_set_tag(tree, STR("Date"), str_from(text), NULL);
}

void api_create(Request *r)
{
    Position start;
    MoveTree tree = {0};
    Players  players;
    Err      err;
    players_reset(&players);
    if (!read_start(r, &start) || !players_read(r, &players)) return;
    if (!tree_init(&tree, &start)) {
        request_fail(r, 500, "no_memory", "not enough memory for another game");
        return;
    }
    tree_set_tag(&tree, STR("Event"), STR("Game on Tabia's board"), NULL);
    set_date(&tree);
    r->session = hub_add(r->hub, &tree, &err);
    if (!r->session) {
        tree_release(&tree);
        request_fail_err(r, 409, "too_many_games", &err);
        return;
    }
    players_apply(&players, r->session);
    Game game;
    if (tree_game(&r->session->tree, 0, &game, NULL)) { /* a position may be over before it begins */
        GameEnd end = game_end(&game);
        if (game_end_is_automatic(end)) session_finish(r->session, game_result(&game, end), game_end_text(end));
        game_release(&game);
    }
    session_changed(r->session);
    request_game(r, 201);
}

/* ---- import ---- */

typedef struct {
    Request   *request;
    JsonWriter errors;
    Buf        error_text;
    size_t     first; /* of the new games in the hub */
} Importing;

static void note_error(Importing *in, uint64_t number, size_t line, size_t column, const char *text)
{
    json_begin_object(&in->errors, NULL);
    json_u64(&in->errors, "game", number);
    json_u64(&in->errors, "line", line);
    json_u64(&in->errors, "column", column);
    json_str(&in->errors, "text", str_from(text));
    json_end_object(&in->errors);
}

static bool import_game(void *context, uint64_t number, MoveTree *tree, const PgnError *error)
{
    Importing *in = context;
    Err        err;
    if (error) {
        note_error(in, number, error->line, error->column, error->err.text);
        return in->error_text.len < BODY_MAX;
    }
    Session *s = hub_add(in->request->hub, tree, &err);
    if (!s) {
        note_error(in, number, 0, 0, err.text);
        return false;
    }
    for (Color c = WHITE; c < COLORS; c++) s->sides[c] = (Side){.level = SKILL_MAX};
    tree_set_tag(&s->tree, STR("WhitePlayer"), STR(""), NULL); /* whoever played it before: now it is a game to look at */
    tree_set_tag(&s->tree, STR("BlackPlayer"), STR(""), NULL);
    tree_set_tag(&s->tree, STR("ClocksMs"), STR(""), NULL);
    tree_set_tag(&s->tree, STR("PlayedPlies"), STR(""), NULL);
    session_read_tags(s);
    s->saved = shelf_save(s, NULL);
    s->revision++;
    return true;
}

void api_import(Request *r)
{
    Str       pgn = {0};
    Importing in  = {.request = r, .first = r->hub->count};
    Err       err;
    if (!request_text(r, "pgn", &pgn)) return;
    json_init(&in.errors, &in.error_text);
    json_begin_array(&in.errors, NULL);
    if (!tree_read_pgn(pgn, import_game, &in, &err)) note_error(&in, 0, 0, 0, err.text);
    bool nothing = r->hub->count == in.first && in.error_text.len == 1;
    if (nothing) note_error(&in, 0, 1, 1, "there is no game in this text");
    json_end_array(&in.errors);
    JsonWriter w;
    request_begin(r, 200, &w);
    json_begin_object(&w, NULL);
    json_begin_array(&w, "games");
    for (size_t i = in.first; i < r->hub->count; i++) form_summary(&w, r->hub->sessions[i]);
    json_end_array(&w);
    json_raw(&w, "errors", buf_str(&in.error_text));
    json_end_object(&w);
    if (in.error_text.failed) r->answer.failed = true;
    buf_release(&in.error_text);
}

/* ---- the tree ---- */

static bool delete_node(Request *r, int node)
{
    Session *s = r->session;
    if (node == 0) {
        request_fail(r, 422, "bad_node", "the start of a game cannot be deleted");
        return false;
    }
    if (tree_is_below(&s->tree, s->current, node)) session_move_to(s, s->tree.nodes[node].parent);
    if (s->analysis.number && tree_is_below(&s->tree, s->analysis.node, node)) s->analysis.number = 0;
    if (s->hint.number && tree_is_below(&s->tree, s->hint.node, node)) request_refuse_hint(s);
    tree_delete(&s->tree, node);
    return true;
}

static bool note_node(Request *r, int node, bool is_comment)
{
    Str     text = {0};
    int64_t nag  = 0;
    Err     err;
    if (!request_text(r, "text", &text) || !request_int(r, "nag", 0, 255, &nag)) return false;
    MoveTree *tree = &r->session->tree;
    if (is_comment ? tree_set_comment(tree, node, text, &err) : tree_toggle_nag(tree, node, (int)nag, &err)) return true;
    request_fail_err(r, 422, "bad_value", &err);
    return false;
}

void api_tree(Request *r)
{
    Str op   = {0};
    int node = r->session->current;
    if (!request_text(r, "op", &op) || !request_node(r, "node", &node)) return;
    bool done = true;
    if (str_equal(op, STR("comment")) || str_equal(op, STR("nag"))) {
        done = note_node(r, node, str_equal(op, STR("comment")));
    } else if (str_equal(op, STR("delete"))) {
        done = delete_node(r, node);
    } else if (str_equal(op, STR("promote"))) {
        tree_promote(&r->session->tree, node);
    } else if (str_equal(op, STR("current"))) {
        session_move_to(r->session, node);
        r->session->paused = true; /* nobody moves on from there unasked */
    } else {
        request_fail(r, 422, "bad_value", "op is one of comment, nag, delete, promote and current");
        done = false;
    }
    if (!done) return;
    session_changed(r->session);
    request_game(r, 200);
}

/* ---- headers ---- */

static bool is_tag_name(const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < len; i++) {
        if (!char_is_digit(name[i]) && !char_is_lower(name[i]) && !char_is_upper(name[i]) && name[i] != '_') return false;
    }
    return len > 0 && len <= 64;
}

/* Tags that say how the game is played are not for the hand. */
static bool is_own_tag(const char *name)
{
    static const char *const own[] = {"FEN",         "SetUp",    "Variant",     "WhitePlayer",
                                      "BlackPlayer", "ClocksMs", "TimeControl", "PlayedPlies"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (str_equal_nocase(str_from(own[i]), str_from(name))) return true;
    }
    return false;
}

static bool check_header(Request *r, const char *name, const json_t *value)
{
    if (!is_tag_name(name) || is_own_tag(name)) {
        request_fail(r, 422, "bad_header", "'%.64s' is no header that can be set", name);
    } else if (!json_is_string(value) || json_string_length(value) > 1024) {
        request_fail(r, 422, "bad_header", "the header %s must be a text of at most 1024 bytes", name);
    } else {
        return true;
    }
    return false;
}

/* The result of a game that is looked at; one that is being played ends by its own rules. */
static bool set_result(Request *r, Str text)
{
    for (Result result = RESULT_UNKNOWN; result <= RESULT_DRAW; result++) {
        if (!str_equal(text, str_from(result_text(result)))) continue;
        if (result != r->session->tree.result) session_finish(r->session, result, NULL);
        return true;
    }
    request_fail(r, 422, "bad_header", "the result is one of 1-0, 0-1, 1/2-1/2 and *");
    return false;
}

void api_headers(Request *r)
{
    const char *name;
    json_t     *value;
    Err         err;
    json_object_foreach(r->json, name, value)
    {
        if (!check_header(r, name, value)) return;
    }
    json_object_foreach(r->json, name, value)
    {
        Str text = {json_string_value(value), json_string_length(value)};
        if (str_equal_nocase(str_from(name), STR("Result"))) {
            if (!set_result(r, text)) return;
        } else if (!tree_set_tag(&r->session->tree, str_from(name), text, &err)) {
            request_fail_err(r, 422, "bad_header", &err);
            return;
        }
    }
    session_changed(r->session);
    request_game(r, 200);
}

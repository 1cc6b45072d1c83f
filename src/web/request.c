/* request.c - see request.h: reading what was asked and writing what is answered. */
#include "web/request.h"

#include <inttypes.h>
#include <stdio.h>

#include "chess/notation.h"
#include "web/forms.h"

/* ---- answers ---- */

void request_begin(Request *r, int status, JsonWriter *w)
{
    r->status = status;
    r->type   = "application/json";
    buf_reset(&r->answer);
    json_init(w, &r->answer);
}

static void write_error(Request *r, int status, const char *code, const char *text, const size_t *offset)
{
    JsonWriter w;
    request_begin(r, status, &w);
    json_begin_object(&w, NULL);
    json_begin_object(&w, "error");
    json_str(&w, "code", str_from(code));
    json_str(&w, "text", str_from(text));
    if (offset) json_u64(&w, "offset", *offset);
    json_end_object(&w);
    json_end_object(&w);
}

void request_fail(Request *r, int status, const char *code, const char *format, ...)
{
    char    text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    write_error(r, status, code, text, NULL);
}

void request_fail_err(Request *r, int status, const char *code, const Err *err) { write_error(r, status, code, err->text, NULL); }

void request_fail_at(Request *r, int status, const char *code, const Err *err)
{
    write_error(r, status, code, err->text, &err->offset);
}

void request_game(Request *r, int status)
{
    JsonWriter w;
    request_begin(r, status, &w);
    form_game(&w, NULL, r->session);
}

void request_empty(Request *r)
{
    JsonWriter w;
    request_begin(r, 200, &w);
    json_begin_object(&w, NULL);
    json_end_object(&w);
}

void request_refuse_end(Request *r) { request_fail(r, 503, "ending", "the server is about to end"); }

/* ---- what was asked ---- */

bool request_int(Request *r, const char *name, int64_t low, int64_t high, int64_t *out)
{
    const json_t *value = json_object_get(r->json, name);
    if (!value || json_is_null(value)) return true;
    if (json_is_integer(value) && json_integer_value(value) >= low && json_integer_value(value) <= high) {
        *out = json_integer_value(value);
        return true;
    }
    request_fail(r, 422, "bad_value", "%s must be a whole number from %" PRId64 " to %" PRId64, name, low, high);
    return false;
}

bool request_bool(Request *r, const char *name, bool *out)
{
    const json_t *value = json_object_get(r->json, name);
    if (!value || json_is_null(value)) return true;
    if (json_is_boolean(value)) {
        *out = json_is_true(value);
        return true;
    }
    request_fail(r, 422, "bad_value", "%s must be true or false", name);
    return false;
}

bool request_text(Request *r, const char *name, Str *out)
{
    const json_t *value = json_object_get(r->json, name);
    if (!value || json_is_null(value)) return true;
    if (json_is_string(value)) {
        *out = (Str){json_string_value(value), json_string_length(value)};
        return true;
    }
    request_fail(r, 422, "bad_value", "%s must be a text", name);
    return false;
}

bool request_node(Request *r, const char *name, int *out)
{
    int64_t node = *out;
    if (!request_int(r, name, 0, TREE_NODES_MAX, &node)) return false;
    if (!tree_has(&r->session->tree, (int)node)) {
        request_fail(r, 404, "no_node", "this game has no move number %" PRId64 " in its tree", node);
        return false;
    }
    *out = (int)node;
    return true;
}

const char *request_query(const Request *r, const char *name)
{
    return MHD_lookup_connection_value(r->connection, MHD_GET_ARGUMENT_KIND, name);
}

/* ---- hints ---- */

static void resume(Session *s)
{
    Request *r    = s->hint_waits;
    s->hint_waits = NULL;
    s->hint       = (Job){0};
    if (!r) return;
    r->waits = false;
    MHD_resume_connection(r->connection);
}

void request_answer_hint(Session *s, const Slot *slot)
{
    Request *r = s->hint_waits;
    if (r && slot->result.best == MOVE_NONE) {
        request_fail(r, 409, "no_hint", "the engine found no move here");
    } else if (r) {
        char       uci[UCI_MOVE_SIZE], san[SAN_SIZE];
        JsonWriter w;
        request_begin(r, 200, &w);
        json_begin_object(&w, NULL);
        json_str(&w, "uci", (Str){uci, move_to_uci(&slot->root, slot->result.best, uci)});
        json_str(&w, "san", (Str){san, move_to_san(&slot->root, slot->result.best, san)});
        form_eval(&w, "score", slot_eval(slot, slot->result.score));
        json_end_object(&w);
    }
    resume(s);
}

void request_refuse_hint(Session *s)
{
    if (s->hint_waits) request_fail(s->hint_waits, 404, "no_game", "the game is gone");
    resume(s);
}

/* api_tools.c - questions about a position that belong to no game: is it legal, what is it worth and why, how is it searched.
 * Handlers: see request.h. They run without the lock: everything they need is constant. */
#include "chess/fen.h"
#include "chess/movegen.h"
#include "eval/eval_print.h"
#include "web/forms.h"
#include "web/request.h"

/* The position of "fen"; false: the request is answered. */
static bool read_position(Request *r, Position *out, FenReport *report)
{
    Str fen = {0};
    Err err;
    if (!request_text(r, "fen", &fen)) return false;
    if (position_from_fen(fen, out, report, &err)) return true;
    request_fail_at(r, 422, "bad_fen", &err);
    return false;
}

void api_check(Request *r)
{
    Position  pos;
    FenReport report;
    Game      game;
    if (!read_position(r, &pos, &report) || !game_init(&game, &pos)) return;
    JsonWriter w;
    request_begin(r, 200, &w);
    json_begin_object(&w, NULL);
    json_bool(&w, "ok", true);
    json_begin_array(&w, "notes"); /* what was dropped */
    for (Fault fault = FAULTS_FATAL; fault < FAULTS; fault++) {
        if (!(report.faults & fault_bit(fault))) continue;
        json_begin_object(&w, NULL);
        json_str(&w, "text", str_from(fault_text(fault)));
        json_u64(&w, "offset", report.offsets[fault]);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_bool(&w, "chess960", pos.chess960);
    form_look(&w, r->hub, &pos, MOVE_NONE, game_end(&game));
    json_end_object(&w);
    game_release(&game);
}

/* ---- explain ---- */

static void copy_part(JsonWriter *w, const char *key, const json_t *part)
{
    json_begin_object(w, key);
    json_i64(w, "mg", json_integer_value(json_object_get(part, "mg")));
    json_i64(w, "eg", json_integer_value(json_object_get(part, "eg")));
    json_i64(w, "value", json_integer_value(json_object_get(part, "value")));
    json_end_object(w);
}

static void copy_term(JsonWriter *w, const json_t *term)
{
    json_begin_object(w, NULL);
    json_str(w, "name", str_from(json_string_value(json_object_get(term, "name"))));
    json_str(w, "group", str_from(json_string_value(json_object_get(term, "group"))));
    json_str(w, "words", str_from(json_string_value(json_object_get(term, "meaning"))));
    copy_part(w, "white", json_object_get(term, "white"));
    copy_part(w, "black", json_object_get(term, "black"));
    json_i64(w, "value", json_integer_value(json_object_get(term, "value")));
    json_end_object(w);
}

void api_explain(Request *r)
{
    Position pos;
    Buf      text = {0};
    if (!read_position(r, &pos, NULL)) return;
    eval_print_json(&pos, &text);
    json_t    *eval = text.failed ? NULL : json_loadb(text.data, text.len, 0, NULL);
    json_t    *term;
    size_t     i;
    JsonWriter w;
    buf_release(&text);
    if (!eval) {
        request_fail(r, 500, "no_memory", "not enough memory");
        return;
    }
    const char *ending = json_string_value(json_object_get(eval, "ending"));
    request_begin(r, 200, &w);
    json_begin_object(&w, NULL);
    json_begin_array(&w, "terms");
    json_array_foreach(json_object_get(eval, "terms"), i, term) copy_term(&w, term);
    json_end_array(&w);
    json_i64(&w, "total", json_integer_value(json_object_get(eval, "white")));
    json_i64(&w, "phase", json_integer_value(json_object_get(eval, "phase")));
    json_i64(&w, "scale", json_integer_value(json_object_get(eval, "scale")));
    json_str(&w, "ending", str_from(ending ? ending : ""));
    json_none(&w, "network");
    json_end_object(&w);
    json_decref(eval);
}

void api_trace(Request *r) { request_fail(r, 501, "not_yet", "the tree of a search comes soon"); }
void api_report(Request *r) { request_fail(r, 501, "not_yet", "game reports come soon"); }
void api_report_last(Request *r) { request_fail(r, 501, "not_yet", "game reports come soon"); }

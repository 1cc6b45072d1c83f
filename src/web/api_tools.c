/* api_tools.c - questions about a position that belong to no game: is it legal, what is it worth and why, how is it searched.
 * Handlers: see request.h. They run without the lock: everything they need is constant. The search tree takes a while and is
 * grown aside. */
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "eval/eval_print.h"
#include "lab/unfold.h"
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
    eval_print_json(&pos, r->hub->network, &text);
    json_t    *eval = text.failed ? NULL : json_loadb(text.data, text.len, 0, NULL);
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
    const json_t *terms = json_object_get(eval, "terms");
    for (size_t i = 0; i < json_array_size(terms); i++) copy_term(&w, json_array_get(terms, i));
    json_end_array(&w);
    json_i64(&w, "total", json_integer_value(json_object_get(eval, "white")));
    json_i64(&w, "phase", json_integer_value(json_object_get(eval, "phase")));
    json_i64(&w, "scale", json_integer_value(json_object_get(eval, "scale")));
    json_str(&w, "ending", str_from(ending ? ending : ""));
    const json_t *network = json_object_get(eval, "network");
    if (json_is_integer(network)) {
        json_i64(&w, "network", (position_side(&pos) == WHITE ? 1 : -1) * json_integer_value(network));
    } else {
        json_none(&w, "network");
    }
    json_end_object(&w);
    json_decref(eval);
}

/* ---- trace ---- */

enum { TRACE_NODES_MAX = 2000, TRACE_LEVELS_MAX = 20 };

/* Chooses what is shown, level by level, so that the top of the tree is whole: `shown` has a mark for every node. */
static bool choose_nodes(const UnfoldTree *tree, bool *shown)
{
    int *queue = malloc(TRACE_NODES_MAX * sizeof *queue);
    int  head = 0, tail = 0;
    bool whole = queue != NULL;
    if (queue) queue[tail++] = 0;
    shown[0] = true;
    while (queue && head < tail) {
        int node = queue[head++];
        for (int child = tree->nodes[node].first_child; child >= 0; child = tree->nodes[child].next_sibling) {
            if (tail == TRACE_NODES_MAX) {
                whole = false;
                break;
            }
            shown[child]  = true;
            queue[tail++] = child;
        }
    }
    free(queue);
    return whole;
}

static void write_trace(JsonWriter *w, const char *key, const UnfoldTree *tree, const bool *shown, int index,
                        const Position *before, int level);

/* The interesting ones first: the principal variation, then by size. */
static void write_children(JsonWriter *w, const UnfoldTree *tree, const bool *shown, int index, const Position *pos, int level)
{
    json_begin_array(w, "children");
    for (int pv = 1; pv >= 0 && level < TRACE_LEVELS_MAX; pv--) {
        for (int child = tree->nodes[index].first_child; child >= 0; child = tree->nodes[child].next_sibling) {
            if (shown[child] && (tree->nodes[child].kind == UNFOLD_PV) == pv)
                write_trace(w, NULL, tree, shown, child, pos, level + 1);
        }
    }
    json_end_array(w);
}

static void write_bound(JsonWriter *w, const char *key, Score score)
{
    if (abs(score) >= SCORE_INFINITE) {
        json_none(w, key); /* an open window */
    } else {
        json_i64(w, key, score);
    }
}

/* As deep as TRACE_LEVELS_MAX. */
static void write_trace(JsonWriter *w, const char *key, const UnfoldTree *tree, const bool *shown, int index,
                        const Position *before, int level)
{
    const UnfoldNode *node = &tree->nodes[index];
    Position          pos  = *before;
    json_begin_object(w, key);
    if (index == 0) {
        json_none(w, "move");
        json_none(w, "san");
    } else {
        char uci[UCI_MOVE_SIZE], san[SAN_SIZE];
        json_str(w, "move", (Str){uci, move_to_uci(before, node->move, uci)});
        json_str(w, "san", (Str){san, move_to_san(before, node->move, san)});
        if (node->move == MOVE_NONE) {
            position_play_null(before, &pos);
        } else {
            position_play(before, node->move, &pos);
        }
    }
    bool white = position_side(&pos) == WHITE;
    form_eval(w, "score", eval_from_score(node->score, position_side(&pos)));
    write_bound(w, "alpha", white ? node->alpha : -node->beta);
    write_bound(w, "beta", white ? node->beta : -node->alpha);
    json_i64(w, "depth", node->depth);
    json_str(w, "kind", str_from(unfold_kind_text(node->kind)));
    json_i64(w, "nodes", node->nodes);
    write_children(w, tree, shown, index, &pos, level);
    json_end_object(w);
}

static bool read_trace(Request *r, UnfoldConfig *config)
{
    int64_t depth   = 3;
    json_t *options = json_object_get(r->json, "options"), *body = r->json;
    *config = (UnfoldConfig){.quiescence = true, .ordering = true};
    if (!request_int(r, "depth", 1, 4, &depth)) return false;
    if (options && !json_is_object(options)) {
        request_fail(r, 422, "bad_value", "options must be an object");
        return false;
    }
    config->depth = (int)depth;
    if (!options) return true;
    r->json = options;
    bool ok = request_bool(r, "quiescence", &config->quiescence) && request_bool(r, "ordering", &config->ordering) &&
              request_bool(r, "null_move", &config->null_move);
    r->json = body;
    return ok;
}

void api_trace(Request *r)
{
    Position     pos;
    UnfoldConfig config;
    UnfoldTree   tree;
    Err          err;
    if (!read_position(r, &pos, NULL) || !read_trace(r, &config)) return;
    if (!unfold_search(&pos, &config, &tree, &err)) {
        request_fail_err(r, 500, "no_memory", &err);
        return;
    }
    bool *shown = calloc((size_t)tree.count, sizeof *shown);
    if (!shown) {
        request_fail(r, 500, "no_memory", "not enough memory");
    } else {
        JsonWriter w;
        bool       whole = choose_nodes(&tree, shown);
        request_begin(r, 200, &w);
        json_begin_object(&w, NULL);
        write_trace(&w, "root", &tree, shown, 0, &pos, 0);
        json_i64(&w, "depth", tree.depth);
        json_bool(&w, "truncated", !whole || tree.depth < config.depth);
        json_end_object(&w);
    }
    free(shown);
    unfold_release(&tree);
}

/* eval_print.c - writes an EvalTrace down. A term is a family of parameters (a row of params.def); its value for a side is
 * the sum of
 * its parameters times how often they counted. The dangers to a king are points until danger_penalty makes one term of them.
 */
#include "eval/eval_print.h"

#include <stdio.h>

#include "base/json.h"
#include "chess/fen.h"
#include "eval/classical.h"

/* One side's part of a term; `value` is what it weighs at this phase and scale. */
typedef struct {
    int mg, eg, value;
    int count;
} Part;

static Part part_make(const EvalTrace *t, int mg, int eg) { return (Part){mg, eg, eval_taper(mg, eg, t->phase, t->scale), 0}; }

static Part family_part(const EvalTrace *t, const EvalFamily *family, Color color)
{
    int mg = 0, eg = 0, count = 0;
    for (int i = family->first; i < family->first + family->size; i++) {
        mg += packed_mg(eval_params[i]) * t->count[color][i];
        eg += packed_eg(eval_params[i]) * t->count[color][i];
        count += t->count[color][i];
    }
    Part part  = part_make(t, mg, eg);
    part.count = count;
    return part;
}

/* The danger to a side's king as a term of that side. */
static Part danger_part(const EvalTrace *t, Color color)
{
    Packed penalty = t->in_danger[color] ? danger_penalty(t->danger[color]) : 0;
    return part_make(t, -packed_mg(penalty), -packed_eg(penalty));
}

/* Complexity belongs to nobody: it is shown as White's, with its sign. */
static Part complexity_part(const EvalTrace *t, Color color) { return part_make(t, 0, color == WHITE ? t->complexity : 0); }

static Part group_part(const EvalTrace *t, EvalGroup group, Color color)
{
    if (group == GROUP_DANGER) return danger_part(t, color);
    if (group == GROUP_COMPLEXITY) return complexity_part(t, color);
    int mg = 0, eg = 0;
    for (int i = 0; i < EVAL_FAMILIES; i++) {
        if (eval_families[i].group != group) continue;
        Part part = family_part(t, &eval_families[i], color);
        mg += part.mg;
        eg += part.eg;
    }
    return part_make(t, mg, eg);
}

/* "KNIGHT_OUTPOST" as "knight outpost" or, in JSON, "knight_outpost". */
static void family_label(const EvalFamily *family, char separator, char out[32])
{
    int i = 0;
    for (; i < 31 && family->name[i]; i++) out[i] = family->name[i] == '_' ? separator : char_lower(family->name[i]);
    out[i] = '\0';
}

static void print_row(Buf *out, const char *indent, const char *label, Part white, Part black)
{
    buf_printf(out, "%s%-*s %6d %6d %6d  %6d %6d %6d  %7d\n", indent, 24 - (int)strlen(indent), label, white.mg, white.eg,
               white.value, black.mg, black.eg, black.value, white.value - black.value);
}

/* The terms of one group under its sum; terms that count for nobody are left out. */
static void print_group(Buf *out, const EvalTrace *t, EvalGroup group)
{
    char label[32];
    print_row(out, "", eval_group_name(group), group_part(t, group, WHITE), group_part(t, group, BLACK));
    for (int i = 0; i < EVAL_FAMILIES; i++) {
        const EvalFamily *family = &eval_families[i];
        if (family->group != group || group == GROUP_COMPLEXITY) continue;
        Part white = family_part(t, family, WHITE), black = family_part(t, family, BLACK);
        if (!white.mg && !white.eg && !black.mg && !black.eg) continue;
        family_label(family, ' ', label);
        if (group == GROUP_DANGER) {
            buf_printf(out, "  %-22s %6d %6d %6s  %6d %6d %6s  %7s\n", label, white.mg, white.eg, "", black.mg, black.eg, "",
                       "points");
        } else {
            print_row(out, "  ", label, white, black);
        }
    }
}

void eval_print(const Position *pos, Buf *out)
{
    EvalTrace t;
    Score     value = classical_trace(pos, &t);
    Score     white = position_side(pos) == WHITE ? value : -value;
    buf_printf(out, "                            White                Black\n");
    buf_printf(out, "term                         mg     eg  value      mg     eg  value    total\n");
    for (EvalGroup group = 0; group < EVAL_GROUPS; group++) print_group(out, &t, group);
    buf_printf(out, "\nmiddle game %d, end game %d (White's view, centipawns)\n", t.mg, t.eg);
    buf_printf(out, "phase %d of %d, scale %d of %d, fifty-move counter %d\n", t.phase, PHASE_MAX, t.scale, SCALE_NORMAL,
               pos->halfmove);
    if (t.rule) buf_printf(out, "ending: %s%s\n", t.rule, t.known ? " (it alone decides, the terms above do not count)" : "");
    buf_printf(out, "evaluation %+.2f for White, %+.2f for the side to move\n", white / 100.0, value / 100.0);
}

static void json_part(JsonWriter *w, const char *key, Part part)
{
    json_begin_object(w, key);
    json_i64(w, "mg", part.mg);
    json_i64(w, "eg", part.eg);
    json_i64(w, "value", part.value);
    json_end_object(w);
}

static void json_term(JsonWriter *w, const char *name, EvalGroup group, const char *meaning, Part white, Part black)
{
    json_begin_object(w, NULL);
    json_str(w, "name", str_from(name));
    json_str(w, "group", str_from(eval_group_name(group)));
    json_str(w, "meaning", str_from(meaning));
    json_part(w, "white", white);
    json_part(w, "black", black);
    json_i64(w, "value", white.value - black.value);
    json_end_object(w);
}

static void json_terms(JsonWriter *w, const EvalTrace *t)
{
    char name[32];
    json_begin_array(w, "terms");
    for (int i = 0; i < EVAL_FAMILIES; i++) {
        const EvalFamily *family = &eval_families[i];
        if (family->group == GROUP_DANGER || family->group == GROUP_COMPLEXITY) continue;
        family_label(family, '_', name);
        json_term(w, name, family->group, family->meaning, family_part(t, family, WHITE), family_part(t, family, BLACK));
    }
    json_term(w, "king_danger", GROUP_DANGER, "what the dangers to the king cost his side", danger_part(t, WHITE),
              danger_part(t, BLACK));
    json_term(w, "complexity", GROUP_COMPLEXITY, "how far the end game leans toward a draw", complexity_part(t, WHITE),
              complexity_part(t, BLACK));
    json_end_array(w);
    json_begin_array(w, "dangers"); /* in points, before they are squared */
    for (int i = 0; i < EVAL_FAMILIES; i++) {
        const EvalFamily *family = &eval_families[i];
        if (family->group != GROUP_DANGER) continue;
        family_label(family, '_', name);
        json_term(w, name, GROUP_DANGER, family->meaning, family_part(t, family, WHITE), family_part(t, family, BLACK));
    }
    json_end_array(w);
}

void eval_print_json(const Position *pos, Buf *out)
{
    EvalTrace  t;
    JsonWriter w;
    char       fen[FEN_SIZE];
    Score      value = classical_trace(pos, &t);
    position_to_fen(pos, fen);
    json_init(&w, out);
    json_begin_object(&w, NULL);
    json_str(&w, "fen", str_from(fen));
    json_i64(&w, "value", value);
    json_i64(&w, "white", position_side(pos) == WHITE ? value : -value);
    json_i64(&w, "mg", t.mg);
    json_i64(&w, "eg", t.eg);
    json_i64(&w, "phase", t.phase);
    json_i64(&w, "scale", t.scale);
    if (t.rule) {
        json_str(&w, "ending", str_from(t.rule));
    } else {
        json_none(&w, "ending");
    }
    json_bool(&w, "known", t.known);
    json_terms(&w, &t);
    json_end_object(&w);
}

/* tune_data.c - from positions with results to sparse counts. */
#include <stdlib.h>

#include "base/lines.h"
#include "chess/fen.h"
#include "eval/classical.h"
#include "learn/tune.h"

void tune_set_init(TuneSet *set) { *set = (TuneSet){0}; }

void tune_set_release(TuneSet *set)
{
    free(set->records);
    free(set->counts);
    *set = (TuneSet){0};
}

/* Makes room for one more record and as many counts as a position can have. */
static bool set_reserve(TuneSet *set)
{
    enum { COUNTS_MAX = 4 * EVAL_PARAMS };
    if (set->count == set->capacity) {
        size_t      capacity = set->capacity ? set->capacity * 2 : 4096;
        TuneRecord *records  = realloc(set->records, capacity * sizeof *records);
        if (!records) return false;
        set->records  = records;
        set->capacity = capacity;
    }
    if (set->count_total + COUNTS_MAX > set->count_capacity) {
        size_t     capacity = set->count_capacity ? set->count_capacity * 2 : 1 << 20;
        TuneCount *counts   = realloc(set->counts, capacity * sizeof *counts);
        if (!counts) return false;
        set->counts         = counts;
        set->count_capacity = capacity;
    }
    return true;
}

static void append_count(TuneSet *set, uint16_t *number, int param, int count)
{
    if (count == 0) return;
    set->counts[set->count_total++] = (TuneCount){(uint16_t)param, (int16_t)count};
    (*number)++;
}

static void append_family(TuneSet *set, TuneRecord *r, const EvalTrace *t, const EvalFamily *family, int pass)
{
    for (int i = family->first; i < family->first + family->size; i++) {
        if (pass == 0) append_count(set, &r->linear, i, t->count[WHITE][i] - t->count[BLACK][i]);
        if (pass == 1) append_count(set, &r->danger[WHITE], i, t->count[WHITE][i]);
        if (pass == 2) append_count(set, &r->danger[BLACK], i, t->count[BLACK][i]);
        if (pass == 3) append_count(set, &r->complexity, i, t->count[WHITE][i]);
    }
}

/* Which of the four runs of counts a family belongs to. */
static bool family_in_pass(const EvalFamily *family, const EvalTrace *t, int pass)
{
    if (family->group == GROUP_DANGER) return (pass == 1 && t->in_danger[WHITE]) || (pass == 2 && t->in_danger[BLACK]);
    if (family->group == GROUP_COMPLEXITY) return pass == 3;
    return pass == 0;
}

bool tune_set_add(TuneSet *set, const Position *pos, double result)
{
    EvalTrace t;
    if (!set_reserve(set)) return false;
    classical_trace(pos, &t);
    if (t.known || position_in_check(pos)) {
        set->skipped++;
        return true;
    }
    int        halfmove = pos->halfmove > 100 ? 100 : pos->halfmove;
    double     left     = (double)(FIFTY_WEIGHT - halfmove) / FIFTY_WEIGHT;
    TuneRecord r        = {.first     = set->count_total,
                           .mg_weight = (float)(left * t.phase / PHASE_MAX * eval_mg_scale(t.scale) / SCALE_NORMAL),
                           .eg_weight = (float)(left * (PHASE_MAX - t.phase) / PHASE_MAX * t.scale / SCALE_NORMAL),
                           .result    = (float)result};
    for (int pass = 0; pass < 4; pass++) {
        for (int f = 0; f < EVAL_FAMILIES; f++) {
            if (family_in_pass(&eval_families[f], &t, pass)) append_family(set, &r, &t, &eval_families[f], pass);
        }
    }
    set->records[set->count++] = r;
    return true;
}

bool tune_result_of(Str text, double *result)
{
    static const struct {
        const char *text;
        double      value;
    } forms[] = {{"1-0", 1}, {"0-1", 0}, {"1/2-1/2", 0.5}};
    size_t at = 0;
    while (at < text.len) {
        size_t start = at;
        while (at < text.len && !char_is_space(text.ptr[at]) && !strchr("\"[];,", text.ptr[at])) at++;
        Str word = {text.ptr + start, at - start};
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            if (str_equal(word, str_from(forms[i].text))) {
                *result = forms[i].value;
                return true;
            }
        }
        /* Any other expectation, "0.62": a result mixed with what a search thought of the position. */
        if (word.len > 2 && word.ptr[1] == '.' && str_to_double(word, result) && *result >= 0 && *result <= 1) return true;
        at++;
    }
    return false;
}

bool tune_set_read_lines(TuneSet *set, const char *path, Err *err)
{
    LineReader lines;
    Str        line, rest;
    if (!lines_open(&lines, path, err)) return false;
    size_t number = 0;
    bool   ok     = true;
    for (;;) {
        LineStatus status = lines_next(&lines, &line, err);
        if (status != LINE_READ) {
            ok = status == LINE_END;
            break;
        }
        number++;
        Position pos;
        double   result;
        Err      why;
        if (str_trim(line).len == 0) continue;
        if (!position_from_fen_prefix(line, &pos, &rest, NULL, &why)) {
            ok = err_set(err, why.code, why.offset, "%s, line %zu: %.150s", path, number, why.text);
        } else if (!tune_result_of(rest, &result)) {
            ok = err_set(err, ERR_SYNTAX, 0, "%s, line %zu: no result; write c9 \"1-0\"; or [0.5] after the position", path,
                         number);
        } else if (!tune_set_add(set, &pos, result)) {
            ok = err_set(err, ERR_MEMORY, 0, "not enough memory for %zu positions", set->count);
        }
        if (!ok) break;
    }
    lines_release(&lines);
    return ok;
}

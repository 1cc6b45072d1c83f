/* cmd_lab_precision.c - `tabia lab precision`: our evaluations against a reference engine, by the moves they prefer.
 *
 * Every evaluation plays the same shallow search, so what differs is the judgement alone. The evaluations see the same positions,
 * so their difference is measured pair by pair and is surer than the two figures side by side.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lab_commands.h"
#include "base/file.h"
#include "base/json.h"
#include "base/progress.h"
#include "engine/engine.h"
#include "lab/precision.h"
#include "stats/mean.h"

enum { EVALS_MAX = 8 };

/* One evaluation, measured or not. */
typedef struct {
    Str          name;
    double      *values;  /* precision by position */
    const char  *skipped; /* why it was not measured; NULL: it was */
    MeanEstimate mean;
    MeanEstimate over_first; /* the difference to the first that was measured */
    char         text[ERR_TEXT_SIZE];
} EvalRow;

typedef struct {
    const char    *suite_path, *reference, *evals, *cache_folder, *report;
    TextList       options; /* NAME=VALUE for our engine */
    int            k, depth, quiescence, most;
    bool           json;
    PrecisionSuite suite;
    PlayerSpec     spec; /* of the reference */
    TimeControl    limits;
    char           limit_text[TIMECONTROL_TEXT_SIZE];
    Buf            cache_path;
    PrecisionCache cache;
    TopMoves      *answers; /* of the reference */
    EvalRow        rows[EVALS_MAX];
    int            row_count;
    Progress       progress;
    uint64_t       done;
    bool           stopped;
    Err            cache_err;
} Precision;

static const char ANCESTOR[] = "0.3227 with material, 0.3364 with its network (45 tactical positions, depth 3, quiescence 3)";

/* ---- measuring ---- */

static bool step_on(Precision *p)
{
    progress_update(&p->progress, ++p->done);
    p->stopped = cli_interrupted();
    return !p->stopped;
}

static bool on_reference(void *context, size_t index)
{
    Precision *p = context;
    if (!precision_cache_add(&p->cache, &p->suite.items[index], &p->answers[index], &p->cache_err)) return false;
    return step_on(p);
}

static bool on_ours(void *context, size_t index)
{
    (void)index;
    return step_on(context);
}

static bool ask_reference(Precision *p, Err *err)
{
    size_t missing = 0;
    if (!precision_cache_load(&p->cache, &p->suite, p->answers, err)) return false;
    for (size_t i = 0; i < p->suite.count; i++) missing += p->answers[i].count == 0;
    if (missing == 0) return true;
    p->done = 0;
    progress_start(&p->progress, stderr, "answers of the reference", missing);
    bool ok = precision_ask(&p->spec, &p->limits, &p->suite, p->k, p->answers, on_reference, p, err);
    progress_end(&p->progress);
    if (ok && p->cache_err.code) *err = p->cache_err;
    return ok && !p->cache_err.code;
}

/* Everything after "tabia:", for the engine's spec. */
static void spec_line(const Precision *p, Str eval, Buf *out)
{
    buf_printf(out, "tabia:name=%.*s,depth=%d,MultiPV=%d,Quiescence Depth=%d", STR_ARGS(eval), p->depth, p->k, p->quiescence);
    for (int i = 0; i < p->options.count; i++) buf_printf(out, ",option.%s", p->options.items[i]);
    buf_printf(out, ",Eval=%.*s", STR_ARGS(eval));
}

/* Whether the engine takes the options at all: a network that is not there is no failure of the experiment. */
static bool engine_takes(const PlayerSpec *spec, bool *no_network, Err *err)
{
    Engine *engine = engine_new(NULL, err);
    bool    ok     = engine != NULL;
    *no_network    = false;
    for (int i = 0; ok && i < spec->option_count; i++) {
        Str name    = str_from(spec->options[i].name);
        ok          = engine_set_option(engine, name, str_from(spec->options[i].value), err);
        *no_network = !ok && str_equal_nocase(name, STR("Eval")) && err->code == ERR_NOT_FOUND;
    }
    engine_free(engine);
    return ok;
}

static bool measure(Precision *p, EvalRow *row, Err *err)
{
    Buf        line = {0};
    PlayerSpec spec = {0};
    TopMoves  *ours = calloc(p->suite.count, sizeof *ours);
    bool       none = false;
    spec_line(p, row->name, &line);
    row->values = calloc(p->suite.count, sizeof *row->values);
    bool ok     = ours && row->values && !line.failed ? player_spec_parse(buf_str(&line), STR(""), &spec, err)
                                                      : err_set(err, ERR_MEMORY, 0, "out of memory");
    if (ok && !engine_takes(&spec, &none, err)) {
        ok = none;
        (void)snprintf(row->text, sizeof row->text, "%s", err->text);
        row->skipped = row->text;
    } else if (ok) {
        p->done = 0;
        progress_start(&p->progress, stderr, "positions", p->suite.count);
        ok = precision_ask(&spec, &p->limits, &p->suite, p->k, ours, on_ours, p, err);
        progress_end(&p->progress);
        for (size_t i = 0; i < p->suite.count; i++) row->values[i] = precision_at(&ours[i], &p->answers[i], p->k);
        row->mean = stats_mean(row->values, p->suite.count);
    }
    player_spec_release(&spec);
    buf_release(&line);
    free(ours);
    return ok;
}

static const EvalRow *first_measured(const Precision *p)
{
    for (int i = 0; i < p->row_count; i++) {
        if (!p->rows[i].skipped) return &p->rows[i];
    }
    return NULL;
}

/* Reference, then every evaluation; stops between two positions when asked to. */
static bool run(Precision *p, Err *err)
{
    bool ok = ask_reference(p, err);
    for (int i = 0; ok && !p->stopped && i < p->row_count; i++) {
        EvalRow *row = &p->rows[i];
        ok           = measure(p, row, err);
        if (ok && !row->skipped) row->over_first = stats_mean_difference(row->values, first_measured(p)->values, p->suite.count);
    }
    return ok;
}

/* ---- telling ---- */

static void row_to_json(const Precision *p, const EvalRow *row, Buf *out)
{
    JsonWriter w;
    json_init(&w, out);
    json_begin_object(&w, NULL);
    json_str(&w, "eval", row->name);
    json_i64(&w, "k", p->k);
    json_i64(&w, "depth", p->depth);
    json_i64(&w, "quiescence", p->quiescence);
    json_str(&w, "suite", str_from(p->suite_path));
    json_str(&w, "reference", str_from(p->reference));
    json_str(&w, "limit", str_from(p->limit_text));
    json_u64(&w, "positions", p->suite.count);
    json_u64(&w, "left_out", p->suite.left_out);
    json_double(&w, "precision", row->skipped ? NAN : row->mean.mean, 4);
    json_double(&w, "error", row->skipped ? NAN : row->mean.error, 4);
    json_double(&w, "difference", row->skipped ? NAN : row->over_first.mean, 4);
    json_double(&w, "difference_error", row->skipped ? NAN : row->over_first.error, 4);
    json_double(&w, "chance", precision_by_chance(&p->suite, p->k), 4);
    if (row->skipped) json_str(&w, "skipped", str_from(row->skipped));
    json_end_object(&w);
    buf_append_char(out, '\n');
}

static void row_to_text(const Precision *p, const EvalRow *row, Buf *out)
{
    if (row->skipped) {
        buf_printf(out, "%-12.*s not measured: %s\n", STR_ARGS(row->name), row->skipped);
        return;
    }
    buf_printf(out, "%-12.*s %.4f +- %.4f", STR_ARGS(row->name), row->mean.mean, row->mean.error);
    const EvalRow *first = first_measured(p);
    if (row != first)
        buf_printf(out, "   %+.4f +- %.4f over %.*s", row->over_first.mean, row->over_first.error, STR_ARGS(first->name));
    buf_append_char(out, '\n');
}

/* A page is read elsewhere: there the folder of the suite means nothing. */
static const char *suite_name(const Precision *p)
{
    const char *slash = strrchr(p->suite_path, '/');
    return slash ? slash + 1 : p->suite_path;
}

static void head_to_text(const Precision *p, Buf *out)
{
    buf_printf(out, "precision at %d against %s (%s): %zu positions of %s", p->k, p->spec.name, p->limit_text, p->suite.count,
               suite_name(p));
    if (p->suite.left_out) buf_printf(out, ", %zu with too few moves left out", p->suite.left_out);
    buf_printf(out, "\nour search: depth %d, quiescence %d; errors are 95 %%\n", p->depth, p->quiescence);
}

static int tell(const Precision *p)
{
    Buf out = {0};
    if (!p->json) head_to_text(p, &out);
    for (int i = 0; i < p->row_count; i++) (p->json ? row_to_json : row_to_text)(p, &p->rows[i], &out);
    if (!p->json) buf_printf(&out, "%-12s %.4f\n", "by chance", precision_by_chance(&p->suite, p->k));
    if (!p->json) buf_printf(&out, "the fourth ancestor: %s\n", ANCESTOR);
    return lab_print(&out);
}

static void report_page(const Precision *p, Buf *out)
{
    buf_printf(
        out,
        "# Precision at %d\nHow many of the engine's %d best moves are among the %d best of a stronger engine, by `tabia lab "
        "precision`. Reference: `%s` (%s). %zu positions of `%s`, %zu with %d legal moves or fewer left out. Our search: "
        "depth %d, quiescence %d. Errors are 95 %%; the difference is measured position by position.\n\n"
        "| evaluation | precision | difference to the first |\n|---|---:|---:|\n",
        p->k, p->k, p->k, p->spec.name, p->limit_text, p->suite.count, suite_name(p), p->suite.left_out, p->k, p->depth,
        p->quiescence);
    for (int i = 0; i < p->row_count; i++) {
        const EvalRow *row = &p->rows[i];
        if (row->skipped) {
            buf_printf(out, "| %.*s | not measured: %s | |\n", STR_ARGS(row->name), row->skipped);
            continue;
        }
        buf_printf(out, "| %.*s | %.4f ± %.4f | ", STR_ARGS(row->name), row->mean.mean, row->mean.error);
        if (row != first_measured(p)) buf_printf(out, "%+.4f ± %.4f ", row->over_first.mean, row->over_first.error);
        buf_append(out, STR("|\n"));
    }
    buf_printf(out, "| moves drawn blindly | %.4f | |\n\nThe fourth ancestor measured %s.\n",
               precision_by_chance(&p->suite, p->k), ANCESTOR);
}

static void report_rows(const Precision *p, Buf *out)
{
    buf_append(out, STR("fen"));
    for (int i = 0; i < p->row_count; i++) {
        if (!p->rows[i].skipped) buf_printf(out, ",%.*s", STR_ARGS(p->rows[i].name));
    }
    for (size_t at = 0; at < p->suite.count; at++) {
        buf_printf(out, "\n%s", p->suite.items[at].fen);
        for (int i = 0; i < p->row_count; i++) {
            if (!p->rows[i].skipped) buf_printf(out, ",%.4f", p->rows[i].values[at]);
        }
    }
    buf_append_char(out, '\n');
}

static bool write_report(const Precision *p, Err *err)
{
    Buf page = {0}, rows = {0}, page_path = {0}, rows_path = {0};
    report_page(p, &page);
    report_rows(p, &rows);
    buf_printf(&page_path, "%s/precision.md", p->report);
    buf_printf(&rows_path, "%s/precision.csv", p->report);
    bool ok = !page.failed && !rows.failed && !page_path.failed && !rows_path.failed;
    if (!ok) err_set(err, ERR_MEMORY, 0, "out of memory");
    ok = ok && file_write(page_path.data, buf_str(&page), err) && file_write(rows_path.data, buf_str(&rows), err);
    buf_release(&page);
    buf_release(&rows);
    buf_release(&page_path);
    buf_release(&rows_path);
    return ok;
}

/* ---- from words to a configuration ---- */

static int read_evals(const CommandSpec *spec, Precision *p)
{
    for (Str rest = str_from(p->evals); rest.len;) {
        Str name = str_trim(str_next_until(&rest, ','));
        if (p->row_count == EVALS_MAX) return cli_usage(spec, "at most %d evaluations at a time", EVALS_MAX);
        p->rows[p->row_count++].name = name;
    }
    return p->row_count ? -1 : cli_usage(spec, "--eval names no evaluation");
}

static bool prepare(Precision *p, Err *err)
{
    Buf each = {0};
    buf_printf(&each, "MultiPV=%d,Threads=1", p->k);
    bool ok = !each.failed && player_spec_parse(str_from(p->reference), buf_str(&each), &p->spec, err);
    buf_release(&each);
    if (!ok || !precision_load(p->suite_path, p->k, (size_t)p->most, &p->suite, err)) return false;
    timecontrol_text(p->spec.has_limits ? &p->spec.limits : &p->limits, p->limit_text);
    precision_cache_path(&p->cache_path, p->cache_folder, p->suite_path, p->spec.name, p->limit_text, p->k);
    p->answers = calloc(p->suite.count, sizeof *p->answers);
    if (p->cache_path.failed || !p->answers) return err_set(err, ERR_MEMORY, 0, "out of memory");
    p->cache = (PrecisionCache){.path = p->cache_path.data, .engine = p->reference, .limit = p->limit_text, .k = p->k};
    return file_make_folder(p->cache_folder, err) && (!p->report || file_make_folder(p->report, err));
}

static void release(Precision *p)
{
    for (int i = 0; i < p->row_count; i++) free(p->rows[i].values);
    free(p->answers);
    precision_release(&p->suite);
    player_spec_release(&p->spec);
    buf_release(&p->cache_path);
}

int cmd_lab_precision(int argc, char **argv)
{
    Precision    p         = {.reference    = "stockfish",
                              .evals        = "material,classical,mlp,nnue",
                              .cache_folder = "tabia-precision",
                              .k            = 5,
                              .depth        = 3,
                              .quiescence   = 3,
                              .limits       = {.depth = 12}};
    const Option options[] = {
        {"suite", OPTION_TEXT, "FILE", "positions: EPD or FEN lines", &p.suite_path, 0, 0},
        {"k", OPTION_INT, "N", "how many best moves (default 5)", &p.k, 1, PRECISION_K_MAX},
        {"reference", OPTION_TEXT, "SPEC", "who knows, as for `tabia match` (default stockfish, depth=12)", &p.reference, 0, 0},
        {"eval", OPTION_TEXT, "NAMES", "evaluations, with commas (default material,classical,mlp,nnue)", &p.evals, 0, 0},
        {"depth", OPTION_INT, "N", "of our search (default 3)", &p.depth, 1, SEARCH_DEPTH_MAX},
        {"quiescence", OPTION_INT, "N", "plies of captures behind it; -1: no limit (default 3)", &p.quiescence, -1, 100},
        {"option", OPTION_TEXTS, "NAME=VALUE", "an option of our engine: EvalFile=x.net, Features=none", &p.options, 0, 0},
        {"positions", OPTION_INT, "N", "only the first N of the suite (default: all)", &p.most, 1, INT32_MAX},
        {"cache", OPTION_TEXT, "DIR", "where the reference's answers are kept (default tabia-precision)", &p.cache_folder, 0, 0},
        {"json", OPTION_FLAG, NULL, "one JSON object an evaluation", &p.json, 0, 0},
        {"report", OPTION_TEXT, "DIR", "also write DIR/precision.md and DIR/precision.csv", &p.report, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia lab precision --suite FILE [options]",
        .summary = "How many of our k best moves are among a reference engine's k best, for each of our evaluations.",
        .example = "tabia lab precision --suite wac.epd --reference stockfish:depth=14 --option EvalFile=data/my.net",
        .options = options,
    };
    Err err;
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code < 0) code = p.suite_path ? read_evals(&spec, &p) : cli_usage(&spec, "--suite FILE is missing");
    if (code >= 0) return code;
    cli_hold_interrupts();
    bool ok = prepare(&p, &err) && run(&p, &err);
    if (!ok) {
        code = cli_fail("%s", err.text);
    } else if (p.stopped) {
        code = cli_fail("stopped; the reference's answers so far are kept in %s", p.cache.path);
    } else {
        code = tell(&p);
        if (code == EXIT_DONE && p.report && !write_report(&p, &err)) code = cli_fail("%s", err.text);
    }
    release(&p);
    return code;
}

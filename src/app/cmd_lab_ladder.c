/* cmd_lab_ladder.c - `tabia lab ladder`: rungs times positions, as a table, as JSON, as a report with plots. */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/lab_commands.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/work.h"
#include "chess/notation.h"
#include "lab/report.h"

enum { STAGES_MAX = 64 };

typedef struct {
    TextList        rungs;
    const char     *positions_path, *eval, *order, *key, *report;
    int             offset, depth, threads;
    bool            json;
    LadderPositions positions;
    LadderStage     stages[STAGES_MAX];
    LadderConfig    config;
    Progress        progress;
    uint64_t        done;
    LabStats        sum; /* of the stage */
    double          cpu;
} Ladder;

enum { OFFSET_UNSET = -1000 };

/* ---- output of rows ---- */

static void json_iterations(JsonWriter *w, const LadderRow *row, const Position *pos)
{
    char uci[UCI_MOVE_SIZE];
    json_begin_array(w, "iterations");
    for (int i = 0; i < row->result.iteration_count; i++) {
        const LabIteration *it = &row->result.iterations[i];
        json_begin_object(w, NULL);
        json_i64(w, "depth", it->depth);
        json_u64(w, "nodes", it->nodes);
        json_u64(w, "qnodes", it->qnodes);
        json_u64(w, "cutoffs", it->cutoffs);
        json_u64(w, "first_move_cutoffs", it->first_move_cutoffs);
        json_u64(w, "hash_hits", it->hash_hits);
        json_i64(w, "aspiration_fails", it->aspiration_fails);
        json_i64(w, "seldepth", it->seldepth);
        json_i64(w, "value", pos->side == WHITE ? it->value : -it->value);
        move_to_uci(pos, it->best, uci);
        json_str(w, "best_move", str_from(uci));
        json_double(w, "seconds", it->seconds, 6);
        json_end_object(w);
    }
    json_end_array(w);
}

static void row_to_json(Buf *out, const Ladder *l, const LadderRow *row)
{
    const LabResult      *r  = &row->result;
    const LabStats       *st = &r->stats;
    const LadderPosition *at = &l->positions.items[row->position];
    char                  uci[UCI_MOVE_SIZE];
    JsonWriter            w;
    move_to_uci(&at->pos, r->best, uci);
    json_init(&w, out);
    json_begin_object(&w, NULL);
    json_str(&w, "rung", str_from(row->rung->name));
    json_u64(&w, "position", row->position);
    json_str(&w, "fen", str_from(at->fen));
    json_i64(&w, "depth", row->depth);
    json_i64(&w, "depth_offset", row->offset);
    json_u64(&w, "nodes", st->nodes);
    json_u64(&w, "leaves", st->leaves);
    json_u64(&w, "qnodes", st->qnodes);
    json_str(&w, "best_move", str_from(uci));
    json_i64(&w, "value", r->value);
    json_double(&w, "seconds", r->seconds, 6);
    json_double(&w, "cpu_seconds", r->cpu_seconds, 6);
    json_u64(&w, "null_nodes", st->null_nodes);
    json_u64(&w, "visited", st->nodes + st->null_nodes);
    json_u64(&w, "null_tries", st->null_tries);
    json_u64(&w, "null_cuts_white", st->null_cuts[WHITE]);
    json_u64(&w, "null_cuts_black", st->null_cuts[BLACK]);
    json_double(&w, "branching", lab_branching(st), 4);
    json_double(&w, "effective_branching", lab_effective_branching(st->nodes, row->depth), 4);
    json_u64(&w, "cutoffs", st->cutoffs);
    json_begin_array(&w, "cutoff_on");
    for (int i = 0; i < CUTOFF_MOVES; i++) json_u64(&w, NULL, st->cutoff_on[i]);
    json_end_array(&w);
    json_u64(&w, "hash_probes", st->hash_probes);
    json_u64(&w, "hash_hits", st->hash_hits);
    json_u64(&w, "hash_cuts", st->hash_cuts);
    json_u64(&w, "aspiration_fails", st->aspiration_fails);
    json_i64(&w, "seldepth", st->seldepth);
    json_double(&w, "parallel_share", r->parallel_share, 4);
    json_iterations(&w, row, &at->pos);
    json_end_object(&w);
    buf_append_char(out, '\n');
}

static void print_row(const Ladder *l, const LadderRow *row)
{
    const LabResult *r = &row->result;
    char             uci[UCI_MOVE_SIZE];
    move_to_uci(&l->positions.items[row->position].pos, r->best, uci);
    printf("%-10s %4zu %3d %14" PRIu64 " %14" PRIu64 " %12" PRIu64 " %12" PRIu64 " %7.2f  %-5s %7d %9.3f\n", row->rung->name,
           row->position, row->depth, r->stats.nodes, r->stats.leaves, r->stats.qnodes, r->stats.null_nodes,
           lab_branching(&r->stats), uci, r->value, r->seconds);
}

static void print_sum(const Ladder *l, const LadderRow *row)
{
    printf("%-10s  sum %+3d %14" PRIu64 " %14" PRIu64 " %12" PRIu64 " %12" PRIu64 " %7.2f  %.1f M nodes a CPU second\n",
           row->rung->name, row->offset, l->sum.nodes, l->sum.leaves, l->sum.qnodes, l->sum.null_nodes, lab_branching(&l->sum),
           l->cpu > 0 ? (double)(l->sum.nodes + l->sum.null_nodes) / l->cpu * 1e-6 : 0.0);
}

static void on_row(void *context, const LadderRow *row)
{
    Ladder *l = context;
    if (row->position == 0) {
        l->sum = (LabStats){0};
        l->cpu = 0;
    }
    lab_stats_add(&l->sum, &row->result.stats);
    l->cpu += row->result.cpu_seconds;
    progress_update(&l->progress, ++l->done);
    if (l->json) {
        Buf out = {0};
        row_to_json(&out, l, row);
        (void)lab_print(&out);
        return;
    }
    if (l->report) return;
    print_row(l, row);
    if (row->position + 1 == l->positions.count && l->positions.count > 1) print_sum(l, row);
    fflush(stdout);
}

/* ---- from words to a configuration ---- */

static int read_choices(const CommandSpec *spec, Ladder *l, LabEvalKind *kind)
{
    if (strcmp(l->eval, "thesis") == 0) {
        *kind = LAB_EVAL_THESIS;
    } else if (strcmp(l->eval, "material") == 0) {
        *kind = LAB_EVAL_MATERIAL;
    } else {
        return cli_usage(spec, "--eval is thesis or material, not '%s'", l->eval);
    }
    if (strcmp(l->order, "thesis") != 0 && !str_to_int(str_from(l->order), 1, ORDERINGS - 1, &l->config.ordering))
        return cli_usage(spec, "--order is thesis (each rung's own) or one of its orderings 1 to 4, not '%s'", l->order);
    l->config.strict_key = strcmp(l->key, "rules") == 0;
    if (!l->config.strict_key && strcmp(l->key, "thesis") != 0)
        return cli_usage(spec, "--key is thesis or rules, not '%s'", l->key);
    return -1;
}

static void add_stage(Ladder *l, const Rung *rung, int offset)
{
    if (l->config.stage_count < STAGES_MAX) l->stages[l->config.stage_count++] = (LadderStage){rung, offset};
}

/* A report looks at a rung where the thesis did: at +0, and also deeper, or (quiescence, whose +0 is `final`) less deep. */
static void add_rung(Ladder *l, const Rung *rung)
{
    bool both = l->report && l->offset == OFFSET_UNSET && rung->offset != 0;
    if (!both || rung->offset > 0) add_stage(l, rung, l->offset == OFFSET_UNSET ? 0 : l->offset);
    if (both) add_stage(l, rung, rung->offset);
}

static int read_rungs(const CommandSpec *spec, Ladder *l)
{
    for (int i = 0; i < l->rungs.count; i++) {
        Str rest = str_from(l->rungs.items[i]);
        while (rest.len) {
            Str         name = str_trim(str_next_until(&rest, ','));
            const Rung *rung = lab_rung_find(name);
            if (!rung) return cli_usage(spec, "there is no rung '%.*s'; `tabia lab list` names them", STR_ARGS(name));
            add_rung(l, rung);
        }
    }
    for (size_t i = 0; l->rungs.count == 0 && i < lab_rung_count(); i++) add_rung(l, lab_rung(i));
    return -1;
}

/* ---- running ---- */

/* A thread that waits for Ctrl-C: what is being searched ends, nothing new begins, and what is whole is reported. */
typedef struct {
    sigset_t    signals, before;
    pthread_t   thread;
    atomic_bool stop, over;
    bool        watching;
} Watch;

static void *watch_signals(void *argument)
{
    Watch *watch = argument;
    int    number;
    while (sigwait(&watch->signals, &number) == 0 && !watch->over) watch->stop = true;
    return NULL;
}

static void watch_begin(Watch *watch)
{
    sigemptyset(&watch->signals);
    sigaddset(&watch->signals, SIGINT);
    sigaddset(&watch->signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &watch->signals, &watch->before);
    watch->watching = pthread_create(&watch->thread, NULL, watch_signals, watch) == 0;
}

static void watch_end(Watch *watch)
{
    watch->over = true;
    if (watch->watching) {
        pthread_kill(watch->thread, SIGINT); /* wakes it; `over` tells it that this one is from us */
        pthread_join(watch->thread, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
}

static bool prepare(Ladder *l, LabEvalKind kind, ThesisEval **eval, Err *err)
{
    bool ok = l->positions_path ? ladder_positions_load(l->positions_path, l->depth, &l->positions, err)
                                : ladder_positions_thesis(&l->positions, err);
    ok      = ok && (*eval = thesis_eval_new(kind, err)) != NULL;
    ok      = ok && (!l->report || report_prepare(l->report, err));
    if (!ok) return false;
    l->config.eval      = *eval;
    l->config.eval_kind = kind;
    l->config.positions = &l->positions;
    l->config.stages    = l->stages;
    l->config.threads   = l->threads;
    progress_start(&l->progress, l->report ? stderr : NULL, "searches", l->positions.count * l->config.stage_count);
    if (!l->json && !l->report)
        printf("%-10s %4s %3s %14s %14s %12s %12s %7s  %-5s %7s %9s\n", "rung", "pos", "d", "nodes", "leaves", "quiescence",
               "null move", "branch", "move", "value", "seconds");
    return true;
}

static int run(Ladder *l, LabEvalKind kind)
{
    Err         err;
    ThesisEval *eval  = NULL;
    LadderRow  *rows  = NULL;
    Watch       watch = {0};
    size_t      done = 0, asked = l->config.stage_count;
    int64_t     start = clock_now_ns();
    bool        ok    = prepare(l, kind, &eval, &err);
    if (ok) {
        l->config.stop = &watch.stop;
        watch_begin(&watch);
        ok = (rows = ladder_run(&l->config, on_row, l, &done, &err)) != NULL;
        watch_end(&watch);
        progress_end(&l->progress);
        l->config.stage_count = done;
    }
    if (ok && l->report && done > 0) ok = report_write(l->report, &l->config, rows, clock_seconds_since(start), &err);
    free(rows);
    thesis_eval_free(eval);
    ladder_positions_release(&l->positions);
    if (!ok) return cli_fail("%s", err.text);
    return done == asked ? EXIT_DONE : cli_fail("stopped after %zu of %zu rungs and depths", done, asked);
}

int cmd_lab_ladder(int argc, char **argv)
{
    Ladder       l = {.eval = "thesis", .order = "thesis", .key = "thesis", .offset = OFFSET_UNSET, .depth = 5, .threads = 1};
    const Option options[] = {
        {"rung", OPTION_TEXTS, "NAME", "a rung, or several with commas; may be repeated (default: all)", &l.rungs, 0, 0},
        {"positions", OPTION_TEXT, "FILE", "FEN or EPD lines, \"| DEPTH\" behind (default: the 24 of the thesis)",
         &l.positions_path, 0, 0},
        {"depth", OPTION_INT, "N", "of positions without a depth of their own (default 5)", &l.depth, 0, LAB_DEPTH_MAX - 1},
        {"depth-offset", OPTION_INT, "N", "search every position N plies deeper (or less deep)", &l.offset, -LAB_DEPTH_MAX,
         LAB_DEPTH_MAX},
        {"eval", OPTION_TEXT, "NAME", "thesis (default) or material", &l.eval, 0, 0},
        {"order", OPTION_TEXT, "NAME", "thesis: each rung's own (default), or its ordering 1 to 4", &l.order, 0, 0},
        {"key", OPTION_TEXT, "NAME", "tt1-tt3: what makes positions equal, the thesis's key (default) or the rules", &l.key, 0,
         0},
        {"threads", OPTION_INT, "N", "positions at a time; threads of a search for rootsplit and full (default 1)", &l.threads, 1,
         256},
        {"json", OPTION_FLAG, NULL, "one JSON object a search", &l.json, 0, 0},
        {"report", OPTION_TEXT, "DIR", "write DIR/ladder.md, and tables and plots into DIR/ladder", &l.report, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia lab ladder [options]",
        .summary = "Searches positions on the rungs of the ladder and counts: every technique of game tree search, measured.",
        .example = "tabia lab ladder --rung minimax,ab1,null2 --depth-offset -1",
        .options = options,
    };
    LabEvalKind kind = LAB_EVAL_THESIS;
    int         count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code < 0) code = read_choices(&spec, &l, &kind);
    if (code < 0) code = read_rungs(&spec, &l);
    return code < 0 ? run(&l, kind) : code;
}

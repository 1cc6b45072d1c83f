/* report.c - see report.h. */
#include "lab/report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/lines.h"
#include "chess/notation.h"
#include "lab/plot.h"

bool report_prepare(const char *folder, Err *err)
{
    Buf path = {0};
    buf_printf(&path, "%s/ladder", folder);
    bool ok = !path.failed && file_make_folder(folder, err) && file_make_folder(path.data, err);
    if (path.failed) err_set(err, ERR_MEMORY, 0, "out of memory");
    buf_release(&path);
    return ok;
}

bool report_write_file(const char *folder, const char *name, Buf *text, Err *err)
{
    Buf path = {0};
    buf_printf(&path, "%s/%s", folder, name);
    bool ok =
        text->failed || path.failed ? err_set(err, ERR_MEMORY, 0, "out of memory") : file_write(path.data, buf_str(text), err);
    buf_release(&path);
    buf_release(text);
    return ok;
}

static bool write_csv(const char *folder, const LadderConfig *config, const LadderRow *rows, Err *err)
{
    Buf  out = {0};
    char uci[UCI_MOVE_SIZE];
    buf_append(&out,
               STR("rung,depth_offset,position,fen,depth,nodes,leaves,qnodes,null_nodes,null_cuts,cutoffs,first_move_cutoffs,"
                   "hash_probes,hash_hits,hash_cuts,aspiration_fails,seldepth,branching,best_move,value,seconds,cpu_seconds\n"));
    for (size_t i = 0; i < config->stage_count * config->positions->count; i++) {
        const LadderRow *row = &rows[i];
        const LabStats  *s   = &row->result.stats;
        move_to_uci(&config->positions->items[row->position].pos, row->result.best, uci);
        buf_printf(&out, "%s,%+d,%zu,%s,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, row->rung->name,
                   row->offset, row->position, config->positions->items[row->position].fen, row->depth, s->nodes, s->leaves,
                   s->qnodes, s->null_nodes, s->null_cuts[WHITE] + s->null_cuts[BLACK]);
        buf_printf(&out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%.4f,%s,%d,%.4f,%.4f\n",
                   s->cutoffs, s->cutoff_on[0], s->hash_probes, s->hash_hits, s->hash_cuts, s->aspiration_fails, s->seldepth,
                   lab_branching(s), uci, row->result.value, row->result.seconds, row->result.cpu_seconds);
    }
    return report_write_file(folder, "ladder/rows.csv", &out, err);
}

/* Visited nodes by rung and position: every stage at +0, or every stage when none is. */
static bool write_nodes_plot(const char *folder, const LadderConfig *config, const LadderRow *rows, Err *err)
{
    size_t     per = config->positions->count, columns = 0;
    PlotSeries series[PLOT_SERIES_MAX];
    double    *values = calloc(PLOT_SERIES_MAX * per, sizeof *values);
    Buf        out    = {0};
    if (!values) return err_set(err, ERR_MEMORY, 0, "out of memory");
    bool any = false;
    for (size_t i = 0; i < config->stage_count; i++) any = any || config->stages[i].offset == 0;
    for (size_t i = 0; i < config->stage_count && columns < PLOT_SERIES_MAX; i++) {
        if (any && config->stages[i].offset != 0) continue;
        double *column = &values[columns * per];
        for (size_t k = 0; k < per; k++) {
            const LabStats *s = &rows[i * per + k].result.stats;
            column[k]         = (double)(s->nodes + s->null_nodes);
        }
        series[columns++] = (PlotSeries){config->stages[i].rung->name, column, per};
    }
    plot_columns(&out,
                 &(PlotLabels){"Nodes by rung and position", "rung of the ladder",
                               "nodes visited, null-move searches included; a dot is a position, the bar their median", 0},
                 series, columns);
    free(values);
    return report_write_file(folder, "ladder/nodes.svg", &out, err);
}

/* Cutoffs, quiescence nodes and hash hits by ply, over all positions of the `pvs` rung at +0 (or of the last stage). */
static bool write_depth_plot(const char *folder, const LadderConfig *config, const LadderRow *rows, Err *err)
{
    size_t   per = config->positions->count, stage = config->stage_count - 1;
    LabStats sum = {0};
    double   values[3][LAB_DEPTH_MAX];
    size_t   points = 1;
    Buf      out    = {0};
    for (size_t i = 0; i < config->stage_count; i++) {
        if (str_equal(str_from(config->stages[i].rung->name), STR("pvs")) && config->stages[i].offset == 0) stage = i;
    }
    for (size_t k = 0; k < per; k++) lab_stats_add(&sum, &rows[stage * per + k].result.stats);
    for (size_t ply = 0; ply < LAB_DEPTH_MAX; ply++) {
        values[0][ply] = (double)sum.cutoff_ply[ply];
        values[1][ply] = (double)sum.qnode_ply[ply];
        values[2][ply] = (double)sum.hash_hit_ply[ply];
        if (values[0][ply] + values[1][ply] + values[2][ply] > 0) points = ply + 1;
    }
    PlotSeries series[] = {
        {"cutoffs", values[0], points}, {"quiescence nodes", values[1], points}, {"hash hits", values[2], points}};
    plot_lines(&out, &(PlotLabels){"Where the work is done", "ply", "events by ply, sum of the positions, all iterations", 0},
               series, 3);
    return report_write_file(folder, "ladder/depth.svg", &out, err);
}

static bool write_game_plot(const char *folder, const LabGames *games, Err *err)
{
    Buf        out      = {0};
    size_t     moves    = (size_t)games->moves;
    PlotSeries series[] = {{"nodes", games->nodes, moves},
                           {"cutoffs", games->cutoffs, moves},
                           {"quiescence nodes", games->qnodes, moves},
                           {"hash hits", games->hash_hits, moves}};
    plot_lines(&out,
               &(PlotLabels){"In the course of a game", "move of the game",
                             "events a move, mean of ten games against the random mover", 1},
               series, 4);
    return report_write_file(folder, "ladder/game.svg", &out, err);
}

static bool sum_stages(const LadderConfig *config, const LadderRow *rows, Chapter *chapter, Err *err)
{
    size_t per     = config->positions->count;
    chapter->sums  = calloc(config->stage_count, sizeof *chapter->sums);
    chapter->count = config->stage_count;
    if (!chapter->sums) return err_set(err, ERR_MEMORY, 0, "out of memory");
    for (size_t i = 0; i < config->stage_count; i++) {
        StageSum *sum = &chapter->sums[i];
        sum->rung     = config->stages[i].rung;
        sum->offset   = config->stages[i].offset;
        for (size_t k = 0; k < per; k++) {
            const LabResult *r = &rows[i * per + k].result;
            lab_stats_add(&sum->stats, &r->stats);
            sum->seconds += r->seconds;
            sum->cpu_seconds += r->cpu_seconds;
            sum->branching += lab_branching(&r->stats) / (double)per;
        }
    }
    return true;
}

/* "model name : AMD ..." of this machine, for the head of the chapter. */
static void read_machine(Buf *out)
{
    LineReader lines;
    Str        line;
    if (!lines_open(&lines, "/proc/cpuinfo", NULL)) return;
    while (out->len == 0 && lines_next(&lines, &line, NULL) == LINE_READ) {
        if (str_starts_with(line, STR("model name"))) {
            (void)str_next_until(&line, ':');
            buf_append(out, str_trim(line));
        }
    }
    lines_release(&lines);
}

/* Appends a page of Markdown as a section: its headings one level lower. Nothing where there is none. */
static void append_page(const char *folder, const char *name, Buf *out)
{
    LineReader lines;
    Str        line;
    Buf        path = {0};
    buf_printf(&path, "%s/%s", folder, name);
    if (!path.failed && lines_open(&lines, path.data, NULL)) {
        buf_append(out, STR("\n"));
        while (lines_next(&lines, &line, NULL) == LINE_READ) {
            if (str_starts_with(line, STR("#"))) buf_append(out, STR("#"));
            buf_append(out, line);
            buf_append(out, STR("\n"));
        }
        lines_release(&lines);
    }
    buf_release(&path);
}

/* What other experiments left in the same folder: `tabia lab ablate`, `lab mcts`, and `lab levels` with either search. */
static void read_figures(const char *folder, Buf *out)
{
    static const char *const pages[] = {"ablation.md", "mcts-figures.md", "mcts/levels.md", "levels.md"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) append_page(folder, pages[i], out);
}

enum { GAMES = 10, GAME_DEPTH = 4, GAME_SEED = 1 };

bool report_write(const char *folder, const LadderConfig *config, const LadderRow *rows, double seconds, Err *err)
{
    Chapter chapter = {.rows = rows, .positions = config->positions->count, .threads = config->threads, .seconds = seconds};
    Buf     machine = {0}, figures = {0}, text = {0};
    LabTask task = {.eval = config->eval, .depth = GAME_DEPTH, .threads = 1};
    bool    ok   = lab_games(lab_rung_find(STR("pvs")), &task, GAMES, GAME_SEED, &chapter.games, err);
    ok           = ok && sum_stages(config, rows, &chapter, err);
    ok           = ok && write_csv(folder, config, rows, err);
    ok           = ok && write_nodes_plot(folder, config, rows, err);
    ok           = ok && write_depth_plot(folder, config, rows, err);
    ok           = ok && write_game_plot(folder, &chapter.games, err);
    if (ok) {
        read_machine(&machine);
        chapter.machine = machine.len ? machine.data : "this machine";
        chapter.thesis  = config->positions->count == THESIS_POSITIONS && config->ordering == 0 && !config->strict_key &&
                         config->eval_kind == LAB_EVAL_THESIS &&
                         str_starts_with(str_from(config->positions->items[0].fen), str_from(thesis_positions[0].fen));
        read_figures(folder, &figures);
        chapter.figures = figures.len ? figures.data : "";
        chapter_write(&text, &chapter);
        ok = report_write_file(folder, "ladder.md", &text, err);
    }
    buf_release(&machine);
    buf_release(&figures);
    free(chapter.sums);
    return ok;
}

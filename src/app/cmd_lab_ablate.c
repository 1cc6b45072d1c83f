/* cmd_lab_ablate.c - `tabia lab ablate`: the engine with each technique switched off in turn. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "app/lab_commands.h"
#include "base/file.h"
#include "base/json.h"
#include "lab/ablate.h"

typedef struct {
    TextList     features;
    const char  *report;
    bool         json;
    AblateConfig config;
    Feature      chosen[FEATURES];
    size_t       count;
    Buf          table; /* Markdown, for --report */
} Ablate;

static void row_to_json(Buf *out, const Ablate *a, const AblateRow *row)
{
    JsonWriter w;
    json_init(&w, out);
    json_begin_object(&w, NULL);
    json_str(&w, "feature", str_from(feature_name(row->feature)));
    json_i64(&w, "depth", a->config.depth);
    json_u64(&w, "nodes", row->nodes);
    json_u64(&w, "nodes_whole", row->nodes_whole);
    json_u64(&w, "games", row->elo.games);
    json_double(&w, "score", row->elo.games ? row->elo.score : NAN, 4);
    json_double(&w, "elo", row->elo.games ? row->elo.elo : NAN, 1);
    json_double(&w, "error", row->elo.games ? row->elo.elo_error : NAN, 1);
    json_end_object(&w);
    buf_append_char(out, '\n');
}

static double change_of(const AblateRow *row)
{
    return row->nodes_whole ? 100.0 * ((double)row->nodes / (double)row->nodes_whole - 1) : 0;
}

static void row_to_markdown(Buf *out, const AblateRow *row)
{
    buf_printf(out, "| `%s` | %s | ", feature_name(row->feature), feature_text(row->feature));
    if (row->nodes_whole) buf_printf(out, "%" PRIu64 " | %+.1f %%", row->nodes, change_of(row));
    if (!row->nodes_whole) buf_append(out, STR(" | "));
    if (row->elo.games && isfinite(row->elo.elo_error)) {
        buf_printf(out, " | %+.0f ± %.0f | %" PRIu64 " |\n", row->elo.elo, row->elo.elo_error, row->elo.games);
    } else if (row->elo.games) {
        buf_printf(out, " | score %.3f | %" PRIu64 " |\n", row->elo.score, row->elo.games);
    } else {
        buf_append(out, STR(" | | |\n"));
    }
}

static void on_row(void *context, const AblateRow *row)
{
    Ablate *a = context;
    if (a->report) row_to_markdown(&a->table, row);
    if (a->json) {
        Buf out = {0};
        row_to_json(&out, a, row);
        (void)lab_print(&out);
        return;
    }
    printf("%-12s", feature_name(row->feature));
    if (row->nodes_whole) printf(" %12" PRIu64 " nodes (%+6.1f %%)", row->nodes, change_of(row));
    if (row->elo.games) printf("   %+7.1f Elo, error %.1f, %" PRIu64 " games", row->elo.elo, row->elo.elo_error, row->elo.games);
    printf("\n");
    fflush(stdout);
}

static int read_features(const CommandSpec *spec, Ablate *a)
{
    for (int i = 0; i < a->features.count; i++) {
        Str rest = str_from(a->features.items[i]);
        while (rest.len) {
            Str     name = str_trim(str_next_until(&rest, ','));
            Feature at   = 0;
            while (at < FEATURES && !str_equal(str_from(feature_name(at)), name)) at++;
            if (at == FEATURES) return cli_usage(spec, "the engine has no technique '%.*s'", STR_ARGS(name));
            if (a->count < FEATURES) a->chosen[a->count++] = at;
        }
    }
    for (Feature at = 0; a->features.count == 0 && at < FEATURES; at++) a->chosen[a->count++] = at;
    return -1;
}

/* The table as a page; the rows stand in a->table already. */
static int write_report(Ablate *a)
{
    Buf path = {0}, text = {0};
    buf_printf(&path, "%s/ablation.md", a->report);
    buf_printf(
        &text,
        "# What each technique is worth\nThe whole engine with one technique switched off at a time, by `tabia lab ablate`. "
        "*Nodes* are those to "
        "depth %d over the 24 positions of the thesis; *Elo* is of the engine without it against the whole, %" PRIu64
        " nodes a move, with the 95 %% error of pairs of games. An error larger than the figure says: not known yet.\n\n"
        "| technique | what it does | nodes without it | change | Elo without it | games |\n|---|---|---:|---:|---:|---:|\n",
        a->config.depth, a->config.nodes);
    buf_append(&text, buf_str(&a->table));
    Err  err;
    bool ok   = !path.failed && !text.failed ? file_write(path.data, buf_str(&text), &err)
                                             : err_set(&err, ERR_MEMORY, 0, "out of memory");
    int  code = ok ? EXIT_DONE : cli_fail("%s", err.text);
    buf_release(&path);
    buf_release(&text);
    return code;
}

int cmd_lab_ablate(int argc, char **argv)
{
    Ablate       a         = {.config = {.depth = 8, .games = 0, .nodes = 5000, .concurrency = 1}};
    const Option options[] = {
        {"feature", OPTION_TEXTS, "NAME", "a technique, or several with commas (default: all)", &a.features, 0, 0},
        {"depth", OPTION_INT, "N", "nodes to this depth (default 8; 0: leave it out)", &a.config.depth, 0, 60},
        {"games", OPTION_U64, "N", "games of each against the whole engine (default 0: no Elo)", &a.config.games, 0, 10000000},
        {"nodes", OPTION_U64, "N", "nodes a move in these games (default 5000)", &a.config.nodes, 1, INT64_MAX},
        {"openings", OPTION_TEXT, "FILE", ".pgn, or FEN/EPD lines (default: 64 known lines)", &a.config.openings, 0, 0},
        {"concurrency", OPTION_INT, "N", "games at a time (default 1)", &a.config.concurrency, 1, 1024},
        {"json", OPTION_FLAG, NULL, "one JSON object a technique", &a.json, 0, 0},
        {"report", OPTION_TEXT, "DIR", "also write DIR/ablation.md", &a.report, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia lab ablate [options]",
        .summary = "Switches each technique of the engine off in turn: what it saves in nodes, and what it is worth in Elo.",
        .example = "tabia lab ablate --feature nmp,lmr --depth 8 --games 200",
        .options = options,
    };
    Err err;
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code < 0) code = read_features(&spec, &a);
    if (code >= 0) return code;
    if (a.report && !file_make_folder(a.report, &err)) return cli_fail("%s", err.text);
    code = lab_ablate(&a.config, a.chosen, a.count, on_row, &a, &err) ? EXIT_DONE : cli_fail("%s", err.text);
    if (code == EXIT_DONE && a.report) code = write_report(&a);
    buf_release(&a.table);
    return code;
}

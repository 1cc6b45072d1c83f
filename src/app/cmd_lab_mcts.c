/* cmd_lab_mcts.c - `tabia lab mcts`: what Monte Carlo tree search can do, measured, and on paper. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "app/lab_commands.h"
#include "base/file.h"
#include "base/json.h"
#include "chess/notation.h"
#include "lab/mcts.h"
#include "lab/plot.h"
#include "lab/report.h"

typedef struct {
    LabMctsGames games;
    TextList     values, suites;
    const char  *fen, *report;
    uint64_t     random_games, visit_nodes, mate_nodes, mate_positions;
    bool         json;
    Buf          page; /* Markdown, for --report */
} McArgs;

/* Every result is shown at once, and kept for the report. */
static void show(const McArgs *a, Buf *json, Buf *text)
{
    Buf *out = a->json ? json : text;
    if (a->json) buf_append_char(json, '\n');
    if (!out->failed) (void)fwrite(out->data, 1, out->len, stdout);
    (void)fflush(stdout);
    buf_release(json);
    buf_release(text);
}

static void begin_json(JsonWriter *w, Buf *out, const char *kind)
{
    json_init(w, out);
    json_begin_object(w, NULL);
    json_str(w, "kind", str_from(kind));
}

/* ---- rates ---- */

static bool run_rates(McArgs *a, Err *err)
{
    LabMctsRates rates;
    JsonWriter   w;
    Buf          json = {0}, text = {0};
    if (!a->random_games) return true;
    if (!lab_mcts_rates(a->random_games, &rates, err)) return false;
    begin_json(&w, &json, "rates");
    json_double(&w, "random_games_per_second", rates.random_games, 0);
    json_double(&w, "plies_per_random_game", rates.random_plies, 1);
    buf_printf(&text, "random games from the start: %.0f a second of one core, %.0f plies each\n", rates.random_games,
               rates.random_plies);
    buf_printf(&a->page,
               "## Speed\nOne core, from the start position, by processor time.\n\n| what | a second |\n|---|---:|\n"
               "| whole random games (%.0f plies each) | %.0f |\n",
               rates.random_plies, rates.random_games);
    for (PlayoutKind kind = 0; kind < PLAYOUTS; kind++) {
        char key[64];
        (void)snprintf(key, sizeof key, "%s_playouts_per_second", lab_mcts_playout_name(kind));
        json_double(&w, key, rates.playouts[kind], 0);
        buf_printf(&text, "%-8s playouts: %.0f a second\n", lab_mcts_playout_name(kind), rates.playouts[kind]);
        buf_printf(&a->page, "| searches with `%s` playouts | %.0f |\n", lab_mcts_playout_name(kind), rates.playouts[kind]);
    }
    json_end_object(&w);
    show(a, &json, &text);
    return true;
}

/* ---- mates ---- */

static void show_mates(McArgs *a, const LabMctsMates *mates)
{
    buf_printf(&a->page,
               "\n## Proved mates\n`go mate N` with at most %" PRIu64
               " playouts.\n\n| mate in | positions | proved | playouts on average |\n|---:|---:|---:|---:|\n",
               a->mate_nodes);
    for (int n = 1; n <= LAB_MCTS_MATE_MAX; n++) {
        Buf        json = {0}, text = {0};
        JsonWriter w;
        uint64_t   count = mates->positions[n];
        if (!count) continue;
        begin_json(&w, &json, "mates");
        json_i64(&w, "mate", n);
        json_u64(&w, "positions", count);
        json_u64(&w, "proved", mates->proved[n]);
        json_u64(&w, "playouts", mates->playouts[n]);
        json_end_object(&w);
        buf_printf(&text, "mate in %d: %" PRIu64 " of %" PRIu64 " proved, %" PRIu64 " playouts on average\n", n, mates->proved[n],
                   count, mates->playouts[n] / count);
        buf_printf(&a->page, "| %d | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " |\n", n, count, mates->proved[n],
                   mates->playouts[n] / count);
        show(a, &json, &text);
    }
}

/* All mates together, and by name those that were not proved. */
static void show_mate_sum(McArgs *a, const LabMctsMates *mates)
{
    Buf        json = {0}, text = {0};
    JsonWriter w;
    uint64_t   count = 0, proved = 0;
    Str        missed = buf_str(&mates->missed);
    for (int n = 1; n <= LAB_MCTS_MATE_MAX; n++) {
        count += mates->positions[n];
        proved += mates->proved[n];
    }
    begin_json(&w, &json, "mates_sum");
    json_u64(&w, "positions", count);
    json_u64(&w, "proved", proved);
    json_begin_array(&w, "missed");
    buf_printf(&text, "found and proved: %" PRIu64 " of %" PRIu64 " with at most %" PRIu64 " playouts each\n", proved, count,
               a->mate_nodes);
    buf_printf(&a->page, "\nFound and proved: %" PRIu64 " of %" PRIu64 ".\n", proved, count);
    while (missed.len) {
        Str fen = str_next_until(&missed, '\n');
        json_str(&w, NULL, fen);
        buf_printf(&text, "  not proved: %.*s\n", STR_ARGS(fen));
        buf_printf(&a->page, "Not proved: `%.*s`.\n", STR_ARGS(fen));
    }
    json_end_array(&w);
    json_end_object(&w);
    show(a, &json, &text);
}

static bool run_mates(McArgs *a, Err *err)
{
    LabMctsMates mates = {0};
    bool         ok    = true;
    for (int i = 0; ok && i < a->suites.count; i++)
        ok = lab_mcts_mates(a->suites.items[i], a->mate_positions, a->mate_nodes, &mates, err);
    if (ok && a->suites.count) {
        show_mates(a, &mates);
        show_mate_sum(a, &mates);
    }
    buf_release(&mates.missed);
    return ok;
}

/* ---- visits ---- */

/* A column a move, as high as its visits; the rest of the moves had fewer. */
static bool plot_visits(const McArgs *a, const LabMctsVisits *v, const char *name, Err *err)
{
    PlotSeries series[PLOT_SERIES_MAX];
    double     values[PLOT_SERIES_MAX];
    char       sans[PLOT_SERIES_MAX][SAN_SIZE], title[96], file[64];
    size_t     count = v->count < PLOT_SERIES_MAX ? (size_t)v->count : PLOT_SERIES_MAX;
    Buf        svg   = {0};
    for (size_t i = 0; i < count; i++) {
        (void)move_to_san(&v->root, v->moves[i], sans[i]);
        values[i] = (double)v->visits[i];
        series[i] = (PlotSeries){sans[i], &values[i], 1};
    }
    (void)snprintf(title, sizeof title, "Visits by move: %s playouts, %" PRIu64 " of them", name, v->nodes);
    (void)snprintf(file, sizeof file, "mcts/visits-%s.svg", name);
    const PlotLabels labels = {.title = title, .x_label = "move", .y_label = "visits"};
    plot_columns(&svg, &labels, series, count);
    return report_write_file(a->report, file, &svg, err);
}

static void show_visits(McArgs *a, const LabMctsVisits *v, const char *name)
{
    enum { SHOWN = 6 };
    Buf        json = {0}, text = {0};
    JsonWriter w;
    begin_json(&w, &json, "visits");
    json_str(&w, "playout", str_from(name));
    json_str(&w, "fen", str_from(a->fen));
    json_u64(&w, "nodes", v->nodes);
    json_begin_object(&w, "moves");
    buf_printf(&text, "visits, %s playouts:", name);
    buf_printf(&a->page, "| `%s` |", name);
    for (int i = 0; i < v->count; i++) {
        char uci[UCI_MOVE_SIZE], san[SAN_SIZE];
        (void)move_to_uci(&v->root, v->moves[i], uci);
        (void)move_to_san(&v->root, v->moves[i], san);
        json_u64(&w, uci, v->visits[i]);
        if (i >= SHOWN) continue;
        buf_printf(&text, " %s %" PRIu64, san, v->visits[i]);
        buf_printf(&a->page, " %s %" PRIu64 "%s", san, v->visits[i], i + 1 < SHOWN && i + 1 < v->count ? "," : "");
    }
    json_end_object(&w);
    json_end_object(&w);
    buf_append_char(&text, '\n');
    buf_printf(&a->page, " | ![visits](mcts/visits-%s.svg) |\n", name);
    show(a, &json, &text);
}

static bool run_visits(McArgs *a, Err *err)
{
    if (!a->visit_nodes) return true;
    buf_printf(&a->page, "\n## Visits by move\n`%s`, %" PRIu64 " playouts.\n\n| playout | most visited | all |\n|---|---|---|\n",
               a->fen, a->visit_nodes);
    for (PlayoutKind kind = 0; kind < PLAYOUTS; kind++) {
        LabMctsVisits v;
        const char   *name = lab_mcts_playout_name(kind);
        if (!lab_mcts_visits(a->fen, kind, a->visit_nodes, &v, err)) return false;
        show_visits(a, &v, name);
        if (a->report && !plot_visits(a, &v, name, err)) return false;
    }
    return true;
}

/* ---- games ---- */

static void on_match(void *context, const LabMctsMatch *m)
{
    McArgs            *a    = context;
    const EloEstimate *elo  = &m->elo;
    Buf                json = {0}, text = {0};
    JsonWriter         w;
    begin_json(&w, &json, "match");
    json_str(&w, "first", str_from(m->first));
    json_str(&w, "second", str_from(m->second));
    json_str(&w, "limit", str_from(m->limit));
    json_u64(&w, "games", elo->games);
    json_double(&w, "score", elo->score, 4);
    json_double(&w, "elo", elo->elo, 1);
    json_double(&w, "error", elo->elo_error, 1);
    json_end_object(&w);
    buf_printf(&text, "%-17s - %-13s %-11s %5.1f %% of %" PRIu64 " games", m->first, m->second, m->limit, 100 * elo->score,
               elo->games);
    buf_printf(&a->page, "| %s | %s | %s | %.1f %% | ", m->first, m->second, m->limit, 100 * elo->score);
    if (isfinite(elo->elo) && isfinite(elo->elo_error)) {
        buf_printf(&text, "   %+.0f Elo, error %.0f", elo->elo, elo->elo_error);
        buf_printf(&a->page, "%+.0f ± %.0f", elo->elo, elo->elo_error);
    }
    buf_append_char(&text, '\n');
    buf_printf(&a->page, " | %" PRIu64 " |\n", elo->games);
    show(a, &json, &text);
}

static bool run_games(McArgs *a, Err *err)
{
    if (!a->games.games) return true;
    buf_append(&a->page,
               STR("\n## Games\nThe score and the Elo are of the first. The error is 95 %, of pairs of games; where every game "
                   "or none was won there is no Elo to give. `mcts` is the default: eval playouts, PUCT.\n\n"
                   "| first | second | each move | score | Elo | games |\n|---|---|---|---:|---:|---:|\n"));
    return lab_mcts_games(&a->games, on_match, a, err);
}

/* ---- the command ---- */

static int read_values(const CommandSpec *spec, McArgs *a)
{
    for (int i = 0; i < a->values.count; i++) {
        Str rest = str_from(a->values.items[i]);
        while (rest.len) {
            Str word = str_trim(str_next_until(&rest, ','));
            int value;
            if (!str_to_int(word, 0, 1000, &value))
                return cli_usage(spec, "a value of c is a number of hundredths from 0 to 1000, not '%.*s'", STR_ARGS(word));
            if (a->games.value_count == LAB_MCTS_VALUES_MAX)
                return cli_usage(spec, "at most %d values of c at a time", LAB_MCTS_VALUES_MAX);
            a->games.values[a->games.value_count++] = value;
        }
    }
    return -1;
}

static bool prepare_report(const McArgs *a, Err *err)
{
    Buf  path = {0};
    bool ok   = true;
    if (!a->report) return true;
    buf_printf(&path, "%s/mcts", a->report);
    if (path.failed) ok = err_set(err, ERR_MEMORY, 0, "out of memory");
    ok = ok && file_make_folder(a->report, err) && file_make_folder(path.data, err);
    buf_release(&path);
    return ok;
}

static bool run_all(McArgs *a, Err *err)
{
    buf_append(&a->page, STR("# Monte Carlo tree search, measured\nBy `tabia lab mcts`.\n\n"));
    bool ok = prepare_report(a, err) && run_rates(a, err) && run_mates(a, err) && run_visits(a, err) && run_games(a, err);
    if (ok && a->report) return report_write_file(a->report, "mcts-figures.md", &a->page, err);
    buf_release(&a->page);
    return ok;
}

int cmd_lab_mcts(int argc, char **argv)
{
    McArgs       a         = {.games          = {.games = 20, .nodes = 1000, .movetime_ms = 50, .concurrency = 1},
                              .fen            = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
                              .random_games   = 20000,
                              .visit_nodes    = 10000,
                              .mate_nodes     = 100000,
                              .mate_positions = 0};
    const Option options[] = {
        {"games", OPTION_U64, "N", "of each match (default 20; 0: no matches)", &a.games.games, 0, 10000000},
        {"nodes", OPTION_U64, "N", "playouts and nodes a move, at equal nodes (default 1000)", &a.games.nodes, 1, INT64_MAX},
        {"movetime", OPTION_INT, "MS", "a move, at equal time (default 50)", &a.games.movetime_ms, 1, 3600000},
        {"c", OPTION_TEXTS, "N,N...", "values of c in hundredths, each against the default", &a.values, 0, 0},
        {"openings", OPTION_TEXT, "FILE", ".pgn, or FEN/EPD lines (default: 64 known lines)", &a.games.openings, 0, 0},
        {"concurrency", OPTION_INT, "N", "games at a time (default 1)", &a.games.concurrency, 1, 1024},
        {"random-games", OPTION_U64, "N", "to measure their rate (default 20000; 0: no rates)", &a.random_games, 0, 1000000000},
        {"suite", OPTION_TEXTS, "FILE.epd", "mates to prove (dm 2, bm #2 or ce +M2); may be repeated", &a.suites, 0, 0},
        {"positions", OPTION_U64, "N", "of each suite at most (default 0: all)", &a.mate_positions, 0, INT64_MAX},
        {"mate-nodes", OPTION_U64, "N", "playouts for each mate at most (default 100000)", &a.mate_nodes, 1, INT64_MAX},
        {"fen", OPTION_TEXT, "FEN", "whose visits by move are shown (default: the Ruy Lopez)", &a.fen, 0, 0},
        {"visits", OPTION_U64, "N", "playouts there (default 10000; 0: none)", &a.visit_nodes, 0, INT64_MAX},
        {"json", OPTION_FLAG, NULL, "one JSON object a result", &a.json, 0, 0},
        {"report", OPTION_TEXT, "DIR", "also write DIR/mcts-figures.md and plots in DIR/mcts", &a.report, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage = "tabia lab mcts [options]",
        .summary =
            "Monte Carlo tree search: speed, proved mates, visits by move; playouts, exploration and alpha-beta in matches.",
        .example = "tabia lab mcts --games 10 --c 30,100 --report figures",
        .options = options,
    };
    Err err;
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code < 0) code = read_values(&spec, &a);
    if (code >= 0) return code;
    return run_all(&a, &err) ? EXIT_DONE : cli_fail("%s", err.text);
}

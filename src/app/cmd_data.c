/* cmd_data.c - `tabia data`: makes, counts and mixes what networks learn from. One row of a table for each subcommand. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/cli.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/work.h"
#include "learn/positions.h"
#include "learn/replay.h"
#include "learn/selfplay.h"

/* ---- selfplay ---- */

static bool watch_selfplay(void *context, const SelfplayCounts *counts)
{
    progress_update(context, counts->games);
    return !cli_interrupted();
}

static void print_selfplay(const SelfplayCounts *c, double seconds, bool json)
{
    if (!json) {
        printf("%" PRIu64 " games, %" PRIu64 " positions in %.0f s (%.0f positions/s); White %" PRIu64 ", Black %" PRIu64
               ", drawn %" PRIu64 "; %" PRIu64 " openings refused\n",
               c->games, c->positions, seconds, seconds > 0 ? (double)c->positions / seconds : 0, c->results[RESULT_WHITE_WINS],
               c->results[RESULT_BLACK_WINS], c->results[RESULT_DRAW], c->refused);
        return;
    }
    Buf        out = {0};
    JsonWriter w;
    json_init(&w, &out);
    json_begin_object(&w, NULL);
    json_i64(&w, "games", (int64_t)c->games);
    json_i64(&w, "positions", (int64_t)c->positions);
    json_i64(&w, "nodes", (int64_t)c->nodes);
    json_i64(&w, "white", (int64_t)c->results[RESULT_WHITE_WINS]);
    json_i64(&w, "black", (int64_t)c->results[RESULT_BLACK_WINS]);
    json_i64(&w, "drawn", (int64_t)c->results[RESULT_DRAW]);
    json_i64(&w, "refused", (int64_t)c->refused);
    json_double(&w, "seconds", seconds, 3);
    json_end_object(&w);
    printf("%.*s\n", STR_ARGS(buf_str(&out)));
    buf_release(&out);
}

static int run_selfplay(SelfplayOptions *o, const TextList *engine, uint64_t nodes, bool json)
{
    SelfplayCounts counts = {0};
    Progress       progress;
    Err            err;
    int64_t        start   = clock_now_ns();
    o->nodes               = (int64_t)nodes;
    o->engine_options      = engine->items;
    o->engine_option_count = engine->count;
    cli_hold_interrupts();
    progress_start(&progress, json ? NULL : stderr, "games", o->games);
    bool ok = selfplay_run(o, watch_selfplay, &progress, &counts, &err);
    progress_end(&progress);
    if (counts.games || ok) print_selfplay(&counts, clock_seconds_since(start), json);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

#define SELFPLAY_OPTIONS(o)                                                                                                      \
    {"threads", OPTION_INT, "N", "games at a time (default: all processors)", &(o).threads, 1, 1024},                            \
        {"out", OPTION_TEXT, "DIR", "folder for the games", &(o).folder, 0, 0},                                                  \
        {"seed", OPTION_U64, "N", "of the series; another seed gives other games (default 1)", &(o).seed, 0, INT64_MAX},         \
        {"first", OPTION_U64, "N", "number of the first game (default 0)", &(o).first, 0, INT64_MAX},                            \
        {"hash", OPTION_INT, "MB", "table of each engine (default 8)", &(o).hash_mb, 1, 65536},                                  \
        {"option", OPTION_TEXTS, "NAME=VALUE", "an option of the engine (several may be given)", &engine, 0, 0},                 \
        {"resume", OPTION_FLAG, NULL, "add to the games in the folder", &(o).resume, 0, 0},                                      \
    {                                                                                                                            \
        "json", OPTION_FLAG, NULL, "one JSON object at the end", &json, 0, 0                                                     \
    }

static int data_selfplay(int argc, char **argv)
{
    SelfplayOptions o = {.games = 1000, .seed = 1, .threads = work_processors(), .nodes = 5000, .random_plies = 8, .hash_mb = 8};
    ReplaySet       openings = {0};
    TextList        engine = {0}, pgn = {0};
    uint64_t        nodes     = 5000;
    bool            json      = false;
    const Option    options[] = {
           {"games", OPTION_U64, "N", "games to play (default 1000)", &o.games, 1, INT64_MAX},
           {"nodes", OPTION_U64, "N", "nodes a move; the iteration that reaches them ends (5000)", &nodes, 1, 1000000000},
           {"plies", OPTION_INT, "N", "random half-moves of an opening; or one more (default 8)", &o.random_plies, 0, 40},
           {"pgn", OPTION_TEXTS, "FILE", "begin within these games, up to three random moves away", &pgn, 0, 0},
           SELFPLAY_OPTIONS(o),
           {0},
    };
    const CommandSpec spec = {.usage   = "tabia data selfplay --out DIR [options]",
                              .summary = "Plays the engine against itself from random openings and keeps every move and score.",
                              .example = "tabia data selfplay --games 10000 --nodes 5000 --out games",
                              .options = options};
    int               count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    if (!o.folder) return cli_usage(&spec, "where to? give --out DIR");
    Err  err;
    bool read = replay_read(&openings, pgn.items, pgn.count, &err);
    if (pgn.count) o.openings = &openings;
    bool some = !pgn.count || openings.count;
    code      = read && some ? run_selfplay(&o, &engine, nodes, json)
                             : cli_fail("%s", read ? "these files hold no game with a result" : err.text);
    replay_release(&openings);
    return code;
}

static int data_score(int argc, char **argv)
{
    SelfplayOptions o         = {.seed = 1, .threads = work_processors(), .hash_mb = 8, .share = 0.5, .first_ply = 10};
    ReplaySet       set       = {0};
    TextList        engine    = {0};
    const char    **paths     = NULL;
    uint64_t        nodes     = 1000;
    bool            json      = false;
    const Option    options[] = {
           {"games", OPTION_U64, "N", "games to go through (default: all)", &o.games, 1, INT64_MAX},
           {"nodes", OPTION_U64, "N", "nodes a position (default 1000)", &nodes, 1, 1000000000},
           {"share", OPTION_DOUBLE, "SHARE", "of the calm positions (default 0.5)", &o.share, 0, 0},
           {"stray", OPTION_DOUBLE, "SHARE", "of them left by random moves, and eight plies played on (0)", &o.stray, 0, 0},
           {"first-ply", OPTION_INT, "N", "begin at ply N (default 10)", &o.first_ply, 0, 1000},
           SELFPLAY_OPTIONS(o),
           {0}};
    const CommandSpec spec = {.usage   = "tabia data score FILE.pgn... --out DIR [options]",
                              .summary = "Thinks about calm positions of others' games; keeps games and scores.",
                              .example = "tabia data score masters.pgn --nodes 1000 --out scored",
                              .options = options};
    int               count, code = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code >= 0) return code;
    Err  err;
    bool usable = o.folder && o.share > 0 && o.share <= 1 && o.stray >= 0 && o.stray <= 1;
    bool read   = usable && replay_read(&set, paths, count, &err);
    free(paths);
    if (!o.folder) return cli_usage(&spec, "where to? give --out DIR");
    if (!usable) return cli_usage(&spec, "--share is above 0 and at most 1, --stray from 0 to 1");
    if (!read) {
        replay_release(&set);
        return cli_fail("%s", err.text);
    }
    if (o.games == 0 || o.games > set.count) o.games = set.count;
    o.replay = &set;
    code     = set.count ? run_selfplay(&o, &engine, nodes, json) : cli_fail("these files hold no game with a result");
    replay_release(&set);
    return code;
}

/* ---- what the other subcommands share: read, filter ---- */

typedef struct {
    SampleFilter filter;
    SampleSet    set;
    SampleSource source;
    uint64_t     seed;
} Load;

static bool load(Load *l, const char *const *paths, int count, Err *err)
{
    Rng rng = rng_seeded(l->seed);
    for (int i = 0; i < count; i++) {
        if (!samples_read(&l->set, paths[i], &l->filter, &rng, &l->source, err)) return false;
    }
    return true;
}

static void print_source(const Load *l)
{
    const SampleSource *s = &l->source;
    printf("%" PRIu64 " games, %" PRIu64 " positions; White %" PRIu64 ", Black %" PRIu64 ", drawn %" PRIu64 "\n", s->games,
           s->positions, s->results[RESULT_WHITE_WINS], s->results[RESULT_BLACK_WINS], s->results[RESULT_DRAW]);
    printf("%zu positions pass the filter\n", l->set.count);
    if (s->torn_files) printf("%" PRIu64 " files end within a game: read up to it\n", s->torn_files);
}

/* How scores and results go together, in bands: a look at the data that shows a wrong sign at once. */
static void print_bands(const SampleSet *set)
{
    enum { BANDS = 12, WIDTH = 200 };
    struct {
        uint64_t count;
        double   points;
    } bands[BANDS] = {{0}};
    uint64_t men   = 0;
    for (size_t i = 0; i < set->count; i++) {
        const Sample *s = &set->samples[i];
        men += (uint64_t)__builtin_popcountll(s->occupied);
        if (!sample_has_result(s)) continue;
        int band = s->score == SCORE_NONE ? 0 : (s->score + WIDTH * BANDS / 2) / WIDTH;
        band     = band < 0 ? 0 : band >= BANDS ? BANDS - 1 : band;
        bands[band].count++;
        bands[band].points += (double)s->result / SAMPLE_RESULT_WIN;
    }
    if (set->count) printf("%.1f men on the board on average\n\n", (double)men / (double)set->count);
    printf("     score   positions   mean result\n");
    for (int b = 0; b < BANDS; b++) {
        if (!bands[b].count) continue;
        printf("%+6d.. %11" PRIu64 "      %5.1f %%\n", (b - BANDS / 2) * WIDTH, bands[b].count,
               100 * bands[b].points / (double)bands[b].count);
    }
}

#define FILTER_OPTIONS(l)                                                                                                        \
    {"score-max", OPTION_INT, "CP", "leave out scores further from zero (default 2500)", &(l).filter.score_max, 0, 32000},       \
        {"first-ply", OPTION_INT, "N", "leave out the first N plies of a game (default 0)", &(l).filter.first_ply, 0, 1000},     \
        {"noisy", OPTION_FLAG, NULL, "keep checks, captures and promotions too", &(l).filter.noisy_too, 0, 0},                   \
        {"keep", OPTION_DOUBLE, "SHARE", "take this share of the fitting positions (default 1)", &(l).filter.keep, 0, 0},        \
    {                                                                                                                            \
        "seed", OPTION_U64, "N", "for the choice and the order (default 1)", &(l).seed, 0, INT64_MAX                             \
    }

static int data_info(int argc, char **argv)
{
    Load              l         = {.filter = sample_filter_default(), .seed = 1};
    const char      **paths     = NULL;
    const Option      options[] = {FILTER_OPTIONS(l), {0}};
    const CommandSpec spec      = {.usage   = "tabia data info DIR|FILE... [options]",
                                   .summary = "Counts games and positions, and shows how scores and results go together.",
                                   .example = "tabia data info games",
                                   .options = options};
    Err               err;
    int               count, code = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code >= 0) return code;
    bool ok = load(&l, paths, count, &err);
    free(paths);
    if (ok) {
        print_source(&l);
        print_bands(&l.set);
    }
    samples_release(&l.set);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

/* `filter` keeps the order, `shuffle` does not. */
static int write_samples(int argc, char **argv, bool shuffle)
{
    Load         l     = {.filter = sample_filter_default(), .seed = 1};
    const char **paths = NULL, *out = NULL;
    const Option options[] = {
        {"out", OPTION_TEXT, "FILE", "where to write the samples (*.samples)", &out, 0, 0}, FILTER_OPTIONS(l), {0}};
    const CommandSpec spec = {.usage   = shuffle ? "tabia data shuffle DIR|FILE... --out FILE.samples [options]"
                                                 : "tabia data filter DIR|FILE... --out FILE.samples [options]",
                              .summary = shuffle ? "Mixes the positions of many games: neighbours are alike and teach little."
                                                 : "Writes the positions worth learning from, in the order of their games.",
                              .example = shuffle ? "tabia data shuffle games --out mixed.samples"
                                                 : "tabia data filter games --score-max 1000 --out calm.samples",
                              .options = options};
    Err               err;
    int               count, code = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code >= 0) return code;
    bool named = out && str_ends_with(str_from(out), STR(".samples"));
    bool ok    = named && load(&l, paths, count, &err);
    free(paths);
    if (!named) return cli_usage(&spec, "where to? give --out FILE.samples");
    if (ok && shuffle) {
        Rng rng = rng_seeded(l.seed ^ 0x5bd1e995);
        samples_shuffle(&l.set, &rng);
    }
    ok = ok && samples_write(&l.set, out, &err);
    if (ok) printf("%s: %zu positions\n", out, l.set.count);
    samples_release(&l.set);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

static int data_shuffle(int argc, char **argv) { return write_samples(argc, argv, true); }
static int data_filter(int argc, char **argv) { return write_samples(argc, argv, false); }

static int data_from_pgn(int argc, char **argv)
{
    const char      **paths = NULL, *out = NULL;
    int               first_ply = 0, count;
    SampleSet         set       = {0};
    PositionSource    source;
    Err               err;
    const Option      options[] = {{"out", OPTION_TEXT, "FILE", "where to write the samples (*.samples)", &out, 0, 0},
                                   {"first-ply", OPTION_INT, "N", "leave out the first N plies (default 0)", &first_ply, 0, 1000},
                                   {0}};
    const CommandSpec spec      = {.usage   = "tabia data from-pgn FILE... --out FILE.samples [options]",
                                   .summary = "Gives each distinct position of games the mean of their results.",
                                   .example = "tabia data from-pgn masters.pgn --out masters.samples",
                                   .options = options};
    int               code      = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code >= 0) return code;
    bool named = out && str_ends_with(str_from(out), STR(".samples"));
    bool ok    = named && positions_from_pgn(&set, paths, count, first_ply, &source, &err) && samples_write(&set, out, &err);
    free(paths);
    if (!named) return cli_usage(&spec, "where to? give --out FILE.samples");
    if (ok)
        printf("%s: %zu distinct positions of %" PRIu64 " games, %" PRIu64 " plies; %" PRIu64 " games broken\n", out, set.count,
               source.games, source.plies, source.broken);
    samples_release(&set);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

/* ---- the table ---- */

static const Command makers[] = {
    {"selfplay", data_selfplay, "games of the engine against itself"},
    {"score", data_score, "games of others with the engine's scores"},
    {"from-pgn", data_from_pgn, "distinct positions of PGN games with their mean results"},
    {"info", data_info, "what is in games and samples"},
    {"filter", data_filter, "the positions worth learning from, in order"},
    {"shuffle", data_shuffle, "the same, mixed"},
    {0},
};

int cmd_data(int argc, char **argv)
{
    const CommandGroup group = {.name     = "data",
                                .usage    = "tabia data COMMAND [options]",
                                .example  = "tabia data selfplay --games 1000 --out games",
                                .commands = makers};
    return cli_choose(&group, argc, argv);
}

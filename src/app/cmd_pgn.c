/* cmd_pgn.c - `tabia pgn`: finds the subcommand; and `tabia pgn check`, which replays every game. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli.h"
#include "app/pgn_job.h"
#include "base/clock.h"
#include "base/json.h"

static const Command subcommands[] = {
    {"check", cmd_pgn_check, "replay every move of every game and report what is broken"},
    {"stats", cmd_pgn_stats, "results, lengths, players, events, openings, years, ratings"},
    {"dedup", cmd_pgn_dedup, "write each game once"},
    {"split", cmd_pgn_split, "cut into files of N games, or by result, year, ECO, event or player"},
    {"eco", cmd_pgn_eco, "name the opening of every game by its positions"},
    {0},
};

int cmd_pgn(int argc, char **argv)
{
    const CommandGroup group = {.name     = "pgn",
                                .usage    = "tabia pgn COMMAND FILE... [options]    (\"-\" reads standard input)",
                                .example  = "tabia pgn check games.pgn",
                                .commands = subcommands};
    return cli_choose(&group, argc, argv);
}

/* ---- check ---- */

static bool check_begin_game(void *context) { return pgn_job_begin_game(context); }

static bool check_error(void *context, const PgnError *error)
{
    pgn_job_report(context, error);
    return true;
}

static void print_check_json(const PgnJob *job, double seconds)
{
    Buf        out = {0};
    JsonWriter json;
    json_init(&json, &out);
    json_begin_object(&json, NULL);
    json_u64(&json, "games", job->total.games);
    json_u64(&json, "plies", job->total.plies);
    json_u64(&json, "errors", job->total.errors);
    json_i64(&json, "unreadable_files", job->bad_files);
    json_u64(&json, "bytes", job->total.bytes);
    json_double(&json, "seconds", seconds, 3);
    json_bool(&json, "stopped", job->stopped);
    json_end_object(&json);
    puts(buf_str(&out).ptr);
    buf_release(&out);
}

int cmd_pgn_check(int argc, char **argv)
{
    bool         as_json = false, quiet = false;
    const Option options[] = {
        {"json", OPTION_FLAG, NULL, "print one JSON object (broken games go to standard error)", &as_json, 0, 0},
        {"quiet", OPTION_FLAG, NULL, "print the counts only", &quiet, 0, 0},
        {0}};
    const CommandSpec spec = {.usage = "tabia pgn check FILE... [options]",
                              .summary =
                                  "Replays every move of every game and reports each broken game with its line and column.",
                              .example = "zstd -dc games.pgn.zst | tabia pgn check -",
                              .options = options};
    const char      **paths;
    int               count, code = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code < 0) {
        PgnJob  job;
        int64_t start = clock_now_ns();
        pgn_job_init(&job, paths, count, quiet, as_json ? stderr : stdout);
        pgn_job_run(&job, &(PgnVisitor){.context = &job, .begin_game = check_begin_game, .error = check_error});
        if (as_json) {
            print_check_json(&job, clock_seconds_since(start));
        } else {
            printf("%" PRIu64 " games, %" PRIu64 " plies, %" PRIu64 " errors\n", job.total.games, job.total.plies,
                   job.total.errors);
        }
        code = pgn_job_exit_code(&job);
    }
    free(paths);
    return code;
}

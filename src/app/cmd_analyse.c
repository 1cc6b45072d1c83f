/* cmd_analyse.c - `tabia analyse`: games with every move judged, or one position in several lines. */
#include <stdio.h>

#include "app/analyse.h"
#include "app/cli.h"

bool analyse_set_engine(const AnalyseConfig *config, Engine *engine, Err *err)
{
    char hash[16], threads[16];
    snprintf(hash, sizeof hash, "%d", config->hash_mb);
    snprintf(threads, sizeof threads, "%d", config->threads);
    return engine_set_option(engine, STR("Hash"), str_from(hash), err) &&
           engine_set_option(engine, STR("Threads"), str_from(threads), err);
}

static const char SUMMARY[] =
    "Judges every move of the games in FILE (\"-\": standard input): what it cost in winning chances, what was better, how\n"
    "accurately each side played. Writes the games with evaluations, ?! ? ??, and the better lines as variations, to --out or\n"
    "to standard output, and a table. With --fen: shows the best lines of one position. Ctrl-C stops; what was done is written.";

int cmd_analyse(int argc, char **argv)
{
    AnalyseConfig c         = {.jobs = 1, .threads = 1, .hash_mb = 64};
    int           movetime  = 0;
    uint64_t      nodes     = 0;
    const Option  options[] = {
         {"fen", OPTION_TEXT, "FEN", "analyse this position instead of games", &c.fen, 0, 0},
         {"multipv", OPTION_INT, "N", "lines to find (default 1; 3 for a position)", &c.limits.multipv, 1, REVIEW_LINES_MAX},
         {"movetime", OPTION_INT, "MS", "milliseconds for each position (default for one position: 5000)", &movetime, 1,
          1000000000},
         {"nodes", OPTION_U64, "N", "nodes for each position (default for games: 200000)", &nodes, 1, INT64_MAX},
         {"depth", OPTION_INT, "N", "plies for each position", &c.limits.depth, 1, SEARCH_DEPTH_MAX},
         {"out", OPTION_TEXT, "FILE", "write the games there; the table then goes to standard output", &c.out, 0, 0},
         {"force", OPTION_FLAG, NULL, "replace that file if it exists", &c.force, 0, 0},
         {"json", OPTION_FLAG, NULL, "one JSON object a game instead of the table; games only with --out", &c.json, 0, 0},
         {"jobs", OPTION_INT, "N", "games at a time (default 1)", &c.jobs, 1, 256},
         {"threads", OPTION_INT, "N", "of each engine (default 1)", &c.threads, 1, 1024},
         {"hash", OPTION_INT, "MB", "of each engine (default 64)", &c.hash_mb, 1, 1 << 20},
         {0},
    };
    const CommandSpec spec = {
        .usage          = "tabia analyse FILE.pgn|--fen FEN [options]",
        .summary        = SUMMARY,
        .example        = "tabia analyse games.pgn --out annotated.pgn --jobs 2",
        .options        = options,
        .positional_max = 1,
    };
    int count, code = cli_parse(&spec, argc, argv, &c.path, &count);
    if (code >= 0) return code;
    if (count == 0) c.path = NULL;
    if (!c.path == !c.fen) return cli_usage(&spec, "give a file of games, or a position with --fen");
    if (c.fen && c.out) return cli_usage(&spec, "--out is for games");
    bool limited         = movetime || nodes || c.limits.depth;
    c.limits.movetime_ms = limited || !c.fen ? movetime : 5000;
    c.limits.nodes       = limited || c.fen ? (int64_t)nodes : 200000;
    if (!c.limits.multipv) c.limits.multipv = c.fen ? 3 : 1;
    return c.fen ? analyse_position(&c) : analyse_games(&c);
}

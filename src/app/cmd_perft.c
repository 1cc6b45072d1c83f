/* cmd_perft.c - `tabia perft`: counts one position's tree, or checks a suite of known counts. */
#include <inttypes.h>
#include <stdio.h>

#include "app/cli.h"
#include "app/perft_suite.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/work.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/perft.h"

typedef struct {
    const char *fen;
    const char *suite;
    bool        divide;
    bool        json;
    int         threads;
    uint64_t    hash_mb;
    uint64_t    max_nodes;
    int         depth;
} Arguments;

static void print_json(const Arguments *a, const Position *pos, uint64_t nodes, double seconds, const PerftMove *moves, int count)
{
    Buf        out = {0};
    JsonWriter w;
    char       fen[FEN_SIZE], uci[UCI_MOVE_SIZE];
    position_to_fen(pos, fen);
    json_init(&w, &out);
    json_begin_object(&w, NULL);
    json_str(&w, "fen", str_from(fen));
    json_i64(&w, "depth", a->depth);
    json_u64(&w, "nodes", nodes);
    json_double(&w, "seconds", seconds, 6);
    json_double(&w, "nps", seconds > 0 ? (double)nodes / seconds : 0, 0);
    if (a->divide) {
        json_begin_object(&w, "moves");
        for (int i = 0; i < count; i++) {
            move_to_uci(pos, moves[i].move, uci);
            json_u64(&w, uci, moves[i].nodes);
        }
        json_end_object(&w);
    }
    json_end_object(&w);
    printf("%.*s\n", STR_ARGS(buf_str(&out)));
    buf_release(&out);
}

static void print_text(const Arguments *a, const Position *pos, uint64_t nodes, double seconds, const PerftMove *moves, int count)
{
    char uci[UCI_MOVE_SIZE];
    for (int i = 0; a->divide && i < count; i++) {
        move_to_uci(pos, moves[i].move, uci);
        printf("%s: %" PRIu64 "\n", uci, moves[i].nodes);
    }
    printf("%" PRIu64 " nodes, %.3f s, %.1f M nodes/s\n", nodes, seconds, seconds > 0 ? (double)nodes / seconds * 1e-6 : 0.0);
}

static int count_position(const Arguments *a)
{
    Position  pos;
    Err       err;
    FenReport report;
    position_set_start(&pos);
    if (a->fen && !position_from_fen(str_from(a->fen), &pos, &report, &err))
        return cli_fail("the position '%s' cannot be used: %s (at character %zu)", a->fen, err.text, err.offset + 1);
    for (Fault fault = FAULTS_FATAL; a->fen && fault < FAULTS; fault++) {
        if (report.faults & fault_bit(fault))
            fprintf(stderr, "tabia: note: %s (at character %zu)\n", fault_text(fault), report.offsets[fault] + 1);
    }
    PerftOptions options = {.depth = a->depth, .threads = a->threads, .hash_mb = (size_t)a->hash_mb};
    PerftMove    moves[MOVES_MAX];
    int          count;
    uint64_t     nodes;
    int64_t      start = clock_now_ns();
    if (!perft_run(&pos, &options, &nodes, moves, &count, &err)) return cli_fail("%s", err.text);
    double seconds = clock_seconds_since(start);
    if (a->json) {
        print_json(a, &pos, nodes, seconds, moves, count);
    } else {
        print_text(a, &pos, nodes, seconds, moves, count);
    }
    return EXIT_DONE;
}

int cmd_perft(int argc, char **argv)
{
    Arguments    a         = {.threads = 1, .max_nodes = 20000000};
    const Option options[] = {
        {"fen", OPTION_TEXT, "FEN", "count from this position (default: the start of the game)", &a.fen, 0, 0},
        {"divide", OPTION_FLAG, NULL, "show the share of every first move", &a.divide, 0, 0},
        {"threads", OPTION_INT, "N", "use N threads (default 1)", &a.threads, 1, PERFT_THREADS_MAX},
        {"hash", OPTION_U64, "MB", "remember subtrees in a table of this size (default 0: none)", &a.hash_mb, 0, 1 << 20},
        {"suite", OPTION_TEXT, "FILE", "check the counts of an EPD or perft file; DEPTH then is the deepest to check", &a.suite,
         0, 0},
        {"max-nodes", OPTION_U64, "N",
         "leave out counts of a suite above N, but for the first of a position (default 20000000; 0: none)", &a.max_nodes, 0,
         INT64_MAX},
        {"json", OPTION_FLAG, NULL, "one JSON object", &a.json, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage          = "tabia perft DEPTH [options] | tabia perft [DEPTH] --suite FILE [options]",
        .summary        = "Counts the leaves of the tree of legal moves: the proof of a move generator, and its benchmark.",
        .example        = "tabia perft 5 --divide --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\"",
        .options        = options,
        .positional_max = 1,
    };
    const char *words[1];
    int         count, code = cli_parse(&spec, argc, argv, words, &count);
    if (code >= 0) return code;
    a.depth = PERFT_DEPTH_MAX;
    if (count == 1 && !str_to_int(str_from(words[0]), 0, PERFT_DEPTH_MAX, &a.depth))
        return cli_usage(&spec, "DEPTH is a number from 0 to %d, not '%s'", PERFT_DEPTH_MAX, words[0]);
    if (a.suite) {
        SuiteOptions suite = {.path      = a.suite,
                              .depth     = a.depth,
                              .threads   = a.threads,
                              .max_nodes = a.max_nodes,
                              .hash_mb   = (size_t)a.hash_mb,
                              .json      = a.json};
        return perft_suite_run(&suite);
    }
    if (count == 0) return cli_usage(&spec, "how deep? give DEPTH, for example `tabia perft 5`");
    return count_position(&a);
}

/* cmd_bench.c - `tabia bench [DEPTH]`: ends with "N nodes M nps". */
#include <inttypes.h>
#include <stdio.h>

#include "app/bench.h"
#include "app/cli.h"
#include "base/json.h"

static void show_position(void *context, int index, int count, const char *fen, uint64_t nodes)
{
    (void)context;
    printf("%2d/%d %12" PRIu64 "  %s\n", index + 1, count, nodes, fen);
    fflush(stdout);
}

static void print_json(const BenchResult *result)
{
    Buf        out = {0};
    JsonWriter w;
    json_init(&w, &out);
    json_begin_object(&w, NULL);
    json_u64(&w, "nodes", result->nodes);
    json_double(&w, "nps", bench_nps(result), 0);
    json_double(&w, "seconds", result->seconds, 3);
    json_end_object(&w);
    printf("%s\n", out.data);
    buf_release(&out);
}

int cmd_bench(int argc, char **argv)
{
    BenchOptions bench     = {.depth = BENCH_DEPTH, .position = show_position};
    bool         json      = false;
    const Option options[] = {
        {"features", OPTION_TEXT, "LIST", "search features to use, as in the UCI option Features", &bench.features, 0, 0},
        {"json", OPTION_FLAG, NULL, "one JSON object", &json, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia bench [DEPTH] [options]",
        .summary = "Searches a fixed list of positions; the number of nodes is the signature of the search, the rate its speed.",
        .example = "tabia bench",
        .options = options,
        .positional_max = 1,
    };
    const char *words[1];
    int         count, code = cli_parse(&spec, argc, argv, words, &count);
    if (code >= 0) return code;
    if (count == 1 && !str_to_int(str_from(words[0]), 1, SEARCH_DEPTH_MAX, &bench.depth))
        return cli_usage(&spec, "DEPTH is a number from 1 to %d, not '%s'", SEARCH_DEPTH_MAX, words[0]);
    if (json) bench.position = NULL;
    BenchResult result;
    Err         err;
    if (!bench_run(&bench, &result, &err)) return cli_fail("%s", err.text);
    if (json) {
        print_json(&result);
    } else {
        printf("%" PRIu64 " nodes %.0f nps\n", result.nodes, bench_nps(&result));
    }
    return EXIT_DONE;
}

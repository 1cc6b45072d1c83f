/* cmd_train_wdl.c - `tabia train wdl`: how likely a value wins, fitted to games. */
#include <stdio.h>

#include "app/cli.h"
#include "app/train.h"
#include "base/json.h"
#include "learn/wdl_fit.h"

static void print_fit(const WdlFit *fit, bool json)
{
    const WdlModel *m = &fit->model;
    if (json) {
        printf("{\"positions\":%zu,\"even\":[%.2f,%.2f,%.2f],\"spread\":[%.2f,%.2f],\"loss_before\":%.6f,\"loss\":%.6f}\n",
               fit->samples, m->even[0], m->even[1], m->even[2], m->spread[0], m->spread[1], fit->before, fit->after);
        return;
    }
    printf("%zu positions; loss %.6f with the present curves, %.6f with these:\n", fit->samples, fit->before, fit->after);
    printf("  .even = {%.1f, %.1f, %.1f}, .spread = {%.1f, %.1f}\n", m->even[0], m->even[1], m->even[2], m->spread[0],
           m->spread[1]);
    printf("the side ahead scores %.1f %%, the curves say %.1f %%\n\n", 100 * fit->found, 100 * fit->predicted);
    printf("phase   even chance of a win at   odds change by e in\n");
    for (int i = 0; i <= 4; i++) {
        double phase = i / 4.0;
        printf("%5.2f   %14.0f cp   %19.0f cp\n", phase, wdl_even_chance(m, phase), wdl_spread(m, phase));
    }
}

int train_wdl(int argc, char **argv)
{
    TextList     data      = {0};
    bool         json      = false;
    SampleFilter filter    = sample_filter_default();
    const Option options[] = {
        {"data", OPTION_TEXTS, "DIR|FILE", "games with scores (several may be given)", &data, 0, 0},
        {"first-ply", OPTION_INT, "N", "leave out the first N plies of a game (default 0)", &filter.first_ply, 0, 1000},
        {"json", OPTION_FLAG, NULL, "one JSON object", &json, 0, 0},
        {0},
    };
    const CommandSpec spec = {.usage   = "tabia train wdl --data DIR... [options]",
                              .summary = "Fits the curves that turn a value into the chances of winning, drawing and losing.",
                              .example = "tabia train wdl --data games",
                              .options = options};
    int               count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    if (data.count == 0) return cli_usage(&spec, "from what? give --data DIR");
    SampleSet    set    = {0};
    SampleSource source = {0};
    Rng          rng    = rng_seeded(1);
    WdlFit       fit;
    Err          err;
    bool         ok = true;
    for (int i = 0; ok && i < data.count; i++) ok = samples_read(&set, data.items[i], &filter, &rng, &source, &err);
    ok = ok && wdl_fit(&set, &fit, &err);
    if (ok) print_fit(&fit, json);
    samples_release(&set);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

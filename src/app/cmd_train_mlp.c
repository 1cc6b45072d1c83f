/* cmd_train_mlp.c - `tabia train mlp`: the fourth ancestor's network, from positions with their mean results. */
#include <stdio.h>

#include "app/cli.h"
#include "app/train.h"
#include "base/json.h"
#include "learn/curve.h"
#include "learn/mlp_train.h"

typedef struct {
    Curve curve;
    bool  json;
} Show;

static bool on_epoch(void *context, int epoch, double training, double validation)
{
    Show *show = context;
    if (show->json) {
        printf("{\"epoch\":%d,\"training_loss\":%.6f,\"validation_loss\":%.6f}\n", epoch, training, validation);
    } else {
        printf("epoch %3d  training %.6f  validation %.6f\n", epoch, training, validation);
    }
    fflush(stdout);
    curve_add(&show->curve, training, validation);
    return true;
}

int train_mlp(int argc, char **argv)
{
    MlpOptions   o         = {.epochs = 100, .batch = 64, .rate = 0.01, .validation = 0.05, .seed = 1};
    TextList     data      = {0};
    const char  *out       = "mlp.net";
    Show         show      = {0};
    const Option options[] = {
        {"data", OPTION_TEXTS, "FILE", "samples of `tabia data from-pgn` (several may be given)", &data, 0, 0},
        {"out", OPTION_TEXT, "FILE", "the network (default mlp.net); beside it FILE.svg", &out, 0, 0},
        {"epochs", OPTION_INT, "N", "how often to go through the data (default 100)", &o.epochs, 1, 100000},
        {"batch", OPTION_INT, "N", "positions a step (default 64)", &o.batch, 1, 1 << 24},
        {"rate", OPTION_DOUBLE, "R", "size of the steps (default 0.01)", &o.rate, 0, 0},
        {"validation", OPTION_DOUBLE, "SHARE", "of the positions kept aside (default 0.05)", &o.validation, 0, 0},
        {"seed", OPTION_U64, "N", "for weights and order (default 1)", &o.seed, 0, INT64_MAX},
        {"json", OPTION_FLAG, NULL, "one JSON object an epoch", &show.json, 0, 0},
        {0},
    };
    const CommandSpec spec = {.usage   = "tabia train mlp --data FILE... [options]",
                              .summary = "Trains the 70-32-1 network that adds a judgement of position to a count of material.",
                              .example = "tabia train mlp --data masters.samples --out mlp.net",
                              .options = options};
    int               count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    if (data.count == 0) return cli_usage(&spec, "from what? give --data FILE");
    if (!(o.rate > 0)) return cli_usage(&spec, "--rate is above zero");
    if (!(o.validation >= 0 && o.validation < 1)) return cli_usage(&spec, "--validation is from 0 to below 1");
    SampleSet    set    = {0};
    SampleSource source = {0};
    SampleFilter filter = sample_filter_default();
    Rng          rng    = rng_seeded(o.seed);
    Mlp          mlp;
    Err          err;
    bool         ok = true;
    for (int i = 0; ok && i < data.count; i++) ok = samples_read(&set, data.items[i], &filter, &rng, &source, &err);
    ok =
        ok && mlp_train(&set, &o, on_epoch, &show, &mlp, &err) && mlp_save(&mlp, out, &err) && curve_save(&show.curve, out, &err);
    if (ok && !show.json) printf("%s written: %zu positions\n", out, set.count);
    samples_release(&set);
    curve_release(&show.curve);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

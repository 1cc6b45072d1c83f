/* cmd_train.c - `tabia train`: improves what the engine knows from games. One row of a table for each thing that can be
 * trained. */
#include <inttypes.h>
#include <stdio.h>

#include "app/cli.h"
#include "app/train.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/work.h"
#include "learn/tune.h"

typedef struct {
    TextList     data, games;
    int          every;
    const char  *out;
    bool         json;
    TuneOptions  tune;
    double       validation_percent;
    int64_t      start_ns;
    TuneProgress first, best; /* what is written is the epoch that was best on the positions kept aside */
} TuneArguments;

static bool show_progress(void *context, const TuneProgress *p)
{
    TuneArguments *a = context;
    if (p->epoch == 0) a->first = *p;
    if (p->epoch == 0 || p->validation_loss < a->best.validation_loss) a->best = *p;
    double seconds = clock_seconds_since(a->start_ns);
    if (!a->json) {
        if (p->epoch == 0) printf("K %.6f per centipawn\n", p->scale);
        printf("epoch %3d  training %.7f  validation %.7f  %.0f s\n", p->epoch, p->training_loss, p->validation_loss, seconds);
    } else {
        Buf        out = {0};
        JsonWriter w;
        json_init(&w, &out);
        json_begin_object(&w, NULL);
        json_i64(&w, "epoch", p->epoch);
        json_double(&w, "scale", p->scale, 8);
        json_double(&w, "training_loss", p->training_loss, 8);
        json_double(&w, "validation_loss", p->validation_loss, 8);
        json_double(&w, "seconds", seconds, 3);
        json_end_object(&w);
        printf("%.*s\n", STR_ARGS(buf_str(&out)));
        buf_release(&out);
    }
    fflush(stdout);
    return true;
}

static bool read_data(TuneArguments *a, TuneSet *set, Err *err)
{
    for (int i = 0; i < a->data.count; i++) {
        if (!tune_set_read_lines(set, a->data.items[i], err)) return false;
        if (!a->json) printf("%s: %zu positions so far\n", a->data.items[i], set->count);
    }
    for (int i = 0; i < a->games.count; i++) {
        if (!tune_set_read_pgn(set, a->games.items[i], a->every, a->tune.seed, err)) return false;
        if (!a->json) printf("%s: %zu positions so far\n", a->games.items[i], set->count);
    }
    return true;
}

/* What a reader of params.def needs to make it again. */
static void write_provenance(const TuneArguments *a, const TuneSet *set, Buf *out)
{
    buf_printf(out, "Provenance: tabia train tune");
    for (int i = 0; i < a->data.count; i++) buf_printf(out, " --data %s", a->data.items[i]);
    for (int i = 0; i < a->games.count; i++) buf_printf(out, " --pgn %s", a->games.items[i]);
    if (a->games.count) buf_printf(out, " --every %d", a->every);
    buf_printf(out, "\n--epochs %d --batch %d --rate %g --prior %g --validation %g --seed %" PRIu64 "\n", a->tune.epochs,
               a->tune.batch, a->tune.rate, a->tune.prior_cp, a->validation_percent, a->tune.seed);
    buf_printf(out, "%zu positions, K %.6f per centipawn; mean squared error in training %.6f -> %.6f, aside %.6f -> %.6f\n",
               set->count, a->best.scale, a->first.training_loss, a->best.training_loss, a->first.validation_loss,
               a->best.validation_loss);
}

static int tune_and_save(TuneArguments *a)
{
    TuneSet    set;
    TuneParams params;
    Err        err;
    Buf        provenance = {0}, text = {0};
    tune_set_init(&set);
    tune_params_default(&params);
    a->start_ns        = clock_now_ns();
    a->tune.validation = a->validation_percent / 100;
    bool ok            = read_data(a, &set, &err) && tune_run(&set, &a->tune, &params, show_progress, a, &err);
    if (ok) {
        write_provenance(a, &set, &provenance);
        tune_write_params(&params, buf_str(&provenance), &text);
        ok = text.failed ? err_set(&err, ERR_MEMORY, 0, "not enough memory") : tune_save(buf_str(&text), a->out, &err);
    }
    if (ok && !a->json) printf("%s written\n", a->out);
    tune_set_release(&set);
    buf_release(&provenance);
    buf_release(&text);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

static int train_tune(int argc, char **argv)
{
    TuneArguments a = {.every = 8, .out = "params.def", .validation_percent = 5};
    a.tune = (TuneOptions){.epochs = 40, .threads = work_processors(), .batch = 16384, .rate = 1, .prior_cp = 20, .seed = 1};
    const Option options[] = {
        {"data", OPTION_TEXTS, "FILE", "positions with results, one a line (several may be given; - is standard input)", &a.data,
         0, 0},
        {"pgn", OPTION_TEXTS, "FILE", "games to take quiet positions from", &a.games, 0, 0},
        {"every", OPTION_INT, "N", "take about one position in N plies of a game (default 8)", &a.every, 1, 1000},
        {"epochs", OPTION_INT, "N", "how often to go through the data (default 40)", &a.tune.epochs, 0, 100000},
        {"batch", OPTION_INT, "N", "positions a step, 0 for all (default 16384)", &a.tune.batch, 0, 1 << 30},
        {"rate", OPTION_DOUBLE, "CP", "largest change of a number in a step (default 1)", &a.tune.rate, 0, 0},
        {"prior", OPTION_DOUBLE, "CP", "how far numbers may be expected to move (default 20)", &a.tune.prior_cp, 0, 0},
        {"validation", OPTION_DOUBLE, "PERCENT", "part of the positions kept aside (default 5)", &a.validation_percent, 0, 0},
        {"threads", OPTION_INT, "N", "use N threads (default: all processors)", &a.tune.threads, 1, 1024},
        {"seed", OPTION_U64, "N", "for the choice and order of positions (default 1)", &a.tune.seed, 0, INT64_MAX},
        {"out", OPTION_TEXT, "FILE", "where to write the parameters (default params.def)", &a.out, 0, 0},
        {"json", OPTION_FLAG, NULL, "one JSON object an epoch", &a.json, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia train tune --data FILE... | --pgn FILE... [options]",
        .summary = "Fits the numbers of the classical evaluation to the results of games, by gradient descent.",
        .example = "tabia train tune --pgn games.pgn --epochs 40 --out src/eval/params.def",
        .options = options,
    };
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    if (a.data.count + a.games.count == 0) return cli_usage(&spec, "from what? give --data FILE or --pgn FILE");
    if (!(a.tune.rate > 0) || !(a.tune.prior_cp > 0)) return cli_usage(&spec, "--rate and --prior are above zero");
    if (!(a.validation_percent >= 0 && a.validation_percent < 100))
        return cli_usage(&spec, "--validation is from 0 to below 100");
    return tune_and_save(&a);
}

static const Command trainers[] = {
    {"mlp", train_mlp, "the small network of the fourth ancestor, on positions of master games"},
    {"nnue", train_nnue, "the network that plays, on self-play games"},
    {"wdl", train_wdl, "how likely a value wins, on games with scores"},
    {"tune", train_tune, "the numbers of the classical evaluation"},
    {0},
};

int cmd_train(int argc, char **argv)
{
    const CommandGroup group = {.name     = "train",
                                .usage    = "tabia train COMMAND [options]",
                                .example  = "tabia train tune --pgn games.pgn --out params.def",
                                .commands = trainers};
    return cli_choose(&group, argc, argv);
}

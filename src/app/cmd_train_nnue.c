/* cmd_train_nnue.c - `tabia train nnue`: samples in, a network out, with its loss curve and its provenance beside it. */
#include <inttypes.h>
#include <stdio.h>

#include "app/cli.h"
#include "app/train.h"
#include "base/clock.h"
#include "base/json.h"
#include "learn/curve.h"
#include "learn/nnue.h"

typedef struct {
    TextList     data;
    NnueOptions  nnue;
    SampleFilter filter;
    const char  *out, *from;
    bool         json;
    SampleSource source;
    size_t       samples;
    double       scale;
    Curve        curve;
    int64_t      start_ns, drawn_ns;
    Err          err;
} Arguments;

static void print_epoch(const Arguments *a, const NnueProgress *p, double rate)
{
    if (!a->json) {
        printf("epoch %3d  training %.6f  validation %.6f  %.0f positions/s\n", p->epoch, p->training_loss, p->validation_loss,
               rate);
    } else {
        Buf        out = {0};
        JsonWriter w;
        json_init(&w, &out);
        json_begin_object(&w, NULL);
        json_i64(&w, "epoch", p->epoch);
        json_double(&w, "training_loss", p->training_loss, 8);
        json_double(&w, "validation_loss", p->validation_loss, 8);
        json_double(&w, "positions_per_second", rate, 0);
        json_double(&w, "scale", p->scale, 2);
        json_end_object(&w);
        printf("%.*s\n", STR_ARGS(buf_str(&out)));
        buf_release(&out);
    }
    fflush(stdout);
}

static bool on_progress(void *context, const NnueProgress *p, Net *net)
{
    Arguments *a    = context;
    double     time = clock_seconds_since(a->start_ns), rate = time > 0 ? (double)p->samples / time : 0;
    if (!p->epoch_ended) {
        int64_t now = clock_now_ns();
        if (!a->json && now - a->drawn_ns > 1000000000) {
            uint64_t share = p->samples % p->samples_per_epoch * 100 / p->samples_per_epoch;
            fprintf(stderr, "epoch %d: %" PRIu64 " %%, %.0f positions/s\r", p->epoch + 1, share, rate);
            a->drawn_ns = now;
        }
        return !cli_interrupted();
    }
    print_epoch(a, p, rate);
    a->scale = p->scale;
    curve_add(&a->curve, p->training_loss, p->validation_loss);
    return net_save(net, a->out, &a->err) && !cli_interrupted();
}

/* Who wants to repeat it finds everything here. */
static void write_provenance(const Arguments *a, const Net *net, const NnueProgress *last)
{
    const NnueOptions *o    = &a->nnue;
    Buf                path = {0}, out = {0};
    JsonWriter         w;
    char               hash[20];
    buf_printf(&path, "%s.json", a->out);
    json_init(&w, &out);
    json_begin_object(&w, NULL);
    snprintf(hash, sizeof hash, "%016" PRIx64, net->hash);
    json_str(&w, "network", str_from(hash));
    if (o->from) {
        snprintf(hash, sizeof hash, "%016" PRIx64, o->from->hash);
        json_str(&w, "from", str_from(hash));
    }
    json_i64(&w, "hidden", o->hidden);
    json_i64(&w, "buckets", o->buckets);
    json_i64(&w, "kings", o->kings);
    json_i64(&w, "games", (int64_t)a->source.games);
    json_i64(&w, "samples", (int64_t)a->samples);
    json_i64(&w, "epochs", o->epochs);
    json_i64(&w, "batch", o->batch);
    json_double(&w, "rate", o->rate, 6);
    json_double(&w, "final_rate", o->final_rate, 8);
    json_double(&w, "blend", o->blend, 3);
    json_double(&w, "ahead", a->filter.ahead, 3);
    json_i64(&w, "gap_max", a->filter.gap_max);
    json_double(&w, "scale", last->scale, 2);
    json_double(&w, "unit", net->scale / 1000.0, 2);
    json_i64(&w, "seed", (int64_t)o->seed);
    json_i64(&w, "threads", o->threads);
    json_double(&w, "training_loss", last->training_loss, 7);
    json_double(&w, "validation_loss", last->validation_loss, 7);
    json_end_object(&w);
    buf_append_char(&out, '\n');
    FILE *file = path.failed ? NULL : fopen(path.data, "w");
    if (file) {
        fwrite(out.data, 1, out.len, file);
        fclose(file);
    }
    buf_release(&path);
    buf_release(&out);
}

static int run(Arguments *a)
{
    SampleSet set = {0};
    Net      *net = NULL, *from = NULL;
    Rng       rng = rng_seeded(a->nnue.seed);
    Err       err;
    if (a->from && !(from = net_load(a->from, &err))) return cli_fail("%s", err.text);
    bool ok      = true;
    a->nnue.from = from;
    for (int i = 0; ok && i < a->data.count; i++) ok = samples_read(&set, a->data.items[i], &a->filter, &rng, &a->source, &err);
    a->samples = set.count;
    if (ok && !a->json)
        printf("%" PRIu64 " games, %zu positions to learn from; scores fit results at %.0f centipawns\n", a->source.games,
               set.count, a->nnue.scale > 0 ? a->nnue.scale : nnue_fit_scale(&set));
    cli_hold_interrupts(); /* asked for between batches: the network of the last epoch is safe */
    a->start_ns = clock_now_ns();
    ok          = ok && nnue_train(&set, &a->nnue, on_progress, a, &net, &err);
    if (ok && a->err.code != ERR_NONE) {
        err = a->err;
        ok  = false;
    }
    ok = ok && net_save(net, a->out, &err) && curve_save(&a->curve, a->out, &err);
    if (ok) {
        NnueProgress last = {
            .scale = a->scale, .training_loss = curve_last(&a->curve, 0), .validation_loss = curve_last(&a->curve, 1)};
        write_provenance(a, net, &last);
        if (!a->json) printf("%s written: network %016" PRIx64 "\n", a->out, net->hash);
    }
    net_free(net);
    net_free(from);
    samples_release(&set);
    curve_release(&a->curve);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

/* What a network's file can hold; 0 leaves the choice to the data. */
static bool is_unit(double centipawns) { return centipawns == 0 || (centipawns >= 1 && centipawns <= 10000); }

int train_nnue(int argc, char **argv)
{
    Arguments    a         = {.nnue = nnue_default_options(), .filter = sample_filter_default(), .out = "tabia.net"};
    NnueOptions *o         = &a.nnue;
    a.filter.ahead         = 0.85; /* the best share for targets (docs/networks.md); whoever fits curves wants a score as it is */
    const Option options[] = {
        {"data", OPTION_TEXTS, "DIR|FILE", "games or samples (several may be given)", &a.data, 0, 0},
        {"out", OPTION_TEXT, "FILE", "the network (default tabia.net); beside it FILE.json and FILE.svg", &a.out, 0, 0},
        {"from", OPTION_TEXT, "FILE", "begin with this network's weights, not with random ones", &a.from, 0, 0},
        {"hidden", OPTION_INT, "N", "neurons of each side, a multiple of 32 (default 256)", &o->hidden, 32, NET_HIDDEN_MAX},
        {"buckets", OPTION_INT, "N", "output neurons, by the number of men (default 8)", &o->buckets, 1, NET_BUCKETS_MAX},
        {"kings", OPTION_INT, "N", "sets of first weights, by the own king's place: 1 or 4 (default 1)", &o->kings, 1,
         NET_KINGS_MAX},
        {"epochs", OPTION_INT, "N", "how often to go through the data (default 20)", &o->epochs, 1, 100000},
        {"batch", OPTION_INT, "N", "positions a step (default 16384)", &o->batch, 1, 1 << 24},
        {"rate", OPTION_DOUBLE, "R", "size of the first steps (default 0.001)", &o->rate, 0, 0},
        {"final-rate", OPTION_DOUBLE, "R", "size of the last steps (default 0.00001)", &o->final_rate, 0, 0},
        {"blend", OPTION_DOUBLE, "SHARE", "of the game's result in the target (default 0.4)", &o->blend, 0, 0},
        {"scale", OPTION_DOUBLE, "CP", "centipawns of one logistic unit (default: fitted)", &o->scale, 0, 0},
        {"unit", OPTION_DOUBLE, "CP", "centipawns that the network tells for one logistic unit (default: the scale)", &o->unit, 0,
         0},
        {"decay", OPTION_DOUBLE, "D", "of the weights (default 0.01)", &o->decay, 0, 0},
        {"validation", OPTION_DOUBLE, "SHARE", "of the positions kept aside (default 0.02)", &o->validation, 0, 0},
        {"score-max", OPTION_INT, "CP", "leave out scores further from zero (default 2500)", &a.filter.score_max, 0, 32000},
        {"gap-max", OPTION_INT, "CP", "leave out scores further from the classical value; 0: none", &a.filter.gap_max, 0, 32000},
        {"keep", OPTION_DOUBLE, "SHARE", "take this share of the fitting positions (default 1)", &a.filter.keep, 0, 0},
        {"ahead", OPTION_DOUBLE, "SHARE", "that the next score of the game has in a score (default 0.85)", &a.filter.ahead, 0, 0},
        {"threads", OPTION_INT, "N", "use N threads (default: all processors)", &o->threads, 1, 1024},
        {"seed", OPTION_U64, "N", "for weights and order (default 1)", &o->seed, 0, INT64_MAX},
        {"state", OPTION_TEXT, "FILE", "keep the whole state here after every epoch", &o->state, 0, 0},
        {"resume", OPTION_FLAG, NULL, "go on from that state", &o->resume, 0, 0},
        {"json", OPTION_FLAG, NULL, "one JSON object an epoch", &a.json, 0, 0},
        {0},
    };
    const CommandSpec spec = {.usage   = "tabia train nnue --data DIR... [options]",
                              .summary = "Trains the network that plays, on positions of its own games.",
                              .example = "tabia train nnue --data games --hidden 256 --out first.net",
                              .options = options};
    int               count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    if (a.data.count == 0) return cli_usage(&spec, "from what? give --data DIR");
    if (o->hidden % NET_HIDDEN_STEP) return cli_usage(&spec, "--hidden is a multiple of %d", NET_HIDDEN_STEP);
    if (o->kings != 1 && o->kings != NET_KINGS_MAX) return cli_usage(&spec, "--kings is 1 or %d", NET_KINGS_MAX);
    if (!is_unit(o->scale) || !is_unit(o->unit)) return cli_usage(&spec, "--scale and --unit are from 1 to 10000");
    if (!(o->blend >= 0 && o->blend <= 1)) return cli_usage(&spec, "--blend is from 0 to 1");
    if (!(a.filter.ahead >= 0 && a.filter.ahead < 1)) return cli_usage(&spec, "--ahead is from 0 to below 1");
    if (!(o->validation >= 0 && o->validation < 1)) return cli_usage(&spec, "--validation is from 0 to below 1");
    if (!(o->rate > 0 && o->final_rate >= 0)) return cli_usage(&spec, "--rate is above zero");
    if (o->resume && !o->state) return cli_usage(&spec, "go on from what? give --state FILE");
    return run(&a);
}

/* nnue.c - see nnue.h: batches, AdamW, epochs, checkpoints. */
#include "learn/nnue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/checksum.h"
#include "base/work.h"
#include "learn/nnue_model.h"

static const char STATE_MAGIC[] = "TTRAIN01";

typedef struct {
    const NnueOptions *options;
    NnueShape          shape;
    const Sample      *samples;
    size_t             training, all; /* the first are trained on, the rest kept aside */
    float             *params, *mean, *square, **gradients;
    NnueScratch       *scratch;
    double            *losses; /* of each thread, in this batch */
    size_t             begin, end;
    uint64_t           steps;
    double             scale;
    float              rate;
} Training;

NnueOptions nnue_default_options(void)
{
    return (NnueOptions){.hidden     = 256,
                         .buckets    = 8,
                         .kings      = 1,
                         .epochs     = 20,
                         .batch      = 16384,
                         .threads    = work_processors(),
                         .rate       = 0.001,
                         .final_rate = 0.00001,
                         .decay      = 0.01,
                         .blend      = 0.4,
                         .validation = 0.02,
                         .seed       = 1};
}

static double logistic(double x) { return 1 / (1 + exp(-x)); }

static double target_of(const Training *t, const Sample *s)
{
    double result = (double)s->result / SAMPLE_RESULT_WIN;
    if (s->score == SCORE_NONE) return result;
    double share = sample_has_result(s) ? t->options->blend : 0;
    return share * result + (1 - share) * logistic(s->score / t->scale);
}

/* ---- one batch ---- */

static void run_share(Training *t, int thread, bool learn)
{
    size_t count = t->end - t->begin, threads = (size_t)t->options->threads, me = (size_t)thread;
    size_t from = t->begin + count * me / threads, to = t->begin + count * (me + 1) / threads;
    double loss = 0;
    for (size_t i = from; i < to; i++) {
        NnueInputs    inputs;
        const Sample *sample = &t->samples[i];
        double        out    = logistic(nnue_forward(&t->shape, t->params, sample, &inputs, &t->scratch[thread]));
        double        error  = out - target_of(t, sample);
        loss += error * error;
        if (!learn) continue;
        float slope = (float)(2 * error * out * (1 - out) / (double)count);
        nnue_backward(&t->shape, t->params, &inputs, &t->scratch[thread], slope, t->gradients[thread]);
    }
    t->losses[thread] = loss;
}

static void learn_share(void *context, size_t unit, int thread)
{
    (void)thread; /* the unit decides: sums do not depend on which thread took it */
    run_share(context, (int)unit, true);
}

static void look_share(void *context, size_t unit, int thread)
{
    (void)thread;
    run_share(context, (int)unit, false);
}

/* AdamW on a part of the parameters; gradients are summed and cleared on the way. */
static void step_share(void *context, size_t unit, int thread)
{
    (void)thread;
    Training    *t  = context;
    const float  b1 = 0.9F, b2 = 0.999F, limit = 1.98F;
    size_t       threads = (size_t)t->options->threads;
    size_t       from = t->shape.total * unit / threads, to = t->shape.total * (unit + 1) / threads;
    const double correct1 = 1 - pow(0.9, (double)t->steps), correct2 = 1 - pow(0.999, (double)t->steps);
    const float  rate = t->rate * (float)(sqrt(correct2) / correct1), fade = 1 - t->rate * (float)t->options->decay;
    for (size_t i = from; i < to; i++) {
        float gradient = 0;
        for (size_t k = 0; k < threads; k++) {
            gradient += t->gradients[k][i];
            t->gradients[k][i] = 0;
        }
        t->mean[i]   = b1 * t->mean[i] + (1 - b1) * gradient;
        t->square[i] = b2 * t->square[i] + (1 - b2) * gradient * gradient;
        float value  = t->params[i] * fade - rate * t->mean[i] / (sqrtf(t->square[i]) + 1e-8F);
        t->params[i] = value > limit ? limit : value < -limit ? -limit : value;
    }
}

static double sum_losses(const Training *t)
{
    double sum = 0;
    for (int i = 0; i < t->options->threads; i++) sum += t->losses[i];
    return sum;
}

static double train_batch(Training *t, size_t begin, size_t end)
{
    t->begin = begin;
    t->end   = end;
    work_run((size_t)t->options->threads, t->options->threads, learn_share, t);
    t->steps++;
    work_run((size_t)t->options->threads, t->options->threads, step_share, t);
    return sum_losses(t);
}

static double validate(Training *t)
{
    if (t->training == t->all) return 0;
    t->begin = t->training;
    t->end   = t->all;
    work_run((size_t)t->options->threads, t->options->threads, look_share, t);
    return sum_losses(t) / (double)(t->all - t->training);
}

/* ---- memory and checkpoints ---- */

static void release(Training *t)
{
    for (int i = 0; t->gradients && i < t->options->threads; i++) free(t->gradients[i]);
    free(t->gradients);
    free(t->params);
    free(t->mean);
    free(t->square);
    free(t->scratch);
    free(t->losses);
}

static bool reserve(Training *t, Err *err)
{
    size_t threads = (size_t)t->options->threads, total = t->shape.total;
    t->params    = calloc(total, sizeof *t->params);
    t->mean      = calloc(total, sizeof *t->mean);
    t->square    = calloc(total, sizeof *t->square);
    t->gradients = calloc(threads, sizeof *t->gradients);
    t->scratch   = calloc(threads, sizeof *t->scratch);
    t->losses    = calloc(threads, sizeof *t->losses);
    bool ok      = t->params && t->mean && t->square && t->gradients && t->scratch && t->losses;
    for (size_t i = 0; ok && i < threads; i++) ok = (t->gradients[i] = calloc(total, sizeof **t->gradients)) != NULL;
    return ok || err_set(err, ERR_MEMORY, 0, "no memory to train a network of %d neurons", t->shape.hidden);
}

/* What a state must agree on with the training that goes on from it. */
typedef struct {
    char     magic[8];
    uint64_t total, samples, seed, steps, epoch;
    double   scale;
    uint64_t sum; /* of the parameters that follow */
} StateHead;

static StateHead state_head(const Training *t, int epoch)
{
    StateHead head = {.total   = t->shape.total,
                      .samples = t->all,
                      .seed    = t->options->seed,
                      .steps   = t->steps,
                      .epoch   = (uint64_t)epoch,
                      .scale   = t->scale,
                      .sum     = checksum_of(t->params, t->shape.total * sizeof *t->params)};
    memcpy(head.magic, STATE_MAGIC, sizeof head.magic);
    return head;
}

static bool save_state(const Training *t, int epoch, Err *err)
{
    if (!t->options->state) return true;
    StateHead head  = state_head(t, epoch);
    Buf       fresh = {0};
    buf_printf(&fresh, "%s.new", t->options->state);
    if (fresh.failed) return err_set(err, ERR_MEMORY, 0, "no memory for a name");
    FILE  *file = fopen(fresh.data, "wb");
    size_t n    = t->shape.total;
    bool   ok   = file && fwrite(&head, sizeof head, 1, file) == 1 && fwrite(t->params, sizeof(float), n, file) == n &&
              fwrite(t->mean, sizeof(float), n, file) == n && fwrite(t->square, sizeof(float), n, file) == n;
    if (file) ok = fclose(file) == 0 && ok;
    ok = (ok && rename(fresh.data, t->options->state) == 0) || err_set_errno(err, ERR_IO, "cannot write %s", t->options->state);
    buf_release(&fresh);
    return ok;
}

/* The epoch to go on with. */
static bool load_state(Training *t, int *epoch, Err *err)
{
    StateHead head;
    FILE     *file = fopen(t->options->state, "rb");
    if (!file) return err_set_errno(err, ERR_IO, "cannot go on from %s", t->options->state);
    size_t n    = t->shape.total;
    bool   ok   = fread(&head, sizeof head, 1, file) == 1 && memcmp(head.magic, STATE_MAGIC, sizeof head.magic) == 0;
    bool   same = ok && head.total == n && head.samples == t->all && head.seed == t->options->seed;
    if (!ok) err_set(err, ERR_FORMAT, 0, "%s is no state of a training", t->options->state);
    if (ok && !same) err_set(err, ERR_FORMAT, 0, "%s belongs to other data or another network", t->options->state);
    if (same && (fread(t->params, sizeof(float), n, file) != n || fread(t->mean, sizeof(float), n, file) != n ||
                 fread(t->square, sizeof(float), n, file) != n || checksum_of(t->params, n * sizeof(float)) != head.sum))
        same = err_set(err, ERR_FORMAT, 0, "%s is damaged", t->options->state);
    fclose(file);
    if (!same) return false;
    t->steps = head.steps;
    t->scale = head.scale;
    *epoch   = (int)head.epoch;
    return true;
}

/* ---- the whole ---- */

double nnue_fit_scale(const SampleSet *set)
{
    double best = 400, least = INFINITY;
    size_t step = set->count / 200000 + 1;
    for (int step_no = 0; step_no < 96; step_no++) { /* from 60 to 1000, three per cent at a time */
        double scale = 60 * pow(1.03, step_no), loss = 0;
        for (size_t i = 0; i < set->count; i += step) {
            const Sample *s = &set->samples[i];
            if (s->score == SCORE_NONE || !sample_has_result(s)) continue;
            double error = logistic(s->score / scale) - (double)s->result / SAMPLE_RESULT_WIN;
            loss += error * error;
        }
        if (loss >= least) continue;
        least = loss;
        best  = scale;
    }
    return best;
}

/* One pass over the samples in a new order. False when the listener wants to end. */
static bool run_epoch(Training *t, SampleSet *set, NnueProgress *progress, NnueListener *listener, void *context)
{
    const NnueOptions *o     = t->options;
    Rng                rng   = rng_seeded(o->seed * 1000003 + (uint64_t)progress->epoch);
    SampleSet          part  = {.samples = set->samples, .count = t->training};
    double             loss  = 0;
    size_t             batch = (size_t)o->batch, steps_all = (t->training + batch - 1) / batch * (size_t)o->epochs;
    samples_shuffle(&part, &rng);
    for (size_t at = 0; at < t->training; at += batch) {
        size_t end = at + batch < t->training ? at + batch : t->training;
        double way = (double)t->steps / (double)steps_all;
        t->rate    = (float)(o->final_rate + (o->rate - o->final_rate) * 0.5 * (1 + cos(3.14159265358979 * way)));
        loss += train_batch(t, at, end);
        progress->samples += end - at;
        if (listener && !listener(context, progress, NULL)) return false;
    }
    progress->training_loss = loss / (double)t->training;
    return true;
}

/* The network as it stands; NULL when memory is short. Until its own curves are fitted those of its ancestor serve. */
static Net *finished_net(const Training *t)
{
    const NnueOptions *o   = t->options;
    Net               *net = nnue_quantise(&t->shape, t->params, o->unit > 0 ? o->unit : t->scale);
    if (net && o->from) memcpy(net->curves, o->from->curves, sizeof net->curves);
    return net;
}

static bool run_epochs(Training *t, SampleSet *set, NnueListener *listener, void *context, Net **out, Err *err)
{
    NnueProgress progress = {.samples_per_epoch = t->training};
    int          first    = 0;
    if (t->options->resume && !load_state(t, &first, err)) return false;
    /* The order of an epoch comes from the one before: repeat the shuffles of those that are done. */
    for (int i = 0; i < first; i++) {
        Rng       rng  = rng_seeded(t->options->seed * 1000003 + (uint64_t)i);
        SampleSet part = {.samples = set->samples, .count = t->training};
        samples_shuffle(&part, &rng);
    }
    progress.scale = t->scale;
    for (int epoch = first; epoch < t->options->epochs; epoch++) {
        progress.epoch       = epoch;
        progress.epoch_ended = false;
        bool go_on           = run_epoch(t, set, &progress, listener, context);
        if (!go_on) break;
        progress.validation_loss = validate(t);
        progress.epoch           = epoch + 1;
        progress.epoch_ended     = true;
        net_free(*out);
        *out = finished_net(t);
        if (!*out) return err_set(err, ERR_MEMORY, 0, "no memory for the network");
        if (!save_state(t, epoch + 1, err)) return false;
        if (listener && !listener(context, &progress, *out)) break;
    }
    if (!*out) *out = finished_net(t);
    return *out || err_set(err, ERR_MEMORY, 0, "no memory for the network");
}

/* Puts `aside` samples to the end, in runs of neighbours from all over the set. Neighbours come from the same games and share
 * their results: single positions held aside would be known from their games, and the loss would praise learning by heart. */
static bool hold_aside(SampleSet *set, size_t aside, Err *err)
{
    enum { RUNS = 64, RUN_MAX = 1024 };
    size_t run = aside / RUNS < 1 ? 1 : aside / RUNS > RUN_MAX ? RUN_MAX : aside / RUNS;
    if (aside == 0) return true;
    Sample *held = malloc(aside * sizeof *held);
    if (!held) return err_set(err, ERR_MEMORY, 0, "no memory for the positions kept aside");
    size_t kept = 0, taken = 0, stride = set->count / (aside / run + 1);
    for (size_t i = 0; i < set->count; i++) {
        bool take = taken < aside && (i % stride < run || set->count - i <= aside - taken);
        if (take) {
            held[taken++] = set->samples[i];
        } else {
            set->samples[kept++] = set->samples[i];
        }
    }
    memcpy(set->samples + kept, held, taken * sizeof *held);
    free(held);
    return true;
}

bool nnue_train(SampleSet *set, const NnueOptions *options, NnueListener *listener, void *context, Net **out, Err *err)
{
    const Net *from = options->from;
    Rng        rng  = rng_seeded(options->seed);
    *out            = NULL;
    if (from && (from->hidden != options->hidden || from->buckets != options->buckets ||
                 (from->kings != options->kings && from->kings != 1)))
        return err_set(err, ERR_RANGE, 0,
                       "the network to begin with has %d neurons, %d outputs and %d sets of weights, this one %d, %d and %d",
                       from->hidden, from->buckets, from->kings, options->hidden, options->buckets, options->kings);
    size_t aside = (size_t)((double)set->count * options->validation);
    if (!hold_aside(set, aside, err)) return false;
    SampleSet rest = {.samples = set->samples, .count = set->count - aside};
    samples_shuffle(&rest, &rng);
    Training t = {.options  = options,
                  .shape    = nnue_shape(options->hidden, options->buckets, options->kings),
                  .samples  = set->samples,
                  .training = set->count - aside,
                  .all      = set->count,
                  .scale    = options->scale > 0 ? options->scale : nnue_fit_scale(set)};
    if (t.training == 0) return err_set(err, ERR_RANGE, 0, "there are no positions to train on");
    bool ok = reserve(&t, err);
    if (ok) {
        if (options->from) {
            nnue_params_of(&t.shape, options->from, t.scale, t.params);
        } else {
            nnue_init(&t.shape, t.params, &rng);
        }
        ok = run_epochs(&t, set, listener, context, out, err);
    }
    release(&t);
    if (ok) return true;
    net_free(*out);
    *out = NULL;
    return false;
}

/* tune.c - the descent: fits the logistic curve, then takes Adam steps over shuffled batches.
 *
 * A batch is cut into a fixed number of slices, each with its own gradient, which are added in order: threads take slices,
 * and the sums come out the same whoever took which.
 */
#include "learn/tune.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/work.h"
#include "learn/tune_model.h"

enum {
    SLICES = 16,
    BLOCK  = 512, /* neighbours come from the same games: they are kept aside together */
};

typedef struct {
    const TuneSet    *set;
    const TuneParams *params;
    double            scale;
    const uint32_t   *order; /* the positions of this pass */
    size_t            count;
    bool              with_gradient;
    double            loss[SLICES];
    TuneParams       *gradient; /* SLICES of them */
} Pass;

static void pass_slice(void *context, size_t slice, int thread)
{
    Pass  *pass  = context;
    size_t first = pass->count * slice / SLICES, last = pass->count * (slice + 1) / SLICES;
    double loss = 0;
    (void)thread;
    if (pass->with_gradient) pass->gradient[slice] = (TuneParams){0};
    for (size_t i = first; i < last; i++) {
        const TuneRecord *r       = &pass->set->records[pass->order[i]];
        TuneForward       f       = tune_forward(pass->set, r, pass->params);
        double            guess   = 1 / (1 + exp(-pass->scale * f.value));
        double            mistake = guess - (double)r->result;
        loss += mistake * mistake;
        if (!pass->with_gradient) continue;
        double slope = 2 * mistake * guess * (1 - guess) * pass->scale;
        tune_backward(pass->set, r, &f, slope, &pass->gradient[slice]);
    }
    pass->loss[slice] = loss;
}

/* The mean squared error over `count` positions; gradients stay in the slices, not yet divided by the count. */
static double pass_run(Pass *pass, int threads, bool with_gradient)
{
    double loss         = 0;
    pass->with_gradient = with_gradient;
    work_run(SLICES, threads, pass_slice, pass);
    for (int i = 0; i < SLICES; i++) loss += pass->loss[i];
    return pass->count ? loss / (double)pass->count : 0;
}

/* K by bisection of the error's slope: the error has one minimum. */
static double fit_scale(Pass *pass, int threads)
{
    double low = 0.0005, high = 0.05;
    for (int i = 0; i < 40; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        pass->scale   = a;
        double loss_a = pass_run(pass, threads, false);
        pass->scale   = b;
        double loss_b = pass_run(pass, threads, false);
        if (loss_a < loss_b) {
            high = b;
        } else {
            low = a;
        }
    }
    return (low + high) / 2;
}

/* Everything a run owns. */
typedef struct {
    uint32_t   *order; /* training positions first, then those kept aside */
    size_t      training;
    TuneParams  old, best, mean, square;
    TuneParams *gradient;
    double      pull; /* strength of the prior, in units of the mean error */
    uint64_t    steps;
} Descent;

/* Blocks of neighbours go to training or aside; the order within each stays that of the data. */
static void split_positions(Descent *d, size_t count, const TuneOptions *options)
{
    Rng    rng  = rng_seeded(options->seed);
    size_t back = count;
    for (size_t block = 0; block < count; block += BLOCK) {
        bool   aside = rng_unit(&rng) < options->validation;
        size_t end   = block + BLOCK < count ? block + BLOCK : count;
        for (size_t i = block; i < end; i++) d->order[aside ? --back : d->training++] = (uint32_t)i;
    }
}

static void shuffle(uint32_t *order, size_t count, Rng *rng)
{
    for (size_t i = count; i > 1; i--) {
        size_t   other = (size_t)rng_below(rng, i);
        uint32_t swap  = order[i - 1];
        order[i - 1]   = order[other];
        order[other]   = swap;
    }
}

/* One number's Adam step: the slope over its own recent size. */
static void adam(double *value, double *mean, double *square, double slope, double rate, double steps)
{
    const double keep = 0.9, keep_square = 0.999;
    *mean    = keep * *mean + (1 - keep) * slope;
    *square  = keep_square * *square + (1 - keep_square) * slope * slope;
    double m = *mean / (1 - pow(keep, steps)), s = *square / (1 - pow(keep_square, steps));
    *value -= rate * m / (sqrt(s) + 1e-12);
}

static void take_step(Descent *d, const Pass *pass, double rate, TuneParams *params)
{
    double count = (double)pass->count;
    d->steps++;
    for (int i = 0; i < EVAL_PARAMS; i++) {
        double mg = 0, eg = 0;
        for (int s = 0; s < SLICES; s++) {
            mg += d->gradient[s].mg[i];
            eg += d->gradient[s].eg[i];
        }
        mg = mg / count + 2 * d->pull * (params->mg[i] - d->old.mg[i]);
        eg = eg / count + 2 * d->pull * (params->eg[i] - d->old.eg[i]);
        adam(&params->mg[i], &d->mean.mg[i], &d->square.mg[i], mg, rate, (double)d->steps);
        adam(&params->eg[i], &d->mean.eg[i], &d->square.eg[i], eg, rate, (double)d->steps);
    }
}

/* All batches of one epoch; the rate falls along half a cosine so that the last epochs settle. */
static void run_epoch(Descent *d, Pass *pass, const TuneOptions *options, int epoch, TuneParams *params, Rng *rng)
{
    size_t batch = options->batch > 0 ? (size_t)options->batch : d->training;
    double part  = (double)(epoch - 1) / options->epochs;
    double rate  = options->rate * (0.02 + 0.98 * 0.5 * (1 + cos(3.14159265358979 * part)));
    shuffle(d->order, d->training, rng);
    for (size_t first = 0; first + batch <= d->training; first += batch) {
        pass->order = d->order + first;
        pass->count = batch;
        pass_run(pass, options->threads, true);
        take_step(d, pass, rate, params);
    }
}

static TuneProgress measure(Descent *d, Pass *pass, size_t total, int threads, int epoch)
{
    TuneProgress p    = {.epoch = epoch, .scale = pass->scale};
    pass->order       = d->order;
    pass->count       = d->training;
    p.training_loss   = pass_run(pass, threads, false);
    pass->order       = d->order + d->training;
    pass->count       = total - d->training;
    p.validation_loss = pass->count ? pass_run(pass, threads, false) : p.training_loss;
    return p;
}

static void descend(Descent *d, Pass *pass, const TuneOptions *options, TuneParams *params, TuneListener *listener, void *context)
{
    size_t total       = pass->set->count;
    Rng    rng         = rng_seeded(options->seed + 1);
    pass->order        = d->order;
    pass->count        = d->training;
    pass->scale        = fit_scale(pass, options->threads);
    TuneProgress p     = measure(d, pass, total, options->threads, 0);
    double       least = p.validation_loss;
    d->best            = *params;
    d->old             = *params;
    d->pull            = p.training_loss / ((double)d->training * options->prior_cp * options->prior_cp);
    bool go_on         = listener ? listener(context, &p) : true;
    for (int epoch = 1; epoch <= options->epochs && go_on; epoch++) {
        run_epoch(d, pass, options, epoch, params, &rng);
        p = measure(d, pass, total, options->threads, epoch);
        if (p.validation_loss < least) {
            least   = p.validation_loss;
            d->best = *params;
        }
        if (listener) go_on = listener(context, &p);
    }
    *params = d->best;
}

bool tune_run(const TuneSet *set, const TuneOptions *options, TuneParams *params, TuneListener *listener, void *context, Err *err)
{
    if (set->count < 2 * BLOCK) return err_set(err, ERR_RANGE, 0, "%zu positions are too few to tune with", set->count);
    if (set->count > UINT32_MAX) return err_set(err, ERR_RANGE, 0, "%zu positions are too many for one run", set->count);
    Descent *d = calloc(1, sizeof *d);
    if (d) d->order = calloc(set->count, sizeof *d->order);
    if (d) d->gradient = calloc(SLICES, sizeof *d->gradient);
    bool ok = d && d->order && d->gradient;
    if (ok) {
        Pass pass = {.set = set, .params = params, .gradient = d->gradient};
        split_positions(d, set->count, options);
        ok = d->training > 0;
        if (ok) descend(d, &pass, options, params, listener, context);
        if (!ok) err_set(err, ERR_RANGE, 0, "no position is left to train with; keep fewer aside");
    } else {
        err_set(err, ERR_MEMORY, 0, "not enough memory to tune with %zu positions", set->count);
    }
    if (d) free(d->order);
    if (d) free(d->gradient);
    free(d);
    return ok;
}

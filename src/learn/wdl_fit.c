/* wdl_fit.c - see wdl_fit.h. Not hot. */
#include "learn/wdl_fit.h"

#include <math.h>
#include <string.h>

enum { EVEN = WDL_EVEN_TERMS, SPREAD = WDL_SPREAD_TERMS, TERMS = EVEN + SPREAD, ROUNDS = 30, SAMPLES_MIN = 1000 };

/* Sums over all samples for one step. */
typedef struct {
    double loss, slope[TERMS], curvature[TERMS][TERMS];
} Sums;

static double phase_of(const Sample *s)
{
    static const int weight[] = {0, 1, 1, 2, 4, 0};
    int              men = __builtin_popcountll(s->occupied), phase = 0;
    for (int i = 0; i < men; i++) phase += weight[((unsigned)s->men[i / 2] >> (4 * (i % 2)) & 15U) % 6];
    return wdl_phase(phase);
}

/* One curve: `score` from the side whose win is asked about. */
static void add_curve(Sums *sums, const WdlModel *model, double phase, double score, bool won)
{
    double even = wdl_even_chance(model, phase), width = wdl_spread(model, phase);
    double z = (score - even) / width, p = 1 / (1 + exp(-z)), by[TERMS] = {0};
    for (int i = 0; i < EVEN; i++) by[i] = i == 0 ? -1 / width : by[i - 1] * phase;
    for (int i = EVEN; i < TERMS; i++) by[i] = i == EVEN ? -z / width : by[i - 1] * phase;
    sums->loss -= log(fmax(won ? p : 1 - p, 1e-12));
    for (int i = 0; i < TERMS; i++) {
        sums->slope[i] += ((won ? 1 : 0) - p) * by[i];
        for (int k = 0; k < TERMS; k++) sums->curvature[i][k] += p * (1 - p) * by[i] * by[k];
    }
}

static bool is_usable(const Sample *s) { return s->score != SCORE_NONE && !score_is_decisive(s->score) && sample_has_result(s); }

static size_t add_all(Sums *sums, const WdlModel *model, const SampleSet *set)
{
    size_t count = 0;
    memset(sums, 0, sizeof *sums);
    for (size_t i = 0; i < set->count; i++) {
        const Sample *s = &set->samples[i];
        if (!is_usable(s)) continue;
        double phase = phase_of(s);
        add_curve(sums, model, phase, s->score, s->result > (SAMPLE_RESULT_WIN + SAMPLE_RESULT_DRAW) / 2);
        add_curve(sums, model, phase, -s->score, s->result < SAMPLE_RESULT_DRAW / 2);
        count++;
    }
    if (count) sums->loss /= (double)count;
    return count;
}

/* Solves curvature * step = slope by elimination; the matrix is symmetric and, with samples of several phases, positive. */
static bool solve(Sums *s, double step[TERMS])
{
    for (int i = 0; i < TERMS; i++) {
        double pivot = s->curvature[i][i];
        if (!(fabs(pivot) > 1e-300)) return false;
        for (int row = i + 1; row < TERMS; row++) {
            double factor = s->curvature[row][i] / pivot;
            for (int k = i; k < TERMS; k++) s->curvature[row][k] -= factor * s->curvature[i][k];
            s->slope[row] -= factor * s->slope[i];
        }
    }
    for (int i = TERMS - 1; i >= 0; i--) {
        double rest = s->slope[i];
        for (int k = i + 1; k < TERMS; k++) rest -= s->curvature[i][k] * step[k];
        step[i] = rest / s->curvature[i][i];
    }
    return true;
}

static WdlModel moved(const WdlModel *model, const double step[TERMS], double share)
{
    WdlModel out = *model;
    for (int i = 0; i < EVEN; i++) out.even[i] += share * step[i];
    for (int i = 0; i < SPREAD; i++) out.spread[i] += share * step[EVEN + i];
    return out;
}

static void compare_points(const SampleSet *set, WdlFit *fit)
{
    for (size_t i = 0; i < set->count; i++) {
        const Sample *s = &set->samples[i];
        if (!is_usable(s)) continue;
        double phase = phase_of(s), ahead = fabs((double)s->score), sign = s->score >= 0 ? 1 : -1;
        double even = wdl_even_chance(&fit->model, phase), width = wdl_spread(&fit->model, phase);
        double win = 1 / (1 + exp((even - ahead) / width)), loss = 1 / (1 + exp((even + ahead) / width));
        fit->predicted += 0.5 + (win - loss) / 2; /* points of the side that is ahead */
        fit->found += 0.5 + sign * ((double)s->result / SAMPLE_RESULT_WIN - 0.5);
    }
    fit->predicted /= (double)fit->samples;
    fit->found /= (double)fit->samples;
}

bool wdl_fit(const SampleSet *set, WdlFit *out, Err *err)
{
    Sums sums, next = {0};
    *out         = (WdlFit){.model = wdl_default_model()};
    out->samples = add_all(&sums, &out->model, set);
    out->before = out->after = sums.loss;
    if (out->samples < SAMPLES_MIN)
        return err_set(err, ERR_RANGE, 0, "%zu positions with a score are too few: at least %d are needed", out->samples,
                       SAMPLES_MIN);
    for (int round = 0; round < ROUNDS; round++) {
        double step[TERMS];
        if (!solve(&sums, step)) return err_set(err, ERR_RANGE, 0, "these positions are too much alike to fit curves to them");
        double   share = 1;
        WdlModel tried = moved(&out->model, step, share);
        while (share > 1e-4 && (!wdl_is_sound(&tried) || (add_all(&next, &tried, set), next.loss > out->after))) {
            share /= 2;
            tried = moved(&out->model, step, share);
        }
        if (share <= 1e-4) break;
        bool done  = out->after - next.loss < 1e-9;
        out->model = tried;
        out->after = next.loss;
        sums       = next;
        if (done) break;
    }
    compare_points(set, out);
    return true;
}

/* tune_model.c - the evaluation once more, in real numbers and from counts: sums, danger, complexity, taper; and its slope.
 *
 * Must stay the same function as eval/trace.h describes; a test compares the two on random positions.
 */
#include "learn/tune_model.h"

#include "eval/trace.h"

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* The danger to one king: sums of both halves. */
static void sum_counts(const TuneCount *counts, int number, const TuneParams *p, double *mg, double *eg)
{
    double m = 0, e = 0;
    for (int i = 0; i < number; i++) {
        m += p->mg[counts[i].param] * counts[i].count;
        e += p->eg[counts[i].param] * counts[i].count;
    }
    *mg = m;
    *eg = e;
}

TuneForward tune_forward(const TuneSet *set, const TuneRecord *r, const TuneParams *params)
{
    TuneForward      f;
    const TuneCount *at = &set->counts[r->first];
    double           mg, eg, unused, complexity;
    sum_counts(at, r->linear, params, &mg, &eg);
    at += r->linear;
    for (int color = WHITE; color < COLORS; color++) {
        sum_counts(at, r->danger[color], params, &f.danger[color], &f.danger_eg[color]);
        at += r->danger[color];
        double sign = color == WHITE ? -1 : 1;
        double d    = clamp(f.danger[color], 0, DANGER_MAX);
        mg += sign * d * d / DANGER_MG_DIVISOR;
        eg += sign * clamp(f.danger_eg[color], 0, DANGER_MAX) / DANGER_EG_DIVISOR;
    }
    sum_counts(at, r->complexity, params, &unused, &complexity);
    double size       = eg < 0 ? -eg : eg;
    double sign       = eg > 0 ? 1 : eg < 0 ? -1 : 0;
    bool   open       = complexity > -size;
    f.eg_open         = open ? 1 : 0;
    f.complexity_sign = open ? sign : 0;
    eg                = open ? eg + sign * complexity : 0;
    f.value           = mg * r->mg_weight + eg * r->eg_weight;
    return f;
}

static void add_counts(const TuneCount *counts, int number, double mg, double eg, TuneParams *gradient)
{
    for (int i = 0; i < number; i++) {
        gradient->mg[counts[i].param] += mg * counts[i].count;
        gradient->eg[counts[i].param] += eg * counts[i].count;
    }
}

void tune_backward(const TuneSet *set, const TuneRecord *r, const TuneForward *f, double slope, TuneParams *gradient)
{
    const TuneCount *at = &set->counts[r->first];
    double           mg = slope * r->mg_weight, eg = slope * r->eg_weight * f->eg_open;
    add_counts(at, r->linear, mg, eg, gradient);
    at += r->linear;
    for (int color = WHITE; color < COLORS; color++) {
        double sign     = color == WHITE ? -1 : 1;
        bool   live     = f->danger[color] > 0 && f->danger[color] < DANGER_MAX;
        bool   live_eg  = f->danger_eg[color] > 0 && f->danger_eg[color] < DANGER_MAX;
        double slope_mg = live ? sign * 2 * f->danger[color] / DANGER_MG_DIVISOR : 0;
        double slope_eg = live_eg ? sign / DANGER_EG_DIVISOR : 0;
        add_counts(at, r->danger[color], mg * slope_mg, eg * slope_eg, gradient);
        at += r->danger[color];
    }
    add_counts(at, r->complexity, 0, slope * r->eg_weight * f->complexity_sign, gradient);
}

double tune_value(const TuneSet *set, size_t index, const TuneParams *params)
{
    return tune_forward(set, &set->records[index], params).value;
}

void tune_params_default(TuneParams *params)
{
    for (int i = 0; i < EVAL_PARAMS; i++) {
        params->mg[i] = packed_mg(eval_params[i]);
        params->eg[i] = packed_eg(eval_params[i]);
    }
}

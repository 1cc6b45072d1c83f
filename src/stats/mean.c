/* mean.c - see mean.h. */
#include "stats/mean.h"

#include <math.h>

/* The expansion in powers of 1/freedom around the normal distribution's point. */
double stats_student(size_t freedom)
{
    if (freedom == 0) return INFINITY;
    const double z = 1.959963984540054, z2 = z * z, n = (double)freedom;
    const double first  = (z2 + 1) * z / 4;
    const double second = ((5 * z2 + 16) * z2 + 3) * z / 96;
    const double third  = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
    const double fourth = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) * z / 92160;
    return z + (first + (second + (third + fourth / n) / n) / n) / n;
}

static double value_at(const double *a, const double *b, size_t i) { return b ? a[i] - b[i] : a[i]; }

static MeanEstimate estimate(const double *a, const double *b, size_t count)
{
    MeanEstimate out = {.count = count, .error = INFINITY};
    double       sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) sum += value_at(a, b, i);
    if (count > 0) out.mean = sum / (double)count;
    if (count < 2) return out;
    for (size_t i = 0; i < count; i++) squares += (value_at(a, b, i) - out.mean) * (value_at(a, b, i) - out.mean);
    out.error = stats_student(count - 1) * sqrt(squares / (double)(count - 1) / (double)count);
    return out;
}

MeanEstimate stats_mean(const double *values, size_t count) { return estimate(values, NULL, count); }

MeanEstimate stats_mean_difference(const double *a, const double *b, size_t count) { return estimate(a, b, count); }

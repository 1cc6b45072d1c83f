/* mean.h - the mean of a sample and how far it can be trusted.
 *
 * The interval is Student's: mean +- t * s / sqrt(n). For samples of hundreds it is what resampling would give.
 * Conventions: no values: mean 0; fewer than two: error INFINITY. Nothing here is ever NaN for finite values.
 * Threads: [any]; pure functions of their arguments.
 */
#ifndef STATS_MEAN_H
#define STATS_MEAN_H

#include <stddef.h>

typedef struct {
    size_t count;
    double mean;
    double error; /* half the width of the 95 % interval */
} MeanEstimate;

MeanEstimate stats_mean(const double *values, size_t count);

/* The mean of a[i] - b[i]: both measured on the same things, so what they share cancels. */
MeanEstimate stats_mean_difference(const double *a, const double *b, size_t count);

/* The 97.5 % point of Student's distribution; within 1 % from three degrees of freedom on. */
double stats_student(size_t freedom);

#endif

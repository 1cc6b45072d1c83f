/* mlp_train.h - trains the small network of mlp.h as the fourth ancestor did: stochastic gradient descent, batches of 64, mean
 * squared error against the mean result of a position's games. Threads: blocks the caller's. */
#ifndef LEARN_MLP_TRAIN_H
#define LEARN_MLP_TRAIN_H

#include "learn/samples.h"
#include "net/mlp.h"

typedef struct {
    int      epochs, batch;
    double   rate;
    double   validation; /* share of the samples kept aside */
    uint64_t seed;
} MlpOptions;

/* After every epoch; false ends the training. */
typedef bool MlpListener(void *context, int epoch, double training_loss, double validation_loss);

/* Shuffles `set`. False only when there is nothing to learn from. */
bool mlp_train(SampleSet *set, const MlpOptions *options, MlpListener *listener, void *context, Mlp *out, Err *err);

#endif

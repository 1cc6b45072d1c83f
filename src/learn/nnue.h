/* nnue.h - trains the network of net.h on samples: AdamW, on all processors, with vector code.
 *
 * The target of a sample is a blend of its game's result and its score put through a logistic curve; the loss is the squared
 * error of the network's own curve. A step goes over a batch; every thread sums gradients of its share, then the parameters are
 * divided among the threads. With the same data, options and number of threads the outcome is the same to the bit.
 * Threads: nnue_train starts its own and blocks.
 */
#ifndef LEARN_NNUE_H
#define LEARN_NNUE_H

#include "learn/samples.h"
#include "net/net.h"

typedef struct {
    int      hidden, buckets, kings;
    int      epochs;
    int      batch;
    int      threads;
    double   rate, final_rate; /* from the first down to the second, along a cosine */
    double   decay;            /* of the weights, as AdamW does it */
    double   blend;            /* share of the result in the target; the score has the rest */
    double   scale;            /* centipawns of one logistic unit; 0: fitted to the data */
    double   unit;             /* centipawns that one logistic unit of the network is told as; 0: the scale */
    double   validation;       /* share of the samples kept aside: whole games where the set is in their order */
    uint64_t seed;
    const Net *
        from; /* begin with these weights, not with random ones: of the same shape, or with one set for all kings; NULL: random */
    const char *state;  /* where the whole state is kept after every epoch; NULL: nowhere */
    bool        resume; /* go on from that state */
} NnueOptions;

NnueOptions nnue_default_options(void);

typedef struct {
    int      epoch; /* of the one that ended, from 1; 0 while the first runs */
    double   scale;
    double   training_loss, validation_loss; /* mean squared errors; the first only at the end of an epoch */
    uint64_t samples;                        /* seen so far, all epochs */
    uint64_t samples_per_epoch;
    bool     epoch_ended;
} NnueProgress;

/* Called now and then and at the end of every epoch with the network as it is then (NULL in between). False ends the training. */
typedef bool NnueListener(void *context, const NnueProgress *progress, Net *net);

/* Reorders `set`, trains, and returns the last network in *out. */
bool nnue_train(SampleSet *set, const NnueOptions *options, NnueListener *listener, void *context, Net **out, Err *err);

/* The scale at which sigmoid(score / scale) fits the results best. */
double nnue_fit_scale(const SampleSet *set);

#endif

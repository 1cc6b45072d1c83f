/* nnue_model.h - the network in floating point: parameters, one sample forward and backward. Internal to `learn`.
 *
 * All parameters lie in one array: inputs [kings][768][hidden], biases [hidden], outputs [buckets][2][hidden], offsets [buckets].
 * Hot: everything.
 */
#ifndef LEARN_NNUE_MODEL_H
#define LEARN_NNUE_MODEL_H

#include "learn/samples.h"
#include "net/net.h"

typedef struct {
    int    hidden, buckets, kings;
    size_t biases, outputs, offsets, total; /* where each part begins, and how many numbers there are */
} NnueShape;

NnueShape nnue_shape(int hidden, int buckets, int kings);

/* Room for one thread's work on a sample. */
typedef struct {
    float sums[2][NET_HIDDEN_MAX];
    float slopes[2][NET_HIDDEN_MAX];
} NnueScratch;

/* The inputs of a sample for the mover and for the other side. */
typedef struct {
    int count;
    int own[32], other[32];
} NnueInputs;

void nnue_inputs(const NnueShape *shape, const Sample *sample, NnueInputs *out);

/* The network's output for a sample, in logistic units. */
float nnue_forward(const NnueShape *shape, const float *params, const Sample *sample, NnueInputs *inputs, NnueScratch *scratch);

/* Adds to `gradient` what a slope of the loss by the output means for each parameter, after nnue_forward. */
void nnue_backward(const NnueShape *shape, const float *params, const NnueInputs *inputs, NnueScratch *scratch, float slope,
                   float *gradient);

void nnue_init(const NnueShape *shape, float *params, Rng *rng);

/* The parameters that nnue_quantise made a network of, but for its rounding; one set of first weights becomes
 * several alike where the shape has them. `scale` is that of the training that goes on. */
void nnue_params_of(const NnueShape *shape, const Net *net, double scale, float *params);

/* The integers of net.h; NULL when memory is short. */
Net *nnue_quantise(const NnueShape *shape, const float *params, double scale);

#endif

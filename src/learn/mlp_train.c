/* mlp_train.c - see mlp_train.h. */
#include "learn/mlp_train.h"

#include <math.h>
#include <string.h>

/* A sample as the network's inputs: turned back where Black was to move. */
static void encode(const Sample *sample, float out[MLP_INPUTS])
{
    Piece board[SQUARES];
    int   turn = sample->turned ? 56 : 0;
    sample_to_board(sample, board);
    for (int file = 0; file < 8; file++) {
        for (int rank = 0; rank < 8; rank++) {
            Piece man            = board[(rank * 8 + file) ^ turn];
            bool  white          = (piece_color(man) == WHITE) != (sample->turned != 0);
            out[file * 8 + rank] = man == NO_PIECE ? 0 : (float)((int)piece_type(man) + (white ? 1 : 7));
        }
    }
    for (int i = 0; i < 4; i++) out[64 + i] = sample->castling >> (sample->turned ? i ^ 2 : i) & 1 ? 1 : 0;
    out[68] = sample->ep_file == SAMPLE_NO_EP ? -1 : (float)sample->ep_file;
    out[69] = sample->turned ? 1 : 0;
}

/* From -1 to 1, White's. */
static float truth(const Sample *sample)
{
    float own = (float)sample->result / (SAMPLE_RESULT_WIN / 2.0F) - 1;
    return sample->turned ? -own : own;
}

/* Uniform within the bounds that keep signals of equal size from layer to layer. */
static void init(Mlp *mlp, Rng *rng)
{
    double first = sqrt(6.0 / (MLP_INPUTS + MLP_HIDDEN)), second = sqrt(6.0 / (MLP_HIDDEN + 1));
    *mlp = (Mlp){0};
    for (int h = 0; h < MLP_HIDDEN; h++) {
        for (int i = 0; i < MLP_INPUTS; i++) mlp->inputs[h][i] = (float)((2 * rng_unit(rng) - 1) * first);
        mlp->outputs[h] = (float)((2 * rng_unit(rng) - 1) * second);
    }
}

/* Adds one sample's gradient; returns its squared error. */
static double learn(const Mlp *mlp, const Sample *sample, Mlp *gradient)
{
    float in[MLP_INPUTS], hidden[MLP_HIDDEN];
    encode(sample, in);
    float value = mlp_value(mlp, in, hidden), error = value - truth(sample);
    float slope = 2 * error * (1 - value * value);
    gradient->offset += slope;
    for (int h = 0; h < MLP_HIDDEN; h++) {
        gradient->outputs[h] += slope * hidden[h];
        if (hidden[h] <= 0) continue;
        float back = slope * mlp->outputs[h];
        gradient->biases[h] += back;
        for (int i = 0; i < MLP_INPUTS; i++) gradient->inputs[h][i] += back * in[i];
    }
    return (double)error * (double)error;
}

static void step(Mlp *mlp, const Mlp *gradient, float rate)
{
    float       *to   = &mlp->inputs[0][0];
    const float *from = &gradient->inputs[0][0];
    for (size_t i = 0; i < MLP_HIDDEN * MLP_INPUTS; i++) to[i] -= rate * from[i];
    for (int h = 0; h < MLP_HIDDEN; h++) {
        mlp->biases[h] -= rate * gradient->biases[h];
        mlp->outputs[h] -= rate * gradient->outputs[h];
    }
    mlp->offset -= rate * gradient->offset;
}

static double validate(const Mlp *mlp, const Sample *samples, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        float in[MLP_INPUTS];
        encode(&samples[i], in);
        double error = mlp_value(mlp, in, NULL) - truth(&samples[i]);
        sum += error * error;
    }
    return count ? sum / (double)count : 0;
}

bool mlp_train(SampleSet *set, const MlpOptions *options, MlpListener *listener, void *context, Mlp *out, Err *err)
{
    Rng    rng = rng_seeded(options->seed);
    size_t aside, training, batch = (size_t)options->batch;
    samples_shuffle(set, &rng);
    aside    = (size_t)((double)set->count * options->validation);
    training = set->count - aside;
    if (training == 0) return err_set(err, ERR_RANGE, 0, "there are no positions to train on");
    init(out, &rng);
    for (int epoch = 1; epoch <= options->epochs; epoch++) {
        SampleSet part = {.samples = set->samples, .count = training};
        double    loss = 0;
        samples_shuffle(&part, &rng);
        for (size_t at = 0; at < training; at += batch) {
            size_t end      = at + batch < training ? at + batch : training;
            Mlp    gradient = {0};
            for (size_t i = at; i < end; i++) loss += learn(out, &set->samples[i], &gradient);
            step(out, &gradient, (float)(options->rate / (double)(end - at)));
        }
        double seen = validate(out, set->samples + training, aside);
        if (listener && !listener(context, epoch, loss / (double)training, seen)) break;
    }
    return true;
}

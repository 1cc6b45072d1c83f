/* nnue_model.c - see nnue_model.h. Vectors of floats through the compiler's vector extension: it makes AVX, SSE or NEON of
 * them. */
#include "learn/nnue_model.h"

#include <math.h>
#include <string.h>

#include "net/state.h"

#ifdef __AVX__
enum { WIDE = 8 };
#else
enum { WIDE = 4 };
#endif
enum { TILE = 4 };

typedef int32_t WideMask __attribute__((vector_size(WIDE * sizeof(int32_t)), aligned(4), may_alias));
typedef float   Wide __attribute__((vector_size(WIDE * sizeof(float)), aligned(4), may_alias));

static inline Wide wide_all(float x) { return (Wide){0} + x; }
static inline Wide wide_at(const float *at) { return *(const Wide *)(const void *)at; }
static inline void wide_put(float *at, Wide value) { *(Wide *)(void *)at = value; }

static inline Wide wide_choose(WideMask mask, Wide a, Wide b) { return (Wide)(((WideMask)a & mask) | ((WideMask)b & ~mask)); }
static inline Wide wide_unit(Wide x) /* clamped to 0..1 */
{
    Wide low = wide_choose(x > wide_all(0), x, wide_all(0));
    return wide_choose(low < wide_all(1), low, wide_all(1));
}

NnueShape nnue_shape(int hidden, int buckets, int kings)
{
    size_t    n = (size_t)hidden, b = (size_t)buckets;
    NnueShape shape = {.hidden = hidden, .buckets = buckets, .kings = kings};
    shape.biases    = (size_t)kings * NET_INPUTS * n;
    shape.outputs   = shape.biases + n;
    shape.offsets   = shape.outputs + b * 2 * n;
    shape.total     = shape.offsets + b;
    return shape;
}

void nnue_inputs(const NnueShape *shape, const Sample *sample, NnueInputs *out)
{
    Square squares[32], kings[COLORS] = {A1, A1};
    int    codes[32], count           = 0;
    for (Bitboard left = sample->occupied; left; count++) {
        squares[count] = bb_pop(&left);
        codes[count]   = sample->men[count / 2] >> (4 * (count % 2)) & 15;
        if (codes[count] % 6 == KING) kings[codes[count] / 6] = squares[count];
    }
    out->count = count;
    int own    = NET_INPUTS * net_king_area(shape->kings, WHITE, kings[WHITE]);
    int other  = NET_INPUTS * net_king_area(shape->kings, BLACK, kings[BLACK]);
    for (int i = 0; i < count; i++) {
        Color     color = codes[i] < 6 ? WHITE : BLACK;
        PieceType type  = (PieceType)(codes[i] % 6);
        out->own[i]     = own + net_input(WHITE, kings[WHITE], color, type, squares[i]);
        out->other[i]   = other + net_input(BLACK, kings[BLACK], color, type, squares[i]);
    }
}

static size_t output_row(const NnueShape *shape, int men)
{
    int bucket = net_bucket(shape->buckets, men);
    return shape->outputs + (size_t)bucket * 2 * (size_t)shape->hidden;
}

/* The first layer for one side: a tile of the sums stays in registers while all rows pass. */
static void sum_rows(const NnueShape *shape, const float *params, const int *inputs, int count, float *sums)
{
    for (int from = 0; from < shape->hidden; from += TILE * WIDE) {
        Wide tile[TILE];
        for (int t = 0; t < TILE; t++) tile[t] = wide_at(params + shape->biases + from + t * WIDE);
        for (int k = 0; k < count; k++) {
            const float *row = params + (size_t)inputs[k] * (size_t)shape->hidden + from;
            for (int t = 0; t < TILE; t++) tile[t] += wide_at(row + t * WIDE);
        }
        for (int t = 0; t < TILE; t++) wide_put(sums + from + t * WIDE, tile[t]);
    }
}

static float weighted(const float *sums, const float *weights, int hidden)
{
    Wide  total = wide_all(0);
    float sum   = 0;
    for (int i = 0; i < hidden; i += WIDE) {
        Wide value = wide_unit(wide_at(sums + i));
        total += value * value * wide_at(weights + i);
    }
    for (int i = 0; i < WIDE; i++) sum += total[i];
    return sum;
}

float nnue_forward(const NnueShape *shape, const float *params, const Sample *sample, NnueInputs *inputs, NnueScratch *scratch)
{
    nnue_inputs(shape, sample, inputs);
    sum_rows(shape, params, inputs->own, inputs->count, scratch->sums[0]);
    sum_rows(shape, params, inputs->other, inputs->count, scratch->sums[1]);
    const float *weights = params + output_row(shape, inputs->count);
    int          bucket  = net_bucket(shape->buckets, inputs->count);
    return weighted(scratch->sums[0], weights, shape->hidden) +
           weighted(scratch->sums[1], weights + shape->hidden, shape->hidden) + params[shape->offsets + (size_t)bucket];
}

/* One side: the slopes of the sums, and with them the gradients of the output weights, the biases and the rows. */
static void spread(const NnueShape *shape, const float *weights, const int *inputs, int count, const float *sums, float *slopes,
                   float slope, float *weight_gradient, float *gradient)
{
    for (int i = 0; i < shape->hidden; i += WIDE) {
        Wide sum    = wide_at(sums + i);
        Wide value  = wide_unit(sum);
        Wide inside = wide_choose((sum > wide_all(0)) & (sum < wide_all(1)), value, wide_all(0)); /* flat outside 0..1 */
        wide_put(weight_gradient + i, wide_at(weight_gradient + i) + wide_all(slope) * value * value);
        wide_put(slopes + i, wide_all(2 * slope) * inside * wide_at(weights + i));
    }
    for (int from = 0; from < shape->hidden; from += TILE * WIDE) {
        Wide tile[TILE];
        for (int t = 0; t < TILE; t++) {
            float *bias = gradient + shape->biases + from + t * WIDE;
            tile[t]     = wide_at(slopes + from + t * WIDE);
            wide_put(bias, wide_at(bias) + tile[t]);
        }
        for (int k = 0; k < count; k++) {
            float *row = gradient + (size_t)inputs[k] * (size_t)shape->hidden + from;
            for (int t = 0; t < TILE; t++) wide_put(row + t * WIDE, wide_at(row + t * WIDE) + tile[t]);
        }
    }
}

void nnue_backward(const NnueShape *shape, const float *params, const NnueInputs *inputs, NnueScratch *scratch, float slope,
                   float *gradient)
{
    size_t row = output_row(shape, inputs->count), n = (size_t)shape->hidden;
    gradient[shape->offsets + (size_t)net_bucket(shape->buckets, inputs->count)] += slope;
    spread(shape, params + row, inputs->own, inputs->count, scratch->sums[0], scratch->slopes[0], slope, gradient + row,
           gradient);
    spread(shape, params + row + n, inputs->other, inputs->count, scratch->sums[1], scratch->slopes[1], slope, gradient + row + n,
           gradient);
}

static float spread_around_zero(Rng *rng, double width) { return (float)((2 * rng_unit(rng) - 1) * width); }

void nnue_init(const NnueShape *shape, float *params, Rng *rng)
{
    double out = 1 / sqrt(2.0 * shape->hidden);
    for (size_t i = 0; i < shape->biases; i++) params[i] = spread_around_zero(rng, 0.06);
    for (size_t i = shape->biases; i < shape->outputs; i++) params[i] = 0.1F + spread_around_zero(rng, 0.1);
    for (size_t i = shape->outputs; i < shape->offsets; i++) params[i] = spread_around_zero(rng, out);
    for (size_t i = shape->offsets; i < shape->total; i++) params[i] = 0;
}

static int16_t rounded(float value, int unit, int most)
{
    long whole = lroundf(value * (float)unit);
    return (int16_t)(whole > most ? most : whole < -most ? -most : whole);
}

Net *nnue_quantise(const NnueShape *shape, const float *params, double scale)
{
    Net *net = net_new(shape->hidden, shape->buckets, shape->kings);
    if (!net) return NULL;
    for (size_t i = 0; i < shape->biases; i++) net->inputs[i] = rounded(params[i], NET_UNIT_IN, 32767);
    for (size_t i = shape->biases; i < shape->outputs; i++)
        net->biases[i - shape->biases] = rounded(params[i], NET_UNIT_IN, 32767);
    for (size_t i = shape->outputs; i < shape->offsets; i++)
        net->outputs[i - shape->outputs] = rounded(params[i], NET_UNIT_OUT, NET_OUT_MAX);
    for (size_t i = shape->offsets; i < shape->total; i++)
        net->offsets[i - shape->offsets] = (int32_t)lroundf(params[i] * NET_UNIT_IN * NET_UNIT_OUT);
    net->scale = (int)lround(scale * 1000);
    return net;
}

void nnue_params_of(const NnueShape *shape, const Net *net, double scale, float *params)
{
    const float in = 1.0F / NET_UNIT_IN, out = 1.0F / NET_UNIT_OUT;
    float       stretch = (float)(net->scale / 1000.0 / scale); /* the same centipawns in another unit */
    size_t      known   = (size_t)net->kings * NET_INPUTS * (size_t)net->hidden;
    for (size_t i = 0; i < shape->biases; i++) params[i] = (float)net->inputs[i % known] * in;
    for (size_t i = shape->biases; i < shape->outputs; i++) params[i] = (float)net->biases[i - shape->biases] * in;
    for (size_t i = shape->outputs; i < shape->offsets; i++) params[i] = (float)net->outputs[i - shape->outputs] * out * stretch;
    for (size_t i = shape->offsets; i < shape->total; i++)
        params[i] = (float)net->offsets[i - shape->offsets] * in * out * stretch;
}

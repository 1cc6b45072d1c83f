/* kernels.c - see kernels.h: the scalar loops, those for AVX2 and NEON, and the choice. */
#include "net/kernels.h"

#include "net/net.h"

static void update_scalar(int16_t *out, const int16_t *base, const int16_t *const *add, int adds, const int16_t *const *sub,
                          int subs, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned value = (unsigned)base[i];
        for (int k = 0; k < adds; k++) value += (unsigned)add[k][i];
        for (int k = 0; k < subs; k++) value -= (unsigned)sub[k][i];
        out[i] = (int16_t)(uint16_t)value;
    }
}

static int64_t sum_scalar(const int16_t *values, const int16_t *weights, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        int value = values[i] < 0 ? 0 : values[i] > NET_UNIT_IN ? NET_UNIT_IN : values[i];
        sum += value * value * weights[i];
    }
    return sum;
}

#if defined(__x86_64__)
#include <immintrin.h>

/* Sixteen numbers a register; a tile of eight registers stays in them while all rows pass over it. */
enum { LANES = 16, TILE = 8 };

__attribute__((target("avx2"))) static void update_avx2_tile(int16_t *out, const int16_t *base, const int16_t *const *add,
                                                             int adds, const int16_t *const *sub, int subs, int from, int count)
{
    __m256i tile[TILE];
    for (int i = 0; i < count; i++) tile[i] = _mm256_loadu_si256((const __m256i *)(const void *)(base + from + i * LANES));
    for (int k = 0; k < adds; k++) {
        for (int i = 0; i < count; i++)
            tile[i] = _mm256_add_epi16(tile[i], _mm256_loadu_si256((const __m256i *)(const void *)(add[k] + from + i * LANES)));
    }
    for (int k = 0; k < subs; k++) {
        for (int i = 0; i < count; i++)
            tile[i] = _mm256_sub_epi16(tile[i], _mm256_loadu_si256((const __m256i *)(const void *)(sub[k] + from + i * LANES)));
    }
    for (int i = 0; i < count; i++) _mm256_storeu_si256((__m256i *)(void *)(out + from + i * LANES), tile[i]);
}

__attribute__((target("avx2"))) static void update_avx2(int16_t *out, const int16_t *base, const int16_t *const *add, int adds,
                                                        const int16_t *const *sub, int subs, int n)
{
    int from = 0;
    for (; from + TILE * LANES <= n; from += TILE * LANES) update_avx2_tile(out, base, add, adds, sub, subs, from, TILE);
    for (; from < n; from += 2 * LANES) update_avx2_tile(out, base, add, adds, sub, subs, from, 2);
}

/* value * weight fits sixteen bits (NET_OUT_MAX); the product with value and the sum of pairs is one instruction. */
__attribute__((target("avx2"))) static int64_t sum_avx2(const int16_t *values, const int16_t *weights, int n)
{
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi16(NET_UNIT_IN);
    __m256i       sums[2] = {zero, zero};
    int32_t       lanes[8];
    int64_t       sum = 0;
    for (int i = 0; i < n; i += 2 * LANES) {
        for (int k = 0; k < 2; k++) {
            __m256i value  = _mm256_loadu_si256((const __m256i *)(const void *)(values + i + k * LANES));
            __m256i weight = _mm256_loadu_si256((const __m256i *)(const void *)(weights + i + k * LANES));
            value          = _mm256_min_epi16(_mm256_max_epi16(value, zero), one);
            sums[k]        = _mm256_add_epi32(sums[k], _mm256_madd_epi16(_mm256_mullo_epi16(value, weight), value));
        }
    }
    _mm256_storeu_si256((__m256i *)(void *)lanes, sums[0]);
    for (int i = 0; i < 8; i++) sum += lanes[i];
    _mm256_storeu_si256((__m256i *)(void *)lanes, sums[1]);
    for (int i = 0; i < 8; i++) sum += lanes[i];
    return sum;
}
#endif

#if defined(__ARM_NEON)
#include <arm_neon.h>

static void update_neon(int16_t *out, const int16_t *base, const int16_t *const *add, int adds, const int16_t *const *sub,
                        int subs, int n)
{
    for (int i = 0; i < n; i += 8) {
        int16x8_t value = vld1q_s16(base + i);
        for (int k = 0; k < adds; k++) value = vaddq_s16(value, vld1q_s16(add[k] + i));
        for (int k = 0; k < subs; k++) value = vsubq_s16(value, vld1q_s16(sub[k] + i));
        vst1q_s16(out + i, value);
    }
}

static int64_t sum_neon(const int16_t *values, const int16_t *weights, int n)
{
    int32x4_t sum = vdupq_n_s32(0);
    for (int i = 0; i < n; i += 8) {
        int16x8_t value   = vminq_s16(vmaxq_s16(vld1q_s16(values + i), vdupq_n_s16(0)), vdupq_n_s16(NET_UNIT_IN));
        int16x8_t product = vmulq_s16(value, vld1q_s16(weights + i));
        sum               = vmlal_s16(sum, vget_low_s16(product), vget_low_s16(value));
        sum               = vmlal_s16(sum, vget_high_s16(product), vget_high_s16(value));
    }
    return (int64_t)vgetq_lane_s32(sum, 0) + vgetq_lane_s32(sum, 1) + vgetq_lane_s32(sum, 2) + vgetq_lane_s32(sum, 3);
}
#endif

static const NetKernels kernels[] = {
    {"scalar", update_scalar, sum_scalar},
#if defined(__x86_64__)
    {"avx2", update_avx2, sum_avx2},
#elif defined(__ARM_NEON)
    {"neon", update_neon, sum_neon},
#endif
};

int net_kernel_count(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? 2 : 1;
#else
    return (int)(sizeof kernels / sizeof *kernels);
#endif
}

const NetKernels *net_kernels(int index) { return &kernels[index]; }
const NetKernels *net_kernels_best(void) { return &kernels[net_kernel_count() - 1]; }

/* rng.h - a small, fast, seeded random number generator (xoshiro256**), the same on every machine.
 *
 * For games, tests and table building; not for secrets. The state is a value: two of them never disturb each other.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

#include "base/wide.h"

typedef struct {
    uint64_t s[4];
} Rng;

/* Any seed is good; equal seeds give equal sequences. */
static inline Rng rng_seeded(uint64_t seed)
{
    Rng rng;
    for (int i = 0; i < 4; i++) { /* splitmix64 spreads even seeds like 0 and 1 over the whole state */
        seed += 0x9e3779b97f4a7c15U;
        uint64_t z = seed;
        z          = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z          = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        rng.s[i]   = z ^ (z >> 31);
    }
    return rng;
}

static inline uint64_t rng_rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t rng_next(Rng *rng)
{
    uint64_t *s      = rng->s;
    uint64_t  result = rng_rotate(s[1] * 5, 7) * 9;
    uint64_t  t      = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

/* Uniform in 0..bound-1 without bias worth naming (the high half of a 128-bit product). `bound` is not 0. */
static inline uint64_t rng_below(Rng *rng, uint64_t bound) { return wide_mul_high(rng_next(rng), bound); }

/* Uniform in [0, 1). */
static inline double rng_unit(Rng *rng) { return (double)(rng_next(rng) >> 11) * 0x1p-53; }

#endif

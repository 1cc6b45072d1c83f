/* wide.h - products of more than 64 bits, on machines with and without a type for them. Threads: [any]. */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <stdint.h>

/* The high half of a * b: spreads a 64-bit hash evenly over 0..b-1. Hot: one multiplication where the machine has it. */
static inline uint64_t wide_mul_high(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
#else
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low, cross = a_high * b_low + (low >> 32), other = a_low * b_high + (uint32_t)cross;
    return a_high * b_high + (cross >> 32) + (other >> 32);
#endif
}

#endif

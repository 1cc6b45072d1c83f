/* bytes.h - numbers in files: little-endian whatever the machine is. Threads: [any]. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdint.h>

static inline void bytes_put(uint8_t *at, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t bytes_get(const uint8_t *at, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

#endif

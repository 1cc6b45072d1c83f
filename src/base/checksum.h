/* checksum.h - FNV-1a over bytes: tells a torn or damaged record from a whole one. Not for secrets. Threads: [any]. */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t checksum_of(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint64_t       hash  = 0xcbf29ce484222325U;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001b3U;
    return hash;
}

#endif

/* net.h - the network that judges positions: (768 -> N) x 2 -> 1, and the file it lives in.
 *
 * Each side sees the board from its own side: 768 inputs say "my knight stands on f3" and so on, turned over for Black, and
 * mirrored so that the own king stands on files a-d. There may be four sets of first weights; where the own king stands chooses.
 * The first layer's sums for both sides, squared after clamping to 0..1, feed one output neuron, chosen among `buckets` by the
 * number of men.
 * Numbers are integers: weights of the first layer times 255, of the second times 64. Every kernel gives the same bits.
 * File: 64 bytes of head (magic, sizes, scale, curves), then the weights, little-endian, then a checksum of all before it.
 * Threads: a Net is read-only after loading: [any].
 */
#ifndef NET_NET_H
#define NET_NET_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
    NET_INPUTS      = 768,
    NET_HIDDEN_MAX  = 1024, /* beyond it the sums of a vector lane could overflow */
    NET_HIDDEN_STEP = 32,   /* what the kernels take at a time */
    NET_BUCKETS_MAX = 8,
    NET_KINGS_MAX   = 4,
    NET_UNIT_IN     = 255, /* one, in the first layer */
    NET_UNIT_OUT    = 64,  /* one, in the second */
    NET_OUT_MAX     = 128, /* so that 255 times a weight fits sixteen bits */
    NET_CURVES      = 5,
};

typedef struct {
    int      hidden, buckets;
    int      kings;              /* sets of weights of the first layer, by the own king's place: 1 or NET_KINGS_MAX */
    int      scale;              /* thousandths of a centipawn for one unit of the output */
    int16_t *inputs;             /* [kings][NET_INPUTS][hidden], 64-byte aligned */
    int16_t *biases;             /* [hidden] */
    int16_t *outputs;            /* [buckets][2][hidden]: the mover's side first */
    int32_t *offsets;            /* [buckets], in units of both layers */
    uint64_t hash;               /* of the file */
    int32_t  curves[NET_CURVES]; /* what its values win, in hundredths: eval's WdlModel; all zero: nobody has fitted them */
} Net;

/* Room for a network with all weights zero; NULL when memory is short. */
Net *net_new(int hidden, int buckets, int kings);
void net_free(Net *net);

/* NULL with *err that says what is wrong: not a network, another version, damaged, out of range. */
Net *net_from_bytes(const void *data, size_t size, Err *err);
Net *net_load(const char *path, Err *err);

/* The network that this program carries, if it was built with one. */
bool net_is_embedded(void);
Net *net_embedded(Err *err);

/* Writes the file and sets net->hash; an old file is replaced only when the new one is whole. */
bool net_save(Net *net, const char *path, Err *err);

/* Which output neuron judges a position with so many men. */
static inline int net_bucket(int buckets, int men) { return (men - 1) * buckets / 32; }

#endif

/* kernels.h - the two inner loops of a network, for several processors. Internal to `net`.
 *
 * All give the same bits as the scalar ones, which are the definition; tests compare them. Hot: everything. Threads: [any].
 */
#ifndef NET_KERNELS_H
#define NET_KERNELS_H

#include <stdint.h>

enum { NET_CHANGES_MAX = 32 }; /* rows added, or taken away, in one update */

/* out = base + the rows in `add` - the rows in `sub`, modulo 2^16; out may be base. n is a multiple of NET_HIDDEN_STEP. */
typedef void NetUpdateFn(int16_t *out, const int16_t *base, const int16_t *const *add, int adds, const int16_t *const *sub,
                         int subs, int n);

/* The sum over i of weights[i] * clamp(values[i], 0, 255)^2. */
typedef int64_t NetSumFn(const int16_t *values, const int16_t *weights, int n);

typedef struct {
    const char  *name; /* "scalar", "avx2", "neon" */
    NetUpdateFn *update;
    NetSumFn    *sum;
} NetKernels;

/* All that this processor can run, the best last. */
int               net_kernel_count(void);
const NetKernels *net_kernels(int index);
const NetKernels *net_kernels_best(void);

#endif

/* state.h - a network at work in one search thread: the first layer's sums, kept up to date by differences.
 *
 * Each ply has a slot that remembers the men its sums stand for. A new position is reached from whichever known slot differs in
 * the fewest men: the one above, the sibling that stood here before, or the last full one with the same mirroring. So nobody has
 * to tell of moves and nothing can get out of step: a slot is right for the men it names, whatever was searched since.
 * Hot: net_evaluate. Threads: one at a time.
 */
#ifndef NET_STATE_H
#define NET_STATE_H

#include "chess/position.h"
#include "net/kernels.h"
#include "net/net.h"

typedef struct NetState NetState;

enum { NET_PLIES = 264 }; /* plies that have a slot of their own */

/* NULL when memory is short. The network must live as long. `kernels` NULL: the best. */
NetState *net_state_new(const Net *net, const NetKernels *kernels);
void      net_state_free(NetState *state);

const Net *net_state_net(const NetState *state);

/* The value of `pos` in centipawns for the side to move; `ply` tells which slot to use (any is right, the tree's is
 * fast). */
int net_evaluate(NetState *state, const Position *pos, int ply);

/* The input of a man for one side, whose king stands on `king`. */
static inline int net_input(Color view, Square king, Color color, PieceType type, Square square)
{
    int turned = square ^ (view == BLACK ? 56 : 0) ^ ((king & 7) > 3 ? 7 : 0);
    return ((color == view ? 0 : 6) + (int)type) * 64 + turned;
}

#endif

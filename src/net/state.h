/* state.h - a network at work in one search thread: the first layer's sums, kept up to date by differences.
 *
 * Each ply has a slot that remembers the men its sums stand for. A new position is reached from a known slot that differs on few
 * squares: one above, the sibling that stood here before, or the last one with the own king in the same corner. So nobody has to
 * tell of moves and nothing can get out of step: a slot is right for the men it names, whatever was searched since.
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

/* Which of `kings` sets of weights sees the board when the own king stands there: the castled king's corner, the middle of the
 * first rank, the second rank, the open field. */
static inline int net_king_area(int kings, Color view, Square king)
{
    int rank = (king ^ (view == BLACK ? 56 : 0)) >> 3, file = king & 7;
    if (kings == 1) return 0;
    return rank > 1 ? 3 : rank == 1 ? 2 : file < 2 || file > 5 ? 0 : 1;
}

/* Set of weights and mirroring together: sums of one corner mean nothing in another. */
static inline int net_corner(int kings, Color view, Square king)
{
    return 2 * net_king_area(kings, view, king) + ((king & 7) > 3);
}

#endif

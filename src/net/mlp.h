/* mlp.h - the small network of the fourth ancestor: 70 numbers in, 32 neurons, one number out.
 *
 * Kept as it was described, to be measured against what came later: squares coded 0 to 12 from a1, a2 to h8, four castling flags,
 * the en passant file or -1, the side to move; ReLU, then tanh. It adds a breath of position to a count of material.
 * One thing differs: the en passant file is given only when the capture is legal, as everywhere in Tabia.
 * Threads: read-only after loading: [any].
 */
#ifndef NET_MLP_H
#define NET_MLP_H

#include "base/err.h"
#include "chess/position.h"

enum { MLP_INPUTS = 70, MLP_HIDDEN = 32 };

typedef struct {
    float inputs[MLP_HIDDEN][MLP_INPUTS];
    float biases[MLP_HIDDEN];
    float outputs[MLP_HIDDEN];
    float offset;
} Mlp;

void mlp_encode(const Position *pos, float out[MLP_INPUTS]);

/* From -1 (Black wins) to 1 (White wins); `hidden`, when not NULL, gets what the neurons gave. */
float mlp_value(const Mlp *mlp, const float in[MLP_INPUTS], float *hidden);

bool mlp_save(const Mlp *mlp, const char *path, Err *err);
bool mlp_load(Mlp *mlp, const char *path, Err *err); /* *mlp is unchanged on an error */

#endif

/* mlp.c - see mlp.h. */
#include "net/mlp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"

static const char MAGIC[] = "TABIAML1";

enum { MAGIC_SIZE = 8, SUM_SIZE = 8 };

void mlp_encode(const Position *pos, float out[MLP_INPUTS])
{
    for (int file = 0; file < 8; file++) {
        for (int rank = 0; rank < 8; rank++) {
            Piece man            = pos->board[rank * 8 + file];
            int   code           = (int)piece_type(man) + (piece_color(man) == WHITE ? 1 : 7);
            out[file * 8 + rank] = man == NO_PIECE ? 0 : (float)code;
        }
    }
    for (int i = 0; i < 4; i++)
        out[64 + i] = position_castle_rook(pos, i < 2 ? WHITE : BLACK, i % 2 ? SIDE_LONG : SIDE_SHORT) != SQ_NONE ? 1 : 0;
    out[68] = pos->ep_square == SQ_NONE ? -1 : (float)(pos->ep_square & 7);
    out[69] = position_side(pos) == BLACK ? 1 : 0;
}

float mlp_value(const Mlp *mlp, const float in[MLP_INPUTS], float *hidden)
{
    float sum = mlp->offset;
    for (int h = 0; h < MLP_HIDDEN; h++) {
        float neuron = mlp->biases[h];
        for (int i = 0; i < MLP_INPUTS; i++) neuron += mlp->inputs[h][i] * in[i];
        if (neuron < 0) neuron = 0;
        if (hidden) hidden[h] = neuron;
        sum += neuron * mlp->outputs[h];
    }
    return tanhf(sum);
}

bool mlp_save(const Mlp *mlp, const char *path, Err *err)
{
    uint8_t sum[SUM_SIZE];
    FILE   *file = fopen(path, "wb");
    if (!file) return err_set_errno(err, ERR_IO, "cannot write %s", path);
    bytes_put(sum, checksum_of(mlp, sizeof *mlp), SUM_SIZE);
    bool ok = fwrite(MAGIC, 1, MAGIC_SIZE, file) == MAGIC_SIZE && fwrite(mlp, sizeof *mlp, 1, file) == 1 &&
              fwrite(sum, 1, SUM_SIZE, file) == SUM_SIZE;
    ok = fclose(file) == 0 && ok;
    return ok || err_set_errno(err, ERR_IO, "cannot write %s", path);
}

bool mlp_load(Mlp *mlp, const char *path, Err *err)
{
    char    magic[MAGIC_SIZE];
    uint8_t sum[SUM_SIZE];
    Mlp     read;
    FILE   *file = fopen(path, "rb");
    if (!file) return err_set_errno(err, ERR_IO, "cannot read the network %s", path);
    bool ours  = fread(magic, 1, MAGIC_SIZE, file) == MAGIC_SIZE && memcmp(magic, MAGIC, MAGIC_SIZE) == 0;
    bool whole = ours && fread(&read, sizeof read, 1, file) == 1 && fread(sum, 1, SUM_SIZE, file) == SUM_SIZE &&
                 bytes_get(sum, SUM_SIZE) == checksum_of(&read, sizeof read);
    fclose(file);
    if (!ours) return err_set(err, ERR_FORMAT, 0, "%s is no small network of Tabia", path);
    if (!whole) return err_set(err, ERR_FORMAT, 0, "%s is damaged", path);
    *mlp = read;
    return true;
}

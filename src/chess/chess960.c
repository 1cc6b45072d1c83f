/* chess960.c - see chess960.h. The number is decoded as Scharnagl's scheme says: bishops, queen, then the pair of knights. */
#include "chess/chess960.h"

/* Puts a man on the free file that `skip` free ones come before. */
static void put_on_free(PieceType rank[FILES], int skip, PieceType type)
{
    int file = 0;
    while (rank[file] != NO_TYPE || skip-- > 0) file++;
    rank[file] = type;
}

void chess960_start(int number, Position *out)
{
    static const int knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    PieceType        rank[FILES];
    for (int i = 0; i < FILES; i++) rank[i] = NO_TYPE;
    rank[2 * (number % 4) + 1] = BISHOP; /* on a light square */
    number /= 4;
    rank[2 * (number % 4)] = BISHOP;
    number /= 4;
    put_on_free(rank, number % 6, QUEEN);
    number /= 6;
    put_on_free(rank, knights[number][1], KNIGHT); /* the later one first: the earlier one's count stays right */
    put_on_free(rank, knights[number][0], KNIGHT);
    put_on_free(rank, 0, ROOK);
    put_on_free(rank, 0, KING);
    put_on_free(rank, 0, ROOK);
    position_clear(out);
    for (int file = 0; file < FILES; file++) {
        position_put(out, square_of(file, RANK_1), piece_of(WHITE, rank[file]));
        position_put(out, square_of(file, RANK_2), W_PAWN);
        position_put(out, square_of(file, RANK_7), B_PAWN);
        position_put(out, square_of(file, RANK_8), piece_of(BLACK, rank[file]));
    }
    out->castle_rooks = out->types[ROOK];
    out->fullmove     = 1;
    out->chess960     = true;
    position_compute_keys(out);
}

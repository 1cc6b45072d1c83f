/* gen_kpk.c - solves king and pawn against king and writes the result as a constant table (C source) to standard output.
 *
 * Runs on the machine that builds. One bit a position, set when the side with the pawn wins: index ((side * 24 + pawn) *
 * 64 + king)
 * * 64 + enemy king, where the pawn is White's on the files a..d (others are mirrored), numbered rank by rank from a2, and
 * side 0 is
 * White to move. The solution is by retrograde steps: a position is won when a move leads to a won one (White to move) or
 * all moves do (Black to move); what never becomes won is drawn.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "chess/types.h"

enum { PAWN_SQUARES = 24, POSITIONS = 2 * PAWN_SQUARES * 64 * 64 };

static int file_of(int square) { return square & 7; }
static int rank_of(int square) { return square >> 3; }
static int pawn_square(int pawn) { return (pawn / 4 + 1) * 8 + pawn % 4; }

static int distance(int a, int b)
{
    int files = abs(file_of(a) - file_of(b)), ranks = abs(rank_of(a) - rank_of(b));
    return files > ranks ? files : ranks;
}

static int index_of(int side, int pawn, int king, int enemy) { return ((side * PAWN_SQUARES + pawn) * 64 + king) * 64 + enemy; }

static int pawn_attacks(int pawn, int square)
{
    int from = pawn_square(pawn);
    return rank_of(square) == rank_of(from) + 1 && abs(file_of(square) - file_of(from)) == 1;
}

static int is_legal(int side, int pawn, int king, int enemy)
{
    int square = pawn_square(pawn);
    if (distance(king, enemy) <= 1 || king == square || enemy == square) return 0;
    return !(side == WHITE && pawn_attacks(pawn, enemy));
}

/* The pawn goes one or two steps: a new queen that lives wins, a pawn's move leads to another position. */
static int pawn_move_wins(const unsigned char *won, int pawn, int king, int enemy)
{
    int to = pawn_square(pawn) + 8;
    if (to == king || to == enemy) return 0;
    if (rank_of(to) == RANK_8) return distance(enemy, to) > 1 || distance(king, to) == 1;
    if (won[index_of(BLACK, pawn + 4, king, enemy)]) return 1;
    int further = to + 8;
    return rank_of(to) == RANK_3 && further != king && further != enemy && won[index_of(BLACK, pawn + 8, king, enemy)];
}

static int white_wins(const unsigned char *won, int pawn, int king, int enemy)
{
    for (int to = 0; to < 64; to++) {
        if (distance(king, to) == 1 && is_legal(BLACK, pawn, to, enemy) && won[index_of(BLACK, pawn, to, enemy)]) return 1;
    }
    return pawn_move_wins(won, pawn, king, enemy);
}

static int black_loses(const unsigned char *won, int pawn, int king, int enemy)
{
    int moves = 0;
    for (int to = 0; to < 64; to++) {
        if (distance(enemy, to) != 1 || distance(king, to) <= 1 || pawn_attacks(pawn, to)) continue;
        if (to == pawn_square(pawn)) return 0; /* the pawn is taken: nothing is left to win with */
        if (!won[index_of(WHITE, pawn, king, to)]) return 0;
        moves++;
    }
    return moves > 0; /* none: stalemate */
}

static int step(unsigned char *won)
{
    int changed = 0;
    for (int i = 0; i < POSITIONS; i++) {
        int enemy = i & 63, king = i >> 6 & 63, pawn = (i >> 12) % PAWN_SQUARES, side = (i >> 12) / PAWN_SQUARES;
        if (won[i] || !is_legal(side, pawn, king, enemy)) continue;
        won[i] = (unsigned char)(side == WHITE ? white_wins(won, pawn, king, enemy) : black_loses(won, pawn, king, enemy));
        changed |= won[i];
    }
    return changed;
}

int main(void)
{
    unsigned char *won = calloc(POSITIONS, 1);
    if (!won) return 1;
    while (step(won)) {}
    printf("/* Written by tools/gen_kpk.c. */\n#include <stdint.h>\n\n");
    printf("extern const uint64_t kpk_table[%d];\nconst uint64_t kpk_table[%d] = {\n", POSITIONS / 64, POSITIONS / 64);
    for (int i = 0; i < POSITIONS; i += 64) {
        uint64_t bits = 0;
        for (int k = 0; k < 64; k++) bits |= (uint64_t)won[i + k] << k;
        printf("0x%" PRIx64 ",%s", bits, i / 64 % 6 == 5 ? "\n" : "");
    }
    printf("};\n");
    free(won);
    return 0;
}

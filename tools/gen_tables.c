/* gen_tables.c - writes the constant tables of src/chess (attacks, lines, keys) as C source to standard output.
 *
 * Runs on the machine that builds, once a build; TABIA_PEXT decides, as in bitboard.h, by what the slider attacks are
 * indexed. Magic factors are found here by trial with a fixed seed, so two builds give the same bytes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "chess/keys.h"
#include "chess/types.h"

enum { SLIDER_TABLE = 102400 + 5248 };

typedef struct {
    Bitboard mask, magic;
    unsigned offset, shift;
} Line;

static const int rook_steps[4][2]   = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
static const int bishop_steps[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const int knight_steps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const int king_steps[8][2]   = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};

static int on_board(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }

static Bitboard bit(int file, int rank) { return (Bitboard)1 << (rank * 8 + file); }

/* The squares from `square` in one direction, up to and with the first occupied one. */
static Bitboard ray(int square, const int step[2], Bitboard occupied)
{
    Bitboard set = 0;
    for (int f = square % 8 + step[0], r = square / 8 + step[1]; on_board(f, r); f += step[0], r += step[1]) {
        set |= bit(f, r);
        if (occupied & bit(f, r)) break;
    }
    return set;
}

static Bitboard slide(int square, const int steps[4][2], Bitboard occupied)
{
    Bitboard set = 0;
    for (int i = 0; i < 4; i++) set |= ray(square, steps[i], occupied);
    return set;
}

static Bitboard jump(int square, const int steps[8][2])
{
    Bitboard set = 0;
    for (int i = 0; i < 8; i++) {
        int f = square % 8 + steps[i][0], r = square / 8 + steps[i][1];
        if (on_board(f, r)) set |= bit(f, r);
    }
    return set;
}

/* The squares whose occupation matters: the rays without the last square of each, which is attacked in any case. */
static Bitboard relevant(int square, const int steps[4][2])
{
    Bitboard mask = 0;
    for (int i = 0; i < 4; i++) {
        for (int f = square % 8 + steps[i][0], r = square / 8 + steps[i][1]; on_board(f + steps[i][0], r + steps[i][1]);
             f += steps[i][0], r += steps[i][1])
            mask |= bit(f, r);
    }
    return mask;
}

/* What the PDEP instruction does: spreads the low bits of `index` over the bits of `mask`. */
static Bitboard deposit(unsigned index, Bitboard mask)
{
    Bitboard set = 0;
    for (; mask; mask &= mask - 1, index >>= 1) {
        if (index & 1) set |= mask & -mask;
    }
    return set;
}

#ifdef TABIA_PEXT
static void fill(Line *line, int square, const int steps[4][2], Bitboard *table, Rng *rng)
{
    (void)rng;
    unsigned subsets = 1U << __builtin_popcountll(line->mask);
    for (unsigned i = 0; i < subsets; i++) table[line->offset + i] = slide(square, steps, deposit(i, line->mask));
}
#else
/* Tries sparse random factors until one maps every subset to a slot that no subset with other attacks uses. */
static void fill(Line *line, int square, const int steps[4][2], Bitboard *table, Rng *rng)
{
    enum { SUBSETS_MAX = 4096 };
    static Bitboard occupied[SUBSETS_MAX], attacks[SUBSETS_MAX];
    static unsigned tried[SUBSETS_MAX];
    unsigned        subsets = 1U << __builtin_popcountll(line->mask);
    for (unsigned i = 0; i < subsets; i++) {
        occupied[i] = deposit(i, line->mask);
        attacks[i]  = slide(square, steps, occupied[i]);
        tried[i]    = 0;
    }
    unsigned done = 0;
    for (unsigned attempt = 1; done < subsets; attempt++) {
        line->magic = rng_next(rng) & rng_next(rng) & rng_next(rng);
        if (__builtin_popcountll((line->mask * line->magic) >> 56) < 6) continue;
        for (done = 0; done < subsets; done++) {
            unsigned index = (unsigned)((occupied[done] * line->magic) >> line->shift);
            if (tried[index] == attempt && table[line->offset + index] != attacks[done]) break;
            tried[index]                = attempt;
            table[line->offset + index] = attacks[done];
        }
    }
}
#endif

static void print_bitboards(const char *declaration, const Bitboard *values, int count)
{
    printf("const Bitboard %s = {\n", declaration);
    for (int i = 0; i < count; i++) printf("0x%" PRIx64 "U,%s", values[i], i % 6 == 5 ? "\n" : "");
    printf("};\n\n");
}

static void print_sliders(const char *name, const Line *lines)
{
    printf("const Slider %s[SQUARES] = {\n", name);
    for (int s = 0; s < 64; s++) {
        printf("{.mask = 0x%" PRIx64 "U, ", lines[s].mask);
#ifndef TABIA_PEXT
        printf(".magic = 0x%" PRIx64 "U, ", lines[s].magic);
#endif
        printf(".offset = %u, .shift = %u},\n", lines[s].offset, lines[s].shift);
    }
    printf("};\n\n");
}

static void print_all_sliders(void)
{
    static Bitboard table[SLIDER_TABLE];
    Line            rooks[64], bishops[64];
    Rng             rng    = rng_seeded(2026);
    unsigned        offset = 0;
    for (int kind = 0; kind < 2; kind++) {
        for (int s = 0; s < 64; s++) {
            const int(*steps)[2] = kind ? bishop_steps : rook_steps;
            Line *line           = kind ? &bishops[s] : &rooks[s];
            line->mask           = relevant(s, steps);
            line->offset         = offset;
            line->shift          = 64 - (unsigned)__builtin_popcountll(line->mask);
            fill(line, s, steps, table, &rng);
            offset += 1U << __builtin_popcountll(line->mask);
        }
    }
    if (offset != SLIDER_TABLE) {
        fprintf(stderr, "gen_tables: %u slider entries, expected %d\n", offset, SLIDER_TABLE);
        exit(1);
    }
    print_bitboards("slider_attacks[SLIDER_ATTACKS]", table, SLIDER_TABLE);
    print_sliders("rook_sliders", rooks);
    print_sliders("bishop_sliders", bishops);
}

static void print_steppers(void)
{
    Bitboard pawns[2][64] = {{0}}, knights[64], kings[64], rooks[64], bishops[64], diagonals[64], antidiagonals[64];
    for (int s = 0; s < 64; s++) {
        int f = s % 8, r = s / 8;
        for (int side = -1; side <= 1; side += 2) {
            if (on_board(f + side, r + 1)) pawns[0][s] |= bit(f + side, r + 1);
            if (on_board(f + side, r - 1)) pawns[1][s] |= bit(f + side, r - 1);
        }
        knights[s]       = jump(s, knight_steps);
        kings[s]         = jump(s, king_steps);
        rooks[s]         = slide(s, rook_steps, 0);
        bishops[s]       = slide(s, bishop_steps, 0);
        diagonals[s]     = ray(s, bishop_steps[0], 0) | ray(s, bishop_steps[2], 0) | bit(f, r);
        antidiagonals[s] = ray(s, bishop_steps[1], 0) | ray(s, bishop_steps[3], 0) | bit(f, r);
    }
    printf("const Bitboard pawn_attack_table[COLORS][SQUARES] = {\n");
    for (int c = 0; c < 2; c++) {
        printf("{");
        for (int s = 0; s < 64; s++) printf("0x%" PRIx64 "U,%s", pawns[c][s], s % 6 == 5 ? "\n" : "");
        printf("},\n");
    }
    printf("};\n\n");
    print_bitboards("knight_attack_table[SQUARES]", knights, 64);
    print_bitboards("king_attack_table[SQUARES]", kings, 64);
    print_bitboards("rook_ray_table[SQUARES]", rooks, 64);
    print_bitboards("bishop_ray_table[SQUARES]", bishops, 64);
    print_bitboards("diagonal_table[SQUARES]", diagonals, 64);
    print_bitboards("antidiagonal_table[SQUARES]", antidiagonals, 64);
}

/* Between (or the line through) two squares, found by walking from one to the other. */
static Bitboard connect(int a, int b, int whole_line)
{
    for (int i = 0; i < 8; i++) {
        Bitboard forth = ray(a, king_steps[i], (Bitboard)1 << b);
        if (!(forth >> b & 1)) continue;
        Bitboard target = (Bitboard)1 << b;
        if (!whole_line) return forth & ~target;
        return ray(a, king_steps[i], 0) | ray(a, king_steps[(i + 4) % 8], 0) | (Bitboard)1 << a;
    }
    return 0;
}

static void print_pairs(const char *name, int whole_line)
{
    printf("const Bitboard %s[SQUARES][SQUARES] = {\n", name);
    for (int a = 0; a < 64; a++) {
        printf("{");
        for (int b = 0; b < 64; b++) printf("0x%" PRIx64 "U,%s", a == b ? 0 : connect(a, b, whole_line), b % 6 == 5 ? "\n" : "");
        printf("},\n");
    }
    printf("};\n\n");
}

static void print_keys(void)
{
    printf("const Key piece_keys[PIECES][SQUARES] = {\n");
    for (int color = 0; color < 2; color++) {
        for (int type = PAWN; type <= KING; type++) {
            printf("[%d] = {", color * 8 + type);
            const Key *row = &polyglot_random[64 * (2 * type + (color == WHITE))];
            for (int s = 0; s < 64; s++) printf("0x%" PRIx64 "U,%s", row[s], s % 6 == 5 ? "\n" : "");
            printf("},\n");
        }
    }
    printf("};\n\nconst Key castling_keys[16] = {\n");
    for (int rights = 0; rights < 16; rights++) {
        Key key = 0;
        for (int i = 0; i < 4; i++) {
            if (rights & 1 << i) key ^= polyglot_random[POLYGLOT_CASTLE + i];
        }
        printf("0x%" PRIx64 "U,\n", key);
    }
    printf("};\n");
}

/* Every reversible move's change of the key, in a table that finds it in two looks (cuckoo hashing): for seeing that one
 * move would repeat a position. */
static void print_cuckoo(void)
{
    enum { SIZE = CUCKOO_SIZE };
    static Key      keys[SIZE];
    static unsigned moves[SIZE];
    for (int piece = W_KNIGHT; piece <= B_KING; piece++) {
        int type = piece & 7;
        if (type < KNIGHT || type > KING) continue;
        for (int a = 0; a < 64; a++) {
            Bitboard reach = type == KNIGHT   ? jump(a, knight_steps)
                             : type == KING   ? jump(a, king_steps)
                             : type == BISHOP ? slide(a, bishop_steps, 0)
                             : type == ROOK   ? slide(a, rook_steps, 0)
                                              : slide(a, bishop_steps, 0) | slide(a, rook_steps, 0);
            for (int b = a + 1; b < 64; b++) {
                if (!(reach >> b & 1)) continue;
                const Key *row  = &polyglot_random[64 * (2 * type + (piece < 8))];
                Key        key  = row[a] ^ row[b] ^ polyglot_random[POLYGLOT_TURN];
                unsigned   move = (unsigned)a | (unsigned)b << 6;
                for (unsigned slot = cuckoo_first(key);;) {
                    Key      old_key  = keys[slot];
                    unsigned old_move = moves[slot];
                    keys[slot]        = key;
                    moves[slot]       = move;
                    if (old_key == 0) break;
                    key  = old_key;
                    move = old_move;
                    slot = slot == cuckoo_first(key) ? cuckoo_second(key) : cuckoo_first(key);
                }
            }
        }
    }
    printf("\nconst Key cuckoo_keys[CUCKOO_SIZE] = {\n");
    for (int i = 0; i < SIZE; i++) printf("0x%" PRIx64 "U,%s", keys[i], i % 6 == 5 ? "\n" : "");
    printf("};\n\nconst Move cuckoo_moves[CUCKOO_SIZE] = {\n");
    for (int i = 0; i < SIZE; i++) printf("%u,%s", moves[i], i % 16 == 15 ? "\n" : "");
    printf("};\n");
}

int main(void)
{
    printf("/* Written by tools/gen_tables.c at build time. */\n"
           "#include \"chess/bitboard.h\"\n#include \"chess/keys.h\"\n\n");
    print_all_sliders();
    print_steppers();
    print_pairs("between_table", 0);
    print_pairs("line_table", 1);
    print_keys();
    print_cuckoo();
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}

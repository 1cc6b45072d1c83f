/* bitboard.h - sets of squares and what each piece attacks.
 *
 * All tables are constants that the build generates (tools/gen_tables.c): no start-up work, no order of initialisation,
 * nothing mutable. Sliders look their attacks up by the occupied squares on their lines: with the PEXT instruction
 * where it is fast (TABIA_PEXT, set by the Makefile), else by a magic multiplication. Everything here is hot.
 * Threads: [any].
 */
#ifndef CHESS_BITBOARD_H
#define CHESS_BITBOARD_H

#include "chess/types.h"

#ifdef TABIA_PEXT
#include <immintrin.h>
#endif

/* One square's lines for a rook or a bishop: where its attacks start in `slider_attacks`. */
typedef struct {
    Bitboard mask;
#ifndef TABIA_PEXT
    Bitboard magic;
#endif
    uint32_t offset;
    uint32_t shift;
} Slider;

enum { SLIDER_ATTACKS = 102400 + 5248 };

extern const Bitboard slider_attacks[SLIDER_ATTACKS];
extern const Slider   rook_sliders[SQUARES];
extern const Slider   bishop_sliders[SQUARES];
extern const Bitboard pawn_attack_table[COLORS][SQUARES];
extern const Bitboard knight_attack_table[SQUARES];
extern const Bitboard king_attack_table[SQUARES];
extern const Bitboard rook_ray_table[SQUARES];   /* attacks on an empty board */
extern const Bitboard bishop_ray_table[SQUARES]; /* attacks on an empty board */
extern const Bitboard diagonal_table[SQUARES];   /* the whole line through the square that runs like a1-h8 */
extern const Bitboard antidiagonal_table[SQUARES];
extern const Bitboard between_table[SQUARES][SQUARES]; /* strictly between; empty when not on one line */
extern const Bitboard line_table[SQUARES][SQUARES];    /* the whole line through both; empty when there is none */

#define BB_FILE_A ((Bitboard)0x0101010101010101)
#define BB_FILE_H ((Bitboard)0x8080808080808080)
#define BB_RANK_1 ((Bitboard)0x00000000000000ff)
#define BB_RANK_8 ((Bitboard)0xff00000000000000)
#define BB_LIGHT ((Bitboard)0x55aa55aa55aa55aa)
#define BB_DARK ((Bitboard)0xaa55aa55aa55aa55)

static inline Bitboard bb_of(Square square) { return (Bitboard)1 << square; }
static inline Bitboard bb_file(int file) { return BB_FILE_A << file; }
static inline Bitboard bb_rank(int rank) { return BB_RANK_1 << (8 * rank); }
static inline bool     bb_has(Bitboard set, Square square) { return (set >> square) & 1; }
static inline int      bb_count(Bitboard set) { return __builtin_popcountll(set); }
static inline bool     bb_more_than_one(Bitboard set) { return (set & (set - 1)) != 0; }

/* `set` is not empty. */
static inline Square bb_first(Bitboard set) { return __builtin_ctzll(set); }
static inline Square bb_last(Bitboard set) { return 63 - __builtin_clzll(set); }

static inline Square bb_pop(Bitboard *set)
{
    Square square = bb_first(*set);
    *set &= *set - 1;
    return square;
}

/* One step forward as `color` sees the board. */
static inline Bitboard bb_forward(Bitboard set, Color color) { return color == WHITE ? set << 8 : set >> 8; }

static inline Bitboard bb_east(Bitboard set) { return (set & ~BB_FILE_H) << 1; }
static inline Bitboard bb_west(Bitboard set) { return (set & ~BB_FILE_A) >> 1; }

static inline Bitboard bb_pawn_attacks(Bitboard pawns, Color color)
{
    Bitboard ahead = bb_forward(pawns, color);
    return bb_east(ahead) | bb_west(ahead);
}

static inline Bitboard slider_lookup(const Slider *slider, Bitboard occupied)
{
#ifdef TABIA_PEXT
    return slider_attacks[slider->offset + _pext_u64(occupied, slider->mask)];
#else
    return slider_attacks[slider->offset + (((occupied & slider->mask) * slider->magic) >> slider->shift)];
#endif
}

static inline Bitboard attacks_rook(Square square, Bitboard occupied) { return slider_lookup(&rook_sliders[square], occupied); }
static inline Bitboard attacks_bishop(Square square, Bitboard occupied)
{
    return slider_lookup(&bishop_sliders[square], occupied);
}
static inline Bitboard attacks_queen(Square square, Bitboard occupied)
{
    return attacks_rook(square, occupied) | attacks_bishop(square, occupied);
}
static inline Bitboard attacks_knight(Square square) { return knight_attack_table[square]; }
static inline Bitboard attacks_king(Square square) { return king_attack_table[square]; }
static inline Bitboard attacks_pawn(Color color, Square square) { return pawn_attack_table[color][square]; }

/* What a knight, bishop, rook, queen or king on `square` attacks (not a pawn: that needs a colour). */
static inline Bitboard attacks_of(PieceType type, Square square, Bitboard occupied)
{
    switch (type) {
    case KNIGHT: return attacks_knight(square);
    case BISHOP: return attacks_bishop(square, occupied);
    case ROOK: return attacks_rook(square, occupied);
    case QUEEN: return attacks_queen(square, occupied);
    case KING: return attacks_king(square);
    default: return 0;
    }
}

static inline Bitboard bb_between(Square a, Square b) { return between_table[a][b]; }
static inline Bitboard bb_line(Square a, Square b) { return line_table[a][b]; }

#endif

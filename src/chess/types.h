/* types.h - the vocabulary of the board: colours, pieces, squares, sets of squares, keys.
 *
 * Squares run a1 = 0, b1 = 1 ... h8 = 63, so a square is rank * 8 + file and a Bitboard has one bit a square.
 * A Piece is colour * 8 + type: one byte of the board array, and both halves come out with one instruction.
 */
#ifndef CHESS_TYPES_H
#define CHESS_TYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard;
typedef uint64_t Key;

typedef enum { WHITE, BLACK, COLORS } Color;

typedef enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPES, NO_TYPE = PIECE_TYPES } PieceType;

typedef uint8_t Piece;
enum {
    W_PAWN,
    W_KNIGHT,
    W_BISHOP,
    W_ROOK,
    W_QUEEN,
    W_KING,
    NO_PIECE,
    B_PAWN = 8,
    B_KNIGHT,
    B_BISHOP,
    B_ROOK,
    B_QUEEN,
    B_KING,
    PIECES = 16
};

typedef int Square;
/* clang-format off */
enum {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
    SQUARES, SQ_NONE = SQUARES
};
enum { FILE_A, FILE_B, FILE_C, FILE_D, FILE_E, FILE_F, FILE_G, FILE_H, FILES };
enum { RANK_1, RANK_2, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7, RANK_8, RANKS };
/* clang-format on */

static inline Color     color_flip(Color color) { return (Color)(color ^ 1); }
static inline Piece     piece_of(Color color, PieceType type) { return (Piece)((unsigned)color << 3 | (unsigned)type); }
static inline PieceType piece_type(Piece piece) { return (PieceType)(piece & 7); }
static inline Color     piece_color(Piece piece) { return (Color)(piece >> 3); }

static inline Square square_of(int file, int rank) { return rank * 8 + file; }
static inline int    square_file(Square square) { return square & 7; }
static inline int    square_rank(Square square) { return square >> 3; }

/* The rank counted from `color`'s own side of the board: a white pawn starts on relative rank 1, and so does a black one. */
static inline int    square_relative_rank(Color color, Square square) { return square_rank(square) ^ (color == WHITE ? 0 : 7); }
static inline Square square_relative(Color color, Square square) { return square ^ (color == WHITE ? 0 : 56); }

#endif

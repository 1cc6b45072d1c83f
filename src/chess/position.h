/* position.h - one chess position as a value: 192 bytes, copied to play a move.
 *
 * Eight bitboards (six piece types, two colours) rather than twelve: a move touches three words instead of two, but
 * everything that asks "where are rooks and queens" or "what is occupied" needs half the loads, and asking dominates.
 * The byte board answers "what stands here" in one load.
 * Playing a move copies the parent (docs/architecture.md has the measurement against make/unmake): there is
 * nothing to take back, an aborted search leaves nothing dirty, and a parent is untouched by construction.
 * Invariants: the keys equal position_compute_keys; `ep_square` is set only when an en passant capture is legal (so equal
 * positions have equal keys); `castle_rooks` holds the rooks that may still castle, in Chess960 too.
 * Threads: a Position is plain data; [any] for const access.
 */
#ifndef CHESS_POSITION_H
#define CHESS_POSITION_H

#include <stddef.h>

#include "chess/bitboard.h"
#include "chess/move.h"

typedef struct {
    _Alignas(max_align_t) Bitboard types[PIECE_TYPES]; /* what malloc gives, so a Position may live anywhere */
    Bitboard colors[COLORS];
    Piece    board[SQUARES];
    Key      key;                 /* the Polyglot key */
    Key      pawn_key;            /* of the pawns alone */
    Key      nonpawn_key[COLORS]; /* of one side's pieces without pawns, with the king */
    Bitboard castle_rooks;
    uint32_t fullmove;    /* counts from 1, grows after Black's move */
    uint16_t halfmove;    /* half-moves since the last capture or pawn move */
    uint8_t  side;        /* Color to move */
    uint8_t  ep_square;   /* SQ_NONE or the square behind the pawn that can be taken */
    bool     chess960;    /* castling is written king-takes-rook; the rules are the same */
    uint8_t  padding[15]; /* to six whole vectors, whatever the alignment asks for */
} Position;

_Static_assert(sizeof(Position) == 192, "a position is six vectors");

typedef enum { SIDE_SHORT, SIDE_LONG, CASTLE_SIDES } CastleSide;

static inline Color    position_side(const Position *pos) { return (Color)pos->side; }
static inline Bitboard position_occupied(const Position *pos) { return pos->colors[WHITE] | pos->colors[BLACK]; }
static inline Bitboard position_pieces(const Position *pos, Color color, PieceType type)
{
    return pos->colors[color] & pos->types[type];
}
static inline Piece position_piece_on(const Position *pos, Square square) { return pos->board[square]; }

/* Works on legal positions: exactly one king a side. */
static inline Square position_king(const Position *pos, Color color) { return bb_first(position_pieces(pos, color, KING)); }

/* Every piece of either colour that attacks `square`, given these occupied squares. */
static inline Bitboard position_attackers(const Position *pos, Square square, Bitboard occupied)
{
    Bitboard diagonal = pos->types[BISHOP] | pos->types[QUEEN];
    Bitboard straight = pos->types[ROOK] | pos->types[QUEEN];
    return (attacks_pawn(WHITE, square) & position_pieces(pos, BLACK, PAWN)) |
           (attacks_pawn(BLACK, square) & position_pieces(pos, WHITE, PAWN)) | (attacks_knight(square) & pos->types[KNIGHT]) |
           (attacks_king(square) & pos->types[KING]) | (attacks_bishop(square, occupied) & diagonal) |
           (attacks_rook(square, occupied) & straight);
}

/* The sliders of `color` that would attack `square` on an empty board: who can pin, check or discover. */
static inline Bitboard position_snipers(const Position *pos, Square square, Color color)
{
    Bitboard straight = rook_ray_table[square] & (pos->types[ROOK] | pos->types[QUEEN]);
    Bitboard diagonal = bishop_ray_table[square] & (pos->types[BISHOP] | pos->types[QUEEN]);
    return (straight | diagonal) & pos->colors[color];
}

/* The enemy pieces that give check to the side to move. */
static inline Bitboard position_checkers(const Position *pos)
{
    Color us = position_side(pos);
    return position_attackers(pos, position_king(pos, us), position_occupied(pos)) & pos->colors[color_flip(us)];
}

static inline bool position_in_check(const Position *pos) { return position_checkers(pos) != 0; }

/* What a move takes (NO_PIECE for none); castling takes nothing. */
static inline Piece position_captured(const Position *pos, Move move)
{
    if (move_kind(move) == MOVE_EN_PASSANT) return piece_of(color_flip(position_side(pos)), PAWN);
    if (move_kind(move) == MOVE_CASTLING) return NO_PIECE;
    return pos->board[move_to(move)];
}

/* Captures and promotions: what a quiescence search looks at. */
static inline bool position_is_noisy(const Position *pos, Move move)
{
    return move_kind(move) == MOVE_PROMOTION || position_captured(pos, move) != NO_PIECE;
}

/* The rook that `color` may castle with on this side, or SQ_NONE. */
Square position_castle_rook(const Position *pos, Color color, CastleSide side);

/* Where king and rook stand after castling. */
static inline Square castle_king_target(Color color, CastleSide side)
{
    return square_relative(color, side == SIDE_SHORT ? G1 : C1);
}
static inline Square castle_rook_target(Color color, CastleSide side)
{
    return square_relative(color, side == SIDE_SHORT ? F1 : D1);
}

/* Castling goes to the side on which the rook stands. */
static inline CastleSide castle_side_of(Move move) { return move_to(move) > move_from(move) ? SIDE_SHORT : SIDE_LONG; }

/* `*next` becomes the position after a legal `move`; `pos` and `next` are different objects. Hot. */
void position_play(const Position *pos, Move move, Position *next);

/* `*next` becomes `pos` with the other side to move; only when not in check. The half-move counter grows. */
void position_play_null(const Position *pos, Position *next);

/* Recomputes key, pawn_key and nonpawn_key from the board: for set-up and for tests of the incremental ones. */
void position_compute_keys(Position *pos);

/* Whether a pawn of the side to move may legally take en passant to `target`. */
bool position_ep_is_legal(const Position *pos, Square target);

/* An empty board, White to move, for position_put and the parsers. */
void position_clear(Position *pos);
void position_put(Position *pos, Square square, Piece piece); /* the square must be empty; keys are not updated */

/* The start of a game of chess. */
void position_set_start(Position *pos);

/* Same pieces, side, castling and en passant: the same position for the rules of repetition. */
bool position_same(const Position *a, const Position *b);

#endif

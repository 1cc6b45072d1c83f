/* position.c - playing a move, and what set-up needs. position_play is the hottest function of the chess layer. */
#include "chess/position.h"

#include <stddef.h>
#include <string.h>

#include "chess/keys.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Bit 0 white short, 1 white long, 2 black short, 3 black long: the order of the Polyglot constants. */
static unsigned castling_rights(const Position *pos)
{
    unsigned rights = 0;
    for (Bitboard rooks = pos->castle_rooks; rooks;) {
        Square   rook  = bb_pop(&rooks);
        unsigned black = square_rank(rook) == RANK_8;
        rights |= (position_king(pos, (Color)black) < rook ? 1U : 2U) << (2 * black);
    }
    return rights;
}

Square position_castle_rook(const Position *pos, Color color, CastleSide side)
{
    Bitboard rooks = pos->castle_rooks & pos->colors[color];
    if (!rooks) return SQ_NONE;
    Bitboard below = bb_of(position_king(pos, color)) - 1;
    rooks &= side == SIDE_SHORT ? ~below : below;
    return rooks ? bb_first(rooks) : SQ_NONE;
}

void position_compute_keys(Position *pos)
{
    pos->key = pos->pawn_key = pos->nonpawn_key[WHITE] = pos->nonpawn_key[BLACK] = 0;
    for (Square s = A1; s <= H8; s++) {
        Piece piece = pos->board[s];
        if (piece == NO_PIECE) continue;
        pos->key ^= piece_keys[piece][s];
        *(piece_type(piece) == PAWN ? &pos->pawn_key : &pos->nonpawn_key[piece_color(piece)]) ^= piece_keys[piece][s];
    }
    pos->key ^= castling_keys[castling_rights(pos)];
    if (pos->ep_square != SQ_NONE) pos->key ^= key_en_passant(pos->ep_square);
    if (pos->side == WHITE) pos->key ^= key_turn();
}

void position_clear(Position *pos)
{
    memset(pos, 0, sizeof *pos);
    memset(pos->board, NO_PIECE, sizeof pos->board);
    pos->ep_square = SQ_NONE;
    pos->fullmove  = 1;
}

void position_put(Position *pos, Square square, Piece piece)
{
    pos->board[square] = piece;
    pos->types[piece_type(piece)] |= bb_of(square);
    pos->colors[piece_color(piece)] |= bb_of(square);
}

void position_set_start(Position *pos)
{
    static const PieceType back[FILES] = {ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK};
    position_clear(pos);
    for (int file = FILE_A; file <= FILE_H; file++) {
        for (Color color = WHITE; color <= BLACK; color++) {
            position_put(pos, square_relative(color, square_of(file, RANK_1)), piece_of(color, back[file]));
            position_put(pos, square_relative(color, square_of(file, RANK_2)), piece_of(color, PAWN));
        }
    }
    pos->castle_rooks = pos->types[ROOK];
    position_compute_keys(pos);
}

bool position_same(const Position *a, const Position *b)
{
    return a->key == b->key && memcmp(a->board, b->board, sizeof a->board) == 0 && a->side == b->side &&
           a->castle_rooks == b->castle_rooks && a->ep_square == b->ep_square;
}

/* After the capture two pawns have left their squares and one stands on `target`: is the king then attacked? Covers pins of
 * either pawn along rank, file and diagonal, and checks that the capture does not end. */
static bool ep_exposes_king(const Position *pos, Color us, Square from, Square target)
{
    Square   victim   = target ^ 8;
    Bitboard occupied = (position_occupied(pos) ^ bb_of(from) ^ bb_of(victim)) | bb_of(target);
    Bitboard enemies  = pos->colors[color_flip(us)] & ~bb_of(victim);
    return position_attackers(pos, position_king(pos, us), occupied) & enemies;
}

bool position_ep_is_legal(const Position *pos, Square target)
{
    Color    us     = position_side(pos);
    Bitboard takers = attacks_pawn(color_flip(us), target) & position_pieces(pos, us, PAWN);
    while (takers) {
        if (!ep_exposes_king(pos, us, bb_pop(&takers), target)) return true;
    }
    return false;
}

/* Which of the side keys a piece belongs to. */
ALWAYS_INLINE Key *side_key(Position *pos, Color color, PieceType type)
{
    return type == PAWN ? &pos->pawn_key : &pos->nonpawn_key[color];
}

ALWAYS_INLINE void remove_piece(Position *pos, Square square, Color color, PieceType type)
{
    Key key = piece_keys[piece_of(color, type)][square];
    pos->types[type] ^= bb_of(square);
    pos->colors[color] ^= bb_of(square);
    pos->key ^= key;
    *side_key(pos, color, type) ^= key;
}

ALWAYS_INLINE void add_piece(Position *pos, Square square, Color color, PieceType type)
{
    pos->board[square] = piece_of(color, type);
    remove_piece(pos, square, color, type); /* the same exclusive-ors */
}

static __attribute__((noinline)) void drop_castling(Position *next, const Position *pos, Bitboard rooks)
{
    next->key ^= castling_keys[castling_rights(pos)];
    next->castle_rooks &= ~rooks;
    /* The king may have moved already: rights are read with the parent's kings. */
    Position before = *pos;
    before.castle_rooks &= ~rooks;
    next->key ^= castling_keys[castling_rights(&before)];
}

static __attribute__((noinline)) void play_castling(const Position *pos, Move move, Position *next, Color us)
{
    CastleSide side = castle_side_of(move);
    Square     from = move_from(move), rook = move_to(move);
    remove_piece(next, from, us, KING);
    remove_piece(next, rook, us, ROOK);
    next->board[from] = next->board[rook] = NO_PIECE;
    add_piece(next, castle_king_target(us, side), us, KING);
    add_piece(next, castle_rook_target(us, side), us, ROOK);
    drop_castling(next, pos, bb_rank(square_rank(from)));
}

/* The pawn has just moved two squares; en passant counts only when it can really be played. */
static __attribute__((noinline)) void offer_en_passant(Position *next, Square target)
{
    if (!position_ep_is_legal(next, target)) return;
    next->ep_square = (uint8_t)target;
    next->key ^= key_en_passant(target);
}

/* A position is six vectors: the compiler's own choice for an assignment is a call of memcpy, which costs a tenth of perft. */
ALWAYS_INLINE void copy_position(Position *to, const Position *from)
{
    typedef uint64_t Vector __attribute__((vector_size(32), aligned(_Alignof(Position)), may_alias));
    Vector          *target = (Vector *)to;
    const Vector    *source = (const Vector *)from;
    for (size_t i = 0; i < sizeof(Position) / sizeof(Vector); i++) target[i] = source[i];
}

ALWAYS_INLINE void play(const Position *pos, Move move, Position *next, Color us)
{
    Color     them = color_flip(us);
    Square    from = move_from(move), to = move_to(move);
    MoveKind  kind = move_kind(move);
    PieceType type = piece_type(pos->board[from]);

    copy_position(next, pos);
    next->key ^= key_turn();
    if (pos->ep_square != SQ_NONE) next->key ^= key_en_passant(pos->ep_square);
    next->ep_square = SQ_NONE;
    next->side      = (uint8_t)them;
    next->halfmove  = (uint16_t)(pos->halfmove + (pos->halfmove < UINT16_MAX));
    next->fullmove += us == BLACK;

    if (kind == MOVE_CASTLING) {
        play_castling(pos, move, next, us);
        return;
    }
    PieceType captured = piece_type(pos->board[to]);
    if (captured != NO_TYPE) {
        remove_piece(next, to, them, captured);
        next->halfmove = 0;
    }
    remove_piece(next, from, us, type);
    next->board[from] = NO_PIECE;
    add_piece(next, to, us, kind == MOVE_PROMOTION ? move_promotion(move) : type);

    Bitboard touched = bb_of(from) | bb_of(to);
    if (type == KING) touched |= us == WHITE ? BB_RANK_1 : BB_RANK_8;
    if (pos->castle_rooks & touched) drop_castling(next, pos, touched);

    if (type != PAWN) return;
    next->halfmove = 0;
    if (kind == MOVE_EN_PASSANT) {
        remove_piece(next, to ^ 8, them, PAWN);
        next->board[to ^ 8] = NO_PIECE;
    } else if ((from ^ to) == 16 && (attacks_pawn(us, to ^ 8) & position_pieces(pos, them, PAWN))) {
        offer_en_passant(next, to ^ 8);
    }
}

void position_play(const Position *pos, Move move, Position *next)
{
    if (pos->side == WHITE) {
        play(pos, move, next, WHITE);
    } else {
        play(pos, move, next, BLACK);
    }
}

void position_play_null(const Position *pos, Position *next)
{
    *next = *pos;
    next->key ^= key_turn();
    if (pos->ep_square != SQ_NONE) next->key ^= key_en_passant(pos->ep_square);
    next->ep_square = SQ_NONE;
    next->side ^= 1;
    next->halfmove = (uint16_t)(pos->halfmove + (pos->halfmove < UINT16_MAX));
    next->fullmove += pos->side == BLACK;
}

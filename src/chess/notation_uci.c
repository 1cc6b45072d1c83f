/* notation_uci.c - moves in the form of the UCI protocol; see notation.h. */
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

size_t move_to_uci(const Position *pos, Move move, char out[UCI_MOVE_SIZE])
{
    if (move == MOVE_NONE) {
        memcpy(out, "0000", 5);
        return 4;
    }
    Square from = move_from(move), to = move_to(move);
    if (move_kind(move) == MOVE_CASTLING && !pos->chess960) to = castle_king_target(position_side(pos), castle_side_of(move));
    size_t len = 0;
    out[len++] = file_letter(square_file(from));
    out[len++] = rank_digit(square_rank(from));
    out[len++] = file_letter(square_file(to));
    out[len++] = rank_digit(square_rank(to));
    if (move_kind(move) == MOVE_PROMOTION) out[len++] = "nbrq"[move_promotion(move) - KNIGHT];
    out[len] = '\0';
    return len;
}

/* A king's move means castling when it takes an own rook, or goes two files or more to the castling target. */
static Move king_move(const Position *pos, Square from, Square to)
{
    Color us = position_side(pos);
    if (bb_has(pos->castle_rooks & pos->colors[us], to)) return move_make_special(from, to, MOVE_CASTLING);
    int distance = square_file(to) - square_file(from);
    if (distance >= -1 && distance <= 1) return move_make(from, to);
    CastleSide side = distance > 0 ? SIDE_SHORT : SIDE_LONG;
    Square     rook = position_castle_rook(pos, us, side);
    if (rook == SQ_NONE || to != castle_king_target(us, side)) return move_make(from, to);
    return move_make_special(from, rook, MOVE_CASTLING);
}

bool move_from_uci(const Position *pos, Str text, Move *out, Err *err)
{
    Str    shown = {text.ptr, text.len < 40 ? text.len : 40};
    Square from  = text.len >= 4 ? square_from_text((Str){text.ptr, 2}) : SQ_NONE;
    Square to    = text.len >= 4 ? square_from_text((Str){text.ptr + 2, 2}) : SQ_NONE;
    if (from == SQ_NONE || to == SQ_NONE || text.len > 5)
        return err_set(err, ERR_SYNTAX, 0, "'%.*s' is not a move such as e2e4 or e7e8q", STR_ARGS(shown));

    PieceType type      = piece_type(pos->board[from]);
    PieceType promotion = NO_TYPE;
    if (text.len == 5) {
        promotion = piece_type(piece_from_letter(char_lower(text.ptr[4])));
        if (promotion < KNIGHT || promotion > QUEEN)
            return err_set(err, ERR_SYNTAX, 4, "'%.*s' does not promote to n, b, r or q", STR_ARGS(shown));
    }
    Move move = move_make(from, to);
    if (promotion != NO_TYPE) {
        move = move_make_promotion(from, to, promotion);
    } else if (type == KING) {
        move = king_move(pos, from, to);
    } else if (type == PAWN && to == pos->ep_square && square_file(from) != square_file(to)) {
        move = move_make_special(from, to, MOVE_EN_PASSANT);
    }
    KingState king = movegen_king_state(pos);
    if (!movegen_is_legal(pos, &king, move))
        return err_set(err, ERR_ILLEGAL_MOVE, 0, "'%.*s' is not a legal move here", STR_ARGS(shown));
    *out = move;
    return true;
}

/* checks.c - see checks.h. */
#include "chess/checks.h"

void checks_map(const Position *pos, CheckMap *out)
{
    Color    us = position_side(pos), them = color_flip(us);
    Square   king     = position_king(pos, them);
    Bitboard occupied = position_occupied(pos);
    Bitboard diagonal = attacks_bishop(king, occupied), straight = attacks_rook(king, occupied);
    *out = (CheckMap){
        .king    = king,
        .squares = {attacks_pawn(them, king), attacks_knight(king), diagonal, straight, diagonal | straight, 0},
    };
    Bitboard snipers = position_snipers(pos, king, us);
    while (snipers) {
        Bitboard blockers = bb_between(king, bb_pop(&snipers)) & occupied;
        if (blockers && !bb_more_than_one(blockers)) out->discoverers |= blockers & pos->colors[us];
    }
}

/* Castling, en passant and promotion change more than one square: look at the board as it will be. */
static bool special_gives(const Position *pos, Move move)
{
    Position next;
    position_play(pos, move, &next);
    return position_in_check(&next);
}

bool checks_gives(const Position *pos, const CheckMap *map, Move move)
{
    if (move_kind(move) != MOVE_NORMAL) return special_gives(pos, move);
    Square from = move_from(move), to = move_to(move);
    if (bb_has(map->squares[piece_type(pos->board[from])], to)) return true;
    return bb_has(map->discoverers, from) && !bb_has(bb_line(map->king, from), to);
}

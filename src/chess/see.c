/* see.c - see see.h. */
#include "chess/see.h"

const int see_values[PIECE_TYPES + 1] = {100, 325, 325, 500, 975, 0, 0};

/* The exchange on one square as it stands: who still attacks it, and what is on the board. */
typedef struct {
    const Position *pos;
    Square          square;
    Bitboard        occupied;
    Bitboard        attackers; /* both colours, those already used left out */
    Bitboard        pinned[COLORS];
    Bitboard        pinners[COLORS]; /* the enemies that pin that colour's men */
} Exchange;

/* The men of `color` that stand alone between their king and an enemy slider, and those sliders. */
static void find_pins(Exchange *x, Color color)
{
    const Position *pos      = x->pos;
    Square          king     = position_king(pos, color);
    Bitboard        snipers  = position_snipers(pos, king, color_flip(color));
    Bitboard        occupied = position_occupied(pos);
    while (snipers) {
        Square   sniper   = bb_pop(&snipers);
        Bitboard blockers = bb_between(king, sniper) & occupied;
        if (!blockers || bb_more_than_one(blockers) || !(blockers & pos->colors[color])) continue;
        x->pinned[color] |= blockers;
        x->pinners[color] |= bb_of(sniper);
    }
}

/* Who may take now: a pinned man only when his pinner has left the board. */
static Bitboard ready_takers(const Exchange *x, Color side)
{
    Bitboard takers = x->attackers & x->pos->colors[side];
    if (x->pinners[side] & x->occupied) takers &= ~x->pinned[side];
    return takers;
}

/* Takes with the cheapest man of `takers` and lets those behind him join. */
static PieceType take_with_cheapest(Exchange *x, Bitboard takers)
{
    const Position *pos  = x->pos;
    PieceType       type = PAWN;
    while (!(takers & pos->types[type])) type++;
    x->occupied ^= bb_of(bb_first(takers & pos->types[type]));
    if (type == PAWN || type == BISHOP || type == QUEEN)
        x->attackers |= attacks_bishop(x->square, x->occupied) & (pos->types[BISHOP] | pos->types[QUEEN]);
    if (type == ROOK || type == QUEEN)
        x->attackers |= attacks_rook(x->square, x->occupied) & (pos->types[ROOK] | pos->types[QUEEN]);
    x->attackers &= x->occupied;
    return type;
}

static int captured_value(const Position *pos, Move move)
{
    int value = see_values[piece_type(position_captured(pos, move))];
    if (move_kind(move) == MOVE_PROMOTION) value += see_values[move_promotion(move)] - see_values[PAWN];
    return value;
}

static int moved_value(const Position *pos, Move move)
{
    if (move_kind(move) == MOVE_PROMOTION) return see_values[move_promotion(move)];
    return see_values[piece_type(pos->board[move_from(move)])];
}

static void exchange_begin(Exchange *x, const Position *pos, Move move)
{
    Square from = move_from(move), to = move_to(move);
    *x = (Exchange){.pos = pos, .square = to, .occupied = (position_occupied(pos) ^ bb_of(from)) | bb_of(to)};
    if (move_kind(move) == MOVE_EN_PASSANT) x->occupied ^= bb_of(to ^ 8);
    x->attackers = position_attackers(pos, to, x->occupied) & x->occupied & ~bb_of(to);
    find_pins(x, WHITE);
    find_pins(x, BLACK);
}

bool see_at_least(const Position *pos, Move move, int threshold)
{
    if (move_kind(move) == MOVE_CASTLING) return threshold <= 0;
    int balance = captured_value(pos, move) - threshold;
    if (balance < 0) return false; /* even if nothing takes back */
    balance -= moved_value(pos, move);
    if (balance >= 0) return true; /* even if the moved man is lost for nothing */

    Exchange x;
    exchange_begin(&x, pos, move);
    Color side = color_flip(position_side(pos));
    for (;;) { /* `balance` is the gain of the side that moved last, if it now loses the man it moved */
        Bitboard takers = ready_takers(&x, side);
        if (!takers) break;
        PieceType type = take_with_cheapest(&x, takers);
        side           = color_flip(side);
        if (type == KING) {
            /* A king may not step into an attack: if the other side still attacks the square, this capture did not happen. */
            if (x.attackers & pos->colors[side]) side = color_flip(side);
            break;
        }
        balance = -balance - 1 - see_values[type];
        if (balance >= 0) break;
    }
    return side != position_side(pos);
}

int see_value(const Position *pos, Move move)
{
    int low = -2 * see_values[QUEEN], high = 3 * see_values[QUEEN];
    while (low < high) { /* the largest threshold that the exchange still reaches */
        int middle = low + (high - low + 1) / 2;
        if (see_at_least(pos, move, middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

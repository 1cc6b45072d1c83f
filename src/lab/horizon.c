/* horizon.c - the last ply of plain minimax in one go: the best static value among all children, none of them played.
 *
 * Nine nodes of ten and more are children at the horizon, so this decides the speed of the whole. The order of the moves does
 * not matter here, only which are legal: each piece's targets are a set, and the best of a set is looked up square by square
 * in the row of numbers that the present phase gives. Captures, promotions, castling and en passant change more than one
 * square and take the general way. White looks for the largest value, Black for the smallest, each in a copy of its own.
 */
#include "lab/tree.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef struct {
    const ThesisEval *eval;
    const LabNode    *node;
    const int32_t (*row)[SQUARES];
    KingState king;
    Square    home; /* our king */
    Bitboard  occupied, allowed;
    int       blend; /* of the node, from White, times PHASE_OPENING */
    int       best;  /* the same of the best child so far */
    int       count;
} Horizon;

ALWAYS_INLINE int better(Color us, int a, int b)
{
    if (us == WHITE) return a > b ? a : b;
    return a < b ? a : b;
}

/* Quiet moves of one man: all that changes is the square he stands on. */
ALWAYS_INLINE void quiets(Horizon *h, Color us, Piece man, Square from, Bitboard targets)
{
    const int32_t *row  = h->row[man];
    int            best = us == WHITE ? INT32_MIN / 2 : INT32_MAX / 2;
    h->count += bb_count(targets);
    while (targets) best = better(us, best, row[bb_pop(&targets)]);
    h->best = better(us, h->best, h->blend - row[from] + best);
}

ALWAYS_INLINE void capture(Horizon *h, Color us, Piece man, Square from, Square to)
{
    const Sums *left = &h->eval->sums[man][from], *arrived = &h->eval->sums[man][to];
    const Sums *taken = &h->eval->sums[h->node->pos.board[to]][to];
    Sums        sums  = h->node->sums;
    sums.middle += arrived->middle - left->middle - taken->middle;
    sums.end += arrived->end - left->end - taken->end;
    sums.phase -= taken->phase;
    h->best = better(us, h->best, sums_blend(sums));
    h->count++;
}

static void special(Horizon *h, Color us, Move move)
{
    h->best = better(us, h->best, sums_blend(thesis_sums_after(h->eval, h->node, move)));
    h->count++;
}

/* All targets of one piece. */
ALWAYS_INLINE void piece_moves(Horizon *h, Color us, Piece man, Square from, Bitboard targets)
{
    if (bb_has(h->king.pinned, from)) targets &= bb_line(h->home, from);
    targets &= h->allowed;
    quiets(h, us, man, from, targets & ~h->occupied);
    for (Bitboard taken = targets & h->node->pos.colors[color_flip(us)]; taken;) capture(h, us, man, from, bb_pop(&taken));
}

ALWAYS_INLINE void pieces(Horizon *h, Color us)
{
    const Position *pos = &h->node->pos;
    for (Bitboard men = position_pieces(pos, us, KNIGHT) & ~h->king.pinned; men;) {
        Square from = bb_pop(&men);
        piece_moves(h, us, piece_of(us, KNIGHT), from, attacks_knight(from));
    }
    for (Bitboard men = position_pieces(pos, us, BISHOP); men;) {
        Square from = bb_pop(&men);
        piece_moves(h, us, piece_of(us, BISHOP), from, attacks_bishop(from, h->occupied));
    }
    for (Bitboard men = position_pieces(pos, us, ROOK); men;) {
        Square from = bb_pop(&men);
        piece_moves(h, us, piece_of(us, ROOK), from, attacks_rook(from, h->occupied));
    }
    for (Bitboard men = position_pieces(pos, us, QUEEN); men;) {
        Square from = bb_pop(&men);
        piece_moves(h, us, piece_of(us, QUEEN), from, attacks_queen(from, h->occupied));
    }
}

static void promotions(Horizon *h, Color us, Bitboard targets, int step)
{
    while (targets) {
        Square to = bb_pop(&targets);
        for (PieceType type = KNIGHT; type <= QUEEN; type++) special(h, us, move_make_promotion(to - step, to, type));
    }
}

/* One direction of pushes or captures, promotions apart. */
ALWAYS_INLINE void pawn_direction(Horizon *h, Color us, Bitboard targets, int step, bool takes)
{
    Bitboard last = us == WHITE ? BB_RANK_8 : BB_RANK_1;
    Piece    pawn = piece_of(us, PAWN);
    if (targets & last) promotions(h, us, targets & last, step);
    for (targets &= ~last; targets;) {
        Square to = bb_pop(&targets);
        if (takes) {
            capture(h, us, pawn, to - step, to);
        } else {
            h->best = better(us, h->best, h->blend + h->row[pawn][to] - h->row[pawn][to - step]);
            h->count++;
        }
    }
}

ALWAYS_INLINE void pawns(Horizon *h, Color us)
{
    const Position *pos  = &h->node->pos;
    bool            w    = us == WHITE;
    int             up   = w ? 8 : -8;
    Bitboard        men  = position_pieces(pos, us, PAWN);
    Bitboard        free = ~h->king.pinned, empty = ~h->occupied, victims = pos->colors[color_flip(us)] & h->allowed;
    Bitboard        along  = bb_forward(men & (free | diagonal_table[h->home]), us);
    Bitboard        across = bb_forward(men & (free | antidiagonal_table[h->home]), us);
    Bitboard        one    = bb_forward(men & (free | bb_file(square_file(h->home))), us) & empty;
    Bitboard        two    = bb_forward(one & bb_rank(w ? RANK_3 : RANK_6), us) & empty;
    pawn_direction(h, us, (w ? bb_east(along) : bb_west(along)) & victims, w ? 9 : -9, true);
    pawn_direction(h, us, (w ? bb_west(across) : bb_east(across)) & victims, w ? 7 : -7, true);
    pawn_direction(h, us, one & h->allowed, up, false);
    pawn_direction(h, us, two & h->allowed, 2 * up, false);
    if (pos->ep_square == SQ_NONE) return;
    for (Bitboard takers = attacks_pawn(color_flip(us), pos->ep_square) & men; takers;) {
        Move move = move_make_special(bb_pop(&takers), pos->ep_square, MOVE_EN_PASSANT);
        if (movegen_is_legal(pos, &h->king, move)) special(h, us, move);
    }
}

ALWAYS_INLINE void king(Horizon *h, Color us)
{
    const Position *pos     = &h->node->pos;
    Bitboard        enemies = pos->colors[color_flip(us)], without_king = h->occupied ^ bb_of(h->home);
    Bitboard        targets = attacks_king(h->home) & ~pos->colors[us];
    Bitboard        safe    = 0;
    targets &= ~bb_pawn_attacks(enemies & pos->types[PAWN], color_flip(us));
    while (targets) {
        Square to = bb_pop(&targets);
        if (!(position_attackers(pos, to, without_king) & enemies)) safe |= bb_of(to);
    }
    quiets(h, us, piece_of(us, KING), h->home, safe & ~enemies);
    for (Bitboard taken = safe & enemies; taken;) capture(h, us, piece_of(us, KING), h->home, bb_pop(&taken));
    if (h->king.checkers) return;
    for (Bitboard rooks = pos->castle_rooks & pos->colors[us]; rooks;) {
        Move move = move_make_special(h->home, bb_pop(&rooks), MOVE_CASTLING);
        if (movegen_is_legal(pos, &h->king, move)) special(h, us, move);
    }
}

ALWAYS_INLINE int horizon_best(const ThesisEval *eval, const LabNode *node, Color us, int *count)
{
    const Position *pos = &node->pos;
    Horizon         h   = {
                  .eval     = eval,
                  .node     = node,
                  .row      = eval->blended[node->sums.phase],
                  .king     = movegen_king_state(pos),
                  .home     = position_king(pos, us),
                  .occupied = position_occupied(pos),
                  .allowed  = ~(Bitboard)0,
                  .blend    = sums_blend(node->sums),
                  .best     = us == WHITE ? INT32_MIN / 2 : INT32_MAX / 2,
    };
    king(&h, us);
    if (h.king.checkers) h.allowed = h.king.checkers | bb_between(h.home, bb_first(h.king.checkers));
    if (!bb_more_than_one(h.king.checkers)) {
        pawns(&h, us);
        pieces(&h, us);
    }
    *count = h.count;
    if (h.count == 0) return lab_no_move(h.king.checkers != 0);
    return (us == WHITE ? h.best : -h.best) / PHASE_OPENING;
}

int lab_horizon_best(const ThesisEval *eval, const LabNode *node, int *count)
{
    return node->pos.side == WHITE ? horizon_best(eval, node, WHITE, count) : horizon_best(eval, node, BLACK, count);
}

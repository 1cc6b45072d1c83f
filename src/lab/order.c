/* order.c - see order.h. Each step writes its moves by masks that leave only legal ones, as chess/movegen.c does. */
#include "lab/order.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum {
    V_P    = 1 << PAWN,
    V_PNB  = 1 << PAWN | 1 << KNIGHT | 1 << BISHOP,
    V_PNBR = V_PNB | 1 << ROOK,
    V_NBRQ = 1 << KNIGHT | 1 << BISHOP | 1 << ROOK | 1 << QUEEN,
    V_RQ   = 1 << ROOK | 1 << QUEEN,
    V_Q    = 1 << QUEEN,
    V_ALL  = V_PNBR | V_Q,
};

/* clang-format off */
#define PROMOTIONS            {STEP_PROMOTIONS, 0, 0}
#define CASTLING              {STEP_CASTLING, 0, 0}
#define TAKES(piece, victims) {STEP_CAPTURES, piece, victims}
#define MOVES(piece)          {STEP_QUIETS, piece, 0}
#define END                   {STEP_END, 0, 0}

#define ALL_CAPTURES TAKES(KING, V_ALL), TAKES(PAWN, V_ALL), TAKES(KNIGHT, V_ALL), TAKES(BISHOP, V_ALL), TAKES(ROOK, V_ALL), \
                     TAKES(QUEEN, V_ALL)
#define QUIETS_RISING  CASTLING, MOVES(PAWN), MOVES(KNIGHT), MOVES(BISHOP), MOVES(ROOK), MOVES(QUEEN), MOVES(KING)
#define QUIETS_FALLING CASTLING, MOVES(QUEEN), MOVES(ROOK), MOVES(BISHOP), MOVES(KNIGHT), MOVES(PAWN), MOVES(KING)
#define EVEN_CAPTURES TAKES(PAWN, V_P), TAKES(KNIGHT, V_PNB), TAKES(BISHOP, V_PNB), TAKES(ROOK, V_PNBR), TAKES(QUEEN, V_ALL)

static const OrderStep captures_first[] = {PROMOTIONS, ALL_CAPTURES, QUIETS_RISING, END};
static const OrderStep quiets_first[]   = {QUIETS_RISING, PROMOTIONS, ALL_CAPTURES, END};
static const OrderStep winning_first[]  = {PROMOTIONS, TAKES(KING, V_ALL), TAKES(PAWN, V_NBRQ), TAKES(KNIGHT, V_RQ),
                                           TAKES(BISHOP, V_RQ), TAKES(ROOK, V_Q), EVEN_CAPTURES, QUIETS_RISING, END};
static const OrderStep big_first[]      = {PROMOTIONS, TAKES(KING, V_ALL), TAKES(ROOK, V_Q), TAKES(BISHOP, V_RQ),
                                           TAKES(KNIGHT, V_RQ), TAKES(PAWN, V_NBRQ), EVEN_CAPTURES, QUIETS_FALLING, END};
static const OrderStep captures_only[]  = {PROMOTIONS, ALL_CAPTURES, END};
static const OrderStep double_check[]   = {{STEP_KING_FLEE, KING, 0}, END};
/* clang-format on */

const OrderStep *const order_static[ORDERINGS] = {captures_first, captures_first, quiets_first, winning_first, big_first};
const OrderStep *const order_noisy             = captures_only;

/* A set turned over so that its lowest bit is the first square in reading order, a8. */
ALWAYS_INLINE Bitboard reading(Bitboard set) { return __builtin_bswap64(set); }

/* Takes the first square off a set that `reading` turned over. */
ALWAYS_INLINE Square pop_reading(Bitboard *turned) { return bb_pop(turned) ^ 56; }

ALWAYS_INLINE void emit(Order *order, Move move) { order->moves[order->count++] = move; }

ALWAYS_INLINE void emit_targets(Order *order, Square from, Bitboard targets)
{
    for (Bitboard turned = reading(targets); turned;) emit(order, move_make(from, pop_reading(&turned)));
}

ALWAYS_INLINE void emit_pawns(Order *order, Bitboard targets, int step)
{
    for (Bitboard turned = reading(targets); turned;) {
        Square to = pop_reading(&turned);
        emit(order, move_make(to - step, to));
    }
}

static void emit_promotions(Order *order, Bitboard targets, int step)
{
    static const PieceType pieces[] = {QUEEN, KNIGHT, ROOK, BISHOP};
    for (Bitboard turned = reading(targets); turned;) {
        Square to = pop_reading(&turned);
        for (int i = 0; i < 4; i++) emit(order, move_make_promotion(to - step, to, pieces[i]));
    }
}

/* ---- pawns ---- */

/* Where pawns can go, direction by direction. A pinned pawn keeps to the line between its king and the pinning piece. */
typedef struct {
    Bitboard diagonal;     /* captures along a1-h8: to the north-east for White, to the south-west for Black */
    Bitboard antidiagonal; /* captures along h1-a8 */
    Bitboard one, two;     /* pushes */
    int      up;           /* the step of a push */
    int      along;        /* the step of a capture along a1-h8 */
    int      across;       /* the step of the other capture */
} PawnTargets;

static Bitboard victims_of(const Order *order, unsigned victims)
{
    const Position *pos  = order->pos;
    Bitboard        them = pos->colors[color_flip(position_side(pos))] & order->allowed, set = 0;
    if (victims == V_ALL) return them;
    for (PieceType type = PAWN; type <= QUEEN; type++) set |= (victims >> type & 1) ? pos->types[type] : 0;
    return set & them;
}

static PawnTargets pawn_targets(const Order *order, Bitboard victims)
{
    const Position *pos   = order->pos;
    Color           us    = position_side(pos);
    bool            white = us == WHITE;
    Square          king  = position_king(pos, us);
    Bitboard        pawns = position_pieces(pos, us, PAWN), free = ~order->king.pinned, empty = ~order->occupied;
    PawnTargets     out = {.up = white ? 8 : -8, .along = white ? 9 : -9, .across = white ? 7 : -7};

    Bitboard along   = bb_forward(pawns & (free | diagonal_table[king]), us);
    Bitboard across  = bb_forward(pawns & (free | antidiagonal_table[king]), us);
    out.diagonal     = (white ? bb_east(along) : bb_west(along)) & victims;
    out.antidiagonal = (white ? bb_west(across) : bb_east(across)) & victims;
    out.one          = bb_forward(pawns & (free | bb_file(square_file(king))), us) & empty;
    out.two          = bb_forward(out.one & bb_rank(white ? RANK_3 : RANK_6), us) & empty & order->allowed;
    out.one &= order->allowed;
    return out;
}

static Bitboard last_rank(const Order *order) { return order->pos->side == WHITE ? BB_RANK_8 : BB_RANK_1; }

static void step_promotions(Order *order)
{
    Bitboard seventh = order->pos->side == WHITE ? bb_rank(RANK_7) : bb_rank(RANK_2);
    if (!(position_pieces(order->pos, position_side(order->pos), PAWN) & seventh)) return;
    Bitboard    last    = last_rank(order);
    PawnTargets targets = pawn_targets(order, victims_of(order, V_ALL) & last);
    emit_promotions(order, targets.diagonal, targets.along);
    emit_promotions(order, targets.antidiagonal, targets.across);
    emit_promotions(order, targets.one & last, targets.up);
}

/* The taker that moves toward the a-file comes first. */
static void emit_en_passant(Order *order)
{
    const Position *pos    = order->pos;
    Square          target = pos->ep_square;
    Color           us     = position_side(pos);
    for (Bitboard takers = attacks_pawn(color_flip(us), target) & position_pieces(pos, us, PAWN); takers;) {
        Square from = bb_last(takers);
        Move   move = move_make_special(from, target, MOVE_EN_PASSANT);
        takers ^= bb_of(from);
        if (movegen_is_legal(pos, &order->king, move)) emit(order, move);
    }
}

static void step_pawns_take(Order *order, unsigned victims)
{
    PawnTargets targets = pawn_targets(order, victims_of(order, victims) & ~last_rank(order));
    emit_pawns(order, targets.diagonal, targets.along);
    emit_pawns(order, targets.antidiagonal, targets.across);
    if ((victims & V_P) && order->pos->ep_square != SQ_NONE) emit_en_passant(order);
}

static void step_pawns_push(Order *order)
{
    PawnTargets targets = pawn_targets(order, 0);
    emit_pawns(order, targets.two, 2 * targets.up);
    emit_pawns(order, targets.one & ~last_rank(order), targets.up);
}

/* ---- pieces ---- */

static void step_knights(Order *order, Bitboard targets)
{
    const Position *pos     = order->pos;
    Bitboard        knights = position_pieces(pos, position_side(pos), KNIGHT) & ~order->king.pinned;
    for (Bitboard turned = reading(knights); turned;) {
        Square from = pop_reading(&turned);
        emit_targets(order, from, attacks_knight(from) & targets);
    }
}

/* A long-range piece and what it can go to. */
typedef struct {
    Square   from;
    Bitboard to;
} Reach;

enum { MEN_MAX = 16 };

/* The pieces of a type that reach one of the targets, in reading order; how many. */
ALWAYS_INLINE int find_reach(const Order *order, PieceType type, Bitboard targets, Reach out[MEN_MAX])
{
    const Position *pos   = order->pos;
    Color           us    = position_side(pos);
    int             count = 0;
    for (Bitboard turned = reading(position_pieces(pos, us, type)); turned;) {
        Square   from = pop_reading(&turned);
        Bitboard to   = 0;
        if (type != ROOK) to |= attacks_bishop(from, order->occupied);
        if (type != BISHOP) to |= attacks_rook(from, order->occupied);
        to &= targets;
        if (bb_has(order->king.pinned, from)) to &= bb_line(position_king(pos, us), from);
        if (to) out[count++] = (Reach){from, to};
    }
    return count;
}

typedef enum { LINE_RANK, LINE_DIAGONAL, LINE_ANTIDIAGONAL, LINE_FILE } Line;

ALWAYS_INLINE Bitboard squares_of(Line line, Square from)
{
    switch (line) {
    case LINE_RANK: return bb_rank(square_rank(from));
    case LINE_FILE: return bb_file(square_file(from));
    case LINE_DIAGONAL: return diagonal_table[from];
    default: return antidiagonal_table[from];
    }
}

/* All of them along one kind of line. */
ALWAYS_INLINE void pass(Order *order, const Reach *reach, int count, Line line)
{
    for (int i = 0; i < count; i++) emit_targets(order, reach[i].from, reach[i].to & squares_of(line, reach[i].from));
}

ALWAYS_INLINE void step_lines(Order *order, PieceType type, Bitboard targets)
{
    Reach reach[MEN_MAX];
    int   count = find_reach(order, type, targets, reach);
    if (type != BISHOP) pass(order, reach, count, LINE_RANK);
    if (type != ROOK) pass(order, reach, count, LINE_DIAGONAL);
    if (type != ROOK) pass(order, reach, count, LINE_ANTIDIAGONAL);
    if (type != BISHOP) pass(order, reach, count, LINE_FILE);
}

static void step_pieces(Order *order, PieceType type, Bitboard targets)
{
    if (!targets) return;
    switch (type) {
    case KNIGHT: step_knights(order, targets); break;
    case BISHOP: step_lines(order, BISHOP, targets); break;
    case ROOK: step_lines(order, ROOK, targets); break;
    default: step_lines(order, QUEEN, targets);
    }
}

/* ---- the king ---- */

static void step_king(Order *order, Bitboard targets)
{
    const Position *pos     = order->pos;
    Color           us      = position_side(pos);
    Square          king    = position_king(pos, us);
    Bitboard        enemies = pos->colors[color_flip(us)], without_king = order->occupied ^ bb_of(king);
    targets &= attacks_king(king);
    if (!targets) return;
    targets &= ~bb_pawn_attacks(enemies & pos->types[PAWN], color_flip(us));
    for (Bitboard turned = reading(targets); turned;) {
        Square to = pop_reading(&turned);
        if (!(position_attackers(pos, to, without_king) & enemies)) emit(order, move_make(king, to));
    }
}

static void step_castling(Order *order)
{
    const Position *pos = order->pos;
    Color           us  = position_side(pos);
    if (order_in_check(order) || !(pos->castle_rooks & pos->colors[us])) return;
    for (CastleSide side = SIDE_SHORT; side < CASTLE_SIDES; side++) {
        Square rook = position_castle_rook(pos, us, side);
        if (rook == SQ_NONE) continue;
        Move move = move_make_special(position_king(pos, us), rook, MOVE_CASTLING);
        if (movegen_is_legal(pos, &order->king, move)) emit(order, move);
    }
}

/* ---- the whole ---- */

void order_init(Order *order, const Position *pos, const OrderStep *steps)
{
    order->pos      = pos;
    order->step     = steps;
    order->king     = movegen_king_state(pos);
    order->occupied = position_occupied(pos);
    order->allowed  = ~(Bitboard)0;
    order->next = order->count = 0;
    if (!order->king.checkers) return;
    Square checker = bb_first(order->king.checkers);
    order->allowed = bb_of(checker) | bb_between(position_king(pos, position_side(pos)), checker);
    if (!bb_more_than_one(order->king.checkers)) return;
    order->allowed = 0;
    if (steps != order_noisy) order->step = double_check;
}

void order_generate_step(Order *order)
{
    const Position *pos     = order->pos;
    const OrderStep step    = *order->step++;
    Bitboard        enemies = pos->colors[color_flip(position_side(pos))];
    order->next = order->count = 0;
    switch ((StepKind)step.kind) {
    case STEP_PROMOTIONS: step_promotions(order); break;
    case STEP_CASTLING: step_castling(order); break;
    case STEP_KING_FLEE: step_king(order, ~pos->colors[pos->side]); break;
    case STEP_CAPTURES:
        if (step.piece == KING) {
            step_king(order, enemies);
        } else if (step.piece == PAWN) {
            step_pawns_take(order, step.victims);
        } else {
            step_pieces(order, (PieceType)step.piece, victims_of(order, step.victims));
        }
        break;
    case STEP_QUIETS:
        if (step.piece == KING) {
            step_king(order, ~order->occupied);
        } else if (step.piece == PAWN) {
            step_pawns_push(order);
        } else {
            step_pieces(order, (PieceType)step.piece, ~order->occupied & order->allowed);
        }
        break;
    case STEP_END: break;
    }
}

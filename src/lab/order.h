/* order.h - legal moves one after the other, in an order that is written down as data.
 *
 * How many nodes alpha-beta visits depends on nothing but the order of the moves, so the orders of the thesis are tables of
 * steps: "promotions, then the king takes, then pawns take rooks...". A step is generated only when the steps before it
 * have brought no cutoff. Within a step squares run a8, b8 ... h1; long-range pieces go line by line: all rooks along their
 * ranks, then all rooks along their files.
 * Hot: order_next, once a node. Threads: [any] with its own Order.
 */
#ifndef LAB_ORDER_H
#define LAB_ORDER_H

#include "chess/movegen.h"

typedef enum {
    STEP_END,
    STEP_PROMOTIONS,
    STEP_CAPTURES, /* of `piece`, taking one of `victims`; pawns without promotions, en passant counts as taking a pawn */
    STEP_CASTLING,
    STEP_QUIETS,    /* of `piece` */
    STEP_KING_FLEE, /* in double check: king moves and captures mixed */
} StepKind;

typedef struct {
    uint8_t kind, piece, victims;
} OrderStep;

/* The four static orderings of the thesis, 1 to 4 ([0] is the first again), and the captures and promotions of the first. */
enum { ORDERINGS = 5 };
extern const OrderStep *const order_static[ORDERINGS];
extern const OrderStep *const order_noisy;

typedef struct {
    const Position  *pos;
    const OrderStep *step; /* the next to generate */
    KingState        king;
    Bitboard         occupied;
    Bitboard         allowed; /* everything, or what ends a check; nothing in double check */
    int              next, count;
    Move             moves[MOVES_MAX];
} Order;

void order_init(Order *order, const Position *pos, const OrderStep *steps);
void order_generate_step(Order *order); /* for order_next */

static inline bool order_in_check(const Order *order) { return order->king.checkers != 0; }

/* The next legal move, MOVE_NONE after the last. */
static inline Move order_next(Order *order)
{
    while (order->next == order->count) {
        if (order->step->kind == STEP_END) return MOVE_NONE;
        order_generate_step(order);
    }
    return order->moves[order->next++];
}

#endif

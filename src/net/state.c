/* state.c - see state.h. */
#include "net/state.h"

#include <stdlib.h>
#include <string.h>

enum { CORNERS_MAX = 2 * NET_KINGS_MAX };

/* Where all men stand, as a Position keeps it. */
typedef struct {
    Bitboard types[PIECE_TYPES], colors[COLORS];
    Piece    board[SQUARES];
} Men;

/* The sums of both views at a ply, the men they stand for, and with which weights each view was summed up. */
typedef struct {
    Men      men;
    bool     known;
    int      corner[COLORS];
    int16_t *sums[COLORS];
} Slot;

/* The last position that a view was summed up for with the weights of one corner. */
typedef struct {
    Men      men;
    int16_t *sums;
} Stock;

struct NetState {
    const Net        *net;
    const NetKernels *kernels;
    Slot              slots[NET_PLIES];
    Stock             stocks[CORNERS_MAX][COLORS];
    int16_t          *memory;
};

/* Every stock begins with the empty board, whose sums are the biases. */
static void fill_stock(Stock *stock, const Net *net)
{
    memset(&stock->men, 0, sizeof stock->men);
    memset(stock->men.board, NO_PIECE, sizeof stock->men.board);
    memcpy(stock->sums, net->biases, (size_t)net->hidden * sizeof *stock->sums);
}

NetState *net_state_new(const Net *net, const NetKernels *kernels)
{
    NetState *state = calloc(1, sizeof *state);
    size_t    n = (size_t)net->hidden, count = (NET_PLIES + CORNERS_MAX) * COLORS;
    if (state) state->memory = aligned_alloc(64, count * n * sizeof *state->memory);
    if (!state || !state->memory) {
        free(state);
        return NULL;
    }
    int16_t *next  = state->memory;
    state->net     = net;
    state->kernels = kernels ? kernels : net_kernels_best();
    for (int view = 0; view < COLORS; view++) {
        for (int i = 0; i < NET_PLIES; i++, next += n) state->slots[i].sums[view] = next;
        for (int i = 0; i < CORNERS_MAX; i++, next += n) {
            state->stocks[i][view].sums = next;
            fill_stock(&state->stocks[i][view], net);
        }
    }
    return state;
}

void net_state_free(NetState *state)
{
    if (!state) return;
    free(state->memory);
    free(state);
}

const Net *net_state_net(const NetState *state) { return state->net; }

static void keep_men(Men *men, const Position *pos)
{
    memcpy(men->types, pos->types, sizeof men->types);
    memcpy(men->colors, pos->colors, sizeof men->colors);
    memcpy(men->board, pos->board, sizeof men->board);
}

/* The squares on which something else stands. */
static Bitboard changed_squares(const Men *men, const Position *pos)
{
    Bitboard changed = (men->colors[WHITE] ^ pos->colors[WHITE]) | (men->colors[BLACK] ^ pos->colors[BLACK]);
    for (int type = 0; type < PIECE_TYPES; type++) changed |= men->types[type] ^ pos->types[type];
    return changed;
}

/* Sums of `pos` for a view from those of other men, which differ on the `changed` squares. */
static void derive(const NetState *state, int16_t *out, const int16_t *base, const Men *men, Bitboard changed,
                   const Position *pos, Color view)
{
    const int16_t *add[NET_CHANGES_MAX], *sub[NET_CHANGES_MAX];
    const Net     *net  = state->net;
    size_t         n    = (size_t)net->hidden;
    Square         king = position_king(pos, view);
    const int16_t *rows = net->inputs + (size_t)net_king_area(net->kings, view, king) * NET_INPUTS * n;
    int            adds = 0, subs = 0;
    while (changed) {
        Square square = bb_pop(&changed);
        Piece  was = men->board[square], is = pos->board[square];
        if (was != NO_PIECE) sub[subs++] = rows + (size_t)net_input(view, king, piece_color(was), piece_type(was), square) * n;
        if (is != NO_PIECE) add[adds++] = rows + (size_t)net_input(view, king, piece_color(is), piece_type(is), square) * n;
    }
    state->kernels->update(out, base, add, adds, sub, subs, net->hidden);
}

/* The slot to begin from: the ply above if it is one move away, else the nearest of it, the sibling that stood here before, and
 * the ply above that one. */
static const Slot *nearest_slot(const NetState *state, const Position *pos, int ply, Bitboard *changed)
{
    enum { ONE_MOVE = 4, NONE = 100 };
    const int   candidates[] = {ply - 1, ply, ply - 2};
    const Slot *best         = NULL;
    int         fewest       = NONE;
    for (int i = 0; i < 3 && (i == 0 || fewest > ONE_MOVE); i++) {
        const Slot *slot = candidates[i] >= 0 ? &state->slots[candidates[i]] : NULL;
        if (!slot || !slot->known) continue;
        Bitboard squares = changed_squares(&slot->men, pos);
        int      count   = bb_count(squares);
        if (count >= fewest) continue;
        fewest   = count;
        best     = slot;
        *changed = squares;
    }
    return best;
}

/* One view of the slot: from `near`, unless the king left its corner or the stock of the corner is much nearer. */
static void settle_view(NetState *state, Slot *slot, const Slot *near, Bitboard changed, const Position *pos, Color view)
{
    enum { FEW = 6 };
    int    corner  = net_corner(state->net->kings, view, position_king(pos, view));
    Stock *stock   = &state->stocks[corner][view];
    bool   usable  = near && near->corner[view] == corner;
    int    squares = usable ? bb_count(changed) : SQUARES + 1;
    if (squares > FEW) {
        Bitboard others = changed_squares(&stock->men, pos);
        if (bb_count(others) < squares) {
            derive(state, stock->sums, stock->sums, &stock->men, others, pos, view);
            keep_men(&stock->men, pos);
            memcpy(slot->sums[view], stock->sums, (size_t)state->net->hidden * sizeof *stock->sums);
            slot->corner[view] = corner;
            return;
        }
    }
    if (near != slot || changed) derive(state, slot->sums[view], near->sums[view], &near->men, changed, pos, view);
    slot->corner[view] = corner;
}

/* Brings the slot of this ply to the position. */
static const Slot *settle(NetState *state, const Position *pos, int ply)
{
    Bitboard    changed = 0;
    Slot       *slot    = &state->slots[ply];
    const Slot *near    = nearest_slot(state, pos, ply, &changed);
    settle_view(state, slot, near, changed, pos, WHITE);
    settle_view(state, slot, near, changed, pos, BLACK);
    keep_men(&slot->men, pos);
    slot->known = true;
    return slot;
}

int net_evaluate(NetState *state, const Position *pos, int ply)
{
    const Net *net         = state->net;
    ply                    = ply < 0 ? 0 : ply < NET_PLIES ? ply : NET_PLIES - 1;
    Color          us      = position_side(pos);
    const Slot    *slot    = settle(state, pos, ply);
    int            bucket  = net_bucket(net->buckets, bb_count(position_occupied(pos)));
    const int16_t *weights = net->outputs + (size_t)bucket * 2 * (size_t)net->hidden;
    int64_t        sum     = state->kernels->sum(slot->sums[us], weights, net->hidden);
    sum += state->kernels->sum(slot->sums[color_flip(us)], weights + net->hidden, net->hidden);
    int64_t units = sum / NET_UNIT_IN + net->offsets[bucket];
    int64_t value = units * net->scale / ((int64_t)1000 * NET_UNIT_IN * NET_UNIT_OUT);
    return (int)(value < -20000 ? -20000 : value > 20000 ? 20000 : value);
}

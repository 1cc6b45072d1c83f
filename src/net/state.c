/* state.c - see state.h. */
#include "net/state.h"

#include <stdlib.h>
#include <string.h>

/* The sums of one view, and the men they stand for. */
typedef struct {
    Bitboard men[COLORS][PIECE_TYPES];
    bool     mirrored;
    bool     known;
    int16_t *sums;
} Slot;

struct NetState {
    const Net        *net;
    const NetKernels *kernels;
    Slot              slots[NET_PLIES][COLORS];
    Slot              full[2][COLORS]; /* the last position seen with either mirroring */
    int16_t          *memory;
};

NetState *net_state_new(const Net *net, const NetKernels *kernels)
{
    NetState *state = calloc(1, sizeof *state);
    size_t    n = (size_t)net->hidden, count = (NET_PLIES + 2) * COLORS;
    if (state) state->memory = aligned_alloc(64, count * n * sizeof *state->memory);
    if (!state || !state->memory) {
        free(state);
        return NULL;
    }
    int16_t *next  = state->memory;
    state->net     = net;
    state->kernels = kernels ? kernels : net_kernels_best();
    for (int i = 0; i < NET_PLIES; i++) {
        for (int view = 0; view < COLORS; view++, next += n) state->slots[i][view].sums = next;
    }
    for (int i = 0; i < 2; i++) {
        for (int view = 0; view < COLORS; view++, next += n) state->full[i][view].sums = next;
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

/* How many men differ; large when the slot cannot be used. */
static int distance(const Slot *slot, const Slot *target)
{
    int count = 0;
    if (!slot->known || slot->mirrored != target->mirrored) return 1000;
    for (int color = 0; color < COLORS; color++) {
        for (int type = 0; type < PIECE_TYPES; type++) count += bb_count(slot->men[color][type] ^ target->men[color][type]);
    }
    return count;
}

/* Sums of `target`, which has its men already, from those of `from` (NULL: from an empty board). */
static void derive(const NetState *state, Slot *target, const Slot *from, Color view, Square king)
{
    const int16_t *add[NET_CHANGES_MAX], *sub[NET_CHANGES_MAX];
    const Net     *net  = state->net;
    size_t         n    = (size_t)net->hidden;
    int            adds = 0, subs = 0;
    for (Color color = WHITE; color <= BLACK; color++) {
        for (PieceType type = PAWN; type <= KING; type++) {
            Bitboard old = from ? from->men[color][type] : 0, now = target->men[color][type];
            for (Bitboard left = now & ~old; left;)
                add[adds++] = net->inputs + (size_t)net_input(view, king, color, type, bb_pop(&left)) * n;
            for (Bitboard left = old & ~now; left;)
                sub[subs++] = net->inputs + (size_t)net_input(view, king, color, type, bb_pop(&left)) * n;
        }
    }
    state->kernels->update(target->sums, from ? from->sums : net->biases, add, adds, sub, subs, net->hidden);
}

/* Brings the slot of this ply and view to the position. */
static const Slot *settle(NetState *state, const Position *pos, int ply, Color view)
{
    Slot  *slot   = &state->slots[ply][view];
    Square king   = position_king(pos, view);
    Slot   target = {.mirrored = (king & 7) > 3, .known = true, .sums = slot->sums};
    for (Color color = WHITE; color <= BLACK; color++) {
        for (PieceType type = PAWN; type <= KING; type++) target.men[color][type] = position_pieces(pos, color, type);
    }
    const Slot *candidates[] = {slot, ply > 0 ? &state->slots[ply - 1][view] : slot, &state->full[target.mirrored][view]};
    const Slot *best         = NULL;
    int         fewest       = bb_count(position_occupied(pos)); /* what a new start costs */
    for (int i = 0; i < 3; i++) {
        int changes = distance(candidates[i], &target);
        if (changes >= fewest) continue;
        fewest = changes;
        best   = candidates[i];
    }
    if (best != slot || fewest > 0) derive(state, &target, best, view, king);
    *slot = target;
    if (best == candidates[2] || !best) { /* nothing near was known: keep this one for the next such case */
        Slot    *full = &state->full[target.mirrored][view];
        int16_t *sums = full->sums;
        memcpy(sums, slot->sums, (size_t)state->net->hidden * sizeof *sums);
        *full      = target;
        full->sums = sums;
    }
    return slot;
}

int net_evaluate(NetState *state, const Position *pos, int ply)
{
    const Net *net     = state->net;
    ply                = ply < 0 ? 0 : ply < NET_PLIES ? ply : NET_PLIES - 1;
    Color          us  = position_side(pos);
    const Slot    *own = settle(state, pos, ply, us), *other = settle(state, pos, ply, color_flip(us));
    int            bucket  = net_bucket(net->buckets, bb_count(position_occupied(pos)));
    const int16_t *weights = net->outputs + (size_t)bucket * 2 * (size_t)net->hidden;
    int64_t        sum     = state->kernels->sum(own->sums, weights, net->hidden);
    sum += state->kernels->sum(other->sums, weights + net->hidden, net->hidden);
    int64_t units = sum / NET_UNIT_IN + net->offsets[bucket];
    int64_t value = units * net->scale / ((int64_t)1000 * NET_UNIT_IN * NET_UNIT_OUT);
    return (int)(value < -20000 ? -20000 : value > 20000 ? 20000 : value);
}

/* improved.c - rungs 7 to 11: what engines added to the thesis's algorithm, one switch each.
 *
 * MVV-LVA: captures of big pieces by small ones first; they refute most. The table: a node whose bound is known deep enough
 * ends at once, and its best move of an earlier visit is tried first. Principal variation search: when the order is good
 * the first move is the best, so the others are only asked whether they beat it (a window of width one), and searched
 * again if so. Iterative deepening and aspiration are around this function (deepen.c).
 */
#include "lab/tree.h"

/* All moves of a node in the order of this rung. */
typedef struct {
    int  count;
    bool in_check;
    Move moves[MOVES_MAX];
    int  keys[MOVES_MAX];
} Sorted;

enum { KEY_HASH = 1 << 20, KEY_NOISY = 1 << 10 };

/* The bigger the victim the earlier; among equal victims the smaller the taker. Quiet moves keep their order behind. */
static int mvv_lva_key(const Position *pos, Move move)
{
    if (move_kind(move) == MOVE_CASTLING) return 0;
    int taken = (int)piece_type(position_captured(pos, move)), taker = (int)piece_type(pos->board[move_from(move)]);
    int key = 0;
    if (move_kind(move) == MOVE_PROMOTION) key = KEY_NOISY + 16 * (int)move_promotion(move);
    if (taken != NO_TYPE) key += KEY_NOISY + 16 * (taken + 1) - taker;
    return key;
}

static void sort_moves(Sorted *out, const LabSearch *s, const Position *pos, const OrderStep *steps, Move first)
{
    Order order;
    order_init(&order, pos, steps);
    out->count    = 0;
    out->in_check = order_in_check(&order);
    for (Move move; (move = order_next(&order)) != MOVE_NONE;) {
        int key = s->use.mvv_lva ? mvv_lva_key(pos, move) : 0;
        if (move == first) key = KEY_HASH;
        int at = out->count++;
        for (; at > 0 && out->keys[at - 1] < key; at--) { /* insertion keeps equal keys in order */
            out->moves[at] = out->moves[at - 1];
            out->keys[at]  = out->keys[at - 1];
        }
        out->moves[at] = move;
        out->keys[at]  = key;
    }
}

static int quiesce(LabSearch *s, const LabNode *node, int ply, int alpha, int beta, int stand_pat)
{
    if (stand_pat >= beta) {
        s->stats->leaves++;
        return stand_pat;
    }
    ChildValues values = child_values(s->eval, node);
    Sorted      sorted;
    LabNode     child;
    int         best = stand_pat;
    if (stand_pat > alpha) alpha = stand_pat;
    sort_moves(&sorted, s, &node->pos, order_noisy, MOVE_NONE);
    for (int i = 0; i < sorted.count; i++) {
        int value = child_value(&values, sorted.moves[i]);
        lab_count_qnode(s->stats, ply + 1);
        if (value <= alpha) {
            s->stats->leaves++;
        } else {
            thesis_play(s->eval, node, sorted.moves[i], &child);
            value = -quiesce(s, &child, ply + 1, -beta, -alpha, -value);
        }
        if (value > best) best = value;
        if (best >= beta) {
            lab_count_cutoff(s->stats, ply, i);
            return best;
        }
        if (best > alpha) alpha = best;
    }
    if (sorted.count == 0) s->stats->leaves++;
    return best;
}

/* What the table says: a move to try first, or the end of the node. The root is always searched: it needs a move. */
static bool recall(LabSearch *s, Key key, int ply, int alpha, int beta, Move *move, int *value)
{
    *move = MOVE_NONE;
    if (!s->use.table) return false;
    const BoundEntry *entry = bounds_slot(&s->bounds, key);
    s->stats->hash_probes++;
    if (entry->bound == LAB_BOUND_NONE || entry->key != key) return false;
    s->stats->hash_hits++;
    s->stats->hash_hit_ply[lab_ply_slot(ply)]++;
    if (s->use.hash_move) *move = entry->move;
    if (ply == 0 || entry->depth < s->depth - ply) return false;
    bool decides = entry->bound == LAB_BOUND_EXACT || (entry->bound == LAB_BOUND_LOWER && entry->value >= beta) ||
                   (entry->bound == LAB_BOUND_UPPER && entry->value <= alpha);
    if (!decides) return false;
    s->stats->hash_cuts++;
    s->stats->leaves++;
    *value = entry->value;
    return true;
}

static void remember(LabSearch *s, Key key, int ply, int value, int alpha, int beta, Move move)
{
    if (!s->use.table) return;
    LabBound bound = value >= beta ? LAB_BOUND_LOWER : value > alpha ? LAB_BOUND_EXACT : LAB_BOUND_UPPER;
    *bounds_slot(&s->bounds, key) =
        (BoundEntry){.key = key, .value = value, .move = move, .depth = (uint8_t)(s->depth - ply), .bound = (uint8_t)bound};
}

/* One child: statically, by quiescence or by search; a later move first with a window of width one where PVS is on. */
static int search_child(LabSearch *s, const LabNode *node, const ChildValues *values, Move move, int number, int ply, int alpha,
                        int beta)
{
    LabNode child;
    if (ply + 1 >= s->depth) {
        int value = child_value(values, move);
        s->stats->nodes++;
        if (!s->use.quiescence || value <= alpha) {
            s->stats->leaves++;
            return value;
        }
        thesis_play(s->eval, node, move, &child);
        return -quiesce(s, &child, ply + 1, -beta, -alpha, -value);
    }
    thesis_play(s->eval, node, move, &child);
    if (s->use.pvs && number > 0 && beta - alpha > 1) {
        int value = -lab_improved(s, &child, ply + 1, -alpha - 1, -alpha);
        if (value <= alpha || value >= beta) return value;
    }
    return -lab_improved(s, &child, ply + 1, -beta, -alpha);
}

int lab_improved(LabSearch *s, const LabNode *node, int ply, int alpha, int beta)
{
    int  best, alpha_before = alpha;
    Move first, best_move   = MOVE_NONE;
    s->stats->nodes++;
    if (recall(s, node->pos.key, ply, alpha, beta, &first, &best)) return best;
    if (lab_null_move(s, node, ply, alpha, beta, lab_improved, &best)) return best;

    ChildValues values = child_values(s->eval, node);
    Sorted      sorted;
    best = -THESIS_MATE;
    sort_moves(&sorted, s, &node->pos, order_static[s->use.ordering], first);
    for (int i = 0; i < sorted.count; i++) {
        int value = search_child(s, node, &values, sorted.moves[i], i, ply, alpha, beta);
        if (value > best || i == 0) best_move = sorted.moves[i];
        if (value > best) best = value;
        if (best >= beta) {
            lab_count_cutoff(s->stats, ply, i);
            break;
        }
        if (best > alpha) alpha = best;
    }
    if (sorted.count == 0) {
        s->stats->leaves++;
        return lab_no_move(sorted.in_check);
    }
    if (ply == 0 && !lab_is_passing(s)) s->best = best_move;
    remember(s, node->pos.key, ply, best, alpha_before, beta, best_move);
    return best;
}

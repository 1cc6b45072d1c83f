/* transposition.c - rung 4: the same position need not be searched twice.
 *
 * Minimax that remembers: on entering a node the table is asked, after all children the value goes in. Which entries may be
 * trusted is the question of the thesis's three policies. The horizon is fixed, so the ply of an entry tells how deep below it
 * was searched: the same ply (1) gives exactly the value that a search would; a smaller ply (2) gives a deeper one; any
 * ply (3) also takes values that were searched less deep than wanted. An entry is never overwritten, acceptable or not.
 * The last ply asks for its children by their keys, which are known without playing the moves. Horizon nodes are never
 * stored, so policy 1 cannot find one there and does not ask.
 * Positions are the same when the rules say so: en passant counts only where it can be played. The thesis's key also held
 * double pushes of the last two plies that nobody could take, and missed those transpositions.
 */
#include "chess/keys.h"
#include "lab/tree.h"

static bool acceptable(int policy, int stored_ply, int ply)
{
    if (policy == MEMO_SAME_PLY) return stored_ply == ply;
    return policy == MEMO_ANY_PLY || stored_ply <= ply;
}

/* Whether the table ends this node. */
static bool recall(LabSearch *s, Color side, Key key, int ply, int *value)
{
    const MemoEntry *entry = memo_find(&s->memo[side], key);
    s->stats->hash_probes++;
    if (!entry) return false;
    s->stats->hash_hits++;
    s->stats->hash_hit_ply[lab_ply_slot(ply)]++;
    if (!acceptable(s->use.memo, entry->ply, ply)) return false;
    s->stats->hash_cuts++;
    *value = entry->value;
    return true;
}

/* The key after a legal move. What changes castling rights or allows en passant is left to position_play. */
static Key key_after(const Position *pos, Move move)
{
    Square from = move_from(move), to = move_to(move);
    Piece  man = pos->board[from], taken = pos->board[to];
    bool   castles = (pos->castle_rooks && piece_type(man) == KING) || (pos->castle_rooks & (bb_of(from) | bb_of(to)));
    bool   pushes2 = piece_type(man) == PAWN && (from ^ to) == 16;
    if (move_kind(move) != MOVE_NORMAL || castles || pushes2) {
        Position next;
        position_play(pos, move, &next);
        return next.key;
    }
    Key key = pos->key ^ key_turn() ^ piece_keys[man][from] ^ piece_keys[man][to];
    if (taken != NO_PIECE) key ^= piece_keys[taken][to];
    if (pos->ep_square != SQ_NONE) key ^= key_en_passant(pos->ep_square);
    return key;
}

/* One ply above the horizon: each child is in the table or is evaluated. */
static int last_ply(LabSearch *s, const LabNode *node, int ply)
{
    int count, best;
    if (s->use.memo == MEMO_SAME_PLY) {
        best = lab_horizon_best(s->eval, node, &count);
    } else {
        ChildValues values = child_values(s->eval, node);
        KingState   king   = movegen_king_state(&node->pos);
        MoveList    list;
        movegen_class(&node->pos, &king, MOVES_ALL, &list);
        count = list.count;
        best  = count ? -THESIS_MATE : lab_no_move(king.checkers != 0);
        for (int i = 0; i < count; i++) {
            int value;
            if (recall(s, color_flip(position_side(&node->pos)), key_after(&node->pos, list.moves[i]), ply + 1, &value)) {
                value = -value;
            } else {
                value = child_value(&values, list.moves[i]);
            }
            if (value > best) best = value;
        }
    }
    s->stats->nodes += (uint64_t)count;
    s->stats->leaves += count ? (uint64_t)count : 1;
    if (count && !memo_add(&s->memo[node->pos.side], node->pos.key, best, ply)) s->out_of_memory = true;
    return best;
}

int lab_minimax_memo(LabSearch *s, const LabNode *node, int ply)
{
    Color side = position_side(&node->pos);
    int   best;
    s->stats->nodes++;
    if (recall(s, side, node->pos.key, ply, &best)) {
        s->stats->leaves++;
        return best;
    }
    if (ply + 1 == s->depth && ply > 0) return last_ply(s, node, ply);

    bool        at_horizon = ply + 1 == s->depth;
    ChildValues values     = child_values(s->eval, node);
    Order       order;
    LabNode     child;
    best = -THESIS_MATE - 1;
    order_init(&order, &node->pos, order_static[s->use.ordering]);
    for (Move move; (move = order_next(&order)) != MOVE_NONE;) {
        int value;
        if (at_horizon) {
            s->stats->nodes++;
            s->stats->leaves++;
            value = child_value(&values, move);
        } else {
            thesis_play(s->eval, node, move, &child);
            value = -lab_minimax_memo(s, &child, ply + 1);
        }
        if (value <= best) continue;
        best = value;
        if (ply == 0) s->best = move;
    }
    if (best < -THESIS_MATE) {
        s->stats->leaves++;
        return lab_no_move(order_in_check(&order));
    }
    if (!memo_add(&s->memo[side], node->pos.key, best, ply)) s->out_of_memory = true;
    return best;
}

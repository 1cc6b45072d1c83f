/* transposition.c - rung 4: the same position need not be searched twice.
 *
 * Minimax that remembers: on entering a node the table is asked, after all children the value goes in. Which entries may be
 * trusted is the question of the thesis's three policies. The horizon is fixed, so the ply of an entry tells how deep below it
 * was searched: the same ply (1) gives exactly the value that a search would; a smaller ply (2) gives a deeper one; any
 * ply (3) also takes values that were searched less deep than wanted. An entry is never overwritten, acceptable or not.
 * The last ply asks for its children by their keys, which are known without playing the moves. Horizon nodes are never
 * stored, so policy 1 cannot find one there and does not ask.
 * When are two positions the same? The thesis's key held the file of a double push for two plies, whether or not anybody could
 * take en passant: it never takes different positions for one, but misses transpositions. The rungs use it, so that their
 * counts compare; with `strict_key` the rules of chess decide, and the trees are smaller.
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
    if (!acceptable(s->use.memo, memo_ply(entry), ply)) return false;
    s->stats->hash_cuts++;
    *value = entry->value;
    return true;
}

/* Who made a double push lately: file + 1, or 0. The key holds the later one. */
typedef struct {
    int last, before;
} Pushes;

static Pushes pushes_after(const Position *pos, Pushes pushes, Move move)
{
    Square from = move_from(move), to = move_to(move);
    bool   two = piece_type(pos->board[from]) == PAWN && (from ^ to) == 16;
    return (Pushes){.last = two ? square_file(to) + 1 : 0, .before = pushes.last};
}

static Key without_en_passant(const Position *pos)
{
    return pos->ep_square == SQ_NONE ? pos->key : pos->key ^ key_en_passant(pos->ep_square);
}

static Key with_pushes(Key key, Pushes pushes)
{
    int file = pushes.last ? pushes.last : pushes.before;
    return file ? key ^ key_en_passant(file - 1) : key;
}

static Key key_of(const LabSearch *s, const Position *pos, Pushes pushes)
{
    return s->use.strict_key ? pos->key : with_pushes(without_en_passant(pos), pushes);
}

/* The key after a legal move, without playing it where nothing but men on squares change. */
static Key key_after(const LabSearch *s, const Position *pos, Pushes pushes, Move move)
{
    Square from = move_from(move), to = move_to(move);
    Piece  man = pos->board[from], taken = pos->board[to];
    Pushes after   = pushes_after(pos, pushes, move);
    bool   castles = pos->castle_rooks && (piece_type(man) == KING || (pos->castle_rooks & (bb_of(from) | bb_of(to))));
    if (move_kind(move) != MOVE_NORMAL || castles || (s->use.strict_key && after.last)) {
        Position next;
        position_play(pos, move, &next);
        return key_of(s, &next, after);
    }
    Key key = without_en_passant(pos) ^ key_turn() ^ piece_keys[man][from] ^ piece_keys[man][to];
    if (taken != NO_PIECE) key ^= piece_keys[taken][to];
    return s->use.strict_key ? key : with_pushes(key, after);
}

/* Each child at the horizon is in the table or is evaluated. All keys come first, so that the probes do not wait in line. */
static int recall_or_evaluate(LabSearch *s, const LabNode *node, Pushes pushes, int ply, int *count)
{
    const Position *pos    = &node->pos;
    Color           them   = color_flip(position_side(pos));
    ChildValues     values = child_values(s->eval, node);
    KingState       king   = movegen_king_state(pos);
    MoveList        list;
    Key             keys[MOVES_MAX];
    movegen_class(pos, &king, MOVES_ALL, &list);
    for (int i = 0; i < list.count; i++) {
        keys[i] = key_after(s, pos, pushes, list.moves[i]);
        memo_prefetch(&s->memo[them], keys[i]);
    }
    int best = list.count ? -THESIS_MATE : lab_no_move(king.checkers != 0);
    for (int i = 0; i < list.count; i++) {
        int value;
        if (recall(s, them, keys[i], ply + 1, &value)) {
            value = -value;
        } else {
            value = child_value(&values, list.moves[i]);
        }
        if (value > best) best = value;
    }
    *count = list.count;
    return best;
}

/* One ply above the horizon. */
static int last_ply(LabSearch *s, const LabNode *node, Pushes pushes, int ply)
{
    int count, best;
    if (s->use.memo == MEMO_SAME_PLY) {
        best = lab_horizon_best(s->eval, node, &count);
    } else {
        best = recall_or_evaluate(s, node, pushes, ply, &count);
    }
    s->stats->nodes += (uint64_t)count;
    s->stats->leaves += count ? (uint64_t)count : 1;
    if (count && !memo_add(&s->memo[node->pos.side], key_of(s, &node->pos, pushes), best, ply)) s->out_of_memory = true;
    return best;
}

static int search(LabSearch *s, const LabNode *node, Pushes pushes, int ply)
{
    Color side = position_side(&node->pos);
    Key   key  = key_of(s, &node->pos, pushes);
    int   best;
    s->stats->nodes++;
    if (recall(s, side, key, ply, &best)) {
        s->stats->leaves++;
        return best;
    }
    if (ply + 1 == s->depth) return last_ply(s, node, pushes, ply);

    Order   order;
    LabNode child;
    best = -THESIS_MATE - 1;
    order_init(&order, &node->pos, order_static[s->use.ordering]);
    for (Move move; (move = order_next(&order)) != MOVE_NONE;) {
        thesis_play(s->eval, node, move, &child);
        int value = -search(s, &child, pushes_after(&node->pos, pushes, move), ply + 1);
        if (value <= best) continue;
        best = value;
        if (ply == 0) s->best = move;
    }
    if (best < -THESIS_MATE) {
        s->stats->leaves++;
        return lab_no_move(order_in_check(&order));
    }
    if (!memo_add(&s->memo[side], key, best, ply)) s->out_of_memory = true;
    return best;
}

int lab_minimax_memo(LabSearch *s, const LabNode *root)
{
    if (s->depth == 1) return lab_minimax(s, root, 0); /* every child lies at the horizon: there is nothing to remember */
    return search(s, root, (Pushes){0}, 0);
}

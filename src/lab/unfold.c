/* unfold.c - see unfold.h. */
#include "lab/unfold.h"

#include <stdlib.h>
#include <string.h>

#include "chess/movegen.h"
#include "chess/see.h"
#include "eval/evaluator.h"

enum { NULL_REDUCTION = 2 };

typedef struct {
    UnfoldConfig config;
    Evaluator   *evaluator;
    UnfoldNode  *nodes;
    int          count;
    bool         aborted; /* the limit was reached: this depth does not count */
    Move         killers[PLY_MAX][2];
    Move         best_root; /* of the last depth: tried first */
} Unfold;

const char *unfold_kind_text(UnfoldKind kind)
{
    static const char *const texts[] = {"pv", "cut", "all", "qs", "null"};
    return texts[kind];
}

/* ---- writing down ---- */

static int open_node(Unfold *u, int parent, Move move, int depth, Score alpha, Score beta)
{
    if (u->count == UNFOLD_NODES_MAX) {
        u->aborted = true;
        return -1;
    }
    int node       = u->count++;
    u->nodes[node] = (UnfoldNode){
        .parent = parent, .first_child = -1, .next_sibling = -1, .move = move, .alpha = alpha, .beta = beta, .depth = depth};
    if (parent >= 0) { /* in front; put in order at the end */
        u->nodes[node].next_sibling  = u->nodes[parent].first_child;
        u->nodes[parent].first_child = node;
    }
    return node;
}

static Score close_node(Unfold *u, int node, Score score, bool quiet)
{
    UnfoldNode *n = &u->nodes[node];
    n->score      = score;
    n->nodes      = u->count - node;
    n->kind       = quiet ? UNFOLD_QS : score >= n->beta ? UNFOLD_CUT : score <= n->alpha ? UNFOLD_ALL : UNFOLD_PV;
    return score;
}

/* ---- order ---- */

static int move_rank(const Unfold *u, const Position *pos, Move move, int ply)
{
    Piece taken = position_captured(pos, move);
    if (ply == 0 && move == u->best_root) return 1 << 20;
    if (move_kind(move) == MOVE_PROMOTION) return (1 << 18) + see_values[move_promotion(move)];
    if (taken != NO_PIECE)
        return (1 << 16) + 16 * see_values[piece_type(taken)] - see_values[piece_type(pos->board[move_from(move)])] / 8;
    if (move == u->killers[ply][0]) return 2;
    return move == u->killers[ply][1];
}

static void sort_moves(const Unfold *u, const Position *pos, MoveList *list, int ply)
{
    int ranks[MOVES_MAX + 1];
    if (!u->config.ordering) return;
    for (int i = 0; i < list->count; i++) {
        Move move = list->moves[i];
        int  rank = move_rank(u, pos, move, ply), at = i;
        for (; at > 0 && ranks[at - 1] < rank; at--) {
            ranks[at]       = ranks[at - 1];
            list->moves[at] = list->moves[at - 1];
        }
        ranks[at]       = rank;
        list->moves[at] = move;
    }
}

/* ---- the search ---- */

static Score quiesce(Unfold *u, const Position *pos, int node, int ply, Score alpha, Score beta)
{
    bool     check = position_in_check(pos);
    Score    best  = check ? score_mated_in(ply) : evaluator_score_at(u->evaluator, pos, ply);
    MoveList list;
    if (ply >= PLY_MAX - 1) return close_node(u, node, check ? 0 : best, true);
    if (check) {
        movegen_evasions(pos, &list);
    } else {
        movegen_noisy(pos, &list);
        if (best >= beta) return close_node(u, node, best, true);
        if (best > alpha) alpha = best;
    }
    sort_moves(u, pos, &list, ply);
    for (int i = 0; i < list.count; i++) {
        Position next;
        if (!check && !see_at_least(pos, list.moves[i], 0)) continue; /* a capture that loses material proves nothing */
        int child = open_node(u, node, list.moves[i], u->nodes[node].depth - 1, -beta, -alpha);
        if (child < 0) return 0;
        position_play(pos, list.moves[i], &next);
        Score score = -quiesce(u, &next, child, ply + 1, -beta, -alpha);
        if (u->aborted) return 0;
        if (score > best) best = score;
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
    }
    return close_node(u, node, best, true);
}

static Score search(Unfold *u, const Position *pos, int node, int depth, int ply, Score alpha, Score beta);

/* Even passing keeps the node above beta: nothing needs to be looked at. Never in check, nor with pawns only (zugzwang). */
static bool null_move_cuts(Unfold *u, const Position *pos, int node, int depth, int ply, Score beta)
{
    Position next;
    Bitboard pieces = pos->colors[pos->side] & ~pos->types[PAWN] & ~pos->types[KING];
    if (!u->config.null_move || ply == 0 || depth < 2 || !pieces || position_in_check(pos)) return false;
    if (u->nodes[node].move == MOVE_NONE || evaluator_score_at(u->evaluator, pos, ply) < beta) return false;
    int child = open_node(u, node, MOVE_NONE, depth - 1 - NULL_REDUCTION, -beta, -beta + 1);
    if (child < 0) return false;
    position_play_null(pos, &next);
    Score score = -search(u, &next, child, depth - 1 - NULL_REDUCTION, ply + 1, -beta, -beta + 1);
    if (!u->aborted) u->nodes[child].kind = UNFOLD_NULL;
    return !u->aborted && score >= beta;
}

static void remember_killer(Unfold *u, const Position *pos, Move move, int ply)
{
    if (position_is_noisy(pos, move) || u->killers[ply][0] == move) return;
    u->killers[ply][1] = u->killers[ply][0];
    u->killers[ply][0] = move;
}

static Score search(Unfold *u, const Position *pos, int node, int depth, int ply, Score alpha, Score beta)
{
    MoveList list;
    Score    best = -SCORE_INFINITE;
    movegen_legal(pos, &list);
    if (list.count == 0) return close_node(u, node, position_in_check(pos) ? score_mated_in(ply) : SCORE_DRAW, false);
    if (depth <= 0 && u->config.quiescence) return quiesce(u, pos, node, ply, alpha, beta);
    if (depth <= 0) return close_node(u, node, evaluator_score_at(u->evaluator, pos, ply), false);
    if (null_move_cuts(u, pos, node, depth, ply, beta)) return close_node(u, node, beta, false);
    sort_moves(u, pos, &list, ply);
    for (int i = 0; i < list.count && !u->aborted; i++) {
        Position next;
        int      child = open_node(u, node, list.moves[i], depth - 1, -beta, -alpha);
        if (child < 0) return 0;
        position_play(pos, list.moves[i], &next);
        Score score = -search(u, &next, child, depth - 1, ply + 1, -beta, -alpha);
        if (u->aborted) return 0;
        if (score > best && ply == 0) u->best_root = list.moves[i];
        if (score > best) best = score;
        if (best > alpha) alpha = best;
        if (alpha < beta) continue;
        remember_killer(u, pos, list.moves[i], ply);
        break;
    }
    return close_node(u, node, best, false);
}

/* ---- all depths ---- */

/* Children were put in front one by one: turns every list around, so that it is in the order of the search. */
static void restore_order(UnfoldTree *tree)
{
    for (int i = 0; i < tree->count; i++) {
        int turned = -1;
        for (int child = tree->nodes[i].first_child, next; child >= 0; child = next) {
            next                            = tree->nodes[child].next_sibling;
            tree->nodes[child].next_sibling = turned;
            turned                          = child;
        }
        tree->nodes[i].first_child = turned;
    }
}

static bool unfold_depth(Unfold *u, const Position *pos, int depth, UnfoldTree *out)
{
    u->count = 0;
    open_node(u, -1, MOVE_NONE, depth, -SCORE_INFINITE, SCORE_INFINITE);
    search(u, pos, 0, depth, 0, -SCORE_INFINITE, SCORE_INFINITE);
    if (u->aborted) return false;
    UnfoldNode *kept = realloc(out->nodes, (size_t)u->count * sizeof *kept);
    if (!kept) return false;
    memcpy(kept, u->nodes, (size_t)u->count * sizeof *kept);
    *out = (UnfoldTree){.nodes = kept, .count = u->count, .depth = depth};
    return true;
}

bool unfold_search(const Position *pos, const UnfoldConfig *config, UnfoldTree *out, Err *err)
{
    Unfold *u = calloc(1, sizeof *u);
    *out      = (UnfoldTree){0};
    if (u) u->nodes = malloc(UNFOLD_NODES_MAX * sizeof *u->nodes);
    if (u) u->evaluator = evaluator_new(EVAL_CLASSICAL, NULL);
    if (u && u->nodes && u->evaluator) {
        u->config = *config;
        for (int depth = 1; depth <= config->depth && !u->aborted; depth++) {
            if (!unfold_depth(u, pos, depth, out)) break;
        }
        restore_order(out);
    }
    if (u) {
        evaluator_free(u->evaluator);
        free(u->nodes);
        free(u);
    }
    return out->count > 0 || err_set(err, ERR_MEMORY, 0, "no memory for the tree");
}

void unfold_release(UnfoldTree *tree)
{
    free(tree->nodes);
    *tree = (UnfoldTree){0};
}

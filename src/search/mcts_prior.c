/* mcts_prior.c - see mcts_prior.h. */
#include "search/mcts_prior.h"

#include <math.h>

#include "chess/checks.h"
#include "chess/see.h"
#include "search/mcts_tree.h"

/* In centipawns of "looks this much better than a quiet move"; the temperature says how much of it is believed. */
enum {
    HINT_BONUS     = 220,
    CHECK_BONUS    = 60,
    QUEEN_BONUS    = 600,
    UNDER_PENALTY  = 200, /* a promotion to less */
    ESCAPE_SHARE   = 4,   /* leaving a square that a pawn attacks is worth this part of the man */
    LOSING_PENALTY = 120, /* an exchange that loses, whatever it loses */
    CASTLING_BONUS = 40,
    TEMPERATURE    = 110,
};

/* What every node knows once for all its moves. */
typedef struct {
    const Position *pos;
    CheckMap        checks;
    Bitboard        pawn_attacked; /* by the enemy's pawns */
    Move            hint;
} Guess;

static int centrality(Square square)
{
    int file = square_file(square), rank = square_rank(square);
    int edge_file = file < 4 ? file : 7 - file, edge_rank = rank < 4 ? rank : 7 - rank;
    return edge_file + edge_rank;
}

static int quiet_score(const Guess *g, Move move, PieceType type)
{
    Square from = move_from(move), to = move_to(move);
    Color  us = position_side(g->pos);
    if (move_kind(move) == MOVE_CASTLING) return CASTLING_BONUS;
    int score = 0;
    if (type == PAWN) score = 6 * (square_relative_rank(us, to) - 1) + 4 * centrality(to);
    if (type == KNIGHT || type == BISHOP || type == QUEEN) score = 5 * (centrality(to) - centrality(from));
    if (type == KING) score = -15;
    if (type != PAWN && type != KING && bb_has(g->pawn_attacked, from)) score += see_values[type] / ESCAPE_SHARE;
    return score;
}

static int guess_score(const Guess *g, Move move)
{
    PieceType type     = piece_type(g->pos->board[move_from(move)]);
    PieceType captured = piece_type(position_captured(g->pos, move));
    int       score =
        captured != NO_TYPE ? see_values[captured] - see_values[type == KING ? PAWN : type] / 10 : quiet_score(g, move, type);
    if (move_kind(move) == MOVE_PROMOTION) score += move_promotion(move) == QUEEN ? QUEEN_BONUS : -UNDER_PENALTY;
    bool loses = type != KING && move_kind(move) != MOVE_CASTLING && !see_at_least(g->pos, move, 0);
    if (loses) score = -LOSING_PENALTY + (captured != NO_TYPE ? see_values[captured] / 10 : 0);
    if (checks_gives(g->pos, &g->checks, move)) score += CHECK_BONUS;
    if (move == g->hint) score += HINT_BONUS;
    return score;
}

/* The move as White would make it in the mirrored position: what decides between equals must not know the colour. */
static int mirrored(Color us, Move move)
{
    int flip = us == WHITE ? 0 : 56, promotion = move_kind(move) == MOVE_PROMOTION ? (int)move_promotion(move) : 0;
    return (promotion * SQUARES + ((int)move_from(move) ^ flip)) * SQUARES + ((int)move_to(move) ^ flip);
}

/* An insertion sort: there are few. */
static void sort_moves(Color us, MoveList *list, int scores[])
{
    for (int i = 1; i < list->count; i++) {
        Move move  = list->moves[i];
        int  score = scores[i], k = i;
        for (; k > 0 && scores[k - 1] <= score; k--) {
            if (scores[k - 1] == score && mirrored(us, list->moves[k - 1]) < mirrored(us, move)) break;
            scores[k]      = scores[k - 1];
            list->moves[k] = list->moves[k - 1];
        }
        scores[k]      = score;
        list->moves[k] = move;
    }
}

static void soften(const int scores[], int count, uint16_t priors[])
{
    double weights[MOVES_MAX], sum = 0;
    for (int i = 0; i < count; i++) {
        weights[i] = exp((double)(scores[i] - scores[0]) / TEMPERATURE);
        sum += weights[i];
    }
    for (int i = 0; i < count; i++) {
        double prior = weights[i] / sum * PRIOR_ONE;
        priors[i]    = (uint16_t)(prior < 1 ? 1 : prior);
    }
}

void mcts_order(const Position *pos, Move hint, MoveList *list, uint16_t priors[])
{
    Color us = position_side(pos), them = color_flip(us);
    Guess g = {.pos = pos, .hint = hint, .pawn_attacked = bb_pawn_attacks(position_pieces(pos, them, PAWN), them)};
    int   scores[MOVES_MAX];
    checks_map(pos, &g.checks);
    for (int i = 0; i < list->count; i++) scores[i] = guess_score(&g, list->moves[i]);
    sort_moves(us, list, scores);
    soften(scores, list->count, priors);
}

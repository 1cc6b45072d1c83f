/* thesis.c - see thesis.h. */
#include "lab/thesis.h"

#include <stdlib.h>

static void add(Sums *sums, const Sums *man)
{
    sums->middle += man->middle;
    sums->end += man->end;
    sums->phase += man->phase;
}

static void take(Sums *sums, const Sums *man)
{
    sums->middle -= man->middle;
    sums->end -= man->end;
    sums->phase -= man->phase;
}

static void fill_man(ThesisEval *eval, LabEvalKind kind, Color color, PieceType type)
{
    bool  squares = kind == LAB_EVAL_THESIS;
    int   sign    = color == WHITE ? 1 : -1;
    Piece piece   = piece_of(color, type);
    for (Square s = A1; s <= H8; s++) {
        Sums *sums   = &eval->sums[piece][s];
        sums->middle = sign * (thesis_piece_value[type] + (squares ? thesis_middle[color][type][s] : 0));
        sums->end    = sign * (thesis_piece_value[type] + (squares ? thesis_end[color][type][s] : 0));
        sums->phase  = thesis_phase_weight[type];
        for (int phase = 0; phase < PHASES; phase++)
            eval->blended[phase][piece][s] = sums->middle * phase + sums->end * (PHASE_OPENING - phase);
    }
}

ThesisEval *thesis_eval_new(LabEvalKind kind, Err *err)
{
    ThesisEval *eval = calloc(1, sizeof *eval);
    if (!eval) {
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    for (Color color = WHITE; color <= BLACK; color++) {
        for (PieceType type = PAWN; type <= KING; type++) fill_man(eval, kind, color, type);
    }
    return eval;
}

void thesis_eval_free(ThesisEval *eval) { free(eval); }

void thesis_set_root(const ThesisEval *eval, const Position *pos, LabNode *out)
{
    out->pos  = *pos;
    out->sums = (Sums){0};
    for (Bitboard men = position_occupied(pos); men;) {
        Square square = bb_pop(&men);
        add(&out->sums, &eval->sums[pos->board[square]][square]);
    }
}

Sums thesis_sums_after(const ThesisEval *eval, const LabNode *node, Move move)
{
    const Position *pos  = &node->pos;
    Square          from = move_from(move), to = move_to(move);
    Piece           man  = pos->board[from];
    Color           us   = position_side(pos);
    MoveKind        kind = move_kind(move);
    Sums            sums = node->sums;

    take(&sums, &eval->sums[man][from]);
    if (kind == MOVE_CASTLING) {
        CastleSide side = castle_side_of(move);
        Piece      rook = piece_of(us, ROOK);
        take(&sums, &eval->sums[rook][to]);
        add(&sums, &eval->sums[man][castle_king_target(us, side)]);
        add(&sums, &eval->sums[rook][castle_rook_target(us, side)]);
        return sums;
    }
    if (pos->board[to] != NO_PIECE) take(&sums, &eval->sums[pos->board[to]][to]);
    if (kind == MOVE_EN_PASSANT) take(&sums, &eval->sums[piece_of(color_flip(us), PAWN)][to ^ 8]);
    if (kind == MOVE_PROMOTION) man = piece_of(us, move_promotion(move));
    add(&sums, &eval->sums[man][to]);
    return sums;
}

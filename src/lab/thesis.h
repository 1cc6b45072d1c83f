/* thesis.h - the evaluation and the 24 positions of the thesis whose tables the ladder reproduces.
 *
 * The evaluation is a sum over the men: piece value and square value, once for the middle game and once for the end game,
 * blended by how many pieces are left. All of it is counted from White. Because a move changes two or three summands, a
 * child's value is known before the child exists: the last ply of a search is evaluated without playing a move.
 * Hot: everything inline here. Threads: [any]; a ThesisEval is constant once made.
 */
#ifndef LAB_THESIS_H
#define LAB_THESIS_H

#include "base/err.h"
#include "chess/position.h"

enum {
    THESIS_POSITIONS = 24,
    THESIS_MATE      = 999999, /* the side to move is mated: minus this. There is no distance to mate. */
    PHASE_OPENING    = 24,     /* at or above: hardly an end game; the blend is not clamped there */
    PHASES           = 2 * 15 * 4 + 1,
};

typedef struct {
    const char *fen;
    int         depth; /* the thesis calls this search "+0" */
} ThesisPosition;

extern const int16_t        thesis_middle[COLORS][PIECE_TYPES][SQUARES];
extern const int16_t        thesis_end[COLORS][PIECE_TYPES][SQUARES];
extern const int            thesis_piece_value[PIECE_TYPES];
extern const int            thesis_phase_weight[PIECE_TYPES];
extern const ThesisPosition thesis_positions[THESIS_POSITIONS];

/* The two sums over all men, from White, and how much material there is. */
typedef struct {
    int middle, end, phase;
} Sums;

typedef enum { LAB_EVAL_THESIS, LAB_EVAL_MATERIAL, LAB_EVALS } LabEvalKind;

/* What one man on one square adds: to the sums, and, for each phase, to the blended value times PHASE_OPENING. */
typedef struct {
    Sums    sums[PIECES][SQUARES];
    int32_t blended[PHASES][PIECES][SQUARES];
} ThesisEval;

ThesisEval *thesis_eval_new(LabEvalKind kind, Err *err); /* NULL and *err when memory is short */
void        thesis_eval_free(ThesisEval *eval);

/* A position with the sums that belong to it. */
typedef struct {
    Position pos;
    Sums     sums;
} LabNode;

void thesis_set_root(const ThesisEval *eval, const Position *pos, LabNode *out);

/* The value from White, times PHASE_OPENING. Dividing is left to the end: it changes no comparison between two values. */
static inline int sums_blend(Sums sums) { return sums.middle * sums.phase + sums.end * (PHASE_OPENING - sums.phase); }

/* From White; C's division rounds toward zero, which is the same for both sides. */
static inline int thesis_value(Sums sums) { return sums_blend(sums) / PHASE_OPENING; }

/* The sums after a legal move. */
Sums thesis_sums_after(const ThesisEval *eval, const LabNode *node, Move move);

/* `*child` becomes the node after a legal move. */
static inline void thesis_play(const ThesisEval *eval, const LabNode *node, Move move, LabNode *child)
{
    child->sums = thesis_sums_after(eval, node, move);
    position_play(&node->pos, move, &child->pos);
}

/* Evaluates the children of one node: the parts that all of them share. */
typedef struct {
    const ThesisEval *eval;
    const LabNode    *node;
    const int32_t (*row)[SQUARES]; /* by piece, for the phase that every quiet move keeps */
    int blend;
    int sign; /* +1 when White is to move in `node` */
} ChildValues;

static inline ChildValues child_values(const ThesisEval *eval, const LabNode *node)
{
    return (ChildValues){eval, node, eval->blended[node->sums.phase], sums_blend(node->sums), node->pos.side == WHITE ? 1 : -1};
}

/* The static value of the child, for the side that moves to it. */
static inline int child_value(const ChildValues *values, Move move)
{
    const Position *pos  = &values->node->pos;
    Square          from = move_from(move), to = move_to(move);
    if (move_kind(move) == MOVE_NORMAL && pos->board[to] == NO_PIECE) {
        const int32_t *row = values->row[pos->board[from]];
        return values->sign * ((values->blend + row[to] - row[from]) / PHASE_OPENING);
    }
    return values->sign * thesis_value(thesis_sums_after(values->eval, values->node, move));
}

#endif

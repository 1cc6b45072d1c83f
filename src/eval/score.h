/* score.h - what a position is worth, in centipawns from the side to move; mates as distances. */
#ifndef EVAL_SCORE_H
#define EVAL_SCORE_H

#include "chess/types.h"

typedef int Score;

enum {
    PLY_MAX            = 246, /* the deepest ply a search reaches; arrays have a few more */
    SCORE_DRAW         = 0,
    SCORE_MATE         = 32000, /* mated now is -SCORE_MATE */
    SCORE_INFINITE     = 32001,
    SCORE_NONE         = 32002,                /* no score at all */
    SCORE_MATED_IN_MAX = SCORE_MATE - PLY_MAX, /* at or above: a forced mate */
    SCORE_TB_WIN       = SCORE_MATED_IN_MAX - 1,
    SCORE_TB_WIN_MIN   = SCORE_TB_WIN - PLY_MAX, /* at or above: won by tables or mate */
    SCORE_EVAL_MAX     = SCORE_TB_WIN_MIN - 1,   /* an evaluation stays within +-this */
};

static inline Score score_mate_in(int ply) { return SCORE_MATE - ply; }
static inline Score score_mated_in(int ply) { return ply - SCORE_MATE; }
static inline bool  score_is_win(Score score) { return score >= SCORE_TB_WIN_MIN; }
static inline bool  score_is_loss(Score score) { return score <= -SCORE_TB_WIN_MIN; }
static inline bool  score_is_decisive(Score score) { return score_is_win(score) || score_is_loss(score); }
static inline bool  score_is_mate(Score score) { return score >= SCORE_MATED_IN_MAX || score <= -SCORE_MATED_IN_MAX; }

/* Moves (not plies) to mate, negative when being mated; only for score_is_mate. Right for the score of either side, whoever is to
 * move. */
static inline int score_mate_moves(Score score)
{
    return score > 0 ? (SCORE_MATE - score + 1) / 2 : -((SCORE_MATE + score + 1) / 2);
}

static inline Score score_clamp_eval(Score score)
{
    return score > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : score < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : score;
}

#endif

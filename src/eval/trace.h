/* trace.h - how the classical evaluation came to its value: how often each parameter counted, for each side.
 *
 * The same code that evaluates fills this when it is asked to; the printed table and the tuner's coefficients are both read
 * from it, so they cannot disagree with the value that is played. Private to eval and learn.
 */
#ifndef EVAL_TRACE_H
#define EVAL_TRACE_H

#include "chess/position.h"
#include "eval/params.h"
#include "eval/score.h"

enum {
    PHASE_MAX         = 24, /* all pieces on the board: minor 1, rook 2, queen 4 */
    SCALE_NORMAL      = 128,
    SCALE_DRAWN       = 48,  /* at or below: drawn but for mistakes */
    FIFTY_WEIGHT      = 220, /* the value shrinks by halfmove / this: at the hundredth half-move nearly half is gone */
    DANGER_MG_DIVISOR = 720,
    DANGER_EG_DIVISOR = 20,
    DANGER_MAX        = 1400, /* a king cannot be more than dead: keeps 16 bits safe */
};

typedef struct {
    int16_t     count[COLORS][EVAL_PARAMS]; /* of GROUP_COMPLEXITY only count[WHITE] is used */
    Packed      danger[COLORS];             /* the sum of GROUP_DANGER against this side's king; 0 when nobody attacks */
    bool        in_danger[COLORS];          /* whether that sum was taken at all */
    int         mg, eg;                     /* for White, complexity included */
    int         complexity;                 /* its part of eg */
    int         phase;                      /* 0 .. PHASE_MAX */
    int         scale;                      /* 0 .. SCALE_NORMAL, on eg */
    const char *rule;                       /* the ending that decided value or scale; NULL for none */
    bool        known;                      /* the ending gave the value itself: the terms do not count */
    Score       value;                      /* for the side to move: what evaluator_score returns */
} EvalTrace;

#define EVAL_INLINE static inline __attribute__((always_inline))

/* A parameter that counts `times` times for `us`. `trace` is a constant NULL in the fast path. */
EVAL_INLINE Packed eval_term(EvalTrace *trace, Color us, int param, int times)
{
    if (trace) trace->count[us][param] = (int16_t)(trace->count[us][param] + times);
    return eval_params[param] * times;
}

/* What the danger sum costs its side: small dangers little, several together much. */
EVAL_INLINE Packed danger_penalty(Packed danger)
{
    int mg = packed_mg(danger), eg = packed_eg(danger);
    mg = mg < 0 ? 0 : mg > DANGER_MAX ? DANGER_MAX : mg;
    eg = eg < 0 ? 0 : eg > DANGER_MAX ? DANGER_MAX : eg;
    return PACK(mg * mg / DANGER_MG_DIVISOR, eg / DANGER_EG_DIVISOR);
}

/* Complexity never turns a side's advantage around. */
EVAL_INLINE int complexity_shift(int complexity, int eg)
{
    int room = eg < 0 ? eg : -eg; /* -|eg| */
    int size = complexity > room ? complexity : room;
    return eg > 0 ? size : eg < 0 ? -size : 0;
}

/* A scale is for the end game's part, but when it says that the game is all but drawn the rest means nothing either. */
EVAL_INLINE int eval_mg_scale(int scale) { return scale <= SCALE_DRAWN ? scale : SCALE_NORMAL; }

/* White's value between middle game and end game. */
EVAL_INLINE int eval_taper(int mg, int eg, int phase, int scale)
{
    return (mg * eval_mg_scale(scale) * phase + eg * scale * (PHASE_MAX - phase)) / (PHASE_MAX * SCALE_NORMAL);
}

#endif

/* params.h - the numbers of the classical evaluation (params.def) as one flat table, and what each of them is. Private to eval
 * and learn.
 *
 * A parameter is a pair (middle game, end game) packed into one int: the evaluation adds and multiplies both halves at once.
 * The table is constant and visible here, so that the compiler folds single numbers into the code. Threads: [any].
 */
#ifndef EVAL_PARAMS_H
#define EVAL_PARAMS_H

#include "chess/types.h"

/* Middle game in the low half, end game in the high half; a negative low half borrows from the high one, which
 * packed_eg gives back. Sums stay within 16 bits a half even with fifteen queens. */
typedef int32_t Packed;

#define PACK(mg, eg) ((Packed)((uint32_t)(eg) << 16) + (Packed)(mg))

static inline int packed_mg(Packed value) { return (int16_t)(uint16_t)value; }
static inline int packed_eg(Packed value) { return (int16_t)(uint16_t)(((uint32_t)value + 0x8000U) >> 16); }

/* What a parameter belongs to: the rows of `tabia eval`. */
typedef enum {
    GROUP_MATERIAL,
    GROUP_PLACEMENT,
    GROUP_PAIRS,
    GROUP_MOBILITY,
    GROUP_PAWNS,
    GROUP_PASSED,
    GROUP_KNIGHTS,
    GROUP_BISHOPS,
    GROUP_ROOKS,
    GROUP_QUEENS,
    GROUP_SHELTER,
    GROUP_DANGER, /* not added up directly: the sum goes through danger_penalty */
    GROUP_THREATS,
    GROUP_SPACE,
    GROUP_TEMPO,
    GROUP_COMPLEXITY, /* of neither side: the sum moves the end game value toward or away from zero */
    EVAL_GROUPS
} EvalGroup;

/* P_NAME is the index of a parameter, or of the first of an array. */
enum {
#define PARAM(name, group, size, columns, meaning, ...) P_##name, P_##name##_LAST = P_##name + (size)-1,
#include "eval/params.def"
#undef PARAM
    EVAL_PARAMS
};

/* FAMILY_NAME numbers the rows of params.def. */
enum {
#define PARAM(name, group, size, columns, meaning, ...) FAMILY_##name,
#include "eval/params.def"
#undef PARAM
    EVAL_FAMILIES
};

#define S(mg, eg) PACK(mg, eg)
static const Packed eval_params[] = {
#define PARAM(name, group, size, columns, meaning, ...) __VA_ARGS__,
#include "eval/params.def"
#undef PARAM
};
#undef S

_Static_assert(sizeof eval_params / sizeof *eval_params == EVAL_PARAMS, "a size in params.def is wrong");

/* One row of params.def. */
typedef struct {
    const char *name;
    const char *meaning;
    EvalGroup   group;
    int         first; /* index into eval_params */
    int         size;
    int         columns;
} EvalFamily;

extern const EvalFamily eval_families[EVAL_FAMILIES];

const char *eval_group_name(EvalGroup group); /* "king danger" */

#endif

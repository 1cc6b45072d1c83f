/* params.c - names and meanings of the parameters, for people, for the tuner and for the writer of params.def. */
#include "eval/params.h"

const EvalFamily eval_families[EVAL_FAMILIES] = {
#define PARAM(name, group, size, columns, meaning, ...) {#name, meaning, GROUP_##group, P_##name, size, columns},
#include "eval/params.def"
#undef PARAM
};

static const char *const group_names[EVAL_GROUPS] = {
    [GROUP_MATERIAL] = "material",     [GROUP_PLACEMENT] = "placement",  [GROUP_PAIRS] = "pairs",
    [GROUP_MOBILITY] = "mobility",     [GROUP_PAWNS] = "pawns",          [GROUP_PASSED] = "passed pawns",
    [GROUP_KNIGHTS] = "knights",       [GROUP_BISHOPS] = "bishops",      [GROUP_ROOKS] = "rooks",
    [GROUP_QUEENS] = "queens",         [GROUP_SHELTER] = "king shelter", [GROUP_DANGER] = "king danger",
    [GROUP_THREATS] = "threats",       [GROUP_SPACE] = "space",          [GROUP_TEMPO] = "tempo",
    [GROUP_COMPLEXITY] = "complexity",
};

const char *eval_group_name(EvalGroup group) { return group_names[group]; }

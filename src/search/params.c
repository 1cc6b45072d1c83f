/* params.c - see params.h. */
#include "search/params.h"

static const ParamInfo rows[PARAMS] = {
#define PARAM(name, value, low, high) {#name, (value), (low), (high)},
#include "search/params.def"
#undef PARAM
};

const ParamInfo *param_info(Param param) { return &rows[param]; }

SearchParams params_default(void)
{
    SearchParams params;
    for (Param i = 0; i < PARAMS; i++) params.number[i] = rows[i].initial;
    return params;
}

/* params.c - see params.h. */
#include "search/params.h"

#ifdef TABIA_TUNE
#define PARAM(name, value, low, high) int name = (value);
#include "search/params.def"
#undef PARAM
#define PARAM_ADDRESS(name) (&(name))
#else
#define PARAM_ADDRESS(name) ((int *)0)
#endif

static const ParamInfo params[] = {
#define PARAM(name, value, low, high) {#name, PARAM_ADDRESS(name), (value), (low), (high)},
#include "search/params.def"
#undef PARAM
};

int param_count(void) { return (int)(sizeof params / sizeof *params); }

const ParamInfo *param_info(int index) { return &params[index]; }

/* params.h - the numbers of params.def by name: constants, or variables in a tuning build. */
#ifndef SEARCH_PARAMS_H
#define SEARCH_PARAMS_H

#ifdef TABIA_TUNE
#define PARAM(name, value, low, high) extern int name;
#include "search/params.def"
#undef PARAM
#else
enum {
#define PARAM(name, value, low, high) name = (value),
#include "search/params.def"
#undef PARAM
};
#endif

/* One row of params.def, for the options of a tuning build. */
typedef struct {
    const char *name;
    int        *value; /* NULL in a normal build */
    int         initial, low, high;
} ParamInfo;

int              param_count(void);
const ParamInfo *param_info(int index);

#endif

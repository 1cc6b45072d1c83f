/* params.h - the numbers of params.def: constants of the program, or values of each search in a tuning build (make TUNE=1).
 *
 * The search reads a number as TUNED(params, NAME), where `params` is the SearchParams it was given. In a normal build that is
 * the constant NAME and costs nothing; in a tuning build it is read from the struct, which the engine fills from UCI options.
 */
#ifndef SEARCH_PARAMS_H
#define SEARCH_PARAMS_H

typedef enum {
#define PARAM(name, value, low, high) PARAM_##name,
#include "search/params.def"
#undef PARAM
    PARAMS
} Param;

typedef struct {
    int number[PARAMS];
} SearchParams;

#ifdef TABIA_TUNE
#define TUNED(params, name) ((params)->number[PARAM_##name])
#else
enum {
#define PARAM(name, value, low, high) name = (value),
#include "search/params.def"
#undef PARAM
};
#define TUNED(params, name) ((void)(params), (int)(name))
#endif

/* One row of params.def. */
typedef struct {
    const char *name;
    int         initial, low, high;
} ParamInfo;

const ParamInfo *param_info(Param param);
SearchParams     params_default(void);

#endif

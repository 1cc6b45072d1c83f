/* settings.h - the engine's options: one table that names them, one struct that holds their values. Internal to `engine`. */
#ifndef ENGINE_SETTINGS_H
#define ENGINE_SETTINGS_H

#include "engine/engine.h"

enum { SETTING_TEXT_SIZE = 1024 };

typedef enum {
    SET_HASH,
    SET_THREADS,
    SET_CLEAR_HASH,
    SET_PONDER,
    SET_MULTIPV,
    SET_OVERHEAD,
    SET_CHESS960,
    SET_SHOW_WDL,
    SET_ANALYSE,
    SET_LIMIT_STRENGTH,
    SET_ELO,
    SET_SKILL,
    SET_MINIMAL,
    SET_LOG_FILE,
    SET_SYZYGY,
    SET_SYZYGY_DEPTH,
    SET_SYZYGY_LIMIT,
    SET_SYZYGY_FIFTY,
    SET_OWN_BOOK,
    SET_BOOK_FILE,
    SET_BOOK_WHITE,
    SET_BOOK_BLACK,
    SET_BOOK_DEPTH,
    SET_BOOK_CHOICE,
    SET_BOOK_VETO,
    SET_EVAL,
    SET_EVAL_FILE,
    SET_MLP_FILE,
    SET_SEARCH,
    SET_MCTS_PLAYOUT,
    SET_MCTS_POLICY,
    SET_MCTS_EXPLORATION,
    SET_FEATURES,
    SET_QUIESCENCE_DEPTH,
    SET_ITERATIVE,
    SET_ASPIRATION,
    SET_SEED,
#ifdef TABIA_TUNE
#define PARAM(name, value, low, high) SET_##name,
#include "search/params.def"
#undef PARAM
#endif
    SETTINGS
} Setting;

typedef struct {
    int64_t number[SETTINGS]; /* checks as 0 and 1, combos as the index of the choice */
    char    text[SETTINGS][SETTING_TEXT_SIZE];
} Settings;

void settings_reset(Settings *settings);

/* The numbers of the search: as the options say in a tuning build, else the constants. */
SearchParams settings_params(const Settings *settings);

/* The setting of that name in any letter case; SETTINGS when there is none. */
Setting settings_find(Str name);

/* Checks and stores a value; a number out of range is refused. */
bool settings_store(Settings *settings, Setting setting, Str value, Err *err);

#endif

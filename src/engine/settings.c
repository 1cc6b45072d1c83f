/* settings.c - see settings.h. */
#include "engine/settings.h"

#include <inttypes.h>
#include <stdio.h>

#include "uci/command.h"

static const char *const eval_choices[]    = {"material", "classical", "nnue", "mlp", NULL};
static const char *const book_choices[]    = {"best", "weighted", "uniform", NULL}; /* as BookChoice */
static const char *const search_choices[]  = {"alphabeta", "mcts", NULL};           /* as SearchKind */
static const char *const playout_choices[] = {"eval", "minimax", "random", NULL};   /* as PlayoutKind */
static const char *const policy_choices[]  = {"puct", "uct", NULL};                 /* as PolicyKind */

#define CHECK(name, value)                                                                                                       \
    {                                                                                                                            \
        name, ENGINE_OPTION_CHECK, value, 0, 0, 0, NULL                                                                          \
    }
#define SPIN(name, value, low, high)                                                                                             \
    {                                                                                                                            \
        name, ENGINE_OPTION_SPIN, NULL, value, low, high, NULL                                                                   \
    }
#define TEXT(name, value)                                                                                                        \
    {                                                                                                                            \
        name, ENGINE_OPTION_STRING, value, 0, 0, 0, NULL                                                                         \
    }

#ifdef TABIA_NETWORK
#define EVAL_DEFAULT "nnue"
#else
#define EVAL_DEFAULT "classical"
#endif

static const EngineOption options[SETTINGS] = {
    [SET_HASH]             = SPIN("Hash", 16, 1, 1 << 20),
    [SET_THREADS]          = SPIN("Threads", 1, 1, SEARCH_THREADS_MAX),
    [SET_CLEAR_HASH]       = {"Clear Hash", ENGINE_OPTION_BUTTON, NULL, 0, 0, 0, NULL},
    [SET_PONDER]           = CHECK("Ponder", "false"),
    [SET_MULTIPV]          = SPIN("MultiPV", 1, 1, MULTIPV_MAX),
    [SET_OVERHEAD]         = SPIN("Move Overhead", 10, 0, 5000),
    [SET_CHESS960]         = CHECK("UCI_Chess960", "false"),
    [SET_SHOW_WDL]         = CHECK("UCI_ShowWDL", "false"),
    [SET_ANALYSE]          = CHECK("UCI_AnalyseMode", "false"),
    [SET_LIMIT_STRENGTH]   = CHECK("UCI_LimitStrength", "false"),
    [SET_ELO]              = SPIN("UCI_Elo", 1800, 1000, 3000),
    [SET_SKILL]            = SPIN("Skill Level", 20, 0, 20),
    [SET_MINIMAL]          = CHECK("Minimal", "false"),
    [SET_LOG_FILE]         = TEXT("Debug Log File", "<empty>"),
    [SET_SYZYGY]           = TEXT("SyzygyPath", "<empty>"),
    [SET_SYZYGY_DEPTH]     = SPIN("SyzygyProbeDepth", 1, 1, 100),
    [SET_SYZYGY_LIMIT]     = SPIN("SyzygyProbeLimit", 7, 0, 7),
    [SET_SYZYGY_FIFTY]     = CHECK("Syzygy50MoveRule", "true"),
    [SET_OWN_BOOK]         = CHECK("OwnBook", "false"),
    [SET_BOOK_FILE]        = TEXT("Book File", "<empty>"),
    [SET_BOOK_WHITE]       = TEXT("Book File White", "<empty>"),
    [SET_BOOK_BLACK]       = TEXT("Book File Black", "<empty>"),
    [SET_BOOK_DEPTH]       = SPIN("Book Depth", 255, 0, 1000),
    [SET_BOOK_CHOICE]      = {"Book Choice", ENGINE_OPTION_COMBO, "weighted", 0, 0, 0, book_choices},
    [SET_BOOK_VETO]        = SPIN("Book Veto", 0, 0, 1000),
    [SET_EVAL]             = {"Eval", ENGINE_OPTION_COMBO, EVAL_DEFAULT, 0, 0, 0, eval_choices},
    [SET_EVAL_FILE]        = TEXT("EvalFile", "<empty>"),
    [SET_MLP_FILE]         = TEXT("MLP File", "<empty>"),
    [SET_SEARCH]           = {"Search", ENGINE_OPTION_COMBO, "alphabeta", 0, 0, 0, search_choices},
    [SET_MCTS_PLAYOUT]     = {"MCTS Playout", ENGINE_OPTION_COMBO, "eval", 0, 0, 0, playout_choices},
    [SET_MCTS_POLICY]      = {"MCTS Policy", ENGINE_OPTION_COMBO, "puct", 0, 0, 0, policy_choices},
    [SET_MCTS_EXPLORATION] = SPIN("MCTS Exploration", 60, 0, 1000),
    [SET_FEATURES]         = TEXT("Features", "all"),
    [SET_QUIESCENCE_DEPTH] = SPIN("Quiescence Depth", -1, -1, 100),
    [SET_ITERATIVE]        = CHECK("Iterative Deepening", "true"),
    [SET_ASPIRATION]       = SPIN("Aspiration Window", -1, -1, 1000),
    [SET_SEED]             = SPIN("Seed", 0, 0, INT32_MAX),
#ifdef TABIA_TUNE
#define PARAM(name, value, low, high) [SET_##name] = SPIN(#name, value, low, high),
#include "search/params.def"
#undef PARAM
#endif
};

SearchParams settings_params(const Settings *settings)
{
    SearchParams params = params_default();
#ifdef TABIA_TUNE
#define PARAM(name, value, low, high) params.number[PARAM_##name] = (int)settings->number[SET_##name];
#include "search/params.def"
#undef PARAM
#endif
    (void)settings;
    return params;
}

size_t              engine_option_count(void) { return SETTINGS; }
const EngineOption *engine_option(size_t index) { return &options[index]; }

Setting settings_find(Str name)
{
    Setting setting = 0;
    while (setting < SETTINGS && !uci_option_name_equal(str_from(options[setting].name), str_trim(name))) setting++;
    return setting;
}

static bool store_choice(Settings *settings, Setting setting, Str value, Err *err)
{
    const char *const *choices = options[setting].choices;
    for (int i = 0; choices[i]; i++) {
        if (!str_equal_nocase(str_from(choices[i]), value)) continue;
        settings->number[setting] = i;
        return true;
    }
    return err_set(err, ERR_RANGE, 0, "%s cannot be '%.*s'", options[setting].name, STR_ARGS(value));
}

static bool store_text(Settings *settings, Setting setting, Str value, Err *err)
{
    if (str_equal(value, STR("<empty>"))) value.len = 0;
    if (value.len >= SETTING_TEXT_SIZE) return err_set(err, ERR_RANGE, 0, "the value of %s is too long", options[setting].name);
    FeatureSet ignored;
    if (setting == SET_FEATURES && !features_parse(value, &ignored, err)) return false;
    if (value.len) memcpy(settings->text[setting], value.ptr, value.len);
    settings->text[setting][value.len] = '\0';
    return true;
}

bool settings_store(Settings *settings, Setting setting, Str value, Err *err)
{
    const EngineOption *o = &options[setting];
    value                 = str_trim(value);
    switch (o->kind) {
    case ENGINE_OPTION_BUTTON: return true;
    case ENGINE_OPTION_COMBO: return store_choice(settings, setting, value, err);
    case ENGINE_OPTION_STRING: return store_text(settings, setting, value, err);
    case ENGINE_OPTION_CHECK:
        if (!str_equal_nocase(value, STR("true")) && !str_equal_nocase(value, STR("false")))
            return err_set(err, ERR_RANGE, 0, "%s must be true or false, not '%.*s'", o->name, STR_ARGS(value));
        settings->number[setting] = str_equal_nocase(value, STR("true"));
        return true;
    case ENGINE_OPTION_SPIN: break;
    }
    int64_t number;
    if (!str_to_i64(value, &number) || number < o->low || number > o->high)
        return err_set(err, ERR_RANGE, 0, "%s must be from %" PRId64 " to %" PRId64 ", not '%.*s'", o->name, o->low, o->high,
                       STR_ARGS(value));
    settings->number[setting] = number;
    return true;
}

void settings_reset(Settings *settings)
{
    *settings = (Settings){0};
    for (Setting i = 0; i < SETTINGS; i++) {
        if (options[i].kind == ENGINE_OPTION_SPIN) {
            settings->number[i] = options[i].spin_default;
        } else if (options[i].text_default) {
            settings_store(settings, i, str_from(options[i].text_default), NULL);
        }
    }
}

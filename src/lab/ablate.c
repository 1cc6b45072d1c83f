/* ablate.c - see ablate.h. */
#include "lab/ablate.h"

#include "arena/arena.h"
#include "engine/engine.h"
#include "lab/thesis.h"

/* Nodes to depth over the 24 positions, with these features. */
static bool nodes_to_depth(int depth, const char *features, uint64_t *nodes, Err *err)
{
    Engine *engine = engine_new(NULL, err);
    bool    ok     = engine && engine_set_option(engine, STR("Features"), str_from(features), err);
    *nodes         = 0;
    for (int i = 0; ok && i < THESIS_POSITIONS; i++) {
        GoLimits     limits = {.depth = depth};
        SearchResult result;
        engine_new_game(engine);
        ok = engine_set_position(engine, str_from(thesis_positions[i].fen), STR(""), err) &&
             engine_think(engine, &limits, &result, err);
        if (ok) *nodes += result.nodes;
    }
    engine_free(engine);
    return ok;
}

static bool play_match(const AblateConfig *config, const Openings *openings, const PlayerSpec specs[2], EloEstimate *elo,
                       Err *err)
{
    ArenaConfig arena_config = {
        .engines     = specs,
        .schedule    = {.type = SCHEDULE_ROUND_ROBIN, .engines = 2, .games = config->games},
        .limits      = {.nodes = (int64_t)config->nodes},
        .margin_ms   = -1,
        .openings    = openings,
        .concurrency = config->concurrency,
        .seed        = 1,
        .patience    = player_default_patience(),
        .event       = "Tabia lab ablate",
        .setup       = "lab ablate",
    };
    Arena *arena = arena_new(&arena_config, NULL, NULL, err);
    if (!arena) return false;
    bool ok = arena_run(arena, err) == ARENA_COMPLETE;
    if (ok) *elo = standings_estimate(arena_standings(arena), 0, 1);
    arena_free(arena);
    return ok;
}

/* Games of the engine without `name` against the whole one. */
static bool measure_elo(const AblateConfig *config, const Openings *openings, const char *name, EloEstimate *elo, Err *err)
{
    PlayerSpec specs[2] = {0};
    Buf        line     = {0};
    buf_printf(&line, "tabia:name=without-%s,Features=-%s", name, name);
    bool ok = !line.failed && player_spec_parse(buf_str(&line), STR(""), &specs[0], err) &&
              player_spec_parse(STR("tabia:name=whole"), STR(""), &specs[1], err) &&
              play_match(config, openings, specs, elo, err);
    player_spec_release(&specs[0]);
    player_spec_release(&specs[1]);
    buf_release(&line);
    return ok;
}

static bool measure(const AblateConfig *config, const Openings *openings, AblateRow *row, Err *err)
{
    const char *name = feature_name(row->feature);
    Buf         text = {0};
    bool        ok   = true;
    buf_printf(&text, "-%s", name);
    if (text.failed) ok = err_set(err, ERR_MEMORY, 0, "out of memory");
    if (ok && config->depth) ok = nodes_to_depth(config->depth, text.data, &row->nodes, err);
    if (ok && config->games) ok = measure_elo(config, openings, name, &row->elo, err);
    buf_release(&text);
    return ok;
}

bool lab_ablate(const AblateConfig *config, const Feature *features, size_t count, AblateRowFn *on_row, void *context, Err *err)
{
    Openings openings = {0};
    uint64_t whole    = 0;
    bool     ok       = true;
    if (config->games)
        ok = config->openings ? openings_load(config->openings, 0, false, &openings, err)
                              : openings_builtin(false, &openings, err);
    if (ok && config->depth) ok = nodes_to_depth(config->depth, "all", &whole, err);
    for (size_t i = 0; ok && i < count; i++) {
        AblateRow row = {.feature = features[i], .nodes_whole = whole};
        ok            = measure(config, &openings, &row, err);
        if (ok && on_row) on_row(context, &row);
    }
    openings_release(&openings);
    return ok;
}

/* mcts.c - see mcts.h. */
#include "lab/mcts.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "arena/arena.h"
#include "base/lines.h"
#include "engine/engine.h"
#include "game/epd.h"
#include "search/mcts_random.h"

const char *lab_mcts_playout_name(PlayoutKind playout)
{
    static const char *const names[PLAYOUTS] = {"eval", "minimax", "random"};
    return names[playout];
}

/* ---- matches ---- */

/* A side of a match: its name and its options as `tabia match` writes them. */
typedef struct {
    const char *name, *options;
} Side;

typedef struct {
    const LabMctsGames *config;
    const Openings     *openings;
    LabMctsMatchFn     *on_match;
    void               *context;
} Matches;

static bool parse_side(const Side *side, PlayerSpec *out, Err *err)
{
    Buf line = {0};
    buf_printf(&line, "%s:name=%s%s%s", side->options ? "tabia" : "random", side->name, side->options ? "," : "",
               side->options ? side->options : "");
    bool ok = !line.failed ? player_spec_parse(buf_str(&line), STR(""), out, err) : err_set(err, ERR_MEMORY, 0, "out of memory");
    buf_release(&line);
    return ok;
}

static bool run_match(const Matches *m, const PlayerSpec specs[2], bool equal_time, LabMctsMatch *match, Err *err)
{
    ArenaConfig config = {
        .engines     = specs,
        .schedule    = {.type = SCHEDULE_ROUND_ROBIN, .engines = 2, .games = m->config->games},
        .margin_ms   = -1,
        .openings    = m->openings,
        .concurrency = m->config->concurrency,
        .seed        = 1,
        .patience    = player_default_patience(),
        .event       = "Tabia lab mcts",
        .setup       = "lab mcts",
    };
    if (equal_time) {
        config.limits.movetime_ms = m->config->movetime_ms;
        (void)snprintf(match->limit, sizeof match->limit, "%d ms", m->config->movetime_ms);
    } else {
        config.limits.nodes = (int64_t)m->config->nodes;
        (void)snprintf(match->limit, sizeof match->limit, "%llu nodes", (unsigned long long)m->config->nodes);
    }
    Arena *arena = arena_new(&config, NULL, NULL, err);
    if (!arena) return false;
    bool ok = arena_run(arena, err) == ARENA_COMPLETE;
    if (ok) match->elo = standings_estimate(arena_standings(arena), 0, 1);
    arena_free(arena);
    return ok;
}

static bool play_match(const Matches *m, Side first, Side second, bool equal_time, Err *err)
{
    PlayerSpec   specs[2] = {0};
    LabMctsMatch match    = {0};
    (void)snprintf(match.first, sizeof match.first, "%s", first.name);
    (void)snprintf(match.second, sizeof match.second, "%s", second.name);
    bool ok =
        parse_side(&first, &specs[0], err) && parse_side(&second, &specs[1], err) && run_match(m, specs, equal_time, &match, err);
    player_spec_release(&specs[0]);
    player_spec_release(&specs[1]);
    if (ok && m->on_match) m->on_match(m->context, &match);
    return ok;
}

static bool play_values(const Matches *m, Side usual, Err *err)
{
    for (int i = 0; i < m->config->value_count; i++) {
        char name[LAB_MCTS_NAME_SIZE], options[64];
        int  c = m->config->values[i];
        (void)snprintf(name, sizeof name, "c-%d.%02d", c / 100, c % 100);
        (void)snprintf(options, sizeof options, "Search=mcts,MCTS Exploration=%d", c);
        if (!play_match(m, (Side){name, options}, usual, false, err)) return false;
    }
    return true;
}

static bool play_all(const Matches *m, Err *err)
{
    const Side usual     = {"mcts", "Search=mcts"};
    const Side alphabeta = {"alphabeta", "Search=alphabeta"};
    const Side minimax   = {"minimax-playouts", "Search=mcts,MCTS Playout=minimax"};
    const Side random    = {"random-playouts", "Search=mcts,MCTS Playout=random"};
    const Side uct       = {"uct", "Search=mcts,MCTS Policy=uct"};
    const Side mover     = {"random-mover", NULL};
    return play_match(m, usual, mover, false, err) && play_match(m, minimax, usual, true, err) &&
           play_match(m, random, usual, true, err) && play_match(m, uct, usual, false, err) && play_values(m, usual, err) &&
           play_match(m, usual, alphabeta, true, err) && play_match(m, usual, alphabeta, false, err);
}

bool lab_mcts_games(const LabMctsGames *config, LabMctsMatchFn *on_match, void *context, Err *err)
{
    Openings openings = {0};
    Matches  m        = {.config = config, .openings = &openings, .on_match = on_match, .context = context};
    bool     ok =
        config->openings ? openings_load(config->openings, 0, false, &openings, err) : openings_builtin(false, &openings, err);
    ok = ok && play_all(&m, err);
    openings_release(&openings);
    return ok;
}

/* ---- one engine ---- */

static Engine *mcts_engine(const SearchListener *listener, PlayoutKind playout, Err *err)
{
    Engine *engine = engine_new(listener, err);
    if (engine && engine_set_option(engine, STR("Search"), STR("mcts"), err) &&
        engine_set_option(engine, STR("MCTS Playout"), str_from(lab_mcts_playout_name(playout)), err) &&
        engine_ready(engine, err))
        return engine;
    engine_free(engine);
    return NULL;
}

/* ---- rates ---- */

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Searches of growing size until one has taken long enough to be measured. engine_think leads on this thread. */
static bool playout_rate(PlayoutKind playout, double *rate, Err *err)
{
    enum { FIRST = 500, ENOUGH_PERCENT = 50 };
    Engine *engine = mcts_engine(NULL, playout, err);
    bool    ok     = engine != NULL;
    double  took   = 0;
    for (int64_t nodes = FIRST; ok && took < ENOUGH_PERCENT / 100.0; nodes *= 2) {
        GoLimits     limits = {.nodes = nodes};
        SearchResult result;
        engine_new_game(engine);
        double start = processor_seconds();
        ok           = engine_think(engine, &limits, &result, err);
        took         = processor_seconds() - start;
        *rate        = ok && took > 0 ? (double)result.nodes / took : 0;
    }
    engine_free(engine);
    return ok;
}

bool lab_mcts_rates(uint64_t games, LabMctsRates *out, Err *err)
{
    Position start;
    Rng      rng   = rng_seeded(1);
    uint64_t plies = 0;
    position_set_start(&start);
    double begin = processor_seconds();
    for (uint64_t i = 0; i < games; i++) (void)mcts_random_game(&start, NULL, 0, &rng, &plies);
    double took       = processor_seconds() - begin;
    out->random_games = games && took > 0 ? (double)games / took : 0;
    out->random_plies = games ? (double)plies / (double)games : 0;
    for (PlayoutKind kind = 0; kind < PLAYOUTS; kind++) {
        if (!playout_rate(kind, &out->playouts[kind], err)) return false;
    }
    return true;
}

/* ---- mates ---- */

/* How many moves the line says the mate takes; 0 when it says nothing, or that the side to move is mated. */
static int mate_of(const Epd *epd)
{
    static const struct {
        const char *operation, *before;
    } forms[] = {{"dm", ""}, {"bm", "#"}, {"ce", "+M"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        Str value = epd_get(epd, str_from(forms[i].operation)), before = str_from(forms[i].before);
        int moves;
        if (value.len <= before.len || memcmp(value.ptr, before.ptr, before.len) != 0) continue;
        Str number = {value.ptr + before.len, value.len - before.len};
        if (str_to_int(number, 1, LAB_MCTS_MATE_MAX, &moves)) return moves;
    }
    return 0;
}

static bool try_mate(Engine *engine, Str line, uint64_t nodes, LabMctsMates *out, Err *err)
{
    Epd  epd;
    char fen[FEN_SIZE];
    if (!epd_parse(line, &epd, err)) return false;
    int moves = mate_of(&epd);
    if (moves == 0) return true;
    GoLimits     limits = {.nodes = (int64_t)nodes, .mate = moves};
    SearchResult result;
    position_to_fen(&epd.position, fen);
    engine_new_game(engine);
    if (!engine_set_position(engine, str_from(fen), STR(""), err) || !engine_think(engine, &limits, &result, err)) return false;
    bool proved = score_is_mate(result.score) && result.score > 0 && score_mate_moves(result.score) <= moves;
    out->positions[moves]++;
    out->proved[moves] += proved;
    if (!proved) buf_printf(&out->missed, "%s\n", fen);
    out->playouts[moves] += result.nodes;
    return !out->missed.failed || err_set(err, ERR_MEMORY, 0, "out of memory");
}

bool lab_mcts_mates(const char *path, uint64_t most, uint64_t nodes, LabMctsMates *out, Err *err)
{
    FILE *file = fopen(path, "r");
    if (!file) return err_set_errno(err, ERR_IO, "cannot read %s", path);
    Engine    *engine = mcts_engine(NULL, PLAYOUT_EVAL, err);
    bool       ok     = engine != NULL;
    LineReader lines;
    LineStatus status = LINE_READ;
    Str        line;
    lines_init(&lines, fileno(file));
    for (uint64_t i = 0; ok && (most == 0 || i < most) && (status = lines_next(&lines, &line, err)) == LINE_READ;) {
        line = str_trim(line);
        if (line.len == 0 || line.ptr[0] == '#') continue;
        ok = try_mate(engine, line, nodes, out, err);
        i++;
    }
    lines_release(&lines);
    engine_free(engine);
    (void)fclose(file);
    return ok && status != LINE_FAILED;
}

/* ---- visits ---- */

static void note_visits(void *context, const SearchInfo *info)
{
    LabMctsVisits *out = context;
    int            at  = info->multipv - 1;
    out->moves[at]     = info->pv[0];
    out->visits[at]    = info->line_nodes;
    out->scores[at]    = info->score;
    out->count         = info->multipv; /* lines come in order, and the last report has the last word */
}

bool lab_mcts_visits(const char *fen, PlayoutKind playout, uint64_t nodes, LabMctsVisits *out, Err *err)
{
    *out                    = (LabMctsVisits){.nodes = nodes};
    SearchListener listener = {.context = out, .info = note_visits};
    GoLimits       limits   = {.nodes = (int64_t)nodes};
    SearchResult   result;
    Engine        *engine = mcts_engine(&listener, playout, err);
    bool           ok     = engine && engine_set_option(engine, STR("MultiPV"), STR("256"), err) &&
              engine_set_position(engine, str_from(fen), STR(""), err);
    if (ok) out->root = *engine_position(engine);
    ok = ok && engine_think(engine, &limits, &result, err);
    engine_free(engine);
    return ok;
}

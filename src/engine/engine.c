/* engine.c - see engine.h. The owner's thread changes settings and positions; the search's leading thread calls back. */
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "engine/clock_plan.h"
#include "engine/judgement.h"
#include "engine/knowledge.h"
#include "engine/level.h"
#include "engine/settings.h"

struct Engine {
    SearchListener listener;
    Settings       settings;
    Knowledge      knowledge;
    Search        *search; /* NULL until first needed */
    Judgement      judgement;
    bool           clear_pending; /* Clear Hash came: done before the next search */
    bool           seed_pending;  /* Seed came: the search's thread may be using the generator now */
    int64_t        hash_mb;       /* of the table that exists */
    EvalKind       judge;         /* whose scores the table holds */
    WdlModel       curves;        /* what its values mean */
    bool           has_position;
    Game           game;
    bool           limited;     /* this search plays below full strength */
    int            lines_shown; /* MultiPV when this search began: the setting may change while it runs */
    Level          level;
    LevelChoice    choice; /* collected while a limited search runs, on its thread */
    Rng            rng;
    SearchResult   result; /* of the last search: written on its thread, read after engine_wait */
};

/* ---- listening to the search ---- */

/* Keeps a line of a limited search: its move may be the one that is played. The search's own score decides: to the tables all
 * moves that win are equal, and who chose among them by chance would make no progress. */
static void remember_line(Engine *engine, const SearchInfo *info)
{
    int line = info->multipv - 1;
    if (line >= LEVEL_LINES || info->pv_length == 0 || !knowledge_keeps_result(&engine->knowledge, info->pv[0])) return;
    if (line == 0) engine->choice.count = 0;
    engine->choice.moves[line]  = info->pv[0];
    engine->choice.scores[line] = info->score;
    engine->choice.lines[line]  = *info;
    int kept                    = info->pv_length < LEVEL_PV ? info->pv_length : LEVEL_PV;
    memcpy(engine->choice.pvs[line], info->pv, (size_t)kept * sizeof *info->pv);
    engine->choice.lines[line].pv_length = kept;
    if (line + 1 > engine->choice.count) engine->choice.count = line + 1;
}

static void on_info(void *context, const SearchInfo *found)
{
    Engine     *engine = context;
    SearchInfo  known  = *found;
    SearchInfo *info   = &known;
    known.score        = knowledge_correct(&engine->knowledge, found->pv_length ? found->pv[0] : MOVE_NONE, found->score);
    known.tbhits += (uint64_t)engine->knowledge.ranking.count;
    if (engine->limited && info->bound == BOUND_EXACT) remember_line(engine, found);
    if (engine->limited && info->multipv > engine->lines_shown) return; /* lines that nobody asked for */
    known.score = score_to_centipawns(known.score, known.root, &engine->curves);
    if (engine->listener.info) engine->listener.info(engine->listener.context, info);
}

static void on_progress(void *context, const SearchProgress *progress)
{
    Engine *engine = context;
    if (engine->listener.progress) engine->listener.progress(engine->listener.context, progress);
}

static void on_done(void *context, const SearchResult *result)
{
    Engine *engine       = context;
    engine->result       = *result;
    engine->result.value = knowledge_correct(&engine->knowledge, result->best, result->score);
    if (engine->limited && engine->choice.count > 0 && result->best != MOVE_NONE) {
        int        chosen     = level_choose(&engine->level, &engine->choice, &engine->rng);
        SearchInfo line       = engine->choice.lines[chosen];
        line.pv               = engine->choice.pvs[chosen];
        line.multipv          = 1;
        engine->result.best   = engine->choice.moves[chosen];
        engine->result.ponder = line.pv_length > 1 ? line.pv[1] : MOVE_NONE;
        engine->result.value  = knowledge_correct(&engine->knowledge, engine->result.best, line.score);
        line.score            = score_to_centipawns(engine->result.value, line.root, &engine->curves);
        /* Who asked for several lines sees the true ones; else the line shown is that of the move played. */
        if (chosen != 0 && engine->lines_shown == 1 && engine->listener.info)
            engine->listener.info(engine->listener.context, &line);
    }
    engine->result.score = score_to_centipawns(engine->result.value, result->root, &engine->curves);
    if (engine->listener.done) engine->listener.done(engine->listener.context, &engine->result);
}

/* ---- life ---- */

Engine *engine_new(const SearchListener *listener, Err *err)
{
    Engine  *engine = calloc(1, sizeof *engine);
    Position start;
    position_set_start(&start);
    if (!engine || !game_init(&engine->game, &start)) {
        free(engine);
        err_set(err, ERR_MEMORY, 0, "no memory for an engine");
        return NULL;
    }
    if (listener) engine->listener = *listener;
    settings_reset(&engine->settings);
    engine->has_position = true;
    engine->rng          = rng_seeded((uint64_t)clock_now_ns());
    return engine;
}

void engine_free(Engine *engine)
{
    if (!engine) return;
    search_free(engine->search);
    judgement_release(&engine->judgement);
    knowledge_release(&engine->knowledge);
    game_release(&engine->game);
    free(engine);
}

static SearchConfig config_of(const Engine *engine)
{
    const Settings *settings = &engine->settings;
    SearchConfig    config   = search_default_config();
    judgement_config(&engine->judgement, settings, &config);
    config.kind = (SearchKind)settings->number[SET_SEARCH];
    config.mcts = (MctsConfig){
        .playout     = (PlayoutKind)settings->number[SET_MCTS_PLAYOUT],
        .policy      = (PolicyKind)settings->number[SET_MCTS_POLICY],
        .exploration = (int)settings->number[SET_MCTS_EXPLORATION],
        .seed        = (uint64_t)settings->number[SET_SEED],
    };
    config.params            = settings_params(settings);
    config.quiescence_depth  = (int)settings->number[SET_QUIESCENCE_DEPTH];
    config.iterative         = settings->number[SET_ITERATIVE] != 0;
    config.aspiration_window = (int)settings->number[SET_ASPIRATION];
    features_parse(str_from(settings->text[SET_FEATURES]), &config.features, NULL);
    return config;
}

/* Brings table and threads to what the settings say; no search runs. */
static bool apply_settings(Engine *engine, Err *err)
{
    int64_t hash_mb = engine->settings.number[SET_HASH];
    int     threads = (int)engine->settings.number[SET_THREADS];
    bool    ok      = true;
    if (!engine->search) {
        engine->search = search_new((size_t)hash_mb, threads, err);
        if (!engine->search) { /* fall back to what surely fits, and say so */
            engine->settings.number[SET_HASH] = hash_mb = 1;
            engine->settings.number[SET_THREADS]        = 1;
            engine->search                              = search_new(1, 1, NULL);
            ok                                          = false;
        }
        if (!engine->search) return false;
        engine->hash_mb = hash_mb;
        engine->judge   = (EvalKind)engine->settings.number[SET_EVAL];
    }
    if (hash_mb != engine->hash_mb) {
        if (search_set_hash(engine->search, (size_t)hash_mb, err)) {
            engine->hash_mb = hash_mb;
        } else {
            engine->settings.number[SET_HASH] = engine->hash_mb;
            ok                                = false;
        }
    }
    if (!search_set_threads(engine->search, threads, err)) {
        engine->settings.number[SET_THREADS] = 1;
        ok                                   = false;
    }
    if (!knowledge_set_tables(&engine->knowledge, &engine->settings, err)) ok = false;
    judgement_settle(&engine->judgement);
    SearchConfig config = config_of(engine);
    search_set_config(engine->search, &config);
    if (engine->clear_pending) {
        search_clear(engine->search);
        engine->judge = config.eval;
    }
    if (engine->seed_pending) engine->rng = rng_seeded((uint64_t)engine->settings.number[SET_SEED]);
    engine->clear_pending = engine->seed_pending = false;
    return ok;
}

static bool is_searching(const Engine *engine) { return engine->search && search_is_running(engine->search); }

bool engine_ready(Engine *engine, Err *err) { return is_searching(engine) || apply_settings(engine, err); }

/* ---- options ---- */

/* Scores of another evaluation are forgotten. */
static bool set_eval(Engine *engine, Setting setting, Str value, Err *err)
{
    if (!judgement_store(&engine->judgement, &engine->settings, setting, value, err)) return false;
    engine->clear_pending = true;
    return !engine->search || is_searching(engine) || apply_settings(engine, err);
}

static bool is_book(Setting setting)
{
    return setting == SET_BOOK_FILE || setting == SET_BOOK_WHITE || setting == SET_BOOK_BLACK;
}

/* A book is opened at once, whether or not a search runs: only the beginning of a search looks into it. */
static bool set_book(Engine *engine, Setting setting, Str value, Err *err)
{
    char old[SETTING_TEXT_SIZE];
    memcpy(old, engine->settings.text[setting], sizeof old);
    if (!settings_store(&engine->settings, setting, value, err)) return false;
    if (knowledge_set_book(&engine->knowledge, &engine->settings, setting, err)) return true;
    memcpy(engine->settings.text[setting], old, sizeof old);
    return false;
}

bool engine_set_option(Engine *engine, Str name, Str value, Err *err)
{
    Setting setting = settings_find(name);
    if (setting == SETTINGS) return err_set(err, ERR_NOT_FOUND, 0, "there is no option '%.*s'", STR_ARGS(name));
    if (setting == SET_CLEAR_HASH) {
        engine->clear_pending = true;
        if (engine->search && !is_searching(engine)) apply_settings(engine, NULL);
        return true;
    }
    if (judgement_is_about(setting)) return set_eval(engine, setting, value, err);
    if (is_book(setting)) return set_book(engine, setting, value, err);
    int64_t old = engine->settings.number[setting];
    if (!settings_store(&engine->settings, setting, value, err)) return false;
    if (setting == SET_HASH && !search_hash_fits((size_t)engine->settings.number[SET_HASH])) {
        int64_t wanted                    = engine->settings.number[SET_HASH];
        engine->settings.number[SET_HASH] = old;
        return err_set(err, ERR_MEMORY, 0, "no memory for a hash table of %lld MB", (long long)wanted);
    }
    if (setting == SET_SEED) engine->seed_pending = true;
    /* While a search runs the new value waits for the next one; blocking here would keep `stop` from being read. */
    if (engine->search && !is_searching(engine)) return apply_settings(engine, err);
    return true;
}

bool engine_get_option(const Engine *engine, Str name, Buf *out)
{
    Setting setting = settings_find(name);
    if (setting == SETTINGS) return false;
    const EngineOption *o = engine_option(setting);
    switch (o->kind) {
    case ENGINE_OPTION_CHECK: buf_append(out, engine->settings.number[setting] ? STR("true") : STR("false")); break;
    case ENGINE_OPTION_SPIN: buf_printf(out, "%lld", (long long)engine->settings.number[setting]); break;
    case ENGINE_OPTION_COMBO: buf_append(out, str_from(o->choices[engine->settings.number[setting]])); break;
    case ENGINE_OPTION_STRING: buf_append(out, str_from(engine->settings.text[setting])); break;
    case ENGINE_OPTION_BUTTON: break;
    }
    return true;
}

/* ---- position ---- */

static void end_search(Engine *engine)
{
    if (!engine->search) return;
    search_stop(engine->search);
    search_wait(engine->search);
}

void engine_new_game(Engine *engine)
{
    end_search(engine);
    if (engine->search) search_clear(engine->search);
}

static bool parse_start(const Engine *engine, Str fen, Position *out, Err *err)
{
    if (str_equal(str_trim(fen), STR("startpos"))) {
        position_set_start(out);
    } else if (!position_from_fen(fen, out, NULL, err)) {
        return false;
    }
    if (engine->settings.number[SET_CHESS960]) out->chess960 = true;
    return true;
}

bool engine_set_position(Engine *engine, Str fen, Str moves, Err *err)
{
    Position start;
    end_search(engine);
    engine->has_position = false;
    if (!parse_start(engine, fen, &start, err)) return false;
    game_reset(&engine->game, &start);
    for (Str word; (word = str_next_token(&moves)).len;) {
        Move move;
        if (!move_from_uci(&engine->game.now, word, &move, err)) return false;
        if (!game_play(&engine->game, move)) return err_set(err, ERR_MEMORY, 0, "no memory for so many moves");
    }
    engine->has_position = true;
    return true;
}

bool engine_set_game(Engine *engine, const Game *game, Err *err)
{
    end_search(engine);
    engine->has_position = false;
    game_reset(&engine->game, &game->start);
    for (size_t i = 0; i < game->plies; i++) {
        if (!game_play(&engine->game, game->moves[i])) return err_set(err, ERR_MEMORY, 0, "no memory for so many moves");
    }
    engine->has_position = true;
    return true;
}

const Position *engine_position(const Engine *engine) { return engine->has_position ? &engine->game.now : NULL; }

/* ---- thinking ---- */

static void plan_time(const Engine *engine, const GoLimits *go, SearchLimits *out)
{
    Color   us       = position_side(&engine->game.now);
    int64_t overhead = engine->settings.number[SET_OVERHEAD];
    if (go->has_time[us]) {
        ClockState state = {
            .time_ms = go->time_ms[us], .inc_ms = go->inc_ms[us], .moves_to_go = go->moves_to_go, .overhead_ms = overhead};
        ClockPlan plan = clock_plan(&state);
        out->soft_ms   = plan.soft_ms;
        out->hard_ms   = plan.hard_ms;
    }
    if (go->move_time_ms > 0) {
        int64_t usable = go->move_time_ms - overhead;
        if (usable < go->move_time_ms / 2) usable = go->move_time_ms / 2;
        if (usable < 1) usable = 1;
        if (!out->hard_ms || usable < out->hard_ms) out->hard_ms = usable;
    }
}

/* Below full strength the search sees less and several lines are compared. */
static void plan_level(Engine *engine, SearchLimits *out)
{
    const Settings *s   = &engine->settings;
    int             elo = LEVEL_ELO_MAX;
    if (s->number[SET_SKILL] < SKILL_MAX) elo = level_elo_of_skill((int)s->number[SET_SKILL]);
    if (s->number[SET_LIMIT_STRENGTH] && s->number[SET_ELO] < elo) elo = (int)s->number[SET_ELO];
    engine->limited      = elo < LEVEL_ELO_MAX && !out->infinite && !s->number[SET_ANALYSE];
    engine->choice.count = 0;
    if (!engine->limited) return;
    engine->level = level_of_elo(elo, &engine->game.now);
    if (!out->soft_nodes || engine->level.nodes < out->soft_nodes) out->soft_nodes = engine->level.nodes;
    if (out->multipv < engine->level.lines) out->multipv = engine->level.lines;
}

/* Weak levels do not ask the network. Scores of another evaluation are forgotten. */
static void choose_judge(Engine *engine, SearchConfig *config)
{
    if (engine->limited && !engine->level.network && config->eval == EVAL_NNUE) config->eval = EVAL_CLASSICAL;
    if (config->eval != engine->judge) search_clear(engine->search);
    engine->judge  = config->eval;
    engine->curves = wdl_model_of(config->eval, config->net);
}

/* ---- the book ---- */

static void note_result(void *context, const SearchResult *result) { *(SearchResult *)context = *result; }

/* What a short search says of these moves (none: of all). */
static Score short_search(Engine *engine, Move only)
{
    enum { VETO_NODES = 20000 };
    SearchResult   result   = {0};
    SearchLimits   limits   = {.nodes = VETO_NODES, .start_ms = clock_now_ms(), .multipv = 1, .move_count = only != MOVE_NONE};
    SearchListener listener = {.context = &result, .done = note_result};
    limits.moves[0]         = only;
    search_run(engine->search, &engine->game.now, engine->game.keys, engine->game.plies, &limits, &listener);
    return result.score;
}

/* A book move, or MOVE_NONE. With Book Veto a short search looks at the move first: one that is worse than the best by more
 * than the margin is not played, whatever others have played. */
static Move choose_book_move(Engine *engine, const GoLimits *go)
{
    BookMoves  moves;
    Settings  *s      = &engine->settings;
    int64_t    margin = s->number[SET_BOOK_VETO];
    BookChoice choice = (BookChoice)s->number[SET_BOOK_CHOICE];
    if (go->infinite || go->ponder || go->mate || go->move_count || s->number[SET_ANALYSE]) return MOVE_NONE;
    knowledge_book_moves(&engine->knowledge, s, &engine->game, &moves);
    Move  move = book_choose(&moves, choice, &engine->rng);
    Score best = move != MOVE_NONE && margin ? short_search(engine, MOVE_NONE) : SCORE_DRAW;
    while (move != MOVE_NONE && margin && best - short_search(engine, move) > margin) {
        book_drop(&moves, move);
        move = book_choose(&moves, choice, &engine->rng);
    }
    return move;
}

/* Answers from the book without a search: the listener hears `done` on this thread. */
static bool answer_from_book(Engine *engine, const GoLimits *go, int64_t start_ms)
{
    Move move = choose_book_move(engine, go);
    if (move == MOVE_NONE) return false;
    engine->result = (SearchResult){.root = &engine->game.now, .best = move, .time_ms = clock_now_ms() - start_ms};
    if (engine->listener.done) engine->listener.done(engine->listener.context, &engine->result);
    return true;
}

typedef void SearchCall(Search *, const Position *, const Key *, size_t, const SearchLimits *, const SearchListener *);

static bool begin(Engine *engine, const GoLimits *go, SearchCall *call, Err *err)
{
    int64_t start_ms = clock_now_ms();
    end_search(engine);
    if (!engine->has_position)
        return err_set(err, ERR_POSITION, 0, "there is no position to think about: the last one was refused");
    if (!apply_settings(engine, err) && !engine->search) return false;
    if (answer_from_book(engine, go, start_ms)) return true;
    SearchLimits limits = {
        .depth      = go->depth > SEARCH_DEPTH_MAX ? SEARCH_DEPTH_MAX : go->depth,
        .nodes      = go->nodes > 0 ? (uint64_t)go->nodes : 0,
        .soft_nodes = go->soft_nodes > 0 ? (uint64_t)go->soft_nodes : 0,
        .mate       = go->mate,
        .start_ms   = start_ms,
        .infinite   = go->infinite,
        .ponder     = go->ponder,
        .multipv    = (int)engine->settings.number[SET_MULTIPV],
        .move_count = go->move_count,
    };
    if (go->move_count) memcpy(limits.moves, go->moves, (size_t)go->move_count * sizeof *go->moves);
    engine->lines_shown = limits.multipv;
    plan_time(engine, go, &limits);
    plan_level(engine, &limits);
    SearchConfig config = config_of(engine);
    choose_judge(engine, &config);
    if (engine->limited && !engine->level.tables) {
        knowledge_lend_tables(&engine->knowledge, &engine->settings, &config);
    } else {
        knowledge_rank_root(&engine->knowledge, &engine->settings, &engine->game, &limits, &config);
    }
    search_set_config(engine->search, &config);
    SearchListener listener = {.context = engine, .info = on_info, .progress = on_progress, .done = on_done};
    call(engine->search, &engine->game.now, engine->game.keys, engine->game.plies, &limits, &listener);
    return true;
}

bool engine_go(Engine *engine, const GoLimits *go, Err *err) { return begin(engine, go, search_start, err); }

void engine_stop(Engine *engine)
{
    if (engine->search) search_stop(engine->search);
}

void engine_ponderhit(Engine *engine)
{
    if (engine->search) search_ponderhit(engine->search);
}

void engine_wait(Engine *engine)
{
    if (engine->search) search_wait(engine->search);
}

bool engine_think(Engine *engine, const GoLimits *limits, SearchResult *out, Err *err)
{
    if (!begin(engine, limits, search_run, err)) return false;
    *out = engine->result;
    return true;
}

const Net *engine_network(Engine *engine)
{
    if (!is_searching(engine)) judgement_settle(&engine->judgement);
    return engine->judgement.net;
}

uint64_t engine_nodes(const Engine *engine) { return engine->search ? search_nodes(engine->search) : 0; }

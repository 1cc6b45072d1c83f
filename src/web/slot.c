/* slot.c - see slot.h. Listeners run on search threads and only leave what they heard; everything else is the keeper's. */
#include "web/slot.h"

#include <stdio.h>

#include "base/clock.h"
#include "chess/movegen.h"
#include "engine/level.h"
#include "web/forms.h"
#include "web/hub.h"

enum { SEND_INTERVAL_MS = 100, ALL_TOLD_DEPTH = 40 };

const char *job_kind_text(JobKind kind)
{
    static const char *const texts[] = {"none", "engine", "analysis", "threat", "hint"};
    return texts[kind];
}

/* ---- listening ---- */

static void send_lines(Slot *slot, int64_t now_ms)
{
    Buf text            = {0};
    slot->lines_pending = false;
    slot->next_send_ms  = now_ms + SEND_INTERVAL_MS;
    if (!slot->session->channel.clients) return;
    form_info(slot, &text);
    if (!text.failed) channel_send(&slot->session->channel, "info", buf_str(&text));
    buf_release(&text);
}

int64_t slot_send_lines(Slot *slot, int64_t now_ms)
{
    if (!slot->lines_pending) return INT64_MAX;
    if (now_ms < slot->next_send_ms) return slot->next_send_ms;
    send_lines(slot, now_ms);
    return INT64_MAX;
}

/* A whole iteration ended: what it cost, for those who look inside. Where a mate stands hundreds of them end within a
 * millisecond: of the deep ones only so many are told that clients can follow. */
static void send_iteration(Slot *slot, const SearchInfo *info)
{
    Buf      text  = {0};
    uint64_t nodes = info->nodes - slot->last_nodes;
    int64_t  now   = clock_now_ms();
    bool     told  = info->depth <= ALL_TOLD_DEPTH || now >= slot->next_iteration_ms;
    if (told && slot->session->channel.clients) {
        slot->next_iteration_ms = now + SEND_INTERVAL_MS;
        form_iteration(slot, info, nodes, &text);
        if (!text.failed) channel_send(&slot->session->channel, "iteration", buf_str(&text));
        buf_release(&text);
    }
    slot->last_depth           = info->depth;
    slot->last_nodes           = info->nodes;
    slot->last_iteration_nodes = nodes;
    if (info->counts) slot->last_counts = *info->counts;
}

/* A set of lines is whole when its last one has come; the next one may begin before this one is sent. */
static void keep_set(Slot *slot)
{
    memcpy(slot->whole, slot->lines, (size_t)slot->line_count * sizeof *slot->lines);
    slot->whole_count = slot->line_count;
    if (slot->lines_pending) return;
    slot->lines_pending = true;
    hub_wake(slot->session->hub);
}

/* Only leaves the line; the keeper sends it. */
static void on_info(void *context, const SearchInfo *info)
{
    Slot *slot = context;
    Hub  *hub  = slot->session->hub;
    int   line = info->multipv - 1;
    if (line >= LINES_MAX) return;
    pthread_mutex_lock(&hub->lock);
    SlotLine *kept       = &slot->lines[line];
    kept->info           = *info;
    kept->info.pv_length = info->pv_length < LINE_MOVES ? info->pv_length : LINE_MOVES;
    kept->info.pv        = NULL;
    kept->info.counts    = NULL;
    kept->info.root      = NULL;
    memcpy(kept->pv, info->pv, (size_t)kept->info.pv_length * sizeof *info->pv);
    if (line >= slot->line_count) slot->line_count = line + 1;
    if (line == 0 && info->bound == BOUND_EXACT && info->depth > slot->last_depth) send_iteration(slot, info);
    if (line + 1 >= slot->lines_wanted) keep_set(slot);
    pthread_mutex_unlock(&hub->lock);
}

static void on_done(void *context, const SearchResult *result)
{
    Slot *slot = context;
    Hub  *hub  = slot->session->hub;
    pthread_mutex_lock(&hub->lock);
    slot->result      = *result;
    slot->result.root = NULL;
    slot->done_ms     = clock_now_ms();
    slot->state       = SLOT_DONE;
    hub_wake(hub);
    pthread_mutex_unlock(&hub->lock);
}

/* ---- starting: without the lock ---- */

static const char *option_value(const Job *job, const EngineOption *option, const char *standard)
{
    for (int i = 0; i < job->option_count; i++) {
        if (str_equal_nocase(str_from(job->options[i].name), str_from(option->name))) return job->options[i].value;
    }
    return standard;
}

static bool apply_option(Slot *slot, const EngineOption *option, const char *table_path, Err *err)
{
    const Job *job = &slot->job;
    char       standard[32];
    if (option->kind == ENGINE_OPTION_SPIN) snprintf(standard, sizeof standard, "%lld", (long long)option->spin_default);
    const char *value = option->kind == ENGINE_OPTION_SPIN ? standard : option->text_default;
    Str         name  = str_from(option->name);
    char        number[32];
    snprintf(number, sizeof number, "%d", str_equal(name, STR("MultiPV")) ? job->multipv : job->level);
    if (str_equal(name, STR("SyzygyPath")) && table_path) value = table_path;
    if (str_equal(name, STR("OwnBook")) && job->kind == JOB_ENGINE) value = "true";
    if (str_equal(name, STR("UCI_AnalyseMode")) && job->kind != JOB_ENGINE) value = "true";
    if (str_equal(name, STR("MultiPV")) || str_equal(name, STR("Skill Level"))) value = number;
    return engine_set_option(slot->engine, name, str_from(option_value(job, option, value)), err);
}

/* Every option gets the job's value or its standard; texts come first, because Eval needs the file it reads. */
static bool apply_options(Slot *slot, const char *table_path, Err *err)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < engine_option_count(); i++) {
            const EngineOption *option = engine_option(i);
            if (option->kind == ENGINE_OPTION_BUTTON || (option->kind == ENGINE_OPTION_STRING) != (pass == 0)) continue;
            if (!apply_option(slot, option, table_path, err)) return false;
        }
    }
    return true;
}

/* [lock] The game to think about. */
static bool make_game(const Slot *slot, const Job *job, Game *game, Err *err)
{
    if (!tree_game(&slot->session->tree, job->node, game, err)) return false;
    if (job->kind == JOB_THREAT) {
        Position passed;
        position_play_null(&game->now, &passed);
        game_reset(game, &passed);
    }
    return true;
}

static int wanted_lines(const Job *job, const Position *root)
{
    int moves = job->limits.move_count ? job->limits.move_count : movegen_count(root);
    return job->multipv < moves ? job->multipv : moves;
}

static void tell_failure(Slot *slot, const Err *err)
{
    Buf text = {0};
    form_error_event(slot->session, slot->job.node, job_kind_text(slot->job.kind), err->text, &text);
    if (!text.failed) channel_send(&slot->session->channel, "failed", buf_str(&text));
    buf_release(&text);
}

/* [lock, given up in between] */
static void start(Slot *slot, const Job *wanted)
{
    Hub *hub = slot->session->hub;
    Game game;
    Err  err  = {0};
    slot->job = *wanted;
    if (!slot->engine) {
        SearchListener listener = {.context = slot, .info = on_info, .done = on_done};
        slot->engine            = engine_new(&listener, &err);
        hub->engines += slot->engine != NULL;
    }
    bool ok = slot->engine && make_game(slot, &slot->job, &game, &err);
    if (ok) {
        slot->root                 = game.now;
        slot->state                = SLOT_THINKING;
        slot->line_count           = 0;
        slot->whole_count          = 0;
        slot->lines_wanted         = wanted_lines(&slot->job, &game.now);
        slot->lines_pending        = false;
        slot->last_depth           = 0;
        slot->last_nodes           = 0;
        slot->last_iteration_nodes = 0;
        slot->last_counts          = (SearchCounts){0};
        const char *tables         = hub->tables ? hub->table_path : NULL;
        GoLimits    limits         = slot->job.limits;
        pthread_mutex_unlock(&hub->lock);
        ok = apply_options(slot, tables, &err) && engine_set_game(slot->engine, &game, &err) &&
             engine_go(slot->engine, &limits, &err);
        game_release(&game);
        pthread_mutex_lock(&hub->lock);
    }
    if (ok) return;
    slot->state    = SLOT_IDLE;
    slot->finished = slot->job.number;
    tell_failure(slot, &err);
    slot->result = (SearchResult){.best = MOVE_NONE};
    session_job_done(slot->session, slot);
}

/* ---- keeping ---- */

/* [lock, given up in between] Ends what runs; its result is not wanted. */
static void stop(Slot *slot)
{
    Hub *hub = slot->session->hub;
    pthread_mutex_unlock(&hub->lock);
    engine_stop(slot->engine);
    engine_wait(slot->engine);
    pthread_mutex_lock(&hub->lock);
    slot->state         = SLOT_IDLE;
    slot->lines_pending = false;
}

void slot_free(Slot *slot)
{
    if (!slot->engine) return;
    Hub *hub = slot->session->hub;
    if (slot->state == SLOT_THINKING) stop(slot);
    Engine *engine = slot->engine;
    slot->engine   = NULL;
    slot->state    = SLOT_IDLE;
    pthread_mutex_unlock(&hub->lock);
    engine_free(engine);
    pthread_mutex_lock(&hub->lock);
    hub->engines--;
    hub_wake(hub); /* somebody may wait for it */
}

/* The idle engine that was not needed for the longest time; NULL: all are busy. */
static Slot *longest_idle(const Hub *hub)
{
    Slot *found = NULL;
    for (size_t i = 0; i < hub->count; i++) {
        for (int k = 0; k < SLOTS; k++) {
            Slot *slot = &hub->sessions[i]->slots[k];
            if (!slot->engine || slot->state != SLOT_IDLE) continue;
            if (!found || slot->used_ms < found->used_ms) found = slot;
        }
    }
    return found;
}

bool slot_keep(Slot *slot, int64_t now_ms)
{
    Session   *s   = slot->session;
    Hub       *hub = s->hub;
    Job        scratch;
    const Job *wanted = session_wanted(s, (int)(slot - s->slots), &scratch);
    if (slot->state == SLOT_DONE) {
        slot->state    = SLOT_IDLE;
        slot->used_ms  = now_ms;
        slot->finished = slot->job.number;
        if (slot->lines_pending) send_lines(slot, now_ms);
        if (wanted->number == slot->job.number) session_job_done(s, slot);
        return true;
    }
    if (slot->state == SLOT_THINKING) {
        slot->used_ms = now_ms;
        if (wanted->number == slot->job.number) return false;
        stop(slot);
        return true;
    }
    if (!wanted->number || wanted->number == slot->finished) {
        if (!slot->engine || now_ms - slot->used_ms < ENGINE_IDLE_MS) return false;
        slot_free(slot);
        return true;
    }
    if (!slot->engine && hub->engines >= ENGINES_MAX) {
        Slot *idle = longest_idle(hub);
        if (!idle) return false; /* it waits for its turn */
        slot_free(idle);
        return true;
    }
    start(slot, wanted);
    slot->used_ms = now_ms;
    return true;
}

/* reviewer.c - an engine that walks a game from its end to its beginning. See review.h.
 *
 * Threads: the engine's search thread writes `found` through the listener; the owner reads it after engine_wait.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "review/review.h"

struct Reviewer {
    Engine        *engine;
    atomic_bool    stop;
    ReviewPosition found;  /* of the search that runs; scores from the side to move */
    ReviewLine     newest; /* its last line of all, whether or not the score is settled */
    SearchResult   result;
};

/* ---- listening ---- */

static ReviewLine line_of(const SearchInfo *info)
{
    ReviewLine line = {.score = info->score, .depth = info->depth};
    line.length     = info->pv_length < REVIEW_LINE_MOVES ? info->pv_length : REVIEW_LINE_MOVES;
    for (int i = 0; i < line.length; i++) line.moves[i] = info->pv[i];
    return line;
}

static void on_info(void *context, const SearchInfo *info)
{
    Reviewer *self = context;
    int       line = info->multipv - 1;
    if (info->pv_length == 0 || line >= REVIEW_LINES_MAX) return;
    if (line == 0) self->newest = line_of(info);
    if (info->bound != BOUND_EXACT) return;
    self->found.lines[line] = line_of(info);
    if (line + 1 > self->found.line_count) self->found.line_count = line + 1;
}

static void on_done(void *context, const SearchResult *result)
{
    Reviewer *self = context;
    self->result   = *result;
}

/* ---- life ---- */

Reviewer *reviewer_new(Err *err)
{
    Reviewer *self = calloc(1, sizeof *self);
    if (!self) {
        err_set(err, ERR_MEMORY, 0, "no memory for a review");
        return NULL;
    }
    const SearchListener listener = {.context = self, .info = on_info, .done = on_done};
    self->engine                  = engine_new(&listener, err);
    /* Made ready now, so that reviewer_stop never meets an engine that is just being put together. */
    if (self->engine && engine_set_option(self->engine, STR("UCI_AnalyseMode"), STR("true"), err) &&
        engine_ready(self->engine, err))
        return self;
    reviewer_free(self);
    return NULL;
}

void reviewer_free(Reviewer *reviewer)
{
    if (!reviewer) return;
    engine_free(reviewer->engine);
    free(reviewer);
}

Engine *reviewer_engine(Reviewer *reviewer) { return reviewer->engine; }

void reviewer_stop(Reviewer *reviewer)
{
    atomic_store(&reviewer->stop, true);
    engine_stop(reviewer->engine);
}

/* ---- one position ---- */

/* Best first: at the end of a search a line may have overtaken another, and an iteration that was cut off may have ended with a
 * new best move whose line is not settled. */
static void settle_lines(ReviewPosition *found, const ReviewLine *newest, const SearchResult *result)
{
    for (int i = 1; i < found->line_count; i++) {
        if (found->lines[i].moves[0] != result->best) continue;
        ReviewLine best = found->lines[i];
        for (int j = i; j > 0; j--) found->lines[j] = found->lines[j - 1];
        found->lines[0] = best;
    }
    if (found->line_count > 0 && found->lines[0].moves[0] == result->best) return;
    if (found->line_count < 1) found->line_count = 1;
    found->lines[0] = (ReviewLine){.depth = result->depth, .length = 1, .moves = {result->best}};
    if (newest->length > 0 && newest->moves[0] == result->best) found->lines[0] = *newest;
    found->lines[0].score = result->score;
}

static bool search_position(Reviewer *self, const Game *game, const GoLimits *limits, ReviewPosition *out, Err *err)
{
    self->found  = (ReviewPosition){0};
    self->newest = (ReviewLine){0};
    if (!engine_set_game(self->engine, game, err) || !engine_go(self->engine, limits, err)) return false;
    if (atomic_load(&self->stop)) engine_stop(self->engine); /* a stop before engine_go stopped nothing */
    engine_wait(self->engine);
    if (atomic_load(&self->stop)) return true; /* a search that was cut off would be compared with whole ones */
    settle_lines(&self->found, &self->newest, &self->result);
    *out       = self->found;
    out->known = true;
    int sign   = position_side(&game->now) == WHITE ? 1 : -1;
    for (int i = 0; i < out->line_count; i++) out->lines[i].score *= sign;
    out->score = out->lines[0].score;
    return true;
}

/* Where the rules have ended the game nothing is searched. */
static bool known_by_rules(const Game *game, ReviewPosition *out)
{
    GameEnd end = game_end(game);
    if (!game_end_is_automatic(end)) return false;
    Result result = game_result(game, end);
    out->known    = true;
    out->score    = result == RESULT_WHITE_WINS ? SCORE_MATE : result == RESULT_BLACK_WINS ? -SCORE_MATE : SCORE_DRAW;
    return true;
}

/* ---- the game ---- */

static bool walk(Reviewer *self, Game *game, const GoLimits *limits, const ReviewListener *listener, Review *out, Err *err)
{
    size_t total = out->plies + 1;
    for (size_t done = 0; done < total && !atomic_load(&self->stop); game_undo(game)) {
        ReviewPosition *position = &out->positions[game->plies];
        if (!known_by_rules(game, position) && !search_position(self, game, limits, position, err)) return false;
        out->nodes += position->line_count ? self->result.nodes : 0;
        if (atomic_load(&self->stop)) break;
        done++;
        if (listener && listener->progress && !listener->progress(listener->context, done, total)) break;
    }
    return true;
}

static bool prepare(Reviewer *self, const ReviewLimits *limits, Err *err)
{
    int  lines = limits->multipv < 1 ? 1 : limits->multipv > REVIEW_LINES_MAX ? REVIEW_LINES_MAX : limits->multipv;
    char text[16];
    if (limits->movetime_ms <= 0 && limits->nodes <= 0 && limits->depth <= 0)
        return err_set(err, ERR_RANGE, 0, "a review needs a limit: time, nodes or depth for each position");
    snprintf(text, sizeof text, "%d", lines);
    engine_new_game(self->engine);
    return engine_set_option(self->engine, STR("MultiPV"), str_from(text), err);
}

bool reviewer_run(Reviewer *reviewer, const Game *game, const ReviewLimits *limits, const ReviewListener *listener, Review *out,
                  Err *err)
{
    const GoLimits go     = {.move_time_ms = limits->movetime_ms, .nodes = limits->nodes, .depth = limits->depth};
    int64_t        start  = clock_now_ns();
    Game           walked = {0};
    *out                  = (Review){0};
    if (!prepare(reviewer, limits, err)) return false;
    bool ok = review_init(out, game) && game_init(&walked, &game->start);
    for (size_t i = 0; ok && i < game->plies; i++) ok = game_play(&walked, game->moves[i]);
    if (!ok) err_set(err, ERR_MEMORY, 0, "no memory for a review of %zu moves", game->plies);
    ok = ok && walk(reviewer, &walked, &go, listener, out, err);
    if (ok && !review_conclude(out, game)) ok = err_set(err, ERR_MEMORY, 0, "no memory for a review");
    out->seconds = clock_seconds_since(start);
    atomic_store(&reviewer->stop, false);
    game_release(&walked);
    if (!ok) review_release(out);
    return ok;
}

/* reporter.c - see reporter.h. */
#include "web/reporter.h"

#include <jansson.h>
#include <stdlib.h>

#include "review/annotate.h"
#include "web/forms.h"
#include "web/hub.h"

void reporter_ask(Reporter *reporter, Session *s, const ReviewLimits *limits)
{
    s->report_limits = *limits;
    s->report_wanted = ++s->jobs;
    pthread_cond_signal(&reporter->changed);
}

void reporter_cancel(Reporter *reporter, Session *s)
{
    s->report_wanted = 0;
    if (reporter->session != s) return;
    reporter->session = NULL;
    if (reporter->reviewer) reviewer_stop(reporter->reviewer);
}

/* ---- on the thread ---- */

/* [lock] The game that waits longest. */
static Session *next_session(const Hub *hub)
{
    for (size_t i = 0; i < hub->count; i++) {
        if (hub->sessions[i]->report_wanted && !hub->sessions[i]->deleted) return hub->sessions[i];
    }
    return NULL;
}

static bool on_progress(void *context, size_t done, size_t total)
{
    Reporter *reporter = context;
    Hub      *hub      = reporter->hub;
    pthread_mutex_lock(&hub->lock);
    bool go_on = !reporter->quit && reporter->session;
    if (go_on) {
        Buf        text = {0};
        JsonWriter w;
        json_init(&w, &text);
        json_begin_object(&w, NULL);
        json_str(&w, "game", str_from(reporter->session->id));
        json_u64(&w, "done", done);
        json_u64(&w, "total", total);
        json_end_object(&w);
        if (!text.failed) channel_send(&reporter->session->channel, "progress", buf_str(&text));
        buf_release(&text);
    }
    pthread_mutex_unlock(&hub->lock);
    return go_on;
}

/* [lock] The review speaks of moves by their number; the page knows them by their node. NULL: no memory. */
static char *add_nodes(const Session *s, const Buf *text, const int *nodes, size_t count)
{
    json_t *report = text->failed ? NULL : json_loadb(text->data, text->len, 0, NULL);
    json_t *moves  = json_object_get(report, "moves");
    for (size_t i = 0; i < count && i < json_array_size(moves); i++)
        json_object_set_new(json_array_get(moves, i), "node", json_integer(nodes[i + 1]));
    json_object_set_new(report, "game", json_string(s->id));
    char *out = report ? json_dumps(report, JSON_COMPACT) : NULL;
    json_decref(report);
    return out;
}

/* [lock] Leaves the report with the game and its evaluations with the moves, as far as they are still there. */
static void leave_report(Session *s, const Review *review, const Game *game, const int *nodes)
{
    Buf        text = {0};
    JsonWriter w;
    json_init(&w, &text);
    json_begin_object(&w, NULL);
    review_write_json(review, game, &w);
    json_end_object(&w);
    char *report = add_nodes(s, &text, nodes, review->plies);
    buf_release(&text);
    for (size_t i = 0; i <= review->plies; i++) {
        if (!review->positions[i].known || !tree_has(&s->tree, nodes[i])) continue;
        s->tree.nodes[nodes[i]].eval = eval_from_score(review->positions[i].score, WHITE);
    }
    if (report) {
        buf_reset(&s->report);
        buf_append(&s->report, str_from(report));
    }
    session_changed(s);
    if (!report) return;
    free(report);
    channel_send(&s->channel, "report", buf_str(&s->report));
}

/* [lock] The nodes of the main line; NULL when memory is short. */
static int *main_line(const MoveTree *tree, size_t plies)
{
    int *nodes = calloc(plies + 1, sizeof *nodes);
    for (size_t i = 0, node = 0; nodes && i <= plies; i++) {
        nodes[i] = (int)node;
        if (i < plies) node = (size_t)tree->nodes[node].first_child;
    }
    return nodes;
}

static void tell_failure(Session *s, const char *sentence)
{
    Buf text = {0};
    form_error_event(s, s->current, "report", sentence, &text);
    if (!text.failed) channel_send(&s->channel, "failed", buf_str(&text));
    buf_release(&text);
}

/* [lock] Whose report it is: NULL when it was called off, and the game is perhaps gone. */
static Session *take_session(Reporter *reporter)
{
    Session *s        = reporter->session;
    reporter->session = NULL;
    return s;
}

/* [lock, given up in between] */
static void judge(Reporter *reporter, Session *s)
{
    Hub           *hub = reporter->hub;
    Game           game;
    Review         review   = {0};
    Err            err      = {0};
    ReviewLimits   limits   = s->report_limits;
    ReviewListener listener = {.context = reporter, .progress = on_progress};
    int            end      = session_line_end(s);
    s->report_wanted        = 0;
    if (!tree_game(&s->tree, end, &game, &err)) return;
    int *nodes        = game.plies == (size_t)s->tree.nodes[end].ply ? main_line(&s->tree, game.plies) : NULL;
    reporter->session = s;
    pthread_mutex_unlock(&hub->lock);
    bool ok = nodes && reviewer_run(reporter->reviewer, &game, &limits, &listener, &review, &err);
    pthread_mutex_lock(&hub->lock);
    Session *left = take_session(reporter);
    if (left && ok && review.complete) leave_report(left, &review, &game, nodes);
    if (left && ok && !review.complete) left->report_wanted = ++left->jobs; /* a stop that was meant for the one before it */
    if (left && !ok) tell_failure(left, nodes ? err.text : "a game with null moves cannot be judged");
    free(nodes);
    review_release(&review);
    game_release(&game);
}

static void *report(void *context)
{
    Reporter *reporter = context;
    Hub      *hub      = reporter->hub;
    pthread_mutex_lock(&hub->lock);
    while (!reporter->quit) {
        Session *s = next_session(hub);
        if (!s) {
            pthread_cond_wait(&reporter->changed, &hub->lock);
            continue;
        }
        if (!reporter->reviewer) {
            Err err;
            reporter->reviewer = reviewer_new(&err);
            if (!reporter->reviewer) {
                s->report_wanted = 0;
                tell_failure(s, err.text);
                continue;
            }
        }
        judge(reporter, s);
    }
    pthread_mutex_unlock(&hub->lock);
    return NULL;
}

/* ---- life ---- */

bool reporter_start(Reporter *reporter, Hub *hub)
{
    *reporter = (Reporter){.hub = hub};
    if (pthread_cond_init(&reporter->changed, NULL) != 0) return false;
    reporter->runs = pthread_create(&reporter->thread, NULL, report, reporter) == 0;
    if (!reporter->runs) pthread_cond_destroy(&reporter->changed);
    return reporter->runs;
}

void reporter_stop(Reporter *reporter)
{
    if (!reporter->runs) return;
    pthread_mutex_lock(&reporter->hub->lock);
    reporter->quit    = true;
    reporter->session = NULL;
    if (reporter->reviewer) reviewer_stop(reporter->reviewer);
    pthread_cond_signal(&reporter->changed);
    pthread_mutex_unlock(&reporter->hub->lock);
    pthread_join(reporter->thread, NULL);
    pthread_cond_destroy(&reporter->changed);
    reviewer_free(reporter->reviewer);
    reporter->runs = false;
}

/* live_ask.c - see live_ask.h. */
#include "lichess/live_ask.h"

#include <stdio.h>

#include "base/clock.h"

/* ---- what is asked until it is granted ---- */

static void on_intent_done(Live *live, Intent *intent, const char *what, const HttpReply *reply)
{
    char text[256];
    intent->request = 0;
    if (host_is_refused(live->host, reply)) return;
    if (reply->status == 200) {
        intent->at_ms = INT64_MAX; /* granted: the stream will tell the end */
        return;
    }
    host_describe(reply, text, sizeof text);
    host_log(live->host, "%s: %s was refused: %s", live->id, what, text);
    intent->failures++;
    intent->at_ms = clock_now_ms() + host_backoff_ms(live->host, intent->failures);
    if (reply->status >= 400 && reply->status < 500 && reply->status != 429) {
        intent->wanted = intent == &live->resign; /* an abort or a claim that is not due will not become so by asking */
        live_resync(live);
    }
}

static void on_resign_done(void *context, const HttpReply *reply)
{
    Live *live = context;
    on_intent_done(live, &live->resign, "to resign", reply);
}

static void on_abort_done(void *context, const HttpReply *reply)
{
    Live *live = context;
    on_intent_done(live, &live->abort, "to abort", reply);
    if (!live->abort.wanted) live->start_ms = clock_now_ms(); /* try again after the same wait */
}

static void on_claim_done(void *context, const HttpReply *reply)
{
    Live *live = context;
    on_intent_done(live, &live->claim, "to claim the win", reply);
    if (!live->claim.wanted) live->claim_at_ms = 0;
}

static void post(Live *live, HttpKind kind, const char *what, void (*done)(void *, const HttpReply *), HttpId *id)
{
    char path[HTTP_PATH_SIZE];
    snprintf(path, sizeof path, "/api/bot/game/%s/%s", live->id, what);
    const HttpRequest request = {.kind = kind, .post = true, .path = path, .context = live, .done = done};
    *id                       = http_send(live->host->http, &request);
}

static int64_t due_at(const Intent *intent) { return intent->wanted && !intent->request ? intent->at_ms : INT64_MAX; }

void live_send_intents(Live *live, int64_t now_ms)
{
    if (live->finished) return;
    if (now_ms >= due_at(&live->resign)) {
        if (live->resign.failures == 0) host_log(live->host, "%s: resigning", live->id);
        post(live, HTTP_URGENT, "resign", on_resign_done, &live->resign.request);
    }
    if (now_ms >= due_at(&live->abort)) post(live, HTTP_URGENT, "abort", on_abort_done, &live->abort.request);
    if (now_ms >= due_at(&live->claim)) post(live, HTTP_PLAIN, "claim-victory", on_claim_done, &live->claim.request);
}

int64_t live_intents_at(const Live *live)
{
    int64_t resign = due_at(&live->resign), abort = due_at(&live->abort), claim = due_at(&live->claim);
    int64_t first = resign < abort ? resign : abort;
    return first < claim ? first : claim;
}

/* ---- what is said once ---- */

/* Nobody waits for the answer, and the game may be gone when it comes: it hears the host only. */
static void on_said(void *context, const HttpReply *reply)
{
    Host *host = context;
    char  text[256];
    if (host_is_refused(host, reply) || reply->status == 200) return;
    host_describe(reply, text, sizeof text);
    host_log(host, "an answer or a word was not taken: %s", text);
}

static void say(Live *live, const char *what, const char *form)
{
    char path[HTTP_PATH_SIZE];
    snprintf(path, sizeof path, "/api/bot/game/%s/%s", live->id, what);
    const HttpRequest request = {
        .kind = HTTP_PLAIN, .post = true, .path = path, .form = form, .context = live->host, .done = on_said};
    http_send(live->host->http, &request);
}

void live_chat(Live *live, Str text)
{
    Buf form = {0};
    buf_append(&form, STR("room=player&text="));
    http_encode(&form, text);
    if (!form.failed) say(live, "chat", form.data);
    buf_release(&form);
}

void live_greet(Live *live)
{
    if (live->greeted) return;
    live->greeted = true;
    if (live->track.game.plies < 2 && !live->track.over && live->host->config->greeting.len)
        live_chat(live, live->host->config->greeting);
}

void live_answer_offers(Live *live, const LichessState *state)
{
    const Config *config = live->host->config;
    Color         them   = (Color)!live->track.us;
    if (state->draw_offered[them] && !live->draw_answered) {
        live->draw_answered = true;
        bool yes            = policy_accepts_draw(config, &live->trend, live->track.game.now.fullmove);
        host_log(live->host, "%s: a draw is offered: %s", live->id, yes ? "accepted" : "declined");
        say(live, yes ? "draw/yes" : "draw/no", NULL);
    }
    if (state->takeback_asked[them] && !live->takeback_answered) {
        live->takeback_answered = true;
        bool yes                = policy_grants_takeback(config, live->takebacks);
        live->takebacks += yes;
        live->track.may_shrink = live->track.may_shrink || yes;
        host_log(live->host, "%s: a takeback is asked: %s", live->id, yes ? "granted" : "declined");
        say(live, yes ? "takeback/yes" : "takeback/no", NULL);
    }
}

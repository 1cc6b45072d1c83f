/* bot.c - see bot.h. */
#include "lichess/bot.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "lichess/live.h"
#include "lichess/seeker.h"

enum {
    ENDED_MAX    = 64, /* games remembered after their end, so that late news of them begins nothing */
    PROMISED_MAX = 32, /* challenges accepted whose games have not begun */
    PROMISE_MS   = 20000,
    SPARES_MAX   = 32,
    RIVALS_MAX   = 64, /* opponents whose rematches in a row are counted */
    STEP_MS      = 60000,
};

typedef struct {
    char    id[ID_SIZE]; /* empty: free */
    int64_t expires_ms;
} Promise;

typedef struct {
    char id[NAME_SIZE];
    int  rematches;
} Rival;

struct Bot {
    Host       host;
    Seeker     seeker;
    Live      *games;
    Thinker   *spares[SPARES_MAX]; /* engines that wait for a game */
    int        spare_count;
    HttpId     events, account;
    int64_t    retry_at_ms; /* of the account or the events, when neither runs */
    int        failures;
    Promise    promises[PROMISED_MAX];
    Rival      rivals[RIVALS_MAX];
    size_t     rival_next;
    char       ended[ENDED_MAX][ID_SIZE];
    size_t     ended_next;
    bool       leaving;
    atomic_int interrupts;
    int        interrupts_seen;
};

/* ---- what is remembered ---- */

static Live *find_game(const Bot *bot, Str id)
{
    for (Live *live = bot->games; live; live = live->next) {
        if (str_equal(str_from(live->id), id)) return live;
    }
    return NULL;
}

static bool has_ended(const Bot *bot, Str id)
{
    for (size_t i = 0; i < ENDED_MAX; i++) {
        if (bot->ended[i][0] && str_equal(str_from(bot->ended[i]), id)) return true;
    }
    return false;
}

static Promise *find_promise(Bot *bot, Str id)
{
    for (size_t i = 0; i < PROMISED_MAX; i++) {
        if (bot->promises[i].id[0] && str_equal(str_from(bot->promises[i].id), id)) return &bot->promises[i];
    }
    return NULL;
}

static void forget_promise(Bot *bot, Str id)
{
    Promise *promise = find_promise(bot, id);
    if (promise) promise->id[0] = '\0';
}

static void note_promise(Bot *bot, Str id)
{
    for (size_t i = 0; i < PROMISED_MAX; i++) {
        if (bot->promises[i].id[0]) continue;
        snprintf(bot->promises[i].id, ID_SIZE, "%.*s", STR_ARGS(id));
        bot->promises[i].expires_ms = clock_now_ms() + PROMISE_MS;
        return;
    }
}

/* Games that run or are promised. */
static int engaged(const Bot *bot)
{
    int count = seeker_waits(&bot->seeker);
    for (const Live *live = bot->games; live; live = live->next) count++;
    for (size_t i = 0; i < PROMISED_MAX; i++) count += bot->promises[i].id[0] != '\0';
    return count;
}

static Rival *rival_of(Bot *bot, Str id)
{
    for (size_t i = 0; i < RIVALS_MAX; i++) {
        if (bot->rivals[i].id[0] && str_equal_nocase(str_from(bot->rivals[i].id), id)) return &bot->rivals[i];
    }
    Rival *rival     = &bot->rivals[bot->rival_next++ % RIVALS_MAX];
    rival->rematches = 0;
    snprintf(rival->id, sizeof rival->id, "%.*s", STR_ARGS(id));
    return rival;
}

/* ---- challenges ---- */

/* The answer may have got lost on either way. A fresh event stream tells which challenges are open and which games have begun. */
static void on_answered(void *context, const HttpReply *reply)
{
    Bot *bot = context;
    char text[256];
    if (host_is_refused(&bot->host, reply) || reply->status == 200) return;
    host_describe(reply, text, sizeof text);
    host_log(&bot->host, "the answer to a challenge was not taken: %s", text);
    for (size_t i = 0; i < PROMISED_MAX; i++) bot->promises[i].id[0] = '\0';
    if (reply->status >= 400 && reply->status < 500 && reply->status != 429) return; /* it is gone */
    http_cancel(bot->host.http, bot->events);
    bot->events = 0;
    bot->failures++;
    bot->retry_at_ms = clock_now_ms() + host_backoff_ms(&bot->host, bot->failures);
}

static void answer_challenge(Bot *bot, const LichessChallenge *c, const char *reason)
{
    char path[HTTP_PATH_SIZE], form[64] = "";
    snprintf(path, sizeof path, "/api/challenge/%.*s/%s", STR_ARGS(c->id), reason ? "decline" : "accept");
    if (reason) snprintf(form, sizeof form, "reason=%s", reason);
    const HttpRequest request = {.post = true, .path = path, .form = form, .context = bot, .done = on_answered};
    http_send(bot->host.http, &request);
}

static void on_challenge(Bot *bot, const LichessChallenge *c)
{
    const char *why = "";
    if (str_equal_nocase(c->challenger.id, str_from(bot->host.self))) return; /* our own, on its way out */
    if (find_promise(bot, c->id) || find_game(bot, c->id) || has_ended(bot, c->id)) return;
    Rival        *rival  = rival_of(bot, c->challenger.id);
    PolicyPresent now    = {.games = engaged(bot), .rematches = rival->rematches, .leaving = bot->leaving};
    const char   *reason = policy_challenge(bot->host.config, c, &now, &why);
    host_log(&bot->host, "challenge %.*s by %.*s (%d), %s %.*s %.*s: %s%s", STR_ARGS(c->id), STR_ARGS(c->challenger.name),
             c->challenger.rating, c->rated ? "rated" : "casual", STR_ARGS(c->speed), STR_ARGS(c->variant),
             reason ? "declined, " : "accepted", why);
    if (!reason) {
        rival->rematches = c->rematch_of.len ? rival->rematches + 1 : 0;
        note_promise(bot, c->id);
    }
    answer_challenge(bot, c, reason);
}

/* ---- games ---- */

static void begin_game(Bot *bot, Str id)
{
    Err err;
    forget_promise(bot, id);
    seeker_settled(&bot->seeker, id, false);
    if (find_game(bot, id) || has_ended(bot, id)) return;
    Thinker *thinker =
        bot->spare_count ? bot->spares[--bot->spare_count] : bot_thinker_new(bot->host.config, bot->host.http, &err);
    if (!thinker) {
        host_log(&bot->host, "%.*s: no engine for this game: %s", STR_ARGS(id), err.text);
        return;
    }
    Live *live = live_new(&bot->host, thinker, id);
    if (!live) {
        bot_thinker_free(thinker);
        return;
    }
    live->next = bot->games;
    bot->games = live;
    host_log(&bot->host, "%s: begins", live->id);
    if (bot->leaving && bot->host.config->on_interrupt == INTERRUPT_RESIGN) live_leave(live);
}

/* Takes finished games away; their engines wait for the next. */
static void clear_games(Bot *bot)
{
    for (Live **at = &bot->games; *at;) {
        Live *live = *at;
        if (!live->finished) {
            at = &live->next;
            continue;
        }
        *at = live->next;
        snprintf(bot->ended[bot->ended_next++ % ENDED_MAX], ID_SIZE, "%s", live->id);
        Thinker *thinker = live->thinker;
        live_free(live);
        if (bot->spare_count < SPARES_MAX) {
            bot->spares[bot->spare_count++] = thinker;
        } else {
            bot_thinker_free(thinker);
        }
    }
}

/* ---- the event stream ---- */

static void on_event(void *context, Str line)
{
    Bot         *bot = context;
    LichessEvent event;
    Err          err;
    Live        *live;
    bot->failures = 0;
    if (!lichess_event_parse(line, &event, &err)) {
        host_log(&bot->host, "a line of the event stream makes no sense: %s", err.text);
        return;
    }
    switch (event.kind) {
    case LICHESS_CHALLENGE: on_challenge(bot, &event.challenge); break;
    case LICHESS_CHALLENGE_CANCELED:
        forget_promise(bot, event.id);
        seeker_settled(&bot->seeker, event.id, false);
        break;
    case LICHESS_CHALLENGE_DECLINED: seeker_settled(&bot->seeker, event.id, true); break;
    case LICHESS_GAME_START: begin_game(bot, event.id); break;
    case LICHESS_GAME_FINISH:
        live = find_game(bot, event.id);
        if (live) live_resync(live); /* its own stream should have said so; ask */
        break;
    default: break;
    }
    lichess_event_release(&event);
}

static void retry_later(Bot *bot, const char *what, const HttpReply *reply)
{
    char text[256];
    host_describe(reply, text, sizeof text);
    bot->failures++;
    int64_t wait = host_backoff_ms(&bot->host, bot->failures);
    host_log(&bot->host, "%s (%s); again in %lld ms", what, text, (long long)wait);
    bot->retry_at_ms = clock_now_ms() + wait;
}

static void on_alive(void *context) { ((Bot *)context)->failures = 0; }

static void on_events_done(void *context, const HttpReply *reply)
{
    Bot *bot    = context;
    bot->events = 0;
    if (host_is_refused(&bot->host, reply)) return;
    if (reply->status == 403) {
        host_fail(&bot->host, "the token has not the permission bot:play (403): make one that has");
        return;
    }
    retry_later(bot, "the event stream ended", reply);
}

static void open_events(Bot *bot)
{
    const HttpRequest request = {.kind    = HTTP_STREAM,
                                 .path    = "/api/stream/event",
                                 .context = bot,
                                 .line    = on_event,
                                 .alive   = on_alive,
                                 .done    = on_events_done};
    bot->events               = http_send(bot->host.http, &request);
    if (!bot->events) bot->retry_at_ms = clock_now_ms() + bot->host.config->backoff_max_ms;
}

static void on_account(void *context, const HttpReply *reply)
{
    Bot           *bot = context;
    LichessAccount account;
    Err            err;
    bot->account = 0;
    if (host_is_refused(&bot->host, reply)) return;
    if (reply->status != 200 || !lichess_account_parse(reply->body, &account, &err)) {
        retry_later(bot, "the account could not be learned", reply);
        return;
    }
    snprintf(bot->host.self, sizeof bot->host.self, "%.*s", STR_ARGS(account.id));
    if (!account.bot) {
        host_fail(&bot->host,
                  "the account %s is not a bot's: `tabia lichess upgrade` makes it one (only before its first game, "
                  "and for good)",
                  bot->host.self);
    } else {
        host_log(&bot->host, "playing as %.*s on %.*s", STR_ARGS(account.name), STR_ARGS(bot->host.config->url));
        open_events(bot);
    }
    lichess_account_release(&account);
}

static void ask_account(Bot *bot)
{
    const HttpRequest request = {.path = "/api/account", .context = bot, .done = on_account};
    bot->account              = http_send(bot->host.http, &request);
}

/* ---- leaving ---- */

void bot_interrupt(Bot *bot)
{
    atomic_fetch_add(&bot->interrupts, 1);
    http_wake(bot->host.http);
}

/* True: leave now, whatever runs. */
static bool see_interrupts(Bot *bot)
{
    int count = atomic_load(&bot->interrupts);
    if (count == bot->interrupts_seen) return false;
    bool again           = bot->interrupts_seen > 0 || count > 1;
    bot->interrupts_seen = count;
    bot->leaving         = true;
    bool resign          = bot->host.config->on_interrupt == INTERRUPT_RESIGN;
    if (again) {
        for (Live *live = bot->games; live; live = live->next) host_log(&bot->host, "%s: left as it stands", live->id);
        return true;
    }
    if (bot->games)
        host_log(&bot->host, "no new games; %s those that run (once more to leave at once)", resign ? "resigning" : "finishing");
    for (Live *live = bot->games; live && resign; live = live->next) live_leave(live);
    return false;
}

/* ---- the loop ---- */

static bool has_room(const Bot *bot) { return bot->events && !bot->leaving && engaged(bot) == 0; }

static int64_t next_step_ms(const Bot *bot, int64_t now)
{
    int64_t wait = seeker_next_ms(&bot->seeker, has_room(bot), now);
    if (!bot->events && !bot->account && bot->retry_at_ms - now < wait) wait = bot->retry_at_ms - now;
    for (const Live *live = bot->games; live; live = live->next) {
        int64_t next = live_next_ms(live, now);
        if (next < wait) wait = next;
    }
    return wait < 0 ? 0 : wait > STEP_MS ? STEP_MS : wait;
}

static void step(Bot *bot, int64_t now)
{
    for (Live *live = bot->games; live; live = live->next) live_tick(live, now);
    clear_games(bot);
    for (size_t i = 0; i < PROMISED_MAX; i++) {
        if (now >= bot->promises[i].expires_ms) bot->promises[i].id[0] = '\0';
    }
    seeker_tick(&bot->seeker, has_room(bot), now);
    if (bot->events || bot->account || now < bot->retry_at_ms) return;
    if (bot->host.self[0]) {
        open_events(bot);
    } else {
        ask_account(bot);
    }
}

bool bot_run(Bot *bot, Err *err)
{
    ask_account(bot);
    while (!bot->host.failed && !see_interrupts(bot)) {
        if (bot->leaving && !bot->games && !http_busy(bot->host.http)) break;
        http_run(bot->host.http, next_step_ms(bot, clock_now_ms()));
        step(bot, clock_now_ms());
    }
    return !bot->host.failed || err_set(err, ERR_IO, 0, "%s", bot->host.reason);
}

Bot *bot_new(const Config *config, const Token *token, HostLog *log, void *log_context, Err *err)
{
    const HttpConfig network = {.url                = config->url,
                                .token              = token,
                                .connect_timeout_ms = config->connect_timeout_ms,
                                .request_timeout_ms = config->request_timeout_ms,
                                .stream_idle_ms     = config->stream_idle_ms,
                                .rate_limit_ms      = config->rate_limit_ms};
    Bot             *bot     = calloc(1, sizeof *bot);
    if (!bot) {
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    bot->host      = (Host){.config = config, .token = token, .log = log, .log_context = log_context};
    bot->host.rng  = rng_seeded((uint64_t)clock_now_ns());
    bot->host.http = http_new(&network, err);
    Thinker *first = bot->host.http ? bot_thinker_new(config, bot->host.http, err) : NULL; /* a wrong option is found now */
    if (!first) {
        http_free(bot->host.http);
        free(bot);
        return NULL;
    }
    bot->spares[bot->spare_count++] = first;
    seeker_init(&bot->seeker, &bot->host);
    return bot;
}

void bot_free(Bot *bot)
{
    if (!bot) return;
    for (Live *live = bot->games, *next; live; live = next) {
        Thinker *thinker = live->thinker;
        next             = live->next;
        live_free(live);
        bot_thinker_free(thinker);
    }
    for (int i = 0; i < bot->spare_count; i++) bot_thinker_free(bot->spares[i]);
    http_free(bot->host.http);
    free(bot);
}

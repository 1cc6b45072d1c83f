/* seeker.c - see seeker.h. */
#include "lichess/seeker.h"

#include <stdio.h>

#include "base/clock.h"

enum { DAY_MS = 86400000, ANSWER_MS = 30000 }; /* the server forgets a challenge after twenty seconds */

void seeker_init(Seeker *seeker, Host *host)
{
    *seeker         = (Seeker){.host = host};
    seeker->next_ms = clock_now_ms() + host->config->matchmaking_every_s * 1000;
}

bool seeker_waits(const Seeker *seeker) { return seeker->challenge[0] != '\0' || seeker->request != 0; }

static bool has_refused(const Seeker *seeker, Str id)
{
    size_t known = seeker->refusals < SEEKER_REFUSED_MAX ? seeker->refusals : SEEKER_REFUSED_MAX;
    for (size_t i = 0; i < known; i++) {
        if (str_equal_nocase(str_from(seeker->refused[i]), id)) return true;
    }
    return false;
}

static void note_refusal(Seeker *seeker, const char *id)
{
    snprintf(seeker->refused[seeker->refusals++ % SEEKER_REFUSED_MAX], NAME_SIZE, "%s", id);
}

/* When the day's number of challenges allows one more. */
static int64_t day_allows_at(const Seeker *seeker)
{
    size_t most = (size_t)seeker->host->config->matchmaking_per_day;
    return seeker->made < most ? 0 : seeker->made_ms[(seeker->made - most) % SEEKER_DAY_MAX] + DAY_MS;
}

/* One of all, each as likely, without keeping the list. */
static void on_bot(Seeker *seeker, Str line)
{
    LichessAccount bot;
    const Host    *host = seeker->host;
    if (!lichess_account_parse(line, &bot, NULL)) return;
    bool fits =
        bot.id.len < NAME_SIZE && policy_challenges(host->config, &bot, str_from(host->self)) && !has_refused(seeker, bot.id);
    if (fits && rng_below(&seeker->host->rng, ++seeker->seen) == 0)
        snprintf(seeker->chosen, sizeof seeker->chosen, "%.*s", STR_ARGS(bot.id));
    lichess_account_release(&bot);
}

static void on_challenged(void *context, const HttpReply *reply)
{
    Seeker *seeker = context;
    char    text[256];
    seeker->request = 0;
    if (host_is_refused(seeker->host, reply)) return;
    if (reply->status == 200 && lichess_challenge_id(reply->body, seeker->challenge, sizeof seeker->challenge)) {
        seeker->expires_ms = clock_now_ms() + ANSWER_MS;
        host_log(seeker->host, "challenged %s (%s)", seeker->chosen, seeker->challenge);
        return;
    }
    host_describe(reply, text, sizeof text);
    host_log(seeker->host, "%s was not challenged: %s", seeker->chosen, text);
    if (reply->status >= 400 && reply->status < 500 && reply->status != 429) note_refusal(seeker, seeker->chosen);
}

static void challenge(Seeker *seeker)
{
    const Config *config = seeker->host->config;
    char          path[HTTP_PATH_SIZE], form[160];
    Buf           name = {0};
    http_encode(&name, str_from(seeker->chosen));
    snprintf(path, sizeof path, "/api/challenge/%s", name.failed ? "" : name.data);
    snprintf(form, sizeof form, "rated=%s&clock.limit=%lld&clock.increment=%lld&color=random&variant=standard",
             config->matchmaking_rated ? "true" : "false", (long long)config->matchmaking_base_s,
             (long long)config->matchmaking_increment_s);
    buf_release(&name);
    seeker->made_ms[seeker->made++ % SEEKER_DAY_MAX] = clock_now_ms();
    const HttpRequest request = {.post = true, .path = path, .form = form, .context = seeker, .done = on_challenged};
    seeker->request           = http_send(seeker->host->http, &request);
}

static void on_list(void *context, const HttpReply *reply)
{
    Seeker *seeker = context;
    char    text[256];
    seeker->request = 0;
    if (host_is_refused(seeker->host, reply)) return;
    if (reply->status != 200) {
        host_describe(reply, text, sizeof text);
        host_log(seeker->host, "who is online could not be learned: %s", text);
        return;
    }
    for (Str rest = reply->body; rest.len;) on_bot(seeker, str_next_until(&rest, '\n'));
    if (seeker->seen) challenge(seeker);
}

static int64_t due_at(const Seeker *seeker)
{
    int64_t allowed = day_allows_at(seeker);
    return allowed > seeker->next_ms ? allowed : seeker->next_ms;
}

void seeker_tick(Seeker *seeker, bool idle, int64_t now_ms)
{
    const Config *config = seeker->host->config;
    if (seeker->challenge[0] && now_ms >= seeker->expires_ms) seeker->challenge[0] = '\0';
    if (!config->matchmaking || !idle || seeker_waits(seeker) || now_ms < due_at(seeker)) return;
    seeker->next_ms           = now_ms + config->matchmaking_every_s * 1000;
    seeker->seen              = 0;
    seeker->chosen[0]         = '\0';
    const HttpRequest request = {.path = "/api/bot/online?nb=100", .context = seeker, .done = on_list};
    seeker->request           = http_send(seeker->host->http, &request);
}

int64_t seeker_next_ms(const Seeker *seeker, bool idle, int64_t now_ms)
{
    int64_t at = seeker->challenge[0] ? seeker->expires_ms : due_at(seeker);
    if (!seeker->host->config->matchmaking || (!seeker->challenge[0] && (!idle || seeker->request))) return INT64_MAX;
    return at > now_ms ? at - now_ms : 0;
}

void seeker_settled(Seeker *seeker, Str id, bool declined)
{
    if (!seeker->challenge[0] || !str_equal(str_from(seeker->challenge), id)) return;
    seeker->challenge[0] = '\0';
    if (!declined) return;
    host_log(seeker->host, "%s declined", seeker->chosen);
    note_refusal(seeker, seeker->chosen);
}

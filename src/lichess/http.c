/* http.c - see http.h: libcurl's multi interface behind a list of transfers.
 *
 * curl calls us only to hand over bytes, which are kept; all thinking happens after curl_multi_perform has returned, because curl
 * refuses new transfers from inside its callbacks.
 */
#include "lichess/http.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "lichess/splitter.h"

typedef enum { TRANSFER_QUEUED, TRANSFER_RUNNING, TRANSFER_OVER } TransferState;

typedef struct Transfer {
    struct Transfer  *next;
    HttpId            id;
    HttpRequest       request;
    char              path[HTTP_PATH_SIZE];
    Buf               form, body;
    size_t            form_given; /* bytes of the form that curl has taken */
    Splitter          lines;
    TransferState     state;
    CURL             *easy;
    struct curl_slist header; /* one node that points at the token: curl keeps no copy of the list */
    char              error[CURL_ERROR_SIZE];
    int64_t           start_ms, heard_ms;
    bool              heard;     /* bytes came since the last look */
    bool              too_long;  /* the answer exceeds its bound */
    bool              idle;      /* given up for its silence */
    bool              forgotten; /* nobody listens any more, but it may end by itself */
    bool              cancelled; /* to be taken away */
    CURLcode          code;
} Transfer;

struct Http {
    HttpConfig config;
    CURLM     *multi;
    Transfer  *first;
    HttpId     last_id;
    int64_t    held_until_ms;
};

/* ---- making ---- */

Http *http_new(const HttpConfig *config, Err *err)
{
    Http *http = calloc(1, sizeof *http);
    bool  ok   = http && curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    if (ok) {
        http->config = *config;
        http->multi  = curl_multi_init();
    }
    if (ok && http->multi) return http;
    free(http);
    err_set(err, ERR_MEMORY, 0, "libcurl could not be started");
    return NULL;
}

static void transfer_free(Http *http, Transfer *t)
{
    if (t->easy) {
        curl_multi_remove_handle(http->multi, t->easy);
        curl_easy_cleanup(t->easy);
    }
    buf_release(&t->form);
    buf_release(&t->body);
    splitter_release(&t->lines);
    free(t);
}

void http_free(Http *http)
{
    if (!http) return;
    for (Transfer *t = http->first, *next; t; t = next) {
        next = t->next;
        transfer_free(http, t);
    }
    curl_multi_cleanup(http->multi);
    curl_global_cleanup();
    free(http);
}

HttpId http_send(Http *http, const HttpRequest *request)
{
    Transfer *t = calloc(1, sizeof *t);
    if (!t) return 0;
    t->id           = ++http->last_id;
    t->request      = *request;
    t->request.path = t->path;
    snprintf(t->path, sizeof t->path, "%s", request->path);
    buf_append(&t->form, request->form && *request->form ? str_from(request->form) : STR("client=tabia"));
    splitter_init(&t->lines, HTTP_LINE_MAX);
    Transfer **end = &http->first;
    while (*end) end = &(*end)->next;
    *end = t;
    return t->id;
}

void http_cancel(Http *http, HttpId id)
{
    for (Transfer *t = http->first; id && t; t = t->next) {
        if (t->id == id) t->cancelled = true;
    }
}

void http_forget(Http *http, HttpId id)
{
    for (Transfer *t = http->first; id && t; t = t->next) {
        if (t->id != id) continue;
        t->forgotten = true;
        t->cancelled = t->cancelled || t->state == TRANSFER_QUEUED;
    }
}

void    http_wake(Http *http) { curl_multi_wakeup(http->multi); }
int64_t http_held_until_ms(const Http *http) { return http->held_until_ms; }

bool http_busy(const Http *http)
{
    for (const Transfer *t = http->first; t; t = t->next) {
        if (t->request.kind != HTTP_STREAM && !t->cancelled && !t->forgotten) return true;
    }
    return false;
}

/* ---- curl ---- */

static size_t take_bytes(char *bytes, size_t one, size_t count, void *context)
{
    Transfer *t    = context;
    Str       text = {bytes, one * count};
    t->heard       = true;
    if (t->request.kind == HTTP_STREAM) {
        if (!splitter_feed(&t->lines, text)) t->too_long = true;
    } else {
        if (t->body.len + text.len > HTTP_BODY_MAX) t->too_long = true;
        if (!t->too_long) buf_append(&t->body, text);
    }
    return t->too_long ? 0 : text.len;
}

/* curl sends a POST again, unasked, when a kept connection dies without an answer, although the server may have acted: a move
 * would go out twice. It cannot when the body comes from a function that cannot go back, and when there is a body. */
static size_t give_bytes(char *out, size_t one, size_t count, void *context)
{
    Transfer *t    = context;
    size_t    left = t->form.len - t->form_given, size = one * count < left ? one * count : left;
    memcpy(out, t->form.data + t->form_given, size);
    t->form_given += size;
    return size;
}

static void set_options(const Http *http, Transfer *t, const char *url)
{
    CURL             *easy   = t->easy;
    const HttpConfig *config = &http->config;
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, str_starts_with(config->url, STR("https:")) ? "https" : "http");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PROXY, ""); /* whatever the environment says */
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "Tabia");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)config->connect_timeout_ms);
    if (t->request.kind != HTTP_STREAM) curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)config->request_timeout_ms);
    if (t->request.post) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)t->form.len);
        curl_easy_setopt(easy, CURLOPT_READFUNCTION, give_bytes);
        curl_easy_setopt(easy, CURLOPT_READDATA, t);
    }
    if (config->token) {
        t->header.data = (char *)(uintptr_t)config->token->header;
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, &t->header);
    }
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->error);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
}

static void start(Http *http, Transfer *t)
{
    Buf url = {0};
    buf_printf(&url, "%.*s%s", STR_ARGS(http->config.url), t->path);
    t->state    = TRANSFER_RUNNING;
    t->start_ms = t->heard_ms = clock_now_ms();
    t->easy                   = curl_easy_init();
    bool ok                   = t->easy && !url.failed;
    if (ok) set_options(http, t, url.data);
    if (!ok || curl_multi_add_handle(http->multi, t->easy) != CURLM_OK) {
        t->state = TRANSFER_OVER;
        t->code  = CURLE_OUT_OF_MEMORY;
    }
    buf_release(&url);
}

/* Starts what may start: streams and urgent requests at once, of the others one at a time. */
static void start_waiting(Http *http)
{
    bool busy = false;
    if (clock_now_ms() < http->held_until_ms) return;
    for (Transfer *t = http->first; t; t = t->next)
        busy = busy || (t->request.kind == HTTP_PLAIN && t->state == TRANSFER_RUNNING);
    for (Transfer *t = http->first; t; t = t->next) {
        if (t->state != TRANSFER_QUEUED || t->cancelled) continue;
        if (t->request.kind == HTTP_PLAIN && busy) continue;
        busy = busy || t->request.kind == HTTP_PLAIN;
        start(http, t);
    }
}

static void note_finished(Http *http)
{
    int      left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(http->multi, &left))) {
        Transfer *t = NULL;
        if (message->msg != CURLMSG_DONE) continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &t);
        t->state = TRANSFER_OVER;
        t->code  = message->data.result;
    }
}

/* A stream that says nothing, not even a keep-alive, has lost its other end. */
static void give_up_silent(Http *http, int64_t now)
{
    for (Transfer *t = http->first; t; t = t->next) {
        if (t->state != TRANSFER_RUNNING || t->request.kind != HTTP_STREAM) continue;
        if (t->heard) t->heard_ms = now;
        if (now - t->heard_ms < http->config.stream_idle_ms) continue;
        t->state = TRANSFER_OVER;
        t->idle  = true;
    }
}

/* ---- telling ---- */

static HttpReply reply_of(const Http *http, Transfer *t)
{
    HttpReply  reply = {.error = "", .elapsed_ms = clock_now_ms() - t->start_ms, .body = buf_str(&t->body)};
    curl_off_t wait  = 0;

    struct curl_header *scopes;
    if (t->easy) curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &reply.status);
    if (t->easy) curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &wait);
    if (t->easy && curl_easy_header(t->easy, "X-OAuth-Scopes", 0, CURLH_HEADER, -1, &scopes) == CURLHE_OK)
        reply.scopes = str_from(scopes->value);
    reply.retry_after_ms = wait > 0 ? (int64_t)wait * 1000 : http->config.rate_limit_ms;
    if (t->idle) {
        reply.timed_out = true;
        reply.error     = "the stream fell silent";
    } else if (t->too_long) {
        reply.error = "the answer is longer than any that can be meant";
    } else if (t->code != CURLE_OK) {
        reply.timed_out = t->code == CURLE_OPERATION_TIMEDOUT;
        reply.error     = t->error[0] ? t->error : curl_easy_strerror(t->code);
        if (t->code == CURLE_SEND_FAIL_REWIND) reply.error = "the connection ended";
    }
    bool whole = t->code == CURLE_OK && !t->idle && !t->too_long;
    if (!whole && t->request.kind != HTTP_STREAM) reply.status = 0; /* half an answer is none */
    return reply;
}

static void tell_lines(Transfer *t)
{
    Str  line;
    long status = 0;
    if (!t->heard || t->cancelled) return;
    t->heard = false;
    if (t->easy) curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    if (t->request.kind != HTTP_STREAM || status != 200) return;
    if (t->request.alive) t->request.alive(t->request.context);
    while (!t->cancelled && splitter_next(&t->lines, &line)) t->request.line(t->request.context, line);
}

static void tell_done(Http *http, Transfer *t)
{
    HttpReply reply = reply_of(http, t);
    if (reply.status == 429) http->held_until_ms = clock_now_ms() + reply.retry_after_ms + 1; /* the clock rounds down */
    if (!t->cancelled && !t->forgotten) t->request.done(t->request.context, &reply);
}

/* Callbacks may add to the end of the list and cancel, never remove: so the walk is safe. */
static void tell(Http *http)
{
    for (Transfer *t = http->first; t; t = t->next) {
        tell_lines(t);
        if (t->state == TRANSFER_OVER) {
            tell_done(http, t);
            t->cancelled = true;
        }
    }
    for (Transfer **at = &http->first; *at;) {
        Transfer *t = *at;
        if (!t->cancelled) {
            at = &t->next;
            continue;
        }
        *at = t->next;
        transfer_free(http, t);
    }
}

static bool has_news(const Http *http)
{
    for (const Transfer *t = http->first; t; t = t->next) {
        if (t->heard || t->state == TRANSFER_OVER || t->cancelled) return true;
    }
    return false;
}

static int64_t shorter_wait(const Http *http, int64_t wait_ms, int64_t now)
{
    for (const Transfer *t = http->first; t; t = t->next) {
        int64_t until = wait_ms + now;
        if (t->state == TRANSFER_RUNNING && t->request.kind == HTTP_STREAM) until = t->heard_ms + http->config.stream_idle_ms;
        if (t->state == TRANSFER_QUEUED && http->held_until_ms > now) until = http->held_until_ms;
        if (until - now < wait_ms) wait_ms = until > now ? until - now : 0;
    }
    return wait_ms;
}

void http_run(Http *http, int64_t wait_ms)
{
    int running;
    start_waiting(http);
    curl_multi_perform(http->multi, &running);
    note_finished(http);
    if (!has_news(http)) {
        curl_multi_poll(http->multi, NULL, 0, (int)shorter_wait(http, wait_ms, clock_now_ms()), NULL);
        curl_multi_perform(http->multi, &running);
        note_finished(http);
    }
    give_up_silent(http, clock_now_ms());
    tell(http);
}

void http_encode(Buf *out, Str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (char_is_digit((char)c) || char_is_lower(char_lower((char)c)) || (c != '\0' && strchr("-_.~", c))) {
            buf_append_char(out, (char)c);
        } else {
            buf_printf(out, "%%%02X", c);
        }
    }
}

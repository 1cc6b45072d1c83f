/* http.h - requests to one server, and streams from it, in one thread that never blocks longer than it is told.
 *
 * A request is described, queued and forgotten: its callbacks come from http_run, never from inside http_send, so they may
 * send, cancel and free as they like. Urgent requests (moves) start at once; of the others one runs at a time, as the server
 * asks of its clients. After "too many requests" nothing starts before the time that was named.
 * Safety: only the base address is contacted: redirects are not followed, proxies and .netrc not asked; certificates and host
 * names are verified; what comes back is bounded (HTTP_BODY_MAX, HTTP_LINE_MAX).
 * Threads: [owner] the thread that made it; [any] at any time.
 */
#ifndef LICHESS_HTTP_H
#define LICHESS_HTTP_H

#include "base/buf.h"
#include "base/err.h"
#include "lichess/token.h"

typedef struct Http Http;

enum { HTTP_PATH_SIZE = 256, HTTP_BODY_MAX = 1 << 20, HTTP_LINE_MAX = 256 << 10 };

/* How a request ended. A status is an answer, whatever it says; without one the server may or may not have acted. */
typedef struct {
    long        status; /* of the answer; 0: there was none */
    int64_t     retry_after_ms;
    int64_t     elapsed_ms;
    bool        timed_out;
    Str         body;   /* not of a stream */
    Str         scopes; /* what the token may do, where the answer tells it; ptr NULL: not told */
    const char *error;  /* what went wrong without an answer, or to a stream; "" */
} HttpReply;

typedef enum { HTTP_PLAIN, HTTP_URGENT, HTTP_STREAM } HttpKind;

typedef struct {
    HttpKind    kind;
    bool        post;
    const char *path; /* "/api/account"; copied */
    const char *form; /* body of a POST; NULL: empty; copied */
    void       *context;
    void (*line)(void *context, Str line); /* of a stream: each line as it comes */
    void (*alive)(void *context);          /* of a stream: bytes came, keep-alives too; may be NULL */
    void (*done)(void *context, const HttpReply *reply);
} HttpRequest;

typedef uint64_t HttpId; /* 0: none */

typedef struct {
    Str          url;   /* base address without a slash at the end; lives as long as the Http */
    const Token *token; /* NULL: none is sent */
    int64_t      connect_timeout_ms, request_timeout_ms, stream_idle_ms, rate_limit_ms;
} HttpConfig;

Http *http_new(const HttpConfig *config, Err *err);
void  http_free(Http *http); /* forgets everything under way without calling anybody; NULL is fine */

HttpId  http_send(Http *http, const HttpRequest *request); /* [owner] 0 when memory is short */
void    http_cancel(Http *http, HttpId id);                /* [owner] no more callbacks; unknown ids are fine */
void    http_run(Http *http, int64_t wait_ms);             /* [owner] waits at most so long, then calls back */
void    http_wake(Http *http);                             /* [any] makes http_run return soon */
bool    http_busy(const Http *http);                       /* [owner] a request (not a stream) waits or runs */
int64_t http_held_until_ms(const Http *http);              /* [owner] clock_now_ms before which nothing starts */

/* [owner] As http_cancel, but what is under way may end by itself, so that its connection serves the next request. What has not
 * started is never sent. */
void http_forget(Http *http, HttpId id);

/* Percent-encodes for a form or a path. */
void http_encode(Buf *out, Str text);

#endif

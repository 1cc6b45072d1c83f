/* host.c - see host.h. */
#include "lichess/host.h"

#include <stdarg.h>
#include <stdio.h>

#include "lichess/events.h"

void host_log(Host *host, const char *format, ...)
{
    char    line[1024];
    Buf     text = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (char *c = line; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' '; /* names and errors come from outside: no second line, no colours */
    }
    buf_append(&text, str_from(line));
    if (host->token) token_redact(host->token, &text);
    if (host->log && !text.failed) host->log(host->log_context, text.data);
    buf_release(&text);
}

void host_fail(Host *host, const char *format, ...)
{
    if (host->failed) return;
    Buf     text = {0};
    char    line[REASON_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    buf_append(&text, str_from(line));
    if (host->token) token_redact(host->token, &text);
    snprintf(host->reason, sizeof host->reason, "%s", text.failed ? "out of memory" : text.data);
    host->failed = true;
    buf_release(&text);
}

bool host_is_refused(Host *host, const HttpReply *reply)
{
    if (reply->status != 401) return false;
    host_fail(host, "the server does not accept the token (401): it is wrong, expired or revoked. Make a new one with the "
                    "permission bot:play");
    return true;
}

void host_describe(const HttpReply *reply, char *out, size_t size)
{
    char said[160];
    lichess_error_text(reply->body, said, sizeof said);
    if (reply->status == 0) {
        snprintf(out, size, "no answer (%s)", reply->error[0] ? reply->error : "the connection ended");
    } else if (reply->status == 429) {
        snprintf(out, size, "too many requests; waiting %.1f s as told", (double)reply->retry_after_ms / 1000);
    } else if (said[0]) {
        snprintf(out, size, "status %ld: %s", reply->status, said);
    } else {
        snprintf(out, size, "status %ld%s%s", reply->status, reply->error[0] ? ", " : "", reply->error);
    }
}

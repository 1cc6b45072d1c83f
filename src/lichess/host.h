/* host.h - what every part of the bot shares: configuration, network, identity, a log, and the way to give up.
 *
 * The log is a function of the caller: lines come without a line end and never hold the token. Threads: the loop's only.
 */
#ifndef LICHESS_HOST_H
#define LICHESS_HOST_H

#include "base/rng.h"
#include "lichess/config.h"
#include "lichess/http.h"
#include "lichess/policy.h"
#include "lichess/token.h"

enum { ID_SIZE = 32, NAME_SIZE = 64, REASON_SIZE = 256 };

typedef void HostLog(void *context, const char *line);

typedef struct {
    const Config *config;
    const Token  *token;
    Http         *http;
    HostLog      *log;
    void         *log_context;
    Rng           rng;
    char          self[NAME_SIZE];     /* our identity; empty until the account has answered */
    bool          failed;              /* nothing more can be done ... */
    char          reason[REASON_SIZE]; /* ... because */
} Host;

void host_log(Host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Gives up: the loop ends. The first reason stays. */
void host_fail(Host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether an answer means that no later one can be better: the token is not accepted. Then host_fail has been called. */
bool host_is_refused(Host *host, const HttpReply *reply);

/* What an answer says for a person: "status 502", "no connection"..., never empty. */
void host_describe(const HttpReply *reply, char *out, size_t size);

static inline int64_t host_backoff_ms(Host *host, int failures)
{
    return backoff_ms(host->config, failures, rng_next(&host->rng));
}

#endif

/* check.h - is everything in place? Tries configuration, engine, book, tables, token, server and account, without playing.
 *
 * Threads: blocks the caller's thread, at most as long as the configured time-outs.
 */
#ifndef LICHESS_CHECK_H
#define LICHESS_CHECK_H

#include "lichess/host.h"

/* One line of the report: "engine", whether it is good, and a sentence. */
typedef void CheckTell(void *context, const char *what, bool good, const char *sentence);

typedef struct {
    const Config *config;
    const Token  *token; /* NULL: it could not be read, and token_error says why */
    const char   *token_error;
    CheckTell    *tell;
    void         *context;
} Check;

/* True when everything is good. */
bool check_run(const Check *check);

/* Makes the account a bot's, for good. False with *err when the server does not. *already: it was one. */
bool check_upgrade(const Config *config, const Token *token, bool *already, Err *err);

#endif

/* token.h - the key to the account: read once, kept in one place, wiped at the end.
 *
 * It comes from a file that only its owner may read, or from the environment; never from the command line, where every user of
 * the machine sees it. While it is held the process leaves no core and nobody else may look into its memory. Its text reaches
 * nothing but the Authorization header: no error of this module shows a character of it, and token_redact keeps it out
 * of whatever a server sends back.
 * Threads: one at a time.
 */
#ifndef LICHESS_TOKEN_H
#define LICHESS_TOKEN_H

#include "base/buf.h"
#include "base/err.h"

#define TOKEN_VARIABLE "TABIA_LICHESS_TOKEN"

enum { TOKEN_SIZE = 256 };

typedef struct {
    char header[TOKEN_SIZE + 32]; /* "Authorization: Bearer ..." */
    Str  secret;                  /* inside `header`; must not be printed */
} Token;

/* From the file `path`, or from the environment when it is NULL: the variable is then wiped and removed. Must be called before
 * other threads look at the environment. The Token must not move afterwards. On failure nothing is held. */
bool token_load(Token *token, const char *path, Err *err);

/* Wipes it and lets the process be looked into again. Harmless when nothing is held. */
void token_wipe(Token *token);

/* Replaces the secret in `text` by stars, wherever it occurs. */
void token_redact(const Token *token, Buf *text);

#endif

/* guard.h - who may ask: Host, Origin and token. Pure; the server asks before it does anything else.
 *
 * Any page on the Internet can make a browser send requests to this machine. Host is compared exactly, so that a foreign name
 * that resolves to loopback (DNS rebinding) is refused; what changes something must come from our own page (Origin).
 * Threads: [any].
 */
#ifndef WEB_GUARD_H
#define WEB_GUARD_H

#include "base/str.h"

enum { TOKEN_SIZE = 33 }; /* 128 bits in hexadecimal and a zero */

typedef struct {
    int  port;
    char host[256];         /* as given to --host; empty: loopback only */
    bool any_address;       /* listens on all of them: Host may be any address of this machine, never a foreign name */
    char token[TOKEN_SIZE]; /* empty: none is asked for */
} Guard;

/* Whether the address is loopback: "127.0.0.1", "::1", "localhost". */
bool guard_is_loopback(Str host);

bool guard_host_is_right(const Guard *guard, Str host);

/* Origin must be the page that this very Host serves. */
bool guard_origin_is_right(const Guard *guard, Str host, Str origin);

/* Compares in a time that does not depend on where the difference is. */
bool guard_token_is_right(const Guard *guard, Str token);

/* The token of "Bearer TOKEN"; of the cookie "a=b; tabia=TOKEN". Empty: none. */
Str guard_bearer(Str authorization);
Str guard_cookie(Str cookies);

#endif

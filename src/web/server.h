/* server.h - the board in the browser: an HTTP server with a JSON API and a stream of events (docs/api.md).
 *
 * One thread serves all connections, one keeps the games (clocks, players, engines); engines think on threads of their own. A
 * client that stalls or vanishes costs nothing: events lie in a ring that everybody reads at their own pace.
 * Threads: [owner] whoever made the server.
 */
#ifndef WEB_SERVER_H
#define WEB_SERVER_H

#include "base/buf.h"
#include "base/err.h"

typedef struct WebServer WebServer;

typedef struct {
    const char *host;       /* an address; NULL: 127.0.0.1. Any other than loopback makes the server ask for a token. */
    int         port;       /* 0: any free one */
    int         port_tries; /* how many ports after it are tried when it is taken; 0: none */
    const char *data;       /* the folder of saved games; made when missing */
    const char *tables;     /* folders of endgame tables; NULL: none */
} WebConfig;

/* Starts to serve. NULL with *err: the port is taken, the folder cannot be used, no memory. */
WebServer *web_server_new(const WebConfig *config, Err *err);

/* Ends streams, stops engines, waits for them. Every game is on disk already. */
void web_server_free(WebServer *server);

/* Where it is: "http://127.0.0.1:8064/", with the token when one is needed. */
const char *web_server_url(const WebServer *server);

/* What a person should know after the start: games that could not be read. Empty: nothing. */
const char *web_server_notice(const WebServer *server);

/* Whether the page is part of this program (it is not where it was built without Node). */
bool web_has_page(void);

/* $XDG_DATA_HOME/tabia/games, else ~/.local/share/tabia/games. False with *err when neither is known. */
bool web_default_data(Buf *out, Err *err);

#endif

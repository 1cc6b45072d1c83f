/* request.h - one request on its way: what was asked, by whom, and the answer. Internal to `web`.
 *
 * A handler runs on the HTTP thread under the hub's lock (unless its route says otherwise) and fills the answer. What takes a
 * while must not: a hint's request waits, suspended, and is answered by the keeper; a route that goes ASIDE runs on the thread of
 * errands.h.
 */
#ifndef WEB_REQUEST_H
#define WEB_REQUEST_H

#include <jansson.h>

#include "base/json.h"
#include "web/guard.h"
#include "web/hub.h"

typedef struct Request Request;
typedef void           Handler(Request *request);

enum { BODY_MAX = 1 << 20, IMPORT_MAX = 8 << 20 };

typedef enum {
    LOCKED,   /* on the HTTP thread, under the lock */
    UNLOCKED, /* needs nothing that the lock guards */
    ASIDE,    /* the same, and takes a while: on a thread of its own; reads nothing but the body */
} RouteWay;

typedef struct {
    const char *method;
    const char *path; /* "*" stands for the id of a game */
    Handler    *handle;
    RouteWay    way;
    size_t      body_max; /* 0: BODY_MAX */
} Route;

struct Request {
    Hub                   *hub;
    const Guard           *guard;
    struct MHD_Connection *connection;
    const Route           *route;
    Session               *session; /* of the "*" in the path; only under the lock */
    char                   id[ID_SIZE];
    Buf                    body;
    size_t                 body_max;
    bool                   too_large;
    json_t                *json; /* of a POST: an object */

    int         status; /* 0: not answered yet */
    const char *type;
    Buf         answer;
    bool        stream; /* the answer is the stream of events of `session` */
    bool        waits;  /* suspended until somebody answers */
    bool        cookie; /* the token came in the address: keep it */
};

/* The route of a method and a path; NULL, and *path_known tells whether another method would do. Fills `id`. */
const Route *route_find(Str method, Str path, char id[ID_SIZE], bool *path_known);

/* ---- answers ---- */

/* Begins the answer; the caller writes JSON to the writer and nothing else. */
void request_begin(Request *r, int status, JsonWriter *w);
void request_fail(Request *r, int status, const char *code, const char *format, ...) __attribute__((format(printf, 4, 5)));
void request_fail_err(Request *r, int status, const char *code, const Err *err); /* without a place */
void request_fail_at(Request *r, int status, const char *code, const Err *err);  /* with its offset */
void request_game(Request *r, int status);                                       /* the whole game */
void request_empty(Request *r);                                                  /* {} */
void request_refuse_end(Request *r);                                             /* the server is about to end */

/* ---- what was asked ---- */

/* A member of the body; false when it is there and of another type or out of range (the request is answered then). A missing one
 * leaves *out as it is. */
bool request_int(Request *r, const char *name, int64_t low, int64_t high, int64_t *out);
bool request_bool(Request *r, const char *name, bool *out);
bool request_text(Request *r, const char *name, Str *out); /* the view lives as long as the request */

/* The node that the body names; default `*out`. */
bool request_node(Request *r, const char *name, int *out);

/* A legal move as UCI or SAN; "e2 e4" and "e2-e4" are as good as "e2e4". */
bool request_read_move(const Position *pos, Str text, Move *out, Err *err);

const char *request_query(const Request *r, const char *name); /* NULL: not given */

/* ---- hints: [lock] ---- */

void request_answer_hint(Session *s, const Slot *slot); /* whoever waits gets the result */
void request_refuse_hint(Session *s);                   /* the game is gone */

/* ---- handlers ---- */

Handler api_about, api_games, api_create, api_import, api_game, api_delete, api_pgn, api_look, api_move, api_takeback, api_resign,
    api_draw, api_hint, api_play, api_pause, api_tree, api_headers, api_analyse, api_stop, api_report, api_report_last, api_check,
    api_explain, api_trace, api_events;

#endif

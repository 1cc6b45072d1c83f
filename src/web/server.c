/* server.c - see server.h: the glue to libmicrohttpd. Decides who may ask, gathers bodies, calls handlers, sends answers.
 *
 * The library calls answer_connection at least twice a request: with the headers, with every part of a body, and at the end. A
 * request that is refused is still read to its end (unless it is huge), because a connection that is closed over unread bytes
 * takes the answer with it.
 */
#include "web/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "web/assets.h"
#include "web/forms.h"
#include "web/request.h"

enum {
    CONNECTIONS_MAX  = CLIENTS_MAX + 128,
    TIMEOUT_SECONDS  = 30, /* for a client that neither reads nor writes */
    DRAIN_MAX        = 64 << 20,
    STREAM_BLOCK     = 16384,
    CONNECTION_BYTES = 48 << 10,
};

struct WebServer {
    Hub                hub;
    bool               hub_ready;
    Guard              guard;
    struct MHD_Daemon *daemon;
    Buf                url;
};

/* ---- answers ---- */

static const char *const common_headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                                "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Embedder-Policy", "require-corp"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};

static enum MHD_Result send_response(struct MHD_Connection *connection, int status, const char *type, const char *cache,
                                     struct MHD_Response *response)
{
    if (!response) return MHD_NO;
    for (size_t i = 0; i < sizeof common_headers / sizeof *common_headers; i++)
        MHD_add_response_header(response, common_headers[i][0], common_headers[i][1]);
    if (type) MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, cache);
    enum MHD_Result queued = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result send_answer(Request *r)
{
    if (r->answer.failed) request_fail(r, 500, "no_memory", "not enough memory for the answer");
    Str                  text     = buf_str(&r->answer);
    struct MHD_Response *response = MHD_create_response_from_buffer(text.len, (void *)(uintptr_t)text.ptr, MHD_RESPMEM_MUST_COPY);
    return send_response(r->connection, r->status, r->type, "no-store", response);
}

/* ---- the page ---- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value ? value : "";
}

static enum MHD_Result send_no_page(struct MHD_Connection *connection)
{
    static const char text[] =
        "<!doctype html><html lang=en><meta charset=utf-8><title>Tabia</title><h1>Tabia runs, but without its page</h1>"
        "<p>This program was built where Node.js and npm were missing, or where the packages of the page could not be fetched. "
        "Install them (<code>scripts/setup play</code>) and run <code>make page &amp;&amp; make</code>. "
        "The API is there all the same: <a href=/api/about>/api/about</a>.";
    return send_response(connection, 200, "text/html; charset=utf-8", "no-store",
                         MHD_create_response_from_buffer(sizeof text - 1, (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result send_asset(struct MHD_Connection *connection, const Asset *asset)
{
    char etag[ETAG_SIZE];
    if (!asset->gzip.len) return send_no_page(connection);
    asset_etag(asset, etag);
    Str  accepted  = str_from(header(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING));
    bool unchanged = strcmp(header(connection, MHD_HTTP_HEADER_IF_NONE_MATCH), etag) == 0;
    bool no_gzip =
        accepted.len && str_find_nocase(accepted, STR("gzip")) == accepted.len && !memchr(accepted.ptr, '*', accepted.len);
    if (no_gzip) {
        static const char text[] = "The page comes gzipped only.\n";
        return send_response(connection, 406, "text/plain", "no-store",
                             MHD_create_response_from_buffer(sizeof text - 1, (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT));
    }
    size_t               size = unchanged ? 0 : asset->gzip.len;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, (void *)(uintptr_t)asset->gzip.ptr, MHD_RESPMEM_PERSISTENT);
    if (response) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, etag);
        if (!unchanged) MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    }
    return send_response(connection, unchanged ? 304 : 200, asset->type, "no-cache", response);
}

/* ---- the stream of events ---- */

typedef struct {
    Client client;
    Hub   *hub;
    char   id[ID_SIZE];
} Stream;

/* [lock] The first message of every stream. */
static Message *whole_game(void *context)
{
    const Stream *stream = context;
    Session      *s      = hub_find(stream->hub, str_from(stream->id));
    Buf           text   = {0};
    JsonWriter    w;
    if (!s) return NULL;
    json_init(&w, &text);
    form_game(&w, NULL, s);
    Message *message = text.failed ? NULL : message_new("game", buf_str(&text), 0);
    buf_release(&text);
    return message;
}

static ssize_t stream_read(void *context, uint64_t position, char *out, size_t size)
{
    (void)position;
    Stream *stream = context;
    pthread_mutex_lock(&stream->hub->lock);
    ptrdiff_t got = client_read(&stream->client, out, size, whole_game, stream);
    pthread_mutex_unlock(&stream->hub->lock);
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : got;
}

static void stream_free(void *context)
{
    Stream *stream = context;
    pthread_mutex_lock(&stream->hub->lock);
    channel_remove(&stream->client);
    stream->hub->clients--;
    pthread_mutex_unlock(&stream->hub->lock);
    free(stream);
}

/* [lock] */
static struct MHD_Response *open_stream(Request *r)
{
    Stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->hub               = r->hub;
    stream->client.connection = r->connection;
    memcpy(stream->id, r->session->id, ID_SIZE);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, stream_read, stream, stream_free);
    if (!response) {
        free(stream);
        return NULL;
    }
    r->hub->clients++;
    channel_add(&r->session->channel, &stream->client);
    return response;
}

/* ---- requests ---- */

/* Who asks? Fills the answer when it is nobody who may. */
static bool is_allowed(Request *r, Str method, Str path)
{
    Str  host    = str_from(header(r->connection, MHD_HTTP_HEADER_HOST));
    Str  origin  = str_from(header(r->connection, MHD_HTTP_HEADER_ORIGIN));
    bool changes = !str_equal(method, STR("GET")) && !str_equal(method, STR("HEAD"));
    if (!guard_host_is_right(r->guard, host)) {
        request_fail(r, 403, "wrong_host", "this server answers only to the address it printed at its start");
        return false;
    }
    if (changes && !guard_origin_is_right(r->guard, host, origin)) {
        request_fail(r, 403, "wrong_origin", "only the page of this server may change something: Origin must be http://%.*s",
                     STR_ARGS(host));
        return false;
    }
    const char *given = request_query(r, "token");
    if (guard_token_is_right(r->guard, guard_cookie(str_from(header(r->connection, MHD_HTTP_HEADER_COOKIE)))) ||
        guard_token_is_right(r->guard, guard_bearer(str_from(header(r->connection, MHD_HTTP_HEADER_AUTHORIZATION)))))
        return true;
    r->cookie = str_equal(path, STR("/")) && given && guard_token_is_right(r->guard, str_from(given));
    if (!r->cookie) request_fail(r, 401, "no_token", "open the whole address that was printed at the start: it holds a token");
    return r->cookie;
}

/* Finds the route and what it may carry; fills the answer when something is wrong. */
static void accept_request(Request *r, const char *method, const char *path)
{
    bool  path_known;
    Asset asset;
    r->body_max = BODY_MAX;
    if (!is_allowed(r, str_from(method), str_from(path))) return;
    if (strcmp(method, "GET") == 0 && asset_find(str_from(path), &asset)) return;
    r->route = route_find(str_from(method), str_from(path), r->id, &path_known);
    if (!r->route && path_known) {
        request_fail(r, 405, "wrong_method", "%s cannot be asked with %s; docs/api.md lists the requests", path, method);
    } else if (!r->route) {
        request_fail(r, 404, "not_found", "there is nothing at this address; docs/api.md lists the requests");
    } else if (r->route->body_max) {
        r->body_max = r->route->body_max;
    }
    if (!r->route || strcmp(method, "POST") != 0) return;
    Str type = str_trim(str_from(header(r->connection, MHD_HTTP_HEADER_CONTENT_TYPE)));
    type     = str_trim(str_next_until(&type, ';'));
    if (!str_equal_nocase(type, STR("application/json")))
        request_fail(r, 415, "not_json", "the Content-Type must be application/json");
}

static bool read_json(Request *r)
{
    json_error_t error;
    Str          text = buf_str(&r->body);
    if (r->too_large || r->body.failed) {
        request_fail(r, 413, "too_large", "a request has at most %zu bytes", r->body_max);
        return false;
    }
    r->json = json_loadb(text.ptr, text.len, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(r->json)) return true;
    Err err = {0};
    if (r->json) {
        snprintf(err.text, sizeof err.text, "the body must be a JSON object");
    } else {
        err.offset = error.position > 0 ? (size_t)error.position : 0;
        snprintf(err.text, sizeof err.text, "the body must be a JSON object: %s", error.text);
    }
    request_fail_at(r, 400, "bad_json", &err);
    return false;
}

/* The whole request is there. */
static enum MHD_Result finish_request(Request *r)
{
    const Route         *route    = r->route;
    struct MHD_Response *response = NULL;
    if (strcmp(route->method, "POST") == 0 && !read_json(r)) return send_answer(r);
    bool locked = route->way != UNLOCKED;
    if (locked) pthread_mutex_lock(&r->hub->lock);
    r->session = r->id[0] ? hub_find(r->hub, (Str){r->id, ID_SIZE - 1}) : NULL;
    if (locked && r->hub->quit) {
        request_refuse_end(r);
    } else if (r->id[0] && !r->session) {
        request_fail(r, 404, "no_game", "there is no game %s", r->id);
    } else if (route->way == ASIDE) {
        r->waits = errands_add(&r->hub->errands, r);
        if (!r->waits) request_fail(r, 503, "busy", "%d others wait for such an answer already: ask again later", ERRANDS_MAX);
    } else {
        route->handle(r);
        if (r->stream) response = open_stream(r);
    }
    bool waits = r->waits; /* once the lock is given up, somebody may answer at any time */
    if (waits) MHD_suspend_connection(r->connection);
    if (locked) pthread_mutex_unlock(&r->hub->lock);
    if (waits) return MHD_YES;
    if (!r->stream) return send_answer(r);
    if (response) MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close"); /* nothing follows the last event */
    return send_response(r->connection, 200, "text/event-stream", "no-store", response);
}

static enum MHD_Result send_cookie(Request *r)
{
    char                 cookie[128];
    struct MHD_Response *response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    snprintf(cookie, sizeof cookie, "tabia=%s; HttpOnly; SameSite=Strict; Path=/", r->guard->token);
    if (response) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
        MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, "/");
    }
    return send_response(r->connection, 303, NULL, "no-store", response);
}

static enum MHD_Result begin_request(WebServer *server, struct MHD_Connection *connection, const char *method, const char *path,
                                     void **state)
{
    Request *r = calloc(1, sizeof *r);
    if (!r) return MHD_NO;
    r->hub        = &server->hub;
    r->guard      = &server->guard;
    r->connection = connection;
    *state        = r;
    accept_request(r, method, path);
    uint64_t length;
    if (!str_to_u64(str_from(header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH)), &length)) length = 0;
    if (length <= DRAIN_MAX) return MHD_YES;
    request_fail(r, 413, "too_large", "a request has at most %zu bytes", r->body_max);
    return send_answer(r);
}

static enum MHD_Result answer_connection(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                                         const char *version, const char *data, size_t *size, void **state)
{
    (void)version;
    Request *r = *state;
    if (!r) return begin_request(context, connection, method, path, state);
    if (*size) {
        if (r->body.len + *size > r->body_max) r->too_large = true;
        if (r->status == 0 && !r->too_large) buf_append(&r->body, (Str){data, *size});
        *size = 0;
        return MHD_YES;
    }
    Asset asset;
    if (r->status) return send_answer(r);
    if (r->cookie) return send_cookie(r);
    if (r->route) return finish_request(r);
    return asset_find(str_from(path), &asset) ? send_asset(connection, &asset) : MHD_NO;
}

static void end_request(void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code)
{
    (void)context, (void)connection, (void)code;
    Request *r = *state;
    *state     = NULL;
    if (!r) return;
    pthread_mutex_lock(&r->hub->lock);
    for (size_t i = 0; i < r->hub->count; i++) {
        if (r->hub->sessions[i]->hint_waits == r) r->hub->sessions[i]->hint_waits = NULL;
    }
    pthread_mutex_unlock(&r->hub->lock);
    json_decref(r->json);
    buf_release(&r->body);
    buf_release(&r->answer);
    free(r);
}

/* ---- life ---- */

static bool make_token(char out[TOKEN_SIZE])
{
    unsigned char bytes[(TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* A socket that listens; the port is known before anybody can ask. -1: taken, or not allowed. */
static int open_socket(Guard *guard, const char *host, int port)
{
    struct sockaddr_in  v4      = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 v6      = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    bool                is_v6   = inet_pton(AF_INET6, host, &v6.sin6_addr) == 1;
    struct sockaddr    *address = is_v6 ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4;
    socklen_t           size    = is_v6 ? sizeof v6 : sizeof v4;
    int                 yes     = 1;
    if (!is_v6) inet_pton(AF_INET, host, &v4.sin_addr);
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, address, size) == 0 && listen(fd, SOMAXCONN) == 0 && getsockname(fd, address, &size) == 0) {
        guard->port = ntohs(is_v6 ? v6.sin6_port : v4.sin_port);
        return fd;
    }
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

static bool start_daemon(WebServer *server, const char *host, int port)
{
    int fd = open_socket(&server->guard, host, port);
    if (fd < 0) return false;
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    server->daemon = MHD_start_daemon(flags, 0, NULL, NULL, answer_connection, server, MHD_OPTION_LISTEN_SOCKET, fd,
                                      MHD_OPTION_NOTIFY_COMPLETED, end_request, NULL, MHD_OPTION_CONNECTION_LIMIT,
                                      (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_SECONDS,
                                      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_END);
    return server->daemon != NULL;
}

/* Checks the address and decides what the guard asks for. */
static bool set_guard(WebServer *server, const char *host, Err *err)
{
    Guard        *guard   = &server->guard;
    unsigned char any[16] = {0}, address[16];
    int           v4 = inet_pton(AF_INET, host, address), v6 = v4 == 1 ? 0 : inet_pton(AF_INET6, host, address);
    if (v4 != 1 && v6 != 1)
        return err_set(err, ERR_SYNTAX, 0, "--host takes an address such as 127.0.0.1 or 0.0.0.0, not '%s'", host);
    guard->any_address = memcmp(any, address, v4 == 1 ? 4 : 16) == 0;
    snprintf(guard->host, sizeof guard->host, "%s", host);
    if (guard_is_loopback(str_from(host))) return true;
    return make_token(guard->token) || err_set_errno(err, ERR_IO, "no random numbers for the token");
}

static void make_url(WebServer *server)
{
    const Guard *guard = &server->guard;
    const char  *host  = guard->any_address ? "127.0.0.1" : guard->host;
    bool         v6    = strchr(host, ':') != NULL;
    buf_printf(&server->url, "http://%s%s%s:%d/", v6 ? "[" : "", host, v6 ? "]" : "", guard->port);
    if (guard->token[0]) buf_printf(&server->url, "?token=%s", guard->token);
}

WebServer *web_server_new(const WebConfig *config, Err *err)
{
    WebServer  *server = calloc(1, sizeof *server);
    const char *host   = config->host ? config->host : "127.0.0.1";
    if (server && strcmp(host, "localhost") == 0) host = "127.0.0.1";
    if (!server) {
        err_set(err, ERR_MEMORY, 0, "not enough memory");
        return NULL;
    }
    bool ok           = set_guard(server, host, err);
    server->hub_ready = ok;
    ok                = ok && hub_init(&server->hub, config->data, config->tables, server->guard.token[0] != '\0', err);
    for (int i = 0; ok && i <= config->port_tries && !server->daemon; i++) start_daemon(server, host, config->port + i);
    if (ok && !server->daemon) ok = err_set_errno(err, ERR_IO, "nothing can be served at %s port %d", host, config->port);
    if (ok) make_url(server);
    if (ok && !server->url.failed) return server;
    web_server_free(server);
    return NULL;
}

void web_server_free(WebServer *server)
{
    if (!server) return;
    if (server->hub_ready) hub_stop(&server->hub);
    if (server->daemon) MHD_stop_daemon(server->daemon);
    if (server->hub_ready) hub_release(&server->hub);
    buf_release(&server->url);
    free(server);
}

const char *web_server_url(const WebServer *server) { return server->url.data; }

const char *web_server_notice(const WebServer *server) { return server->hub.notice.data ? server->hub.notice.data : ""; }

bool web_has_page(void)
{
    Asset asset;
    return asset_find(STR("/"), &asset) && asset.gzip.len;
}

bool web_default_data(Buf *out, Err *err)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/') {
        buf_printf(out, "%s/tabia/games", data);
    } else if (home && home[0]) {
        buf_printf(out, "%s/.local/share/tabia/games", home);
    } else {
        return err_set(err, ERR_NOT_FOUND, 0, "there is no home folder to keep games in: give --data DIR");
    }
    return !out->failed || err_set(err, ERR_MEMORY, 0, "not enough memory");
}

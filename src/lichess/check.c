/* check.c - see check.h. */
#include "lichess/check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chess/notation.h"

typedef struct {
    const Check *check;
    bool         good; /* so far */
} Report;

__attribute__((format(printf, 4, 5))) static void tell(Report *report, const char *what, bool good, const char *format, ...)
{
    char    sentence[400];
    Buf     text = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    buf_append(&text, str_from(sentence));
    if (report->check->token) token_redact(report->check->token, &text);
    report->good = report->good && good;
    report->check->tell(report->check->context, what, good, text.failed ? "" : text.data);
    buf_release(&text);
}

/* ---- the engine ---- */

static void check_book(Report *report, Engine *engine)
{
    Err          err;
    SearchResult result;
    GoLimits     go  = {.nodes = 1000};
    Buf          own = {0};
    char         san[SAN_SIZE];
    engine_get_option(engine, STR("OwnBook"), &own);
    bool wanted = str_equal(buf_str(&own), STR("true"));
    buf_release(&own);
    if (!engine_set_position(engine, STR("startpos"), STR(""), &err) || !engine_think(engine, &go, &result, &err)) {
        tell(report, "engine", false, "%s", err.text);
        return;
    }
    move_to_san(engine_position(engine), result.best, san);
    tell(report, "engine", true, "ready; its first move is %s", san);
    if (!wanted) {
        tell(report, "book", true, "switched off");
    } else {
        tell(report, "book", result.depth == 0,
             result.depth == 0 ? "knows the start position" : "does not know the start position");
    }
}

static void check_engine(Report *report)
{
    const SearchListener deaf   = {0};
    const Config        *config = report->check->config;
    Err                  err;
    Engine              *engine = engine_new(&deaf, &err);
    bool                 tables = false;
    if (!engine || !engine_ready(engine, &err) || !config_set_engine(config, engine, &err) || !engine_ready(engine, &err)) {
        tell(report, "engine", false, "%s", err.text);
    } else {
        check_book(report, engine);
        for (size_t i = 0; i < config->engine_options; i++)
            tables = tables || str_equal_nocase(config->engine[i].name, STR("SyzygyPath"));
        tell(report, "tables", true, tables ? "found" : "none configured (engine.SyzygyPath)");
    }
    if (engine) engine_free(engine);
}

static void check_folder(Report *report)
{
    Str folder = report->check->config->pgn_folder;
    Buf path   = {0};
    buf_append(&path, folder);
    if (folder.len == 0) {
        tell(report, "games", true, "will not be kept (pgn_folder is empty)");
    } else if (!path.failed && access(path.data, W_OK | X_OK) != 0 && errno != ENOENT) {
        tell(report, "games", false, "cannot be kept in %s: %s", path.data, strerror(errno));
    } else {
        tell(report, "games", true, "will be kept in %.*s", STR_ARGS(folder));
    }
    buf_release(&path);
}

/* ---- the server ---- */

typedef struct {
    bool done;
    long status;
    bool timed_out, known;
    char error[256], said[200], scopes[200];
    bool has_scopes;
    char name[NAME_SIZE];
    bool bot;
} Answer;

static void on_answer(void *context, const HttpReply *reply)
{
    Answer        *answer = context;
    LichessAccount account;
    answer->done      = true;
    answer->status    = reply->status;
    answer->timed_out = reply->timed_out;
    snprintf(answer->error, sizeof answer->error, "%s", reply->error);
    lichess_error_text(reply->body, answer->said, sizeof answer->said);
    answer->has_scopes = reply->scopes.ptr != NULL;
    snprintf(answer->scopes, sizeof answer->scopes, "%.*s", STR_ARGS(reply->scopes));
    if (!lichess_account_parse(reply->body, &account, NULL)) return;
    answer->known = true;
    answer->bot   = account.bot;
    snprintf(answer->name, sizeof answer->name, "%.*s", STR_ARGS(account.name));
    lichess_account_release(&account);
}

/* A server may repeat the token in whatever it says. */
static void hide_token(const Token *token, char *text)
{
    Buf view = {.data = text, .len = strlen(text)};
    token_redact(token, &view);
}

static bool ask(const Config *config, const Token *token, bool post, const char *path, Answer *answer, Err *err)
{
    const HttpConfig  network = {.url                = config->url,
                                 .token              = token,
                                 .connect_timeout_ms = config->connect_timeout_ms,
                                 .request_timeout_ms = config->request_timeout_ms,
                                 .stream_idle_ms     = config->stream_idle_ms,
                                 .rate_limit_ms      = config->rate_limit_ms};
    const HttpRequest request = {.post = post, .path = path, .context = answer, .done = on_answer};
    Http             *http    = http_new(&network, err);
    *answer                   = (Answer){0};
    if (!http) return false;
    bool sent = http_send(http, &request) != 0 || err_set(err, ERR_MEMORY, 0, "out of memory");
    while (sent && !answer->done) http_run(http, 1000);
    http_free(http);
    hide_token(token, answer->said);
    hide_token(token, answer->error);
    hide_token(token, answer->scopes);
    hide_token(token, answer->name);
    return sent;
}

static void explain_server(Report *report, const Answer *answer)
{
    Str url = report->check->config->url;
    if (answer->status == 0 && answer->timed_out) {
        tell(report, "server", false, "%.*s does not answer in time (connect_timeout_ms, request_timeout_ms)", STR_ARGS(url));
    } else if (answer->status == 0) {
        tell(report, "server", false, "%.*s cannot be reached: %s", STR_ARGS(url), answer->error);
    } else if (answer->status == 401) {
        tell(report, "token", false,
             "the server does not accept it: it is wrong, expired or revoked. Make a new one with bot:play");
    } else if (answer->status == 429) {
        tell(report, "server", false, "too many requests from this address: wait a minute");
    } else if (answer->status >= 300 && answer->status < 400) {
        tell(report, "server", false,
             "%.*s only points elsewhere (status %ld), and nobody else is contacted: write the right url", STR_ARGS(url),
             answer->status);
    } else if (answer->status >= 500) {
        tell(report, "server", false, "%.*s is in trouble (status %ld): try again later", STR_ARGS(url), answer->status);
    } else {
        tell(report, "server", false, "%.*s does not speak as lichess does (status %ld%s%s): is the url right?", STR_ARGS(url),
             answer->status, answer->said[0] ? ", " : "", answer->said);
    }
}

static void check_account(Report *report)
{
    const Check *check = report->check;
    Answer       answer;
    Err          err;
    if (!check->token) {
        tell(report, "token", false, "%s", check->token_error);
        return;
    }
    if (!ask(check->config, check->token, false, "/api/account", &answer, &err)) {
        tell(report, "server", false, "%s", err.text);
        return;
    }
    if (answer.status != 200 || !answer.known) {
        explain_server(report, &answer);
        return;
    }
    tell(report, "server", true, "%.*s answers", STR_ARGS(check->config->url));
    bool may = !answer.has_scopes || str_find_nocase(str_from(answer.scopes), STR("bot:play")) < str_from(answer.scopes).len;
    tell(report, "token", may,
         may ? "accepted%s" : "accepted, but it has not the permission bot:play (only: %s): make one that has",
         may ? "" : answer.scopes);
    if (answer.bot) {
        tell(report, "account", true, "%s is a bot", answer.name);
    } else {
        tell(report, "account", false,
             "%s is not a bot: `tabia lichess upgrade` makes it one, for good, and only before its first game", answer.name);
    }
}

bool check_run(const Check *check)
{
    Report report = {check, true};
    check_engine(&report);
    check_folder(&report);
    check_account(&report);
    return report.good;
}

bool check_upgrade(const Config *config, const Token *token, bool *already, Err *err)
{
    Answer answer;
    if (!ask(config, token, false, "/api/account", &answer, err)) return false;
    if (answer.status != 200 || !answer.known)
        return err_set(err, ERR_IO, 0, "the account could not be read (status %ld%s%s): `tabia lichess check` tells more",
                       answer.status, answer.error[0] ? ", " : "", answer.error);
    *already = answer.bot;
    if (answer.bot) return true;
    if (!ask(config, token, true, "/api/bot/account/upgrade", &answer, err)) return false;
    return answer.status == 200 || err_set(err, ERR_IO, 0,
                                           "the server refuses (status %ld%s%s): an account that has played games "
                                           "cannot become a bot's",
                                           answer.status, answer.said[0] ? ": " : "", answer.said);
}

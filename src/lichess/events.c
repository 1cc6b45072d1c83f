/* events.c - see events.h: Jansson's values into ours. */
#include "lichess/events.h"

#include <jansson.h>
#include <stdio.h>

enum { ID_MAX = 24 };

/* ---- values of an object, each with what it is when missing ---- */

static Str text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) return STR("");
    return (Str){json_string_value(value), json_string_length(value)};
}

static int64_t number_of(const json_t *object, const char *key, int64_t missing)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_real(value)) { /* some servers write whole numbers with a point */
        double number = json_real_value(value);
        return number > -9e15 && number < 9e15 ? (int64_t)number : missing;
    }
    return json_is_integer(value) ? (int64_t)json_integer_value(value) : missing;
}

static bool flag_of(const json_t *object, const char *key) { return json_is_true(json_object_get(object, key)); }

static Str id_of(const json_t *object, const char *key)
{
    Str id = text_of(object, key);
    for (size_t i = 0; i < id.len; i++) {
        if (!char_is_digit(id.ptr[i]) && !char_is_lower(char_lower(id.ptr[i]))) return STR("");
    }
    return id.len <= ID_MAX ? id : STR("");
}

static LichessUser user_of(const json_t *object)
{
    LichessUser user = {.id     = text_of(object, "id"),
                        .name   = text_of(object, "name"),
                        .bot    = str_equal(text_of(object, "title"), STR("BOT")),
                        .rating = (int)number_of(object, "rating", 0)};
    if (user.name.len == 0) user.name = text_of(object, "username");
    if (user.name.len == 0) user.name = user.id;
    return user;
}

static Str variant_of(const json_t *object)
{
    const json_t *variant = json_object_get(object, "variant");
    return json_is_string(variant) ? text_of(object, "variant") : text_of(variant, "key");
}

/* ---- the kinds of events ---- */

static bool read_challenge(const json_t *root, LichessEvent *event, Err *err)
{
    const json_t     *object = json_object_get(root, "challenge"), *clock = json_object_get(object, "timeControl");
    LichessChallenge *c = &event->challenge;
    c->id               = id_of(object, "id");
    c->variant          = variant_of(object);
    c->speed            = text_of(object, "speed");
    c->rematch_of       = text_of(object, "rematchOf");
    c->decline_reason   = text_of(object, "declineReasonKey");
    c->challenger       = user_of(json_object_get(object, "challenger"));
    c->opponent         = user_of(json_object_get(object, "destUser"));
    c->rated            = flag_of(object, "rated");
    c->has_clock        = str_equal(text_of(clock, "type"), STR("clock"));
    c->base_s           = number_of(clock, "limit", 0);
    c->increment_s      = number_of(clock, "increment", 0);
    event->id           = c->id;
    return c->id.len || err_set(err, ERR_SYNTAX, 0, "a challenge without an identity");
}

static bool read_game_event(const json_t *root, LichessEvent *event, Err *err)
{
    const json_t *object = json_object_get(root, "game");
    event->id            = id_of(object, "gameId");
    if (event->id.len == 0) event->id = id_of(object, "id");
    return event->id.len || err_set(err, ERR_SYNTAX, 0, "a game without an identity");
}

static bool read_state(const json_t *object, LichessState *state, Err *err)
{
    static const char *const time[] = {"wtime", "btime"}, *const inc[] = {"winc", "binc"};
    static const char *const draw[] = {"wdraw", "bdraw"}, *const takeback[] = {"wtakeback", "btakeback"};
    if (!json_is_string(json_object_get(object, "moves")) || !json_is_string(json_object_get(object, "status")))
        return err_set(err, ERR_SYNTAX, 0, "a state without moves and status");
    Str winner    = text_of(object, "winner");
    state->moves  = text_of(object, "moves");
    state->status = text_of(object, "status");
    state->winner = str_equal(winner, STR("white")) ? WHITE : str_equal(winner, STR("black")) ? BLACK : -1;
    for (Color c = WHITE; c <= BLACK; c++) {
        state->time_ms[c]        = number_of(object, time[c], 0);
        state->inc_ms[c]         = number_of(object, inc[c], 0);
        state->draw_offered[c]   = flag_of(object, draw[c]);
        state->takeback_asked[c] = flag_of(object, takeback[c]);
    }
    return true;
}

static bool read_game_full(const json_t *root, LichessEvent *event, Err *err)
{
    LichessGame  *game   = &event->game;
    const json_t *clock  = json_object_get(root, "clock");
    game->id             = id_of(root, "id");
    game->variant        = variant_of(root);
    game->speed          = text_of(root, "speed");
    game->start_fen      = text_of(root, "initialFen");
    game->players[WHITE] = user_of(json_object_get(root, "white"));
    game->players[BLACK] = user_of(json_object_get(root, "black"));
    game->rated          = flag_of(root, "rated");
    game->has_clock      = json_is_object(clock);
    game->base_ms        = number_of(clock, "initial", 0);
    game->increment_ms   = number_of(clock, "increment", 0);
    event->id            = game->id;
    if (game->start_fen.len == 0) game->start_fen = STR("startpos");
    if (game->id.len == 0) return err_set(err, ERR_SYNTAX, 0, "a game without an identity");
    return read_state(json_object_get(root, "state"), &game->state, err);
}

static bool read_event(const json_t *root, LichessEvent *event, Err *err)
{
    static const struct {
        const char      *type;
        LichessEventKind kind;
    } kinds[] = {
        {"gameStart", LICHESS_GAME_START},
        {"gameFinish", LICHESS_GAME_FINISH},
        {"challenge", LICHESS_CHALLENGE},
        {"challengeCanceled", LICHESS_CHALLENGE_CANCELED},
        {"challengeDeclined", LICHESS_CHALLENGE_DECLINED},
        {"gameFull", LICHESS_GAME_FULL},
        {"gameState", LICHESS_GAME_STATE},
        {"chatLine", LICHESS_CHAT_LINE},
        {"opponentGone", LICHESS_OPPONENT_GONE},
    };
    event->type = text_of(root, "type");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (str_equal(event->type, str_from(kinds[i].type))) event->kind = kinds[i].kind;
    }
    switch (event->kind) {
    case LICHESS_GAME_START:
    case LICHESS_GAME_FINISH: return read_game_event(root, event, err);
    case LICHESS_CHALLENGE:
    case LICHESS_CHALLENGE_CANCELED:
    case LICHESS_CHALLENGE_DECLINED: return read_challenge(root, event, err);
    case LICHESS_GAME_FULL: return read_game_full(root, event, err);
    case LICHESS_GAME_STATE: return read_state(root, &event->game.state, err);
    case LICHESS_CHAT_LINE:
        event->chat_user = text_of(root, "username");
        event->chat_text = text_of(root, "text");
        return true;
    case LICHESS_OPPONENT_GONE:
        event->gone          = flag_of(root, "gone");
        event->claim_after_s = number_of(root, "claimWinInSeconds", -1);
        return true;
    case LICHESS_OTHER: break;
    }
    return true;
}

static json_t *parse_object(Str text, Err *err)
{
    json_error_t why;
    json_t      *root = json_loadb(text.ptr, text.len, 0, &why);
    if (json_is_object(root)) return root;
    err_set(err, ERR_SYNTAX, root ? 0 : (size_t)why.position, "%s", root ? "not a JSON object" : why.text);
    json_decref(root);
    return NULL;
}

bool lichess_event_parse(Str line, LichessEvent *out, Err *err)
{
    *out         = (LichessEvent){.claim_after_s = -1};
    json_t *root = parse_object(line, err);
    if (!root) return false;
    if (!read_event(root, out, err)) {
        json_decref(root);
        *out = (LichessEvent){0};
        return false;
    }
    out->root = root;
    return true;
}

void lichess_event_release(LichessEvent *event)
{
    json_decref(event->root);
    *event = (LichessEvent){0};
}

/* ---- answers ---- */

bool lichess_account_parse(Str text, LichessAccount *out, Err *err)
{
    static const char *const speeds[] = {"ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"};
    json_t                  *root     = parse_object(text, err);
    *out                              = (LichessAccount){0};
    if (!root) return false;
    LichessUser   user    = user_of(root);
    const json_t *ratings = json_object_get(root, "perfs");
    *out                  = (LichessAccount){.id = user.id, .name = user.name, .bot = user.bot, .root = root};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        out->ratings[i] = (int)number_of(json_object_get(ratings, speeds[i]), "rating", 0);
    if (out->id.len) return true;
    lichess_account_release(out);
    return err_set(err, ERR_SYNTAX, 0, "an account without an identity");
}

void lichess_account_release(LichessAccount *account)
{
    json_decref(account->root);
    *account = (LichessAccount){0};
}

static void one_line(char *out, size_t size, Str text)
{
    snprintf(out, size, "%.*s", STR_ARGS(text));
    for (char *c = out; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
    }
}

void lichess_error_text(Str body, char *out, size_t size)
{
    json_t       *root  = json_loadb(body.ptr, body.len, 0, NULL);
    const json_t *error = json_object_get(root, "error");
    char         *text  = json_is_object(error) ? json_dumps(error, JSON_COMPACT) : NULL;
    out[0]              = '\0';
    if (json_is_string(error)) one_line(out, size, text_of(root, "error"));
    if (text) one_line(out, size, str_from(text));
    free(text);
    json_decref(root);
}

bool lichess_challenge_id(Str body, char *out, size_t size)
{
    json_t       *root  = json_loadb(body.ptr, body.len, 0, NULL);
    const json_t *inner = json_object_get(root, "challenge");
    Str           id    = id_of(inner ? inner : root, "id");
    snprintf(out, size, "%.*s", STR_ARGS(id));
    json_decref(root);
    return out[0] != '\0';
}

bool lichess_status_is_over(Str status) { return !str_equal(status, STR("started")) && !str_equal(status, STR("created")); }

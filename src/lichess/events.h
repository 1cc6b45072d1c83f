/* events.h - what the server says, as structs: lines of JSON in, values out. Pure.
 *
 * Only what the bot needs is read. What is missing gets a harmless value; a line without what gives it a meaning (an identity, a
 * list of moves) is refused; a type nobody knows is LICHESS_OTHER. Identities are letters and digits: they become parts
 * of addresses.
 * Ownership: an event holds the parsed line, and its views live until lichess_event_release.
 * Threads: [any].
 */
#ifndef LICHESS_EVENTS_H
#define LICHESS_EVENTS_H

#include "base/err.h"
#include "base/str.h"
#include "chess/types.h"

typedef enum {
    LICHESS_OTHER, /* a type this client does not know: to be passed over */
    LICHESS_GAME_START,
    LICHESS_GAME_FINISH,
    LICHESS_CHALLENGE,
    LICHESS_CHALLENGE_CANCELED,
    LICHESS_CHALLENGE_DECLINED,
    LICHESS_GAME_FULL,
    LICHESS_GAME_STATE,
    LICHESS_CHAT_LINE,
    LICHESS_OPPONENT_GONE,
} LichessEventKind;

typedef struct {
    Str  id, name; /* empty: the server's own engine, or nobody */
    bool bot;
    int  rating; /* 0: none */
} LichessUser;

typedef struct {
    Str         id, variant, speed, rematch_of, decline_reason;
    LichessUser challenger, opponent;
    bool        rated, has_clock;
    int64_t     base_s, increment_s;
} LichessChallenge;

typedef struct {
    Str     moves, status; /* moves in UCI form with spaces between */
    int64_t time_ms[COLORS], inc_ms[COLORS];
    bool    draw_offered[COLORS], takeback_asked[COLORS];
    int     winner; /* a Color; -1: none */
} LichessState;

typedef struct {
    Str          id, variant, speed, start_fen; /* start_fen: "startpos" or a FEN */
    LichessUser  players[COLORS];
    bool         rated, has_clock;
    int64_t      base_ms, increment_ms;
    LichessState state;
} LichessGame;

typedef struct {
    LichessEventKind kind;
    Str              type;
    Str              id;        /* of the game or the challenge */
    LichessChallenge challenge; /* CHALLENGE, _CANCELED, _DECLINED */
    LichessGame      game;      /* GAME_FULL; of GAME_STATE only `state` */
    Str              chat_user, chat_text;
    bool             gone;          /* OPPONENT_GONE */
    int64_t          claim_after_s; /* -1: not told */
    void            *root;          /* the parsed line */
} LichessEvent;

/* Reads a line of either stream. False with *err for what is not JSON or lacks its meaning; nothing is held then. */
bool lichess_event_parse(Str line, LichessEvent *out, Err *err);
void lichess_event_release(LichessEvent *event);

/* Who the token belongs to (GET /api/account), and a bot that is online (a line of GET /api/bot/online). */
typedef struct {
    Str   id, name;
    bool  bot;
    int   ratings[6]; /* in the order of the speeds in config.h; 0: none */
    void *root;
} LichessAccount;

bool lichess_account_parse(Str text, LichessAccount *out, Err *err);
void lichess_account_release(LichessAccount *account);

/* The "error" of an answer (a text, or an object of texts) as one line for a person; empty when there is none. */
void lichess_error_text(Str body, char *out, size_t size);

/* The identity of a challenge just made (POST /api/challenge/NAME); false when the answer holds none. */
bool lichess_challenge_id(Str body, char *out, size_t size);

bool lichess_status_is_over(Str status); /* neither "created" nor "started" */

#endif

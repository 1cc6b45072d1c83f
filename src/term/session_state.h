/* session_state.h - the state of a session, shared by session.c (turns) and session_commands.c (what is typed). Private. */
#ifndef TERM_SESSION_STATE_H
#define TERM_SESSION_STATE_H

#include <pthread.h>

#include "base/rng.h"
#include "book/names.h"
#include "term/command.h"
#include "term/game_file.h"
#include "term/session.h"
#include "term/thinker.h"

typedef struct {
    SessionConfig   config;
    const TermIo   *io;
    pthread_mutex_t lock; /* of the output */
    Thinker        *thinker;
    Names          *names;
    Rng             rng;
    Game            game;
    GameClock       clocks[COLORS];
    int64_t         turn_ns; /* when the present turn began */
    Color           person;
    bool            flipped;
    bool            lines;
    bool            paused; /* MODE_WATCH: a person has interrupted */
    bool            quit;
    bool            stale;   /* the board on the screen is not the present one */
    bool            unsaved; /* moves were played since the last save */
    bool            save_failed;
    Result          result;     /* RESULT_UNKNOWN: the game goes on, unless `reason` is set */
    char            reason[64]; /* why it is over; empty: it is not */
    GameFile        file;
} Session;

static inline bool session_over(const Session *s) { return s->reason[0] != '\0'; }

/* Whether a person makes the next move. */
bool session_person_moves(const Session *s);

/* ---- talking ---- */

void session_say(Session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void session_say_ink(Session *s, Ink ink, const char *format, ...) __attribute__((format(printf, 3, 4))); /* a whole line */
void session_complain(Session *s, const Err *err); /* its sentence, as a line */
void session_write(Session *s, Str text);
void session_show(Session *s); /* board and panel */

/* Asks, and waits for the answer. */
TermEvent session_ask(Session *s, const char *prompt, int64_t deadline_ns, Str *line);

/* ---- the game ---- */

void        session_play(Session *s, Move move);
void        session_end(Session *s, Result result, const char *reason);
void        session_restart(Session *s, const Position *start); /* a new game from there; the old one is saved */
void        session_adopt(Session *s, Game *game);              /* goes on with this game, which is taken over */
bool        session_save(Session *s, const char *path, Err *err);
void        session_save_quietly(Session *s); /* before the game goes away; says where it is */
void        session_write_pgn(Session *s, Buf *out);
const char *session_name(const Session *s, Color side, char *out, size_t size);

/* Lets the engine think about the present position at full strength, for a hint or an evaluation. False: interrupted or failed,
 * and said so. */
bool session_consult(Session *s, bool lines, SearchResult *out);

/* Makes the engine's move, or a random one. */
void session_machine_move(Session *s, bool random);

/* ---- what is typed ---- */

void session_do(Session *s, Str line);

#endif

/* session.h - a game at the terminal, from the first board to the last word.
 *
 * One loop: show the board, then a turn. A person's turn is a line of input: a move or a command; a machine's turn is a search or
 * a random move. The game survives whatever is typed: only `new`, `load` and `fen` replace it, and they save it first.
 * Threads: [owner] one; the engine's thread writes lines of thought under the session's lock.
 */
#ifndef TERM_SESSION_H
#define TERM_SESSION_H

#include "base/err.h"
#include "chess/position.h"
#include "player/timecontrol.h"
#include "term/board_view.h"
#include "term/io.h"

typedef enum {
    MODE_ENGINE, /* a person against the engine */
    MODE_RANDOM, /* a person against a random mover */
    MODE_MANUAL, /* both sides by hand */
    MODE_WATCH,  /* the engine against itself */
} SessionMode;

typedef struct {
    SessionMode mode;
    Color       person; /* the side a person plays, in MODE_ENGINE and MODE_RANDOM */
    const char *person_name;
    Position    start;
    int         skill; /* Skill Level of the engine */
    TimeControl time;  /* a clock for both sides, or limits for every move of the engine */
    bool        lines; /* show what the engine thinks */
    bool        book;  /* the engine may open from its book */
    int         threads, hash_mb;
    uint64_t    seed;      /* of random moves, and of the engine's choices; 0: as it comes */
    const char *save_path; /* where games are saved without being asked, and by `save` without a name; NULL: nowhere */
    const char *date;      /* of today, for saved games: "2024.05.17" */
    size_t      width;     /* columns of the terminal */
    TermStyle   style;
} SessionConfig;

/* Plays until the person leaves or the input ends. False with *err only when it cannot begin; what happens later is told on the
 * output. *saved tells whether everything could be saved. */
bool session_run(const SessionConfig *config, const TermIo *io, bool *saved, Err *err);

#endif

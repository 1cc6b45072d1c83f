/* player.h - whoever makes moves, behind one interface: our engine in this process, a foreign one in its own, a random mover.
 *
 * A player is a state machine: OFF (nothing runs) -> IDLE (ready for a position) -> THINKING -> IDLE. Every wait has a deadline.
 * Whatever goes wrong is an answer, not an error: the status says who is to blame and how, a sentence says what was seen,
 * and the player is OFF again, so that the next game starts it afresh. No player can take its owner down or hold it up.
 * The player knows the rules only to read moves; clocks and results are the business of whoever runs the game.
 * Threads: [owner] the one thread that plays with it; [any] at any time.
 */
#ifndef PLAYER_PLAYER_H
#define PLAYER_PLAYER_H

#include "base/err.h"
#include "eval/score.h"
#include "game/game.h"
#include "player/spec.h"
#include "player/timecontrol.h"

typedef struct Player Player;

typedef enum { PLAYER_OFF, PLAYER_IDLE, PLAYER_THINKING } PlayerState;

typedef enum {
    PLAYER_FINE,
    PLAYER_INTERRUPTED, /* player_interrupt was called: nobody is to blame */
    PLAYER_CRASHED,     /* it ended, or closed its output, when nobody had asked it to */
    PLAYER_STALLED,     /* it lives but does not answer, not even to `stop` */
    PLAYER_ILLEGAL,     /* what it answered is no legal move */
    PLAYER_UNUSABLE,    /* it cannot be started as described: a missing file, an option it does not have */
} PlayerStatus;

/* How long to wait for things that are not on anybody's clock. */
typedef struct {
    int64_t start_ms; /* for `uciok`: programs load networks */
    int64_t ready_ms; /* for `readyok`: tables are cleared */
    int64_t think_ms; /* for a move when neither a clock nor a fixed time limits it */
    int64_t stop_ms;  /* for a move after `stop` */
    int64_t quit_ms;  /* to leave after `quit` */
} PlayerPatience;

PlayerPatience player_default_patience(void);

/* Which game comes next. `seed` makes random players play the same game again; other players need no seed. */
typedef struct {
    bool     chess960; /* castling is written king-takes-rook */
    uint64_t seed;
} PlayerGame;

/* The first moves of the best lines (MultiPV), best first. Whoever wants them sets `wanted` and nothing else; afterwards `count`
 * is `wanted`, or 0 when the player never showed so many lines of one depth. */
enum { PLAYER_LINES_MAX = 32 };
typedef struct {
    int  wanted;
    int  count;
    Move moves[PLAYER_LINES_MAX];
    int  depth, fresh_count; /* of the lines that are coming in; they replace the others once all are there */
    Move fresh[PLAYER_LINES_MAX];
} PlayerLines;

/* What a move may cost: both clocks (own limits also hold), and when to say `stop`. */
typedef struct {
    const GameClock *clocks[COLORS];
    int64_t          limit_ns; /* after so long it is told to stop; INT64_MAX: PlayerPatience.think_ms decides */
    PlayerLines     *lines;    /* NULL: only the move matters */
} PlayerGo;

typedef struct {
    PlayerStatus status;
    Move         move;
    int64_t      elapsed_ns; /* from the order to think to the answer, also when the answer was illegal or late */
    bool         has_score;
    Score        score;               /* as score.h: from the side that moved */
    int          depth;               /* 0: not told */
    uint64_t     nodes;               /* 0: not told */
    char         text[ERR_TEXT_SIZE]; /* what was seen, when the status is not FINE */
} PlayerAnswer;

/* Nothing is started yet. `spec` is borrowed and must outlive the player. NULL and *err when memory or descriptors are short. */
Player *player_new(const PlayerSpec *spec, const PlayerPatience *patience, Err *err);
void    player_free(Player *player); /* [owner] ends what runs, politely first; NULL is fine */

/* [owner] Starts what has to be started and makes it ready for a new game. On failure `*answer` has status and text. */
bool player_begin_game(Player *player, const PlayerGame *game, PlayerAnswer *answer);

/* [owner] A move for the side to move in `game`, which must have one. Blocks until there is an answer of some kind. */
bool player_think(Player *player, const Game *game, const PlayerGo *go, PlayerAnswer *answer);

/* [owner] Ends what runs; the next game starts it again. For engines that have a long pause. */
void player_rest(Player *player);

/* [any] Whatever the player waits for, now or later, ends with PLAYER_INTERRUPTED. There is no way back. */
void player_interrupt(Player *player);

PlayerState player_state(const Player *player); /* [owner] */

const char *player_status_text(PlayerStatus status);

#endif

/* game.h - a game: where it began, the moves played, and whether it is over.
 *
 * Holds every position's key, so repetition is decided by the whole game. Grows without limit.
 * Threads: a Game belongs to one thread at a time.
 */
#ifndef GAME_GAME_H
#define GAME_GAME_H

#include "base/err.h"
#include "chess/position.h"

typedef enum { RESULT_UNKNOWN, RESULT_WHITE_WINS, RESULT_BLACK_WINS, RESULT_DRAW } Result;

/* Why a game is over by the rules. Claimable ends (threefold, fifty moves) are told apart from automatic ones. */
typedef enum {
    END_NONE,
    END_CHECKMATE,
    END_STALEMATE,
    END_INSUFFICIENT_MATERIAL,
    END_SEVENTY_FIVE_MOVES,
    END_FIVEFOLD_REPETITION,
    END_FIFTY_MOVES,          /* may be claimed */
    END_THREEFOLD_REPETITION, /* may be claimed */
} GameEnd;

typedef struct {
    Position start;
    Position now;
    Move    *moves; /* `plies` of them */
    Key     *keys;  /* plies + 1: of every position from `start` to `now` */
    size_t   plies;
    size_t   cap;
} Game;

/* Begins with `start`. False only when memory is short. */
bool game_init(Game *game, const Position *start);
void game_release(Game *game);

/* Back to another start, memory kept. */
void game_reset(Game *game, const Position *start);

/* Plays a legal move. False only when memory is short (the game is then unchanged). */
bool game_play(Game *game, Move move);

/* Takes the last move back by replaying from the start; nothing happens at the start. */
void game_undo(Game *game);

/* How often the present position has occurred, this time included: 1, 2, 3... */
int game_repetitions(const Game *game);

/* Whether the game is over, and how. Mate on the hundredth half-move is mate. */
GameEnd game_end(const Game *game);
bool    game_end_is_automatic(GameEnd end); /* false for END_NONE and for what must be claimed */
Result  game_result(const Game *game, GameEnd end);

/* "1-0", "0-1", "1/2-1/2", "*"; "checkmate", "stalemate"... */
const char *result_text(Result result);
const char *game_end_text(GameEnd end);

/* FIDE's dead positions as far as the material shows them: no sequence of legal moves can mate. */
bool position_is_dead(const Position *pos);

#endif

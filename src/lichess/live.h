/* live.h - one game that the bot plays: its stream, its engine, its requests, its timers.
 *
 * The stream tells states; a turn starts the engine; the engine's move is sent. A request whose fate is unknown (no answer, a
 * server error) is never simply repeated: the stream is opened afresh, its first line says what the server knows, and only when
 * the turn is still ours the same move goes out again.
 * Invariants: what is thought about and what waits to be sent belong to the position on the board. When another position comes,
 * the request for the old one is forgotten: if it still waits it is not sent, and whatever answer it gets says nothing any more.
 * Threads: the loop's only.
 */
#ifndef LICHESS_LIVE_H
#define LICHESS_LIVE_H

#include "lichess/host.h"
#include "lichess/thinker.h"
#include "lichess/track.h"

/* Something to be asked of the server until it says yes or the game is over: resign, abort, claim the win. */
typedef struct {
    bool    wanted;
    HttpId  request;
    int64_t at_ms; /* not before */
    int     failures;
} Intent;

typedef struct {
    char name[NAME_SIZE];
    int  rating;
    bool bot;
} LivePlayer;

typedef struct Live {
    struct Live *next;
    Host        *host;
    Thinker     *thinker;
    char         id[ID_SIZE];
    Track        track;
    bool         finished; /* nothing more will come of it: the owner takes it away */

    HttpId  stream;
    bool    fresh;        /* the stream's first line has not come */
    bool    state_first;  /* a state came before the first line */
    bool    overtaken;    /* a move was sent or taken since the stream was opened: its first line may be older than that */
    int64_t reopen_at_ms; /* while `stream` is 0 */
    int     failures;     /* in a row, of the stream and of moves */
    int     nonsense;     /* first lines in a row that could not be understood */
    int64_t heard_ms;     /* last sign of life of any stream of this game */

    bool        thinking, pondering;
    size_t      thought_ply; /* the position that is thought or pondered about: its ply */
    Key         thought_key; /* and its key */
    Move        ponder_move;
    HttpId      move_request;  /* of the move that is decided for the position on the board */
    bool        move_taken;    /* the server said yes to this turn's move */
    int64_t     move_taken_ms; /* when; a stream that does not show the move soon is opened afresh */
    int64_t     spent_ms;      /* ours: from the news of the turn to sending */
    int         sendings;      /* of this turn's move */
    PolicyTrend trend;
    Overhead    overhead;

    Intent  resign, abort, claim;
    bool    draw_answered, takeback_answered; /* in this position */
    int     takebacks;
    bool    greeted;
    int64_t start_ms;
    int64_t claim_at_ms; /* 0: the opponent is there */

    LivePlayer players[COLORS];
    char       variant[24], speed[24], status[32];
    bool       rated;
    int64_t    base_ms, increment_ms;
    int        winner;
    bool       saved;
} Live;

/* Begins to follow a game. The thinker is the game's until live_free and the caller's again then. NULL when memory is short. */
Live *live_new(Host *host, Thinker *thinker, Str id);
void  live_free(Live *live);

void    live_tick(Live *live, int64_t now_ms);          /* after every round of the loop */
int64_t live_next_ms(const Live *live, int64_t now_ms); /* how long nothing but news can happen */
void    live_leave(Live *live);                         /* resigns, or aborts a game that has hardly begun */
void    live_resync(Live *live);                        /* asks the server how things stand */

/* How a game went, as PGN; false when memory is short. */
bool live_write_pgn(const Live *live, Buf *out);

/* Adds the PGN to the file of its month under the configured folder. */
bool live_save(Live *live, Err *err);

#endif

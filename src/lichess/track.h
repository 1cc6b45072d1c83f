/* track.h - one game as the server tells it: moves, clocks, whose turn, and the one move that was decided for this turn.
 *
 * Events may come twice, late, in another order, or after a gap. Invariants that hold all the same:
 *  - the first state of a fresh stream is the truth and replaces everything; a later one that is shorter than what is known
 *    (and no takeback was granted) is old news and changes nothing;
 *  - for a turn (a ply and its position) at most one move is ever decided, and only that one may be sent, however often.
 * Pure but for memory. Threads: one at a time.
 */
#ifndef LICHESS_TRACK_H
#define LICHESS_TRACK_H

#include "game/game.h"
#include "lichess/events.h"

typedef struct {
    bool    known; /* a whole description has come */
    bool    over;
    Game    game;
    Color   us;
    bool    has_clock;
    int64_t time_ms[COLORS], inc_ms[COLORS];
    int64_t turn_since_ms; /* when this ply was first seen (clock_now_ms) */
    int64_t turn_time_ms;  /* our clock then */
    bool    may_shrink;    /* a takeback was granted: the next state may hold fewer moves */
    bool    decided;       /* this turn's move is: */
    size_t  decided_ply;
    Key     decided_key;
    Move    decided_move;
} Track;

typedef enum {
    TRACK_BROKEN,  /* the text makes no game: nothing was changed; *err says why */
    TRACK_OLD,     /* news of the past: nothing was changed */
    TRACK_SAME,    /* the position is the same; clocks and offers may not be */
    TRACK_CHANGED, /* another position */
} TrackNews;

bool track_init(Track *track); /* false when memory is short */
void track_release(Track *track);

/* A whole description. `self` is our identity; `truth`: the first line of a fresh stream. `gap_ms`: for how long nothing was
 * heard before; our clock may have run for so long. */
TrackNews track_full(Track *track, const LichessGame *game, Str self, bool truth, int64_t now_ms, int64_t gap_ms, Err *err);

/* A state of the same game. */
TrackNews track_state(Track *track, const LichessState *state, int64_t now_ms, Err *err);

bool    track_our_turn(const Track *track);                  /* and the game is not over */
int64_t track_time_left(const Track *track, int64_t now_ms); /* on our clock now, by the server's word and by our own watch */
void    track_decide(Track *track, Move move);               /* for the present turn; must be ours and undecided */
bool    track_is_decided(const Track *track);                /* the present turn has its move */

#endif

/* play.h - plays one game: asks the two players for moves in turn, keeps the clocks, applies the rules, and never trusts anybody.
 *
 * Our own rules decide legality and every end; threefold repetition, the fifty-move rule and dead positions end a game at once.
 * A clock runs from the order to think to the answer, for every kind of player alike. A late answer loses on time whatever
 * it says: an engine that panics when its flag falls is not blamed for the move.
 * Threads: [any] with its own players and record.
 */
#ifndef ARENA_PLAY_H
#define ARENA_PLAY_H

#include "arena/adjudicate.h"
#include "arena/record.h"
#include "player/player.h"

typedef struct {
    Player                  *players[COLORS];
    const TimeControl       *limits[COLORS];
    int64_t                  margin_ms; /* lateness that is forgiven; -1: 10 with a clock, 100 with a fixed time a move */
    const AdjudicationRules *rules;
    bool                     chess960;
    uint64_t                 seed;
} PlaySetup;

typedef enum { PLAY_FINISHED, PLAY_INTERRUPTED, PLAY_NO_MEMORY } PlayStatus;

/* Goes on from `record->game`, which holds the opening. Blocks until the game is over. The record is whole only when FINISHED. */
PlayStatus play_game(const PlaySetup *setup, GameRecord *record);

#endif

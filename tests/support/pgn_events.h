/* pgn_events.h - what a PGN reader told, as one line of words a game, so that a test can write down what it expects.
 *
 *   G [White=Tal] S e4 $1 {a comment} ( d4 ) e5 =1-0
 *
 * G begins a game, [ ] are tags, S the start of the moves (S:FEN unless it is the usual one, S960 in Chess960), "=" gives the
 * result, and "!3:7 sentence!" is an error at line 3, column 7.
 */
#ifndef TESTS_SUPPORT_PGN_EVENTS_H
#define TESTS_SUPPORT_PGN_EVENTS_H

#include "game/pgn.h"

typedef struct {
    Buf       text;
    bool      whole_games_only; /* broken games leave no trace */
    bool      sort_tags;        /* the writer may change their order */
    size_t    game_start;
    bool      broken;
    Buf       tags; /* of the game being read, each ended by a line end */
    PgnCounts counts;
} PgnEvents;

void       pgn_events_release(PgnEvents *events);
PgnVisitor pgn_events_visitor(PgnEvents *events);

/* Reads `text` in pieces of `piece` bytes (0: all at once) and appends what was told. Fails the test when reading fails. */
void pgn_events_read(PgnEvents *events, Str text, size_t piece);

/* What reading `text` at once tells. */
void assert_pgn_events(const char *text, const char *expected);

#endif

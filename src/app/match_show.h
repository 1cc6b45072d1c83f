/* match_show.h - how `tabia match` looks: a table that redraws itself on a terminal, a line a game elsewhere, JSON on request. */
#ifndef APP_MATCH_SHOW_H
#define APP_MATCH_SHOW_H

#include <stdio.h>

#include "arena/arena.h"

typedef struct {
    const ArenaConfig *config;
    FILE              *stream;
    bool               terminal;   /* redraw in place */
    bool               json;       /* one object at the end */
    bool               json_lines; /* and one a game */
    int64_t            start_ns;
    int64_t            drawn_ns;
    uint64_t           games_before; /* finished by an earlier run */
    int                drawn_lines;  /* of the table that stands on the terminal now */
} MatchShow;

void match_show_start(MatchShow *show, const ArenaConfig *config, const Standings *standings);
void match_show_game(void *show, const GameRecord *record, const Standings *standings); /* an ArenaGameFn */
void match_show_end(MatchShow *show, const Standings *standings, ArenaOutcome outcome);

#endif

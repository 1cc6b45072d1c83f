/* players.h - who plays, as a request says it: two sides and their time. Internal to `web`. */
#ifndef WEB_PLAYERS_H
#define WEB_PLAYERS_H

#include "web/request.h"

typedef struct {
    bool    given[COLORS];
    Side    sides[COLORS];
    Str     names[COLORS]; /* empty: the usual one */
    bool    has_time;      /* "time" was given and is not null */
    bool    time_given;
    int64_t base_ms, increment_ms;
} Players;

void players_reset(Players *players); /* nothing given: two people without a clock */

/* Reads "white", "black" and "time" of the body. False: the request is answered. */
bool players_read(Request *r, Players *players);

/* Gives a game its players; sides and time that were not given stay as they are. */
void players_apply(const Players *players, Session *s);

#endif

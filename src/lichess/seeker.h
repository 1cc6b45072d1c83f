/* seeker.h - finding opponents: asks which bots are online and challenges one of them, now and then, within limits.
 *
 * Threads: the loop's only.
 */
#ifndef LICHESS_SEEKER_H
#define LICHESS_SEEKER_H

#include "lichess/host.h"

enum { SEEKER_REFUSED_MAX = 256, SEEKER_DAY_MAX = 1000 };

typedef struct {
    Host   *host;
    int64_t next_ms;
    HttpId  request;
    /* the one chosen among those seen in the present list */
    char     chosen[NAME_SIZE];
    uint64_t seen;
    char     challenge[ID_SIZE]; /* that waits for an answer; empty: none */
    int64_t  expires_ms;
    /* who said no: not asked again */
    char   refused[SEEKER_REFUSED_MAX][NAME_SIZE];
    size_t refusals;
    /* when the last challenges were made, oldest overwritten */
    int64_t made_ms[SEEKER_DAY_MAX];
    size_t  made;
} Seeker;

void    seeker_init(Seeker *seeker, Host *host);
void    seeker_tick(Seeker *seeker, bool idle, int64_t now_ms); /* `idle`: there is room for a game */
int64_t seeker_next_ms(const Seeker *seeker, bool idle, int64_t now_ms);
bool    seeker_waits(const Seeker *seeker); /* a challenge of ours may become a game */

/* News of a challenge or a game with this identity: ours is settled. `declined`: its opponent is not asked again. */
void seeker_settled(Seeker *seeker, Str id, bool declined);

#endif

/* player_kinds.h - what a kind of player has to provide. Private to src/player: the rest sees player.h. */
#ifndef PLAYER_PLAYER_KINDS_H
#define PLAYER_PLAYER_KINDS_H

#include <stdatomic.h>

#include "player/player.h"

/* Each function is called by player.c, which keeps `state`: `begin_game` in any state but THINKING, `think` only when IDLE.
 * They return false after filling status and text; player.c then calls `rest`. */
typedef struct {
    bool (*begin_game)(Player *player, const PlayerGame *game, PlayerAnswer *answer);
    bool (*think)(Player *player, const Game *game, const PlayerGo *go, PlayerAnswer *answer);
    void (*rest)(Player *player);      /* ends what runs; nothing to do is fine */
    void (*interrupt)(Player *player); /* [any]; `interrupted` is set already */
    void (*free)(Player *player);      /* after `rest`: frees the whole value */
} PlayerMethods;

/* The first member of every kind's own struct. */
struct Player {
    const PlayerMethods *methods;
    const PlayerSpec    *spec;
    PlayerPatience       patience;
    PlayerState          state;
    atomic_bool          interrupted;
};

/* NULL and *err when memory or descriptors are short. */
Player *player_new_random(Err *err);
Player *player_new_uci(Err *err);
Player *player_new_tabia(Err *err);

/* A line was shown: its number from 1, its depth, its first move. */
void player_lines_note(PlayerLines *lines, int64_t number, int64_t depth, Move move);

/* Fills status and text, returns false. */
bool player_fail(PlayerAnswer *answer, PlayerStatus status, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif

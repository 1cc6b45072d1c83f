/* player_random.c - a player that picks uniformly among the legal moves: the zero of every strength scale.
 *
 * Its moves are a function of the game's seed alone, so a match of random movers can be replayed and resumed.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "player/player_kinds.h"

typedef struct {
    Player base;
    Rng    rng;
} RandomPlayer;

static bool random_begin_game(Player *player, const PlayerGame *game, PlayerAnswer *answer)
{
    RandomPlayer *self = (RandomPlayer *)player;
    (void)answer;
    Rng own   = rng_seeded(player->spec->seed);
    self->rng = rng_seeded(rng_next(&own) ^ game->seed);
    return true;
}

static bool random_think(Player *player, const Game *game, const PlayerGo *go, PlayerAnswer *answer)
{
    RandomPlayer *self  = (RandomPlayer *)player;
    int64_t       start = clock_now_ns();
    MoveList      list;
    (void)go;
    movegen_legal(&game->now, &list);
    if (list.count == 0) return player_fail(answer, PLAYER_ILLEGAL, "there is no legal move");
    answer->move       = list.moves[rng_below(&self->rng, (uint64_t)list.count)];
    answer->elapsed_ns = clock_now_ns() - start;
    return true;
}

static void random_nothing(Player *player) { (void)player; }

static void random_free(Player *player) { free(player); }

static const PlayerMethods random_methods = {random_begin_game, random_think, random_nothing, random_nothing, random_free};

Player *player_new_random(Err *err)
{
    RandomPlayer *self = calloc(1, sizeof *self);
    if (!self) {
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    self->base.methods = &random_methods;
    return &self->base;
}

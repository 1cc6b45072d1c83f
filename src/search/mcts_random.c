/* mcts_random.c - see mcts_random.h. */
#include "search/mcts_random.h"

#include <string.h>

#include "chess/movegen.h"
#include "game/game.h"

enum { FIFTY_MOVES = 100, KEYS_MAX = 2 * FIFTY_MOVES };

/* A game on its way. Keys are kept from the last irreversible move on: older positions cannot come back. */
typedef struct {
    Position positions[2]; /* the present one, and room for the next */
    int      now;
    int      key_count;
    Key      keys[KEYS_MAX];
} RandomGame;

static void begin_game(RandomGame *game, const Position *start, const Key *history, size_t history_count)
{
    size_t reach       = start->halfmove < FIFTY_MOVES ? start->halfmove : FIFTY_MOVES;
    size_t kept        = history_count < reach ? history_count : reach;
    game->positions[0] = *start;
    game->now          = 0;
    game->key_count    = (int)kept;
    if (kept) memcpy(game->keys, history + history_count - kept, kept * sizeof *history);
}

static bool is_third_time(const RandomGame *game, const Position *pos)
{
    int found = 0;
    for (int i = game->key_count - 4; i >= 0; i -= 2) found += game->keys[i] == pos->key;
    return found >= 2;
}

/* Draws that do not need the moves of the position. Material changes only with the moves that reset the counter. */
static bool is_drawn(const RandomGame *game, const Position *pos)
{
    return pos->halfmove == 0 ? position_is_dead(pos) : is_third_time(game, pos);
}

RandomOutcome mcts_random_game(const Position *start, const Key *history, size_t history_count, Rng *rng, uint64_t *plies)
{
    RandomGame game;
    begin_game(&game, start, history, history_count);
    if (position_is_dead(start)) return RANDOM_DRAW;
    for (uint64_t ply = 0;; ply++) {
        const Position *pos  = &game.positions[game.now];
        KingState       king = movegen_king_state(pos);
        Move            move = is_drawn(&game, pos) ? MOVE_NONE : movegen_pick(pos, &king, rng);
        bool            mate = move == MOVE_NONE && king.checkers && !movegen_has_legal_move(pos);
        if (move == MOVE_NONE || pos->halfmove >= FIFTY_MOVES) {
            if (plies) *plies += ply;
            return !mate ? RANDOM_DRAW : pos->side == start->side ? RANDOM_LOSS : RANDOM_WIN;
        }
        Position *next              = &game.positions[!game.now];
        game.keys[game.key_count++] = pos->key;
        position_play(pos, move, next);
        if (next->halfmove == 0) game.key_count = 0;
        game.now = !game.now;
    }
}

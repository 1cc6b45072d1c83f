/* game.c - see game.h. */
#include "game/game.h"

#include <stdlib.h>

#include "chess/movegen.h"

static bool reserve(Game *game, size_t plies)
{
    if (plies < game->cap) return true;
    size_t cap   = game->cap ? game->cap * 2 : 256;
    Move  *moves = realloc(game->moves, cap * sizeof *moves);
    if (moves) game->moves = moves;
    Key *keys = realloc(game->keys, (cap + 1) * sizeof *keys);
    if (keys) game->keys = keys;
    if (!moves || !keys) return false;
    game->cap = cap;
    return true;
}

bool game_init(Game *game, const Position *start)
{
    *game = (Game){0};
    if (!reserve(game, 1)) {
        game_release(game);
        return false;
    }
    game_reset(game, start);
    return true;
}

void game_release(Game *game)
{
    free(game->moves);
    free(game->keys);
    *game = (Game){0};
}

void game_reset(Game *game, const Position *start)
{
    game->start = game->now = *start;
    game->plies             = 0;
    game->keys[0]           = start->key;
}

bool game_play(Game *game, Move move)
{
    if (!reserve(game, game->plies + 1)) return false;
    Position before = game->now;
    position_play(&before, move, &game->now);
    game->moves[game->plies++] = move;
    game->keys[game->plies]    = game->now.key;
    return true;
}

void game_undo(Game *game)
{
    if (game->plies == 0) return;
    size_t plies = game->plies - 1;
    game->now    = game->start;
    for (size_t i = 0; i < plies; i++) {
        Position before = game->now;
        position_play(&before, game->moves[i], &game->now);
    }
    game->plies = plies;
}

/* Only positions since the last capture or pawn move can repeat, and only every second one has the same side to move. */
int game_repetitions(const Game *game)
{
    size_t reach = game->now.halfmove < game->plies ? game->now.halfmove : game->plies;
    int    count = 1;
    for (size_t back = 2; back <= reach; back += 2) {
        if (game->keys[game->plies - back] == game->now.key) count++;
    }
    return count;
}

bool position_is_dead(const Position *pos)
{
    Bitboard others = pos->types[PAWN] | pos->types[ROOK] | pos->types[QUEEN];
    if (others) return false;
    Bitboard minors = pos->types[KNIGHT] | pos->types[BISHOP];
    if (!bb_more_than_one(minors)) return true;
    if (pos->types[KNIGHT]) return false;
    return !(minors & BB_LIGHT) || !(minors & BB_DARK); /* bishops that all walk on one colour */
}

GameEnd game_end(const Game *game)
{
    const Position *pos = &game->now;
    if (!movegen_has_legal_move(pos)) return position_in_check(pos) ? END_CHECKMATE : END_STALEMATE;
    if (position_is_dead(pos)) return END_INSUFFICIENT_MATERIAL;
    if (pos->halfmove >= 150) return END_SEVENTY_FIVE_MOVES;
    int repetitions = game_repetitions(game);
    if (repetitions >= 5) return END_FIVEFOLD_REPETITION;
    if (pos->halfmove >= 100) return END_FIFTY_MOVES;
    return repetitions >= 3 ? END_THREEFOLD_REPETITION : END_NONE;
}

bool game_end_is_automatic(GameEnd end) { return end != END_NONE && end != END_FIFTY_MOVES && end != END_THREEFOLD_REPETITION; }

Result game_result(const Game *game, GameEnd end)
{
    if (end == END_NONE) return RESULT_UNKNOWN;
    if (end != END_CHECKMATE) return RESULT_DRAW;
    return game->now.side == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS;
}

const char *result_text(Result result)
{
    switch (result) {
    case RESULT_WHITE_WINS: return "1-0";
    case RESULT_BLACK_WINS: return "0-1";
    case RESULT_DRAW: return "1/2-1/2";
    case RESULT_UNKNOWN: break;
    }
    return "*";
}

const char *game_end_text(GameEnd end)
{
    switch (end) {
    case END_CHECKMATE: return "checkmate";
    case END_STALEMATE: return "stalemate";
    case END_INSUFFICIENT_MATERIAL: return "insufficient material";
    case END_SEVENTY_FIVE_MOVES: return "seventy-five moves without capture or pawn move";
    case END_FIVEFOLD_REPETITION: return "fivefold repetition";
    case END_FIFTY_MOVES: return "fifty moves without capture or pawn move";
    case END_THREEFOLD_REPETITION: return "threefold repetition";
    case END_NONE: break;
    }
    return "the game goes on";
}

/* player.c - see player.h: the state machine that all kinds share. */
#include "player/player.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "player/player_kinds.h"

PlayerPatience player_default_patience(void)
{
    return (PlayerPatience){.start_ms = 20000, .ready_ms = 20000, .think_ms = 60000, .stop_ms = 2000, .quit_ms = 1000};
}

bool player_fail(PlayerAnswer *answer, PlayerStatus status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(answer->text, sizeof answer->text, format, args);
    va_end(args);
    answer->status = status;
    return false;
}

/* The lines of a depth come in order; a set with a gap, a stray depth or a move twice is never whole. */
void player_lines_note(PlayerLines *lines, int64_t number, int64_t depth, Move move)
{
    if (number == 1) {
        lines->depth       = (int)depth;
        lines->fresh_count = 0;
    }
    if (number != lines->fresh_count + 1 || depth != lines->depth || number > lines->wanted) return;
    for (int i = 0; i < lines->fresh_count; i++) {
        if (lines->fresh[i] == move) return;
    }
    lines->fresh[lines->fresh_count++] = move;
    if (lines->fresh_count < lines->wanted) return;
    memcpy(lines->moves, lines->fresh, (size_t)lines->wanted * sizeof *lines->moves);
    lines->count = lines->wanted;
}

Player *player_new(const PlayerSpec *spec, const PlayerPatience *patience, Err *err)
{
    Player *player = NULL;
    switch (spec->kind) {
    case PLAYER_TABIA: player = player_new_tabia(err); break;
    case PLAYER_UCI: player = player_new_uci(err); break;
    case PLAYER_RANDOM: player = player_new_random(err); break;
    }
    if (!player) return NULL;
    player->spec     = spec;
    player->patience = *patience;
    player->state    = PLAYER_OFF;
    return player;
}

void player_free(Player *player)
{
    if (!player) return;
    player->methods->rest(player);
    player->methods->free(player);
}

void player_rest(Player *player)
{
    player->methods->rest(player);
    player->state = PLAYER_OFF;
}

bool player_begin_game(Player *player, const PlayerGame *game, PlayerAnswer *answer)
{
    *answer = (PlayerAnswer){.status = PLAYER_FINE};
    if (player->interrupted) return player_fail(answer, PLAYER_INTERRUPTED, "interrupted");
    if (!player->methods->begin_game(player, game, answer)) {
        player_rest(player);
        return false;
    }
    player->state = PLAYER_IDLE;
    return true;
}

bool player_think(Player *player, const Game *game, const PlayerGo *go, PlayerAnswer *answer)
{
    *answer = (PlayerAnswer){.status = PLAYER_FINE};
    if (player->interrupted) return player_fail(answer, PLAYER_INTERRUPTED, "interrupted");
    if (player->state != PLAYER_IDLE) return player_fail(answer, PLAYER_CRASHED, "it is not running");
    player->state = PLAYER_THINKING;
    bool ok       = player->methods->think(player, game, go, answer);
    if (ok || answer->status == PLAYER_ILLEGAL) { /* an engine that errs can still play the next game */
        player->state = PLAYER_IDLE;
    } else {
        player_rest(player);
    }
    return ok;
}

void player_interrupt(Player *player)
{
    atomic_store(&player->interrupted, true);
    player->methods->interrupt(player);
}

PlayerState player_state(const Player *player) { return player->state; }

const char *player_status_text(PlayerStatus status)
{
    static const char *const texts[] = {
        [PLAYER_FINE] = "fine",       [PLAYER_INTERRUPTED] = "interrupted",       [PLAYER_CRASHED] = "crashed",
        [PLAYER_STALLED] = "stalled", [PLAYER_ILLEGAL] = "plays an illegal move", [PLAYER_UNUSABLE] = "cannot be used",
    };
    return texts[status];
}

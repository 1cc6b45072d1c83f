/* bot.h - the bot: one loop that holds the event stream, the games and the search for games.
 *
 * Threads: [owner] bot_run blocks its thread until the bot leaves; [any] bot_interrupt.
 */
#ifndef LICHESS_BOT_H
#define LICHESS_BOT_H

#include "lichess/host.h"

typedef struct Bot Bot;

/* Nothing is contacted yet. `config` and `token` must outlive the bot. */
Bot *bot_new(const Config *config, const Token *token, HostLog *log, void *log_context, Err *err);
void bot_free(Bot *bot);

/* Plays until it is told to leave (true) or cannot go on (false with *err): the token is refused, the account is no bot. */
bool bot_run(Bot *bot, Err *err);

/* [any] The first time: leave by the configured policy. The second time: leave at once. */
void bot_interrupt(Bot *bot);

#endif

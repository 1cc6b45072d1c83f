/* live_ask.h - what a game asks of the server besides moves: resigning, answers to offers, words. Internal to `lichess`. */
#ifndef LICHESS_LIVE_ASK_H
#define LICHESS_LIVE_ASK_H

#include "lichess/live.h"

void    live_send_intents(Live *live, int64_t now_ms);             /* those that are wanted and due */
int64_t live_intents_at(const Live *live);                         /* when the next is due; INT64_MAX: none */
void    live_answer_offers(Live *live, const LichessState *state); /* a draw, a takeback: each is answered once */
void    live_greet(Live *live);                                    /* once, when the game begins */
void    live_chat(Live *live, Str text);

#endif

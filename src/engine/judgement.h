/* judgement.h - the networks an engine judges with. Internal to `engine`.
 *
 * A network is loaded when an option names it, so that a broken file is reported where it was asked for; it takes the old one's
 * place when no search runs. The one that the program carries is read when it is first needed. Threads: [owner] of the engine.
 */
#ifndef ENGINE_JUDGEMENT_H
#define ENGINE_JUDGEMENT_H

#include "engine/settings.h"

typedef struct {
    Net *net, *next_net; /* of Eval nnue: in use, and waiting for the next search; NULL: none */
    Mlp  mlp, next_mlp;  /* the same for Eval mlp */
    bool has_mlp, has_next_mlp;
} Judgement;

void judgement_release(Judgement *judgement);

/* Whether a setting is one of Eval, EvalFile and MLP File. */
bool judgement_is_about(Setting setting);

/* Stores such a setting. False with *err: the old value and the old network stay. */
bool judgement_store(Judgement *judgement, Settings *settings, Setting setting, Str value, Err *err);

/* Puts waiting networks into use (no search may run) and tells the search of them. */
void judgement_settle(Judgement *judgement);
void judgement_config(const Judgement *judgement, const Settings *settings, SearchConfig *config);

#endif

/* judgement.c - see judgement.h. */
#include "engine/judgement.h"

void judgement_release(Judgement *judgement)
{
    net_free(judgement->net);
    net_free(judgement->next_net);
}

bool judgement_is_about(Setting setting) { return setting == SET_EVAL || setting == SET_EVAL_FILE || setting == SET_MLP_FILE; }

static bool load(Judgement *judgement, Setting setting, const char *path, Err *err)
{
    if (setting == SET_MLP_FILE) {
        if (!mlp_load(&judgement->next_mlp, path, err)) return false;
        judgement->has_next_mlp = true;
        return true;
    }
    Net *net = *path ? net_load(path, err) : net_embedded(err);
    if (!net) return false;
    net_free(judgement->next_net);
    judgement->next_net = net;
    return true;
}

bool judgement_store(Judgement *judgement, Settings *settings, Setting setting, Str value, Err *err)
{
    Settings wanted = *settings;
    if (!settings_store(&wanted, setting, value, err)) return false;
    bool named = setting != SET_EVAL && wanted.text[setting][0];
    bool back  = setting == SET_EVAL_FILE && !named && net_is_embedded();
    if ((named || back) && !load(judgement, setting, wanted.text[setting], err)) return false;
    if (wanted.number[SET_EVAL] == EVAL_NNUE && !judgement->net && !judgement->next_net && !net_is_embedded())
        return err_set(err, ERR_NOT_FOUND, 0, "there is no network: set EvalFile first");
    if (wanted.number[SET_EVAL] == EVAL_MLP && !judgement->has_mlp && !judgement->has_next_mlp)
        return err_set(err, ERR_NOT_FOUND, 0, "there is no small network: set MLP File first");
    *settings = wanted;
    return true;
}

void judgement_settle(Judgement *judgement)
{
    if (net_is_embedded() && !judgement->net && !judgement->next_net)
        judgement->next_net = net_embedded(NULL); /* no memory: the classical evaluation judges */
    if (judgement->next_net) {
        net_free(judgement->net);
        judgement->net      = judgement->next_net;
        judgement->next_net = NULL;
    }
    if (judgement->has_next_mlp) judgement->mlp = judgement->next_mlp;
    judgement->has_mlp      = judgement->has_mlp || judgement->has_next_mlp;
    judgement->has_next_mlp = false;
}

void judgement_config(const Judgement *judgement, const Settings *settings, SearchConfig *config)
{
    config->eval = (EvalKind)settings->number[SET_EVAL];
    config->net  = judgement->net;
    config->mlp  = judgement->has_mlp ? &judgement->mlp : NULL;
}

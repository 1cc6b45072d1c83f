/* test_uci_equal.h - when two UCI values say the same; for the round-trip tests and for the fuzz target. */
#ifndef TESTS_UNIT_TEST_UCI_EQUAL_H
#define TESTS_UNIT_TEST_UCI_EQUAL_H

#include "uci/command.h"
#include "uci/reply.h"

static inline bool uci_go_equal(const UciGo *a, const UciGo *b)
{
    return a->has == b->has && a->wtime_ms == b->wtime_ms && a->btime_ms == b->btime_ms && a->winc_ms == b->winc_ms &&
           a->binc_ms == b->binc_ms && a->movestogo == b->movestogo && a->depth == b->depth && a->nodes == b->nodes &&
           a->mate == b->mate && a->movetime_ms == b->movetime_ms && a->perft == b->perft && a->ponder == b->ponder &&
           a->infinite == b->infinite && str_equal(a->searchmoves, b->searchmoves);
}

static inline bool uci_command_equal(const UciCommand *a, const UciCommand *b)
{
    if (a->kind != b->kind || a->broken != b->broken) return false;
    switch (a->kind) {
    case UCI_CMD_SETOPTION:
        return str_equal(a->setoption.name, b->setoption.name) && a->setoption.has_value == b->setoption.has_value &&
               str_equal(a->setoption.value, b->setoption.value);
    case UCI_CMD_POSITION:
        return a->position.startpos == b->position.startpos && str_equal(a->position.fen, b->position.fen) &&
               str_equal(a->position.moves, b->position.moves);
    case UCI_CMD_GO: return uci_go_equal(&a->go, &b->go);
    case UCI_CMD_DEBUG: return a->broken || a->debug_on == b->debug_on;
    case UCI_CMD_UNKNOWN:
    case UCI_CMD_REGISTER:
    case UCI_CMD_D:
    case UCI_CMD_EVAL:
    case UCI_CMD_BENCH:
    case UCI_CMD_HELP: return str_equal(a->text, b->text);
    default: return true;
    }
}

static inline bool uci_info_equal(const UciInfo *a, const UciInfo *b)
{
    bool wdl = a->has_wdl == b->has_wdl && (!a->has_wdl || memcmp(a->wdl, b->wdl, sizeof a->wdl) == 0);
    return wdl && a->has == b->has && a->depth == b->depth && a->seldepth == b->seldepth && a->multipv == b->multipv &&
           a->nodes == b->nodes && a->nps == b->nps && a->hashfull == b->hashfull && a->tbhits == b->tbhits &&
           a->time_ms == b->time_ms && a->cpuload == b->cpuload && a->currmovenumber == b->currmovenumber &&
           a->score.kind == b->score.kind && a->score.bound == b->score.bound && a->score.value == b->score.value &&
           str_equal(a->pv, b->pv) && str_equal(a->currmove, b->currmove) && str_equal(a->refutation, b->refutation) &&
           str_equal(a->currline, b->currline) && str_equal(a->string, b->string);
}

/* The values of a combo are compared one by one: how they are spaced does not matter. */
static inline bool uci_option_equal(const UciOptionDef *a, const UciOptionDef *b)
{
    if (a->kind != b->kind || a->has_default != b->has_default || a->min != b->min || a->max != b->max) return false;
    if (!str_equal(a->name, b->name) || !str_equal(a->default_text, b->default_text)) return false;
    Str vars_a = a->vars, vars_b = b->vars, var_a, var_b;
    for (;;) {
        bool more = uci_option_next_var(&vars_a, &var_a);
        if (more != uci_option_next_var(&vars_b, &var_b)) return false;
        if (!more) return true;
        if (!str_equal(var_a, var_b)) return false;
    }
}

static inline bool uci_reply_equal(const UciReply *a, const UciReply *b)
{
    if (a->kind != b->kind || a->broken != b->broken) return false;
    switch (a->kind) {
    case UCI_REPLY_INFO: return uci_info_equal(&a->info, &b->info);
    case UCI_REPLY_OPTION: return uci_option_equal(&a->option, &b->option);
    case UCI_REPLY_BESTMOVE:
        return str_equal(a->bestmove.move, b->bestmove.move) && str_equal(a->bestmove.ponder, b->bestmove.ponder);
    case UCI_REPLY_EMPTY:
    case UCI_REPLY_UCIOK:
    case UCI_REPLY_READYOK: return true;
    default: return str_equal(a->text, b->text);
    }
}

#endif

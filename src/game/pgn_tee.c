/* pgn_tee.c - see pgn_tee.h. */
#include "game/pgn_tee.h"

/* Calls `callback` of both visitors with the arguments that follow the context. */
#define TEE_PASS(tee, callback, ...)                                                                                             \
    ((!(tee)->first.callback || (tee)->first.callback((tee)->first.context __VA_ARGS__)) &&                                      \
     (!(tee)->second.callback || (tee)->second.callback((tee)->second.context __VA_ARGS__)))

static bool tee_begin_game(void *context)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, begin_game);
}

static bool tee_tag(void *context, Str name, Str value)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, tag, , name, value);
}

static bool tee_begin_moves(void *context, const Position *start)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, begin_moves, , start);
}

static bool tee_move(void *context, const Position *before, Move move)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, move, , before, move);
}

static bool tee_nag(void *context, int nag)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, nag, , nag);
}

static bool tee_comment(void *context, Str text)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, comment, , text);
}

static bool tee_begin_variation(void *context)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, begin_variation);
}

static bool tee_end_variation(void *context)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, end_variation);
}

static bool tee_end_game(void *context, Result result)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, end_game, , result);
}

static bool tee_error(void *context, const PgnError *error)
{
    const PgnTee *tee = context;
    return TEE_PASS(tee, error, , error);
}

PgnVisitor pgn_tee_visitor(PgnTee *tee)
{
    return (PgnVisitor){
        .context         = tee,
        .begin_game      = tee_begin_game,
        .tag             = tee_tag,
        .begin_moves     = tee_begin_moves,
        .move            = tee_move,
        .nag             = tee_nag,
        .comment         = tee_comment,
        .begin_variation = tee_begin_variation,
        .end_variation   = tee_end_variation,
        .end_game        = tee_end_game,
        .error           = tee_error,
    };
}

/* pgn_tee.h - one reader, two visitors: every call goes to the first, then to the second. */
#ifndef GAME_PGN_TEE_H
#define GAME_PGN_TEE_H

#include "game/pgn.h"

typedef struct {
    PgnVisitor first;
    PgnVisitor second;
} PgnTee;

/* The visitor that passes on; `tee` must outlive it. Reading ends as soon as one of the two says so. */
PgnVisitor pgn_tee_visitor(PgnTee *tee);

#endif

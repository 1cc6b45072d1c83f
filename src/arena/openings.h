/* openings.h - the positions games begin from: an EPD or PGN file, or a small set of our own.
 *
 * Everything is checked while loading, so a bad line is found before the first game and not in the middle of the night.
 * An opening from PGN keeps its moves, and they become part of the game that is played.
 * Threads: [any] once loaded; nothing changes after openings_order.
 */
#ifndef ARENA_OPENINGS_H
#define ARENA_OPENINGS_H

#include "base/buf.h"
#include "base/err.h"
#include "game/game.h"

typedef struct {
    uint32_t fen_at; /* in `fens`; 0: the usual start */
    uint32_t fen_len;
    uint32_t move_at; /* in `moves` */
    uint32_t move_count;
} Opening;

typedef struct {
    Opening *items;
    size_t   count, cap;
    Move    *moves;
    size_t   move_count, move_cap;
    Buf      fens;
    bool     chess960;
} Openings;

/* Reads FILE.pgn (games, at most `plies` half-moves of each; 0: all) or anything else as one EPD or FEN a line. Positions that
 * need Chess960's castling are refused unless `chess960`. On failure `*out` is empty. */
bool openings_load(const char *path, int plies, bool chess960, Openings *out, Err *err);

/* Well-known balanced lines of six to eight half-moves, for matches that name no file; Chess960 has the usual start only. */
bool openings_builtin(bool chess960, Openings *out, Err *err);

void openings_release(Openings *openings);

/* Puts them into a random order that depends on nothing but the seed. */
void openings_shuffle(Openings *openings, uint64_t seed);

/* Sets `game` up with opening `number` (they repeat when there are not enough). False only when memory is short. */
bool openings_begin(const Openings *openings, uint64_t number, Game *game);

#endif

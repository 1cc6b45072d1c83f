/* game_file.h - games of the board in files: saved so that nothing in the file is lost, and loaded again.
 *
 * A game is added to the end of a file. Saved again after more moves, it takes its own place, as long as nothing was added
 * behind it. Threads: a GameFile belongs to one thread at a time.
 */
#ifndef TERM_GAME_FILE_H
#define TERM_GAME_FILE_H

#include "base/buf.h"
#include "base/err.h"
#include "game/game.h"

enum { GAME_FILE_PATH = 1024 };

/* Where the present game was saved last; all zero for a new game. */
typedef struct {
    char     path[GAME_FILE_PATH];
    uint64_t offset, length;
} GameFile;

typedef struct {
    const char *white, *black;
    const char *date; /* "2024.05.17" */
    const char *time_control;
    const char *termination; /* how it ended; NULL: not told */
    Result      result;
} GameTags;

/* Appends the game as PGN. False when memory is short. */
bool game_to_pgn(const Game *game, const GameTags *tags, Buf *out);

/* Writes `pgn` to the file; folders on the way are made. */
bool game_file_save(GameFile *file, const char *path, Str pgn, Err *err);

/* Reads game `number` (from 1) of a file: its moves up to the first null move, which nobody can play. `*out` need not be
 * initialised, and is to be released after success. */
bool game_file_load(const char *path, uint64_t number, Game *out, Err *err);

#endif

/* pgn.h - games in Portable Game Notation: a streaming reader that calls a visitor, and a writer that takes the same calls.
 *
 * The reader holds one buffer of text and one position per open variation, whatever the file's size, and replays every
 * move. A broken game is reported with line and column, and reading goes on at the next game: no good game is lost.
 * The next game is where a tag opens a line, after a result, or at "1." after an empty line; other text between games is
 * passed over.
 * A PgnVisitor that is a PgnWriter makes a copy; what the writer writes, the reader reads to the same calls.
 * Threads: a reader belongs to one thread at a time.
 */
#ifndef GAME_PGN_H
#define GAME_PGN_H

#include "base/buf.h"
#include "base/err.h"
#include "chess/position.h"
#include "game/game.h"

typedef struct {
    size_t line;   /* from 1 */
    size_t column; /* from 1, in bytes */
    Err    err;
} PgnError;

/* What a reader tells of a game, in the order of the file. Any callback may be NULL. Views live only during the call.
 * A callback that returns false ends the reading (pgn_read then returns true) and is the last one called. */
typedef struct {
    void *context;
    bool (*begin_game)(void *context);
    bool (*tag)(void *context, Str name, Str value);                /* value with its escapes resolved, as UTF-8 */
    bool (*begin_moves)(void *context, const Position *start);      /* after the tags; the FEN tag decided `start` */
    bool (*move)(void *context, const Position *before, Move move); /* MOVE_NONE: a null move ("--") */
    bool (*nag)(void *context, int nag);                            /* "!" is 1, "$14" is 14 */
    bool (*comment)(void *context, Str text); /* as UTF-8, trimmed, on one line (a line end reads as a space); never empty */
    bool (*begin_variation)(void *context);   /* instead of the last move; there is one */
    bool (*end_variation)(void *context);
    bool (*end_game)(void *context, Result result);      /* result of the movetext, else of the tag */
    bool (*error)(void *context, const PgnError *error); /* the game is broken and ends here: end_game follows at once */
    uint64_t max_plies; /* 0: the whole game; else moves behind so many of the main line are neither replayed nor told */
} PgnVisitor;

/* Variations inside variations: deeper ones make a game broken. Far beyond what people write, small in memory. */
enum { PGN_DEPTH_MAX = 4096 };

typedef struct {
    uint64_t games;  /* begun: good and broken ones */
    uint64_t plies;  /* main line moves replayed, null moves too */
    uint64_t errors; /* broken games */
    uint64_t bytes;
} PgnCounts;

/* Bytes to read from: returns how many were put into `out` (0 at the end, negative with *err on trouble). */
typedef struct {
    void *context;
    ptrdiff_t (*read)(void *context, char *out, size_t size, Err *err);
} PgnSource;

/* Reads every game. False only when the source failed or memory ran out; broken games are not failures. Of the game that a
 * failing source cut off, no end is told.
 * `counts` may be NULL; it is kept up to date while reading, so a visitor may show it. */
bool pgn_read(const PgnSource *source, const PgnVisitor *visitor, PgnCounts *counts, Err *err);

/* The same from memory, and from a file by its name. */
bool pgn_read_text(Str text, const PgnVisitor *visitor, PgnCounts *counts, Err *err);
bool pgn_read_file(const char *path, const PgnVisitor *visitor, PgnCounts *counts, Err *err);

/* Writes games in the export style: seven tags first, SAN, lines of at most 80 characters (a word longer than that stays
 * whole). Adds SetUp, FEN and Variant when the start needs them and the tags lack them; adds no other tag. A game with an
 * error leaves nothing in `out`. */
typedef struct PgnWriter PgnWriter;

PgnWriter *pgn_writer_new(Buf *out); /* appends to `out`, which the caller drains between games; NULL when memory is short */
void       pgn_writer_free(PgnWriter *writer);
PgnVisitor pgn_writer_visitor(PgnWriter *writer); /* give it to a reader, or call it by hand */

#endif

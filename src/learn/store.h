/* store.h - played games in a file, a few bytes a position: what self-play writes and training reads.
 *
 * A file is eight letters that name the format, then records. A record is its length, the packed start position, the result,
 * the number of the game, four bytes for each move (the move, and its score from White's point of view), and a checksum.
 * Records are appended whole, so what a killed writer leaves is whole games and at most one torn tail; opening the file to
 * append cuts the tail off. Whole games are kept, not positions: what is good to learn from is decided when they are read.
 * Threads: a writer or reader belongs to one thread at a time. Blocks on the disk.
 */
#ifndef LEARN_STORE_H
#define LEARN_STORE_H

#include <stdio.h>

#include "base/err.h"
#include "eval/score.h"
#include "game/game.h"

enum { STORE_PLIES_MAX = 1024 };

typedef struct {
    Position start;
    Result   result;
    uint64_t number; /* which game of its series: the seed it was played with */
    int      plies;
    Move     moves[STORE_PLIES_MAX];
    int16_t  scores[STORE_PLIES_MAX]; /* White's, before the move; SCORE_NONE where nobody thought */
} StoredGame;

typedef struct {
    FILE    *file;
    uint64_t games;       /* in the file */
    uint64_t positions;   /* in the file */
    uint64_t next_number; /* one more than the highest game number in it */
} StoreWriter;

/* Opens for appending; a new file is begun. A torn tail is cut off; another kind of file is refused. */
bool store_append_to(StoreWriter *writer, const char *path, Err *err);
bool store_write(StoreWriter *writer, const StoredGame *game, Err *err); /* the record is with the system when this returns */
bool store_close(StoreWriter *writer, Err *err);

typedef enum { STORE_GAME, STORE_END, STORE_TORN, STORE_FAILED } StoreStatus;

typedef struct {
    FILE *file;
    long  whole; /* bytes up to the end of the last whole record */
} StoreReader;

bool store_open(StoreReader *reader, const char *path, Err *err);
void store_release(StoreReader *reader);

/* The next game, every move checked. STORE_TORN: the file ends within a record or its checksum is wrong. */
StoreStatus store_next(StoreReader *reader, StoredGame *game, Err *err);

#endif

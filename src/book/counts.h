/* counts.h - how often each move was played from each position, for any number of games in bounded memory. Internal to `book`.
 *
 * Counts live in a hash table of fixed size. When it is full they are sorted and appended to a nameless file as one run; in the
 * end all runs and the table are merged, in order, into a sink. Sums do not depend on the order of the games nor on when
 * the table was full, so neither does what comes out.
 * Hot: counts_add, one cache miss a move. Threads: a Counts belongs to one thread at a time.
 */
#ifndef BOOK_COUNTS_H
#define BOOK_COUNTS_H

#include "base/err.h"
#include "chess/types.h"

/* One move of one position; the results are those of the side that made it. */
typedef struct {
    Key      key;
    uint16_t move; /* as in the book */
    uint16_t unused;
    uint32_t wins, draws, losses;
} CountRecord;

typedef struct Counts Counts;

/* `memory_bytes` bounds the table (a few thousand bytes at least). The runs go to a file in the folder of `near_path`; it
 * has no name and vanishes with the process. */
Counts *counts_new(size_t memory_bytes, const char *near_path, Err *err);
void    counts_free(Counts *counts); /* NULL is fine */

/* Adds the results of a record to what is known of its key and move. False when the disk is full. */
bool counts_add(Counts *counts, const CountRecord *record, Err *err);

/* A hint that this move will be added soon: the misses of a whole game then overlap. */
void counts_prefetch(const Counts *counts, Key key, uint16_t move);

/* Gets every record once, keys rising, moves of one key rising; false stops. */
typedef bool CountSink(void *context, const CountRecord *record, Err *err);

/* Hands everything over; the counts are used up afterwards. */
bool counts_merge(Counts *counts, CountSink *sink, void *context, Err *err);

size_t counts_runs(const Counts *counts); /* how many were written so far */

#endif

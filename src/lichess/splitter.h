/* splitter.h - lines out of bytes that come in pieces of any size: newline-delimited JSON as a server streams it.
 *
 * A line may come in many pieces or many lines in one; CR before LF is dropped; empty lines (keep-alives) are not told.
 * Invariant: what is kept of an unfinished line never exceeds `limit`; a longer line is a fault, told once.
 * Threads: one at a time.
 */
#ifndef LICHESS_SPLITTER_H
#define LICHESS_SPLITTER_H

#include "base/buf.h"

typedef struct {
    Buf    buf;
    size_t start;   /* of the next line in `buf` */
    size_t scanned; /* bytes behind `start` that hold no line end */
    size_t limit;
} Splitter;

void splitter_init(Splitter *splitter, size_t limit);
void splitter_release(Splitter *splitter);

/* Adds bytes. False when a line is longer than the limit or memory is short: the stream is of no more use. */
bool splitter_feed(Splitter *splitter, Str bytes);

/* The next line that is whole and not empty; false when there is none. The view lives until the next feed. */
bool splitter_next(Splitter *splitter, Str *line);

#endif

/* writer.h - writes a book file: positions in the order of their keys, all at once or not at all. Internal to `book`. */
#ifndef BOOK_WRITER_H
#define BOOK_WRITER_H

#include <stdio.h>

#include "base/buf.h"
#include "book/book.h"

/* A move on its way into a book. */
typedef struct {
    uint16_t move;
    uint64_t points; /* becomes the weight, scaled together with the others of the position where it does not fit */
    uint64_t games;  /* 0: not known */
    int      per_mille;
} WriterMove;

typedef struct {
    const char *path;
    Buf         temporary; /* the name until the book is whole */
    FILE       *file;
    uint64_t    positions, entries;
} BookWriter;

bool writer_open(BookWriter *writer, const char *path, Err *err);

/* Writes the moves of one position (they are sorted in place); those without points are left out. */
bool writer_add(BookWriter *writer, Key key, WriterMove *moves, size_t count, Err *err);

/* Gives the book its name. A book without any move is a failure. */
bool writer_commit(BookWriter *writer, Err *err);
void writer_release(BookWriter *writer); /* removes what is not committed */

#endif

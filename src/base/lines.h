/* lines.h - reading text line by line: any length, any stream, CRLF or LF, a last line without an end too.
 *
 * Threads: a LineReader belongs to one thread at a time. Blocks where the descriptor blocks.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/buf.h"
#include "base/err.h"

typedef struct {
    int    fd;
    Buf    buf;
    size_t start; /* of the next line in `buf` */
    bool   ended;
    bool   owned; /* the reader opened fd and closes it */
} LineReader;

typedef enum { LINE_READ, LINE_END, LINE_FAILED } LineStatus;

/* Reads from a descriptor that stays the caller's. */
void lines_init(LineReader *lines, int fd);

/* Opens a file for reading; "-" is standard input. */
bool lines_open(LineReader *lines, const char *path, Err *err);
void lines_release(LineReader *lines);

/* The next line without its end; the view lives until the next call. */
LineStatus lines_next(LineReader *lines, Str *line, Err *err);

#endif

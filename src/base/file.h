/* file.h - a file read whole, or written whole: under another name first, so that an interrupted run leaves the old one.
 * Threads: [any]. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/buf.h"
#include "base/err.h"

/* `path` holds `text` afterwards, or what it held before and *err says why. */
bool file_write(const char *path, Str text, Err *err);

/* Appends the file to `out`, but hardly more than `most` bytes of it: who knows how long it may be refuses a longer one.
 * False with *err when it cannot be read. */
bool file_read(const char *path, size_t most, Buf *out, Err *err);

/* Makes a folder unless it is there already; the folder around it must exist. */
bool file_make_folder(const char *path, Err *err);

#endif

/* file.h - a text file written whole: under another name first, so that an interrupted run leaves the old one. Threads: [any]. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/err.h"
#include "base/str.h"

/* `path` holds `text` afterwards, or what it held before and *err says why. */
bool file_write(const char *path, Str text, Err *err);

/* Makes a folder unless it is there already; the folder around it must exist. */
bool file_make_folder(const char *path, Err *err);

#endif

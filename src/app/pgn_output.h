/* pgn_output.h - a file that games are written to: whole games only, and never over a file that exists unless told to. */
#ifndef APP_PGN_OUTPUT_H
#define APP_PGN_OUTPUT_H

#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"

typedef struct {
    const char *path;
    FILE       *file;
    bool        standard; /* standard output, which is not closed */
} PgnOutput;

/* Opens `path` ("-": standard output). The path must outlive the output. */
bool pgn_output_open(PgnOutput *output, const char *path, bool force, Err *err);

/* Writes what is in `games` and empties it. */
bool pgn_output_drain(PgnOutput *output, Buf *games, Err *err);

/* Closes; false when the last bytes could not be written. Nothing happens when it is not open. */
bool pgn_output_close(PgnOutput *output, Err *err);

#endif

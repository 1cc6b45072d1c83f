/* epd.h - one line of Extended Position Description: a position and its operations (bm Nf3; id "WAC.001"; D5 4865609). */
#ifndef GAME_EPD_H
#define GAME_EPD_H

#include "base/err.h"
#include "base/str.h"
#include "chess/fen.h"

enum { EPD_OPERATIONS_MAX = 64 };

typedef struct {
    Str name;  /* "bm" */
    Str value; /* "Nf3 Qd2" or the text inside quotes; a view of the line */
} EpdOperation;

typedef struct {
    Position     position;
    int          count;
    EpdOperation operations[EPD_OPERATIONS_MAX];
} Epd;

/* Reads a line: four or six fields of FEN, then operations ended by ";" (a last ";" may be missing, one may also come before
 * the first operation). Views point into `line`. */
bool epd_parse(Str line, Epd *out, Err *err);

/* The value of an operation, or an empty view. */
Str epd_get(const Epd *epd, Str name);

#endif

/* eval_print.h - the classical evaluation explained: every term for both sides, as a table for people and as JSON. */
#ifndef EVAL_EVAL_PRINT_H
#define EVAL_EVAL_PRINT_H

#include "base/buf.h"
#include "chess/position.h"
#include "net/net.h"

/* Appends the table of all terms, White's and Black's, and how they become one value; then the verdict of `net`, unless it is
 * NULL. */
void eval_print(const Position *pos, const Net *net, Buf *out);

/* The same as one JSON object: fen, terms (name, group, white and black with mg, eg, value, and total), phase, scale, value,
 * network. */
void eval_print_json(const Position *pos, const Net *net, Buf *out);

#endif

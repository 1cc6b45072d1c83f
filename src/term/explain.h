/* explain.h - why a move cannot be played, in a sentence that helps, and the legal moves that come near. Private to `term`. */
#ifndef TERM_EXPLAIN_H
#define TERM_EXPLAIN_H

#include "base/err.h"
#include "base/str.h"
#include "chess/position.h"

/* Fills *err for a text that is no legal move; `ambiguous` says that several are meant by it. */
void explain_move(const Position *pos, Str text, bool ambiguous, Err *err);

#endif

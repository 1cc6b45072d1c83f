/* names.h - the names of openings, by position: the same position has the same name whatever moves led to it.
 *
 * The table (data/eco.txt: code, name, moves) is part of the program; making a Names replays it, which takes a few
 * milliseconds, and a look-up is one binary search.
 * Threads: [any] once it is made; it never changes.
 */
#ifndef BOOK_NAMES_H
#define BOOK_NAMES_H

#include "base/err.h"
#include "base/str.h"
#include "game/game.h"

typedef struct {
    Str code; /* "C60" */
    Str name; /* "Ruy Lopez" */
} OpeningName;

typedef struct Names Names;

Names *names_new(Err *err); /* NULL and *err when memory is short */
void   names_free(Names *names);

/* The name of exactly this position; false when it has none. The views live as long as the program. */
bool names_find(const Names *names, const Position *pos, OpeningName *out);

/* The name of the last position of a game that has one; false when none has, or when the game did not begin at the start. */
bool names_of_game(const Names *names, const Game *game, OpeningName *out);

size_t names_count(const Names *names);

/* The same from another table in the form of data/eco.txt, for tests; the text must outlive the value. *err names the line. */
Names *names_from_text(Str text, Err *err);

#endif

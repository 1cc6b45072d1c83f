/* build.h - makes books: from games, and from other books.
 *
 * From games: every move of the first plies counts as won, drawn or lost for the side that made it (a game without a result as
 * drawn); moves with enough games are kept with 2 points a win and 1 a draw as their weight, which is what Polyglot's own
 * make-book does. The same games give the same bytes, in whatever order and memory.
 * A book appears under its name only when it is whole; what stood there before is replaced then and not earlier.
 * Threads: a BookBuilder belongs to one thread at a time.
 */
#ifndef BOOK_BUILD_H
#define BOOK_BUILD_H

#include "book/book.h"
#include "game/pgn.h"

enum { BOOK_PLY_MAX = 1024, BOOK_MEMORY_MB = 128 };

typedef struct {
    const char *path;      /* of the book; must outlive the builder */
    int         max_ply;   /* half-moves of a game that count, 1..BOOK_PLY_MAX */
    int         min_games; /* a move needs so many */
    int         min_score; /* and this score, in percent, of the side that makes it */
    int         min_elo;   /* both players need it, 0: whoever */
    size_t      memory_mb; /* of the table of counts */
} BookPlan;

typedef struct {
    uint64_t games;    /* that counted */
    uint64_t left_out; /* broken ones, too low ratings, not from the start position */
    uint64_t moves;    /* counted */
    uint64_t runs;     /* parts that did not fit into memory at once */
    uint64_t positions, entries;
} BookReport;

typedef struct BookBuilder BookBuilder;

BookBuilder *book_builder_new(const BookPlan *plan, Err *err);
void         book_builder_free(BookBuilder *builder); /* NULL is fine; a book that was not finished does not appear */

/* Give it to any number of readers, one after the other. It ends the reading when the disk is full. */
PgnVisitor book_builder_visitor(BookBuilder *builder);

/* Writes the book. False with *err when that fails, when the disk was full before, or when no move is left. */
bool book_builder_finish(BookBuilder *builder, BookReport *report, Err *err);

/* One book out of several: as if their games had been played in one (weights and counts are added), or with `first_wins` as
 * layers: a position is taken whole from the first book that has it. */
bool book_merge(const Book *const *books, size_t count, bool first_wins, const char *path, BookReport *report, Err *err);

#endif

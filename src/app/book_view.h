/* book_view.h - what the book commands share: finding the book, the position and the names. */
#ifndef APP_BOOK_VIEW_H
#define APP_BOOK_VIEW_H

#include "base/json.h"
#include "book/book.h"
#include "book/names.h"

/* A book, a position in it and the names of openings. */
typedef struct {
    Book    *book;
    Names   *names;
    Position pos;
    Key      key; /* under which `pos` stands in a book */
} BookView;

/* Opens `path` (NULL: the book inside the program) and sets up `fen` (NULL: the start) and `moves` (NULL: none; UCI or SAN,
 * separated by spaces). Returns -1 to go on, or the exit code after a message. */
int  book_view_open(BookView *view, const char *path, const char *fen, const char *moves);
void book_view_close(BookView *view);

/* The share of a move in the weights of its position, in percent. */
double book_share(const BookMoves *moves, const BookMove *move);

/* The subcommands; argv[0] is "build" and so on. */
int cmd_book_build(int argc, char **argv);
int cmd_book_merge(int argc, char **argv);
int cmd_book_probe(int argc, char **argv);
int cmd_book_tree(int argc, char **argv);
int cmd_book_dump(int argc, char **argv);
int cmd_book_stats(int argc, char **argv);

#endif

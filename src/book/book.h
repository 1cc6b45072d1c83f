/* book.h - Polyglot opening books: what has been played from a position, and how often.
 *
 * A book is a sorted array of 16-byte entries and is searched where it lies, in the page cache or in the program, so that
 * its size costs nothing: a probe is one binary search. A file that is cut off while it is open ends the process; books
 * written here replace their file at once and never cut it.
 * Entries that are no legal move of the position (a collision of keys, a broken book) are never shown.
 * Threads: [any] once a Book is open; it never changes.
 */
#ifndef BOOK_BOOK_H
#define BOOK_BOOK_H

#include "base/err.h"
#include "base/rng.h"
#include "chess/position.h"

enum { BOOK_ENTRY_SIZE = 16, BOOK_MOVES_MAX = MOVES_MAX, BOOK_GAMES_MAX = (1 << 22) - 1 };

/* One entry as it stands in the file, in the byte order of this machine. */
typedef struct {
    Key      key;
    uint16_t move;   /* to, from, promotion: see book_encode_move */
    uint16_t weight; /* 2 a win and 1 a draw, scaled down where it does not fit; 0: never to be played */
    uint32_t learn;  /* ours: games and score (book_pack_counts); other programs: usually 0 */
} BookEntry;

typedef struct {
    Move     move;
    int      weight;
    uint32_t games;     /* 0: the book does not tell */
    int      per_mille; /* score of the side to move in those games, 0..1000 */
} BookMove;

/* The legal moves of one position, in the order of the book: usually the heaviest first. */
typedef struct {
    int      count;
    int64_t  total; /* of the weights */
    BookMove moves[BOOK_MOVES_MAX];
} BookMoves;

typedef struct Book Book;

/* Maps a file. False (NULL) with *err for what is no book: missing, empty, cut off, unsorted. */
Book *book_open(const char *path, Err *err);

/* The same from memory that outlives the book. */
Book *book_from_memory(const void *bytes, size_t size, Err *err);

/* The book inside the program. */
Book *book_open_default(Err *err);
void  book_free(Book *book); /* NULL is fine */

size_t    book_size(const Book *book); /* entries */
BookEntry book_entry(const Book *book, size_t index);

/* The first entry whose key is not below `key`; book_size when there is none. Hot. */
size_t book_find(const Book *book, Key key);

/* The key under which `pos` stands in a book; `last` is the move that led to it, or MOVE_NONE when that is not known. It
 * differs from pos->key only where a pawn stands beside one that has just made its double step but may not take it. */
Key book_key(const Position *pos, Move last);

/* Every legal book move. Weights of a move that occurs twice are added. */
void book_probe(const Book *book, const Position *pos, Key key, BookMoves *out);

typedef enum { BOOK_BEST, BOOK_WEIGHTED, BOOK_UNIFORM } BookChoice;

/* One of the moves with a weight; MOVE_NONE when there is none. BOOK_BEST takes the first of the heaviest. */
Move book_choose(const BookMoves *moves, BookChoice choice, Rng *rng);

/* Takes a move out (a search did not like it). */
void book_drop(BookMoves *moves, Move move);

/* ---- the format ---- */

uint16_t book_encode_move(Move move);

/* The text of an encoded move, "e2e4", "e1h1", "a7a8q": without a position nothing more is known. */
void book_move_text(uint16_t move, char out[6]);

void      book_write_entry(const BookEntry *entry, uint8_t out[BOOK_ENTRY_SIZE]);
BookEntry book_read_entry(const uint8_t bytes[BOOK_ENTRY_SIZE]);

/* Games (at most BOOK_GAMES_MAX are told) and score in the four bytes that the format leaves to programs. */
uint32_t book_pack_counts(uint64_t games, int per_mille);

/* False when the four bytes hold no counts of ours. */
bool book_unpack_counts(uint32_t learn, uint32_t *games, int *per_mille);

#endif

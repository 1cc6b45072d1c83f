/* book.c - see book.h. */
#include "book/book.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "book/embed.h"
#include "chess/keys.h"
#include "chess/movegen.h"

struct Book {
    const uint8_t *bytes;
    size_t         entries;
    void          *map; /* to unmap; NULL: the memory is somebody else's */
    size_t         map_size;
};

/* ---- the format ---- */

static uint64_t read_big(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value = value << 8 | bytes[i];
    return value;
}

static void write_big(uint8_t *bytes, uint64_t value, int count)
{
    for (int i = count - 1; i >= 0; i--, value >>= 8) bytes[i] = (uint8_t)value;
}

BookEntry book_read_entry(const uint8_t bytes[BOOK_ENTRY_SIZE])
{
    return (BookEntry){
        .key    = read_big(bytes, 8),
        .move   = (uint16_t)read_big(bytes + 8, 2),
        .weight = (uint16_t)read_big(bytes + 10, 2),
        .learn  = (uint32_t)read_big(bytes + 12, 4),
    };
}

void book_write_entry(const BookEntry *entry, uint8_t out[BOOK_ENTRY_SIZE])
{
    write_big(out, entry->key, 8);
    write_big(out + 8, entry->move, 2);
    write_big(out + 10, entry->weight, 2);
    write_big(out + 12, entry->learn, 4);
}

/* Bits 0-5 to, 6-11 from, 12-14 promotion (1 a knight, 4 a queen); castling is the king taking his rook, as it is here. */
uint16_t book_encode_move(Move move)
{
    unsigned promotion = move_kind(move) == MOVE_PROMOTION ? (unsigned)move_promotion(move) : 0;
    return (uint16_t)((unsigned)move_to(move) | (unsigned)move_from(move) << 6 | promotion << 12);
}

void book_move_text(uint16_t move, char out[6])
{
    static const char promotions[] = "?nbrq???";
    unsigned          promotion    = move >> 12 & 7;
    out[0]                         = (char)('a' + (move >> 6 & 7));
    out[1]                         = (char)('1' + (move >> 9 & 7));
    out[2]                         = (char)('a' + (move & 7));
    out[3]                         = (char)('1' + (move >> 3 & 7));
    out[4]                         = promotion ? promotions[promotion] : '\0';
    out[5]                         = '\0';
}

enum { SCORE_BITS = 10, PER_MILLE = 1000 };

uint32_t book_pack_counts(uint64_t games, int per_mille)
{
    uint64_t kept = games < BOOK_GAMES_MAX ? games : BOOK_GAMES_MAX;
    return (uint32_t)(kept << SCORE_BITS | (uint64_t)per_mille);
}

bool book_unpack_counts(uint32_t learn, uint32_t *games, int *per_mille)
{
    *games     = learn >> SCORE_BITS;
    *per_mille = (int)(learn & ((1U << SCORE_BITS) - 1));
    return *games > 0 && *per_mille <= PER_MILLE;
}

/* ---- opening ---- */

/* Keys must rise. A very big file is looked at in so many places, evenly spread, that a file of another kind cannot pass. */
static bool check_order(const Book *book, Err *err)
{
    enum { LOOKS_MAX = 1 << 22 };
    size_t step = book->entries / LOOKS_MAX + 1;
    Key    last = 0;
    for (size_t i = 0; i < book->entries; i += step) {
        Key key = read_big(book->bytes + i * BOOK_ENTRY_SIZE, 8);
        if (key < last)
            return err_set(err, ERR_FORMAT, i * BOOK_ENTRY_SIZE,
                           "not a Polyglot book, or not sorted: entry %zu of %zu comes before its predecessor", i + 1,
                           book->entries);
        last = key;
    }
    return true;
}

static bool check_bytes(const Book *book, size_t size, Err *err)
{
    if (size == 0) return err_set(err, ERR_FORMAT, 0, "the book is empty");
    if (size % BOOK_ENTRY_SIZE != 0)
        return err_set(err, ERR_FORMAT, size, "not a whole Polyglot book: %zu bytes are no multiple of %d", size,
                       BOOK_ENTRY_SIZE);
    return check_order(book, err);
}

Book *book_from_memory(const void *bytes, size_t size, Err *err)
{
    Book *book = calloc(1, sizeof *book);
    if (!book) {
        err_set(err, ERR_MEMORY, 0, "no memory for a book");
        return NULL;
    }
    *book = (Book){.bytes = bytes, .entries = size / BOOK_ENTRY_SIZE};
    if (check_bytes(book, size, err)) return book;
    free(book);
    return NULL;
}

/* Maps an open file; false for what cannot be mapped (a folder, a pipe) and for an empty file. */
static bool map_file(int fd, const char *path, void **bytes, size_t *size, Err *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0) return err_set_errno(err, ERR_IO, "cannot look at the book '%s'", path);
    if (!S_ISREG(info.st_mode)) return err_set(err, ERR_FORMAT, 0, "the book '%s' is not a file", path);
    if (info.st_size == 0) return err_set(err, ERR_FORMAT, 0, "the book '%s' is empty", path);
    *size  = (size_t)info.st_size;
    *bytes = mmap(NULL, *size, PROT_READ, MAP_SHARED, fd, 0);
    return *bytes != MAP_FAILED || err_set_errno(err, ERR_IO, "cannot map the book '%s'", path);
}

Book *book_open(const char *path, Err *err)
{
    void  *bytes = NULL;
    size_t size  = 0;
    Err    why   = {0};
    int    fd    = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer must not hang */
    if (fd < 0) {
        err_set_errno(err, ERR_IO, "cannot open the book '%s'", path);
        return NULL;
    }
    bool mapped = map_file(fd, path, &bytes, &size, err);
    close(fd);
    if (!mapped) return NULL;
    Book *book = book_from_memory(bytes, size, &why);
    if (!book) {
        munmap(bytes, size);
        err_set(err, why.code, why.offset, "%s: %s", path, why.text);
        return NULL;
    }
    book->map      = bytes;
    book->map_size = size;
    return book;
}

Book *book_open_default(Err *err) { return book_from_memory(embedded_book, (size_t)embedded_book_size, err); }

void book_free(Book *book)
{
    if (!book) return;
    if (book->map) munmap(book->map, book->map_size);
    free(book);
}

size_t book_size(const Book *book) { return book->entries; }

BookEntry book_entry(const Book *book, size_t index) { return book_read_entry(book->bytes + index * BOOK_ENTRY_SIZE); }

/* ---- probing ---- */

size_t book_find(const Book *book, Key key)
{
    size_t low = 0, high = book->entries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (read_big(book->bytes + middle * BOOK_ENTRY_SIZE, 8) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The format counts a pawn that stands beside the one that moved, whether or not a pin forbids the capture; Position counts legal
 * captures only. */
Key book_key(const Position *pos, Move last)
{
    Square from = move_from(last), to = move_to(last);
    if (last == MOVE_NONE || pos->ep_square != SQ_NONE || abs(to - from) != 16) return pos->key;
    if (piece_type(pos->board[to]) != PAWN || move_kind(last) != MOVE_NORMAL) return pos->key;
    Bitboard takers = position_pieces(pos, position_side(pos), PAWN);
    bool     west   = square_file(to) > FILE_A && (takers >> (to - 1) & 1);
    bool     east   = square_file(to) < FILE_H && (takers >> (to + 1) & 1);
    return west || east ? pos->key ^ key_en_passant(to) : pos->key;
}

/* The legal move that an entry means. Some books write castling as the king's two steps. */
static Move decode_move(const Position *pos, const MoveList *legal, uint16_t wanted)
{
    for (int i = 0; i < legal->count; i++) {
        Move move = legal->moves[i];
        if (book_encode_move(move) == wanted) return move;
        if (move_kind(move) != MOVE_CASTLING) continue;
        Square target = castle_king_target(position_side(pos), castle_side_of(move));
        if (book_encode_move(move_make(move_from(move), target)) == wanted &&
            !move_list_has(legal, move_make(move_from(move), target)))
            return move;
    }
    return MOVE_NONE;
}

static void add_move(BookMoves *out, Move move, const BookEntry *entry)
{
    BookMove *known = NULL;
    for (int i = 0; i < out->count && !known; i++) {
        if (out->moves[i].move == move) known = &out->moves[i];
    }
    if (!known) {
        if (out->count == BOOK_MOVES_MAX) return;
        known  = &out->moves[out->count++];
        *known = (BookMove){.move = move};
        if (!book_unpack_counts(entry->learn, &known->games, &known->per_mille)) known->games = 0;
    }
    known->weight += entry->weight;
    out->total += entry->weight;
}

void book_probe(const Book *book, const Position *pos, Key key, BookMoves *out)
{
    out->count   = 0;
    out->total   = 0;
    size_t index = book_find(book, key);
    if (index == book->entries || book_entry(book, index).key != key) return;
    MoveList legal;
    movegen_legal(pos, &legal);
    for (; index < book->entries; index++) {
        BookEntry entry = book_entry(book, index);
        if (entry.key != key) return;
        Move move = decode_move(pos, &legal, entry.move);
        if (move != MOVE_NONE) add_move(out, move, &entry);
    }
}

/* ---- choosing ---- */

static Move choose_best(const BookMoves *moves)
{
    const BookMove *best = NULL;
    for (int i = 0; i < moves->count; i++) {
        if (moves->moves[i].weight > (best ? best->weight : 0)) best = &moves->moves[i];
    }
    return best ? best->move : MOVE_NONE;
}

Move book_choose(const BookMoves *moves, BookChoice choice, Rng *rng)
{
    if (moves->total == 0) return MOVE_NONE;
    if (choice == BOOK_BEST) return choose_best(moves);
    int64_t playable = 0;
    for (int i = 0; i < moves->count; i++) playable += moves->moves[i].weight > 0;
    int64_t ticket = (int64_t)rng_below(rng, (uint64_t)(choice == BOOK_WEIGHTED ? moves->total : playable));
    for (int i = 0; i < moves->count; i++) {
        int weight = moves->moves[i].weight;
        ticket -= choice == BOOK_WEIGHTED ? weight : weight > 0;
        if (ticket < 0) return moves->moves[i].move;
    }
    return MOVE_NONE;
}

void book_drop(BookMoves *moves, Move move)
{
    int kept = 0;
    for (int i = 0; i < moves->count; i++) {
        if (moves->moves[i].move == move) {
            moves->total -= moves->moves[i].weight;
        } else {
            moves->moves[kept++] = moves->moves[i];
        }
    }
    moves->count = kept;
}

/* fuzz_book.c - any bytes as a book: refused with a reason, or one whose every probe gives legal moves. */
#include "book/book.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Err      err = {0};
    Position pos;
    Rng      rng  = rng_seeded(size);
    Book    *book = book_from_memory(data, size, &err);
    if (!book) {
        fuzz_check_err(&err, fuzz_text(data, size));
        return 0;
    }
    FUZZ_CHECK(book_size(book) * BOOK_ENTRY_SIZE == size);
    position_set_start(&pos);
    for (size_t i = 0; i < book_size(book) && i < 64; i++) {
        BookMoves moves;
        BookEntry entry = book_entry(book, i);
        int64_t   total = 0;
        FUZZ_CHECK(book_entry(book, book_find(book, entry.key)).key == entry.key);
        book_probe(book, &pos, entry.key, &moves);
        for (int k = 0; k < moves.count; k++) {
            fuzz_check_move(&pos, moves.moves[k].move);
            total += moves.moves[k].weight;
        }
        FUZZ_CHECK(total == moves.total);
        for (BookChoice choice = BOOK_BEST; choice <= BOOK_UNIFORM; choice++)
            FUZZ_CHECK((book_choose(&moves, choice, &rng) == MOVE_NONE) == (total == 0));
    }
    book_free(book);
    return 0;
}

/* writer.c - see writer.h. */
#include "book/writer.h"

#include <stdlib.h>
#include <unistd.h>

bool writer_open(BookWriter *writer, const char *path, Err *err)
{
    *writer = (BookWriter){.path = path};
    buf_printf(&writer->temporary, "%s.tmp-%ld", path, (long)getpid());
    if (writer->temporary.failed) return err_set(err, ERR_MEMORY, 0, "no memory for a name");
    writer->file = fopen(writer->temporary.data, "wbe");
    if (writer->file) return true;
    return err_set_errno(err, ERR_IO, "cannot write the book '%s'", path);
}

/* Heaviest first; the move decides between equals, so that there is only one order. */
static int compare_moves(const void *a, const void *b)
{
    const WriterMove *x = a, *y = b;
    if (x->points != y->points) return x->points > y->points ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

/* Points as they are while they fit into sixteen bits; else in proportion, and never down to nothing. */
static uint16_t weight_of(uint64_t points, uint64_t most)
{
    if (most <= UINT16_MAX) return (uint16_t)points;
    for (; most > UINT64_MAX / UINT16_MAX; most /= 2) points /= 2; /* the product must fit */
    uint64_t scaled = points * UINT16_MAX / most;
    return (uint16_t)(scaled > 0 ? scaled : 1);
}

bool writer_add(BookWriter *writer, Key key, WriterMove *moves, size_t count, Err *err)
{
    qsort(moves, count, sizeof *moves, compare_moves);
    if (count == 0 || moves[0].points == 0) return true;
    writer->positions++;
    for (size_t i = 0; i < count && moves[i].points > 0; i++) {
        BookEntry entry = {
            .key    = key,
            .move   = moves[i].move,
            .weight = weight_of(moves[i].points, moves[0].points),
            .learn  = moves[i].games ? book_pack_counts(moves[i].games, moves[i].per_mille) : 0,
        };
        uint8_t bytes[BOOK_ENTRY_SIZE];
        book_write_entry(&entry, bytes);
        if (fwrite(bytes, sizeof bytes, 1, writer->file) != 1)
            return err_set_errno(err, ERR_IO, "cannot write the book '%s'", writer->path);
        writer->entries++;
    }
    return true;
}

bool writer_commit(BookWriter *writer, Err *err)
{
    if (writer->entries == 0)
        return err_set(err, ERR_NOT_FOUND, 0, "no move has enough games: '%s' is not written", writer->path);
    FILE *file   = writer->file;
    writer->file = NULL;
    bool flushed = fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (fclose(file) != 0 || !flushed || rename(writer->temporary.data, writer->path) != 0) {
        err_set_errno(err, ERR_IO, "cannot write the book '%s'", writer->path);
        unlink(writer->temporary.data);
        return false;
    }
    return true;
}

void writer_release(BookWriter *writer)
{
    if (writer->file) {
        fclose(writer->file);
        unlink(writer->temporary.data);
    }
    writer->file = NULL;
    buf_release(&writer->temporary);
}

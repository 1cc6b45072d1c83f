/* cmd_book_dump.c - `tabia book dump` and `tabia book stats`: a book as a whole. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/book_view.h"
#include "app/cli.h"
#include "base/clock.h"

static Book *open_book(const char *path)
{
    Err   err;
    Book *book = path ? book_open(path, &err) : book_open_default(&err);
    if (!book) cli_fail("%s", err.text);
    return book;
}

/* ---- dump ---- */

static void dump_entry(const BookEntry *entry, bool as_json)
{
    char     move[6];
    uint32_t games;
    int      per_mille;
    bool     counted = book_unpack_counts(entry->learn, &games, &per_mille);
    book_move_text(entry->move, move);
    if (as_json) {
        printf("{\"key\":\"%016" PRIx64 "\",\"move\":\"%s\",\"weight\":%u,\"learn\":%" PRIu32, entry->key, move, entry->weight,
               entry->learn);
        if (counted) printf(",\"games\":%" PRIu32 ",\"score\":%.1f", games, per_mille / 10.0);
        printf("}\n");
    } else if (counted) {
        printf("%016" PRIx64 " %-5s %5u  %" PRIu32 " games %.1f%%\n", entry->key, move, entry->weight, games, per_mille / 10.0);
    } else {
        printf("%016" PRIx64 " %-5s %5u\n", entry->key, move, entry->weight);
    }
}

int cmd_book_dump(int argc, char **argv)
{
    const char       *path      = NULL;
    bool              as_json   = false;
    const Option      options[] = {{"json", OPTION_FLAG, NULL, "one JSON object an entry", &as_json, 0, 0}, {0}};
    const CommandSpec spec      = {.usage          = "tabia book dump [BOOK] [--json]",
                                   .summary        = "Prints every entry of a book (default: the one inside the program).\n"
                                                          "Castling is the king taking his rook, as in the file.",
                                   .example        = "tabia book dump book.bin",
                                   .options        = options,
                                   .positional_max = 1};
    int               count, code = cli_parse(&spec, argc, argv, &path, &count);
    if (code >= 0) return code;
    Book *book = open_book(count ? path : NULL);
    if (!book) return EXIT_FAILED;
    for (size_t i = 0; i < book_size(book); i++) {
        BookEntry entry = book_entry(book, i);
        dump_entry(&entry, as_json);
    }
    book_free(book);
    return ferror(stdout) ? cli_fail("cannot write") : EXIT_DONE;
}

/* ---- stats ---- */

enum { WALK_PLIES = 512 };

typedef struct {
    uint64_t entries, positions, zero_weights;
    int      most_moves;
    uint64_t reached;        /* positions that book moves reach from the start */
    uint64_t illegal;        /* entries of those that are no legal move */
    int      longest, plies; /* the longest line found; the line of the heaviest moves */
    double   probe_us;       /* 0: not measured */
} BookStats;

static void count_entries(const Book *book, BookStats *stats)
{
    Key last  = 0;
    int moves = 0;
    for (size_t i = 0; i < book_size(book); i++) {
        BookEntry entry = book_entry(book, i);
        moves           = i > 0 && entry.key == last ? moves + 1 : 1;
        stats->positions += moves == 1;
        stats->zero_weights += entry.weight == 0;
        if (moves > stats->most_moves) stats->most_moves = moves;
        last = entry.key;
    }
    stats->entries = book_size(book);
}

/* Walks from the start along book moves, each position once: `seen` has a flag an entry, set at the first of a position. */
static void walk(const Book *book, const Position *pos, Key key, int ply, bool *seen, BookStats *stats)
{
    size_t first = book_find(book, key);
    if (ply > stats->longest) stats->longest = ply;
    if (ply == WALK_PLIES || first == book_size(book) || book_entry(book, first).key != key || seen[first]) return;
    BookMoves *moves = malloc(sizeof *moves);
    if (!moves) return;
    seen[first] = true;
    stats->reached++;
    book_probe(book, pos, key, moves);
    size_t end = first;
    while (end < book_size(book) && book_entry(book, end).key == key) end++;
    stats->illegal += end - first > (size_t)moves->count ? end - first - (size_t)moves->count : 0;
    for (int i = 0; i < moves->count; i++) {
        Position next;
        position_play(pos, moves->moves[i].move, &next);
        walk(book, &next, book_key(&next, moves->moves[i].move), ply + 1, seen, stats);
    }
    free(moves);
}

static int main_line(const Book *book)
{
    Position pos;
    Move     last = MOVE_NONE;
    int      ply  = 0;
    position_set_start(&pos);
    for (; ply < WALK_PLIES; ply++) {
        BookMoves moves;
        book_probe(book, &pos, book_key(&pos, last), &moves);
        last = book_choose(&moves, BOOK_BEST, NULL);
        if (last == MOVE_NONE) break;
        Position before = pos;
        position_play(&before, last, &pos);
    }
    return ply;
}

/* Microseconds of a whole probe (search, legal moves, entries) of keys that are in the book, spread over all of it. */
static double time_probes(const Book *book, int count)
{
    Rng       rng = rng_seeded(1);
    Position  pos;
    BookMoves moves;
    position_set_start(&pos);
    int64_t start = clock_now_ns();
    for (int i = 0; i < count; i++) {
        Key key = book_entry(book, (size_t)rng_below(&rng, book_size(book))).key;
        book_probe(book, &pos, key, &moves);
    }
    return clock_seconds_since(start) * 1e6 / count;
}

static void print_stats(const BookStats *stats, bool as_json)
{
    if (!as_json) {
        printf("%" PRIu64 " positions, %" PRIu64 " moves, %" PRIu64 " bytes\n", stats->positions, stats->entries,
               stats->entries * BOOK_ENTRY_SIZE);
        printf("%.2f moves a position, at most %d; %" PRIu64 " moves of weight 0\n",
               (double)stats->entries / (double)stats->positions, stats->most_moves, stats->zero_weights);
        printf("%" PRIu64 " positions are reached from the start, %" PRIu64 " moves there are not legal\n", stats->reached,
               stats->illegal);
        printf("the line of the heaviest moves has %d half-moves, the longest found %d\n", stats->plies, stats->longest);
        if (stats->probe_us > 0) printf("a probe takes %.3f microseconds\n", stats->probe_us);
        return;
    }
    Buf        out = {0};
    JsonWriter json;
    json_init(&json, &out);
    json_begin_object(&json, NULL);
    json_u64(&json, "positions", stats->positions);
    json_u64(&json, "entries", stats->entries);
    json_u64(&json, "bytes", stats->entries * BOOK_ENTRY_SIZE);
    json_i64(&json, "most_moves", stats->most_moves);
    json_u64(&json, "zero_weights", stats->zero_weights);
    json_u64(&json, "reached", stats->reached);
    json_u64(&json, "illegal", stats->illegal);
    json_i64(&json, "main_line", stats->plies);
    json_i64(&json, "longest_line", stats->longest);
    if (stats->probe_us > 0) json_double(&json, "probe_us", stats->probe_us, 3);
    json_end_object(&json);
    puts(buf_str(&out).ptr);
    buf_release(&out);
}

int cmd_book_stats(int argc, char **argv)
{
    const char       *path      = NULL;
    bool              as_json   = false;
    int               probes    = 0;
    const Option      options[] = {{"json", OPTION_FLAG, NULL, "print one JSON object", &as_json, 0, 0},
                                   {"time-probes", OPTION_INT, "N", "also time N probes", &probes, 1, 100000000},
                                   {0}};
    const CommandSpec spec      = {.usage          = "tabia book stats [BOOK] [--json]",
                                   .summary        = "Counts the positions and moves of a book (default: the one inside the\n"
                                                          "program), and walks it from the start.",
                                   .example        = "tabia book stats book.bin",
                                   .options        = options,
                                   .positional_max = 1};
    int               count, code = cli_parse(&spec, argc, argv, &path, &count);
    if (code >= 0) return code;
    Book *book = open_book(count ? path : NULL);
    if (!book) return EXIT_FAILED;
    BookStats stats = {0};
    Position  start;
    bool     *seen = calloc(book_size(book), sizeof *seen);
    if (!seen) {
        book_free(book);
        return cli_fail("no memory");
    }
    position_set_start(&start);
    count_entries(book, &stats);
    walk(book, &start, start.key, 0, seen, &stats);
    stats.plies = main_line(book);
    if (probes) stats.probe_us = time_probes(book, probes);
    free(seen);
    book_free(book);
    print_stats(&stats, as_json);
    return EXIT_DONE;
}

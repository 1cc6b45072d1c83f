/* test_book.c - Polyglot books: keys, entries, probing, choosing; broken files; the names of openings. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/testing.h"

#include "book/book.h"
#include "book/names.h"

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/* A book in memory: entries must be given in the order of their keys. */
typedef struct {
    uint8_t bytes[64 * BOOK_ENTRY_SIZE];
    size_t  count;
    Book   *book;
} TestBook;

static void put(TestBook *t, Key key, uint16_t move, uint16_t weight)
{
    book_write_entry(&(BookEntry){.key = key, .move = move, .weight = weight}, t->bytes + t->count++ * BOOK_ENTRY_SIZE);
}

static BookMoves probe(TestBook *t, const Position *pos)
{
    Err       err = {0};
    BookMoves moves;
    Book     *book = book_from_memory(t->bytes, t->count * BOOK_ENTRY_SIZE, &err);
    if (!book) fail_msg("%s", err.text);
    book_probe(book, pos, book_key(pos, MOVE_NONE), &moves);
    book_free(book);
    return moves;
}

/* ---- keys ---- */

/* The nine positions and keys that the format's description publishes. */
static void published_keys_are_book_keys(void **state)
{
    (void)state;
    static const struct {
        const char *moves;
        Key         key;
    } published[] = {
        {"", 0x463b96181691fc9cU},
        {"e2e4", 0x823c9b50fd114196U},
        {"e2e4 d7d5", 0x0756b94461c50fb0U},
        {"e2e4 d7d5 e4e5", 0x662fafb965db29d4U},
        {"e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78U},
        {"e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1U},
        {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9U},
        {"a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637U},
        {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560U},
    };
    Position start = position_of(START);
    for (size_t i = 0; i < COUNT_OF(published); i++) {
        Position pos = position_after(&start, published[i].moves);
        assert_int_equal(book_key(&pos, MOVE_NONE), published[i].key);
    }
}

/* The king on a4 and the rook on h4 pin both pawns of the rank: the capture is illegal, but the format counts it. */
static void a_pinned_pawn_beside_a_double_step_changes_the_key(void **state)
{
    (void)state;
    Position before  = position_of("4k3/3p4/8/K1P4r/8/8/8/8 b - - 0 1");
    Move     step    = move_of(&before, "d7d5");
    Position after   = position_after(&before, "d7d5");
    Position without = position_of("4k3/8/8/K1Pp3r/8/8/8/8 w - - 0 2");
    assert_int_equal(after.ep_square, SQ_NONE);
    assert_int_equal(after.key, without.key);
    assert_int_not_equal(book_key(&after, step), after.key);
    /* the difference is that of the file, which a legal capture shows */
    Position legal  = position_of("4k3/8/8/2Pp4/8/8/8/K7 w - d6 0 2");
    Position absent = position_of("4k3/8/8/2Pp4/8/8/8/K7 w - - 0 2");
    assert_int_equal(book_key(&after, step) ^ after.key, legal.key ^ absent.key);
}

static void a_double_step_beside_no_pawn_or_over_the_edge_does_not(void **state)
{
    (void)state;
    Position before = position_of("4k3/p7/8/7P/1P6/8/8/4K3 b - - 0 1"); /* h5 comes before a6, and b4 does not stand on rank 5 */
    Position after  = position_after(&before, "a7a5");
    assert_int_equal(book_key(&after, move_of(&before, "a7a5")), after.key);
}

/* ---- entries ---- */

static void an_entry_is_big_endian_and_comes_back(void **state)
{
    (void)state;
    static const uint8_t bytes[BOOK_ENTRY_SIZE] = {0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c,
                                                   0x03, 0x1c, 0x12, 0x34, 0xde, 0xad, 0xbe, 0xef};
    uint8_t              again[BOOK_ENTRY_SIZE];
    char                 text[6];
    BookEntry            entry = book_read_entry(bytes);
    assert_int_equal(entry.key, 0x463b96181691fc9cU);
    assert_int_equal(entry.weight, 0x1234);
    assert_int_equal(entry.learn, 0xdeadbeef);
    book_move_text(entry.move, text);
    assert_string_equal(text, "e2e4");
    book_write_entry(&entry, again);
    assert_memory_equal(again, bytes, sizeof bytes);
}

static void every_promotion_is_encoded_as_the_format_says(void **state)
{
    (void)state;
    static const char *const moves[] = {"a7a8n", "a7a8b", "a7a8r", "a7a8q"};
    Position                 pos     = position_of("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for (unsigned i = 0; i < COUNT_OF(moves); i++) {
        char     text[6];
        uint16_t code = book_encode_move(move_of(&pos, moves[i]));
        book_move_text(code, text);
        assert_int_equal(code >> 12, i + 1);
        assert_string_equal(text, moves[i]);
    }
}

static void counts_survive_packing_and_foreign_bytes_are_none(void **state)
{
    (void)state;
    uint32_t games;
    int      score;
    assert_true(book_unpack_counts(book_pack_counts(412265, 547), &games, &score));
    assert_int_equal(games, 412265);
    assert_int_equal(score, 547);
    assert_true(book_unpack_counts(book_pack_counts(1U << 30, 1000), &games, &score));
    assert_int_equal(games, BOOK_GAMES_MAX);
    assert_false(book_unpack_counts(0, &games, &score));
    assert_false(book_unpack_counts(1023, &games, &score));
}

/* ---- probing ---- */

static void castling_is_found_in_both_spellings(void **state)
{
    (void)state;
    Position pos = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    TestBook own = {.count = 0}, other = {.count = 0};
    put(&own, pos.key, book_encode_move(move_make(E1, H1)), 1);
    put(&own, pos.key, book_encode_move(move_make(E1, A1)), 1);
    put(&other, pos.key, book_encode_move(move_make(E1, G1)), 1);
    put(&other, pos.key, book_encode_move(move_make(E1, C1)), 1);
    BookMoves a = probe(&own, &pos), b = probe(&other, &pos);
    assert_int_equal(a.count, 2);
    assert_int_equal(b.count, 2);
    assert_int_equal(a.moves[0].move, move_of(&pos, "e1g1"));
    assert_int_equal(b.moves[0].move, move_of(&pos, "e1g1"));
    assert_int_equal(b.moves[1].move, move_of(&pos, "e1c1"));
}

static void what_is_no_legal_move_is_left_out_and_doubles_are_added(void **state)
{
    (void)state;
    Position pos  = position_of(START);
    TestBook t    = {.count = 0};
    uint16_t e2e4 = book_encode_move(move_make(E2, E4));
    put(&t, pos.key - 1, e2e4, 9);
    put(&t, pos.key, e2e4, 5);
    put(&t, pos.key, book_encode_move(move_make(E2, E5)), 7);
    put(&t, pos.key, e2e4, 6);
    put(&t, pos.key, 0xffff, 8);
    put(&t, pos.key + 1, e2e4, 9);
    BookMoves moves = probe(&t, &pos);
    assert_int_equal(moves.count, 1);
    assert_int_equal(moves.moves[0].weight, 11);
    assert_int_equal(moves.total, 11);
}

static void the_first_and_the_last_entry_are_found(void **state)
{
    (void)state;
    Position pos  = position_of(START);
    TestBook t    = {.count = 0};
    uint16_t move = book_encode_move(move_make(G1, F3));
    put(&t, pos.key, move, 1);
    for (Key k = 1; k < 40; k++) put(&t, pos.key + k, move, 1);
    assert_int_equal(probe(&t, &pos).count, 1);
    TestBook u = {.count = 0};
    for (Key k = 39; k > 0; k--) put(&u, pos.key - k, move, 1);
    put(&u, pos.key, move, 1);
    assert_int_equal(probe(&u, &pos).count, 1);
    Position other = position_after(&pos, "e4");
    assert_int_equal(probe(&u, &other).count, 0);
}

/* ---- choosing ---- */

static void weights_decide_and_zero_is_never_played(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    BookMoves moves = {
        .count = 3, .total = 4, .moves = {{.move = 1, .weight = 0}, {.move = 2, .weight = 1}, {.move = 3, .weight = 3}}};
    Rng rng     = rng_seeded(7);
    int seen[4] = {0}, even[4] = {0};
    assert_int_equal(book_choose(&moves, BOOK_BEST, &rng), 3);
    for (int i = 0; i < ROUNDS; i++) {
        seen[book_choose(&moves, BOOK_WEIGHTED, &rng)]++;
        even[book_choose(&moves, BOOK_UNIFORM, &rng)]++;
    }
    assert_int_equal(seen[0] + seen[1] + even[0] + even[1], 0);
    assert_in_range(seen[3], ROUNDS * 73 / 100, ROUNDS * 77 / 100);
    assert_in_range(even[3], ROUNDS * 48 / 100, ROUNDS * 52 / 100);
    book_drop(&moves, 3);
    assert_int_equal(book_choose(&moves, BOOK_WEIGHTED, &rng), 2);
    book_drop(&moves, 2);
    assert_int_equal(book_choose(&moves, BOOK_UNIFORM, &rng), MOVE_NONE);
}

/* ---- broken files ---- */

static void expect_refused(const char *path, const char *words)
{
    Err   err  = {0};
    Book *book = book_open(path, &err);
    assert_null(book);
    if (str_find_nocase(str_from(err.text), str_from(words)) == strlen(err.text)) fail_msg("'%s' lacks '%s'", err.text, words);
}

static void broken_files_are_named_for_what_they_are(void **state)
{
    (void)state;
    char     path[] = "/tmp/tabia-test-book-XXXXXX";
    TestBook t      = {.count = 0};
    int      fd     = mkstemp(path);
    assert_true(fd >= 0);
    expect_refused(path, "empty");
    put(&t, 7, 1, 1);
    put(&t, 6, 1, 1);
    assert_int_equal(write(fd, t.bytes, 20), 20);
    expect_refused(path, "20 bytes");
    assert_int_equal(write(fd, t.bytes + 20, 12), 12);
    expect_refused(path, "entry 2 of 2");
    close(fd);
    unlink(path);
    expect_refused(path, "No such file");
    expect_refused("/", "not a file");
}

static void an_unsorted_book_of_the_world_is_refused_and_good_ones_are_read(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    shared_path_or_skip("data/openings/polyglot_bin/rodent.bin", path);
    expect_refused(path, "sorted");
    static const char *const good[] = {"gm2001.bin", "gnuchess_book.bin", "performance.bin", "lasker-trap.bin"};
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        char name[96];
        snprintf(name, sizeof name, "data/openings/polyglot_bin/%s", good[i]);
        shared_path_or_skip(name, path);
        Err   err  = {0};
        Book *book = book_open(path, &err);
        if (!book) fail_msg("%s: %s", good[i], err.text);
        book_free(book);
    }
}

/* ---- the book inside the program ---- */

/* The line that a book must know: the Ruy Lopez up to the Closed Defence, move for move, without any search. */
static void the_built_in_book_knows_the_ruy_lopez(void **state)
{
    (void)state;
    static const char *const line[] = {"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3"};
    Err                      err    = {0};
    Position                 pos    = position_of(START);
    Book                    *book   = book_open_default(&err);
    if (!book) fail_msg("%s", err.text);
    assert_true(book_size(book) * BOOK_ENTRY_SIZE <= 1500000);
    for (size_t i = 0; i < COUNT_OF(line); i++) {
        BookMoves moves;
        book_probe(book, &pos, pos.key, &moves);
        Move wanted = move_of(&pos, line[i]);
        int  at     = 0;
        while (at < moves.count && moves.moves[at].move != wanted) at++;
        if (at == moves.count || moves.moves[at].weight == 0) fail_msg("%s is not in the book", line[i]);
        if (i >= 2) assert_int_equal(book_choose(&moves, BOOK_BEST, NULL), wanted); /* after 1. e4 e5 it is the main line */
        pos = position_after(&pos, line[i]);
    }
    book_free(book);
}

/* ---- names ---- */

static void openings_have_their_names_by_whatever_way(void **state)
{
    (void)state;
    Err         err   = {0};
    Names      *names = names_new(&err);
    Position    start = position_of(START);
    OpeningName name;
    if (!names) fail_msg("%s", err.text);
    Position ruy = position_after(&start, "e4 e5 Nf3 Nc6 Bb5");
    assert_true(names_find(names, &ruy, &name));
    assert_str_equal(name.code, "C60");
    assert_str_equal(name.name, "Ruy Lopez");
    ruy = position_after(&start, "Nf3 Nc6 e4 e5 Bb5");
    assert_true(names_find(names, &ruy, &name));
    assert_str_equal(name.code, "C60");
    assert_false(names_find(names, &start, &name));
    assert_true(names_count(names) > 3000);
    names_free(names);
}

static void a_game_has_the_name_of_its_last_known_position(void **state)
{
    (void)state;
    Names      *names = names_new(NULL);
    Position    start = position_of(START);
    Game        game;
    OpeningName name;
    assert_non_null(names);
    assert_true(game_init(&game, &start));
    assert_false(names_of_game(names, &game, &name));
    static const char *const moves[] = {"e4", "c5", "Nf3", "d6", "h4", "a6"};
    for (size_t i = 0; i < COUNT_OF(moves); i++) game_play(&game, move_of(&game.now, moves[i]));
    assert_true(names_of_game(names, &game, &name));
    assert_str_equal((Str){name.code.ptr, 1}, "B");
    Position elsewhere = position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    game_reset(&game, &elsewhere);
    assert_false(names_of_game(names, &game, &name));
    game_release(&game);
    names_free(names);
}

static void a_broken_table_of_names_is_told_by_its_line(void **state)
{
    (void)state;
    static const char *const broken[] = {"0 e4|B00 A\n2 e5|C20 B\n", "0 e4|B00 A\n1 e4|C20 B\n", "0 e4|B00 A\n1 e5|C20\n"};
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        Err err = {0};
        assert_null(names_from_text(str_from(broken[i]), &err));
        assert_int_equal(err.offset, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_keys_are_book_keys),
        cmocka_unit_test(a_pinned_pawn_beside_a_double_step_changes_the_key),
        cmocka_unit_test(a_double_step_beside_no_pawn_or_over_the_edge_does_not),
        cmocka_unit_test(an_entry_is_big_endian_and_comes_back),
        cmocka_unit_test(every_promotion_is_encoded_as_the_format_says),
        cmocka_unit_test(counts_survive_packing_and_foreign_bytes_are_none),
        cmocka_unit_test(castling_is_found_in_both_spellings),
        cmocka_unit_test(what_is_no_legal_move_is_left_out_and_doubles_are_added),
        cmocka_unit_test(the_first_and_the_last_entry_are_found),
        cmocka_unit_test(weights_decide_and_zero_is_never_played),
        cmocka_unit_test(broken_files_are_named_for_what_they_are),
        cmocka_unit_test(an_unsorted_book_of_the_world_is_refused_and_good_ones_are_read),
        cmocka_unit_test(the_built_in_book_knows_the_ruy_lopez),
        cmocka_unit_test(openings_have_their_names_by_whatever_way),
        cmocka_unit_test(a_game_has_the_name_of_its_last_known_position),
        cmocka_unit_test(a_broken_table_of_names_is_told_by_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

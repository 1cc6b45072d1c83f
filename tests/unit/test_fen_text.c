/* test_fen_text.c - the forms of FEN: X-FEN, Shredder-FEN, EPD, and writing what was read. */
#include "support/testing.h"

#include "chess/fen.h"

static void assert_rewritten(const char *text, const char *expected)
{
    Position pos = position_of(text);
    char     fen[FEN_SIZE];
    size_t   len = position_to_fen(&pos, fen);
    assert_string_equal(fen, expected);
    assert_int_equal(len, strlen(fen));
}

static void what_is_written_is_what_was_read(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/8/8/8/8/8/8/K1k5 b - - 99 4294967295",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34",
        "1rqkrbbn/1ppppp1p/8/p2n1Pp1/8/6P1/PPPPP2P/1RQKRBBN w EBeb g6 0 5",
    };
    for (size_t i = 0; i < COUNT_OF(fens); i++) assert_rewritten(fens[i], fens[i]);
}

static void missing_counters_and_odd_spaces_are_written_properly(void **state)
{
    (void)state;
    assert_rewritten("  4k3/8/8/8/8/8/8/4K3\tw  -  - \r\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_rewritten("44/k7/8/8/8/8/8/K7 b - -", "8/k7/8/8/8/8/8/K7 b - - 0 1");
}

static void the_order_of_castling_letters_does_not_matter(void **state)
{
    (void)state;
    assert_rewritten("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
}

/* K and Q mean the outermost rook; an inner one has to be named by its file. */
static void x_fen_means_the_outer_rook_and_names_the_inner_one(void **state)
{
    (void)state;
    Position outer = position_of("4k3/8/8/8/8/8/8/1R2KRR1 w K - 0 1"), inner = position_of("4k3/8/8/8/8/8/8/1R2KRR1 w F - 0 1");
    assert_int_equal(position_castle_rook(&outer, WHITE, SIDE_SHORT), G1);
    assert_int_equal(position_castle_rook(&inner, WHITE, SIDE_SHORT), F1);
    assert_int_equal(position_castle_rook(&outer, WHITE, SIDE_LONG), SQ_NONE);
    assert_true(outer.chess960 && inner.chess960);
    assert_false(position_same(&outer, &inner));
}

static void shredder_letters_are_files_and_make_it_chess960(void **state)
{
    (void)state;
    Position shredder = position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    Position classic  = position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_true(shredder.chess960);
    assert_false(classic.chess960);
    assert_true(shredder.key == classic.key);
    assert_true(position_same(&shredder, &classic));
}

static void epd_text_leaves_its_operations_to_the_caller(void **state)
{
    (void)state;
    static const struct {
        const char *text, *rest;
        unsigned    halfmove, fullmove;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id \"x\";", "bm Kd2; id \"x\";", 0, 1},
        {"4k3/8/8/8/8/8/8/4K3 w - - 5 6 ;D1 20", ";D1 20", 5, 6},
        {"4k3/8/8/8/8/8/8/4K3 w - - 5 6; D1 20", "; D1 20", 5, 6}, /* no space before the semicolon, as in real suites */
        {"4k3/8/8/8/8/8/8/4K3 w - -; bm Kd2;", "; bm Kd2;", 0, 1},
        {"4k3/8/8/8/8/8/8/4K3 w - -", "", 0, 1},
        {"4k3/8/8/8/8/8/8/4K3 w - - 5 bm Kd2;", "bm Kd2;", 5, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Position pos;
        Str      rest;
        assert_true(position_from_fen_prefix(str_from(cases[i].text), &pos, &rest, NULL, NULL));
        assert_str_equal(str_trim(rest), cases[i].rest);
        assert_int_equal(pos.halfmove, cases[i].halfmove);
        assert_int_equal(pos.fullmove, cases[i].fullmove);
    }
}

static void squares_have_names_and_nothing_else_has(void **state)
{
    (void)state;
    assert_int_equal(square_from_text(STR("a1")), A1);
    assert_int_equal(square_from_text(STR("h8")), H8);
    assert_int_equal(square_from_text(STR("e4")), E4);
    static const char *const bad[] = {"", "e", "e9", "e0", "i1", "E4", "e44", "4e"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) assert_int_equal(square_from_text(str_from(bad[i])), SQ_NONE);
}

static void pieces_have_letters_and_nothing_else_has(void **state)
{
    (void)state;
    const char letters[] = "PNBRQKpnbrqk";
    for (size_t i = 0; i + 1 < sizeof letters; i++) assert_int_equal(piece_letter(piece_from_letter(letters[i])), letters[i]);
    assert_int_equal(piece_from_letter('K'), W_KING);
    assert_int_equal(piece_from_letter('p'), B_PAWN);
    assert_int_equal(piece_from_letter('.'), NO_PIECE);
    assert_int_equal(piece_from_letter('\0'), NO_PIECE);
    assert_int_equal(piece_letter(NO_PIECE), '.');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_what_was_read),
        cmocka_unit_test(missing_counters_and_odd_spaces_are_written_properly),
        cmocka_unit_test(the_order_of_castling_letters_does_not_matter),
        cmocka_unit_test(x_fen_means_the_outer_rook_and_names_the_inner_one),
        cmocka_unit_test(shredder_letters_are_files_and_make_it_chess960),
        cmocka_unit_test(epd_text_leaves_its_operations_to_the_caller),
        cmocka_unit_test(squares_have_names_and_nothing_else_has),
        cmocka_unit_test(pieces_have_letters_and_nothing_else_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_notation.c - moves as text: what is understood, what is refused and why, and how moves are written. */
#include "support/testing.h"

#include "chess/notation.h"

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

typedef struct {
    const char *fen, *text, *uci;
} Case;

static void check_san(const Case *c)
{
    Position pos  = position_of(c->fen);
    Move     move = MOVE_NONE;
    Err      err;
    char     uci[UCI_MOVE_SIZE];
    if (!move_from_san(&pos, str_from(c->text), &move, &err)) fail_msg("%s: %s", c->fen, err.text);
    move_to_uci(&pos, move, uci);
    if (strcmp(uci, c->uci) != 0) fail_msg("%s: '%s' was read as %s, not %s", c->fen, c->text, uci, c->uci);
}

static void check_written(const Case *c)
{
    Position pos = position_of(c->fen);
    char     san[SAN_SIZE];
    size_t   len = move_to_san(&pos, move_of(&pos, c->uci), san);
    if (strcmp(san, c->text) != 0) fail_msg("%s: %s is written '%s', not '%s'", c->fen, c->uci, san, c->text);
    assert_int_equal(len, strlen(san));
}

/* Every refusal leaves the caller's move alone. */
static void check_refused(const char *fen, const char *text, ErrCode code)
{
    Position pos  = position_of(fen);
    Move     move = 0x1234;
    Err      err  = {0};
    if (move_from_san(&pos, str_from(text), &move, &err)) fail_msg("%s: '%s' was read as %04x", fen, text, move);
    if (err.code != code) fail_msg("%s: '%s': code %d (%s) instead of %d", fen, text, err.code, err.text, code);
    if (move != 0x1234) fail_msg("%s: '%s' was refused, but the move was written", fen, text);
}

#define CASTLE_FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
#define PROMOTE_FEN "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1"
#define EP_FEN "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"

static void castling_is_read_with_letters_zeros_and_small_letters(void **state)
{
    (void)state;
    static const Case cases[] = {
        {CASTLE_FEN, "O-O", "e1g1"},   {CASTLE_FEN, "0-0", "e1g1"},      {CASTLE_FEN, "o-o", "e1g1"},
        {CASTLE_FEN, "OO", "e1g1"},    {CASTLE_FEN, "O-O-O", "e1c1"},    {CASTLE_FEN, "0-0-0", "e1c1"},
        {CASTLE_FEN, "o-o-o", "e1c1"}, {CASTLE_FEN, "O-O-O+!?", "e1c1"}, {CASTLE_FEN, "e1g1", "e1g1"},
        {CASTLE_FEN, "e1h1", "e1g1"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) check_san(&cases[i]);
}

static void marks_of_capture_and_check_may_be_missing_or_too_many(void **state)
{
    (void)state;
    static const char fen[]   = "4k3/8/8/3p4/4P3/2N5/8/3QK3 w - - 0 1";
    static const Case cases[] = {
        {fen, "exd5", "e4d5"},   {fen, "ed5", "e4d5"},   {fen, "e:d5", "e4d5"},   {fen, "exd5+", "e4d5"}, {fen, "exd5#", "e4d5"},
        {fen, "Nd5", "c3d5"},    {fen, "Nxd5", "c3d5"},  {fen, "Nxd5++", "c3d5"}, {fen, "Nxe2", "c3e2"},  {fen, "Qa4", "d1a4"},
        {fen, "Qa4+!!", "d1a4"}, {fen, "Qa4??", "d1a4"}, {fen, "e5!?", "e4e5"},   {fen, "e5?!", "e4e5"},  {fen, " e5 ", "e4e5"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) check_san(&cases[i]);
}

static void more_disambiguation_than_needed_is_fine(void **state)
{
    (void)state;
    static const Case cases[] = {
        {START_FEN, "Ngf3", "g1f3"},   {START_FEN, "N1f3", "g1f3"}, {START_FEN, "Ng1f3", "g1f3"}, {START_FEN, "Ng1-f3", "g1f3"},
        {START_FEN, "ee4", "e2e4"},    {START_FEN, "e2e4", "e2e4"}, {START_FEN, "e2-e4", "e2e4"}, {START_FEN, "Pe4", "e2e4"},
        {START_FEN, "Pe2-e4", "e2e4"}, {START_FEN, "g1f3", "g1f3"}, {START_FEN, "g1-f3", "g1f3"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) check_san(&cases[i]);
}

static void promotions_are_read_in_every_usual_spelling(void **state)
{
    (void)state;
    static const Case cases[] = {
        {PROMOTE_FEN, "e8=Q", "e7e8q"},    {PROMOTE_FEN, "e8Q", "e7e8q"},   {PROMOTE_FEN, "e8(Q)", "e7e8q"},
        {PROMOTE_FEN, "e8/Q", "e7e8q"},    {PROMOTE_FEN, "e8=q", "e7e8q"},  {PROMOTE_FEN, "e8=N", "e7e8n"},
        {PROMOTE_FEN, "exd8=B", "e7d8b"},  {PROMOTE_FEN, "ed8R", "e7d8r"},  {PROMOTE_FEN, "exd8=Q+", "e7d8q"},
        {PROMOTE_FEN, "e7e8q", "e7e8q"},   {PROMOTE_FEN, "e7e8Q", "e7e8q"}, {PROMOTE_FEN, "e7-e8=R", "e7e8r"},
        {PROMOTE_FEN, "e7xd8=N", "e7d8n"}, {PROMOTE_FEN, "e8=Q!", "e7e8q"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) check_san(&cases[i]);
}

static void en_passant_may_be_named(void **state)
{
    (void)state;
    static const Case cases[] = {
        {EP_FEN, "exd6", "e5d6"},  {EP_FEN, "exd6e.p.", "e5d6"}, {EP_FEN, "exd6 e.p.", "e5d6"}, {EP_FEN, "exd6ep", "e5d6"},
        {EP_FEN, "e5xd6", "e5d6"}, {EP_FEN, "e5d6", "e5d6"},     {EP_FEN, "e6", "e5e6"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) check_san(&cases[i]);
}

/* A small b is a file: bxc3 is a pawn's move when both could take. */
static void a_small_b_is_the_pawn_and_a_big_one_the_bishop(void **state)
{
    (void)state;
    static const char fen[]   = "4k3/8/8/8/1B6/2n5/1P6/4K3 w - - 0 1";
    static const Case cases[] = {{fen, "bxc3", "b2c3"}, {fen, "Bxc3", "b4c3"}, {fen, "bc3", "b2c3"}, {fen, "Bc3", "b4c3"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) check_san(&cases[i]);
}

static void ambiguous_moves_are_refused_as_such(void **state)
{
    (void)state;
    check_refused("4k3/8/8/8/8/8/8/RN2KN1R w - - 0 1", "Nd2", ERR_AMBIGUOUS);
    check_refused("7k/8/8/8/8/R7/8/R3K3 w - - 0 1", "Raa2", ERR_AMBIGUOUS);
    check_refused("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "Qhe1", ERR_AMBIGUOUS);
}

static void illegal_moves_are_refused_as_such(void **state)
{
    (void)state;
    check_refused(START_FEN, "e5", ERR_ILLEGAL_MOVE);
    check_refused(START_FEN, "exd3", ERR_ILLEGAL_MOVE);
    check_refused(START_FEN, "O-O", ERR_ILLEGAL_MOVE);
    check_refused(START_FEN, "Ke2", ERR_ILLEGAL_MOVE);
    check_refused(START_FEN, "e2e5", ERR_ILLEGAL_MOVE);
    check_refused(START_FEN, "e7e5", ERR_ILLEGAL_MOVE);                          /* the other side's */
    check_refused("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "Ke2", ERR_ILLEGAL_MOVE);    /* into check */
    check_refused("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", ERR_ILLEGAL_MOVE); /* through it */
    check_refused("k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", ERR_ILLEGAL_MOVE);  /* pinned */
    check_refused("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6", ERR_ILLEGAL_MOVE); /* too late */
    check_refused("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", ERR_ILLEGAL_MOVE);  /* a capture needs its file */
    check_refused("4k3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=Q", ERR_ILLEGAL_MOVE);  /* blocked */
    check_refused(START_FEN, "e4=Q", ERR_ILLEGAL_MOVE);
    check_refused(START_FEN, "Nf3=Q", ERR_ILLEGAL_MOVE);
}

static void a_promotion_must_name_its_piece_and_a_possible_one(void **state)
{
    (void)state;
    Position pos = position_of(PROMOTE_FEN);
    Move     move;
    Err      err;
    assert_false(move_from_san(&pos, STR("e8"), &move, &err));
    assert_int_equal(err.code, ERR_ILLEGAL_MOVE);
    assert_non_null(strstr(err.text, "promote"));
    static const char *const bad[] = {"exd8", "e7e8", "e8=K", "e8K", "e8(K)", "e8=P", "e7e8k", "exd8=K+"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        if (move_from_san(&pos, str_from(bad[i]), &move, &err)) fail_msg("'%s' was read as %04x", bad[i], move);
    }
}

static void what_is_no_move_is_refused_as_such(void **state)
{
    (void)state;
    static const char *const bad[] = {"",        " ",      "e",   "4",   "x",   "+",      "!?", "--",   "e9",  "i4",
                                      "Zf3",     "Nf",     "N",   "e4e", "e44", "1.e4",   "$1", "{e4}", "O",   "O-",
                                      "O-O-O-O", "OOOO",   "0-1", "1-0", "*",   "Ngg1f3", "=Q", "e8=",  "(Q)", "\342\231\230f3",
                                      "0000",    "1/2-1/2"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) check_refused(START_FEN, bad[i], ERR_SYNTAX);
}

/* strchr finds the zero that ends its own text: bytes of zero must not pass for letters. */
static void zero_bytes_are_no_castling(void **state)
{
    (void)state;
    Position pos  = position_of(CASTLE_FEN);
    Move     move = MOVE_NONE;
    assert_false(move_from_san(&pos, (Str){"\0\0-", 3}, &move, NULL));
    assert_false(move_from_san(&pos, (Str){"O\0-", 3}, &move, NULL));
    assert_false(move_from_san(&pos, (Str){"\0\0\0", 3}, &move, NULL));
}

static void written_moves_carry_the_shortest_disambiguation(void **state)
{
    (void)state;
    static const Case cases[] = {
        {START_FEN, "Nf3", "g1f3"},
        {START_FEN, "e4", "e2e4"},
        {"4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nbd2", "b1d2"},
        {"4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Na3", "b1a3"},
        {"7k/8/8/R7/8/8/8/R3K3 w - - 0 1", "R1a3", "a1a3"}, /* the same file: the rank tells them apart */
        {"1k6/8/8/8/Q6Q/8/8/4K2Q w - - 0 1", "Qae4", "a4e4"},
        {"1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "Qh4e1", "h4e1"},   /* one shares the file, one the rank: both */
        {"7k/8/8/4n3/8/2N5/4r3/4KN2 w - - 0 1", "Nxe2", "c3e2"}, /* f1 does not reach e2 at all */
        {"k3r3/8/8/8/8/2N5/4N3/4K3 w - - 0 1", "Nd5", "c3d5"},
        {"k3r3/8/8/8/8/1N6/4N3/4K3 w - - 0 1", "Nd4", "b3d4"}, /* the rival is pinned and needs no mention */
        {"7k/8/8/8/8/1N6/4N3/4K3 w - - 0 1", "Nbd4", "b3d4"},
        {"4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "cxd5", "c4d5"},
        {EP_FEN, "exd6", "e5d6"},
        {"4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "Ke2", "e1e2"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) check_written(&cases[i]);
}

static void written_moves_show_check_and_mate(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2", "Qh4#", "d8h4"},
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+", "e1g1"},
        {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+", "e1c1"},
        {"2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O#", "e1c1"},
        {CASTLE_FEN, "O-O", "e1g1"},
        {PROMOTE_FEN, "exd8=Q+", "e7d8q"},
        {PROMOTE_FEN, "exd8=N", "e7d8n"},
        {PROMOTE_FEN, "e8=R+", "e7e8r"},
        {"7k/4P1pp/8/8/8/8/8/4K3 w - - 0 1", "e8=Q#", "e7e8q"},
        {"6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1", "Nf7#", "g5f7"},
        {"4k3/8/8/8/8/4N3/8/4RK2 w - - 0 1", "Nd5+", "e3d5"}, /* discovered */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_written(&cases[i]);
    }
}

static void no_move_is_written_as_two_hyphens_or_four_zeros(void **state)
{
    (void)state;
    Position pos = position_of(START_FEN);
    char     san[SAN_SIZE], uci[UCI_MOVE_SIZE];
    assert_int_equal(move_to_san(&pos, MOVE_NONE, san), 2);
    assert_string_equal(san, "--");
    assert_int_equal(move_to_uci(&pos, MOVE_NONE, uci), 4);
    assert_string_equal(uci, "0000");
}

static void uci_castling_is_read_both_ways_and_written_by_the_mode(void **state)
{
    (void)state;
    static const char *const rights[] = {"KQkq", "HAha"};
    for (int mode = 0; mode < 2; mode++) {
        char fen[64] = "r3k2r/8/8/8/8/8/8/R3K2R w ";
        strcat(strcat(fen, rights[mode]), " - 0 1");
        Position pos = position_of(fen);
        Move     two = MOVE_NONE, rook = MOVE_NONE;
        char     uci[UCI_MOVE_SIZE];
        assert_true(move_from_uci(&pos, STR("e1g1"), &two, NULL));
        assert_true(move_from_uci(&pos, STR("e1h1"), &rook, NULL));
        assert_int_equal(two, rook);
        assert_int_equal(two, move_make_special(E1, H1, MOVE_CASTLING));
        move_to_uci(&pos, two, uci);
        assert_string_equal(uci, mode == 0 ? "e1g1" : "e1h1");
        assert_true(move_from_uci(&pos, STR("e1c1"), &two, NULL));
        assert_true(move_from_uci(&pos, STR("e1a1"), &rook, NULL));
        assert_int_equal(two, rook);
    }
}

/* The king stands on f1 and may also simply step to g1: then g1 is the step and the rook's square the castling. */
static void a_king_step_is_never_mistaken_for_castling(void **state)
{
    (void)state;
    Position pos  = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    Move     step = MOVE_NONE, castling = MOVE_NONE;
    assert_true(move_from_uci(&pos, STR("f1g1"), &step, NULL));
    assert_true(move_from_uci(&pos, STR("f1h1"), &castling, NULL));
    assert_int_equal(step, move_make(F1, G1));
    assert_int_equal(castling, move_make_special(F1, H1, MOVE_CASTLING));
}

static void uci_promotions_are_read_in_either_case_and_must_fit(void **state)
{
    (void)state;
    Position pos  = position_of(PROMOTE_FEN);
    Move     move = MOVE_NONE;
    Err      err;
    assert_true(move_from_uci(&pos, STR("e7e8Q"), &move, NULL));
    assert_int_equal(move, move_make_promotion(E7, E8, QUEEN));
    assert_true(move_from_uci(&pos, STR("e7d8n"), &move, NULL));
    assert_int_equal(move, move_make_promotion(E7, D8, KNIGHT));
    assert_false(move_from_uci(&pos, STR("e7e8"), &move, &err));
    assert_int_equal(err.code, ERR_ILLEGAL_MOVE);
    assert_false(move_from_uci(&pos, STR("e7e8k"), &move, &err));
    assert_int_equal(err.code, ERR_SYNTAX);
    assert_int_equal(err.offset, 4);
    assert_false(move_from_uci(&pos, STR("e1e2q"), &move, &err));
    assert_int_equal(err.code, ERR_ILLEGAL_MOVE);
}

static void uci_text_that_is_no_move_is_refused(void **state)
{
    (void)state;
    Position                 pos   = position_of(START_FEN);
    static const char *const bad[] = {"",      "e2",  "e2e", "e2e44", "e2e4qq", "E2E4", "i2i4",
                                      "e2-e4", "Nf3", "O-O", "0000",  "(none)", " e2e4"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        Move move = 0x1234;
        Err  err  = {0};
        assert_false(move_from_uci(&pos, str_from(bad[i]), &move, &err));
        if (err.code != ERR_SYNTAX) fail_msg("'%s': code %d", bad[i], err.code);
        assert_int_equal(move, 0x1234);
    }
    Err err;
    assert_false(move_from_uci(&pos, STR("e2e5"), &(Move){0}, &err));
    assert_int_equal(err.code, ERR_ILLEGAL_MOVE);
    assert_non_null(strstr(err.text, "e2e5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(castling_is_read_with_letters_zeros_and_small_letters),
        cmocka_unit_test(marks_of_capture_and_check_may_be_missing_or_too_many),
        cmocka_unit_test(more_disambiguation_than_needed_is_fine),
        cmocka_unit_test(promotions_are_read_in_every_usual_spelling),
        cmocka_unit_test(en_passant_may_be_named),
        cmocka_unit_test(a_small_b_is_the_pawn_and_a_big_one_the_bishop),
        cmocka_unit_test(ambiguous_moves_are_refused_as_such),
        cmocka_unit_test(illegal_moves_are_refused_as_such),
        cmocka_unit_test(a_promotion_must_name_its_piece_and_a_possible_one),
        cmocka_unit_test(what_is_no_move_is_refused_as_such),
        cmocka_unit_test(zero_bytes_are_no_castling),
        cmocka_unit_test(written_moves_carry_the_shortest_disambiguation),
        cmocka_unit_test(written_moves_show_check_and_mate),
        cmocka_unit_test(no_move_is_written_as_two_hyphens_or_four_zeros),
        cmocka_unit_test(uci_castling_is_read_both_ways_and_written_by_the_mode),
        cmocka_unit_test(a_king_step_is_never_mistaken_for_castling),
        cmocka_unit_test(uci_promotions_are_read_in_either_case_and_must_fit),
        cmocka_unit_test(uci_text_that_is_no_move_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

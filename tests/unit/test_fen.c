/* test_fen.c - positions as text: what is read, what is refused and where, what is dropped and said, what is written. */
#include "support/testing.h"

#include "chess/fen.h"

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* Reads a text that must be refused; whatever `out` held must still be there. */
static FenReport refuse(const char *text, ErrCode code)
{
    Position  before, out;
    FenReport report;
    Err       err = {0};
    memset(&before, 0x5a, sizeof before);
    out = before;
    if (position_from_fen(str_from(text), &out, &report, &err)) fail_msg("'%s' was accepted", text);
    if (err.code != code) fail_msg("'%s': code %d (%s) instead of %d", text, err.code, err.text, code);
    assert_memory_equal(&out, &before, sizeof out);
    assert_true(err.text[0] != '\0');
    assert_false(position_from_fen(str_from(text), &out, NULL, NULL)); /* nobody asks why: the same answer */
    return report;
}

/* Reads a text that must be accepted; the faults that were repaired are returned. */
static FenReport accept(const char *text, Position *out)
{
    FenReport report;
    Err       err = {0};
    if (!position_from_fen(str_from(text), out, &report, &err)) fail_msg("'%s' was refused: %s", text, err.text);
    return report;
}

static void broken_text_is_refused_at_the_place_where_it_breaks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t      offset;
    } cases[] = {
        {"", 0},
        {"   ", 3},
        {"x", 0},
        {"startpos", 0},
        {"8/8/8/8/8/8/8 w - - 0 1", 13},                                   /* seven ranks */
        {"8/8/8/8/8/8/8/8/8 w - - 0 1", 15},                               /* nine */
        {"rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 17}, /* nine on a rank */
        {"rnbqkbnr/pppppppp/8/8/8/7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 25},  /* seven on a rank */
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1", 42},   /* seven on the last */
        {"rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 18},  /* no such digit */
        {"rnbqkbnr/pppppppp/0/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 18},
        {"rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 13}, /* no such piece */
        {"rnbqkbnr/pppp.ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 13},
        {"rnbqkbnr/pppppppp/44/53/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", 46}, /* no such side */
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 43},                /* no side */
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1", 44},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ww KQkq - 0 1", 44},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", 45}, /* no castling */
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1", 48},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w K-Q - 0 1", 47},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", 50}, /* no en passant */
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e 0 1", 51},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq i3 0 1", 51},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e33 0 1", 51},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", 53}, /* text after the fields */
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4", 57},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1.5", 55},
        {"\xff\xfe\x80", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        FenReport report = refuse(cases[i].text, ERR_SYNTAX);
        assert_int_equal(report.faults, fault_bit(FAULT_SYNTAX));
        if (report.offsets[FAULT_SYNTAX] != cases[i].offset)
            fail_msg("'%s': offset %zu instead of %zu", cases[i].text, report.offsets[FAULT_SYNTAX], cases[i].offset);
    }
}

static void every_prefix_of_a_fen_is_an_error_or_a_position_and_never_a_crash(void **state)
{
    (void)state;
    const char text[] = START_FEN;
    for (size_t len = 0; len < sizeof text; len++) {
        Position pos;
        Err      err;
        bool     ok = position_from_fen((Str){text, len}, &pos, NULL, &err);
        assert_int_equal(ok, len >= strlen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"));
        if (!ok) assert_true(err.offset <= len);
    }
}

static void every_fatal_fault_has_its_name_and_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        Fault       fault;
        size_t      offset;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/8 w - - 0 1", FAULT_NO_WHITE_KING, 0},
        {"8/8/8/8/8/8/8/4K3 w - - 0 1", FAULT_NO_BLACK_KING, 0},
        {"4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", FAULT_MANY_WHITE_KINGS, 17},
        {"2k1k3/8/8/8/8/8/8/4K3 w - - 0 1", FAULT_MANY_BLACK_KINGS, 1},
        {"4k3/8/8/8/8/8/PPPPPPPP/P3K3 w - - 0 1", FAULT_MANY_WHITE_PAWNS, 0},
        {"4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", FAULT_MANY_BLACK_PAWNS, 0},
        {"4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", FAULT_MANY_WHITE_MEN, 0},
        {"rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1", FAULT_MANY_BLACK_MEN, 0},
        {"P3k3/8/8/8/8/8/8/4K3 w - - 0 1", FAULT_PAWN_ON_LAST_RANK, 0},
        {"4k3/8/8/8/8/8/8/p3K3 w - - 0 1", FAULT_PAWN_ON_LAST_RANK, 16},
        {"4k3/8/8/8/8/8/8/4K2p w - - 0 1", FAULT_PAWN_ON_LAST_RANK, 19},
        {"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", FAULT_KING_CAPTURABLE, 22},
        {"8/8/8/3kK3/8/8/8/8 w - - 0 1", FAULT_KING_CAPTURABLE, 19},
        {"4k3/8/8/1b6/8/5n2/8/r3K3 w - - 0 1", FAULTS, 0}, /* two checkers may happen */
        {"4k3/4r3/8/8/1b6/5n2/8/4K3 w - - 0 1", FAULT_MANY_CHECKERS, 26},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (cases[i].fault == FAULTS) {
            Position pos;
            accept(cases[i].text, &pos);
            continue;
        }
        FenReport report = refuse(cases[i].text, ERR_POSITION);
        if (!(report.faults & fault_bit(cases[i].fault)))
            fail_msg("'%s': fault %d is missing in %x", cases[i].text, cases[i].fault, report.faults);
        assert_true(faults_are_fatal(report.faults));
        if (report.offsets[cases[i].fault] != cases[i].offset)
            fail_msg("'%s': offset %zu instead of %zu", cases[i].text, report.offsets[cases[i].fault], cases[i].offset);
    }
}

static void all_faults_of_a_position_are_named_at_once(void **state)
{
    (void)state;
    FenReport report = refuse("pppp4/pppppp2/8/8/8/8/8/KK1P4 b Kq e9 0 1", ERR_SYNTAX);
    assert_int_equal(report.faults, fault_bit(FAULT_SYNTAX) | fault_bit(FAULT_CASTLING)); /* e9 is no square: all ends there */
    report            = refuse("pppp4/pppppp2/8/8/8/8/8/KK1P4 b Kq e3 99999 0", ERR_POSITION);
    FaultSet expected = fault_bit(FAULT_NO_BLACK_KING) | fault_bit(FAULT_MANY_WHITE_KINGS) | fault_bit(FAULT_MANY_BLACK_PAWNS) |
                        fault_bit(FAULT_PAWN_ON_LAST_RANK) | fault_bit(FAULT_CASTLING) | fault_bit(FAULT_EN_PASSANT) |
                        fault_bit(FAULT_COUNTERS);
    assert_int_equal(report.faults, expected);
    report = refuse("4k3/8/8/8/8/8/4R3/P3K3 w - - 0 1", ERR_POSITION);
    assert_int_equal(report.faults, fault_bit(FAULT_PAWN_ON_LAST_RANK) | fault_bit(FAULT_KING_CAPTURABLE));
}

static void every_fault_has_a_sentence_of_its_own(void **state)
{
    (void)state;
    for (Fault a = FAULT_SYNTAX; a < FAULTS; a++) {
        assert_true(strlen(fault_text(a)) > 10);
        for (Fault b = FAULT_SYNTAX; b < a; b++) assert_string_not_equal(fault_text(a), fault_text(b));
    }
    assert_string_equal(fault_text(FAULT_NO_WHITE_KING), "White has no king");
}

static void impossible_castling_rights_are_dropped_and_reported(void **state)
{
    (void)state;
    static const struct {
        const char *text, *castling;
        size_t      offset; /* of the first letter that means nothing; 0: all are good */
    } cases[] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", 0},
        {"r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1", "Kkq", 26}, /* no rook on a1 */
        {"r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "Qkq", 25},
        {"4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "-", 24}, /* the king has moved */
        {"r3k3/8/8/8/8/8/8/4K2R w Kk - 0 1", "K", 25},
        {"r3k2r/8/8/8/8/8/8/n3K2R w KQkq - 0 1", "Kkq", 27}, /* another's man on a1 */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Position  pos;
        char      fen[FEN_SIZE];
        FenReport report = accept(cases[i].text, &pos);
        assert_int_equal(report.faults, cases[i].offset ? fault_bit(FAULT_CASTLING) : 0);
        if (report.offsets[FAULT_CASTLING] != cases[i].offset)
            fail_msg("'%s': offset %zu", cases[i].text, report.offsets[FAULT_CASTLING]);
        position_to_fen(&pos, fen);
        Str rest = str_from(fen);
        str_next_token(&rest);
        str_next_token(&rest);
        assert_str_equal(str_next_token(&rest), cases[i].castling);
    }
}

static void impossible_en_passant_squares_are_dropped_and_reported(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1",   /* not the sixth rank */
        "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1",   /* the own side of the board */
        "4k3/8/8/3pP3/8/8/8/4K3 w - c6 0 1",   /* no pawn in front of it */
        "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", /* a man on it */
        "4k3/3q4/8/3pP3/8/8/8/4K3 w - d6 0 1", /* a man where the pawn came from */
        "4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1",   /* the own pawn */
    };
    for (size_t i = 0; i < COUNT_OF(fens); i++) {
        Position  pos;
        FenReport report = accept(fens[i], &pos);
        assert_int_equal(report.faults, fault_bit(FAULT_EN_PASSANT));
        assert_int_equal(report.offsets[FAULT_EN_PASSANT], strlen(fens[i]) - 6);
        assert_int_equal(pos.ep_square, SQ_NONE);
    }
}

/* A pawn has moved two squares, but nobody may take it: usual in FENs, no fault, and no square. */
static void en_passant_squares_without_a_legal_capture_are_dropped_in_silence(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        Square      ep;
    } cases[] = {
        {"k1r5/8/8/1pP5/2K5/8/8/8 w - b6 0 1", SQ_NONE},
        {"k7/b5b1/8/2PpP3/3K4/8/8/8 w - d6 0 1", SQ_NONE},
        {"k7/8/8/r2pPK2/8/8/8/8 w - d6 0 1", SQ_NONE},
        {"k7/8/8/1pP5/2K5/8/8/8 w - b6 0 1", B6},
        {"k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", SQ_NONE}, /* the knight's check is not ended by it */
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", SQ_NONE},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Position  pos;
        FenReport report = accept(cases[i].text, &pos);
        assert_int_equal(report.faults, 0);
        if (pos.ep_square != cases[i].ep) fail_msg("'%s': square %d", cases[i].text, pos.ep_square);
    }
}

static void counters_may_be_missing_and_absurd_ones_are_limited_and_reported(void **state)
{
    (void)state;
    static const struct {
        const char *counters;
        unsigned    halfmove, fullmove;
        bool        fault;
    } cases[] = {
        {"", 0, 1, false},
        {" 7", 7, 1, false},
        {" 7 9", 7, 9, false},
        {" 0 0", 0, 1, true},
        {" -3 5", 0, 5, true},
        {" 0 -5", 0, 1, true},
        {" 65535 4294967295", 65535, 4294967295U, false},
        {" 65536 4294967296", 65535, 4294967295U, true},
        {" 99999999999999999999 99999999999999999999", 65535, 4294967295U, true},
        {" -99999999999999999999 1", 0, 1, true},
        {" +5 +6", 5, 6, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[160] = "4k3/8/8/8/8/8/8/4K3 w - -";
        strcat(text, cases[i].counters);
        Position  pos;
        FenReport report = accept(text, &pos);
        assert_int_equal(pos.halfmove, cases[i].halfmove);
        assert_int_equal(pos.fullmove, cases[i].fullmove);
        assert_int_equal(report.faults, cases[i].fault ? fault_bit(FAULT_COUNTERS) : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_text_is_refused_at_the_place_where_it_breaks),
        cmocka_unit_test(every_prefix_of_a_fen_is_an_error_or_a_position_and_never_a_crash),
        cmocka_unit_test(every_fatal_fault_has_its_name_and_its_place),
        cmocka_unit_test(all_faults_of_a_position_are_named_at_once),
        cmocka_unit_test(every_fault_has_a_sentence_of_its_own),
        cmocka_unit_test(impossible_castling_rights_are_dropped_and_reported),
        cmocka_unit_test(impossible_en_passant_squares_are_dropped_and_reported),
        cmocka_unit_test(en_passant_squares_without_a_legal_capture_are_dropped_in_silence),
        cmocka_unit_test(counters_may_be_missing_and_absurd_ones_are_limited_and_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

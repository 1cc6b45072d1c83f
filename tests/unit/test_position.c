/* test_position.c - playing moves, and the keys that follow them. */
#include "support/testing.h"

#include "chess/fen.h"
#include "chess/keys.h"

static Position start(void)
{
    Position pos;
    position_set_start(&pos);
    return pos;
}

static void assert_fen(const Position *pos, const char *expected)
{
    char fen[FEN_SIZE];
    position_to_fen(pos, fen);
    assert_string_equal(fen, expected);
}

/* The nine test keys published with the Polyglot book format. */
static void keys_are_the_published_polyglot_keys(void **state)
{
    (void)state;
    static const struct {
        const char *moves, *fen;
        Key         key;
    } cases[] = {
        {"", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9cU},
        {"e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196U},
        {"e2e4 d7d5", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0U},
        {"e2e4 d7d5 e4e5", "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4U},
        {"e2e4 d7d5 e4e5 f7f5", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78U},
        {"e2e4 d7d5 e4e5 f7f5 e1e2", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 1 3", 0x652a607ca3f242c1U},
        {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 2 4", 0x00fdd303c946bdd9U},
        {"a2a4 b7b5 h2h4 b5b4 c2c4", "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637U},
        {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 1 4",
         0x5c3f9b829b279560U},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Position first = start(), played = position_after(&first, cases[i].moves), read = position_of(cases[i].fen);
        assert_true(played.key == cases[i].key);
        assert_true(read.key == cases[i].key);
        assert_true(position_same(&played, &read));
    }
}

static void different_orders_of_moves_lead_to_equal_keys(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"g1f3 g8f6 b1c3 b8c6", "b1c3 b8c6 g1f3 g8f6"},
        {"d2d4 g8f6 c2c4", "c2c4 g8f6 d2d4"},
        {"e2e4 e7e6 d2d4 d7d5", "d2d4 d7d5 e2e4 e7e6"}, /* the last double step offers nothing */
        {"g1f3 g8f6 f3g1 f6g8", "b1c3 b8c6 c3b1 c6b8"},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        Position root = start(), a = position_after(&root, pairs[i][0]), b = position_after(&root, pairs[i][1]);
        assert_true(a.key == b.key);
        assert_true(a.pawn_key == b.pawn_key);
        assert_true(position_same(&a, &b));
    }
}

static void a_lost_castling_right_is_another_position(void **state)
{
    (void)state;
    Position root = start(), back = position_after(&root, "g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8");
    assert_memory_equal(root.board, back.board, sizeof root.board);
    assert_true((root.key ^ back.key) == (castling_keys[15] ^ castling_keys[10]));
    assert_false(position_same(&root, &back));
}

static void en_passant_enters_the_key_only_when_it_can_be_played(void **state)
{
    (void)state;
    Position plain = position_of("rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1");
    Position taken = position_of("rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1");
    assert_true((plain.key ^ taken.key) == key_en_passant(D3));
    assert_false(position_same(&plain, &taken));
    Position idle = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    Position none = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_true(idle.key == none.key);
    assert_true(position_same(&idle, &none));
}

static void a_double_step_offers_en_passant_only_to_a_pawn_that_may_take(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *move;
        Square      ep;
    } cases[] = {
        {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", E3},
        {"4k3/8/8/8/2p5/8/4P3/4K3 w - - 0 1", "e2e4", SQ_NONE},  /* nobody beside it */
        {"8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", SQ_NONE},  /* both pawns would leave the rank of king and rook */
        {"3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", SQ_NONE}, /* the taker is pinned on the file */
        {"8/8/8/8/3p4/8/4P1k1/4K3 w - - 0 1", "e2e4", E3},
        {"8/8/8/3k4/3p4/8/4P3/4K3 w - - 0 1", "e2e4", E3}, /* the step gives check: taking it is one way out */
        {"4k3/8/8/8/p6p/8/6P1/4K3 w - - 0 1", "g2g4", G3},
        {"4k3/8/8/8/p7/7p/1P4P1/4K3 w - - 0 1", "g2g4", SQ_NONE},
        {"4k3/7p/8/P7/8/8/8/4K3 b - - 0 1", "h7h5", SQ_NONE}, /* a5 and h5 are neighbours only in memory */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Position pos = position_of(cases[i].fen), next = position_after(&pos, cases[i].move);
        if (next.ep_square != cases[i].ep) fail_msg("%s %s: square %d", cases[i].fen, cases[i].move, next.ep_square);
    }
}

static void castling_puts_king_and_rook_on_their_squares(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 7", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 7"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 7", "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 4 7"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 7", "e8g8", "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 4 8"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 7", "e8c8", "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 4 8"},
        {"k7/8/8/8/8/8/8/4R1KR w HE - 0 1", "g1h1", "k7/8/8/8/8/8/8/4RRK1 b - - 1 1"}, /* the king stays, the rook jumps */
        {"4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", "c1b1", "4k3/8/8/8/8/8/8/2KR2R1 b - - 1 1"},
        {"4k3/8/8/8/8/8/8/R1K4R w HA - 0 1", "c1a1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"},
        {"k7/8/8/8/8/8/8/4RK1R w HE - 0 1", "f1h1",
         "k7/8/8/8/8/8/8/4RRK1 b - - 1 1"}, /* the king jumps where the rook was going */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Position pos = position_of(cases[i][0]), next = position_after(&pos, cases[i][1]);
        assert_fen(&next, cases[i][2]);
    }
}

static void rights_end_with_the_first_move_of_king_or_rook_and_with_the_loss_of_the_rook(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1"},  {"a1a2", "r3k2r/8/8/8/8/8/R7/4K2R b Kkq - 1 1"},
        {"h1h2", "r3k2r/8/8/8/8/8/7R/R3K3 b Qkq - 1 1"}, {"a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"},
        {"h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Position pos = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), next = position_after(&pos, cases[i][0]);
        assert_fen(&next, cases[i][1]);
    }
}

static void captures_and_pawn_moves_restart_the_halfmove_counter(void **state)
{
    (void)state;
    Position pos = position_of("4k3/8/8/3p4/4P3/8/8/R3K3 w - - 41 60");
    Position a   = position_after(&pos, "a1a2");
    Position b   = position_after(&pos, "e4e5");
    Position c   = position_after(&pos, "e4d5");
    assert_int_equal(a.halfmove, 42);
    assert_int_equal(b.halfmove, 0);
    assert_int_equal(c.halfmove, 0);
    assert_int_equal(a.fullmove, 60);
    Position d = position_after(&a, "e8e7");
    assert_int_equal(d.fullmove, 61);
}

static void en_passant_takes_the_pawn_that_passed(void **state)
{
    (void)state;
    Position pos  = position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    Move     move = move_of(&pos, "e5d6");
    assert_int_equal(move_kind(move), MOVE_EN_PASSANT);
    assert_int_equal(position_captured(&pos, move), B_PAWN);
    Position next = position_after(&pos, "e5d6");
    assert_fen(&next, "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1");
}

static void promotion_replaces_the_pawn_and_may_take(void **state)
{
    (void)state;
    Position pos  = position_of("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1");
    Position next = position_after(&pos, "c7d8n");
    assert_fen(&next, "3Nk3/8/8/8/8/8/8/4K3 b - - 0 1");
    assert_true(next.pawn_key == 0);
}

static void a_null_move_passes_the_turn_and_drops_en_passant(void **state)
{
    (void)state;
    Position pos = position_of("4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 1"), next;
    position_play_null(&pos, &next);
    assert_fen(&next, "4k3/8/8/3pP3/8/8/8/R3K3 b Q - 1 1");
    Position read = position_of("4k3/8/8/3pP3/8/8/8/R3K3 b Q - 1 1");
    assert_true(next.key == read.key);
    Position back;
    position_play_null(&next, &back);
    assert_int_equal(back.fullmove, 2);
    assert_true(back.key == (pos.key ^ key_en_passant(D6)));
}

static void the_halfmove_counter_stops_at_its_limit_instead_of_running_over(void **state)
{
    (void)state;
    Position pos  = position_of("4k3/8/8/8/8/8/8/R3K3 w - - 65535 1");
    Position next = position_after(&pos, "a1a2");
    assert_int_equal(next.halfmove, 65535);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_the_published_polyglot_keys),
        cmocka_unit_test(different_orders_of_moves_lead_to_equal_keys),
        cmocka_unit_test(a_lost_castling_right_is_another_position),
        cmocka_unit_test(en_passant_enters_the_key_only_when_it_can_be_played),
        cmocka_unit_test(a_double_step_offers_en_passant_only_to_a_pawn_that_may_take),
        cmocka_unit_test(castling_puts_king_and_rook_on_their_squares),
        cmocka_unit_test(rights_end_with_the_first_move_of_king_or_rook_and_with_the_loss_of_the_rook),
        cmocka_unit_test(captures_and_pawn_moves_restart_the_halfmove_counter),
        cmocka_unit_test(en_passant_takes_the_pawn_that_passed),
        cmocka_unit_test(promotion_replaces_the_pawn_and_may_take),
        cmocka_unit_test(a_null_move_passes_the_turn_and_drops_en_passant),
        cmocka_unit_test(the_halfmove_counter_stops_at_its_limit_instead_of_running_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

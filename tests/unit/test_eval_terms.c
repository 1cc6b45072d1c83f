/* test_eval_terms.c - what each term of the classical evaluation counts, shown on small boards, and that it pulls the
 * right way. */
#include "support/testing.h"

#include "eval/classical.h"

/* How often the parameters of a family counted for one side. */
static int family_count(const EvalTrace *t, int family, Color color)
{
    int count = 0;
    for (int i = 0; i < eval_families[family].size; i++) count += t->count[color][eval_families[family].first + i];
    return count;
}

typedef struct {
    int         family;
    const char *fen;
    int         white, black;
} Case;

#define FAMILY(name) FAMILY_##name

static void every_term_counts_what_it_says(void **state)
{
    (void)state;
    static const Case cases[] = {
        {FAMILY(PAWN_VALUE), "4k3/pp6/8/8/8/8/PPP5/4K3 w - -", 3, 2},
        {FAMILY(KNIGHT_VALUE), "4k1n1/pp6/8/8/8/8/PPP5/1N2K1N1 w - -", 2, 1},
        {FAMILY(BISHOP_PAIR), "4kbb1/pp6/8/8/8/8/PPP5/2B1KB2 w - -", 1, 1},
        {FAMILY(BISHOP_PAIR), "2b1k3/pp2b3/8/8/8/8/PPP1B3/4KB2 w - -", 0, 1}, /* White's two run on light squares */
        {FAMILY(KNIGHT_PAIR), "4k1n1/pp6/8/8/8/8/PPP5/1N2K1N1 w - -", 1, 0},
        {FAMILY(ROOK_PAIR), "r3k2r/pp6/8/8/8/8/PPP5/R3K3 w - -", 0, 1},
        {FAMILY(NO_PAWNS), "r3k3/8/8/8/8/8/P7/R3K3 w - -", 0, 1},
        {FAMILY(ISOLATED), "4k3/1pp5/8/8/8/8/P1P5/4K3 w - -", 2, 0},
        {FAMILY(DOUBLED), "4k3/1pp5/8/8/8/P7/P7/4K3 w - -", 1, 0},
        {FAMILY(BACKWARD), "4k3/8/8/2p5/2P1P3/3P4/8/4K3 w - -", 1, 0},
        {FAMILY(BACKWARD), "4k3/8/8/2p5/4P3/2PP4/8/4K3 w - -", 0, 0}, /* c3 can help */
        {FAMILY(PHALANX), "4k3/8/8/8/8/8/PP6/4K3 w - -", 2, 0},
        {FAMILY(DEFENDED), "4k3/8/8/8/8/1P6/P7/4K3 w - -", 1, 0},
        {FAMILY(CANDIDATE), "4k3/p7/8/8/PP6/8/8/4K3 w - -", 1, 0},
        {FAMILY(PASSED), "4k3/p7/8/8/PP5P/8/8/4K3 w - -", 1, 0},
        {FAMILY(PASSED_DEFENDED), "4k3/8/8/8/PP6/8/8/4K3 w - -", 2, 0},
        {FAMILY(PASSED_CLEAR_PATH), "4k3/8/P7/8/8/8/7p/4K2R w - -", 1, 0},
        {FAMILY(PASSED_SAFE_PATH), "1k6/8/P7/8/8/8/7P/4K3 w - -", 1, 0},
        {FAMILY(PASSED_ROOK_BEHIND), "4k3/8/P7/8/8/8/8/R3K3 w - -", 1, 0},
        {FAMILY(PASSED_ROOK_AGAINST), "4k3/8/P7/8/8/8/8/r3K3 w - -", 1, 0},
        {FAMILY(PASSED_UNSTOPPABLE), "6k1/7p/8/P7/8/8/8/4K3 w - -", 1, 0},
        {FAMILY(PASSED_UNSTOPPABLE), "3k4/7p/8/P7/8/8/8/4K3 b - -", 0, 0}, /* the king is in the square */
        {FAMILY(KNIGHT_OUTPOST), "4k3/p6p/8/3N4/4P3/8/8/4K3 w - -", 1, 0},
        {FAMILY(KNIGHT_OUTPOST), "4k3/4p2p/8/3N4/4P3/8/8/4K3 w - -", 0, 0}, /* e6 drives it away */
        {FAMILY(KNIGHT_BEHIND_PAWN), "4k3/8/8/8/4P3/4N3/8/4K3 w - -", 1, 0},
        {FAMILY(KNIGHT_FAR), "4k3/8/8/8/8/1N6/P7/4K3 w - -", 3, 0},
        {FAMILY(BISHOP_OUTPOST), "4k3/p6p/8/3B4/4P3/8/8/4K3 w - -", 1, 0},
        {FAMILY(BISHOP_OWN_PAWNS), "4k3/8/8/8/8/8/B1P1P3/4K3 w - -", 2, 0},
        {FAMILY(BISHOP_RAMMED_PAWNS), "4k3/8/8/3p4/3P4/8/8/B3K3 w - -", 1, 0},
        {FAMILY(BISHOP_LONG_DIAGONAL), "4k3/p7/8/8/8/8/P5B1/4K3 w - -", 1, 0},
        {FAMILY(BISHOP_LONG_DIAGONAL), "4k3/p7/8/8/4P3/8/P5B1/4K3 w - -", 0, 0},
        {FAMILY(ROOK_ON_FILE), "4k3/p7/8/8/8/8/P7/R1R1K3 w - -", 1, 0},
        {FAMILY(ROOK_ON_SEVENTH), "4k3/R6p/8/8/8/8/P7/4K3 w - -", 1, 0},
        {FAMILY(ROOK_TRAPPED), "4k3/8/8/8/8/7P/5PP1/6KR w - -", 1, 0},
        {FAMILY(ROOK_TRAPPED), "4k3/8/8/8/8/7P/5PP1/5RK1 w - -", 0, 0},
        {FAMILY(QUEEN_PIN), "3rk3/8/8/8/8/8/3P4/3QK3 w - -", 1, 0},
        {FAMILY(SHELTER), "4k3/p7/8/8/8/8/P7/4K3 w - -", 3, 3},
        {FAMILY(THREAT_BY_PAWN), "4k3/8/8/3n1n2/4P3/8/8/4K3 w - -", 2, 0},
        {FAMILY(CASTLING), "r3k2r/8/8/8/8/8/8/R3K2R w Kkq -", 1, 2},
        {FAMILY(THREAT_BY_MINOR), "4k3/8/8/3r4/8/2N5/8/4K3 w - -", 1, 0},
        {FAMILY(THREAT_BY_ROOK), "4k3/8/8/3n4/8/8/P7/3RK3 w - -", 1, 0},
        {FAMILY(THREAT_BY_ROOK), "4k3/8/4p3/3n4/8/8/P7/3RK3 w - -", 0, 0}, /* a pawn defends the knight */
        {FAMILY(THREAT_BY_KING), "4k3/8/8/8/8/8/3n4/4K2R w - -", 1, 0},
        {FAMILY(THREAT_HANGING), "4k3/8/8/3n4/8/8/P7/3RK3 w - -", 1, 0},
        {FAMILY(THREAT_PUSH), "4k3/8/8/3n4/8/4P3/8/4K3 w - -", 1, 0},
        {FAMILY(THREAT_ON_QUEEN), "4k3/3q4/8/8/2N5/8/P7/4K3 w - -", 2, 0},
        {FAMILY(TEMPO), "4k3/p7/8/8/8/8/P7/4K3 b - -", 0, 1},
        {FAMILY(COMPLEXITY_FLANKS), "4k3/p7/8/8/8/8/P6P/4K3 b - -", 1, 0},
        {FAMILY(COMPLEXITY_PAWN_ENDING), "4k3/p7/8/8/8/8/P6P/4K3 b - -", 1, 0},
        {FAMILY(DANGER_CHECK), "6k1/5ppp/8/8/8/8/1Q3PPP/R5K1 w - -", 0, 2}, /* Ra8+, Qb8+: not on g7, nor twice */
        {FAMILY(DANGER_PINNED), "3rk3/8/8/8/8/3N4/3K1r2/8 w - -", 1, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EvalTrace t;
        Position  pos = position_of(cases[i].fen);
        classical_trace(&pos, &t);
        int white = family_count(&t, cases[i].family, WHITE), black = family_count(&t, cases[i].family, BLACK);
        if (white != cases[i].white || black != cases[i].black)
            fail_msg("%s in %s: %d for White, %d for Black; expected %d and %d", eval_families[cases[i].family].name,
                     cases[i].fen, white, black, cases[i].white, cases[i].black);
    }
}

static Score value_of(const char *fen)
{
    EvalTrace t;
    Position  pos = position_of(fen);
    return classical_trace(&pos, &t);
}

/* Pairs that differ in one thing: the first is better for White, to move in both. */
static void what_is_better_is_worth_more(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        /* a passed pawn, further on, on a free way */
        {"4k3/8/8/P7/8/8/5ppp/R3K2r w - -", "4k3/8/8/8/8/P7/5ppp/R3K2r w - -"},
        {"r3k3/5ppp/8/P7/8/8/5PPP/R3K3 w - -", "r3k3/p4ppp/8/P7/8/8/5PPP/R3K3 w - -"},
        /* sound pawns rather than isolated and doubled ones */
        {"r3k3/pp3ppp/8/8/8/8/PP3PPP/R3K3 w - -", "r3k3/pp3ppp/8/8/8/P7/P4PPP/R3K3 w - -"},
        /* both bishops rather than bishop and knight */
        {"r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/5N2/PPPPBPPP/R1BQK2R w KQkq -",
         "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/5N2/PPPPNPPP/R1BQK2R w KQkq -"},
        /* a rook on the open file */
        {"r5k1/pp3ppp/8/8/8/8/PP3PPP/3R2K1 w - -", "r5k1/pp3ppp/8/8/8/8/PP3PPP/R5K1 w - -"},
        /* a knight in the centre rather than in the corner */
        {"4k3/pp3ppp/8/8/4N3/8/PP3PPP/4K3 w - -", "4k3/pp3ppp/8/8/8/8/PP3PPP/N3K3 w - -"},
        /* the king behind his pawns while queens are on */
        {"r2q1rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R2Q1RK1 w - -", "r2q1rk1/ppp2ppp/2n5/8/8/2N2K2/PPP2PPP/R2Q1R2 w - -"},
        /* the king in the middle when pieces are off */
        {"4k3/pp3ppp/8/8/4K3/8/PP3PPP/8 w - -", "4k3/pp3ppp/8/8/8/8/PP3PPP/7K w - -"},
        /* a piece under attack by a pawn */
        {"r1bqkb1r/pppp1ppp/2n5/4n3/3P4/8/PPP2PPP/RNBQKBNR w KQkq -",
         "r1bqkb1r/pppp1ppp/2n5/4n3/8/3P4/PPP2PPP/RNBQKBNR w KQkq -"},
        /* a bishop that is not walled in */
        {"4k3/pp3ppp/8/8/4P1B1/3P4/PPP2PPP/4K3 w - -", "4k3/pp3ppp/8/8/4P3/3P4/PPP2PPP/4KB2 w - -"},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        Score better = value_of(pairs[i][0]), worse = value_of(pairs[i][1]);
        if (better <= worse) fail_msg("pair %zu: %s is %d, %s is %d", i, pairs[i][0], better, pairs[i][1], worse);
    }
}

/* Attackers add up more than one by one: that is why danger is squared. */
static void several_attackers_are_worse_than_their_sum(void **state)
{
    (void)state;
    EvalTrace calm, attack;
    Position  quiet = position_of("r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R2Q1RK1 w - -");
    Position  storm = position_of("r4rk1/ppp2ppp/5N2/6Q1/8/3B4/PPP2PPP/R4RK1 b - -");
    classical_trace(&quiet, &calm);
    classical_trace(&storm, &attack);
    assert_true(attack.in_danger[BLACK]);
    assert_true(packed_mg(danger_penalty(attack.danger[BLACK])) > 50);
    assert_true(!calm.in_danger[BLACK] || packed_mg(danger_penalty(calm.danger[BLACK])) < 20);
    Packed once = PACK(200, 0), both = PACK(400, 0);
    assert_true(packed_mg(danger_penalty(both)) > 3 * packed_mg(danger_penalty(once)));
    assert_int_equal(danger_penalty(PACK(-100, -100)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_term_counts_what_it_says),
        cmocka_unit_test(what_is_better_is_worth_more),
        cmocka_unit_test(several_attackers_are_worse_than_their_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

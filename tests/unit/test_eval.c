/* test_eval.c - properties of the evaluation that hold in every position: symmetry, the trace adds up, bounds, draws by
 * counters. */
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "eval/classical.h"
#include "eval/eval_print.h"
#include "eval/evaluator.h"

enum { RANDOM_POSITIONS = TESTS_SANITIZED ? 1500 : 6000 };

static Evaluator *evaluator_of(EvalKind kind)
{
    Err        err;
    Evaluator *evaluator = evaluator_new(kind, &err);
    assert_non_null(evaluator);
    return evaluator;
}

static Score value_of(const char *fen)
{
    Evaluator *evaluator = evaluator_of(EVAL_CLASSICAL);
    Position   pos       = position_of(fen);
    Score      value     = evaluator_score(evaluator, &pos);
    evaluator_free(evaluator);
    return value;
}

/* A position some random moves after the start; captures are preferred at times so that endings come up too. */
static Position random_position(Rng *rng)
{
    Position pos, next;
    position_set_start(&pos);
    for (int left = (int)rng_below(rng, 160); left > 0; left--) {
        MoveList all, noisy;
        movegen_legal(&pos, &all);
        movegen_noisy(&pos, &noisy);
        if (all.count == 0) break;
        const MoveList *list = noisy.count && rng_below(rng, 3) == 0 ? &noisy : &all;
        position_play(&pos, list->moves[rng_below(rng, (uint64_t)list->count)], &next);
        pos = next;
    }
    return pos;
}

static Position mirrored(const Position *pos)
{
    char fen[FEN_SIZE], mirror[MIRROR_SIZE];
    position_to_fen(pos, fen);
    fen_mirror(fen, mirror);
    return position_of(mirror);
}

static void colours_exchanged_give_the_same_value(void **state)
{
    (void)state;
    Evaluator *evaluator = evaluator_of(EVAL_CLASSICAL);
    Rng        rng       = rng_seeded(11);
    for (int i = 0; i < RANDOM_POSITIONS; i++) {
        Position pos = random_position(&rng), mirror = mirrored(&pos);
        assert_int_equal(evaluator_score(evaluator, &pos), evaluator_score(evaluator, &mirror));
    }
    evaluator_free(evaluator);
}

/* The value again from the counts of a trace, as its head describes it, to the last centipawn. */
static Score value_from_counts(const EvalTrace *t, const Position *pos)
{
    Packed sum = 0, danger[COLORS] = {0, 0}, complexity = 0;
    for (int f = 0; f < EVAL_FAMILIES; f++) {
        for (int i = eval_families[f].first; i < eval_families[f].first + eval_families[f].size; i++) {
            Packed white = eval_params[i] * t->count[WHITE][i], black = eval_params[i] * t->count[BLACK][i];
            if (eval_families[f].group == GROUP_DANGER) {
                danger[WHITE] += white;
                danger[BLACK] += black;
            } else if (eval_families[f].group == GROUP_COMPLEXITY) {
                complexity += white;
            } else {
                sum += white - black;
            }
        }
    }
    for (int color = WHITE; color < COLORS; color++) {
        if (!t->in_danger[color]) continue;
        assert_int_equal(danger[color], t->danger[color]);
        sum += (color == WHITE ? -1 : 1) * danger_penalty(danger[color]);
    }
    int eg       = packed_eg(sum);
    int value    = eval_taper(packed_mg(sum), eg + complexity_shift(packed_eg(complexity), eg), t->phase, t->scale);
    int halfmove = pos->halfmove > 100 ? 100 : pos->halfmove;
    value        = value * (FIFTY_WEIGHT - halfmove) / FIFTY_WEIGHT;
    return score_clamp_eval(position_side(pos) == WHITE ? value : -value);
}

static void a_trace_adds_up_to_the_value_that_is_played(void **state)
{
    (void)state;
    Evaluator *evaluator = evaluator_of(EVAL_CLASSICAL);
    Rng        rng       = rng_seeded(12);
    int        ordinary  = 0;
    for (int i = 0; i < RANDOM_POSITIONS; i++) {
        Position  pos = random_position(&rng);
        EvalTrace trace;
        Score     value = classical_trace(&pos, &trace);
        assert_int_equal(value, evaluator_score(evaluator, &pos));
        if (trace.known) continue;
        assert_int_equal(value, value_from_counts(&trace, &pos));
        ordinary++;
    }
    assert_true(ordinary > RANDOM_POSITIONS / 2);
    evaluator_free(evaluator);
}

/* The pawn table only saves time: a used one and a new one agree. */
static void the_pawn_table_does_not_change_values(void **state)
{
    (void)state;
    Evaluator *used = evaluator_of(EVAL_CLASSICAL);
    Rng        rng  = rng_seeded(13);
    for (int i = 0; i < 300; i++) {
        Position   pos   = random_position(&rng);
        Evaluator *fresh = evaluator_of(EVAL_CLASSICAL);
        assert_int_equal(evaluator_score(used, &pos), evaluator_score(fresh, &pos));
        assert_int_equal(evaluator_score(used, &pos), evaluator_score(used, &pos));
        evaluator_free(fresh);
    }
    evaluator_free(used);
}

/* Boards that no game shows must not overflow the two halves of a packed number: the value keeps its sign and its bound. */
static void the_most_extreme_boards_stay_within_bounds(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "7k/6pp/8/8/8/QQ6/QQQQQQ2/KQQQQQQ1 w - - 0 1",     "7k/6pp/8/8/8/RR6/RRRRRR2/KRRRRRR1 w - - 0 1",
        "7k/6pp/8/8/8/BB6/BBBBBB2/KBBBBBB1 w - - 0 1",     "7k/6pp/8/8/8/NN6/NNNNNN2/KNNNNNN1 w - - 0 1",
        "7k/6pp/8/1QQQQ3/1QQQQ3/1QQQQ3/1QQ5/K7 w - - 0 1", "7k/8/8/8/8/QQ6/QQQQQQ2/KQQQQQQ1 b - - 0 1",
    };
    for (size_t i = 0; i < COUNT_OF(fens); i++) {
        Position pos   = position_of(fens[i]);
        Score    value = value_of(fens[i]) * (position_side(&pos) == WHITE ? 1 : -1);
        assert_in_range(value, 2000, SCORE_EVAL_MAX);
    }
}

static void the_start_is_worth_the_move_and_no_more(void **state)
{
    (void)state;
    Score value = value_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_in_range(value, 1, 60);
}

static void material_counts_pawns_and_pieces_only(void **state)
{
    (void)state;
    Evaluator *evaluator = evaluator_of(EVAL_MATERIAL);
    Position   pos       = position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_int_equal(evaluator_score(evaluator, &pos), 0);
    pos = position_of("r3k3/8/8/8/8/8/3QP3/1NB1K3 b - - 0 1");
    assert_int_equal(evaluator_score(evaluator, &pos), 500 - 900 - 100 - 300 - 300);
    evaluator_set_kind(evaluator, EVAL_CLASSICAL);
    assert_int_not_equal(evaluator_score(evaluator, &pos), 500 - 900 - 100 - 300 - 300);
    assert_string_equal(eval_kind_name(EVAL_MATERIAL), "material");
    assert_string_equal(eval_kind_name(EVAL_CLASSICAL), "classical");
    evaluator_free(evaluator);
}

/* An advantage fades as the counter runs, steadily, and never turns over. */
static void the_value_shrinks_with_the_fifty_move_counter(void **state)
{
    (void)state;
    char  fen[FEN_SIZE];
    Score last = SCORE_INFINITE;
    for (int halfmove = 0; halfmove <= 100; halfmove += 20) {
        snprintf(fen, sizeof fen, "r3k3/ppp2ppp/8/8/8/8/PPP2PPP/R2QK3 w - - %d 80", halfmove);
        Score value = value_of(fen);
        assert_true(value < last);
        assert_true(value > 0);
        last = value;
    }
    assert_true(last < value_of("r3k3/ppp2ppp/8/8/8/8/PPP2PPP/R2QK3 w - - 0 80") * 6 / 10);
}

static void chances_add_up_and_rise_with_the_score(void **state)
{
    (void)state;
    Position start = position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    Position late  = position_of("8/5k2/4p3/8/4P3/8/5K2/R7 w - - 0 1");
    int      last  = -1;
    for (Score score = -SCORE_MATE; score <= SCORE_MATE; score += 50) {
        Wdl a = centipawns_to_wdl(score, &start), b = centipawns_to_wdl(score, &late);
        assert_int_equal(a.win + a.draw + a.loss, 1000);
        assert_int_equal(b.win + b.draw + b.loss, 1000);
        assert_true(a.win >= 0 && a.draw >= 0 && a.loss >= 0 && b.win >= 0 && b.draw >= 0 && b.loss >= 0);
        assert_true(a.win >= last);
        assert_int_equal(a.win, centipawns_to_wdl(-score, &start).loss);
        last = a.win;
    }
    assert_int_equal(centipawns_to_wdl(score_mate_in(5), &start).win, 1000);
    assert_int_equal(centipawns_to_wdl(score_mated_in(4), &start).loss, 1000);
}

static void a_hundred_centipawns_win_every_second_game(void **state)
{
    (void)state;
    static const char *fens[]    = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                    "8/5k2/4p3/8/4P3/8/5K2/R7 w - - 0 1"};
    static const int   weights[] = {24, 2};
    for (int i = 0; i < 4; i++) {
        EvalKind kind  = i < 2 ? EVAL_CLASSICAL : EVAL_NNUE;
        WdlModel model = wdl_model_of(kind, NULL);
        Position pos   = position_of(fens[i % 2]);
        Score    even  = (Score)lround(wdl_even_chance(&model, wdl_phase(weights[i % 2])));
        assert_int_equal(score_to_centipawns(even, &pos, &model), 100);
        assert_int_equal(score_to_centipawns(-even, &pos, &model), -100);
        assert_int_equal(centipawns_to_wdl(100, &pos).win, 500);
        assert_int_equal(score_to_centipawns(SCORE_DRAW, &pos, &model), SCORE_DRAW);
        assert_int_equal(score_to_centipawns(SCORE_NONE, &pos, &model), SCORE_NONE);
        assert_int_equal(score_to_centipawns(score_mate_in(3), &pos, &model), score_mate_in(3));
        assert_false(score_is_decisive(score_to_centipawns(SCORE_EVAL_MAX, &pos, &model)));
    }
}

/* A network's own curves count, when they can be curves. */
static void curves_travel_in_the_network(void **state)
{
    (void)state;
    const WdlModel mine = {.even = {120.25, -30.5, 20}, .spread = {60, 12.75}};
    Net           *net  = net_new(32, 1, 1);
    assert_non_null(net);
    WdlModel any = wdl_model_of(EVAL_NNUE, NULL), none = wdl_model_of(EVAL_NNUE, net);
    assert_memory_equal(&none, &any, sizeof any);
    wdl_to_net(&mine, net);
    WdlModel told = wdl_model_of(EVAL_NNUE, net);
    assert_memory_equal(&told, &mine, sizeof mine);
    net->curves[1]   = -1000000; /* a pawn of less than nothing */
    WdlModel refused = wdl_model_of(EVAL_NNUE, net);
    assert_memory_equal(&refused, &any, sizeof any);
    net_free(net);
}

/* The table names every group, and its last line is the value that is played. */
static void the_printed_table_tells_the_value(void **state)
{
    (void)state;
    Position pos   = position_of("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 b - - 0 1");
    Buf      out   = {0};
    Score    value = value_of("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 b - - 0 1");
    char     line[64];
    eval_print(&pos, NULL, &out);
    for (EvalGroup group = 0; group < EVAL_GROUPS; group++) assert_non_null(strstr(out.data, eval_group_name(group)));
    snprintf(line, sizeof line, "%+.2f for the side to move\n", value / 100.0);
    assert_non_null(strstr(out.data, line));
    buf_reset(&out);
    eval_print_json(&pos, NULL, &out);
    snprintf(line, sizeof line, "\"value\":%d,", value);
    assert_non_null(strstr(out.data, line));
    assert_non_null(strstr(out.data, "\"terms\":[{\"name\":\"pawn_value\""));
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_exchanged_give_the_same_value),
        cmocka_unit_test(a_trace_adds_up_to_the_value_that_is_played),
        cmocka_unit_test(the_pawn_table_does_not_change_values),
        cmocka_unit_test(the_most_extreme_boards_stay_within_bounds),
        cmocka_unit_test(the_start_is_worth_the_move_and_no_more),
        cmocka_unit_test(material_counts_pawns_and_pieces_only),
        cmocka_unit_test(the_value_shrinks_with_the_fifty_move_counter),
        cmocka_unit_test(chances_add_up_and_rise_with_the_score),
        cmocka_unit_test(a_hundred_centipawns_win_every_second_game),
        cmocka_unit_test(curves_travel_in_the_network),
        cmocka_unit_test(the_printed_table_tells_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

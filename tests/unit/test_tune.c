/* test_tune.c - the tuner: reads its data, models the evaluation, recovers numbers that were hidden in the data, writes
 * them down. */
#include "support/testing.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "chess/movegen.h"
#include "eval/classical.h"
#include "learn/tune.h"
#include "learn/tune_model.h"

static Position random_position(Rng *rng)
{
    Position pos, next;
    position_set_start(&pos);
    for (int left = 10 + (int)rng_below(rng, 90); left > 0; left--) {
        MoveList all;
        movegen_legal(&pos, &all);
        if (all.count == 0) break;
        position_play(&pos, all.moves[rng_below(rng, (uint64_t)all.count)], &next);
        pos = next;
    }
    return pos;
}

static void results_are_read_in_all_their_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double      value;
    } cases[] = {{" c9 \"1-0\";", 1}, {"c9 \"1/2-1/2\";", 0.5},     {" [0.0]", 0}, {" ; 0.5", 0.5}, {"| 12 | 1.0", 1},
                 {" [0.62]", 0.62},   {" c9 \"0-1\"; id \"x\";", 0}};
    double value;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(tune_result_of(str_from(cases[i].text), &value));
        assert_true(value == cases[i].value);
    }
    assert_false(tune_result_of(STR(" bm Nf3; c9 \"*\";"), &value));
    assert_false(tune_result_of(STR(" [1.5]"), &value));
    assert_false(tune_result_of(STR(""), &value));
}

/* The model in real numbers is the evaluation but for rounding: of two dangers, taper and the counter. */
static void the_model_is_the_evaluation(void **state)
{
    (void)state;
    TuneSet    set;
    TuneParams params;
    Rng        rng = rng_seeded(21);
    tune_set_init(&set);
    tune_params_default(&params);
    for (int i = 0; i < 2000; i++) {
        Position  pos = random_position(&rng);
        EvalTrace t;
        size_t    before = set.count;
        classical_trace(&pos, &t);
        assert_true(tune_set_add(&set, &pos, 0.5));
        if (set.count == before) continue;
        double white = position_side(&pos) == WHITE ? t.value : -t.value;
        assert_true(fabs(tune_value(&set, before, &params) - white) < 4);
    }
    assert_true(set.count > 1000);
    tune_set_release(&set);
}

/* The slope of the model against differences of the model itself, for every kind of parameter. */
static void the_gradient_is_the_slope_of_the_model(void **state)
{
    (void)state;
    TuneSet    set;
    TuneParams params, gradient = {0};
    tune_set_init(&set);
    tune_params_default(&params);
    Position pos = position_of("r4rk1/ppp2ppp/5n2/6Q1/8/3B1N2/PP3PPP/R4RK1 w - -");
    assert_true(tune_set_add(&set, &pos, 1));
    TuneForward f = tune_forward(&set, &set.records[0], &params);
    tune_backward(&set, &set.records[0], &f, 1, &gradient);
    static const int probes[] = {P_KNIGHT_VALUE,     P_QUEEN_VALUE,    P_DANGER_BASE,         P_DANGER_CHECK + 3,
                                 P_COMPLEXITY_PAWNS, P_PAWN_PLACE + 4, P_DANGER_ATTACKER + 3, P_TEMPO};
    for (size_t i = 0; i < COUNT_OF(probes); i++) {
        TuneParams moved = params;
        moved.mg[probes[i]] += 1e-4;
        double mg = (tune_value(&set, 0, &moved) - f.value) / 1e-4;
        moved     = params;
        moved.eg[probes[i]] += 1e-4;
        double eg = (tune_value(&set, 0, &moved) - f.value) / 1e-4;
        assert_true(fabs(mg - gradient.mg[probes[i]]) < 1e-3);
        assert_true(fabs(eg - gradient.eg[probes[i]]) < 1e-3);
    }
    tune_set_release(&set);
}

typedef struct {
    double first, last;
    int    calls;
} Losses;

static bool listen(void *context, const TuneProgress *p)
{
    Losses *losses = context;
    if (p->epoch == 0) losses->first = p->training_loss;
    losses->last = p->training_loss;
    losses->calls++;
    return true;
}

/* Positions whose "results" come from the evaluation with two numbers changed. */
static void planted_set(TuneSet *set, TuneParams *hidden, int count)
{
    Rng rng = rng_seeded(22);
    tune_set_init(set);
    tune_params_default(hidden);
    hidden->mg[P_BISHOP_PAIR] += 60;
    hidden->mg[P_TEMPO] += 25;
    while ((int)set->count < count) {
        Position pos    = random_position(&rng);
        size_t   before = set->count;
        assert_true(tune_set_add(set, &pos, 0.5));
        if (set->count == before) continue;
        set->records[before].result = (float)(1 / (1 + exp(-0.006 * tune_value(set, before, hidden))));
    }
}

static void planted_numbers_are_found_again(void **state)
{
    (void)state;
    TuneSet     set;
    TuneParams  hidden, found, start;
    Losses      losses  = {0};
    TuneOptions options = {.epochs     = TESTS_SANITIZED ? 25 : 40,
                           .threads    = 2,
                           .batch      = 1024,
                           .rate       = 2,
                           .prior_cp   = 1000,
                           .validation = 0.1,
                           .seed       = 3};
    Err         err;
    planted_set(&set, &hidden, 6000);
    tune_params_default(&start);
    found = start;
    assert_true(tune_run(&set, &options, &found, listen, &losses, &err));
    assert_int_equal(losses.calls, options.epochs + 1);
    assert_true(losses.last < losses.first / 4);
    assert_true(found.mg[P_TEMPO] - start.mg[P_TEMPO] > 10);
    assert_true(found.mg[P_BISHOP_PAIR] - start.mg[P_BISHOP_PAIR] > 20);
    tune_set_release(&set);
}

static void threads_do_not_change_the_outcome(void **state)
{
    (void)state;
    TuneSet     set;
    TuneParams  hidden, one, three;
    TuneOptions options = {.epochs = 2, .threads = 1, .batch = 512, .rate = 1, .prior_cp = 20, .validation = 0.1, .seed = 3};
    Err         err;
    planted_set(&set, &hidden, 2000);
    tune_params_default(&one);
    tune_params_default(&three);
    assert_true(tune_run(&set, &options, &one, NULL, NULL, &err));
    options.threads = 3;
    assert_true(tune_run(&set, &options, &three, NULL, NULL, &err));
    assert_memory_equal(&one, &three, sizeof one);
    tune_set_release(&set);
}

static void too_little_data_is_an_error(void **state)
{
    (void)state;
    TuneSet     set;
    TuneParams  params;
    TuneOptions options = {.epochs = 1, .threads = 1, .rate = 1, .prior_cp = 20};
    Err         err;
    tune_set_init(&set);
    tune_params_default(&params);
    assert_false(tune_run(&set, &options, &params, NULL, NULL, &err));
    assert_int_equal(err.code, ERR_RANGE);
    tune_set_release(&set);
}

/* Every number, in order, comes back from the text; names and counts too. */
static void written_parameters_read_back_the_same(void **state)
{
    (void)state;
    TuneParams params;
    Buf        text = {0};
    tune_params_default(&params);
    params.mg[P_TEMPO] = 17.4;
    params.eg[P_TEMPO] = -3.6;
    tune_write_params(&params, STR("Provenance: a test\nof two lines\n"), &text);
    assert_false(text.failed);
    const char *at = text.data;
    for (int f = 0; f < EVAL_FAMILIES; f++) {
        char head[64];
        snprintf(head, sizeof head, "\nPARAM(%s, ", eval_families[f].name);
        at = strstr(at, head);
        assert_non_null(at);
        for (int i = eval_families[f].first; i < eval_families[f].first + eval_families[f].size; i++) {
            char *end;
            at = strstr(at, "S(");
            assert_non_null(at);
            assert_int_equal(strtol(at + 2, &end, 10), i == P_TEMPO ? 17 : packed_mg(eval_params[i]));
            assert_int_equal(strtol(end + 1, &end, 10), i == P_TEMPO ? -4 : packed_eg(eval_params[i]));
            at = end;
        }
    }
    assert_null(strstr(at, "S("));
    assert_non_null(strstr(text.data, " * Provenance: a test\n * of two lines\n"));
    buf_release(&text);
}

/* Lines in a file, good ones and a broken one that is named with its number. */
static void files_are_read_and_faults_are_named(void **state)
{
    (void)state;
    char    path[] = "/tmp/tabia-tune-XXXXXX";
    int     fd     = mkstemp(path);
    TuneSet set;
    Err     err;
    assert_true(fd >= 0);
    close(fd);
    assert_true(
        tune_save(STR("4k3/p7/8/8/8/8/PP6/4K2R w - - c9 \"1-0\";\n\n4k3/p7/8/8/8/8/PP6/4K2R w - - 0 1 [0.5]\n"), path, &err));
    tune_set_init(&set);
    assert_true(tune_set_read_lines(&set, path, &err));
    assert_int_equal(set.count, 2);
    assert_true(tune_save(STR("4k3/p7/8/8/8/8/PP6/4K2R w - - c9 \"1-0\";\n4k3/p7/8/8/8/8/PP6/4K2R w - - bm Rh8;\n"), path, &err));
    assert_false(tune_set_read_lines(&set, path, &err));
    assert_non_null(strstr(err.text, "line 2"));
    tune_set_release(&set);
    unlink(path);
    assert_false(tune_set_read_lines(&set, path, &err));
    assert_false(tune_save(STR("x"), "/nonexistent/params.def", &err));
}

/* Saving goes by way of a new file that takes the name; a named pipe must stay a pipe, as /dev/null must stay what it is. */
static void saving_does_not_replace_what_is_no_file(void **state)
{
    (void)state;
    char        folder[] = "/tmp/tabia-tune-XXXXXX", path[64], text[8] = {0};
    struct stat info;
    Err         err;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    assert_true(tune_save(STR("words"), path, &err));
    assert_int_equal(read(fd, text, 5), 5);
    assert_string_equal(text, "words");
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    close(fd);
    unlink(path);
    rmdir(folder);
}

/* Only quiet positions after the opening are taken, each with its game's result. */
static void games_give_quiet_positions(void **state)
{
    (void)state;
    char    path[] = "/tmp/tabia-tune-XXXXXX";
    int     fd     = mkstemp(path);
    TuneSet set;
    Err     err;
    assert_true(fd >= 0);
    close(fd);
    assert_true(tune_save(
        STR("[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 "
            "10. Bc2 c5 11. d4 Qc7 12. Nbd2 1-0\n"),
        path, &err));
    tune_set_init(&set);
    assert_true(tune_set_read_pgn(&set, path, 1, 1, &err));
    assert_in_range(set.count, 3, 9);
    for (size_t i = 0; i < set.count; i++) assert_true(set.records[i].result == 1.0F);
    tune_set_release(&set);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_read_in_all_their_forms),     cmocka_unit_test(the_model_is_the_evaluation),
        cmocka_unit_test(the_gradient_is_the_slope_of_the_model),  cmocka_unit_test(planted_numbers_are_found_again),
        cmocka_unit_test(threads_do_not_change_the_outcome),       cmocka_unit_test(too_little_data_is_an_error),
        cmocka_unit_test(written_parameters_read_back_the_same),   cmocka_unit_test(files_are_read_and_faults_are_named),
        cmocka_unit_test(saving_does_not_replace_what_is_no_file), cmocka_unit_test(games_give_quiet_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_learn.c - from games to a network: what is stored comes back, signs and results are the right way round, gradients are
 * those of the loss, and a small network learns. */
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "learn/nnue.h"
#include "learn/nnue_model.h"
#include "learn/positions.h"
#include "learn/selfplay.h"
#include "learn/wdl_fit.h"
#include "net/state.h"

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/tabia-learn-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"a.games",           "b.games", "c.samples", "state", "x.pgn", "run/part-000.games",
                                        "run/part-001.games"};
    for (size_t i = 0; i < COUNT_OF(names); i++) unlink(path_of(names[i]));
    rmdir(path_of("run"));
    return rmdir(folder);
}

/* A random game with made-up scores. */
static void make_game(StoredGame *game, uint64_t seed)
{
    Rng      rng = rng_seeded(seed);
    Position now, next;
    position_set_start(&now);
    *game = (StoredGame){.start = now, .number = seed, .result = (Result)(1 + rng_below(&rng, 3))};
    for (int i = 0; i < 100; i++) {
        MoveList legal;
        movegen_legal(&now, &legal);
        if (legal.count == 0) break;
        game->moves[i]  = legal.moves[rng_below(&rng, (uint64_t)legal.count)];
        game->scores[i] = (int16_t)((int)rng_below(&rng, 2001) - 1000);
        game->plies++;
        position_play(&now, game->moves[i], &next);
        now = next;
    }
}

static void assert_same_game(const StoredGame *a, const StoredGame *b)
{
    assert_true(position_same(&a->start, &b->start));
    assert_true(a->start.key == b->start.key);
    assert_int_equal(a->result, b->result);
    assert_true(a->number == b->number);
    assert_int_equal(a->plies, b->plies);
    assert_memory_equal(a->moves, b->moves, (size_t)a->plies * sizeof *a->moves);
    assert_memory_equal(a->scores, b->scores, (size_t)a->plies * sizeof *a->scores);
}

/* ---- the store ---- */

static void stored_games_come_back(void **state)
{
    (void)state;
    static StoredGame game, got;
    StoreWriter       writer;
    StoreReader       reader;
    Err               err;
    assert_true(store_append_to(&writer, path_of("a.games"), &err));
    for (uint64_t i = 0; i < 20; i++) {
        make_game(&game, i);
        assert_true(store_write(&writer, &game, &err));
    }
    assert_true(store_close(&writer, &err));
    assert_true(store_open(&reader, path_of("a.games"), &err));
    for (uint64_t i = 0; i < 20; i++) {
        make_game(&game, i);
        assert_int_equal(store_next(&reader, &got, &err), STORE_GAME);
        assert_same_game(&game, &got);
    }
    assert_int_equal(store_next(&reader, &got, &err), STORE_END);
    store_release(&reader);
}

/* Cut anywhere, the file goes on with whole games, and nothing whole is lost. */
static void a_torn_tail_is_cut_off(void **state)
{
    (void)state;
    static StoredGame game, got;
    StoreWriter       writer;
    StoreReader       reader;
    struct stat       info;
    Err               err;
    long              ends[6];
    assert_true(store_append_to(&writer, path_of("b.games"), &err));
    ends[0] = 8;
    for (int i = 0; i < 5; i++) {
        make_game(&game, (uint64_t)i + 50);
        assert_true(store_write(&writer, &game, &err));
        ends[i + 1] = ftell(writer.file);
    }
    assert_true(store_close(&writer, &err));
    Rng rng = rng_seeded(9);
    for (int whole = 4; whole >= 0; whole--) {
        long cut = ends[whole] + 1 + (long)rng_below(&rng, (uint64_t)(ends[whole + 1] - ends[whole] - 1));
        assert_int_equal(truncate(path_of("b.games"), cut), 0);
        assert_true(store_append_to(&writer, path_of("b.games"), &err));
        assert_int_equal(writer.games, whole);
        assert_true(writer.next_number == (whole ? (uint64_t)whole + 50 : 0));
        assert_int_equal(stat(path_of("b.games"), &info), 0);
        assert_int_equal(info.st_size, ends[whole]);
        make_game(&game, 99);
        assert_true(store_write(&writer, &game, &err));
        assert_true(store_close(&writer, &err));
        assert_true(store_open(&reader, path_of("b.games"), &err));
        for (int i = 0; i <= whole; i++) assert_int_equal(store_next(&reader, &got, &err), STORE_GAME);
        assert_same_game(&game, &got);
        assert_int_equal(store_next(&reader, &got, &err), STORE_END);
        store_release(&reader);
        assert_int_equal(truncate(path_of("b.games"), ends[whole]), 0);
    }
}

static void other_files_are_refused(void **state)
{
    (void)state;
    StoreWriter writer;
    Err         err;
    FILE       *file = fopen(path_of("x.pgn"), "w");
    fputs("[Event \"a\"]\n\n1. e4 1-0\n", file);
    fclose(file);
    assert_false(store_append_to(&writer, path_of("x.pgn"), &err));
    assert_non_null(strstr(err.text, "no file of stored games"));
}

/* ---- samples ---- */

static void a_sample_is_seen_by_the_side_to_move(void **state)
{
    (void)state;
    Position white, black;
    Piece    board[SQUARES];
    assert_true(position_from_fen(STR("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"), &white, NULL, NULL));
    assert_true(position_from_fen(STR("4k2r/4p3/8/8/8/8/8/4K3 b k - 0 1"), &black, NULL, NULL));
    Sample w = sample_of(&white, 300, SAMPLE_RESULT_WIN), b = sample_of(&black, -300, 0);
    assert_int_equal(w.score, 300);
    assert_int_equal(b.score, 300);
    assert_int_equal(w.result, SAMPLE_RESULT_WIN);
    assert_int_equal(b.result, SAMPLE_RESULT_WIN);
    assert_int_equal(w.castling, b.castling);
    assert_true(w.occupied == b.occupied);
    assert_memory_equal(w.men, b.men, sizeof w.men);
    sample_to_board(&b, board);
    assert_int_equal(board[E2], W_PAWN);
    assert_int_equal(board[H1], W_ROOK);
    assert_int_equal(board[E8], B_KING);
}

/* Whoever stands better by the stored scores of real self-play also wins more of those games. */
static void scores_and_results_point_the_same_way(void **state)
{
    (void)state;
    SelfplayOptions options = {
        .folder = path_of("run"), .games = 12, .seed = 5, .threads = 2, .nodes = 300, .random_plies = 8, .hash_mb = 1};
    char           run[128];
    SelfplayCounts counts;
    Err            err;
    snprintf(run, sizeof run, "%s", options.folder);
    options.folder = run;
    if (!selfplay_run(&options, NULL, NULL, &counts, &err)) fail_msg("%s", err.text);
    assert_int_equal(counts.games, 12);
    assert_false(selfplay_run(&options, NULL, NULL, &counts, &err)); /* would mix with what is there */
    options.resume = true;
    options.games  = 4;
    if (!selfplay_run(&options, NULL, NULL, &counts, &err)) fail_msg("%s", err.text);
    SampleSet    set    = {0};
    SampleSource source = {0};
    SampleFilter filter = sample_filter_default();
    Rng          rng    = rng_seeded(1);
    if (!samples_read(&set, run, &filter, &rng, &source, &err)) fail_msg("%s", err.text);
    assert_int_equal(source.games, 16);
    double agreement = 0;
    for (size_t i = 0; i < set.count; i++)
        agreement += set.samples[i].score * ((double)set.samples[i].result - SAMPLE_RESULT_DRAW);
    assert_true(agreement > 0);
    double scale = nnue_fit_scale(&set);
    assert_true(scale > 61 && scale < 950); /* a wrong sign drives it to an end of the range */
    assert_true(samples_write(&set, path_of("c.samples"), &err));
    SampleSet again = {0};
    assert_true(samples_read(&again, path_of("c.samples"), &filter, &rng, &source, &err));
    assert_int_equal(again.count, set.count);
    assert_memory_equal(again.samples, set.samples, set.count * sizeof *set.samples);
    assert_int_equal(truncate(path_of("c.samples"), 100), 0);
    assert_false(samples_read(&again, path_of("c.samples"), &filter, &rng, &source, &err));
    samples_release(&set);
    samples_release(&again);
}

/* A quiet opening with scores that the board does not show, for either side. */
static void scores_far_from_the_classical_value_can_be_left_out(void **state)
{
    (void)state;
    static const char *line[]   = {"g1f3", "g8f6", "b1c3", "b8c6"};
    static const int   scores[] = {20, 600, -600, 0};
    StoredGame         game     = {.result = RESULT_DRAW, .plies = 4};
    PawnEntry         *pawns    = aligned_alloc(_Alignof(PawnEntry), PAWN_TABLE_SIZE * sizeof *pawns);
    SampleFilter       filter   = sample_filter_default();
    SampleSet          set      = {0};
    Rng                rng      = rng_seeded(1);
    assert_non_null(pawns);
    classical_reset_pawns(pawns);
    position_set_start(&game.start);
    Position now = game.start, next;
    for (int i = 0; i < game.plies; i++) {
        assert_true(move_from_uci(&now, str_from(line[i]), &game.moves[i], NULL));
        game.scores[i] = (int16_t)scores[i];
        position_play(&now, game.moves[i], &next);
        now = next;
    }
    assert_true(samples_add_game(&set, &game, &filter, pawns, &rng));
    assert_int_equal(set.count, 4);
    filter.gap_max = 200;
    assert_true(samples_add_game(&set, &game, &filter, pawns, &rng));
    assert_int_equal(set.count, 6);
    assert_int_equal(set.samples[4].score, 20);
    assert_int_equal(set.samples[5].score, 0);
    samples_release(&set);
    free(pawns);
}

/* Scores pass a share on to the earlier ones: more the nearer they are, also over unscored half-moves. */
static void later_scores_count_in_earlier_ones(void **state)
{
    (void)state;
    static const char *line[]   = {"g1f3", "g8f6", "b1c3", "b8c6"};
    static const int   scores[] = {0, SCORE_NONE, 0, 340};
    StoredGame         game     = {.result = RESULT_WHITE_WINS, .plies = 4};
    SampleFilter       filter   = sample_filter_default();
    SampleSet          set      = {0};
    Rng                rng      = rng_seeded(1);
    filter.ahead                = 0.5;
    position_set_start(&game.start);
    Position now = game.start, next;
    for (int i = 0; i < game.plies; i++) {
        assert_true(move_from_uci(&now, str_from(line[i]), &game.moves[i], NULL));
        game.scores[i] = (int16_t)scores[i];
        position_play(&now, game.moves[i], &next);
        now = next;
    }
    assert_true(samples_add_game(&set, &game, &filter, NULL, &rng));
    assert_int_equal(set.count, 3);
    /* 340 is two units of 170: expected 0.8808 for White, who is to move in the first two samples and not in the third. */
    assert_int_equal(set.samples[2].score, -340);
    assert_int_equal(set.samples[1].score, 136); /* half of 0.8808 and half of 0.5: 0.6904 */
    assert_int_equal(set.samples[0].score, 32);  /* a quarter of 0.6904 and the rest of 0.5: 0.5476 */
    filter.ahead = 0;
    assert_true(samples_add_game(&set, &game, &filter, NULL, &rng));
    assert_int_equal(set.samples[3].score, 0);
    assert_int_equal(set.samples[4].score, 0);
    samples_release(&set);
}

static void positions_get_the_mean_of_their_games(void **state)
{
    (void)state;
    FILE *file = fopen(path_of("x.pgn"), "w");
    fputs("[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n\n[Result \"1-0\"]\n\n1. d4 1-0\n\n"
          "[Result \"*\"]\n\n1. c4 c5 *\n",
          file);
    fclose(file);
    const char    *paths[] = {path_of("x.pgn")};
    SampleSet      set     = {0};
    PositionSource source;
    Err            err;
    assert_true(positions_from_pgn(&set, paths, 1, 0, &source, &err));
    assert_int_equal(source.games, 4);
    assert_int_equal(set.count, 3); /* the start, after 1. e4, after 1. e4 e5 */
    assert_int_equal(set.samples[0].result, (uint16_t)((uint64_t)SAMPLE_RESULT_WIN * 2 / 3)); /* won, lost, won */
    assert_in_range(set.samples[1].result, SAMPLE_RESULT_DRAW, SAMPLE_RESULT_DRAW + 1);
    assert_int_equal(set.samples[2].result, SAMPLE_RESULT_WIN);
    samples_release(&set);
}

/* ---- the model ---- */

static Sample random_sample(Rng *rng)
{
    Position pos, next;
    position_set_start(&pos);
    for (int left = 4 + (int)rng_below(rng, 80); left > 0; left--) {
        MoveList all;
        movegen_legal(&pos, &all);
        if (all.count == 0) break;
        position_play(&pos, all.moves[rng_below(rng, (uint64_t)all.count)], &next);
        pos = next;
    }
    return sample_of(&pos, 0, SAMPLE_RESULT_DRAW);
}

static void gradients_are_those_of_the_output(void **state)
{
    (void)state;
    enum { HIDDEN = 32 };
    NnueShape          shape  = nnue_shape(HIDDEN, 4, NET_KINGS_MAX);
    float             *params = calloc(shape.total, sizeof *params), *gradient = calloc(shape.total, sizeof *gradient);
    static NnueScratch scratch;
    NnueInputs         inputs;
    Rng                rng = rng_seeded(11);
    nnue_init(&shape, params, &rng);
    for (int round = 0; round < 20; round++) {
        Sample sample = random_sample(&rng);
        memset(gradient, 0, shape.total * sizeof *gradient);
        nnue_forward(&shape, params, &sample, &inputs, &scratch);
        nnue_backward(&shape, params, &inputs, &scratch, 1, gradient);
        for (int k = 0; k < 200; k++) {
            size_t i   = k < 100 ? rng_below(&rng, shape.total - shape.biases) + shape.biases
                                 : (size_t)inputs.own[rng_below(&rng, (uint64_t)inputs.count)] * HIDDEN + rng_below(&rng, HIDDEN);
            float  old = params[i], step = 0.002F;
            params[i]   = old + step;
            float high  = nnue_forward(&shape, params, &sample, &inputs, &scratch);
            params[i]   = old - step;
            float low   = nnue_forward(&shape, params, &sample, &inputs, &scratch);
            params[i]   = old;
            float slope = (high - low) / (2 * step);
            if (fabsf(slope - gradient[i]) > 0.003F + 0.02F * fabsf(slope)) fail_msg("%zu: %f, not %f", i, gradient[i], slope);
        }
    }
    free(params);
    free(gradient);
}

static void integers_say_what_the_floats_say(void **state)
{
    (void)state;
    NnueShape          shape  = nnue_shape(64, 8, NET_KINGS_MAX);
    float             *params = calloc(shape.total, sizeof *params);
    static NnueScratch scratch;
    NnueInputs         inputs;
    Rng                rng = rng_seeded(12);
    nnue_init(&shape, params, &rng);
    Net      *net = nnue_quantise(&shape, params, 400);
    NetState *at  = net_state_new(net, NULL);
    for (int i = 0; i < 300; i++) {
        Sample   sample = random_sample(&rng);
        Position pos;
        Piece    board[SQUARES];
        position_clear(&pos);
        sample_to_board(&sample, board);
        for (Square s = A1; s <= H8; s++) {
            if (board[s] != NO_PIECE) position_put(&pos, s, board[s]);
        }
        double expected = 400 * (double)nnue_forward(&shape, params, &sample, &inputs, &scratch);
        assert_true(fabs(expected - net_evaluate(at, &pos, 0)) < 12);
    }
    net_state_free(at);
    net_free(net);
    free(params);
}

/* A made-up truth that is easy to see: who has more men wins. */
static void make_truth(SampleSet *set, size_t count)
{
    Rng rng = rng_seeded(21);
    for (size_t i = 0; i < count; i++) {
        Sample sample = random_sample(&rng);
        int    men = __builtin_popcountll(sample.occupied), own = 0;
        for (int k = 0; k < men; k++) own += (sample.men[k / 2] >> (4 * (k % 2)) & 15) < 6;
        sample.score  = (int16_t)(100 * (2 * own - men));
        sample.result = sample.score > 0 ? SAMPLE_RESULT_WIN : sample.score < 0 ? 0 : SAMPLE_RESULT_DRAW;
        assert_true(samples_add(set, &sample));
    }
}

typedef struct {
    double losses[8];
    int    epochs;
    int    stop_after;
} Heard;

static bool listen(void *context, const NnueProgress *progress, Net *net)
{
    Heard *heard = context;
    if (!net) return true;
    heard->losses[heard->epochs++] = progress->training_loss;
    return heard->epochs != heard->stop_after;
}

static void a_small_network_learns_and_can_be_resumed(void **state)
{
    (void)state;
    SampleSet   set   = {0};
    Heard       whole = {0}, half = {.stop_after = 2}, rest = {0};
    NnueOptions options = nnue_default_options();
    Net        *once, *twice;
    Err         err;
    options.hidden = 32, options.buckets = 1, options.epochs = 4, options.batch = 256, options.threads = 2;
    options.rate = 0.005, options.scale = 200;
    char path[128];
    snprintf(path, sizeof path, "%s", path_of("state"));
    options.state = path;
    make_truth(&set, 6000);
    if (!nnue_train(&set, &options, listen, &whole, &once, &err)) fail_msg("%s", err.text);
    assert_int_equal(whole.epochs, 4);
    assert_true(whole.losses[3] < 0.5 * whole.losses[0]);
    samples_release(&set);

    make_truth(&set, 6000); /* the same training in two parts gives the same network */
    if (!nnue_train(&set, &options, listen, &half, &twice, &err)) fail_msg("%s", err.text);
    net_free(twice);
    samples_release(&set);
    make_truth(&set, 6000);
    options.resume = true;
    if (!nnue_train(&set, &options, listen, &rest, &twice, &err)) fail_msg("%s", err.text);
    assert_int_equal(rest.epochs, 2);
    assert_memory_equal(once->inputs, twice->inputs, NET_INPUTS * 32 * sizeof *once->inputs);
    assert_memory_equal(once->outputs, twice->outputs, (size_t)2 * 32 * sizeof *once->outputs);
    net_free(once);
    net_free(twice);
    samples_release(&set);
}

/* What a network knows is where the next training begins, also where its unit is another one. */
static void a_network_learns_on_from_another(void **state)
{
    (void)state;
    SampleSet   set   = {0};
    Heard       first = {0}, next = {0};
    NnueOptions options = nnue_default_options();
    Net        *from, *to = NULL;
    Err         err;
    options.hidden = 32, options.buckets = 2, options.epochs = 6, options.batch = 256, options.threads = 2;
    options.rate = 0.005, options.scale = 200;
    make_truth(&set, 6000);
    if (!nnue_train(&set, &options, listen, &first, &from, &err)) fail_msg("%s", err.text);
    options.from = from, options.epochs = 1, options.rate = options.final_rate = 1e-7;
    if (!nnue_train(&set, &options, listen, &next, &to, &err)) fail_msg("%s", err.text);
    assert_true(next.losses[0] < 1.2 * first.losses[5]);
    net_free(to);

    options.scale = 250; /* its centipawns stay what they were */
    if (!nnue_train(&set, &options, listen, &next, &to, &err)) fail_msg("%s", err.text);
    assert_int_equal(to->scale, 250000);
    for (size_t i = 0; i < (size_t)2 * 2 * 32; i++) {
        double was = from->outputs[i] * 200.0, is = to->outputs[i] * 250.0;
        assert_true(fabs(was - is) <= 250);
    }
    net_free(to);

    options.kings = NET_KINGS_MAX, options.scale = 200; /* several sets of weights begin as one */
    next.epochs = 0;
    if (!nnue_train(&set, &options, listen, &next, &to, &err)) fail_msg("%s", err.text);
    assert_true(next.losses[0] < 1.2 * first.losses[5]);
    net_free(to);

    options.hidden = 64;
    assert_false(nnue_train(&set, &options, NULL, NULL, &to, &err));
    assert_non_null(strstr(err.text, "32 neurons"));
    assert_null(to);
    net_free(from);
    samples_release(&set);
}

/* Results drawn by known curves lead back to them. */
static void curves_of_winning_are_found_again(void **state)
{
    (void)state;
    const char *const phases[] = {"4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", "r3k2r/pppp4/8/8/8/8/PPPP4/R3K2R b - - 0 1",
                                  "rnb1kbnr/pppp4/8/8/8/8/PPPP4/RNB1KBNR w - - 0 1",
                                  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1"};
    const WdlModel    truth    = {.even = {150, 60, -30}, .spread = {70, 50}};
    const double      shares[] = {0, 8.0 / 24, 16.0 / 24, 1};
    SampleSet         set      = {0};
    Rng               rng      = rng_seeded(5);
    Err               err;
    WdlFit            fit;
    assert_false(wdl_fit(&set, &fit, &err));
    for (int i = 0; i < 60000; i++) {
        Position pos;
        int      score = (int)rng_below(&rng, 1201) - 600;
        assert_true(position_from_fen(str_from(phases[i % 4]), &pos, NULL, NULL));
        double even = wdl_even_chance(&truth, shares[i % 4]), width = wdl_spread(&truth, shares[i % 4]), luck = rng_unit(&rng);
        double win = 1 / (1 + exp((even - score) / width)), loss = 1 / (1 + exp((even + score) / width));
        int    result = luck < win ? SAMPLE_RESULT_WIN : luck < win + loss ? 0 : SAMPLE_RESULT_DRAW;
        Sample sample = sample_of(&pos, score, result);
        assert_true(samples_add(&set, &sample));
    }
    assert_true(wdl_fit(&set, &fit, &err));
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(wdl_even_chance(&fit.model, shares[i]) - wdl_even_chance(&truth, shares[i])) < 6);
        assert_true(fabs(wdl_spread(&fit.model, shares[i]) - wdl_spread(&truth, shares[i])) < 6);
    }
    assert_true(fit.after < fit.before && fabs(fit.predicted - fit.found) < 0.005);
    samples_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_games_come_back),
        cmocka_unit_test(a_torn_tail_is_cut_off),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(a_sample_is_seen_by_the_side_to_move),
        cmocka_unit_test(scores_far_from_the_classical_value_can_be_left_out),
        cmocka_unit_test(later_scores_count_in_earlier_ones),
        cmocka_unit_test(scores_and_results_point_the_same_way),
        cmocka_unit_test(positions_get_the_mean_of_their_games),
        cmocka_unit_test(gradients_are_those_of_the_output),
        cmocka_unit_test(integers_say_what_the_floats_say),
        cmocka_unit_test(a_small_network_learns_and_can_be_resumed),
        cmocka_unit_test(a_network_learns_on_from_another),
        cmocka_unit_test(curves_of_winning_are_found_again),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

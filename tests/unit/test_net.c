/* test_net.c - the network at work: every kernel gives the same bits, differences give what a fresh start gives, broken files are
 * refused in words. */
#include "support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "net/mlp.h"
#include "net/state.h"

enum { HIDDEN = 96 };

static Net *random_net(uint64_t seed, int kings)
{
    Rng  rng = rng_seeded(seed);
    Net *net = net_new(HIDDEN, 8, kings);
    assert_non_null(net);
    for (int i = 0; i < kings * NET_INPUTS * HIDDEN; i++) net->inputs[i] = (int16_t)((int)rng_below(&rng, 121) - 60);
    for (int i = 0; i < HIDDEN; i++) net->biases[i] = (int16_t)((int)rng_below(&rng, 201) - 50);
    for (int i = 0; i < 8 * 2 * HIDDEN; i++) net->outputs[i] = (int16_t)((int)rng_below(&rng, 255) - 127);
    for (int i = 0; i < 8; i++) net->offsets[i] = (int32_t)rng_below(&rng, 20000) - 10000;
    return net;
}

static void kernels_agree_with_the_scalar_one(void **state)
{
    (void)state;
    enum { N = 1024, ROUNDS = 2000 };
    static int16_t base[N], rows[NET_CHANGES_MAX][N], weights[N], expected[N], got[N];
    Rng            rng = rng_seeded(3);
    for (int round = 0; round < ROUNDS; round++) {
        const int16_t *add[NET_CHANGES_MAX], *sub[NET_CHANGES_MAX];
        int            n    = NET_HIDDEN_STEP * (1 + (int)rng_below(&rng, N / NET_HIDDEN_STEP));
        int            adds = (int)rng_below(&rng, 16), subs = (int)rng_below(&rng, 16);
        for (int i = 0; i < n; i++) {
            base[i]    = (int16_t)rng_next(&rng); /* wraps too */
            weights[i] = (int16_t)((int)rng_below(&rng, 2 * NET_OUT_MAX + 1) - NET_OUT_MAX);
        }
        for (int k = 0; k < adds + subs; k++) {
            for (int i = 0; i < n; i++) rows[k][i] = (int16_t)((int)rng_below(&rng, 1001) - 500);
            if (k < adds)
                add[k] = rows[k];
            else
                sub[k - adds] = rows[k];
        }
        net_kernels(0)->update(expected, base, add, adds, sub, subs, n);
        int64_t sum = net_kernels(0)->sum(expected, weights, n);
        for (int k = 1; k < net_kernel_count(); k++) {
            net_kernels(k)->update(got, base, add, adds, sub, subs, n);
            assert_memory_equal(got, expected, (size_t)n * sizeof *got);
            assert_true(net_kernels(k)->sum(got, weights, n) == sum);
        }
    }
}

static void the_largest_sums_do_not_overflow(void **state)
{
    (void)state;
    static int16_t values[NET_HIDDEN_MAX], weights[NET_HIDDEN_MAX];
    for (int i = 0; i < NET_HIDDEN_MAX; i++) values[i] = 32767, weights[i] = -NET_OUT_MAX;
    int64_t expected = (int64_t)NET_HIDDEN_MAX * NET_UNIT_IN * NET_UNIT_IN * -NET_OUT_MAX;
    for (int k = 0; k < net_kernel_count(); k++) assert_true(net_kernels(k)->sum(values, weights, NET_HIDDEN_MAX) == expected);
}

/* Walks through random games as a search does, up and down the plies; a new state knows nothing and must say the same. */
static void differences_give_what_a_fresh_start_gives(void **state)
{
    (void)state;
    enum { GAMES = 60, PLIES = 120 };
    static Position path[PLIES + 1];
    Net            *net  = random_net(1, NET_KINGS_MAX);
    NetState       *used = net_state_new(net, NULL);
    Rng             rng  = rng_seeded(2);
    for (int game = 0; game < GAMES; game++) {
        position_set_start(&path[0]);
        int ply = 0;
        for (int step = 0; step < 2 * PLIES; step++) {
            MoveList legal;
            movegen_legal(&path[ply], &legal);
            bool back = ply > 0 && (legal.count == 0 || ply == PLIES || rng_below(&rng, 4) == 0);
            if (back) {
                ply -= 1 + (int)rng_below(&rng, (uint64_t)ply);
                if (ply < 0) ply = 0;
            } else {
                position_play(&path[ply], legal.moves[rng_below(&rng, (uint64_t)legal.count)], &path[ply + 1]);
                ply++;
            }
            if (rng_below(&rng, 3) == 0) continue; /* not every node is evaluated */
            NetState *fresh = net_state_new(net, net_kernels(0));
            assert_int_equal(net_evaluate(used, &path[ply], ply), net_evaluate(fresh, &path[ply], 0));
            net_state_free(fresh);
        }
    }
    net_state_free(used);
    net_free(net);
}

/* Every kernel, each with its own sums carried through a million positions of random games. */
static void a_million_positions_are_judged_alike_by_all_kernels(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    enum { COUNT = 50000 }; /* an instrumented million takes minutes and sees the same code */
#else
    enum { COUNT = 1000000 };
#endif
    enum { PLIES = 200, KERNELS_MAX = 4 };
    Net      *net = random_net(11, NET_KINGS_MAX);
    NetState *states[KERNELS_MAX];
    Rng       rng = rng_seeded(12);
    Position  now, next;
    int       ply = PLIES;
    assert_in_range(net_kernel_count(), 1, KERNELS_MAX);
    for (int k = 0; k < net_kernel_count(); k++) states[k] = net_state_new(net, net_kernels(k));
    for (int i = 0; i < COUNT; i++) {
        MoveList legal;
        if (ply == PLIES) position_set_start(&now), ply = 0;
        movegen_legal(&now, &legal);
        if (legal.count == 0) {
            ply = PLIES;
            continue;
        }
        position_play(&now, legal.moves[rng_below(&rng, (uint64_t)legal.count)], &next);
        now       = next;
        int value = net_evaluate(states[0], &now, ++ply);
        for (int k = 1; k < net_kernel_count(); k++) assert_int_equal(net_evaluate(states[k], &now, ply), value);
    }
    for (int k = 0; k < net_kernel_count(); k++) net_state_free(states[k]);
    net_free(net);
}

/* Turned over and mirrored it is the same position for the same side. */
static void colours_and_wings_do_not_matter(void **state)
{
    (void)state;
    const char *const same[] = {"4k3/pp3p2/8/3n4/8/2P5/PP4P1/2K4R w - - 0 1", "2k4r/pp4p1/2p5/8/3N4/8/PP3P2/4K3 b - - 0 1",
                                "3k4/2p3pp/8/4n3/8/5P2/1P4PP/R4K2 w - - 0 1"};
    Net              *net    = random_net(5, NET_KINGS_MAX);
    NetState         *at     = net_state_new(net, NULL);
    int               values[3];
    for (int i = 0; i < 3; i++) {
        Position pos;
        assert_true(position_from_fen(str_from(same[i]), &pos, NULL, NULL));
        values[i] = net_evaluate(at, &pos, i);
    }
    assert_int_equal(values[0], values[1]);
    assert_int_equal(values[0], values[2]);
    net_state_free(at);
    net_free(net);
}

static void check_same_network(const Net *a, const Net *b)
{
    assert_true(a->hash == b->hash);
    assert_int_equal(a->kings, b->kings);
    assert_memory_equal(a->inputs, b->inputs, (size_t)a->kings * NET_INPUTS * HIDDEN * sizeof *a->inputs);
    assert_memory_equal(a->outputs, b->outputs, (size_t)8 * 2 * HIDDEN * sizeof *a->outputs);
    assert_memory_equal(a->offsets, b->offsets, 8 * sizeof *a->offsets);
    assert_memory_equal(a->curves, b->curves, sizeof a->curves);
}

static void a_network_survives_its_file(void **state)
{
    (void)state;
    char path[] = "/tmp/tabia-net-XXXXXX";
    Err  err;
    int  fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (int kings = 1; kings <= NET_KINGS_MAX; kings += NET_KINGS_MAX - 1) {
        Net *saved = random_net(7, kings);
        for (int i = 0; i < NET_CURVES; i++) saved->curves[i] = (kings - 2) * (i + 1) * 9001;
        assert_true(net_save(saved, path, &err));
        Net *again = net_load(path, &err);
        assert_non_null(again);
        check_same_network(again, saved);
        net_free(again);
        net_free(saved);
    }

    FILE *file = fopen(path, "r+b"); /* one bit */
    fseek(file, 1000, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, 1000, SEEK_SET);
    fputc(byte ^ 1, file);
    fclose(file);
    assert_null(net_load(path, &err));
    assert_non_null(strstr(err.text, "damaged"));
    assert_int_equal(truncate(path, 5000), 0);
    assert_null(net_load(path, &err));
    assert_non_null(strstr(err.text, "not whole"));
    assert_int_equal(truncate(path, 0), 0);
    assert_null(net_load(path, &err));
    assert_non_null(strstr(err.text, "no network"));
    unlink(path);
    assert_null(net_load(path, &err));
    assert_int_equal(err.code, ERR_IO);
}

/* The fourth ancestor prints the start position's numbers. */
static void the_small_network_sees_what_the_ancestor_saw(void **state)
{
    (void)state;
    static const float start[MLP_INPUTS] = {4, 1, 0, 0, 0, 0, 7, 10, 2, 1, 0, 0, 0, 0, 7, 8,  3, 1, 0, 0, 0,  0, 7, 9,
                                            5, 1, 0, 0, 0, 0, 7, 11, 6, 1, 0, 0, 0, 0, 7, 12, 3, 1, 0, 0, 0,  0, 7, 9,
                                            2, 1, 0, 0, 0, 0, 7, 8,  4, 1, 0, 0, 0, 0, 7, 10, 1, 1, 1, 1, -1, 0};
    float              in[MLP_INPUTS];
    Position           pos;
    position_set_start(&pos);
    mlp_encode(&pos, in);
    for (int i = 0; i < MLP_INPUTS; i++) assert_true(in[i] == start[i]);
    assert_true(position_from_fen(STR("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"), &pos, NULL, NULL));
    mlp_encode(&pos, in);
    assert_true(in[68] == 3 && in[69] == 1 && in[64] == 0);
}

static void the_small_network_survives_its_file(void **state)
{
    (void)state;
    char path[] = "/tmp/tabia-mlp-XXXXXX";
    Err  err;
    Mlp  mlp = {.offset = 0.25F}, again;
    int  fd  = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    mlp.inputs[3][7] = 1.5F;
    assert_true(mlp_save(&mlp, path, &err) && mlp_load(&again, path, &err));
    assert_memory_equal(&mlp, &again, sizeof mlp);
    assert_int_equal(truncate(path, 300), 0);
    assert_false(mlp_load(&again, path, &err));
    assert_non_null(strstr(err.text, "damaged"));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_agree_with_the_scalar_one),
        cmocka_unit_test(the_largest_sums_do_not_overflow),
        cmocka_unit_test(differences_give_what_a_fresh_start_gives),
        cmocka_unit_test(a_million_positions_are_judged_alike_by_all_kernels),
        cmocka_unit_test(colours_and_wings_do_not_matter),
        cmocka_unit_test(a_network_survives_its_file),
        cmocka_unit_test(the_small_network_sees_what_the_ancestor_saw),
        cmocka_unit_test(the_small_network_survives_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_tt.c - the transposition table: what goes in comes out, and what is broken does not.
 *
 * The table's source is included rather than linked: a torn entry can only be made from inside.
 */
#include "search/tt.c"

#include "support/testing.h"

enum { SIZE_MB = 1 };

static Tt *new_table(void)
{
    Err err;
    Tt *tt = tt_new(SIZE_MB, &err);
    if (!tt) fail_msg("%s", err.text);
    tt_clear(tt, 1);
    return tt;
}

static TtHit entry_of(Score score, int depth, Bound bound)
{
    return (TtHit){.move = move_make(E2, E4), .score = score, .eval = -77, .depth = depth, .bound = bound};
}

/* Another key of the same cluster: the low bits do not choose it. */
static Key sibling(Key key, unsigned n) { return key ^ n; }

static void an_empty_table_knows_nothing(void **state)
{
    (void)state;
    Tt   *tt = new_table();
    TtHit hit;
    assert_false(tt_probe(tt, 0, 0, &hit));
    assert_false(tt_probe(tt, 0x123456789abcdef0U, 0, &hit));
    assert_false(tt_probe(tt, UINT64_MAX, 0, &hit));
    assert_int_equal(tt_hashfull(tt), 0);
    tt_free(tt);
}

static void what_is_stored_is_found(void **state)
{
    (void)state;
    Tt         *tt       = new_table();
    const Bound bounds[] = {BOUND_UPPER, BOUND_LOWER, BOUND_EXACT};
    const Score scores[] = {0, 1, -1, 350, -350, SCORE_EVAL_MAX, -SCORE_EVAL_MAX, SCORE_NONE};
    Key         key      = 0xfedcba9876543210U;
    for (size_t b = 0; b < COUNT_OF(bounds); b++) {
        for (size_t s = 0; s < COUNT_OF(scores); s++) {
            for (int depth = -1; depth <= SEARCH_DEPTH_MAX; depth += 41) {
                TtHit in = {
                    .move = move_make_promotion(A7, A8, QUEEN), .score = scores[s], .eval = -scores[s] / 2, .depth = depth};
                TtHit out;
                in.bound  = bounds[b];
                in.was_pv = s & 1;
                key       = key * 6364136223846793005U + 1;
                tt_store(tt, key, 7, &in);
                assert_true(tt_probe(tt, key, 7, &out));
                assert_int_equal(out.move, in.move);
                assert_int_equal(out.score, in.score);
                assert_int_equal(out.eval, in.eval);
                assert_int_equal(out.depth, in.depth);
                assert_int_equal(out.bound, in.bound);
                assert_int_equal(out.was_pv, in.was_pv);
            }
        }
    }
    tt_free(tt);
}

static void an_entry_without_an_evaluation_says_so(void **state)
{
    (void)state;
    Tt   *tt = new_table();
    TtHit in = {.move = MOVE_NONE, .score = 5, .eval = SCORE_NONE, .depth = 3, .bound = BOUND_LOWER}, out;
    tt_store(tt, 99, 0, &in);
    assert_true(tt_probe(tt, 99, 0, &out));
    assert_int_equal(out.eval, SCORE_NONE);
    assert_int_equal(out.move, MOVE_NONE);
    tt_free(tt);
}

/* A mate found at ply 9, three plies below the node, is three plies away wherever that node is met again. */
static void mates_are_distances_from_the_position(void **state)
{
    (void)state;
    Tt *tt = new_table();
    for (int stored = 0; stored < PLY_MAX; stored += 5) {
        for (int probed = 0; probed < PLY_MAX; probed += 7) {
            for (int distance = 0; distance + (stored > probed ? stored : probed) < PLY_MAX; distance += 3) {
                TtHit win = entry_of(score_mate_in(stored + distance), 5, BOUND_EXACT), loss = win, hit;
                loss.score = score_mated_in(stored + distance);
                tt_store(tt, 1000, stored, &win);
                assert_true(tt_probe(tt, 1000, probed, &hit));
                assert_int_equal(hit.score, score_mate_in(probed + distance));
                tt_store(tt, 1000, stored, &loss);
                assert_true(tt_probe(tt, 1000, probed, &hit));
                assert_int_equal(hit.score, score_mated_in(probed + distance));
            }
        }
    }
    tt_free(tt);
}

static void ordinary_scores_do_not_depend_on_the_ply(void **state)
{
    (void)state;
    Tt   *tt = new_table();
    TtHit in = entry_of(1234, 5, BOUND_EXACT), hit;
    tt_store(tt, 5, 100, &in);
    assert_true(tt_probe(tt, 5, 3, &hit));
    assert_int_equal(hit.score, 1234);
    tt_free(tt);
}

static void another_key_of_the_same_cluster_is_not_mistaken(void **state)
{
    (void)state;
    Tt   *tt  = new_table();
    TtHit in  = entry_of(1, 5, BOUND_EXACT), hit;
    Key   key = 0x8000000000000000U;
    assert_ptr_equal(cluster_of(tt, key), cluster_of(tt, sibling(key, 1)));
    tt_store(tt, key, 0, &in);
    assert_false(tt_probe(tt, sibling(key, 1), 0, &hit));
    tt_free(tt);
}

/* Two threads wrote one word each: no key fits such a pair. */
static void a_torn_entry_is_absent(void **state)
{
    (void)state;
    Tt   *tt  = new_table();
    TtHit in  = entry_of(42, 9, BOUND_EXACT), hit;
    Key   key = 0x4000000000000000U;
    for (int bit = 0; bit < 64; bit++) {
        tt_clear(tt, 1);
        tt_store(tt, key, 0, &in);
        assert_true(tt_probe(tt, key, 0, &hit));
        Cluster *cluster = cluster_of(tt, key);
        for (int i = 0; i < CLUSTER_ENTRIES; i++) {
            uint64_t data = atomic_load(&cluster->entries[i].data);
            if (data != 0) atomic_store(&cluster->entries[i].data, data ^ (uint64_t)1 << bit);
        }
        assert_false(tt_probe(tt, key, 0, &hit));
    }
    tt_free(tt);
}

static void an_old_move_is_kept_when_the_new_search_has_none(void **state)
{
    (void)state;
    Tt   *tt = new_table();
    TtHit in = entry_of(10, 4, BOUND_LOWER), hit;
    tt_store(tt, 77, 0, &in);
    in.move  = MOVE_NONE;
    in.depth = 6;
    tt_store(tt, 77, 0, &in);
    assert_true(tt_probe(tt, 77, 0, &hit));
    assert_int_equal(hit.move, move_make(E2, E4));
    assert_int_equal(hit.depth, 6);
    tt_free(tt);
}

static void a_deep_entry_is_not_lost_to_a_shallow_bound_of_the_same_search(void **state)
{
    (void)state;
    Tt   *tt   = new_table();
    TtHit deep = entry_of(10, 20, BOUND_LOWER), shallow = entry_of(-10, 2, BOUND_UPPER), hit;
    tt_store(tt, 77, 0, &deep);
    tt_store(tt, 77, 0, &shallow);
    assert_true(tt_probe(tt, 77, 0, &hit));
    assert_int_equal(hit.depth, 20);
    tt_new_search(tt);
    tt_store(tt, 77, 0, &shallow);
    assert_true(tt_probe(tt, 77, 0, &hit));
    assert_int_equal(hit.depth, 2);
    tt_free(tt);
}

static void a_full_cluster_gives_up_its_shallowest_entry(void **state)
{
    (void)state;
    Tt   *tt  = new_table();
    Key   key = 0x2000000000000000U;
    TtHit hit;
    for (unsigned i = 0; i < 5; i++) {
        TtHit in = entry_of(0, i == 2 ? 1 : 10 + (int)i, BOUND_EXACT);
        tt_store(tt, sibling(key, i), 0, &in);
    }
    for (unsigned i = 0; i < 5; i++) assert_int_equal(tt_probe(tt, sibling(key, i), 0, &hit), i != 2);
    tt_free(tt);
}

static void old_searches_make_room_for_new_ones(void **state)
{
    (void)state;
    Tt   *tt  = new_table();
    Key   key = 0x2000000000000000U;
    TtHit old = entry_of(0, 12, BOUND_EXACT), young = entry_of(0, 3, BOUND_EXACT), hit;
    tt_store(tt, key, 0, &old);
    for (int i = 0; i < 6; i++) tt_new_search(tt);
    for (unsigned i = 1; i < 5; i++) tt_store(tt, sibling(key, i), 0, &young);
    assert_false(tt_probe(tt, key, 0, &hit));
    for (unsigned i = 1; i < 5; i++) assert_true(tt_probe(tt, sibling(key, i), 0, &hit));
    tt_free(tt);
}

static void many_searches_do_not_confuse_the_ages(void **state)
{
    (void)state;
    Tt   *tt = new_table();
    TtHit in = entry_of(3, 3, BOUND_EXACT), hit;
    for (int i = 0; i < 200; i++) {
        tt_new_search(tt);
        tt_store(tt, (Key)i << 40, 0, &in);
        assert_true(tt_probe(tt, (Key)i << 40, 0, &hit));
        assert_int_equal(hit.score, 3);
    }
    tt_free(tt);
}

static void clearing_forgets_everything_with_any_number_of_helpers(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        Tt   *tt = new_table();
        TtHit in = entry_of(3, 3, BOUND_EXACT), hit;
        for (Key i = 0; i < 1000; i++) tt_store(tt, i * 0x0041893b2a57c91dU, 0, &in);
        tt_clear(tt, threads);
        for (Key i = 0; i < 1000; i++) assert_false(tt_probe(tt, i * 0x0041893b2a57c91dU, 0, &hit));
        tt_free(tt);
    }
}

static void fullness_is_of_this_search_in_permille(void **state)
{
    (void)state;
    Tt   *tt  = new_table();
    TtHit in  = entry_of(3, 3, BOUND_EXACT);
    Key   key = 1;
    for (int i = 0; i < 400000; i++) {
        key = key * 6364136223846793005U + 1442695040888963407U;
        tt_store(tt, key, 0, &in);
    }
    assert_in_range(tt_hashfull(tt), 900, 1000);
    tt_new_search(tt);
    assert_int_equal(tt_hashfull(tt), 0);
    tt_free(tt);
}

static void a_table_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    Err err = {0};
    assert_null(tt_new((size_t)1 << 40, &err));
    assert_int_equal(err.code, ERR_MEMORY);
    assert_null(tt_new(SIZE_MAX, NULL));
    assert_null(tt_new(SIZE_MAX >> 20, NULL));
    tt_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_knows_nothing),
        cmocka_unit_test(what_is_stored_is_found),
        cmocka_unit_test(an_entry_without_an_evaluation_says_so),
        cmocka_unit_test(mates_are_distances_from_the_position),
        cmocka_unit_test(ordinary_scores_do_not_depend_on_the_ply),
        cmocka_unit_test(another_key_of_the_same_cluster_is_not_mistaken),
        cmocka_unit_test(a_torn_entry_is_absent),
        cmocka_unit_test(an_old_move_is_kept_when_the_new_search_has_none),
        cmocka_unit_test(a_deep_entry_is_not_lost_to_a_shallow_bound_of_the_same_search),
        cmocka_unit_test(a_full_cluster_gives_up_its_shallowest_entry),
        cmocka_unit_test(old_searches_make_room_for_new_ones),
        cmocka_unit_test(many_searches_do_not_confuse_the_ages),
        cmocka_unit_test(clearing_forgets_everything_with_any_number_of_helpers),
        cmocka_unit_test(fullness_is_of_this_search_in_permille),
        cmocka_unit_test(a_table_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

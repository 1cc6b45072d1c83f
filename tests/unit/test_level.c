/* test_level.c - playing below full strength: ordered levels, and choices within their bounds. */
#include "support/testing.h"

#include "engine/level.h"

enum { TRIES = 2000 };

static Level level_at(int elo)
{
    Position start;
    position_set_start(&start);
    return level_of_elo(elo, &start);
}

static LevelChoice choice_of(const Score *scores, int count)
{
    LevelChoice choice = {.count = count};
    for (int i = 0; i < count; i++) choice.scores[i] = scores[i];
    return choice;
}

static void higher_levels_see_more_and_err_less(void **state)
{
    (void)state;
    Level before = level_at(LEVEL_ELO_MIN);
    for (int elo = LEVEL_ELO_MIN + 50; elo <= LEVEL_ELO_MAX; elo += 50) {
        Level level         = level_at(elo);
        bool  first_network = level.network && !before.network; /* a better judge needs fewer nodes to be one step better */
        assert_true(first_network ? level.nodes > before.nodes / 3 : level.nodes > before.nodes);
        assert_true(level.blur <= before.blur && level.blur >= 0);
        assert_true(level.loss <= before.loss && level.loss >= 0);
        assert_true(level.lines <= before.lines && level.lines >= (level.blur > 0 ? 2 : 1));
        before = level;
    }
    assert_int_equal(before.blur, 0);
    assert_int_equal(before.lines, 1);
    assert_int_equal(before.loss, 0);
}

static void skill_runs_over_the_same_range(void **state)
{
    (void)state;
    assert_int_equal(level_elo_of_skill(0), LEVEL_ELO_MIN);
    assert_int_equal(level_elo_of_skill(SKILL_MAX), LEVEL_ELO_MAX);
    for (int skill = 1; skill <= SKILL_MAX; skill++) assert_true(level_elo_of_skill(skill) > level_elo_of_skill(skill - 1));
}

static int level_of(const char *text)
{
    int skill = -1;
    Err err;
    return level_from_text(str_from(text), &skill, &err) ? skill : -1;
}

static void levels_are_called_by_number_elo_or_name(void **state)
{
    (void)state;
    assert_int_equal(level_of("0"), 0);
    assert_int_equal(level_of("20"), SKILL_MAX);
    assert_int_equal(level_of("1000"), 0);
    assert_int_equal(level_of("1850"), 8);
    assert_int_equal(level_of("2999"), SKILL_MAX - 1);
    assert_int_equal(level_of("3200"), SKILL_MAX);
    assert_int_equal(level_of("Club"), 7);
    assert_int_equal(level_of("full strength"), SKILL_MAX);
    assert_int_equal(level_of(""), -1);
    assert_int_equal(level_of("21"), -1);
    assert_int_equal(level_of("strong"), -1);
    for (int skill = 0; skill <= SKILL_MAX; skill++)
        assert_string_equal(level_name(level_of(level_name(skill))), level_name(skill));
}

static void no_choice_is_worse_than_the_bound(void **state)
{
    (void)state;
    const Score lists[][LEVEL_LINES] = {
        {50, 40, 30, 0, -100, -900},
        {0, 0, 0, 0, 0, 0},
        {900, 30, 20, 10, 0, -10},
        {-300, -310, -320, -500, -700, -2000},
        {20, -240, -241, -260, -261},
        {100, -31990, -31995, -32000},
        {5, -25000},
    };
    Rng rng = rng_seeded(1);
    for (int elo = LEVEL_ELO_MIN; elo <= LEVEL_ELO_MAX; elo += 100) {
        Level level = level_at(elo);
        for (size_t i = 0; i < COUNT_OF(lists); i++) {
            for (int count = 1; count <= LEVEL_LINES; count++) {
                LevelChoice choice = choice_of(lists[i], count);
                for (int k = 0; k < TRIES / 100; k++) {
                    int chosen = level_choose(&level, &choice, &rng);
                    assert_in_range(chosen, 0, count - 1);
                    assert_true(lists[i][0] - lists[i][chosen] <= level.loss);
                }
            }
        }
    }
}

static void a_mate_is_always_played(void **state)
{
    (void)state;
    const Score mates[] = {score_mate_in(1), score_mate_in(3), score_mate_in(3), 900, 100, 0};
    LevelChoice choice  = choice_of(mates, LEVEL_LINES);
    Level       weakest = level_at(LEVEL_ELO_MIN);
    Rng         rng     = rng_seeded(2);
    for (int i = 0; i < TRIES; i++) assert_int_equal(level_choose(&weakest, &choice, &rng), 0);
}

static void being_mated_is_put_off_as_long_as_possible(void **state)
{
    (void)state;
    const Score mated[] = {score_mated_in(10), score_mated_in(8), score_mated_in(2)};
    LevelChoice choice  = choice_of(mated, 3);
    Level       weakest = level_at(LEVEL_ELO_MIN);
    Rng         rng     = rng_seeded(3);
    for (int i = 0; i < TRIES; i++) assert_int_equal(level_choose(&weakest, &choice, &rng), 0);
}

static void a_weak_level_plays_other_moves_too_and_a_full_one_does_not(void **state)
{
    (void)state;
    const Score scores[] = {30, 28, 25, 20, 10, 0};
    LevelChoice choice   = choice_of(scores, LEVEL_LINES);
    Level       weak = level_at(LEVEL_ELO_MIN), full = level_at(LEVEL_ELO_MAX);
    Rng         rng               = rng_seeded(4);
    int         seen[LEVEL_LINES] = {0};
    for (int i = 0; i < TRIES; i++) {
        seen[level_choose(&weak, &choice, &rng)]++;
        assert_int_equal(level_choose(&full, &choice, &rng), 0);
    }
    for (int i = 0; i < LEVEL_LINES; i++) assert_true(seen[i] > 0);
    assert_true(seen[0] > seen[LEVEL_LINES - 1]);
}

static void the_same_seed_makes_the_same_choices(void **state)
{
    (void)state;
    const Score scores[] = {30, 28, 25, 20, 10, 0};
    LevelChoice choice   = choice_of(scores, LEVEL_LINES);
    Level       weak     = level_at(1200);
    Rng         one = rng_seeded(5), two = rng_seeded(5);
    for (int i = 0; i < TRIES; i++) assert_int_equal(level_choose(&weak, &choice, &one), level_choose(&weak, &choice, &two));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(higher_levels_see_more_and_err_less),
        cmocka_unit_test(skill_runs_over_the_same_range),
        cmocka_unit_test(levels_are_called_by_number_elo_or_name),
        cmocka_unit_test(no_choice_is_worse_than_the_bound),
        cmocka_unit_test(a_mate_is_always_played),
        cmocka_unit_test(being_mated_is_put_off_as_long_as_possible),
        cmocka_unit_test(a_weak_level_plays_other_moves_too_and_a_full_one_does_not),
        cmocka_unit_test(the_same_seed_makes_the_same_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

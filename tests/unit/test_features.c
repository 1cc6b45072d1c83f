/* test_features.c - the text forms of the search's switches. */
#include "support/testing.h"

#include "search/features.h"

static FeatureSet set_of(const char *text)
{
    FeatureSet set = 0;
    Err        err = {0};
    if (!features_parse(str_from(text), &set, &err)) fail_msg("'%s': %s", text, err.text);
    return set;
}

static FeatureSet only(Feature a, Feature b) { return feature_bit(a) | feature_bit(b); }

static void nothing_said_means_all(void **state)
{
    (void)state;
    assert_int_equal(set_of(""), features_all());
    assert_int_equal(set_of("   "), features_all());
    assert_int_equal(set_of(" , ,, "), features_all());
    assert_int_equal(set_of("all"), features_all());
    assert_int_equal(set_of("none"), 0);
}

static void a_minus_takes_away_from_all(void **state)
{
    (void)state;
    assert_int_equal(set_of("-nmp"), features_all() & ~feature_bit(FEATURE_NMP));
    assert_int_equal(set_of("-nmp,-lmr"), features_all() & ~only(FEATURE_NMP, FEATURE_LMR));
    assert_int_equal(set_of("all,-nmp"), features_all() & ~feature_bit(FEATURE_NMP));
    assert_int_equal(set_of("-nmp,+nmp"), features_all());
}

static void bare_names_mean_only_these(void **state)
{
    (void)state;
    assert_int_equal(set_of("nmp"), feature_bit(FEATURE_NMP));
    assert_int_equal(set_of("nmp,lmr"), only(FEATURE_NMP, FEATURE_LMR));
    assert_int_equal(set_of("nmp,lmr,-nmp"), feature_bit(FEATURE_LMR));
    assert_int_equal(set_of("none,nmp,+lmr"), only(FEATURE_NMP, FEATURE_LMR));
}

static void spaces_and_letter_case_do_not_matter(void **state)
{
    (void)state;
    assert_int_equal(set_of("  NMP ,\tLmr "), only(FEATURE_NMP, FEATURE_LMR));
    assert_int_equal(set_of("-NMP -lmr"), features_all() & ~only(FEATURE_NMP, FEATURE_LMR));
    assert_int_equal(set_of("NONE"), 0);
}

static void a_name_that_does_not_exist_is_named_and_changes_nothing(void **state)
{
    (void)state;
    const char *const bad[] = {"nonsense", "-nonsense", "nmp,nonsense", "-", "+", "nmp lmr x", "--nmp"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        FeatureSet set = 12345;
        Err        err = {0};
        assert_false(features_parse(str_from(bad[i]), &set, &err));
        assert_int_equal(set, 12345);
        assert_int_equal(err.code, ERR_NOT_FOUND);
        assert_false(features_parse(str_from(bad[i]), &set, NULL));
    }
}

static void every_feature_has_a_name_of_its_own_and_a_sentence(void **state)
{
    (void)state;
    for (Feature f = 0; f < FEATURES; f++) {
        assert_int_equal(set_of(feature_name(f)), feature_bit(f));
        assert_true(feature_text(f)[0] != '\0');
        assert_true(features_all() & feature_bit(f));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_said_means_all),
        cmocka_unit_test(a_minus_takes_away_from_all),
        cmocka_unit_test(bare_names_mean_only_these),
        cmocka_unit_test(spaces_and_letter_case_do_not_matter),
        cmocka_unit_test(a_name_that_does_not_exist_is_named_and_changes_nothing),
        cmocka_unit_test(every_feature_has_a_name_of_its_own_and_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

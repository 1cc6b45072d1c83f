/* features.c - see features.h. */
#include "search/features.h"

static const char *const names[] = {
#define FEATURE(id, name, text) name,
#include "search/features.def"
#undef FEATURE
};

static const char *const texts[] = {
#define FEATURE(id, name, text) text,
#include "search/features.def"
#undef FEATURE
};

FeatureSet  features_all(void) { return feature_bit(FEATURES) - 1; }
const char *feature_name(Feature feature) { return names[feature]; }
const char *feature_text(Feature feature) { return texts[feature]; }

/* One word of the list changes the set; "x" alone as the first word begins from nothing. */
static bool apply_word(Str word, bool first, FeatureSet *set, Err *err)
{
    bool minus = word.ptr[0] == '-', plus = word.ptr[0] == '+';
    Str  name = minus || plus ? str_skip(word, 1) : word;
    if (str_equal_nocase(name, STR("all")) || str_equal_nocase(name, STR("none"))) {
        *set = str_equal_nocase(name, STR("all")) != minus ? features_all() : 0;
        return true;
    }
    for (Feature f = 0; f < FEATURES; f++) {
        if (!str_equal_nocase(name, str_from(names[f]))) continue;
        if (first && !minus && !plus) *set = 0;
        *set = minus ? *set & ~feature_bit(f) : *set | feature_bit(f);
        return true;
    }
    return err_set(err, ERR_NOT_FOUND, 0, "there is no search feature '%.*s'", STR_ARGS(name));
}

bool features_parse(Str text, FeatureSet *out, Err *err)
{
    FeatureSet set   = features_all();
    bool       first = true;
    while (text.len) {
        Str part = str_next_until(&text, ',');
        for (Str word; (word = str_next_token(&part)).len; first = false) {
            if (!apply_word(word, first, &set, err)) return false;
        }
    }
    *out = set;
    return true;
}

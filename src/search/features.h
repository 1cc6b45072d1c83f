/* features.h - the search's techniques as a set of switches. See features.def. */
#ifndef SEARCH_FEATURES_H
#define SEARCH_FEATURES_H

#include "base/err.h"
#include "base/str.h"

typedef enum {
#define FEATURE(id, name, text) FEATURE_##id,
#include "search/features.def"
#undef FEATURE
    FEATURES
} Feature;

typedef uint64_t FeatureSet;
_Static_assert(FEATURES < 64, "a feature is a bit");

static inline FeatureSet feature_bit(Feature feature) { return (FeatureSet)1 << feature; }

FeatureSet  features_all(void);
const char *feature_name(Feature feature);
const char *feature_text(Feature feature);

/* "-nmp,-lmr" takes away from all, "nmp,lmr" alone means only these, "all" and "none" are words; spaces do not matter. */
bool features_parse(Str text, FeatureSet *out, Err *err);

#endif

/* str.h - a view of text: a pointer and a length, never owned, never changed, not zero-terminated.
 *
 * Parsers take views, so they neither copy nor mutate their input, can tell the offset of a fault, and can be fuzzed.
 * Threads: [any].
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const char *ptr;
    size_t      len;
} Str;

/* For printf's "%.*s". */
#define STR_ARGS(s) (int)(s).len, (s).ptr

/* A view of a string literal, for constants and comparisons. */
#define STR(literal) ((Str){(literal), sizeof(literal) - 1})

static inline Str str_from(const char *zero_terminated)
{
    return (Str){zero_terminated, zero_terminated ? strlen(zero_terminated) : 0};
}

static inline bool str_equal(Str a, Str b) { return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0); }

/* The part from `start` on; empty when there is none. */
static inline Str str_skip(Str s, size_t start)
{
    return start >= s.len ? (Str){s.ptr + s.len, 0} : (Str){s.ptr + start, s.len - start};
}

static inline bool char_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline bool char_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool char_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline bool char_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline char char_lower(char c) { return char_is_upper(c) ? (char)(c + 32) : c; }
static inline char char_upper(char c) { return char_is_lower(c) ? (char)(c - 32) : c; }

bool str_equal_nocase(Str a, Str b);
bool str_starts_with(Str s, Str prefix);
bool str_ends_with(Str s, Str suffix);
Str  str_trim(Str s);

/* Where `needle` begins in `s`, ignoring case; s.len when it does not occur. */
size_t str_find_nocase(Str s, Str needle);

/* Takes the next run of non-space characters off the front of `*rest`; empty at the end. */
Str str_next_token(Str *rest);

/* Takes everything up to `separator` (dropped) off the front of `*rest`. */
Str str_next_until(Str *rest, char separator);

/* The whole of `s` as a decimal number; false (and *out untouched) when it is anything else or does not fit. */
bool str_to_i64(Str s, int64_t *out);
bool str_to_u64(Str s, uint64_t *out);
bool str_to_double(Str s, double *out);

/* As str_to_i64, for an int between `low` and `high`, both allowed. */
bool str_to_int(Str s, int low, int high, int *out);

#endif

/* str.c - see str.h. */
#include "base/str.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool str_equal_nocase(Str a, Str b)
{
    if (a.len != b.len) return false;
    for (size_t i = 0; i < a.len; i++) {
        if (char_lower(a.ptr[i]) != char_lower(b.ptr[i])) return false;
    }
    return true;
}

bool str_starts_with(Str s, Str prefix) { return s.len >= prefix.len && str_equal((Str){s.ptr, prefix.len}, prefix); }

bool str_ends_with(Str s, Str suffix)
{
    return s.len >= suffix.len && str_equal((Str){s.ptr + s.len - suffix.len, suffix.len}, suffix);
}

Str str_trim(Str s)
{
    while (s.len && char_is_space(s.ptr[0])) s = (Str){s.ptr + 1, s.len - 1};
    while (s.len && char_is_space(s.ptr[s.len - 1])) s.len--;
    return s;
}

size_t str_find_nocase(Str s, Str needle)
{
    for (size_t i = 0; i + needle.len <= s.len; i++) {
        if (str_equal_nocase((Str){s.ptr + i, needle.len}, needle)) return i;
    }
    return s.len;
}

Str str_next_token(Str *rest)
{
    size_t start = 0;
    while (start < rest->len && char_is_space(rest->ptr[start])) start++;
    size_t end = start;
    while (end < rest->len && !char_is_space(rest->ptr[end])) end++;
    Str token = {rest->ptr + start, end - start};
    *rest     = str_skip(*rest, end);
    return token;
}

Str str_next_until(Str *rest, char separator)
{
    size_t end = 0;
    while (end < rest->len && rest->ptr[end] != separator) end++;
    Str part = {rest->ptr, end};
    *rest    = str_skip(*rest, end + 1);
    return part;
}

bool str_to_u64(Str s, uint64_t *out)
{
    if (s.len == 0) return false;
    uint64_t value = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!char_is_digit(s.ptr[i])) return false;
        uint64_t digit = (uint64_t)(s.ptr[i] - '0');
        if (value > (UINT64_MAX - digit) / 10) return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool str_to_i64(Str s, int64_t *out)
{
    bool     negative = s.len && s.ptr[0] == '-';
    bool     sign     = negative || (s.len && s.ptr[0] == '+');
    uint64_t magnitude;
    if (!str_to_u64(str_skip(s, sign), &magnitude)) return false;
    if (magnitude > (uint64_t)INT64_MAX + negative) return false;
    *out = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

bool str_to_int(Str s, int low, int high, int *out)
{
    int64_t value;
    if (!str_to_i64(s, &value) || value < low || value > high) return false;
    *out = (int)value;
    return true;
}

/* strtod also reads hexadecimal, infinities and words; we do not. */
static bool is_decimal_char(char c) { return char_is_digit(c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E'; }

bool str_to_double(Str s, double *out)
{
    char copy[64];
    if (s.len == 0 || s.len >= sizeof copy || char_is_space(s.ptr[0])) return false;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_decimal_char(s.ptr[i])) return false;
    }
    snprintf(copy, sizeof copy, "%.*s", STR_ARGS(s));
    char *end;
    errno        = 0;
    double value = strtod(copy, &end);
    if (end != copy + s.len || errno == ERANGE || !isfinite(value)) return false;
    *out = value;
    return true;
}

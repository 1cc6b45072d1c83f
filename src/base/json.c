/* json.c - see json.h. */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/utf8.h"

void json_init(JsonWriter *w, Buf *out) { *w = (JsonWriter){.out = out}; }

static void write_string(Buf *out, Str text)
{
    buf_append_char(out, '"');
    while (text.len) {
        size_t len = utf8_length(text);
        char   c   = text.ptr[0];
        if (len == 0) {
            buf_append(out, STR("\xef\xbf\xbd"));
            len = 1;
        } else if (c == '"' || c == '\\') {
            buf_append_char(out, '\\');
            buf_append_char(out, c);
        } else if ((unsigned char)c < 0x20) {
            buf_printf(out, "\\u%04x", (unsigned)c);
        } else {
            buf_append(out, (Str){text.ptr, len});
        }
        text = str_skip(text, len);
    }
    buf_append_char(out, '"');
}

/* The comma before a member and the key in front of it. */
static void begin_member(JsonWriter *w, const char *key)
{
    if (w->has_member[w->depth]) buf_append_char(w->out, ',');
    w->has_member[w->depth] = true;
    if (!key) return;
    write_string(w->out, str_from(key));
    buf_append_char(w->out, ':');
}

static void begin_nested(JsonWriter *w, const char *key, char bracket)
{
    assert(w->depth + 1 < JSON_DEPTH_MAX);
    begin_member(w, key);
    buf_append_char(w->out, bracket);
    w->has_member[++w->depth] = false;
}

static void end_nested(JsonWriter *w, char bracket)
{
    assert(w->depth > 0);
    w->depth--;
    buf_append_char(w->out, bracket);
}

void json_begin_object(JsonWriter *w, const char *key) { begin_nested(w, key, '{'); }
void json_end_object(JsonWriter *w) { end_nested(w, '}'); }
void json_begin_array(JsonWriter *w, const char *key) { begin_nested(w, key, '['); }
void json_end_array(JsonWriter *w) { end_nested(w, ']'); }

void json_str(JsonWriter *w, const char *key, Str value)
{
    begin_member(w, key);
    write_string(w->out, value);
}

void json_i64(JsonWriter *w, const char *key, int64_t value)
{
    begin_member(w, key);
    buf_printf(w->out, "%" PRId64, value);
}

void json_u64(JsonWriter *w, const char *key, uint64_t value)
{
    begin_member(w, key);
    buf_printf(w->out, "%" PRIu64, value);
}

void json_double(JsonWriter *w, const char *key, double value, int decimals)
{
    if (!isfinite(value)) {
        json_none(w, key);
        return;
    }
    begin_member(w, key);
    buf_printf(w->out, "%.*f", decimals, value);
}

void json_bool(JsonWriter *w, const char *key, bool value)
{
    begin_member(w, key);
    buf_append(w->out, value ? STR("true") : STR("false"));
}

void json_none(JsonWriter *w, const char *key)
{
    begin_member(w, key);
    buf_append(w->out, STR("null"));
}

void json_raw(JsonWriter *w, const char *key, Str json)
{
    begin_member(w, key);
    buf_append(w->out, json);
}

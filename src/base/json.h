/* json.h - writing JSON: objects and arrays straight into a Buf, commas and escapes taken care of.
 *
 * For `--json` output and the web API; reading JSON is another matter and another library.
 * Use: json_begin_object(&w, NULL); json_u64(&w, "nodes", n); json_end_object(&w).
 * A key is NULL inside an array and at the top. Depth is limited to JSON_DEPTH_MAX, which the code never reaches.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"

enum { JSON_DEPTH_MAX = 64 };

typedef struct {
    Buf *out;
    int  depth;
    bool has_member[JSON_DEPTH_MAX];
} JsonWriter;

void json_init(JsonWriter *w, Buf *out); /* appends to `out` */

void json_begin_object(JsonWriter *w, const char *key);
void json_end_object(JsonWriter *w);
void json_begin_array(JsonWriter *w, const char *key);
void json_end_array(JsonWriter *w);

void json_str(JsonWriter *w, const char *key, Str value); /* bytes that are not UTF-8 become U+FFFD */
void json_i64(JsonWriter *w, const char *key, int64_t value);
void json_u64(JsonWriter *w, const char *key, uint64_t value);
void json_double(JsonWriter *w, const char *key, double value, int decimals); /* null when not finite */
void json_bool(JsonWriter *w, const char *key, bool value);
void json_raw(JsonWriter *w, const char *key, Str json); /* text that is JSON already */
void json_none(JsonWriter *w, const char *key); /* null; not called json_null because the JSON reader of the web has that name */

#endif

/* utf8.c - see utf8.h. */
#include "base/utf8.h"

static bool is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

size_t utf8_length(Str text)
{
    if (text.len == 0) return 0;
    const unsigned char *s = (const unsigned char *)text.ptr;
    if (s[0] < 0x80) return 1;
    size_t len = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    if (len == 0 || text.len < len) return 0;
    for (size_t i = 1; i < len; i++) {
        if (!is_continuation(s[i])) return 0;
    }
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;  /* longer than needed */
    if (s[0] == 0xed && s[1] >= 0xa0) return 0; /* a surrogate half */
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;
    if (s[0] == 0xf4 && s[1] >= 0x90) return 0; /* beyond U+10FFFF */
    return len;
}

void utf8_append_lenient(Buf *out, Str text)
{
    while (text.len) {
        size_t len = utf8_length(text);
        if (len) {
            buf_append(out, (Str){text.ptr, len});
        } else {
            unsigned char byte = (unsigned char)text.ptr[0];
            len                = 1;
            buf_append_char(out, (char)(0xc0 | byte >> 6));
            buf_append_char(out, (char)(0x80 | (byte & 0x3f)));
        }
        text = str_skip(text, len);
    }
}

/* buf.c - see buf.h. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 64 };

void buf_init(Buf *buf) { *buf = (Buf){0}; }

void buf_release(Buf *buf)
{
    free(buf->data);
    buf_init(buf);
}

void buf_reset(Buf *buf)
{
    buf->len    = 0;
    buf->failed = false;
    if (buf->data) buf->data[0] = '\0';
}

bool buf_reserve(Buf *buf, size_t extra)
{
    if (buf->cap - buf->len > extra) return true;
    if (extra >= SIZE_MAX / 2 - buf->len) {
        buf->failed = true;
        return false;
    }
    size_t cap = buf->cap ? buf->cap : FIRST_CAPACITY;
    while (cap - buf->len <= extra) cap *= 2;
    char *grown = realloc(buf->data, cap);
    if (!grown) {
        buf->failed = true;
        return false;
    }
    buf->data = grown;
    buf->cap  = cap;
    return true;
}

void buf_append(Buf *buf, Str text)
{
    if (!buf_reserve(buf, text.len)) return;
    if (text.len) memcpy(buf->data + buf->len, text.ptr, text.len);
    buf->len += text.len;
    buf->data[buf->len] = '\0';
}

void buf_append_char(Buf *buf, char c) { buf_append(buf, (Str){&c, 1}); }

void buf_printf(Buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int needed = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (needed > 0 && buf_reserve(buf, (size_t)needed)) {
        vsnprintf(buf->data + buf->len, (size_t)needed + 1, format, again);
        buf->len += (size_t)needed;
    }
    va_end(again);
}

void buf_consume(Buf *buf, size_t count)
{
    if (count >= buf->len) {
        buf->len = 0;
    } else {
        memmove(buf->data, buf->data + count, buf->len - count);
        buf->len -= count;
    }
    if (buf->data) buf->data[buf->len] = '\0';
}

/* buf.h - text that grows.
 *
 * Invariant: after any call `data[len]` is '\0' (data is never NULL after a successful append). When memory runs out the
 * buffer keeps what it has and remembers `failed`; a writer checks that once, at the end.
 * Threads: a Buf belongs to one thread at a time.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/str.h"

typedef struct {
    char  *data;
    size_t len;
    size_t cap;
    bool   failed;
} Buf;

void buf_init(Buf *buf); /* allocates nothing yet; `Buf b = {0}` does the same */
void buf_release(Buf *buf);
void buf_reset(Buf *buf); /* empty again, memory kept */

void buf_append(Buf *buf, Str text);
void buf_append_char(Buf *buf, char c);
void buf_printf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for `extra` more bytes; false (and `failed`) when memory is short. */
bool buf_reserve(Buf *buf, size_t extra);

/* Drops the first `count` bytes. */
void buf_consume(Buf *buf, size_t count);

static inline Str buf_str(const Buf *buf) { return (Str){buf->data ? buf->data : "", buf->len}; }

#endif

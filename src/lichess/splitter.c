/* splitter.c - see splitter.h. */
#include "lichess/splitter.h"

void splitter_init(Splitter *splitter, size_t limit) { *splitter = (Splitter){.limit = limit}; }

void splitter_release(Splitter *splitter)
{
    buf_release(&splitter->buf);
    *splitter = (Splitter){0};
}

/* Whether the bytes behind the last line end are still a line of a size that can be meant. */
static bool rest_fits(const Splitter *splitter)
{
    Str    all = buf_str(&splitter->buf);
    size_t run = 0;
    for (size_t i = splitter->start; i < all.len; i++) {
        run = all.ptr[i] == '\n' ? 0 : run + 1;
        if (run > splitter->limit) return false;
    }
    return true;
}

bool splitter_feed(Splitter *splitter, Str bytes)
{
    buf_consume(&splitter->buf, splitter->start);
    splitter->start = 0;
    buf_append(&splitter->buf, bytes);
    return !splitter->buf.failed && rest_fits(splitter);
}

bool splitter_next(Splitter *splitter, Str *line)
{
    Str all = buf_str(&splitter->buf);
    for (;;) {
        const char *from = all.ptr + splitter->start + splitter->scanned;
        const char *end  = memchr(from, '\n', all.len - splitter->start - splitter->scanned);
        if (!end) {
            splitter->scanned = all.len - splitter->start;
            return false;
        }
        *line             = (Str){all.ptr + splitter->start, (size_t)(end - all.ptr) - splitter->start};
        splitter->start   = (size_t)(end - all.ptr) + 1;
        splitter->scanned = 0;
        *line             = str_trim(*line);
        if (line->len) return true;
    }
}

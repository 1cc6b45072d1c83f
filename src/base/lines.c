/* lines.c - see lines.h. */
#include "base/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

void lines_init(LineReader *lines, int fd) { *lines = (LineReader){.fd = fd}; }

bool lines_open(LineReader *lines, const char *path, Err *err)
{
    lines_init(lines, STDIN_FILENO);
    if (str_equal(str_from(path), STR("-"))) return true;
    lines->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (lines->fd < 0) return err_set_errno(err, ERR_IO, "cannot read '%s'", path);
    lines->owned = true;
    return true;
}

void lines_release(LineReader *lines)
{
    if (lines->owned) close(lines->fd);
    buf_release(&lines->buf);
    lines_init(lines, -1);
}

/* Reads more bytes; false with *err set when the system or memory fails. */
static bool fill(LineReader *lines, Err *err)
{
    buf_consume(&lines->buf, lines->start);
    lines->start = 0;
    if (!buf_reserve(&lines->buf, CHUNK)) return err_set(err, ERR_MEMORY, 0, "no memory for a long line");
    ssize_t got;
    do {
        got = read(lines->fd, lines->buf.data + lines->buf.len, CHUNK);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return err_set_errno(err, ERR_IO, "cannot read");
    if (got == 0) lines->ended = true;
    lines->buf.len += (size_t)got;
    lines->buf.data[lines->buf.len] = '\0';
    return true;
}

static Str without_carriage_return(Str line)
{
    if (line.len && line.ptr[line.len - 1] == '\r') line.len--;
    return line;
}

LineStatus lines_next(LineReader *lines, Str *line, Err *err)
{
    size_t searched = 0;
    for (;;) {
        Str         rest = str_skip(buf_str(&lines->buf), lines->start);
        const char *end  = rest.len > searched ? memchr(rest.ptr + searched, '\n', rest.len - searched) : NULL;
        if (end) {
            size_t len = (size_t)(end - rest.ptr);
            *line      = without_carriage_return((Str){rest.ptr, len});
            lines->start += len + 1;
            return LINE_READ;
        }
        if (lines->ended) {
            if (rest.len == 0) return LINE_END;
            *line        = without_carriage_return(rest);
            lines->start = lines->buf.len;
            return LINE_READ;
        }
        searched = rest.len;
        if (!fill(lines, err)) return LINE_FAILED;
    }
}

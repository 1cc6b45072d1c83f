/* pgn_text.c - see pgn_text.h. */
#include "game/pgn_text.h"

#include "base/utf8.h"

/* A zero byte, which only damaged files have, is taken for a line end: no comment holds one, so it may separate them. */
static bool is_line_end(char c) { return c == '\n' || c == '\r' || c == '\0'; }

static bool is_blank(char c) { return char_is_space(c) || c == '\0'; }

/* Copies `text`; each run of white space with a line end in it becomes a space. */
static void join_lines(Str text, Buf *out)
{
    size_t i = 0;
    while (i < text.len) {
        size_t start = i;
        while (i < text.len && !is_blank(text.ptr[i])) i++;
        utf8_append_lenient(out, (Str){text.ptr + start, i - start});
        start      = i;
        bool broke = false;
        while (i < text.len && is_blank(text.ptr[i])) broke |= is_line_end(text.ptr[i++]);
        buf_append(out, broke ? STR(" ") : (Str){text.ptr + start, i - start});
    }
}

static Str trim_blanks(Str text)
{
    while (text.len && is_blank(text.ptr[0])) text = str_skip(text, 1);
    while (text.len && is_blank(text.ptr[text.len - 1])) text.len--;
    return text;
}

Str pgn_clean_comment(Str text, Buf *scratch)
{
    text       = trim_blanks(text);
    bool clean = true;
    for (size_t i = 0; i < text.len; i++) clean &= !is_line_end(text.ptr[i]) && !(text.ptr[i] & 0x80);
    if (clean) return text;
    buf_reset(scratch);
    join_lines(text, scratch);
    return buf_str(scratch);
}

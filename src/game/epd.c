/* epd.c - see epd.h. */
#include "game/epd.h"

/* Where the operation that begins at `text` ends: at a ';' outside quotes. False when a quote stays open. */
static bool find_end(Str text, size_t *end)
{
    bool quoted = false;
    for (*end = 0; *end < text.len; ++*end) {
        char c = text.ptr[*end];
        if (c == '"') quoted = !quoted;
        if (c == ';' && !quoted) return true;
    }
    return !quoted;
}

/* A value that is one quoted text loses its quotes; several stay as they are written. */
static Str unquote(Str value)
{
    if (value.len < 2 || value.ptr[0] != '"') return value;
    Str inner = {value.ptr + 1, value.len - 2};
    return value.ptr[value.len - 1] == '"' && !memchr(inner.ptr, '"', inner.len) ? inner : value;
}

/* Takes the first operation off `*rest`, which begins at `offset` of the line. */
static bool take_operation(Str *rest, size_t offset, Epd *epd, Err *err)
{
    size_t end;
    if (!find_end(*rest, &end)) return err_set(err, ERR_SYNTAX, offset, "a quoted text is not closed");
    Str value = {rest->ptr, end};
    Str name  = str_next_token(&value);
    if (!char_is_lower(char_lower(name.ptr[0])))
        return err_set(err, ERR_SYNTAX, offset, "an operation begins with its name, not with '%c'", name.ptr[0]);
    if (epd->count == EPD_OPERATIONS_MAX)
        return err_set(err, ERR_RANGE, offset, "there are more than %d operations", EPD_OPERATIONS_MAX);
    epd->operations[epd->count++] = (EpdOperation){name, unquote(str_trim(value))};
    *rest                         = str_skip(*rest, end + 1);
    return true;
}

bool epd_parse(Str line, Epd *out, Err *err)
{
    Epd epd = {0};
    Str rest;
    if (!position_from_fen_prefix(line, &epd.position, &rest, NULL, err)) return false;
    for (;;) {
        while (rest.len && (rest.ptr[0] == ';' || char_is_space(rest.ptr[0]))) rest = str_skip(rest, 1);
        if (!rest.len) break;
        if (!take_operation(&rest, (size_t)(rest.ptr - line.ptr), &epd, err)) return false;
    }
    *out = epd;
    return true;
}

Str epd_get(const Epd *epd, Str name)
{
    for (int i = 0; i < epd->count; i++) {
        if (str_equal(epd->operations[i].name, name)) return epd->operations[i].value;
    }
    return (Str){"", 0};
}

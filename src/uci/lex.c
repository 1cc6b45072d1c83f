/* lex.c - see lex.h. */
#include "uci/lex.h"

enum { TOKEN_SHOWN_MAX = 60 }; /* how much of a bad word a message repeats */

void uci_lex_init(UciLexer *lex, Str line, Err *err)
{
    Str text = line.len ? line : STR(""); /* an empty view may carry NULL, and nothing may be added to that */
    *lex     = (UciLexer){.line = text, .rest = text, .err = err, .clean = true};
    if (err) *err = (Err){0};
}

Str uci_lex_next(UciLexer *lex) { return str_next_token(&lex->rest); }

Str uci_lex_peek(const UciLexer *lex)
{
    Str rest = lex->rest;
    return str_next_token(&rest);
}

Str uci_lex_rest(UciLexer *lex)
{
    Str text  = str_trim(lex->rest);
    lex->rest = str_skip(lex->rest, lex->rest.len);
    return text;
}

Str uci_lex_run(UciLexer *lex, UciKeywordTest *is_keyword)
{
    Str         first = uci_lex_peek(lex);
    const char *end   = first.ptr;
    for (;;) {
        Str token = uci_lex_peek(lex);
        if (token.len == 0 || is_keyword(token)) break;
        end = token.ptr + token.len;
        uci_lex_next(lex);
    }
    return (Str){first.ptr, (size_t)(end - first.ptr)};
}

bool uci_lex_number(UciLexer *lex, Str keyword, UciKeywordTest *is_keyword, int64_t *out)
{
    Str token = uci_lex_peek(lex);
    if (token.len == 0 || is_keyword(token)) {
        uci_lex_fault(lex, ERR_SYNTAX, keyword, "has no number after it: ignored");
        return false;
    }
    uci_lex_next(lex);
    if (uci_number_from_text(token, out)) return true;
    uci_lex_fault(lex, ERR_SYNTAX, token, "is not a whole number: ignored");
    return false;
}

void uci_lex_fault(UciLexer *lex, ErrCode code, Str token, const char *sentence)
{
    if (!lex->clean) return;
    lex->clean = false;
    if (token.len == 0) {
        err_set(lex->err, code, lex->line.len, "the end of the line %s", sentence);
        return;
    }
    int shown = token.len < TOKEN_SHOWN_MAX ? (int)token.len : TOKEN_SHOWN_MAX;
    err_set(lex->err, code, (size_t)(token.ptr - lex->line.ptr), "'%.*s' %s", shown, token.ptr, sentence);
}

bool uci_number_from_text(Str text, int64_t *out)
{
    bool negative = text.len && text.ptr[0] == '-';
    Str  digits   = str_skip(text, negative || (text.len && text.ptr[0] == '+'));
    if (digits.len == 0) return false;
    int64_t value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (!char_is_digit(digits.ptr[i])) return false;
        int64_t digit = digits.ptr[i] - '0';
        value         = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    *out = negative ? -value : value;
    return true;
}

void uci_append_text(Buf *out, Str text)
{
    size_t start = out->len;
    buf_append(out, text);
    for (size_t i = start; i < out->len; i++) {
        if (out->data[i] == '\n' || out->data[i] == '\r') out->data[i] = ' ';
    }
}

void uci_append_part(Buf *out, Str keyword, Str text)
{
    buf_append_char(out, ' ');
    buf_append(out, keyword);
    if (text.len == 0) return;
    buf_append_char(out, ' ');
    uci_append_text(out, text);
}

/* pgn_lex.c - see pgn_lex.h. */
#include "game/pgn_lex.h"

#include <limits.h>
#include <stdlib.h>

#include "game/pgn_chars.h"

static const char NOT_CLOSED[] = "the comment is not closed";

bool pgn_lex_init(PgnLexer *lexer, const PgnSource *source, Err *err)
{
    *lexer        = (PgnLexer){.source = source, .capacity = PGN_BUFFER_SIZE, .line = 1};
    lexer->buffer = malloc(lexer->capacity + 1);
    if (!lexer->buffer) return err_set(err, ERR_MEMORY, 0, "no memory for a buffer of %zu bytes", lexer->capacity);
    lexer->at = lexer->end = lexer->buffer;
    *lexer->end            = '\0';
    return true;
}

void pgn_lex_release(PgnLexer *lexer)
{
    free(lexer->buffer);
    lexer->buffer = NULL;
}

static bool lex_fail(PgnLexer *lexer)
{
    lexer->failed = lexer->ended = true;
    return false;
}

/* Drops what lies before `keep`. */
static void compact(PgnLexer *lexer, const char *keep)
{
    size_t kept = (size_t)(lexer->end - keep);
    lexer->base += (uint64_t)(keep - lexer->buffer);
    memmove(lexer->buffer, keep, kept + 1); /* with the zero */
    lexer->at  = lexer->buffer;
    lexer->end = lexer->buffer + kept;
}

/* Makes room; only after compact. */
static bool grow_buffer(PgnLexer *lexer)
{
    size_t kept     = (size_t)(lexer->end - lexer->buffer);
    size_t capacity = lexer->capacity * 2;
    char  *grown    = realloc(lexer->buffer, capacity + 1);
    if (!grown) {
        err_set(&lexer->err, ERR_MEMORY, 0, "no memory for a comment of more than %zu bytes", kept);
        return lex_fail(lexer);
    }
    lexer->at = lexer->buffer = grown;
    lexer->end                = grown + kept;
    lexer->capacity           = capacity;
    return true;
}

/* Brings more text in; what begins at *keep stays, at a new place: other pointers are void and the token is to be scanned again.
 * False when there is nothing more to come, and then nothing moves. At least as much is read as was kept (if there is so
 * much), so a long token is scanned a few times only, however small the pieces of the source. */
static bool refill(PgnLexer *lexer, const char **keep)
{
    size_t kept = (size_t)(lexer->end - *keep);
    if (lexer->ended || kept > PGN_TOKEN_MAX) return false;
    compact(lexer, *keep);
    bool   room = kept < lexer->capacity / 2 || grow_buffer(lexer);
    size_t used = kept;
    *keep       = lexer->at;
    while (room && !lexer->ended && used <= 2 * kept && used < lexer->capacity) {
        ptrdiff_t got = lexer->source->read(lexer->source->context, lexer->buffer + used, lexer->capacity - used, &lexer->err);
        if (got < 0) lex_fail(lexer);
        if (got <= 0) lexer->ended = true;
        if (got > 0) used += (size_t)got;
    }
    lexer->end  = lexer->buffer + used;
    *lexer->end = '\0';
    return true;
}

static void start_line(PgnLexer *lexer, const char *at)
{
    lexer->line++;
    lexer->line_start = lexer->base + (uint64_t)(at - lexer->buffer);
}

/* As refill, for scans that ended at the end of the buffer: true when the token at *start must be scanned again. */
static bool is_cut(PgnLexer *lexer, const char *scanned, const char **start)
{
    return scanned == lexer->end && refill(lexer, start);
}

static void finish(PgnLexer *lexer, PgnToken *token, PgnTokenKind kind, const char *start, const char *end)
{
    token->kind   = kind;
    token->text   = (Str){start, (size_t)(end - start)};
    token->line   = lexer->line;
    token->column = pgn_lex_column(lexer, start);
    lexer->at     = end;
}

static void finish_bad(PgnLexer *lexer, PgnToken *token, const char *start, const char *end, const char *why)
{
    finish(lexer, token, PGN_TOKEN_BAD, start, end);
    token->why = why;
}

/* "e8(Q)" and "exd6e.p.": rare ends of a move made of characters that mean something else elsewhere. */
static const char *extend_word(const char *start, const char *end)
{
    if (end[0] == '(' && end - start >= 2 && (end[-1] == '8' || end[-1] == '1') && strchr("QRBN", end[1]) && end[1] &&
        end[2] == ')') {
        end += 3;
        while (*end == '+' || *end == '#') end++;
    } else if (strncmp(end - 1, "e.p.", 4) == 0) {
        end += 3;
    }
    return end;
}

static void lex_word(PgnLexer *lexer, const char *start, PgnToken *token)
{
    for (;;) {
        const char *end = start + 1;
        while (is_word_char[(unsigned char)*end]) end++;
        bool odd = *end == '(' || *end == '.'; /* the next four bytes decide whether the word goes on */
        if ((odd ? lexer->end - end < 4 : end == lexer->end) && refill(lexer, &start)) continue;
        finish(lexer, token, PGN_TOKEN_WORD, start, odd ? extend_word(start, end) : end);
        return;
    }
}

/* A token that begins with a digit and goes on like no number: a result, castling with zeros, a null move. */
static void classify_number_word(PgnToken *token)
{
    static const struct {
        Str    text;
        Result result;
    } results[] = {{{"1-0", 3}, RESULT_WHITE_WINS},
                   {{"0-1", 3}, RESULT_BLACK_WINS},
                   {{"1/2-1/2", 7}, RESULT_DRAW},
                   {{"1/2", 3}, RESULT_DRAW}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (!str_equal(token->text, results[i].text)) continue;
        token->kind  = PGN_TOKEN_RESULT;
        token->value = (int)results[i].result;
    }
    if (str_equal(token->text, STR("0000"))) token->kind = PGN_TOKEN_NULL;
}

/* True when a token was found; false for a move number, which is noted and passed over. */
static bool lex_number(PgnLexer *lexer, const char *start, PgnToken *token, bool paragraph)
{
    const char *end;
    do {
        end = start;
        while (char_is_digit(*end)) end++;
    } while (is_cut(lexer, end, &start));
    bool is_number = *end != '-' && *end != '/' && !(end - start == 4 && memcmp(start, "0000", 4) == 0);
    if (!is_number) {
        lex_word(lexer, start, token);
        classify_number_word(token);
        return true;
    }
    int number = 0;
    for (const char *c = start; c < end && number < INT_MAX / 16; c++) number = number * 10 + (*c - '0');
    token->move_number = number;
    token->paragraph   = paragraph;
    lexer->at          = end;
    return false;
}

/* Null moves, and the signs of Informant that stand for a verdict. */
static void lex_sign(PgnLexer *lexer, const char *start, PgnToken *token)
{
    static const struct {
        const char *text;
        int         nag;
    } verdicts[] = {{"=", 10},   {"+=", 14},  {"+/=", 14}, {"=+", 15}, {"=/+", 15},
                    {"+/-", 16}, {"-/+", 17}, {"+-", 18},  {"-+", 19}};
    lex_word(lexer, start, token);
    if (str_equal(token->text, STR("--")) || str_equal(token->text, STR("@@@@"))) {
        token->kind = PGN_TOKEN_NULL;
        return;
    }
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        if (!str_equal(token->text, str_from(verdicts[i].text))) continue;
        token->kind  = PGN_TOKEN_NAG;
        token->value = verdicts[i].nag;
        return;
    }
}

/* A run of ! and ?: the two first say what is meant. */
static void lex_mark(PgnLexer *lexer, const char *start, PgnToken *token)
{
    const char *end;
    do {
        end = start;
        while (*end == '!' || *end == '?') end++;
    } while (is_cut(lexer, end, &start));
    bool good = start[0] == '!', good_too = start[1] == '!';
    token->value = end - start == 1 ? (good ? 1 : 2) : good ? (good_too ? 3 : 5) : good_too ? 6 : 4;
    finish(lexer, token, PGN_TOKEN_NAG, start, end);
}

static void lex_dollar(PgnLexer *lexer, const char *start, PgnToken *token)
{
    const char *end;
    do {
        end = start + 1;
        while (char_is_digit(*end)) end++;
    } while (is_cut(lexer, end, &start));
    if (!str_to_int((Str){start + 1, (size_t)(end - start) - 1}, 0, INT_MAX, &token->value)) {
        finish_bad(lexer, token, start, end, "'$' needs a number that fits");
        return;
    }
    finish(lexer, token, PGN_TOKEN_NAG, start, end);
}

static void lex_single(PgnLexer *lexer, const char *start, PgnToken *token)
{
    token->value = (int)RESULT_UNKNOWN;
    finish(lexer, token, *start == '(' ? PGN_TOKEN_OPEN : *start == ')' ? PGN_TOKEN_CLOSE : PGN_TOKEN_RESULT, start, start + 1);
}

static bool is_tag_name_char(char c) { return !char_is_space(c) && c != '"' && c != ']' && c != '[' && c != '\0'; }

/* Scans `[ name "`; *name and the place behind the quote. NULL when it is no tag; `*stop` tells where the scan ended. */
static const char *scan_tag_name(const char *at, Str *name, const char **stop)
{
    at += *at == '[';
    while (*at == ' ' || *at == '\t') at++;
    const char *start = at;
    while (is_tag_name_char(*at)) at++;
    *name = (Str){start, (size_t)(at - start)};
    while (*at == ' ' || *at == '\t') at++;
    *stop      = at;
    bool named = name->len && ((*start & 0x80) || *start == '_' || char_is_digit(*start) || char_is_lower(char_lower(*start)));
    return named && *at == '"' ? at + 1 : NULL;
}

/* Whether the line behind `newline` can only be the beginning of a game, though a comment seems to be open: its first tag, or
 * any tag after an empty line. */
static bool is_game_start(const char *text, const char *newline, const char *end)
{
    static const char opening[] = "[Event \"";
    const char       *line      = newline + 1, *stop;
    if (*line != '[') return false;
    if ((size_t)(end - line) >= sizeof opening - 1 && memcmp(line, opening, sizeof opening - 1) == 0) return true;
    const char *before = newline - (newline > text && newline[-1] == '\r');
    Str         name;
    return before > text && before[-1] == '\n' && scan_tag_name(line, &name, &stop) != NULL;
}

/* Whether, in a comment, the next game begins: then the comment was never closed. */
static bool holds_game_start(const char *text, const char *end)
{
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        if (is_game_start(text, at, end)) return true;
    }
    return false;
}

static void lex_brace(PgnLexer *lexer, const char *start, PgnToken *token)
{
    const char *close;
    for (;;) {
        close                = memchr(start, '}', (size_t)(lexer->end - start));
        const char *limit    = close ? close : lexer->end;
        bool        unclosed = holds_game_start(start, limit);
        if (unclosed) close = NULL;
        if (close || unclosed || !refill(lexer, &start)) break;
    }
    if (!close) {
        finish_bad(lexer, token, start, start + 1, NOT_CLOSED);
        return;
    }
    finish(lexer, token, PGN_TOKEN_COMMENT, start, close + 1);
    token->text = (Str){start + 1, (size_t)(close - start) - 1};
    for (const char *at = start; (at = memchr(at, '\n', (size_t)(close - at)));) start_line(lexer, ++at);
}

static void lex_semicolon(PgnLexer *lexer, const char *start, PgnToken *token)
{
    const char *end;
    do {
        end = start + 1;
        while (*end != '\n' && *end != '\r' && end < lexer->end) end++;
    } while (is_cut(lexer, end, &start));
    finish(lexer, token, PGN_TOKEN_COMMENT, start, end);
    token->text = (Str){start + 1, (size_t)(end - start) - 1};
}

/* Bytes beyond ASCII that are known: a byte order mark, a hard space, an ellipsis. Returns how many bytes to pass over. */
static size_t foreign_blank(const char *at)
{
    if (strncmp(at, "\xef\xbb\xbf", 3) == 0 || strncmp(at, "\xe2\x80\xa6", 3) == 0) return 3;
    if (strncmp(at, "\xc2\xa0", 2) == 0) return 2;
    return *at == '\xa0' || *at == '\x85' ? 1 : 0; /* hard space in Latin-1, ellipsis in Windows-1252 */
}

/* True when a token was found, false when blanks were passed over. */
static bool lex_high(PgnLexer *lexer, const char *start, PgnToken *token)
{
    while (lexer->end - start < 3 && refill(lexer, &start)) {}
    size_t blank = foreign_blank(start);
    if (blank) {
        lexer->at = start + blank;
        if (*start == '\xef' && pgn_lex_offset(lexer) == 3) lexer->line_start = 3; /* columns count behind the mark */
        return false;
    }
    const char *end = start + 1;
    while ((*end & 0xc0) == 0x80 && end - start < 4) end++;
    finish_bad(lexer, token, start, end, NULL);
    return true;
}

static void lex_bracket(PgnLexer *lexer, const char *start, PgnToken *token)
{
    Str name;
    lexer->at = start;
    if (pgn_lex_at_tag(lexer, &name)) {
        finish(lexer, token, PGN_TOKEN_TAG, lexer->at, lexer->at);
    } else {
        finish_bad(lexer, token, lexer->at, lexer->at + 1, NULL);
    }
}

/* The classes that are met less often than once a move. True when a token was found. */
static bool lex_other(PgnLexer *lexer, CharClass class, const char *start, PgnToken *token)
{
    switch (class) {
    case CLASS_SIGN: lex_sign(lexer, start, token); return true;
    case CLASS_MARK: lex_mark(lexer, start, token); return true;
    case CLASS_SINGLE: lex_single(lexer, start, token); return true;
    case CLASS_BRACE: lex_brace(lexer, start, token); return true;
    case CLASS_SEMICOLON: lex_semicolon(lexer, start, token); return true;
    case CLASS_BRACKET: lex_bracket(lexer, start, token); return true;
    case CLASS_DOLLAR: lex_dollar(lexer, start, token); return true;
    case CLASS_HIGH: return lex_high(lexer, start, token);
    case CLASS_PERCENT:
        if (pgn_lex_column(lexer, start) != 1) break;
        lexer->at = start;
        pgn_lex_skip_line(lexer);
        return false;
    case CLASS_ZERO:
        if (start == lexer->end) {
            if (refill(lexer, &start)) return false;
            finish(lexer, token, PGN_TOKEN_END, start, start);
            return true;
        }
        lexer->at = start + 1; /* a zero byte in the text itself */
        return false;
    default: break;
    }
    finish_bad(lexer, token, start, start + 1, NULL);
    return true;
}

void pgn_lex_next(PgnLexer *lexer, PgnToken *token)
{
    const char *at       = lexer->at;
    int         newlines = 0;
    token->move_number   = 0;
    token->why           = NULL;
    for (;;) {
        CharClass class = (CharClass)char_class[(unsigned char)*at];
        switch (class) {
        case CLASS_BLANK: at++; break;
        case CLASS_NEWLINE:
            start_line(lexer, ++at);
            newlines++;
            break;
        case CLASS_LETTER: lex_word(lexer, at, token); return;
        case CLASS_DIGIT:
            if (lex_number(lexer, at, token, newlines > 1)) return;
            at = lexer->at;
            break;
        default:
            if (lex_other(lexer, class, at, token)) return;
            at = lexer->at;
        }
    }
}

bool pgn_lex_at_tag(PgnLexer *lexer, Str *name)
{
    const char *start = lexer->at, *stop;
    if (*start != '[') return false;
    for (;;) {
        if (scan_tag_name(start, name, &stop)) return true;
        if (!is_cut(lexer, stop, &start)) return false;
    }
}

/* Where a value ends: at a quote with "]" or nothing behind it. A quote inside that nobody escaped is part of the value. */
static const char *scan_tag_value(const PgnLexer *lexer, const char *at, PgnRawTag *tag, const char **stop)
{
    unsigned char bytes = 0;
    tag->escaped        = false;
    for (;; at++) {
        while (!stops_value[(unsigned char)*at]) bytes |= (unsigned char)*at++;
        *stop = at;
        if (*at == '\\') {
            tag->escaped = true;
            if (at[1] == '"' || at[1] == '\\') at++;
        } else if (*at == '"') {
            const char *behind = at + 1;
            while (*behind == ' ' || *behind == '\t') behind++;
            *stop        = behind;
            tag->foreign = bytes & 0x80;
            if (*behind == ']' || *behind == '\n' || *behind == '\r' || behind == lexer->end) return at;
        } else if (*at != '\0' || at == lexer->end) {
            return NULL;
        }
    }
}

bool pgn_lex_tag(PgnLexer *lexer, PgnRawTag *tag, PgnError *error)
{
    const char *start = lexer->at, *stop, *value, *end;
    do {
        value = scan_tag_name(start, &tag->name, &stop);
        end   = scan_tag_value(lexer, value, tag, &stop);
    } while (is_cut(lexer, stop, &start));
    tag->line         = lexer->line;
    tag->value_column = pgn_lex_column(lexer, value);
    lexer->at         = stop + (*stop == ']');
    if (!end) {
        error->line   = lexer->line;
        error->column = pgn_lex_column(lexer, value) - 1;
        return err_set(&error->err, ERR_SYNTAX, 0, "the value of the tag '%.*s' is not closed by a quote",
                       tag->name.len < 40 ? (int)tag->name.len : 40, tag->name.ptr);
    }
    tag->value = (Str){value, (size_t)(end - value)};
    for (size_t i = 0; i < tag->name.len; i++) tag->foreign |= (tag->name.ptr[i] & 0x80) != 0;
    return true;
}

char pgn_lex_peek(PgnLexer *lexer)
{
    for (;;) {
        while (*lexer->at == ' ' || *lexer->at == '\t') lexer->at++;
        if (*lexer->at != '\0') return *lexer->at;
        if (lexer->at == lexer->end) {
            if (!refill(lexer, &lexer->at)) return '\0';
        } else {
            lexer->at++;
        }
    }
}

void pgn_lex_skip_line(PgnLexer *lexer)
{
    for (;;) {
        const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
        if (newline) {
            lexer->at = newline + 1;
            start_line(lexer, lexer->at);
            return;
        }
        lexer->at = lexer->end;
        if (!refill(lexer, &lexer->at)) return;
    }
}

char pgn_lex_take(PgnLexer *lexer)
{
    while (lexer->at == lexer->end) {
        if (!refill(lexer, &lexer->at)) return '\0';
    }
    char c = *lexer->at++;
    if (c == '\n') start_line(lexer, lexer->at);
    return c != '\0' ? c : ' ';
}

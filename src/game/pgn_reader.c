/* pgn_reader.c - games one after the other: finding where one begins, reading it, and getting over a broken one.
 *
 * Between games only three things begin a game: a tag; a result; a move that can be the first (with number 1, or legal in the
 * start position). Any other line is text for people and passed over. A broken game is skipped to its end: a line that
 * ends in a result, or the tag that opens the next game.
 */
#include "game/pgn_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "chess/notation.h"
#include "game/pgn_text.h"

enum {
    PREFIX_MAX    = 1 << 20, /* comments before the first move beyond this many bytes are dropped */
    RESULT_LENGTH = 7,       /* of "1/2-1/2" */
};

PgnStatus pgn_reader_break(PgnReader *reader, size_t line, size_t column, ErrCode code, const char *format, ...)
{
    char    text[ERR_TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    reader->error.line   = line;
    reader->error.column = column;
    err_set(&reader->error.err, code, 0, "%s", text);
    return PGN_BROKEN;
}

PgnStatus pgn_reader_break_at(PgnReader *reader, const PgnToken *token)
{
    if (token->why) return pgn_reader_break(reader, token->line, token->column, ERR_SYNTAX, "%s", token->why);
    unsigned char c = (unsigned char)*token->text.ptr;
    if (c < ' ' || c >= 0x7f)
        return pgn_reader_break(reader, token->line, token->column, ERR_SYNTAX, "the byte 0x%02x has no meaning here", c);
    return pgn_reader_break(reader, token->line, token->column, ERR_SYNTAX, "'%c' has no meaning here", c);
}

bool pgn_reader_comment(PgnReader *reader, Str text)
{
    const PgnVisitor *visitor = reader->visitor;
    if (!visitor->comment) return true;
    Str clean = pgn_clean_comment(text, &reader->text);
    return clean.len == 0 || visitor->comment(visitor->context, clean);
}

void pgn_reader_keep_prefix(PgnReader *reader, Str text)
{
    if (reader->prefix.len + text.len > PREFIX_MAX) return;
    buf_append(&reader->prefix, text);
    buf_append_char(&reader->prefix, '\0');
}

/* ---- getting over a broken game ---- */

static bool is_result(const char *word, size_t len)
{
    Str text = {word, len};
    return str_equal(text, STR("1-0")) || str_equal(text, STR("0-1")) || str_equal(text, STR("1/2-1/2")) ||
           str_equal(text, STR("*"));
}

/* Skips the line and keeps track of comments. True when it ends in a result: the game is over. */
static bool skip_line_of_moves(PgnLexer *lexer, bool *in_comment)
{
    char   word[RESULT_LENGTH + 1];
    size_t len = 0;
    bool   gap = true;
    for (char c; (c = pgn_lex_take(lexer)) != '\0' && c != '\n';) {
        if (*in_comment) {
            *in_comment = c != '}';
        } else if (c == ';' && gap) {
            pgn_lex_skip_line(lexer);
            break;
        } else if (c == '{' || char_is_space(c)) {
            *in_comment = c == '{';
            gap         = true;
        } else {
            if (gap) len = 0;
            gap = false;
            if (len < sizeof word) word[len++] = c;
        }
    }
    return !*in_comment && is_result(word, len);
}

/* Whether the tag `name`, at the beginning of a line, opens the next game. */
static bool opens_next_game(const PgnReader *reader, Str name, bool in_tags, bool in_comment, bool after_blank)
{
    if (in_comment) return after_blank || str_equal(name, STR("Event"));
    return !in_tags || str_equal(name, buf_str(&reader->first_tag));
}

/* Skips the rest of a broken game; `in_tags` when its tag section goes on. */
static void skip_game(PgnReader *reader, bool in_tags)
{
    PgnLexer *lexer       = &reader->lexer;
    bool      in_comment  = false;
    bool      after_blank = false;
    if (in_tags) {
        pgn_lex_skip_line(lexer);
    } else if (skip_line_of_moves(lexer, &in_comment)) {
        return;
    }
    for (char c; (c = pgn_lex_peek(lexer)) != '\0';) {
        Str name;
        if (c == '[' && pgn_lex_at_tag(lexer, &name) && opens_next_game(reader, name, in_tags, in_comment, after_blank)) return;
        after_blank = c == '\n' || c == '\r';
        if (!after_blank && c != '[') in_tags = false;
        if (in_tags) {
            pgn_lex_skip_line(lexer);
        } else if (skip_line_of_moves(lexer, &in_comment)) {
            return;
        }
    }
}

/* ---- one game ---- */

/* A comment behind the result and on its line is about the game that has just ended. */
static PgnStatus read_trailing_comments(PgnReader *reader)
{
    if (reader->token_waits) return PGN_GO_ON;
    for (;;) {
        char c = pgn_lex_peek(&reader->lexer);
        if (c != '{' && c != ';') return PGN_GO_ON;
        const PgnToken *token = pgn_reader_next(reader);
        if (token->kind != PGN_TOKEN_COMMENT) {
            pgn_reader_unread(reader);
            return PGN_GO_ON;
        }
        if (!pgn_reader_comment(reader, token->text)) return PGN_STOPPED;
    }
}

/* The tags were readable but ask for what we cannot play: is there anything left to skip? */
static void leave_unplayable(PgnReader *reader)
{
    PgnTokenKind kind = reader->token.kind;
    reader->over      = kind == PGN_TOKEN_TAG || kind == PGN_TOKEN_END;
    if (reader->over) return;
    reader->token_waits = false;
    if (kind != PGN_TOKEN_RESULT) return;
    reader->over = true;
    pgn_lex_skip_line(&reader->lexer);
}

static PgnStatus read_parts(PgnReader *reader, bool tagged, bool *in_tags)
{
    PgnStatus status = PGN_GO_ON;
    *in_tags         = tagged;
    if (tagged) status = pgn_read_tags(reader);
    if (status != PGN_GO_ON) return status;
    *in_tags = false;
    status   = pgn_begin_moves(reader);
    if (status == PGN_BROKEN && tagged) leave_unplayable(reader);
    if (status == PGN_GO_ON) status = pgn_read_moves(reader);
    return status == PGN_GO_ON ? read_trailing_comments(reader) : status;
}

/* Reads the game whose first token is unread. False: a callback wants no more. */
static bool read_game(PgnReader *reader, bool tagged)
{
    const PgnVisitor *visitor = reader->visitor;
    bool              in_tags = false;
    reader->counts->games++;
    reader->result      = RESULT_UNKNOWN;
    reader->over        = false;
    reader->game_plies  = 0;
    reader->fen.present = reader->variant.present = false;
    if (visitor->begin_game && !visitor->begin_game(visitor->context)) return false;

    PgnStatus status = read_parts(reader, tagged, &in_tags);
    reader->counts->plies += reader->game_plies;
    reader->counts->bytes = pgn_lex_offset(&reader->lexer);
    buf_reset(&reader->prefix);
    if (status == PGN_STOPPED || reader->lexer.failed) return false; /* what a failing source cut off is no game */
    if (status == PGN_BROKEN) {
        reader->counts->errors++;
        if (visitor->error && !visitor->error(visitor->context, &reader->error)) return false;
    }
    if (visitor->end_game && !visitor->end_game(visitor->context, reader->result)) return false;
    if (status == PGN_BROKEN && !reader->over) skip_game(reader, in_tags);
    return true;
}

/* ---- all games ---- */

static bool begins_untagged_game(const PgnReader *reader, const PgnToken *token)
{
    if (token->kind == PGN_TOKEN_RESULT || token->move_number == 1) return true;
    Move move;
    return token->kind == PGN_TOKEN_WORD && token->move_number == 0 && move_from_san(&reader->start, token->text, &move, NULL);
}

/* Finds the next game; its first token is unread. False at the end of the text. */
static bool find_game(PgnReader *reader, bool *tagged)
{
    for (;;) {
        const PgnToken *token = pgn_reader_next(reader);
        switch (token->kind) {
        case PGN_TOKEN_END: return false;
        case PGN_TOKEN_COMMENT: pgn_reader_keep_prefix(reader, token->text); continue;
        case PGN_TOKEN_TAG:
        case PGN_TOKEN_WORD:
        case PGN_TOKEN_NULL:
        case PGN_TOKEN_RESULT:
            *tagged = token->kind == PGN_TOKEN_TAG;
            if (*tagged || begins_untagged_game(reader, token)) {
                pgn_reader_unread(reader);
                return true;
            }
            break;
        default: break;
        }
        pgn_lex_skip_line(&reader->lexer); /* text for people */
    }
}

static void reader_release(PgnReader *reader)
{
    pgn_lex_release(&reader->lexer);
    free(reader->levels);
    buf_release(&reader->fen.text);
    buf_release(&reader->variant.text);
    buf_release(&reader->first_tag);
    buf_release(&reader->prefix);
    buf_release(&reader->text);
    free(reader);
}

static PgnReader *reader_new(const PgnSource *source, const PgnVisitor *visitor, PgnCounts *counts, Err *err)
{
    PgnReader *reader = aligned_alloc(_Alignof(PgnReader), sizeof *reader);
    if (!reader) {
        err_set(err, ERR_MEMORY, 0, "no memory for a reader of games");
        return NULL;
    }
    memset(reader, 0, sizeof *reader);
    reader->visitor = visitor;
    reader->counts  = counts;
    position_set_start(&reader->start);
    if (!pgn_reserve_level(reader)) err_set(err, ERR_MEMORY, 0, "no memory for a reader of games");
    if (reader->levels && pgn_lex_init(&reader->lexer, source, err)) return reader;
    reader_release(reader);
    return NULL;
}

bool pgn_read(const PgnSource *source, const PgnVisitor *visitor, PgnCounts *counts, Err *err)
{
    PgnCounts  own    = {0};
    PgnReader *reader = reader_new(source, visitor, counts ? counts : &own, err);
    if (!reader) return false;
    *reader->counts = own;
    bool tagged;
    while (find_game(reader, &tagged) && read_game(reader, tagged)) {}
    reader->counts->bytes = pgn_lex_offset(&reader->lexer);
    bool ok               = !reader->lexer.failed;
    if (!ok && err) *err = reader->lexer.err;
    reader_release(reader);
    return ok;
}

/* ---- sources ---- */

static ptrdiff_t read_from_text(void *context, char *out, size_t size, Err *err)
{
    (void)err;
    Str   *rest = context;
    size_t len  = rest->len < size ? rest->len : size;
    if (len) memcpy(out, rest->ptr, len);
    *rest = str_skip(*rest, len);
    return (ptrdiff_t)len;
}

bool pgn_read_text(Str text, const PgnVisitor *visitor, PgnCounts *counts, Err *err)
{
    return pgn_read(&(PgnSource){&text, read_from_text}, visitor, counts, err);
}

static ptrdiff_t read_from_file(void *context, char *out, size_t size, Err *err)
{
    size_t len = fread(out, 1, size, context);
    if (len > 0 || !ferror(context)) return (ptrdiff_t)len;
    err_set_errno(err, ERR_IO, "reading failed");
    return -1;
}

bool pgn_read_file(const char *path, const PgnVisitor *visitor, PgnCounts *counts, Err *err)
{
    FILE *file = fopen(path, "rb");
    if (!file) return err_set_errno(err, ERR_IO, "cannot open %s", path);
    bool ok = pgn_read(&(PgnSource){file, read_from_file}, visitor, counts, err);
    fclose(file);
    return ok;
}

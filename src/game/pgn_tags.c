/* pgn_tags.c - the tag section of a game, and the position that its tags ask for. */
#include "base/utf8.h"
#include "chess/fen.h"
#include "game/pgn_reader.h"

enum { VARIANT_SIZE = 32 };

static Str cook_value(PgnReader *reader, const PgnRawTag *raw)
{
    if (!raw->escaped && !raw->foreign) return raw->value;
    Buf *text = &reader->text;
    buf_reset(text);
    size_t start = 0;
    for (size_t i = 0; i + 1 < raw->value.len; i++) {
        if (raw->value.ptr[i] != '\\' || (raw->value.ptr[i + 1] != '"' && raw->value.ptr[i + 1] != '\\')) continue;
        utf8_append_lenient(text, (Str){raw->value.ptr + start, i - start});
        start = ++i; /* the escaped character itself begins the next piece */
    }
    utf8_append_lenient(text, str_skip(raw->value, start));
    return buf_str(text);
}

static void keep_tag(PgnKeptTag *kept, Str value, const PgnRawTag *raw)
{
    buf_reset(&kept->text);
    buf_append(&kept->text, value);
    value         = str_trim(value);
    kept->present = value.len > 0 && !str_equal(value, STR("?")) && !str_equal(value, STR("-"));
    kept->line    = raw->line;
    kept->column  = raw->value_column;
}

static Result result_of(Str text)
{
    if (str_equal(text, STR("1-0"))) return RESULT_WHITE_WINS;
    if (str_equal(text, STR("0-1"))) return RESULT_BLACK_WINS;
    if (str_starts_with(text, STR("1/2"))) return RESULT_DRAW;
    return RESULT_UNKNOWN;
}

/* Reads one tag, tells the visitor, and keeps what the reader itself needs. */
static PgnStatus read_tag(PgnReader *reader)
{
    PgnRawTag raw;
    if (!pgn_lex_tag(&reader->lexer, &raw, &reader->error)) return PGN_BROKEN;
    Str value = cook_value(reader, &raw);
    if (raw.name.len == 6 && str_equal(raw.name, STR("Result"))) reader->result = result_of(value);
    if (raw.name.len == 3 && str_equal_nocase(raw.name, STR("FEN"))) keep_tag(&reader->fen, value, &raw);
    if (raw.name.len == 7 && str_equal_nocase(raw.name, STR("Variant"))) keep_tag(&reader->variant, value, &raw);
    const PgnVisitor *visitor = reader->visitor;
    if (!visitor->tag) return PGN_GO_ON;
    Buf name = {0};
    if (raw.foreign) {
        utf8_append_lenient(&name, raw.name);
        raw.name = buf_str(&name);
    }
    bool go_on = visitor->tag(visitor->context, raw.name, value);
    buf_release(&name);
    return go_on ? PGN_GO_ON : PGN_STOPPED;
}

/* A game without any movetext is followed by another one when an empty line comes and then the first tag's name again. */
static bool begins_next_game(PgnReader *reader, size_t last_tag_line)
{
    Str name;
    if (reader->token.line <= last_tag_line + 1) return false;
    return pgn_lex_at_tag(&reader->lexer, &name) && str_equal(name, buf_str(&reader->first_tag));
}

PgnStatus pgn_read_tags(PgnReader *reader)
{
    size_t last_line = 0;
    buf_reset(&reader->first_tag);
    for (;;) {
        PgnToken *token = pgn_reader_next(reader);
        if (token->kind == PGN_TOKEN_COMMENT) {
            pgn_reader_keep_prefix(reader, token->text);
            continue;
        }
        if (token->kind == PGN_TOKEN_BAD && *token->text.ptr == '[')
            return pgn_reader_break(reader, token->line, token->column, ERR_SYNTAX, "a tag is written [Name \"value\"]");
        if (token->kind != PGN_TOKEN_TAG || (last_line && begins_next_game(reader, last_line))) {
            pgn_reader_unread(reader);
            return PGN_GO_ON;
        }
        if (!last_line) {
            Str name;
            if (pgn_lex_at_tag(&reader->lexer, &name)) buf_append(&reader->first_tag, name);
        }
        last_line        = token->line;
        PgnStatus status = read_tag(reader);
        if (status != PGN_GO_ON) return status;
    }
}

/* Small letters and digits only, so that "Fischer Random", "fischerandom" and "Chess 960" can be compared. */
static Str plain_variant(Str text, char out[VARIANT_SIZE])
{
    size_t len = 0;
    for (size_t i = 0; i < text.len && len < VARIANT_SIZE; i++) {
        char c = char_lower(text.ptr[i]);
        if (char_is_lower(c) || char_is_digit(c)) out[len++] = c;
    }
    return (Str){out, len};
}

static bool is_one_of(Str name, const char *const *names)
{
    for (; *names; names++) {
        if (str_equal(name, str_from(*names))) return true;
    }
    return false;
}

/* Whether the Variant tag asks for rules that we play, and for Chess960's way of castling. */
static bool variant_is_known(Str text, bool *chess960)
{
    static const char *const standard[]  = {"standard", "normal",       "chess", "standardchess",
                                            "regular",  "fromposition", "setup", NULL};
    static const char *const random960[] = {"chess960",
                                            "960",
                                            "frc",
                                            "fischerandom",
                                            "fischerrandom",
                                            "fischerrandomchess",
                                            "fischerandomchess",
                                            "freestyle",
                                            "freestylechess",
                                            "wildfr",
                                            NULL};
    char                     plain[VARIANT_SIZE];
    Str                      name = plain_variant(text, plain);
    *chess960                     = is_one_of(name, random960);
    return *chess960 || is_one_of(name, standard);
}

/* The start position of the game into levels[0]. */
static PgnStatus set_start(PgnReader *reader)
{
    Position *start    = &reader->levels[0].positions[0];
    bool      chess960 = false;
    if (reader->variant.present && !variant_is_known(buf_str(&reader->variant.text), &chess960)) {
        Str name = buf_str(&reader->variant.text);
        if (name.len > 60) name.len = 60;
        return pgn_reader_break(reader, reader->variant.line, reader->variant.column, ERR_FORMAT,
                                "the variant '%.*s' is not supported", STR_ARGS(name));
    }
    *start = reader->start;
    if (reader->fen.present) {
        PgnError *error = &reader->error;
        if (!position_from_fen(buf_str(&reader->fen.text), start, NULL, &error->err)) {
            error->line   = reader->fen.line;
            error->column = reader->fen.column + error->err.offset;
            return PGN_BROKEN;
        }
    }
    start->chess960 |= chess960;
    return PGN_GO_ON;
}

PgnStatus pgn_begin_moves(PgnReader *reader)
{
    PgnStatus status = set_start(reader);
    if (status != PGN_GO_ON) return status;
    reader->depth             = 0;
    reader->levels[0].now     = 0;
    reader->levels[0].moved   = false;
    const PgnVisitor *visitor = reader->visitor;
    if (visitor->begin_moves && !visitor->begin_moves(visitor->context, &reader->levels[0].positions[0])) return PGN_STOPPED;
    Str prefix = buf_str(&reader->prefix);
    while (prefix.len) {
        if (!pgn_reader_comment(reader, str_next_until(&prefix, '\0'))) return PGN_STOPPED;
    }
    buf_reset(&reader->prefix);
    return PGN_GO_ON;
}

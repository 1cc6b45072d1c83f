/* pgn_lex.h - PGN text as tokens, read from a source in large pieces. Private to game/pgn_*.c.
 *
 * Every token is a view into one buffer; nothing is copied. The buffer ends in a zero byte, so scanning loops need no
 * check for its end: a token that touches the end is looked at again after more text has come. A token longer than
 * the buffer makes it grow, up to PGN_TOKEN_MAX. Hot: pgn_lex_next, once or twice a half-move.
 * Threads: a lexer belongs to one thread at a time.
 */
#ifndef GAME_PGN_LEX_H
#define GAME_PGN_LEX_H

#include "game/pgn.h"

enum {
    PGN_BUFFER_SIZE = 256 * 1024,       /* fits the second level cache of most processors */
    PGN_TOKEN_MAX   = 64 * 1024 * 1024, /* a comment beyond this is taken as one that nobody closed */
};

typedef enum {
    PGN_TOKEN_END,
    PGN_TOKEN_TAG,    /* the '[' of a tag: not consumed, pgn_lex_tag reads it */
    PGN_TOKEN_WORD,   /* a move, or something that stands where a move should */
    PGN_TOKEN_NULL,   /* a null move: -- or @@@@ or 0000 */
    PGN_TOKEN_RESULT, /* `value` is the Result */
    PGN_TOKEN_NAG,    /* `value` is the number */
    PGN_TOKEN_COMMENT,
    PGN_TOKEN_OPEN,
    PGN_TOKEN_CLOSE,
    PGN_TOKEN_BAD, /* `why` says what is wrong, or is NULL: the character `text` has no meaning here */
} PgnTokenKind;

typedef struct {
    PgnTokenKind kind;
    Str          text;
    const char  *why;
    size_t       line;
    size_t       column;
    int          value;
    int          move_number; /* the move number directly before this token; 0 when there was none */
    bool         paragraph;   /* an empty line came before that number */
} PgnToken;

typedef struct {
    const PgnSource *source;
    char            *buffer;
    size_t           capacity; /* without the terminating zero */
    const char      *at;       /* where the next token is looked for */
    char            *end;      /* *end is zero */
    uint64_t         base;     /* offset in the file of buffer[0] */
    uint64_t         line_start;
    size_t           line;
    bool             ended;  /* the source has nothing more */
    bool             failed; /* the source or memory failed: `err` */
    Err              err;
} PgnLexer;

/* A tag as it stands in the text: escapes not resolved. */
typedef struct {
    Str    name;
    Str    value;
    bool   escaped; /* a backslash occurs in the value */
    bool   foreign; /* a byte beyond ASCII occurs in name or value */
    size_t line;
    size_t value_column;
} PgnRawTag;

bool pgn_lex_init(PgnLexer *lexer, const PgnSource *source, Err *err); /* false when memory is short */
void pgn_lex_release(PgnLexer *lexer);

/* The next token; its views live until the next call of any function here. */
void pgn_lex_next(PgnLexer *lexer, PgnToken *token);

/* Reads the tag that pgn_lex_next announced. False with the place and the reason when it is broken. */
bool pgn_lex_tag(PgnLexer *lexer, PgnRawTag *tag, PgnError *error);

/* Whether a tag opens right here; its name goes to *name. Consumes nothing. */
bool pgn_lex_at_tag(PgnLexer *lexer, Str *name);

/* Skips blanks (no line ends) and tells the next character, 0 at the end of the text. */
char pgn_lex_peek(PgnLexer *lexer);

/* Skips to the beginning of the next line. */
void pgn_lex_skip_line(PgnLexer *lexer);

/* Takes one character, 0 at the end of the text: for skipping what cannot be read. */
char pgn_lex_take(PgnLexer *lexer);

/* The byte offset in the file of the next token. */
static inline uint64_t pgn_lex_offset(const PgnLexer *lexer) { return lexer->base + (uint64_t)(lexer->at - lexer->buffer); }

static inline size_t pgn_lex_column(const PgnLexer *lexer, const char *at)
{
    return (size_t)(lexer->base + (uint64_t)(at - lexer->buffer) - lexer->line_start) + 1;
}

#endif

/* lex.h - the words of one UCI line, with the place of each; shared by the readers of this folder and by nobody else.
 *
 * A reader never stops at a fault: it drops the smallest part that makes no sense, notes the first such fault and goes on,
 * because the protocol asks both sides to ignore what they do not understand.
 * Invariant: `rest` is always a tail of `line`, so every token is a view into the caller's text.
 * Threads: [any]; a lexer belongs to one call.
 */
#ifndef UCI_LEX_H
#define UCI_LEX_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

typedef struct {
    Str  line;  /* the whole line; offsets of faults count from its start */
    Str  rest;  /* what has not been taken yet */
    Err *err;   /* receives the first fault; may be NULL */
    bool clean; /* nothing was ignored so far */
} UciLexer;

/* Tells a reader where a run of free words ends. */
typedef bool UciKeywordTest(Str token);

void uci_lex_init(UciLexer *lex, Str line, Err *err);

Str uci_lex_next(UciLexer *lex);       /* takes the next word; empty at the end */
Str uci_lex_peek(const UciLexer *lex); /* the next word, not taken */
Str uci_lex_rest(UciLexer *lex);       /* takes all that is left, without space at either end */

/* Takes the words before the next keyword (or the end) as one view, inner space untouched. */
Str uci_lex_run(UciLexer *lex, UciKeywordTest *is_keyword);

/* Takes the number that belongs to `keyword`. When the next word is a keyword or missing, nothing is taken; when it is no
 * number, it is dropped. Both are faults and return false. */
bool uci_lex_number(UciLexer *lex, Str keyword, UciKeywordTest *is_keyword, int64_t *out);

/* Notes a fault at `token`, a view into the line, as "'<token>' <sentence>"; an empty one stands for the end of the line. Only
 * the first fault of a line is kept. */
void uci_lex_fault(UciLexer *lex, ErrCode code, Str token, const char *sentence);

/* A whole decimal number with an optional sign. One too large for the type becomes the largest of its sign: a GUI that
 * sends an absurd limit means "no limit". False for anything else. */
bool uci_number_from_text(Str text, int64_t *out);

/* Appends text that must stay on its line: line ends become spaces, so no value can smuggle in a second command. */
void uci_append_text(Buf *out, Str text);

/* Appends " keyword text", the shape of nearly every part of a line. */
void uci_append_part(Buf *out, Str keyword, Str text);

#endif

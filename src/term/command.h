/* command.h - what a person types at the board: a command, or a move in any spelling people use. Pure.
 *
 * A word with a digit in it, or castling, is a move; every other word is a command, and one that is nearly a command is answered
 * with what was probably meant. Threads: [any].
 */
#ifndef TERM_COMMAND_H
#define TERM_COMMAND_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

typedef enum {
    TERM_NOTHING, /* an empty line */
    TERM_MOVE,
    TERM_UNDO,
    TERM_HINT,
    TERM_GO,
    TERM_BOARD,
    TERM_FLIP,
    TERM_FEN,
    TERM_PGN,
    TERM_EVAL,
    TERM_MOVES,
    TERM_LINES,
    TERM_LEVEL,
    TERM_SAVE,
    TERM_LOAD,
    TERM_NEW,
    TERM_RESIGN,
    TERM_DRAW,
    TERM_HELP,
    TERM_QUIT,
    TERM_COMMANDS
} TermCommandKind;

typedef struct {
    TermCommandKind kind;
    Str             argument; /* TERM_MOVE: the whole text; else what follows the word, trimmed. A view of the line. */
} TermCommand;

/* False with *err (and the nearest command in its sentence) for a word that is neither. */
bool term_command_parse(Str line, TermCommand *out, Err *err);

/* Appends a line for every command. */
void term_command_help(Buf *out);

/* How many letters must be changed, put in, taken out or swapped with the next to make one text the other, ignoring case; at most
 * `limit` + 1. */
int text_distance(Str a, Str b, int limit);

#endif

/* pgn_text.h - what reader and writer agree on about the text of comments. Private to game/pgn_*.c. */
#ifndef GAME_PGN_TEXT_H
#define GAME_PGN_TEXT_H

#include "base/buf.h"

/* A comment without what the writer may change: trimmed, and every run of white space that holds a line end is one space. A
 * view of `text` when nothing inside changes, else of `scratch`, which is overwritten; UTF-8 either way. */
Str pgn_clean_comment(Str text, Buf *scratch);

#endif

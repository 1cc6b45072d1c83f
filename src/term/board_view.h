/* board_view.h - a position as text for a terminal: in colours with chess signs where the terminal can, in letters elsewhere.
 *
 * Every row has the same visible width, so that whoever draws may put text beside it. Pure. Threads: [any].
 */
#ifndef TERM_BOARD_VIEW_H
#define TERM_BOARD_VIEW_H

#include "base/buf.h"
#include "chess/position.h"

typedef enum { TERM_COLOR_NONE, TERM_COLOR_256, TERM_COLOR_24_BIT } TermColor;

/* What may be sent to the terminal. */
typedef struct {
    TermColor color;
    bool      unicode;
} TermStyle;

/* The environment, as far as it decides the style; NULL for what is not set. */
typedef struct {
    bool        is_terminal;
    const char *term, *colorterm, *no_color;
    const char *locale; /* the first that is set of LC_ALL, LC_CTYPE, LANG */
} TermEnvironment;

/* Plain where colours are not wanted (NO_COLOR) or not possible (a pipe, TERM=dumb). */
TermStyle term_style(const TermEnvironment *environment);

typedef struct {
    const Position *pos;
    bool            flipped;  /* Black below */
    Square          marks[2]; /* the last move, as board_view_marks tells; SQ_NONE for none */
} BoardView;

enum { BOARD_VIEW_ROWS = 10, BOARD_VIEW_WIDTH = 29 };

/* The squares that a move leaves and reaches on the board: for castling, the king's. */
void board_view_marks(const Position *before, Move move, Square marks[2]);

/* Appends row 0..BOARD_VIEW_ROWS-1, without a line end. */
void board_view_row(const BoardView *view, const TermStyle *style, int row, Buf *out);

/* Appends all rows, each with its line end. */
void board_view(const BoardView *view, const TermStyle *style, Buf *out);

/* ---- other text ---- */

typedef enum { INK_NORMAL, INK_DIM, INK_BOLD, INK_GOOD, INK_BAD, INK_ACCENT, INKS } Ink;

/* Appends text in an ink, or as it is where there are no colours. */
void ink_append(const TermStyle *style, Ink ink, Str text, Buf *out);

/* How many columns a text takes: one for each character, none for colours. */
size_t text_width(Str text);

/* The sign of a piece for running text: "♞", or "N" and "n" in letters. */
const char *piece_sign(const TermStyle *style, Piece piece);

#endif

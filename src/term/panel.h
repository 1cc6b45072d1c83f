/* panel.h - the whole picture of a game: the board, and beside it who plays, the clocks, the opening and the last moves. Pure. */
#ifndef TERM_PANEL_H
#define TERM_PANEL_H

#include "book/names.h"
#include "game/game.h"
#include "term/board_view.h"

typedef struct {
    const Game *game;
    bool        flipped;
    bool        over;          /* nobody is to move */
    const char *names[COLORS]; /* "you", "Tabia, club player (1700)" */
    bool        has_clock;
    int64_t     left_ns[COLORS];
    bool        has_opening;
    OpeningName opening;
} Panel;

/* Appends the picture: BOARD_VIEW_ROWS lines. */
void panel_append(const Panel *panel, const TermStyle *style, Buf *out);

#endif

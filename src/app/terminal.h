/* terminal.h - what standard output is: how it may be written to, and how wide it is. */
#ifndef APP_TERMINAL_H
#define APP_TERMINAL_H

#include "term/board_view.h"

/* From the environment and the descriptor; *width in columns. */
TermStyle terminal_style(size_t *width);

#endif

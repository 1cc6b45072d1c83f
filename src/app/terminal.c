/* terminal.c - see terminal.h. */
#include "app/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *first_set(const char *a, const char *b, const char *c) { return a && *a ? a : b && *b ? b : c; }

TermStyle terminal_style(size_t *width)
{
    enum { PLAIN_WIDTH = 100, NARROWEST = 40 };
    struct winsize  size;
    TermEnvironment environment = {.is_terminal = isatty(STDOUT_FILENO) == 1,
                                   .term        = getenv("TERM"),
                                   .colorterm   = getenv("COLORTERM"),
                                   .no_color    = getenv("NO_COLOR"),
                                   .locale      = first_set(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))};
    bool            told        = environment.is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    *width                      = told && size.ws_col >= NARROWEST ? size.ws_col : PLAIN_WIDTH;
    return term_style(&environment);
}

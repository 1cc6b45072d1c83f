/* cmd_book.c - `tabia book`: finds the subcommand; what the subcommands share. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/book_view.h"
#include "app/cli.h"
#include "chess/fen.h"
#include "chess/notation.h"

static const Command subcommands[] = {
    {"build", cmd_book_build, "make a book from games"},
    {"merge", cmd_book_merge, "make one book of several"},
    {"probe", cmd_book_probe, "show the book moves of a position"},
    {"tree", cmd_book_tree, "show the moves below a position, several plies deep"},
    {"dump", cmd_book_dump, "print every entry"},
    {"stats", cmd_book_stats, "how big, how deep, how good a book is"},
    {0},
};

int cmd_book(int argc, char **argv)
{
    const CommandGroup group = {
        .name = "book", .usage = "tabia book COMMAND [arguments]", .example = "tabia book probe", .commands = subcommands};
    return cli_choose(&group, argc, argv);
}

/* ---- what they share ---- */

static int set_position(BookView *view, const char *fen, const char *moves)
{
    Err  err;
    Move last = MOVE_NONE;
    position_set_start(&view->pos);
    if (fen && !position_from_fen(str_from(fen), &view->pos, NULL, &err))
        return cli_fail("the position '%s' cannot be used: %s (at character %zu)", fen, err.text, err.offset + 1);
    Str rest = str_from(moves);
    for (Str word; moves && (word = str_next_token(&rest)).len;) {
        Position before = view->pos;
        if (!move_from_san(&before, word, &last, &err)) return cli_fail("%s", err.text);
        position_play(&before, last, &view->pos);
    }
    view->key = book_key(&view->pos, last);
    return -1;
}

int book_view_open(BookView *view, const char *path, const char *fen, const char *moves)
{
    Err err;
    *view    = (BookView){0};
    int code = set_position(view, fen, moves);
    if (code >= 0) return code;
    view->book  = path ? book_open(path, &err) : book_open_default(&err);
    view->names = view->book ? names_new(&err) : NULL;
    if (view->names) return -1;
    book_view_close(view);
    return cli_fail("%s", err.text);
}

void book_view_close(BookView *view)
{
    book_free(view->book);
    names_free(view->names);
}

double book_share(const BookMoves *moves, const BookMove *move)
{
    return moves->total ? 100.0 * move->weight / (double)moves->total : 0;
}

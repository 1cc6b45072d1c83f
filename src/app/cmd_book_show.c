/* cmd_book_show.c - `tabia book probe` and `tabia book tree`: the moves of a position, with games, score and names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/book_view.h"
#include "app/cli.h"
#include "chess/fen.h"
#include "chess/notation.h"

enum { TREE_DEPTH_MAX = 60 };

static void json_name(JsonWriter *json, const Names *names, const Position *pos)
{
    OpeningName name;
    if (!names_find(names, pos, &name)) return;
    json_str(json, "eco", name.code);
    json_str(json, "name", name.name);
}

static void json_move(JsonWriter *json, const BookView *view, const Position *pos, const BookMoves *moves, const BookMove *move)
{
    char     uci[UCI_MOVE_SIZE], san[SAN_SIZE];
    Position next;
    move_to_uci(pos, move->move, uci);
    move_to_san(pos, move->move, san);
    position_play(pos, move->move, &next);
    json_str(json, "move", str_from(uci));
    json_str(json, "san", str_from(san));
    json_i64(json, "weight", move->weight);
    json_double(json, "share", book_share(moves, move), 2);
    if (move->games) {
        json_u64(json, "games", move->games);
        json_double(json, "score", move->per_mille / 10.0, 1);
    }
    json_name(json, view->names, &next);
}

static void print_buf(Buf *out)
{
    printf("%.*s\n", STR_ARGS(buf_str(out)));
    buf_release(out);
}

/* ---- probe ---- */

static void probe_json(const BookView *view, const BookMoves *moves)
{
    Buf        out = {0};
    JsonWriter json;
    char       fen[FEN_SIZE], key[24];
    position_to_fen(&view->pos, fen);
    snprintf(key, sizeof key, "%016" PRIx64, view->key);
    json_init(&json, &out);
    json_begin_object(&json, NULL);
    json_str(&json, "fen", str_from(fen));
    json_str(&json, "key", str_from(key));
    json_name(&json, view->names, &view->pos);
    json_begin_array(&json, "moves");
    for (int i = 0; i < moves->count; i++) {
        json_begin_object(&json, NULL);
        json_move(&json, view, &view->pos, moves, &moves->moves[i]);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    print_buf(&out);
}

static void print_move(const BookView *view, const Position *pos, const BookMoves *moves, const BookMove *move, int indent)
{
    char        san[SAN_SIZE];
    Position    next;
    OpeningName name;
    move_to_san(pos, move->move, san);
    position_play(pos, move->move, &next);
    printf("%*s%-7s %6.2f%%", indent, "", san, book_share(moves, move));
    if (move->games) {
        printf(" %9" PRIu32 " %6.1f%%", move->games, move->per_mille / 10.0);
    } else {
        printf(" %9s %7s", "", "");
    }
    if (names_find(view->names, &next, &name)) printf("  %.*s %.*s", STR_ARGS(name.code), STR_ARGS(name.name));
    putchar('\n');
}

static void print_heading(const BookView *view, const BookMoves *moves)
{
    OpeningName name;
    if (names_find(view->names, &view->pos, &name)) printf("%.*s %.*s\n", STR_ARGS(name.code), STR_ARGS(name.name));
    if (moves->count == 0) {
        printf("no book move (key %016" PRIx64 ")\n", view->key);
    } else {
        printf("%-7s %7s %9s %7s\n", "move", "share", "games", "score");
    }
}

int cmd_book_probe(int argc, char **argv)
{
    const char  *fen = NULL, *path = NULL, *line = NULL;
    bool         as_json = false;
    BookView     view;
    const Option options[] = {{"book", OPTION_TEXT, "FILE", "ask this book (default: the one inside the program)", &path, 0, 0},
                              {"fen", OPTION_TEXT, "FEN", "the position (default: the start of the game)", &fen, 0, 0},
                              {"moves", OPTION_TEXT, "MOVES", "moves from there, \"e4 e5\" or \"e2e4 e7e5\"", &line, 0, 0},
                              {"json", OPTION_FLAG, NULL, "print one JSON object", &as_json, 0, 0},
                              {0}};
    const CommandSpec spec = {.usage   = "tabia book probe [--book FILE] [--fen FEN] [--moves MOVES]",
                              .summary = "Shows the book moves of a position: how likely each is played, and games and score "
                                         "where the book tells them.",
                              .example = "tabia book probe --moves \"e4 e5 Nf3 Nc6 Bb5\"",
                              .options = options};
    int               count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code < 0) code = book_view_open(&view, path, fen, line);
    if (code >= 0) return code;
    BookMoves moves;
    book_probe(view.book, &view.pos, view.key, &moves);
    if (as_json) {
        probe_json(&view, &moves);
    } else {
        print_heading(&view, &moves);
        for (int i = 0; i < moves.count; i++) print_move(&view, &view.pos, &moves, &moves.moves[i], 0);
    }
    book_view_close(&view);
    return EXIT_DONE;
}

/* ---- tree ---- */

typedef struct {
    const BookView *view;
    int             depth;
    double          min_share; /* percent of all games that reach the root */
    bool            as_json;
    JsonWriter      json;
    Buf             out;
} Tree;

static void show_branch(Tree *tree, const Position *pos, Key key, int ply, double share)
{
    BookMoves *moves = malloc(sizeof *moves); /* too big for a deep stack */
    if (!moves) return;
    book_probe(tree->view->book, pos, key, moves);
    if (tree->as_json && moves->count) json_begin_array(&tree->json, "moves");
    for (int i = 0; i < moves->count; i++) {
        const BookMove *move   = &moves->moves[i];
        double          branch = share * book_share(moves, move) / 100;
        Position        next;
        if (branch < tree->min_share) continue;
        position_play(pos, move->move, &next);
        if (tree->as_json) {
            json_begin_object(&tree->json, NULL);
            json_move(&tree->json, tree->view, pos, moves, move);
        } else {
            print_move(tree->view, pos, moves, move, 2 * ply);
        }
        if (ply + 1 < tree->depth) show_branch(tree, &next, book_key(&next, move->move), ply + 1, branch);
        if (tree->as_json) json_end_object(&tree->json);
    }
    if (tree->as_json && moves->count) json_end_array(&tree->json);
    free(moves);
}

static void show_tree(Tree *tree)
{
    const BookView *view = tree->view;
    if (!tree->as_json) {
        BookMoves moves;
        book_probe(view->book, &view->pos, view->key, &moves);
        print_heading(view, &moves);
        show_branch(tree, &view->pos, view->key, 0, 100);
        return;
    }
    char fen[FEN_SIZE];
    position_to_fen(&view->pos, fen);
    json_init(&tree->json, &tree->out);
    json_begin_object(&tree->json, NULL);
    json_str(&tree->json, "fen", str_from(fen));
    json_name(&tree->json, view->names, &view->pos);
    show_branch(tree, &view->pos, view->key, 0, 100);
    json_end_object(&tree->json);
    print_buf(&tree->out);
}

int cmd_book_tree(int argc, char **argv)
{
    const char  *fen = NULL, *path = NULL, *line = NULL;
    Tree         tree = {.depth = 3, .min_share = 1};
    BookView     view;
    const Option options[] = {
        {"book", OPTION_TEXT, "FILE", "show this book (default: the one inside the program)", &path, 0, 0},
        {"fen", OPTION_TEXT, "FEN", "the root (default: the start of the game)", &fen, 0, 0},
        {"moves", OPTION_TEXT, "MOVES", "moves from there, \"e4 e5\" or \"e2e4 e7e5\"", &line, 0, 0},
        {"depth", OPTION_INT, "N", "half-moves to show (default 3)", &tree.depth, 1, TREE_DEPTH_MAX},
        {"min-share", OPTION_DOUBLE, "PERCENT", "leave out what is reached less often (default 1)", &tree.min_share, 0, 0},
        {"json", OPTION_FLAG, NULL, "print one JSON object (at most 6 half-moves)", &tree.as_json, 0, 0},
        {0}};
    const CommandSpec spec = {.usage = "tabia book tree [--book FILE] [--fen FEN] [--moves MOVES] [--depth N]",
                              .summary =
                                  "Shows what a book knows below a position as a tree: moves, shares, games, score, names.",
                              .example = "tabia book tree --moves \"e4 c5\" --depth 4",
                              .options = options};
    int               count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    if (tree.as_json && tree.depth > 6) tree.depth = 6; /* two levels of JSON a half-move */
    code = book_view_open(&view, path, fen, line);
    if (code >= 0) return code;
    tree.view = &view;
    show_tree(&tree);
    book_view_close(&view);
    return EXIT_DONE;
}

/* tree_pgn.c - a tree from PGN and back. See tree.h. */
#include <stdio.h>
#include <stdlib.h>

#include "game/tree.h"

/* ---- evaluations inside comments ---- */

static const char eval_mark[] = "[%eval ";

static void write_eval(Buf *out, TreeEval eval)
{
    if (eval.is_mate) {
        buf_printf(out, "%s#%d]", eval_mark, eval.value);
    } else {
        buf_printf(out, "%s%.2f]", eval_mark, eval.value / 100.0);
    }
}

static bool parse_eval(Str text, TreeEval *out)
{
    enum { PAWNS_MAX = 300, MATE_MAX = 1000 };
    Str    first = str_next_until(&text, ','); /* "0.34,18": some programs add the depth */
    double pawns;
    int    moves;
    if (first.len && first.ptr[0] == '#') {
        if (!str_to_int(str_skip(first, 1), -MATE_MAX, MATE_MAX, &moves)) return false;
        *out = (TreeEval){true, true, moves};
        return true;
    }
    if (!str_to_double(first, &pawns) || !(pawns >= -PAWNS_MAX && pawns <= PAWNS_MAX)) return false;
    *out = (TreeEval){true, false, (int)(pawns * 100 + (pawns < 0 ? -0.5 : 0.5))};
    return true;
}

/* Takes "[%eval ...]" out of a comment; the rest goes to `rest`. */
static void split_comment(Str text, Buf *rest, TreeEval *eval)
{
    size_t at   = str_find_nocase(text, str_from(eval_mark));
    Str    tail = str_skip(text, at + sizeof eval_mark - 1);
    if (at < text.len && memchr(tail.ptr, ']', tail.len)) {
        Str value = str_next_until(&tail, ']');
        if (parse_eval(value, eval)) {
            buf_append(rest, str_trim((Str){text.ptr, at}));
            tail = str_trim(tail);
            if (rest->len && tail.len) buf_append_char(rest, ' ');
            buf_append(rest, tail);
            return;
        }
    }
    buf_append(rest, text);
}

/* ---- writing ---- */

typedef struct {
    const MoveTree *tree;
    PgnVisitor      out;
    Buf             comment;
} TreeWriter;

static void write_notes(TreeWriter *w, const TreeNode *node)
{
    for (int i = 0; i < node->nag_count; i++) w->out.nag(w->out.context, node->nags[i]);
    buf_reset(&w->comment);
    if (node->eval.known) write_eval(&w->comment, node->eval);
    if (node->eval.known && node->comment) buf_append_char(&w->comment, ' ');
    if (node->comment) buf_append(&w->comment, str_from(node->comment));
    if (w->comment.len) w->out.comment(w->out.context, buf_str(&w->comment));
}

static void write_move(TreeWriter *w, const Position *before, const TreeNode *node, Position *after)
{
    w->out.move(w->out.context, before, node->move);
    write_notes(w, node);
    if (node->move == MOVE_NONE) {
        position_play_null(before, after);
    } else {
        position_play(before, node->move, after);
    }
}

/* Writes what follows `node`, whose position is `pos`. As deep as variations are nested. */
static void write_line(TreeWriter *w, int node, Position pos)
{
    const TreeNode *nodes = w->tree->nodes;
    for (int first; (first = nodes[node].first_child) != TREE_NONE; node = first) {
        Position next, other;
        write_move(w, &pos, &nodes[first], &next);
        for (int i = nodes[first].next_sibling; i != TREE_NONE; i = nodes[i].next_sibling) {
            w->out.begin_variation(w->out.context);
            write_move(w, &pos, &nodes[i], &other);
            write_line(w, i, other);
            w->out.end_variation(w->out.context);
        }
        pos = next;
    }
}

bool tree_write_pgn(const MoveTree *tree, Buf *out)
{
    PgnWriter *writer = pgn_writer_new(out);
    if (!writer) return false;
    TreeWriter w = {.tree = tree, .out = pgn_writer_visitor(writer)};
    w.out.begin_game(w.out.context);
    for (int i = 0; i < tree->tag_count; i++)
        w.out.tag(w.out.context, str_from(tree->tags[i].name), str_from(tree->tags[i].value));
    if (!tree_tag(tree, "Result").len) w.out.tag(w.out.context, STR("Result"), str_from(result_text(tree->result)));
    w.out.begin_moves(w.out.context, &tree->start);
    write_notes(&w, &tree->nodes[0]);
    write_line(&w, 0, tree->start);
    w.out.end_game(w.out.context, tree->result);
    pgn_writer_free(writer);
    bool ok = !w.comment.failed && !out->failed;
    buf_release(&w.comment);
    return ok;
}

/* ---- reading ---- */

typedef struct {
    TreeSink *sink;
    void     *context;
    uint64_t  number;
    MoveTree  tree;
    int       node;  /* where the text stands */
    int      *stack; /* the nodes that open variations return to */
    size_t    depth, cap;
    bool      broken, out_of_memory;
    PgnError  error;
    Buf       text;
} TreeReader;

static bool fail(TreeReader *r, const Err *err)
{
    r->out_of_memory = !r->broken && err->code == ERR_MEMORY && r->tree.count < TREE_NODES_MAX;
    if (!r->broken) r->error = (PgnError){.line = 0, .column = 0, .err = *err};
    r->broken = true;
    return !r->out_of_memory;
}

static bool on_begin_game(void *context)
{
    TreeReader *r = context;
    Position    start;
    position_set_start(&start);
    tree_release(&r->tree);
    r->number++;
    r->node   = 0;
    r->depth  = 0;
    r->broken = false;
    if (!tree_init(&r->tree, &start)) r->out_of_memory = true;
    return !r->out_of_memory;
}

static bool on_tag(void *context, Str name, Str value)
{
    TreeReader *r = context;
    Err         ignored; /* tags beyond the limit are dropped: they say nothing that a board needs */
    tree_set_tag(&r->tree, name, value, &ignored);
    return true;
}

static bool on_begin_moves(void *context, const Position *start)
{
    TreeReader *r = context;
    r->tree.start = *start;
    return true;
}

static bool on_move(void *context, const Position *before, Move move)
{
    (void)before;
    TreeReader *r = context;
    Err         err;
    if (r->broken) return true;
    int node = tree_add(&r->tree, r->node, move, &err);
    if (node == TREE_NONE) return fail(r, &err);
    r->node = node;
    return true;
}

static bool on_nag(void *context, int nag)
{
    TreeReader *r = context;
    if (!r->broken && nag > 0) tree_toggle_nag(&r->tree, r->node, nag, NULL);
    return true;
}

static bool on_comment(void *context, Str text)
{
    TreeReader *r = context;
    if (r->broken) return true;
    TreeNode *node = &r->tree.nodes[r->node];
    buf_reset(&r->text);
    if (node->comment) buf_printf(&r->text, "%s ", node->comment);
    split_comment(text, &r->text, &node->eval);
    Str all = buf_str(&r->text);
    Err err;
    if (all.len > TREE_COMMENT_MAX) all.len = TREE_COMMENT_MAX;
    return tree_set_comment(&r->tree, r->node, all, &err) || fail(r, &err);
}

static bool on_begin_variation(void *context)
{
    TreeReader *r = context;
    if (r->broken) return true;
    if (r->depth == r->cap) {
        size_t cap       = r->cap ? r->cap * 2 : 16;
        int   *stack     = realloc(r->stack, cap * sizeof *stack);
        r->out_of_memory = !stack;
        if (!stack) return false;
        r->stack = stack;
        r->cap   = cap;
    }
    r->stack[r->depth++] = r->node;
    r->node              = r->tree.nodes[r->node].parent;
    return true;
}

static bool on_end_variation(void *context)
{
    TreeReader *r = context;
    if (!r->broken) r->node = r->stack[--r->depth];
    return true;
}

static bool on_error(void *context, const PgnError *error)
{
    TreeReader *r = context;
    if (!r->broken) r->error = *error;
    r->broken = true;
    return true;
}

static bool on_end_game(void *context, Result result)
{
    TreeReader *r  = context;
    r->tree.result = result;
    return r->sink(r->context, r->number, r->broken ? NULL : &r->tree, r->broken ? &r->error : NULL);
}

bool tree_read_pgn(Str text, TreeSink *sink, void *context, Err *err)
{
    TreeReader reader  = {.sink = sink, .context = context};
    PgnVisitor visitor = {.context         = &reader,
                          .begin_game      = on_begin_game,
                          .tag             = on_tag,
                          .begin_moves     = on_begin_moves,
                          .move            = on_move,
                          .nag             = on_nag,
                          .comment         = on_comment,
                          .begin_variation = on_begin_variation,
                          .end_variation   = on_end_variation,
                          .end_game        = on_end_game,
                          .error           = on_error};
    bool       ok      = pgn_read_text(text, &visitor, NULL, err);
    if (ok && reader.out_of_memory) ok = err_set(err, ERR_MEMORY, 0, "no memory for the game");
    tree_release(&reader.tree);
    free(reader.stack);
    buf_release(&reader.text);
    return ok;
}

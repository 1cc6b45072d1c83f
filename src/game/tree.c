/* tree.c - see tree.h. Reading and writing PGN is in tree_pgn.c. */
#include "game/tree.h"

#include <stdlib.h>

static char *copy_text(Str text)
{
    char *copy = malloc(text.len + 1);
    if (!copy) return NULL;
    if (text.len) memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

/* ---- life ---- */

/* Appends an empty node; TREE_NONE when memory is short. */
static int push_node(MoveTree *tree)
{
    if (tree->count == tree->cap) {
        int       cap   = tree->cap ? tree->cap * 2 : 64;
        TreeNode *nodes = realloc(tree->nodes, (size_t)cap * sizeof *nodes);
        if (!nodes) return TREE_NONE;
        tree->nodes = nodes;
        tree->cap   = cap;
    }
    tree->nodes[tree->count] = (TreeNode){.parent = TREE_NONE, .first_child = TREE_NONE, .next_sibling = TREE_NONE};
    return tree->count++;
}

bool tree_init(MoveTree *tree, const Position *start)
{
    *tree       = (MoveTree){0};
    tree->start = *start;
    return push_node(tree) != TREE_NONE;
}

void tree_release(MoveTree *tree)
{
    for (int i = 0; i < tree->count; i++) free(tree->nodes[i].comment);
    for (int i = 0; i < tree->tag_count; i++) {
        free(tree->tags[i].name);
        free(tree->tags[i].value);
    }
    free(tree->nodes);
    *tree = (MoveTree){0};
}

bool tree_has(const MoveTree *tree, int node) { return node >= 0 && node < tree->count && !tree->nodes[node].deleted; }

/* ---- shape ---- */

int tree_add(MoveTree *tree, int parent, Move move, Err *err)
{
    int last = TREE_NONE;
    for (int i = tree->nodes[parent].first_child; i != TREE_NONE; i = tree->nodes[i].next_sibling) {
        if (tree->nodes[i].move == move) return i;
        last = i;
    }
    int node = tree->count < TREE_NODES_MAX ? push_node(tree) : TREE_NONE;
    if (node == TREE_NONE) {
        err_set(err, ERR_MEMORY, 0, "this game holds %d moves and variations already, and that is the limit", tree->count - 1);
        return TREE_NONE;
    }
    tree->nodes[node].parent = parent;
    tree->nodes[node].move   = move;
    tree->nodes[node].ply    = tree->nodes[parent].ply + 1;
    if (last == TREE_NONE) {
        tree->nodes[parent].first_child = node;
    } else {
        tree->nodes[last].next_sibling = node;
    }
    return node;
}

/* Takes a node out of the list of its siblings; its subtree stays with it. */
static void unlink_node(MoveTree *tree, int node)
{
    int *link = &tree->nodes[tree->nodes[node].parent].first_child;
    while (*link != node) link = &tree->nodes[*link].next_sibling;
    *link = tree->nodes[node].next_sibling;
}

void tree_delete(MoveTree *tree, int node)
{
    unlink_node(tree, node);
    tree->nodes[node].deleted = true;
    for (int i = node; i < tree->count; i++) { /* children come after their parents: one pass is enough */
        TreeNode *n = &tree->nodes[i];
        if (i != node && n->parent >= node && tree->nodes[n->parent].deleted) n->deleted = true;
        if (!n->deleted) continue;
        free(n->comment);
        n->comment = NULL;
    }
}

static void make_first(MoveTree *tree, int node)
{
    TreeNode *n = &tree->nodes[node], *parent = &tree->nodes[n->parent];
    unlink_node(tree, node);
    n->next_sibling     = parent->first_child;
    parent->first_child = node;
}

void tree_promote(MoveTree *tree, int node)
{
    for (; tree->nodes[node].parent != TREE_NONE; node = tree->nodes[node].parent) {
        if (tree->nodes[tree->nodes[node].parent].first_child == node) continue;
        make_first(tree, node);
        return;
    }
}

void tree_make_main(MoveTree *tree, int node)
{
    for (; tree->nodes[node].parent != TREE_NONE; node = tree->nodes[node].parent) {
        if (tree->nodes[tree->nodes[node].parent].first_child != node) make_first(tree, node);
    }
}

int tree_main_end(const MoveTree *tree)
{
    int node = 0;
    while (tree->nodes[node].first_child != TREE_NONE) node = tree->nodes[node].first_child;
    return node;
}

bool tree_is_below(const MoveTree *tree, int node, int ancestor)
{
    while (node > ancestor) node = tree->nodes[node].parent;
    return node == ancestor;
}

/* ---- positions ---- */

static void play(Position *pos, Move move)
{
    Position next;
    if (move == MOVE_NONE) {
        position_play_null(pos, &next);
    } else {
        position_play(pos, move, &next);
    }
    *pos = next;
}

/* The moves from the start to `node`, and their number; NULL when memory is short. */
static Move *path_to(const MoveTree *tree, int node, int *length)
{
    *length    = tree->nodes[node].ply;
    Move *path = malloc(((size_t)*length + 1) * sizeof *path);
    for (int i = *length; path && i > 0; node = tree->nodes[node].parent) path[--i] = tree->nodes[node].move;
    return path;
}

void tree_position(const MoveTree *tree, int node, Position *out)
{
    int   length;
    Move *path = path_to(tree, node, &length);
    *out       = tree->start;
    for (int i = 0; path && i < length; i++) play(out, path[i]);
    free(path);
}

bool tree_game(const MoveTree *tree, int node, Game *out, Err *err)
{
    int      length;
    Move    *path = path_to(tree, node, &length);
    Position pos  = tree->start;
    bool     ok   = path && game_init(out, &pos);
    for (int i = 0; ok && i < length; i++) {
        if (path[i] != MOVE_NONE) {
            ok = game_play(out, path[i]);
            continue;
        }
        pos = out->now;
        play(&pos, MOVE_NONE);
        game_reset(out, &pos);
    }
    free(path);
    return ok || err_set(err, ERR_MEMORY, 0, "no memory for so many moves");
}

/* ---- notes ---- */

bool tree_set_comment(MoveTree *tree, int node, Str text, Err *err)
{
    text = str_trim(text);
    if (text.len > TREE_COMMENT_MAX)
        return err_set(err, ERR_RANGE, TREE_COMMENT_MAX, "a comment has at most %d bytes", TREE_COMMENT_MAX);
    char *copy = text.len ? copy_text(text) : NULL;
    if (text.len && !copy) return err_set(err, ERR_MEMORY, 0, "no memory for a comment");
    for (char *c = copy; c && *c; c++) { /* PGN keeps a comment on one line */
        if (char_is_space(*c)) *c = ' ';
    }
    free(tree->nodes[node].comment);
    tree->nodes[node].comment = copy;
    return true;
}

bool tree_toggle_nag(MoveTree *tree, int node, int nag, Err *err)
{
    TreeNode *n = &tree->nodes[node];
    if (nag < 0 || nag > UINT8_MAX) return err_set(err, ERR_RANGE, 0, "a NAG is a number from 1 to 255, not %d", nag);
    if (nag == 0) {
        n->nag_count = 0;
        return true;
    }
    for (int i = 0; i < n->nag_count; i++) {
        if (n->nags[i] != nag) continue;
        memmove(&n->nags[i], &n->nags[i + 1], (size_t)(n->nag_count - i - 1) * sizeof *n->nags);
        n->nag_count--;
        return true;
    }
    if (n->nag_count == TREE_NAGS_MAX) return err_set(err, ERR_RANGE, 0, "a move carries at most %d NAGs", TREE_NAGS_MAX);
    n->nags[n->nag_count++] = (uint8_t)nag;
    return true;
}

/* ---- tags ---- */

static int find_tag(const MoveTree *tree, Str name)
{
    int i = 0;
    while (i < tree->tag_count && !str_equal_nocase(str_from(tree->tags[i].name), name)) i++;
    return i;
}

Str tree_tag(const MoveTree *tree, const char *name)
{
    int i = find_tag(tree, str_from(name));
    return i < tree->tag_count ? str_from(tree->tags[i].value) : STR("");
}

bool tree_set_tag(MoveTree *tree, Str name, Str value, Err *err)
{
    int  i      = find_tag(tree, name);
    bool is_new = i == tree->tag_count;
    if (value.len == 0) {
        if (is_new) return true;
        free(tree->tags[i].name);
        free(tree->tags[i].value);
        tree->tags[i] = tree->tags[--tree->tag_count];
        return true;
    }
    if (is_new && tree->tag_count == TREE_TAGS_MAX)
        return err_set(err, ERR_RANGE, 0, "a game has at most %d tags", TREE_TAGS_MAX);
    char *text = copy_text(value), *label = is_new ? copy_text(name) : NULL;
    if (!text || (is_new && !label)) {
        free(text);
        free(label);
        return err_set(err, ERR_MEMORY, 0, "no memory for a tag");
    }
    if (is_new) {
        tree->tags[tree->tag_count++] = (TreeTag){label, text};
    } else {
        free(tree->tags[i].value);
        tree->tags[i].value = text;
    }
    return true;
}

/* tree.h - a game as people keep it: tags, a main line, variations, comments, NAGs and evaluations; from PGN and back.
 *
 * Nodes have numbers that never change: a deleted node leaves its number unused, so that whoever remembers a number (a browser, a
 * listener) never means another move by it. Node 0 is the start; a child has a higher number than its parent; the first child
 * continues the line, the others are variations. Evaluations stand in PGN as "[%eval 0.34]" or "[%eval #-3]" inside the comment.
 * Threads: a MoveTree belongs to one thread at a time.
 */
#ifndef GAME_TREE_H
#define GAME_TREE_H

#include "game/pgn.h"

enum {
    TREE_NODES_MAX   = 8000, /* of one game: far beyond what people write, and its variations nest less deep than PGN allows */
    TREE_NAGS_MAX    = 6,
    TREE_COMMENT_MAX = 16384, /* bytes */
    TREE_TAGS_MAX    = 64,
    TREE_NONE        = -1,
};

/* From White's side. */
typedef struct {
    bool known;
    bool is_mate; /* then `value` counts moves, negative when Black mates */
    int  value;   /* else centipawns */
} TreeEval;

typedef struct {
    int      parent; /* TREE_NONE for the start */
    int      first_child, next_sibling;
    int      ply;  /* from the start */
    Move     move; /* that led here; MOVE_NONE for the start and for a null move */
    bool     deleted;
    uint8_t  nag_count;
    uint8_t  nags[TREE_NAGS_MAX];
    TreeEval eval;
    char    *comment; /* NULL: none */
} TreeNode;

typedef struct {
    char *name, *value;
} TreeTag;

typedef struct {
    Position  start;
    TreeNode *nodes;
    int       count, cap;
    TreeTag   tags[TREE_TAGS_MAX];
    int       tag_count;
    Result    result;
} MoveTree;

/* Begins with `start`. False only when memory is short. */
bool tree_init(MoveTree *tree, const Position *start);
void tree_release(MoveTree *tree);

/* Whether this is the number of a node that is there. */
bool tree_has(const MoveTree *tree, int node);

/* The child of `parent` by this legal move (MOVE_NONE: a null move), made when there is none. TREE_NONE with *err when the
 * tree is full or memory is short. */
int tree_add(MoveTree *tree, int parent, Move move, Err *err);

/* Takes a node (not the start) and all below it out. */
void tree_delete(MoveTree *tree, int node);

/* The variation that `node` belongs to takes its sibling's place one level up; nothing happens on the main line. */
void tree_promote(MoveTree *tree, int node);

/* Every move that leads to `node` becomes the main line. */
void tree_make_main(MoveTree *tree, int node);

int  tree_main_end(const MoveTree *tree);                            /* the last node of the main line */
bool tree_is_below(const MoveTree *tree, int node, int ancestor);    /* or is the same */
void tree_position(const MoveTree *tree, int node, Position *out);   /* the position at a node */
bool tree_game(const MoveTree *tree, int node, Game *out, Err *err); /* the moves to it; begins after the last null move */

bool tree_set_comment(MoveTree *tree, int node, Str text, Err *err); /* an empty text removes it */
bool tree_toggle_nag(MoveTree *tree, int node, int nag, Err *err);   /* 0 removes all */

/* The value of a tag; empty when there is none. Names are compared without regard to case. */
Str  tree_tag(const MoveTree *tree, const char *name);
bool tree_set_tag(MoveTree *tree, Str name, Str value, Err *err); /* an empty value removes it */

/* Appends the game as PGN. False when memory is short. */
bool tree_write_pgn(const MoveTree *tree, Buf *out);

/* What the reader found: a tree to take over (take it by copying it and clearing `*tree`), or a broken game. Returns whether to
 * go on. `number` counts games from 1. */
typedef bool TreeSink(void *context, uint64_t number, MoveTree *tree, const PgnError *error);

/* Reads every game of a text. False only when memory ran out. */
bool tree_read_pgn(Str text, TreeSink *sink, void *context, Err *err);

#endif

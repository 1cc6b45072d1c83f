/* pgn_reader.h - the state of a reader, shared by its parts: pgn_reader.c (games, recovery), pgn_tags.c (the tag section and
 * the start position), pgn_moves.c (movetext). Private to game/pgn_*.c.
 */
#ifndef GAME_PGN_READER_H
#define GAME_PGN_READER_H

#include "game/pgn_lex.h"

/* How a part of a game ended. */
typedef enum {
    PGN_GO_ON,
    PGN_STOPPED, /* a callback said so */
    PGN_BROKEN,  /* reader->error is filled; recovery decides by the token at hand */
} PgnStatus;

/* One open line of moves: the main line or a variation. */
typedef struct {
    Position positions[2]; /* [now] is where the line stands, the other one where it stood before its last move */
    unsigned now;
    bool     moved;
    size_t   line; /* where the variation was opened */
    size_t   column;
} PgnLevel;

/* A tag that decides how the moves are read: kept until the tag section ends. */
typedef struct {
    Buf    text;
    bool   present;
    size_t line;
    size_t column;
} PgnKeptTag;

typedef struct {
    PgnLexer          lexer;
    const PgnVisitor *visitor;
    PgnCounts        *counts;
    PgnToken          token;       /* the token at hand */
    bool              token_waits; /* it is still to be read: reader_next gives it once more */
    PgnLevel         *levels;
    size_t            depth; /* of the open variation; 0 is the main line */
    size_t            level_capacity;
    Position          start;  /* of a game without a FEN tag */
    Result            result; /* of the tag until the movetext says something */
    bool              over;   /* the text of the game has been read to its end, broken or not */
    PgnKeptTag        fen;
    PgnKeptTag        variant;
    Buf               first_tag;  /* the name of the game's first tag: when it comes again, the next game has begun */
    Buf               prefix;     /* comments before the first move, each ended by a zero byte */
    Buf               text;       /* a value or a comment while it is handed over */
    uint64_t          game_plies; /* main line */
    PgnError          error;
} PgnReader;

static inline PgnToken *pgn_reader_next(PgnReader *reader)
{
    if (reader->token_waits) {
        reader->token_waits = false;
    } else {
        pgn_lex_next(&reader->lexer, &reader->token);
    }
    return &reader->token;
}

static inline void pgn_reader_unread(PgnReader *reader) { reader->token_waits = true; }

/* Fills reader->error with the place and the sentence and returns PGN_BROKEN. */
PgnStatus pgn_reader_break(PgnReader *reader, size_t line, size_t column, ErrCode code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Says what is wrong about a token that nothing can be made of. */
PgnStatus pgn_reader_break_at(PgnReader *reader, const PgnToken *token);

/* Calls `comment` unless the text is empty. False: stop. */
bool pgn_reader_comment(PgnReader *reader, Str text);

/* Keeps a comment that came before the first move. */
void pgn_reader_keep_prefix(PgnReader *reader, Str text);

/* Reads the tags of a game; the token at hand afterwards is unread. */
PgnStatus pgn_read_tags(PgnReader *reader);

/* Decides the position the game starts from, puts it into levels[0], calls begin_moves and hands over kept comments. */
PgnStatus pgn_begin_moves(PgnReader *reader);

/* Reads moves to the end of the game: a result (consumed), or what begins the next game (unread), or the end of the text. */
PgnStatus pgn_read_moves(PgnReader *reader);

/* Room for the level behind the present one. False when memory is short. */
bool pgn_reserve_level(PgnReader *reader);

#endif

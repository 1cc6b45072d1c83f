/* record.h - everything about one game that was played: moves with what the players said, how and why it ended. And as PGN.
 *
 * Threads: a record belongs to one thread at a time.
 */
#ifndef ARENA_RECORD_H
#define ARENA_RECORD_H

#include <time.h>

#include "base/buf.h"
#include "eval/score.h"
#include "game/game.h"
#include "player/timecontrol.h"

/* Why a game is over. The names in the journal and in JSON are stable: add, do not rename. */
typedef enum {
    OVER_CHECKMATE,
    OVER_STALEMATE,
    OVER_MATERIAL,
    OVER_FIFTY_MOVES,
    OVER_REPETITION,
    OVER_RESIGN, /* adjudicated: a side called itself lost long enough */
    OVER_AGREED, /* adjudicated: nobody called it anything but level */
    OVER_LENGTH, /* adjudicated: the move limit */
    OVER_TABLES, /* adjudicated: tablebases */
    OVER_TIME,   /* from here on the loser is at fault */
    OVER_CRASH,
    OVER_STALL,
    OVER_ILLEGAL,
    OVER_UNUSABLE, /* could not be started */
    OVERS,
    OVER_FIRST_FAULT = OVER_TIME,
} GameOver;

typedef struct {
    bool     has_score;
    Score    score; /* from the side that moved */
    int      depth;
    uint64_t nodes;
    int64_t  elapsed_ns;
} MoveRecord;

typedef struct {
    uint64_t    id;
    int         engines[COLORS]; /* numbers of White and Black */
    Game        game;
    size_t      book_plies; /* moves that the opening gave */
    MoveRecord *moves;      /* one for each ply of `game`, the opening's too */
    size_t      move_cap;
    Result      result;
    GameOver    over;
    char        text[ERR_TEXT_SIZE]; /* what was seen, for faults; else empty */
    time_t      date;
    int64_t     duration_ns;
} GameRecord;

bool record_init(GameRecord *record); /* false when memory is short */
void record_release(GameRecord *record);
bool record_note_move(GameRecord *record, const MoveRecord *move); /* for the last ply of `game`; false when memory is short */

/* "checkmate", "time"...; and back. */
const char *game_over_name(GameOver over);
bool        game_over_from_name(Str name, GameOver *out);

/* One sentence: "White mates", "Black loses on time (0.512 s for a move, 0.500 s left)". */
void record_describe(const GameRecord *record, Buf *out);

/* What the tags of a game say beyond the game itself. */
typedef struct {
    const char        *event;
    const char        *names[COLORS];
    const TimeControl *limits[COLORS];
} RecordTags;

/* Appends the game as PGN: tags with Termination, every move with {score/depth time}, the reason of the end as last comment. */
bool record_write_pgn(const GameRecord *record, const RecordTags *tags, Buf *out);

#endif

/* journal.h - what has been played, on disk, so that a tournament survives anything: one line a game, each with its checksum.
 *
 * Order of writing: the game's PGN first, then its line here, which names the length of the PGN file after it. A kill between
 * the two leaves a game in the PGN that the journal does not know; opening the journal again cuts the PGN back to the last
 * length on record, and the game is played again. A line that was cut short at the end of the journal is dropped; one
 * that is damaged anywhere else is an error. The file is locked while it is open: two runs cannot share it.
 * Threads: the arena holds its lock around every call.
 */
#ifndef ARENA_JOURNAL_H
#define ARENA_JOURNAL_H

#include "arena/record.h"
#include "base/buf.h"

typedef struct {
    uint64_t id;
    Result   result;
    GameOver over;
    uint64_t plies;
    uint64_t pgn_end; /* length of the PGN file with this game */
} JournalGame;

typedef struct {
    int  fd;     /* -1: closed */
    int  pgn_fd; /* -1: no PGN is written */
    bool sync;   /* force every game to the disk: survives a power cut, not only a kill */
    Buf  line;
} Journal;

/* Called for every game on record; false ends the reading with an error. */
typedef bool JournalGameFn(void *context, const JournalGame *game);

typedef struct {
    const char *state_path; /* NULL: no journal, and nothing can be resumed */
    const char *pgn_path;   /* NULL: no PGN */
    const char *setup;      /* one line that describes the tournament; a resumed one must have the same */
    bool        resume;     /* go on with what the file holds; without it an unfinished tournament is not overwritten */
    bool        sync;
} JournalConfig;

/* Opens both files and tells about the games on record. On failure nothing stays open. */
bool journal_open(Journal *journal, const JournalConfig *config, JournalGameFn *fn, void *context, Err *err);

/* Adds a game; `pgn` is its text. False with *err when the disk is full or gone: the tournament must end. */
bool journal_add(Journal *journal, const JournalGame *game, Str pgn, Err *err);

/* Notes that all games were played, so that the next run may begin anew. */
bool journal_finish(Journal *journal, Err *err);

void journal_close(Journal *journal);

#endif

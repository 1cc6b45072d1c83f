/* pgn_job.h - what the pgn commands share: the files of the command line, read one after the other, with progress, error
 * lines, counts, and a clean stop on Ctrl-C.
 *
 * SIGINT and SIGTERM stay blocked; they are looked for between games and let in only while waiting for input. So there
 * is no handler with state, and a game is never cut in two.
 */
#ifndef APP_PGN_JOB_H
#define APP_PGN_JOB_H

#include <signal.h>
#include <stdio.h>

#include "base/progress.h"
#include "game/pgn.h"

typedef struct {
    const char **paths; /* "-" is standard input */
    int          path_count;
    FILE        *error_stream; /* where broken games are reported; NULL: nowhere */
    const char  *path;         /* the file being read */
    int          descriptor;
    PgnCounts    counts; /* of that file */
    PgnCounts    total;  /* of the files before it; of all, at the end */
    uint64_t     size;   /* bytes of all files; 0: not known */
    int          bad_files;
    bool         first_bytes; /* nothing has been read from the file yet */
    bool         stopped;     /* by a signal */
    Progress     progress;
    sigset_t     open_mask; /* the signals as they were */
} PgnJob;

/* `quiet`: neither progress nor error lines. */
void pgn_job_init(PgnJob *job, const char **paths, int path_count, bool quiet, FILE *error_stream);

/* Reads all files. A file that cannot be read is reported and counted; the others are read all the same. */
void pgn_job_run(PgnJob *job, const PgnVisitor *visitor);

/* For the visitor's begin_game: shows progress; false when a signal asks to stop. */
bool pgn_job_begin_game(PgnJob *job);

/* For the visitor's error: prints file:line:column: game N: sentence. */
void pgn_job_report(PgnJob *job, const PgnError *error);

/* EXIT_DONE when every file was read to its end and no game was broken. */
int pgn_job_exit_code(const PgnJob *job);

/* The subcommands; argv[0] is "pgn check" and so on. */
int cmd_pgn_check(int argc, char **argv);
int cmd_pgn_stats(int argc, char **argv);
int cmd_pgn_dedup(int argc, char **argv);
int cmd_pgn_split(int argc, char **argv);
int cmd_pgn_eco(int argc, char **argv);

#endif

/* cli.h - the command line: one table of commands, one small reader of options that also writes the help text.
 *
 * A command is a function of its own file (cmd_*.c). Its options are a table; the table parses, checks and explains.
 * Exit codes: 0 done, 1 the work failed, 2 bad usage.
 */
#ifndef APP_CLI_H
#define APP_CLI_H

#include <stdio.h>

#include "base/err.h"
#include "base/str.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef enum { OPTION_FLAG, OPTION_INT, OPTION_U64, OPTION_DOUBLE, OPTION_TEXT, OPTION_TEXTS } OptionKind;

enum { OPTION_TEXTS_MAX = 256 };

/* For an option that may be given several times. */
typedef struct {
    int         count;
    const char *items[OPTION_TEXTS_MAX];
} TextList;

typedef struct {
    const char *name; /* without the dashes: "threads"; NULL ends the table */
    OptionKind  kind;
    const char *value_name; /* "N", "FILE"; NULL for a flag */
    const char *help;
    void       *target;    /* bool*, int*, uint64_t*, double*, const char**, TextList* */
    int64_t     low, high; /* for OPTION_INT and OPTION_U64 */
} Option;

typedef struct {
    const char   *usage;   /* "tabia perft DEPTH [options]" */
    const char   *summary; /* one sentence */
    const char   *example; /* a line that works */
    const Option *options;
    int           positional_min, positional_max; /* how many words without dashes */
} CommandSpec;

/* Reads argv[1..]; words without dashes go to `positionals` (room for `positional_max`). "--name value", "--name=value", "--" and
 * "-" (a word) are understood. Returns -1 to go on, or the exit code: help was printed, or usage was bad and said so. */
int cli_parse(const CommandSpec *spec, int argc, char **argv, const char **positionals, int *positional_count);

/* The same for a command that takes files, one or more and as many as there are: `*files` is a list for the caller to free, or
 * NULL when an exit code is returned. The spec says nothing of positionals. */
int cli_parse_files(const CommandSpec *spec, int argc, char **argv, const char ***files, int *count);

/* Prints "tabia: <sentence>" on standard error and returns EXIT_FAILED (or EXIT_USAGE). */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_usage(const CommandSpec *spec, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For long work that leaves whole results: Ctrl-C and SIGTERM are held back from now on and asked for between its units. */
void cli_hold_interrupts(void);
bool cli_interrupted(void);

/* A subcommand: argv[0] is its name. */
typedef int CommandFn(int argc, char **argv);

typedef struct {
    const char *name; /* NULL ends the table */
    CommandFn  *run;
    const char *summary;
} Command;

/* A command that only chooses among its own: `tabia book build ...`. */
typedef struct {
    const char    *name;  /* "book" */
    const char    *usage; /* "tabia book COMMAND [arguments]" */
    const char    *example;
    const Command *commands;
} CommandGroup;

/* Runs the command that argv[1] names, prints the help, or says what is wrong. Returns the exit code. */
int cli_choose(const CommandGroup *group, int argc, char **argv);

bool cli_asks_for_help(const char *word);             /* --help, -h, help */
void cli_list(const Command *commands, FILE *stream); /* a line each */

CommandFn cmd_analyse, cmd_bench, cmd_book, cmd_data, cmd_eval, cmd_lab, cmd_lichess, cmd_match, cmd_perft, cmd_pgn, cmd_play,
    cmd_train, cmd_uci, cmd_web;

#endif

/* process.h - a child process that speaks in lines over two pipes.
 *
 * Every wait has a deadline (clock_now_ns) and can be woken from another thread through a descriptor, so nothing a child does
 * or fails to do can hold its owner. A child is the leader of its own process group: Ctrl-C in the terminal does not reach
 * it, and ending it ends its helpers too. Only children started here are ever signalled, and each is waited for: no zombies.
 * Descriptors are close-on-exec, so no child holds another's pipe open. Writing to a dead child raises no SIGPIPE.
 * Threads: a Process belongs to one thread at a time.
 */
#ifndef PLAYER_PROCESS_H
#define PLAYER_PROCESS_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

/* A line longer than this is no line of any protocol: it is thrown away, up to its end. */
enum { PROCESS_LINE_MAX = 1 << 20 };

typedef enum {
    PROCESS_DONE,   /* written, or a line was read */
    PROCESS_LATE,   /* the deadline passed */
    PROCESS_CLOSED, /* the child closed its end: it is dead or on its way */
    PROCESS_WOKEN,  /* somebody made wake_fd readable */
} ProcessStatus;

typedef struct {
    pid_t   pid; /* 0: not running */
    int     to_fd, from_fd;
    int     wake_fd; /* polled in every wait; -1: none; not owned */
    Buf     in;
    size_t  start;    /* of what has not been handed out yet in `in` */
    size_t  searched; /* no line end before this */
    bool    skipping; /* inside a line that was too long */
    bool    ended;    /* end of file was seen */
    int64_t read_ns;  /* when the bytes of the last line came in */
} Process;

/* Starts argv[0] (looked for in PATH, then in /usr/games, where Debian puts engines). What it writes to standard error goes to
 * the file `log` (appended) or nowhere when NULL. `dir` (NULL: here) is its working directory. */
bool process_start(Process *process, char *const argv[], const char *dir, const char *log, int wake_fd, Err *err);

static inline bool process_is_running(const Process *process) { return process->pid != 0; }

/* Writes all of `text`; blocks while the child does not read, up to the deadline. */
ProcessStatus process_write(Process *process, Str text, int64_t deadline_ns);

/* The next line, without its end; the view lives until the next call. The last line needs no line end. */
ProcessStatus process_read_line(Process *process, Str *line, int64_t deadline_ns);

/* Throws away whatever the child has said so far and nobody has read; never blocks. */
void process_drain(Process *process);

/* Closes the child's input, waits until it closes its output or the deadline passes, then kills what is left of its group.
 * `how` (zero-terminated, may be NULL) tells how it ended: "exit status 1", "signal 11 (segmentation fault)", "" when it was
 * alive and had to be killed. */
enum { PROCESS_HOW_SIZE = 64 };
void process_end(Process *process, int64_t deadline_ns, char how[PROCESS_HOW_SIZE]);

#endif

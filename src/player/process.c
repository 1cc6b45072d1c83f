/* process.c - see process.h. */
#define _GNU_SOURCE /* pipe2, posix_spawn_file_actions_addchdir_np */
#include "player/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

extern char **environ;

enum { READ_CHUNK = 16384 };

static void close_fd(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static bool set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

/* What the child gets: its two pipes, a place for its complaints, its own group, and signals as nobody had touched them. */
static int spawn_prepared(pid_t *pid, char *const argv[], const char *dir, const char *log, int in_fd, int out_fd)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          attributes;
    sigset_t                   none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    code = posix_spawnattr_init(&attributes);
    if (code) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    if (!code) code = posix_spawn_file_actions_adddup2(&actions, in_fd, STDIN_FILENO);
    if (!code) code = posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
    int how = log ? O_WRONLY | O_CREAT | O_APPEND : O_WRONLY;
    if (!code) code = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log ? log : "/dev/null", how, 0666);
    if (!code && dir) code = posix_spawn_file_actions_addchdir_np(&actions, dir);
    if (!code) code = posix_spawnattr_setpgroup(&attributes, 0);
    if (!code) code = posix_spawnattr_setsigmask(&attributes, &none);
    if (!code) code = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!code)
        code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!code) code = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
    if (code == ENOENT && !strchr(argv[0], '/')) {
        char path[512];
        int  len = snprintf(path, sizeof path, "/usr/games/%s", argv[0]);
        if (len > 0 && (size_t)len < sizeof path) code = posix_spawn(pid, path, &actions, &attributes, argv, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return code;
}

bool process_start(Process *process, char *const argv[], const char *dir, const char *log, int wake_fd, Err *err)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    int code = 0;
    *process = (Process){.to_fd = -1, .from_fd = -1, .wake_fd = wake_fd};
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0 || !set_nonblocking(to[1]) || !set_nonblocking(from[0]))
        code = errno;
    if (!code) code = spawn_prepared(&process->pid, argv, dir, log, to[0], from[1]);
    close_fd(&to[0]);
    close_fd(&from[1]);
    if (code) {
        close_fd(&to[1]);
        close_fd(&from[0]);
        process->pid = 0;
        errno        = code;
        return err_set_errno(err, code == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot start '%s'", argv[0]);
    }
    process->to_fd   = to[1];
    process->from_fd = from[0];
    return true;
}

/* Waits until `fd` is ready. DONE also when it has hung up: the following read or write will tell. */
static ProcessStatus wait_ready(const Process *process, int fd, short events, int64_t deadline_ns)
{
    for (;;) {
        struct pollfd fds[2]  = {{.fd = fd, .events = events}, {.fd = process->wake_fd, .events = POLLIN}};
        int           timeout = -1;
        if (deadline_ns != INT64_MAX) {
            int64_t left_ms = (deadline_ns - clock_now_ns() + 999999) / 1000000; /* up: poll must not wake before the deadline */
            timeout         = left_ms < 0 ? 0 : left_ms > 1000000000 ? 1000000000 : (int)left_ms;
        }
        int ready = poll(fds, 2, timeout);
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0) return PROCESS_CLOSED;
        if (fds[0].revents) return PROCESS_DONE; /* before the wake-up: an answer that is there counts */
        if (fds[1].revents) return PROCESS_WOKEN;
        if (deadline_ns != INT64_MAX && clock_now_ns() >= deadline_ns) return PROCESS_LATE;
    }
}

/* write() that leaves no SIGPIPE behind, whatever the program does with that signal elsewhere. */
static ssize_t write_quietly(int fd, Str text)
{
    sigset_t pipe_set, before, pending;
    sigemptyset(&pipe_set);
    sigaddset(&pipe_set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_set, &before);
    sigpending(&pending);
    bool    was_pending = sigismember(&pending, SIGPIPE) == 1;
    ssize_t wrote       = write(fd, text.ptr, text.len);
    int     saved       = errno;
    if (wrote < 0 && saved == EPIPE && !was_pending) {
        struct timespec now = {0, 0};
        while (sigtimedwait(&pipe_set, NULL, &now) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return wrote;
}

ProcessStatus process_write(Process *process, Str text, int64_t deadline_ns)
{
    while (text.len > 0) {
        ssize_t wrote = write_quietly(process->to_fd, text);
        if (wrote >= 0) {
            text = str_skip(text, (size_t)wrote);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            ProcessStatus status = wait_ready(process, process->to_fd, POLLOUT, deadline_ns);
            if (status != PROCESS_DONE) return status;
        } else if (errno != EINTR) {
            return PROCESS_CLOSED;
        }
    }
    return PROCESS_DONE;
}

/* Takes a complete line out of the buffer, if there is one. */
static bool take_line(Process *process, Str *line)
{
    Buf *in = &process->in;
    for (;;) {
        if (process->searched >= in->len) return false;
        const char *end = memchr(in->data + process->searched, '\n', in->len - process->searched);
        if (!end) {
            process->searched = in->len;
            return false;
        }
        size_t stop       = (size_t)(end - in->data);
        *line             = (Str){in->data + process->start, stop - process->start};
        process->start    = stop + 1;
        process->searched = stop + 1;
        if (line->len && line->ptr[line->len - 1] == '\r') line->len--;
        if (!process->skipping) return true;
        process->skipping = false; /* this was the rest of the line that was too long */
    }
}

static void make_room(Process *process)
{
    Buf *in = &process->in;
    buf_consume(in, process->start);
    process->searched -= process->start;
    process->start = 0;
    if (in->len > PROCESS_LINE_MAX) {
        buf_reset(in);
        process->searched = 0;
        process->skipping = true;
    }
}

/* Reads what is there. DONE when something came; LATE when there is nothing now. */
static ProcessStatus read_some(Process *process)
{
    Buf *in = &process->in;
    make_room(process);
    if (!buf_reserve(in, READ_CHUNK)) return PROCESS_CLOSED;
    ssize_t got;
    do {
        got = read(process->from_fd, in->data + in->len, READ_CHUNK);
    } while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return PROCESS_LATE;
    if (got <= 0) {
        process->ended = true;
        return PROCESS_CLOSED;
    }
    process->read_ns = clock_now_ns();
    in->len += (size_t)got;
    in->data[in->len] = '\0';
    return PROCESS_DONE;
}

ProcessStatus process_read_line(Process *process, Str *line, int64_t deadline_ns)
{
    for (;;) {
        if (take_line(process, line)) return PROCESS_DONE;
        if (process->ended) {
            if (process->start >= process->in.len || process->skipping) return PROCESS_CLOSED;
            *line             = (Str){process->in.data + process->start, process->in.len - process->start};
            process->start    = process->in.len;
            process->searched = process->in.len;
            return PROCESS_DONE;
        }
        if (process->read_ns > deadline_ns) return PROCESS_LATE; /* a flood without line ends must not outlast the deadline */
        ProcessStatus status = read_some(process);
        if (status == PROCESS_LATE) status = wait_ready(process, process->from_fd, POLLIN, deadline_ns);
        if (status == PROCESS_LATE || status == PROCESS_WOKEN) return status;
    }
}

void process_drain(Process *process)
{
    if (!process_is_running(process)) return;
    Str line;
    while (take_line(process, &line)) {}
    while (!process->ended && read_some(process) == PROCESS_DONE) {
        while (take_line(process, &line)) {}
    }
}

static const char *signal_name(int number)
{
    switch (number) {
    case SIGSEGV: return "segmentation fault";
    case SIGABRT: return "abort";
    case SIGILL: return "illegal instruction";
    case SIGFPE: return "arithmetic error";
    case SIGBUS: return "bus error";
    case SIGKILL: return "killed";
    case SIGTERM: return "terminated";
    case SIGPIPE: return "broken pipe";
    default: return "see kill -l";
    }
}

/* `forced`: it was alive when we gave up on it, so a SIGKILL was ours. */
static void describe_end(int status, bool forced, char how[PROCESS_HOW_SIZE])
{
    if (WIFEXITED(status)) {
        snprintf(how, PROCESS_HOW_SIZE, "exit status %d", WEXITSTATUS(status));
    } else if (WIFSIGNALED(status) && !(forced && WTERMSIG(status) == SIGKILL)) {
        snprintf(how, PROCESS_HOW_SIZE, "signal %d, %s", WTERMSIG(status), signal_name(WTERMSIG(status)));
    } else {
        how[0] = '\0';
    }
}

void process_end(Process *process, int64_t deadline_ns, char how[PROCESS_HOW_SIZE])
{
    if (how) how[0] = '\0';
    if (!process_is_running(process)) return;
    close_fd(&process->to_fd);
    process->wake_fd = -1; /* ending is never interrupted: it has its deadline */
    Str line;
    while (!process->ended && process_read_line(process, &line, deadline_ns) == PROCESS_DONE && clock_now_ns() < deadline_ns) {}
    siginfo_t info   = {0};
    int       status = 0;
    waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    bool forced = info.si_pid == 0;
    /* The group is killed even when its leader is gone, for it may have left helpers; and before the leader is reaped, so
     * that its id cannot have passed to a stranger. A process that is exiting already keeps the status it exits with. */
    kill(-process->pid, SIGKILL);
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) {}
    if (how) describe_end(status, forced, how);
    close_fd(&process->from_fd);
    buf_release(&process->in);
    process->pid = 0;
}

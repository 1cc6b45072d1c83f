/* console.c - see console.h. */
#include "term/console.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { READ_SIZE = 4096, NS_PER_MS = 1000000 };

bool console_init(Console *console, int input, int output, Err *err)
{
    sigset_t taken;
    *console = (Console){.input = input, .output = output};
    sigemptyset(&taken);
    sigaddset(&taken, SIGINT);
    sigaddset(&taken, SIGTERM);
    sigaddset(&taken, SIGHUP);
    console->signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    if (console->signals < 0) return err_set_errno(err, ERR_IO, "cannot watch for Ctrl-C");
    sigaddset(&taken, SIGPIPE); /* a reader that went away is an error of write */
    pthread_sigmask(SIG_BLOCK, &taken, &console->before);
    return true;
}

void console_release(Console *console)
{
    sigset_t        broken;
    struct timespec now = {0};
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    while (sigtimedwait(&broken, NULL, &now) == SIGPIPE) { /* one that waits would end the process as soon as it is let in */
    }
    close(console->signals);
    buf_release(&console->lines);
    pthread_sigmask(SIG_SETMASK, &console->before, NULL);
}

/* Takes a waiting line off the buffer; at the end of the input also one without its end. */
static bool take_line(Console *c, Str *line)
{
    Str         rest = str_skip(buf_str(&c->lines), c->start);
    const char *end  = rest.len ? memchr(rest.ptr, '\n', rest.len) : NULL;
    if (!end && (!c->ended || !rest.len)) return false;
    line->ptr = rest.ptr;
    line->len = end ? (size_t)(end - rest.ptr) : rest.len;
    c->start += line->len + (end != NULL);
    if (line->len && line->ptr[line->len - 1] == '\r') line->len--;
    return true;
}

static void read_more(Console *c)
{
    buf_consume(&c->lines, c->start);
    c->start = 0;
    if (!buf_reserve(&c->lines, READ_SIZE)) {
        c->ended = true;
        return;
    }
    ssize_t got = read(c->input, c->lines.data + c->lines.len, READ_SIZE);
    if (got > 0) {
        c->lines.len += (size_t)got;
        c->lines.data[c->lines.len] = '\0';
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        c->ended = true;
    }
}

/* Which signal waits: Ctrl-C, or one that asks to leave. */
static TermEvent take_signal(Console *c)
{
    struct signalfd_siginfo info;
    TermEvent               event = TERM_READY;
    while (read(c->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGINT && !c->leave) {
            event = TERM_INTERRUPT;
        } else {
            c->leave = true;
            event    = TERM_END;
        }
    }
    return event;
}

static int timeout_ms(int64_t deadline_ns)
{
    if (deadline_ns == INT64_MAX) return -1;
    int64_t left = (deadline_ns - clock_now_ns() + NS_PER_MS - 1) / NS_PER_MS;
    return left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
}

static TermEvent console_read_line(void *context, int64_t deadline_ns, Str *line)
{
    Console *c = context;
    for (;;) {
        if (c->leave) return TERM_END;
        if (take_line(c, line)) return TERM_LINE;
        if (c->ended) return TERM_END;
        struct pollfd fds[] = {{.fd = c->signals, .events = POLLIN}, {.fd = c->input, .events = POLLIN}};
        if (poll(fds, 2, timeout_ms(deadline_ns)) < 0 && errno != EINTR) return TERM_END;
        if (fds[0].revents) {
            TermEvent event = take_signal(c);
            if (event != TERM_READY) return event;
        }
        if (fds[1].revents) read_more(c);
        if (!fds[1].revents && deadline_ns != INT64_MAX && clock_now_ns() >= deadline_ns) return TERM_TIMEOUT;
    }
}

static TermEvent console_wait_for(void *context, int fd)
{
    Console *c = context;
    for (;;) {
        if (c->leave) return TERM_END;
        struct pollfd fds[] = {{.fd = c->signals, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR) return TERM_END;
        if (fds[0].revents) {
            TermEvent event = take_signal(c);
            if (event != TERM_READY) return event;
        }
        if (fds[1].revents) return TERM_READY;
    }
}

static void console_write(void *context, Str text)
{
    Console *c = context;
    while (text.len && !c->gone) {
        ssize_t put = write(c->output, text.ptr, text.len);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) { /* nobody reads any more: the session ends and saves the game */
            c->gone = c->leave = true;
            return;
        }
        text = str_skip(text, (size_t)put);
    }
}

TermIo console_io(Console *console)
{
    return (TermIo){.context   = console,
                    .read_line = console_read_line,
                    .wait_for  = console_wait_for,
                    .write     = console_write,
                    .echo      = isatty(console->input) != 1};
}

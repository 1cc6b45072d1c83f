/* pgn_job.c - see pgn_job.h. */
#include "app/pgn_job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cli.h"

enum { PROGRESS_GAMES = 64, MEGABYTE = 1000000 }; /* the clock and the signals are looked at once in that many games */

/* Only there so that the signal wakes a waiting pselect instead of ending the process. */
static void wake_up(int signal_number) { (void)signal_number; }

static void catch_signals(PgnJob *job)
{
    static const int caught[] = {SIGINT, SIGTERM};
    sigset_t         set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        struct sigaction action = {.sa_handler = wake_up};
        sigaction(caught[i], &action, NULL);
        sigaddset(&set, caught[i]);
    }
    sigprocmask(SIG_BLOCK, &set, &job->open_mask);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) sigdelset(&job->open_mask, caught[i]);
}

/* The size of all files, 0 as soon as one of them has none (a pipe). */
static uint64_t total_size(const char **paths, int count)
{
    uint64_t size = 0;
    for (int i = 0; i < count; i++) {
        struct stat info;
        if (stat(paths[i], &info) != 0 || !S_ISREG(info.st_mode)) return 0;
        size += (uint64_t)info.st_size;
    }
    return size;
}

void pgn_job_init(PgnJob *job, const char **paths, int path_count, bool quiet, FILE *error_stream)
{
    *job      = (PgnJob){.paths = paths, .path_count = path_count, .error_stream = quiet ? NULL : error_stream};
    job->size = total_size(paths, path_count);
    catch_signals(job);
    progress_start(&job->progress, quiet ? NULL : stderr, job->size ? "MB" : "games", job->size / MEGABYTE);
}

bool pgn_job_begin_game(PgnJob *job)
{
    if (job->counts.games % PROGRESS_GAMES != 0) return true;
    uint64_t bytes = job->total.bytes + job->counts.bytes;
    progress_update(&job->progress, job->size ? bytes / MEGABYTE : job->total.games + job->counts.games);
    if (cli_interrupted()) job->stopped = true;
    return !job->stopped;
}

void pgn_job_report(PgnJob *job, const PgnError *error)
{
    if (!job->error_stream) return;
    progress_end(&job->progress); /* clears its line; the next update draws it again */
    fprintf(job->error_stream, "%s:%zu:%zu: game %" PRIu64 ": %s\n", job->path, error->line, error->column, job->counts.games,
            error->err.text);
}

/* ---- input ---- */

/* Text in other clothes is named, so that nobody has to wonder about thousands of broken games. */
static bool check_first_bytes(const PgnJob *job, const char *bytes, size_t len, Err *err)
{
    static const struct {
        const char *magic;
        size_t      len;
        const char *what, *tool;
    } packed[] = {{"\x28\xb5\x2f\xfd", 4, "Zstandard", "zstd -dc"},
                  {"\x1f\x8b", 2, "gzip", "gzip -dc"},
                  {"BZh", 3, "bzip2", "bzip2 -dc"},
                  {"\xfd\x37zXZ", 5, "xz", "xz -dc"},
                  {"PK\x03\x04", 4, "zip", "unzip -p"},
                  {"\xff\xfe", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8"},
                  {"\xfe\xff", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8"}};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        if (len < packed[i].len || memcmp(bytes, packed[i].magic, packed[i].len) != 0) continue;
        const char *name = strcmp(job->path, "<stdin>") == 0 ? "FILE" : job->path;
        return err_set(err, ERR_FORMAT, 0, "this is %s data, not text; read it with: %s %s | tabia pgn ... -", packed[i].what,
                       packed[i].tool, name);
    }
    return true;
}

/* Waits for input with the signals let in. False when one of them came. */
static bool wait_for_input(const PgnJob *job)
{
    if (job->descriptor >= FD_SETSIZE) return true;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(job->descriptor, &set);
    return pselect(job->descriptor + 1, &set, NULL, NULL, NULL, &job->open_mask) >= 0 || errno != EINTR;
}

static ptrdiff_t read_input(void *context, char *out, size_t size, Err *err)
{
    PgnJob *job = context;
    for (;;) {
        if (!wait_for_input(job)) {
            job->stopped = true;
            err_set(err, ERR_IO, 0, "stopped");
            return -1;
        }
        ssize_t got = read(job->descriptor, out, size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) err_set_errno(err, ERR_IO, "reading failed");
        if (got > 0 && job->first_bytes && !check_first_bytes(job, out, (size_t)got, err)) return -1;
        job->first_bytes = false;
        return got;
    }
}

static void add_counts(PgnCounts *total, const PgnCounts *counts)
{
    total->games += counts->games;
    total->plies += counts->plies;
    total->errors += counts->errors;
    total->bytes += counts->bytes;
}

static void read_path(PgnJob *job, const char *path, const PgnVisitor *visitor)
{
    bool standard    = strcmp(path, "-") == 0;
    job->path        = standard ? "<stdin>" : path;
    job->descriptor  = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    job->first_bytes = true;
    job->counts      = (PgnCounts){0};
    if (job->descriptor < 0) {
        job->bad_files++;
        cli_fail("cannot open %s: %s", path, strerror(errno));
        return;
    }
    Err err = {0};
    if (!pgn_read(&(PgnSource){job, read_input}, visitor, &job->counts, &err) && !job->stopped) {
        job->bad_files++;
        progress_end(&job->progress);
        cli_fail("%s: %s", job->path, err.text);
    }
    if (!standard) close(job->descriptor);
    add_counts(&job->total, &job->counts);
}

void pgn_job_run(PgnJob *job, const PgnVisitor *visitor)
{
    for (int i = 0; i < job->path_count && !job->stopped; i++) read_path(job, job->paths[i], visitor);
    progress_end(&job->progress);
    if (job->stopped) cli_fail("stopped after %" PRIu64 " games", job->total.games);
}

int pgn_job_exit_code(const PgnJob *job)
{
    return job->stopped || job->bad_files > 0 || job->total.errors > 0 ? EXIT_FAILED : EXIT_DONE;
}

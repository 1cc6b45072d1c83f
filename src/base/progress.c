/* progress.c - see progress.h. */
#include "base/progress.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/clock.h"

enum { BAR_WIDTH = 24 };
static const int64_t TERMINAL_PAUSE_NS = 100000000;
static const int64_t PLAIN_PAUSE_NS    = 10000000000;

void progress_start(Progress *progress, FILE *stream, const char *what, uint64_t total)
{
    int64_t now = clock_now_ns();
    *progress   = (Progress){.stream = stream, .what = what, .total = total, .start_ns = now, .drawn_ns = now};
    if (stream) progress->terminal = isatty(fileno(stream)) == 1;
}

static void draw_bar(const Progress *progress, uint64_t done)
{
    double share = progress->total ? (double)done / (double)progress->total : 0;
    int    full  = (int)((share > 1 ? 1 : share) * BAR_WIDTH);
    fputs("\r\033[K[", progress->stream);
    for (int i = 0; i < BAR_WIDTH; i++) fputc(i < full ? '#' : '.', progress->stream);
    fprintf(progress->stream, "] %3.0f%% ", share * 100);
}

void progress_update(Progress *progress, uint64_t done)
{
    if (!progress->stream) return;
    int64_t now = clock_now_ns();
    if (now - progress->drawn_ns < (progress->terminal ? TERMINAL_PAUSE_NS : PLAIN_PAUSE_NS)) return;
    progress->drawn_ns = now;
    progress->drawn    = true;
    double seconds     = (double)(now - progress->start_ns) * 1e-9;
    double rate        = seconds > 0 ? (double)done / seconds : 0;
    if (progress->terminal && progress->total) {
        draw_bar(progress, done);
    } else if (progress->terminal) {
        fputs("\r\033[K", progress->stream);
    }
    fprintf(progress->stream, "%" PRIu64 " %s, %.0f a second", done, progress->what, rate);
    if (progress->total && rate > 0 && done < progress->total) {
        fprintf(progress->stream, ", %.0f s left", (double)(progress->total - done) / rate);
    }
    if (!progress->terminal) fputc('\n', progress->stream);
    fflush(progress->stream);
}

void progress_end(Progress *progress)
{
    if (progress->stream && progress->terminal && progress->drawn) {
        fputs("\r\033[K", progress->stream);
        fflush(progress->stream);
    }
}

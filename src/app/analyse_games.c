/* analyse_games.c - games of a file, reviewed on several threads and written in their order. See analyse.h.
 *
 * Every thread has a reviewer of its own. A finished game is written as soon as those before it are, so that whatever ends the
 * program leaves whole games; Ctrl-C ends the running searches, and what is known of their games is written too.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/analyse.h"
#include "app/cli.h"
#include "app/interrupt.h"
#include "app/pgn_output.h"
#include "base/lines.h"
#include "base/progress.h"
#include "base/work.h"
#include "review/annotate.h"

typedef struct {
    uint64_t number;
    MoveTree tree;
    Game     game;
    Review   review;
    bool     done; /* reviewed, whole or in part */
} Job;

typedef struct {
    const AnalyseConfig *config;
    Job                 *jobs;
    size_t               count, cap, next; /* `next`: the first that is not written */
    uint64_t             broken;
    Reviewer           **reviewers;
    Names               *names;
    pthread_mutex_t      lock; /* guards what follows */
    Progress             progress;
    uint64_t             positions;
    FILE                *table; /* NULL: none */
    PgnOutput            pgn;
    AnalysedTotals       totals;
    size_t               written;
    atomic_bool          stop;
    bool                 failed; /* the reason is in `err` */
    Err                  err;
} Games;

/* ---- reading ---- */

static bool take_game(void *context, uint64_t number, MoveTree *tree, const PgnError *error)
{
    Games *g = context;
    if (error) {
        g->broken++;
        fprintf(stderr, "%s:%zu:%zu: game %llu: %s\n", g->config->path, error->line, error->column, (unsigned long long)number,
                error->err.text);
        return true;
    }
    if (g->count == g->cap) {
        size_t cap  = g->cap ? g->cap * 2 : 16;
        Job   *jobs = realloc(g->jobs, cap * sizeof *jobs);
        g->failed   = !jobs && !err_set(&g->err, ERR_MEMORY, 0, "no memory for so many games");
        if (!jobs) return false;
        g->jobs = jobs;
        g->cap  = cap;
    }
    g->jobs[g->count] = (Job){.number = number, .tree = *tree};
    *tree             = (MoveTree){0};
    Job *job          = &g->jobs[g->count++];
    g->failed         = !tree_game(&job->tree, tree_main_end(&job->tree), &job->game, &g->err);
    return !g->failed;
}

static bool read_text(const char *path, Buf *out, Err *err)
{
    enum { CHUNK = 1 << 16 };
    LineReader file;
    ssize_t    got = 1;
    if (!lines_open(&file, path, err)) return false;
    while (got > 0 && buf_reserve(out, CHUNK)) {
        got = read(file.fd, out->data + out->len, CHUNK);
        if (got > 0) out->len += (size_t)got;
        if (got < 0 && errno == EINTR) got = 1;
    }
    bool ok = got == 0;
    if (!ok) err_set_errno(err, ERR_IO, "cannot read %s", path);
    lines_release(&file);
    return ok;
}

static bool read_games(Games *g)
{
    Buf  text = {0};
    bool ok   = read_text(g->config->path, &text, &g->err) && tree_read_pgn(buf_str(&text), take_game, g, &g->err) && !g->failed;
    buf_release(&text);
    return ok;
}

/* ---- writing, under the lock ---- */

static bool fail(Games *g, const Err *err)
{
    if (!g->failed) g->err = *err;
    g->failed = true;
    atomic_store(&g->stop, true);
    return false;
}

static bool write_game(Games *g, Job *job)
{
    Err          err;
    Buf          out   = {0};
    AnalysedGame shown = {job->number, &job->tree, &job->game, &job->review, g->names};
    bool         ok    = review_annotate(&job->review, &job->game, &job->tree, &err);
    progress_end(&g->progress);
    if (ok && g->pgn.file)
        ok = (tree_write_pgn(&job->tree, &out) || err_set(&err, ERR_MEMORY, 0, "no memory")) &&
             pgn_output_drain(&g->pgn, &out, &err) && fflush(g->pgn.file) == 0;
    buf_reset(&out);
    if (ok && g->config->json) {
        analyse_show_json(&shown, &out);
    } else if (ok) {
        analyse_show_game(&shown, &out);
    }
    if (ok && g->table) fwrite(buf_str(&out).ptr, 1, out.len, g->table), fflush(g->table);
    if (ok) ok = analyse_totals_add(&g->totals, &shown) || err_set(&err, ERR_MEMORY, 0, "no memory for the table");
    buf_release(&out);
    g->written += ok;
    return ok || fail(g, &err);
}

/* Writes the games that are done, up to the first that is not (`all`: every one that is done). */
static void write_done(Games *g, bool all)
{
    for (; g->next < g->count && (all || g->jobs[g->next].done) && !g->failed; g->next++) {
        Job *job = &g->jobs[g->next];
        if (job->done) write_game(g, job);
        review_release(&job->review);
        game_release(&job->game);
        tree_release(&job->tree);
    }
}

/* ---- reviewing ---- */

static bool on_position(void *context, size_t done, size_t total)
{
    (void)done, (void)total;
    Games *g = context;
    pthread_mutex_lock(&g->lock);
    progress_update(&g->progress, ++g->positions);
    pthread_mutex_unlock(&g->lock);
    return !atomic_load(&g->stop);
}

static bool has_known(const Review *review)
{
    for (size_t i = 0; i <= review->plies; i++) {
        if (review->positions[i].known) return true;
    }
    return false;
}

static void review_unit(void *context, size_t unit, int thread)
{
    Games               *g        = context;
    Job                 *job      = &g->jobs[unit];
    const ReviewListener listener = {g, on_position};
    Err                  err;
    if (atomic_load(&g->stop)) return;
    bool ok = reviewer_run(g->reviewers[thread], &job->game, &g->config->limits, &listener, &job->review, &err);
    pthread_mutex_lock(&g->lock);
    if (!ok) {
        fail(g, &err);
    } else {
        job->done = has_known(&job->review);
        write_done(g, false);
    }
    pthread_mutex_unlock(&g->lock);
}

static void stop_all(void *context)
{
    Games *g = context;
    atomic_store(&g->stop, true);
    for (int i = 0; i < g->config->jobs; i++) reviewer_stop(g->reviewers[i]);
}

static bool prepare(Games *g)
{
    cli_hold_interrupts(); /* before the engines start their threads, which are to leave the signals alone */
    g->names     = names_new(&g->err);
    g->reviewers = calloc((size_t)g->config->jobs, sizeof(void *));
    if (!g->names || !g->reviewers) return g->names ? err_set(&g->err, ERR_MEMORY, 0, "no memory") : false;
    for (int i = 0; i < g->config->jobs; i++) {
        g->reviewers[i] = reviewer_new(&g->err);
        if (!g->reviewers[i] || !analyse_set_engine(g->config, reviewer_engine(g->reviewers[i]), &g->err)) return false;
    }
    return true;
}

static bool open_output(Games *g)
{
    const AnalyseConfig *c = g->config;
    g->table               = stdout;
    if (c->out) return pgn_output_open(&g->pgn, c->out, c->force, &g->err);
    if (c->json) return true;
    g->table = stderr; /* the games themselves go to standard output */
    return pgn_output_open(&g->pgn, "-", false, &g->err);
}

static void run(Games *g)
{
    Interrupt interrupt;
    uint64_t  total = 0;
    for (size_t i = 0; i < g->count; i++) total += g->jobs[i].game.plies + 1;
    progress_start(&g->progress, stderr, "positions", total);
    interrupt_begin(&interrupt, stop_all, g);
    work_run(g->count, g->config->jobs, review_unit, g);
    interrupt_end(&interrupt);
    progress_end(&g->progress);
    write_done(g, true);
    bool stopped = atomic_load(&interrupt.came);
    Buf  out     = {0};
    if (!g->config->json && !g->failed) analyse_totals_show(&g->totals, &out);
    if (g->table) fwrite(buf_str(&out).ptr, 1, out.len, g->table);
    buf_release(&out);
    if (stopped && !g->failed) {
        g->failed = true;
        err_set(&g->err, ERR_NONE, 0, "stopped; %zu of %zu games were looked at and written", g->written, g->count);
    }
}

static void release(Games *g)
{
    for (int i = 0; g->reviewers && i < g->config->jobs; i++) reviewer_free(g->reviewers[i]);
    free(g->reviewers);
    for (size_t i = 0; i < g->count; i++) {
        review_release(&g->jobs[i].review);
        game_release(&g->jobs[i].game);
        tree_release(&g->jobs[i].tree);
    }
    free(g->jobs);
    names_free(g->names);
    analyse_totals_release(&g->totals);
    pthread_mutex_destroy(&g->lock);
}

int analyse_games(const AnalyseConfig *config)
{
    Games g = {.config = config};
    Err   closing;
    pthread_mutex_init(&g.lock, NULL);
    bool ok = read_games(&g) && prepare(&g);
    if (ok && g.count == 0) ok = err_set(&g.err, ERR_NOT_FOUND, 0, "there is no game in %s", config->path);
    ok = ok && open_output(&g);
    if (ok) run(&g);
    if (!pgn_output_close(&g.pgn, &closing) && ok && !g.failed) fail(&g, &closing);
    int code = !ok || g.failed ? cli_fail("%s", g.err.text) : g.broken ? EXIT_FAILED : EXIT_DONE;
    release(&g);
    return code;
}

/* cmd_book_build.c - `tabia book build` and `tabia book merge`: the commands that write books. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "app/book_view.h"
#include "app/cli.h"
#include "app/pgn_job.h"
#include "base/clock.h"
#include "book/build.h"
#include "game/pgn_tee.h"

/* The job shows progress, reports broken games and sees Ctrl-C; the builder counts. */
static bool job_begin_game(void *context) { return pgn_job_begin_game(context); }

static bool job_error(void *context, const PgnError *error)
{
    pgn_job_report(context, error);
    return true;
}

static void run_job(PgnJob *job, BookBuilder *builder, const char **paths, int count, bool quiet)
{
    PgnTee     tee     = {.first  = {.context = job, .begin_game = job_begin_game, .error = job_error},
                          .second = book_builder_visitor(builder)};
    PgnVisitor visitor = pgn_tee_visitor(&tee);
    visitor.max_plies  = tee.second.max_plies;
    pgn_job_init(job, paths, count, quiet, stderr);
    pgn_job_run(job, &visitor);
}

static void print_report(const char *path, const BookReport *report, double seconds, bool as_json)
{
    if (!as_json) {
        if (report->games)
            printf("%" PRIu64 " games, %" PRIu64 " left out, %" PRIu64 " moves counted in %.2f s\n", report->games,
                   report->left_out, report->moves, seconds);
        printf("%s: %" PRIu64 " positions, %" PRIu64 " moves, %" PRIu64 " bytes\n", path, report->positions, report->entries,
               report->entries * BOOK_ENTRY_SIZE);
        return;
    }
    Buf        out = {0};
    JsonWriter json;
    json_init(&json, &out);
    json_begin_object(&json, NULL);
    json_str(&json, "book", str_from(path));
    json_u64(&json, "games", report->games);
    json_u64(&json, "left_out", report->left_out);
    json_u64(&json, "moves_counted", report->moves);
    json_u64(&json, "runs", report->runs);
    json_u64(&json, "positions", report->positions);
    json_u64(&json, "entries", report->entries);
    json_u64(&json, "bytes", report->entries * BOOK_ENTRY_SIZE);
    json_double(&json, "seconds", seconds, 3);
    json_end_object(&json);
    puts(buf_str(&out).ptr);
    buf_release(&out);
}

static bool may_write(const char *path, bool force)
{
    struct stat info;
    return force || stat(path, &info) != 0;
}

/* Reads the games and writes the book; a stop or a file that cannot be read leaves no book, because it would not be the one
 * that was asked for. */
static int build(const BookPlan *plan, const char **paths, int count, bool quiet, bool as_json)
{
    Err          err;
    BookReport   report;
    PgnJob       job;
    int64_t      start   = clock_now_ns();
    BookBuilder *builder = book_builder_new(plan, &err);
    if (!builder) return cli_fail("%s", err.text);
    run_job(&job, builder, paths, count, quiet);
    int code = EXIT_FAILED;
    if (job.stopped || job.bad_files > 0) {
        cli_fail("'%s' is not written", plan->path);
    } else if (!book_builder_finish(builder, &report, &err)) {
        cli_fail("%s", err.text);
    } else {
        print_report(plan->path, &report, clock_seconds_since(start), as_json);
        code = EXIT_DONE;
    }
    book_builder_free(builder);
    return code;
}

/* --pgn may be given several times, and files may follow it as words. */
static int gather_paths(const TextList *given, const char **paths, int count)
{
    for (int i = 0; i < given->count; i++) paths[count++] = given->items[i];
    return count;
}

int cmd_book_build(int argc, char **argv)
{
    BookPlan     plan      = {.max_ply = 30, .min_games = 3, .memory_mb = BOOK_MEMORY_MB};
    uint64_t     memory_mb = BOOK_MEMORY_MB;
    bool         as_json = false, quiet = false, force = false;
    TextList     pgn       = {0};
    const Option options[] = {
        {"pgn", OPTION_TEXTS, "FILE", "read games from FILE (\"-\": standard input); more files may follow", &pgn, 0, 0},
        {"out", OPTION_TEXT, "FILE", "write the book to FILE", &plan.path, 0, 0},
        {"min-games", OPTION_INT, "N", "keep moves with at least N games (default 3)", &plan.min_games, 1, 1000000000},
        {"max-ply", OPTION_INT, "N", "count the first N half-moves of a game (default 30)", &plan.max_ply, 1, BOOK_PLY_MAX},
        {"min-elo", OPTION_INT, "N", "only games in which both players have N or more", &plan.min_elo, 0, 9999},
        {"min-score", OPTION_INT, "PERCENT", "keep moves that scored at least so much", &plan.min_score, 0, 100},
        {"memory", OPTION_U64, "MB", "memory for counting (default 128); the rest goes to disk", &memory_mb, 1, 1 << 20},
        {"force", OPTION_FLAG, NULL, "replace the book if there is one", &force, 0, 0},
        {"quiet", OPTION_FLAG, NULL, "no progress, no broken games", &quiet, 0, 0},
        {"json", OPTION_FLAG, NULL, "print one JSON object", &as_json, 0, 0},
        {0}};
    const CommandSpec spec  = {.usage = "tabia book build --pgn FILE... --out BOOK [options]",
                               .summary =
                                   "Counts the moves of the first plies of every game and writes those that were played often "
                                    "enough as a\nPolyglot book. The same games give the same bytes.",
                               .example        = "tabia book build --pgn games.pgn --min-games 5 --out book.bin",
                               .options        = options,
                               .positional_min = 0,
                               .positional_max = argc};
    const char      **paths = calloc((size_t)argc + OPTION_TEXTS_MAX, sizeof *paths);
    int               count = 0;
    if (!paths) return cli_fail("no memory");
    int code = cli_parse(&spec, argc, argv, paths, &count);
    if (code < 0) {
        count          = gather_paths(&pgn, paths, count);
        plan.memory_mb = (size_t)memory_mb;
        if (count == 0 || !plan.path) {
            code = cli_usage(&spec, "%s", count == 0 ? "there is no file of games" : "--out is missing");
        } else if (!may_write(plan.path, force)) {
            code = cli_fail("'%s' exists; --force replaces it", plan.path);
        } else {
            code = build(&plan, paths, count, quiet, as_json);
        }
    }
    free(paths);
    return code;
}

/* ---- merge ---- */

static int merge(const char **paths, int count, bool first_wins, const char *out, bool as_json)
{
    Err        err;
    BookReport report;
    int64_t    start  = clock_now_ns();
    Book     **books  = calloc((size_t)count, sizeof(Book *));
    int        opened = 0;
    if (!books) return cli_fail("no memory");
    while (opened < count && (books[opened] = book_open(paths[opened], &err)) != NULL) opened++;
    bool ok = opened == count && book_merge((const Book *const *)books, (size_t)count, first_wins, out, &report, &err);
    for (int i = 0; i < opened; i++) book_free(books[i]);
    free(books);
    if (!ok) return cli_fail("%s", err.text);
    print_report(out, &report, clock_seconds_since(start), as_json);
    return EXIT_DONE;
}

int cmd_book_merge(int argc, char **argv)
{
    const char  *out     = NULL;
    bool         as_json = false, force = false, first_wins = false;
    const Option options[] = {
        {"out", OPTION_TEXT, "FILE", "write the book to FILE", &out, 0, 0},
        {"first-wins", OPTION_FLAG, NULL, "take a position whole from the first book that has it", &first_wins, 0, 0},
        {"force", OPTION_FLAG, NULL, "replace the book if there is one", &force, 0, 0},
        {"json", OPTION_FLAG, NULL, "print one JSON object", &as_json, 0, 0},
        {0}};
    const CommandSpec spec = {.usage   = "tabia book merge BOOK... --out BOOK [options]",
                              .summary = "Adds the weights and games of several books, or lays one over the other.",
                              .example = "tabia book merge mine.bin big.bin --first-wins --out both.bin",
                              .options = options};
    const char      **paths;
    int               count, code = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code < 0) {
        if (!out) {
            code = cli_usage(&spec, "--out is missing");
        } else if (!may_write(out, force)) {
            code = cli_fail("'%s' exists; --force replaces it", out);
        } else {
            code = merge(paths, count, first_wins, out, as_json);
        }
    }
    free(paths);
    return code;
}

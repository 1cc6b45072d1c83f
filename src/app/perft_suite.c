/* perft_suite.c - see perft_suite.h. */
#include "app/perft_suite.h"

#include <inttypes.h>
#include <stdio.h>

#include "app/cli.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/progress.h"
#include "chess/fen.h"
#include "chess/perft.h"
#include "game/epd.h"

typedef enum { POSITION_PASSED, POSITION_FAILED, POSITION_SKIPPED } Verdict;

typedef struct {
    const SuiteOptions *options;
    size_t              line_number;
    uint64_t            passed, failed, skipped;
    uint64_t            counts, left_out, nodes;
    Progress            progress;
    /* The position whose counts are being read, in the block form. */
    bool     has_position;
    bool     refused;
    Position position;
    Verdict  verdict;
    uint64_t checked; /* counts of this position */
} Suite;

static void complain(const Suite *suite, const char *text)
{
    fprintf(stderr, "%s:%zu: %s\n", suite->options->path, suite->line_number, text);
}

/* Checks one count of the current position. */
static void check_count(Suite *suite, int depth, uint64_t expected)
{
    const SuiteOptions *o = suite->options;
    bool                large =
        o->max_nodes && expected > o->max_nodes && suite->checked > 0; /* the first count of a position is always checked */
    if (depth > o->depth || large) {
        suite->left_out++;
        return;
    }
    PerftOptions options = {.depth = depth, .threads = o->threads, .hash_mb = o->hash_mb};
    uint64_t     nodes;
    Err          err;
    char         text[FEN_SIZE + 128], fen[FEN_SIZE];
    suite->checked++;
    suite->counts++;
    if (!perft_run(&suite->position, &options, &nodes, NULL, NULL, &err)) {
        suite->verdict = POSITION_FAILED;
        complain(suite, err.text);
        return;
    }
    suite->nodes += nodes;
    if (nodes == expected) return;
    suite->verdict = POSITION_FAILED;
    position_to_fen(&suite->position, fen);
    snprintf(text, sizeof text, "depth %d: %" PRIu64 " nodes, expected %" PRIu64 ": %s", depth, nodes, expected, fen);
    complain(suite, text);
}

static void begin_position(Suite *suite, const Position *pos)
{
    suite->has_position = true;
    suite->refused      = false;
    suite->position     = *pos;
    suite->verdict      = POSITION_PASSED;
    suite->checked      = 0;
}

static void end_position(Suite *suite)
{
    if (!suite->has_position) return;
    suite->has_position = false;
    if (suite->verdict == POSITION_FAILED) {
        suite->failed++;
    } else if (suite->checked == 0) {
        suite->skipped++; /* every count was beyond the limits */
    } else {
        suite->passed++;
    }
    progress_update(&suite->progress, suite->passed + suite->failed + suite->skipped);
}

/* A position that no game can reach is refused with its fault; anything that is not a position at all fails the suite. */
static void refuse_position(Suite *suite, const Err *err)
{
    complain(suite, err->text);
    suite->refused = true;
    *(err->code == ERR_POSITION ? &suite->skipped : &suite->failed) += 1;
}

/* "D5" or "perft5" (or "perft 5", where the depth is a word of its own): the depth, or -1. */
static int depth_of(Str name)
{
    int depth;
    if (str_starts_with(name, STR("D")) && str_to_int(str_skip(name, 1), 1, PERFT_DEPTH_MAX, &depth)) return depth;
    if (str_starts_with(name, STR("perft")) && str_to_int(str_skip(name, 5), 1, PERFT_DEPTH_MAX, &depth)) return depth;
    return -1;
}

static void check_epd_line(Suite *suite, Str line)
{
    Epd epd;
    Err err;
    if (!epd_parse(line, &epd, &err)) {
        refuse_position(suite, &err);
        return;
    }
    begin_position(suite, &epd.position);
    for (int i = 0; i < epd.count; i++) {
        uint64_t expected;
        int      depth = depth_of(epd.operations[i].name);
        if (depth < 0) continue;
        if (str_to_u64(str_trim(epd.operations[i].value), &expected)) {
            check_count(suite, depth, expected);
        } else {
            complain(suite, "a count is not a number");
            suite->verdict = POSITION_FAILED;
        }
    }
    end_position(suite);
}

/* One line of the block form: "epd FEN" begins a position, "perft DEPTH COUNT" belongs to it. */
static void check_block_line(Suite *suite, Str keyword, Str rest)
{
    if (str_equal(keyword, STR("epd"))) {
        Position pos;
        Err      err;
        end_position(suite);
        if (position_from_fen(rest, &pos, NULL, &err)) {
            begin_position(suite, &pos);
        } else {
            refuse_position(suite, &err);
        }
        return;
    }
    if (!str_equal(keyword, STR("perft")) || suite->refused) return;
    Str      depth_text = str_next_token(&rest), count_text = str_next_token(&rest);
    int      depth;
    uint64_t expected;
    if (suite->has_position && str_to_int(depth_text, 1, PERFT_DEPTH_MAX, &depth) && str_to_u64(count_text, &expected)) {
        check_count(suite, depth, expected);
    } else {
        complain(suite, "a perft line needs a position before it, a depth and a count");
        suite->failed++;
    }
}

static void check_line(Suite *suite, Str line)
{
    while (line.len && line.ptr[line.len - 1] == '\0') line.len--; /* an old suite ends its lines so */
    Str text = str_trim(line), rest = text;
    if (text.len == 0 || text.ptr[0] == '#') return;
    Str  keyword = str_next_token(&rest);
    bool block   = str_equal(keyword, STR("epd")) || str_equal(keyword, STR("perft")) || str_equal(keyword, STR("id"));
    if (block) {
        check_block_line(suite, keyword, str_trim(rest));
    } else {
        check_epd_line(suite, text);
    }
}

static void report(const Suite *suite)
{
    if (suite->options->json) {
        Buf        out = {0};
        JsonWriter w;
        json_init(&w, &out);
        json_begin_object(&w, NULL);
        json_str(&w, "suite", str_from(suite->options->path));
        json_u64(&w, "passed", suite->passed);
        json_u64(&w, "failed", suite->failed);
        json_u64(&w, "skipped", suite->skipped);
        json_u64(&w, "counts", suite->counts);
        json_u64(&w, "left_out", suite->left_out);
        json_u64(&w, "nodes", suite->nodes);
        json_end_object(&w);
        printf("%.*s\n", STR_ARGS(buf_str(&out)));
        buf_release(&out);
        return;
    }
    printf("%" PRIu64 " counts checked, %" PRIu64 " nodes", suite->counts, suite->nodes);
    if (suite->left_out) printf("; %" PRIu64 " larger counts left out (--max-nodes, DEPTH)", suite->left_out);
    printf("\n%" PRIu64 " passed, %" PRIu64 " failed", suite->passed, suite->failed);
    if (suite->skipped) printf(", %" PRIu64 " skipped", suite->skipped);
    printf("\n");
}

int perft_suite_run(const SuiteOptions *options)
{
    Suite      suite = {.options = options};
    LineReader lines;
    Str        line;
    Err        err;
    if (!lines_open(&lines, options->path, &err)) return cli_fail("%s", err.text);
    progress_start(&suite.progress, stderr, "positions", 0);
    LineStatus status;
    while ((status = lines_next(&lines, &line, &err)) == LINE_READ) {
        suite.line_number++;
        check_line(&suite, line);
    }
    end_position(&suite);
    progress_end(&suite.progress);
    lines_release(&lines);
    if (status == LINE_FAILED) return cli_fail("'%s': %s", options->path, err.text);
    report(&suite);
    return suite.failed || suite.passed + suite.skipped == 0 ? EXIT_FAILED : EXIT_DONE;
}

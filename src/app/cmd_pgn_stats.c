/* cmd_pgn_stats.c - `tabia pgn stats`: what a collection of games consists of, as text or as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/cli.h"
#include "app/pgn_job.h"
#include "base/json.h"
#include "game/pgn_stats.h"
#include "game/pgn_tee.h"

enum { TOP_MAX = 1000 };

typedef struct {
    const char     *key;   /* in JSON */
    const char     *title; /* in text */
    const PgnNames *names;
} List;

enum { LISTS = 5 };

static void get_lists(const PgnStats *stats, List lists[LISTS])
{
    lists[0] = (List){"players", "Players", &stats->players};
    lists[1] = (List){"events", "Events", &stats->events};
    lists[2] = (List){"openings", "Openings (ECO)", &stats->openings};
    lists[3] = (List){"first_moves", "First moves", &stats->first_moves};
    lists[4] = (List){"years", "Years", &stats->years};
}

static bool begin_game(void *context) { return pgn_job_begin_game(context); }

static bool report_error(void *context, const PgnError *error)
{
    pgn_job_report(context, error);
    return true;
}

static double share(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : 0; }

static double score(const PgnNameCount *entry)
{
    return share(2 * entry->wins + entry->draws, 2 * (entry->wins + entry->draws + entry->losses));
}

/* ---- text ---- */

static void print_list(const List *list, size_t top)
{
    size_t *best = calloc(top, sizeof *best);
    if (!best || list->names->count == 0) {
        free(best);
        return;
    }
    size_t count = pgn_names_top(list->names, best, top);
    printf("\n%s: %zu\n", list->title, list->names->count);
    for (size_t i = 0; i < count; i++) {
        const PgnNameCount *entry = &list->names->entries[best[i]];
        Str                 name  = pgn_name(list->names, entry);
        printf("  %8" PRIu64 "  %-40.*s  +%" PRIu64 " =%" PRIu64 " -%" PRIu64 "  %5.1f%%\n", entry->games, STR_ARGS(name),
               entry->wins, entry->draws, entry->losses, 100 * score(entry));
    }
    free(best);
}

static void print_elo(const PgnStats *stats)
{
    if (!stats->elo_count) return;
    printf("\nRatings: %" PRIu64 " given, average %.0f\n", stats->elo_count, share(stats->elo_sum, stats->elo_count));
    for (int i = 0; i < PGN_ELO_BUCKETS; i++) {
        if (stats->elo[i]) printf("  %4d-%-4d %8" PRIu64 "\n", i * PGN_ELO_STEP, (i + 1) * PGN_ELO_STEP - 1, stats->elo[i]);
    }
}

static void print_text(const PgnStats *stats, size_t top)
{
    uint64_t good = stats->games - stats->broken;
    printf("%" PRIu64 " games, %" PRIu64 " of them broken and not counted below\n", stats->games, stats->broken);
    printf("Results: ");
    static const Result order[PGN_RESULTS] = {RESULT_WHITE_WINS, RESULT_DRAW, RESULT_BLACK_WINS, RESULT_UNKNOWN};
    for (int i = 0; i < PGN_RESULTS; i++) {
        uint64_t count = stats->results[order[i]];
        printf("%s%s %" PRIu64 " (%.1f%%)", i ? ", " : "", result_text(order[i]), count, 100 * share(count, good));
    }
    printf("\nLength: %.1f plies on average, %" PRIu64 " to %" PRIu64 "; %" PRIu64 " plies in all\n", share(stats->plies, good),
           stats->shortest, stats->longest, stats->plies);
    printf("Games from a set-up position: %" PRIu64 "; comments: %" PRIu64 "; variations: %" PRIu64 "\n", stats->set_up,
           stats->comments, stats->variations);
    print_elo(stats);
    List lists[LISTS];
    get_lists(stats, lists);
    for (int i = 0; i < LISTS; i++) print_list(&lists[i], top);
}

/* ---- JSON ---- */

static void write_list(JsonWriter *json, const List *list, size_t top)
{
    size_t *best  = calloc(top, sizeof *best);
    size_t  count = best ? pgn_names_top(list->names, best, top) : 0;
    json_begin_object(json, list->key);
    json_u64(json, "count", list->names->count);
    json_begin_array(json, "top");
    for (size_t i = 0; i < count; i++) {
        const PgnNameCount *entry = &list->names->entries[best[i]];
        json_begin_object(json, NULL);
        json_str(json, "name", pgn_name(list->names, entry));
        json_u64(json, "games", entry->games);
        json_u64(json, "wins", entry->wins);
        json_u64(json, "draws", entry->draws);
        json_u64(json, "losses", entry->losses);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
    free(best);
}

static void write_elo(JsonWriter *json, const PgnStats *stats)
{
    json_begin_object(json, "elo");
    json_u64(json, "count", stats->elo_count);
    json_double(json, "average", share(stats->elo_sum, stats->elo_count), 1);
    json_begin_array(json, "histogram");
    for (int i = 0; i < PGN_ELO_BUCKETS; i++) {
        if (!stats->elo[i]) continue;
        json_begin_object(json, NULL);
        json_i64(json, "from", i * PGN_ELO_STEP);
        json_u64(json, "count", stats->elo[i]);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static void print_json(const PgnStats *stats, size_t top)
{
    Buf        out = {0};
    JsonWriter json;
    json_init(&json, &out);
    json_begin_object(&json, NULL);
    json_u64(&json, "games", stats->games);
    json_u64(&json, "errors", stats->broken);
    json_u64(&json, "plies", stats->plies);
    json_u64(&json, "white_wins", stats->results[RESULT_WHITE_WINS]);
    json_u64(&json, "black_wins", stats->results[RESULT_BLACK_WINS]);
    json_u64(&json, "draws", stats->results[RESULT_DRAW]);
    json_u64(&json, "unknown", stats->results[RESULT_UNKNOWN]);
    json_double(&json, "average_plies", share(stats->plies, stats->games - stats->broken), 2);
    json_u64(&json, "shortest_plies", stats->shortest);
    json_u64(&json, "longest_plies", stats->longest);
    json_u64(&json, "set_up", stats->set_up);
    json_u64(&json, "comments", stats->comments);
    json_u64(&json, "variations", stats->variations);
    write_elo(&json, stats);
    List lists[LISTS];
    get_lists(stats, lists);
    for (int i = 0; i < LISTS; i++) write_list(&json, &lists[i], top);
    json_end_object(&json);
    puts(buf_str(&out).ptr);
    buf_release(&out);
}

static int run_stats(const char **paths, int count, bool quiet, bool as_json, size_t top)
{
    PgnStats stats;
    PgnJob   job;
    pgn_stats_init(&stats);
    pgn_job_init(&job, paths, count, quiet, stderr);
    PgnVisitor watcher = {.context = &job, .begin_game = begin_game, .error = report_error};
    PgnTee     tee     = {watcher, pgn_stats_visitor(&stats)};
    PgnVisitor visitor = pgn_tee_visitor(&tee);
    pgn_job_run(&job, &visitor);
    if (as_json) {
        print_json(&stats, top);
    } else {
        print_text(&stats, top);
    }
    int code = stats.failed ? cli_fail("memory ran out: the lists are incomplete") : pgn_job_exit_code(&job);
    pgn_stats_release(&stats);
    return code;
}

int cmd_pgn_stats(int argc, char **argv)
{
    bool              as_json = false, quiet = false;
    int               top       = 10;
    const Option      options[] = {{"json", OPTION_FLAG, NULL, "print one JSON object", &as_json, 0, 0},
                                   {"top", OPTION_INT, "N", "length of the lists of names (default 10)", &top, 1, TOP_MAX},
                                   {"quiet", OPTION_FLAG, NULL, "no progress, no lines about broken games", &quiet, 0, 0},
                                   {0}};
    const CommandSpec spec      = {.usage = "tabia pgn stats FILE... [options]",
                                   .summary =
                                       "Counts results, lengths and ratings, and the most frequent players, events and openings.",
                                   .example = "tabia pgn stats games.pgn --top 20",
                                   .options = options};
    const char      **paths;
    int               count, code = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code < 0) code = run_stats(paths, count, quiet, as_json, (size_t)top);
    free(paths);
    return code;
}

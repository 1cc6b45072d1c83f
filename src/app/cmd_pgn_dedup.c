/* cmd_pgn_dedup.c - `tabia pgn dedup`: writes each game once; the first of several equal ones stays. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli.h"
#include "app/pgn_job.h"
#include "app/pgn_output.h"
#include "base/json.h"
#include "game/pgn_seen.h"
#include "game/pgn_tee.h"

enum { DRAIN_SIZE = 1 << 20 };

typedef struct {
    PgnJob      job;
    PgnKeyMaker maker;
    PgnSeen     seen;
    PgnOutput   output;
    Buf         games; /* written, not yet in the file */
    size_t      game_start;
    bool        broken;
    uint64_t    kept, duplicates;
    bool        failed;
    Err         err;
} Dedup;

static bool dedup_begin_game(void *context)
{
    Dedup *dedup      = context;
    dedup->game_start = dedup->games.len;
    dedup->broken     = false;
    pgn_key_begin(&dedup->maker);
    return pgn_job_begin_game(&dedup->job);
}

static bool dedup_tag(void *context, Str name, Str value)
{
    Dedup *dedup = context;
    pgn_key_tag(&dedup->maker, name, value);
    return true;
}

static bool dedup_begin_moves(void *context, const Position *start)
{
    Dedup *dedup = context;
    pgn_key_start(&dedup->maker, start);
    return true;
}

static bool dedup_move(void *context, const Position *before, Move move)
{
    (void)before;
    Dedup *dedup = context;
    pgn_key_move(&dedup->maker, move);
    return true;
}

static bool dedup_begin_variation(void *context)
{
    Dedup *dedup = context;
    dedup->maker.depth++;
    return true;
}

static bool dedup_end_variation(void *context)
{
    Dedup *dedup = context;
    dedup->maker.depth--;
    return true;
}

static bool dedup_error(void *context, const PgnError *error)
{
    Dedup *dedup  = context;
    dedup->broken = true;
    pgn_job_report(&dedup->job, error);
    return true;
}

/* The writer has written the game already: a duplicate is taken back. */
static bool dedup_end_game(void *context, Result result)
{
    (void)result;
    Dedup *dedup = context;
    if (dedup->broken) return true;
    bool fresh = false;
    if (dedup->games.failed || !pgn_seen_add(&dedup->seen, pgn_key_end(&dedup->maker), &fresh)) {
        err_set(&dedup->err, ERR_MEMORY, 0, "memory ran out after %" PRIu64 " games", dedup->kept);
        dedup->failed = true;
        return false;
    }
    if (fresh) {
        dedup->kept++;
    } else {
        dedup->duplicates++;
        dedup->games.len = dedup->game_start;
    }
    if (dedup->games.len >= DRAIN_SIZE) dedup->failed = !pgn_output_drain(&dedup->output, &dedup->games, &dedup->err);
    dedup->game_start = dedup->games.len;
    return !dedup->failed;
}

static PgnVisitor dedup_visitor(Dedup *dedup)
{
    return (PgnVisitor){.context         = dedup,
                        .begin_game      = dedup_begin_game,
                        .tag             = dedup_tag,
                        .begin_moves     = dedup_begin_moves,
                        .move            = dedup_move,
                        .begin_variation = dedup_begin_variation,
                        .end_variation   = dedup_end_variation,
                        .end_game        = dedup_end_game,
                        .error           = dedup_error};
}

static void print_summary(const Dedup *dedup, bool as_json)
{
    FILE *stream = dedup->output.standard ? stderr : stdout;
    if (!as_json) {
        fprintf(stream, "%" PRIu64 " games: %" PRIu64 " kept, %" PRIu64 " duplicates dropped, %" PRIu64 " broken left out\n",
                dedup->job.total.games, dedup->kept, dedup->duplicates, dedup->job.total.errors);
        return;
    }
    Buf        out = {0};
    JsonWriter json;
    json_init(&json, &out);
    json_begin_object(&json, NULL);
    json_u64(&json, "games", dedup->job.total.games);
    json_u64(&json, "kept", dedup->kept);
    json_u64(&json, "duplicates", dedup->duplicates);
    json_u64(&json, "errors", dedup->job.total.errors);
    json_bool(&json, "stopped", dedup->job.stopped);
    json_end_object(&json);
    fprintf(stream, "%s\n", buf_str(&out).ptr);
    buf_release(&out);
}

/* Reads, writes and reports; the output is open. */
static int run_dedup(Dedup *dedup, bool as_json)
{
    PgnWriter *writer = pgn_writer_new(&dedup->games);
    if (!writer) return cli_fail("no memory");
    PgnTee     tee     = {pgn_writer_visitor(writer), dedup_visitor(dedup)};
    PgnVisitor visitor = pgn_tee_visitor(&tee);
    pgn_job_run(&dedup->job, &visitor);
    pgn_writer_free(writer);
    dedup->games.len = dedup->game_start; /* without a game that was cut off by a signal or a failing disk */
    bool ok          = !dedup->failed && pgn_output_drain(&dedup->output, &dedup->games, &dedup->err);
    ok               = pgn_output_close(&dedup->output, ok ? &dedup->err : NULL) && ok;
    print_summary(dedup, as_json);
    return ok ? pgn_job_exit_code(&dedup->job) : cli_fail("%s", dedup->err.text);
}

int cmd_pgn_dedup(int argc, char **argv)
{
    bool              as_json = false, quiet = false, force = false, players = false;
    const char       *out_path  = "-";
    const Option      options[] = {{"out", OPTION_TEXT, "FILE", "where to write (default: standard output)", &out_path, 0, 0},
                                   {"force", OPTION_FLAG, NULL, "replace FILE if it exists", &force, 0, 0},
                                   {"players", OPTION_FLAG, NULL, "games of other players are not duplicates", &players, 0, 0},
                                   {"json", OPTION_FLAG, NULL, "print the counts as one JSON object", &as_json, 0, 0},
                                   {"quiet", OPTION_FLAG, NULL, "no progress, no lines about broken games", &quiet, 0, 0},
                                   {0}};
    const CommandSpec spec      = {.usage   = "tabia pgn dedup FILE... --out FILE [options]",
                                   .summary = "Writes each game once; equal are those with the same start and moves.",
                                   .example = "tabia pgn dedup old.pgn new.pgn --out all.pgn",
                                   .options = options};
    const char      **paths;
    int               count, code = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code < 0) {
        Dedup dedup = {.maker.players_count = players};
        if (pgn_output_open(&dedup.output, out_path, force, &dedup.err)) {
            pgn_job_init(&dedup.job, paths, count, quiet, stderr);
            code = run_dedup(&dedup, as_json);
        } else {
            code = cli_fail("%s", dedup.err.text);
        }
        pgn_seen_release(&dedup.seen);
        buf_release(&dedup.games);
    }
    free(paths);
    return code;
}

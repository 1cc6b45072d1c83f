/* cmd_pgn_split.c - `tabia pgn split`: one file a number of games, or one file a result, year, ECO code, event or player.
 *
 * Games of one output wait in memory until there are enough of them; the file is then opened, appended to and closed again. So
 * the number of outputs is not bound by the number of files that may be open.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli.h"
#include "app/pgn_job.h"
#include "base/json.h"
#include "game/pgn_tee.h"

enum {
    PARTS_MAX  = 100000,
    DRAIN_SIZE = 64 * 1024,
    NAME_MAX_  = 80, /* of the part's name in a file name */
};

typedef struct {
    char    *path;
    Buf      games;
    uint64_t count;
    bool     created;
} Part;

typedef struct {
    PgnJob      job;
    const char *prefix;
    const char *by; /* NULL: by number */
    uint64_t    games_a_file;
    bool        force;
    Part       *parts;
    size_t      part_count, part_capacity;
    Buf         game; /* the game being written */
    Buf         key;  /* what its part is called */
    bool        broken;
    uint64_t    written;
    bool        failed;
    Err         err;
} Split;

/* ---- parts ---- */

/* What may stand in a file name everywhere; other bytes become '_'. */
static void append_file_name(Buf *out, Str text)
{
    for (size_t i = 0; i < text.len && i < NAME_MAX_; i++) {
        char c    = text.ptr[i];
        bool safe = char_is_digit(c) || char_is_lower(char_lower(c)) || c == '-' || (c == '.' && i > 0) || (c & 0x80);
        buf_append_char(out, safe ? c : '_');
    }
}

static bool drain_part(Split *split, Part *part)
{
    if (part->games.len == 0) return true;
    FILE *file = fopen(part->path, part->created ? "ab" : split->force ? "wb" : "wbx");
    if (!file && errno == EEXIST)
        return err_set(&split->err, ERR_IO, 0, "%s exists already; choose another --prefix, or add --force to replace it",
                       part->path);
    if (!file) return err_set_errno(&split->err, ERR_IO, "cannot write %s", part->path);
    part->created = true;
    bool ok       = fwrite(part->games.data, 1, part->games.len, file) == part->games.len;
    ok            = fclose(file) == 0 && ok;
    if (!ok) err_set_errno(&split->err, ERR_IO, "cannot write %s", part->path);
    buf_release(&part->games);
    return ok;
}

static Part *add_part(Split *split, const char *path)
{
    if (split->part_count == PARTS_MAX) {
        err_set(&split->err, ERR_RANGE, 0, "this would make more than %d files", PARTS_MAX);
        return NULL;
    }
    if (split->part_count == split->part_capacity) {
        size_t capacity = split->part_capacity ? split->part_capacity * 2 : 64;
        Part  *parts    = realloc(split->parts, capacity * sizeof *parts);
        if (parts) split->parts = parts;
        if (parts) split->part_capacity = capacity;
    }
    char *copy = split->part_count < split->part_capacity ? strdup(path) : NULL;
    if (!copy) {
        err_set(&split->err, ERR_MEMORY, 0, "memory ran out");
        return NULL;
    }
    Part *part = &split->parts[split->part_count++];
    *part      = (Part){.path = copy};
    if (!split->force && access(copy, F_OK) == 0) { /* said before the work, not after it */
        err_set(&split->err, ERR_IO, 0, "%s exists already; choose another --prefix, or add --force to replace it", copy);
        return NULL;
    }
    return part;
}

/* The part the game belongs to; a new one when there is none yet. NULL with split->err when that is not possible. */
static Part *find_part(Split *split, Result result)
{
    Buf path = {0};
    if (!split->by) {
        buf_printf(&path, "%s-%04" PRIu64 ".pgn", split->prefix, split->written / split->games_a_file + 1);
    } else {
        static const char *const names[]   = {"unknown", "white", "black", "draw"};
        bool                     by_result = strcmp(split->by, "result") == 0;
        buf_printf(&path, "%s-", split->prefix);
        append_file_name(&path, by_result ? str_from(names[result]) : split->key.len ? buf_str(&split->key) : STR("unknown"));
        buf_append(&path, STR(".pgn"));
    }
    Part *found = NULL;
    /* The last part first: games of one event or year mostly stand together. */
    for (size_t i = split->part_count; i-- > 0 && !found;) {
        if (str_equal(str_from(split->parts[i].path), buf_str(&path))) found = &split->parts[i];
    }
    if (!found && !path.failed) found = add_part(split, path.data);
    buf_release(&path);
    return found;
}

/* ---- the visitor ---- */

static bool split_begin_game(void *context)
{
    Split *split  = context;
    split->broken = false;
    buf_reset(&split->key);
    return pgn_job_begin_game(&split->job);
}

static bool split_tag(void *context, Str name, Str value)
{
    Split *split = context;
    if (!split->by || value.len == 0 || value.ptr[0] == '?') return true;
    bool year = strcmp(split->by, "year") == 0;
    if (!str_equal_nocase(name, year ? STR("Date") : str_from(split->by))) return true;
    buf_reset(&split->key);
    buf_append(&split->key, year && value.len > 4 ? (Str){value.ptr, 4} : value);
    return true;
}

static bool split_error(void *context, const PgnError *error)
{
    Split *split  = context;
    split->broken = true;
    pgn_job_report(&split->job, error);
    return true;
}

static bool split_end_game(void *context, Result result)
{
    Split *split = context;
    if (split->broken) return true;
    Part *part    = find_part(split, result);
    split->failed = !part;
    if (part) {
        buf_append(&part->games, buf_str(&split->game));
        part->count++;
        split->written++;
        bool full     = !split->by && split->written % split->games_a_file == 0;
        split->failed = (full || part->games.len >= DRAIN_SIZE) && !drain_part(split, part);
    }
    buf_reset(&split->game);
    return !split->failed;
}

static void print_summary(const Split *split, bool as_json)
{
    if (!as_json) {
        for (size_t i = 0; i < split->part_count; i++)
            printf("%s: %" PRIu64 " games\n", split->parts[i].path, split->parts[i].count);
        printf("%" PRIu64 " games: %" PRIu64 " written to %zu files, %" PRIu64 " broken left out\n", split->job.total.games,
               split->written, split->part_count, split->job.total.errors);
        return;
    }
    Buf        out = {0};
    JsonWriter json;
    json_init(&json, &out);
    json_begin_object(&json, NULL);
    json_u64(&json, "games", split->job.total.games);
    json_u64(&json, "written", split->written);
    json_u64(&json, "errors", split->job.total.errors);
    json_begin_array(&json, "files");
    for (size_t i = 0; i < split->part_count; i++) {
        json_begin_object(&json, NULL);
        json_str(&json, "path", str_from(split->parts[i].path));
        json_u64(&json, "games", split->parts[i].count);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    puts(buf_str(&out).ptr);
    buf_release(&out);
}

static int run_split(Split *split, bool as_json)
{
    PgnWriter *writer = pgn_writer_new(&split->game);
    if (!writer) return cli_fail("no memory");
    PgnVisitor own = {
        .context = split, .begin_game = split_begin_game, .tag = split_tag, .end_game = split_end_game, .error = split_error};
    PgnTee     tee     = {pgn_writer_visitor(writer), own};
    PgnVisitor visitor = pgn_tee_visitor(&tee);
    pgn_job_run(&split->job, &visitor);
    pgn_writer_free(writer);
    for (size_t i = 0; i < split->part_count && !split->failed; i++) split->failed = !drain_part(split, &split->parts[i]);
    if (split->failed) return cli_fail("%s", split->err.text);
    print_summary(split, as_json);
    return pgn_job_exit_code(&split->job);
}

static void split_release(Split *split)
{
    for (size_t i = 0; i < split->part_count; i++) {
        free(split->parts[i].path);
        buf_release(&split->parts[i].games);
    }
    free(split->parts);
    buf_release(&split->game);
    buf_release(&split->key);
}

static bool by_is_known(const char *by)
{
    static const char *const known[] = {"result", "year", "eco", "event", "site", "white", "black"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(by, known[i]) == 0) return true;
    }
    return false;
}

int cmd_pgn_split(int argc, char **argv)
{
    Split        split   = {.prefix = "part"};
    bool         as_json = false, quiet = false;
    const Option options[] = {
        {"games", OPTION_U64, "N", "a new file after every N games", &split.games_a_file, 1, INT64_MAX},
        {"by", OPTION_TEXT, "TAG", "a file for each result, year, eco, event, site, white or black", &split.by, 0, 0},
        {"prefix", OPTION_TEXT, "P", "files are called P-0001.pgn or P-1972.pgn (default: part)", &split.prefix, 0, 0},
        {"force", OPTION_FLAG, NULL, "replace files that exist", &split.force, 0, 0},
        {"json", OPTION_FLAG, NULL, "print the files and counts as one JSON object", &as_json, 0, 0},
        {"quiet", OPTION_FLAG, NULL, "no progress, no lines about broken games", &quiet, 0, 0},
        {0}};
    const CommandSpec spec = {.usage   = "tabia pgn split FILE... (--games N | --by TAG) [options]",
                              .summary = "Writes the games into several files. Broken games are reported and left out.",
                              .example = "tabia pgn split games.pgn --by year --prefix games",
                              .options = options};
    const char      **paths;
    int               count, code = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code < 0 && (split.games_a_file != 0) == (split.by != NULL)) code = cli_usage(&spec, "give either --games or --by");
    if (code < 0 && split.by && !by_is_known(split.by)) code = cli_usage(&spec, "--by does not know '%s'", split.by);
    if (code < 0) {
        pgn_job_init(&split.job, paths, count, quiet, stderr);
        code = run_split(&split, as_json);
    }
    split_release(&split);
    free(paths);
    return code;
}

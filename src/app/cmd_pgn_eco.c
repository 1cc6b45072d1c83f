/* cmd_pgn_eco.c - `tabia pgn eco`: the opening of every game, by its positions, whatever its tags say. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/cli.h"
#include "app/pgn_job.h"
#include "base/json.h"
#include "book/names.h"

enum { NAMED_PLIES = 64 }; /* no line of names is longer */

typedef struct {
    PgnJob      job;
    Names      *names;
    bool        as_json;
    Buf         white, black; /* of the game that is being read */
    OpeningName name;
    bool        named, broken;
    int         plies, depth;
} EcoList;

static bool on_begin_game(void *context)
{
    EcoList *list = context;
    buf_reset(&list->white);
    buf_reset(&list->black);
    list->named = list->broken = false;
    list->plies = list->depth = 0;
    return pgn_job_begin_game(&list->job);
}

static bool on_tag(void *context, Str name, Str value)
{
    EcoList *list = context;
    if (str_equal(name, STR("White"))) buf_append(&list->white, value);
    if (str_equal(name, STR("Black"))) buf_append(&list->black, value);
    return true;
}

static bool on_begin_moves(void *context, const Position *start)
{
    EcoList *list = context;
    Position usual;
    position_set_start(&usual);
    if (!position_same(start, &usual)) list->plies = NAMED_PLIES;
    return true;
}

/* The last position with a name gives the game its name. */
static bool on_move(void *context, const Position *before, Move move)
{
    EcoList *list = context;
    Position next;
    if (list->depth > 0 || list->plies >= NAMED_PLIES || move == MOVE_NONE) return true;
    list->plies++;
    position_play(before, move, &next);
    if (names_find(list->names, &next, &list->name)) list->named = true;
    return true;
}

static bool on_begin_variation(void *context)
{
    EcoList *list = context;
    list->depth++;
    return true;
}

static bool on_end_variation(void *context)
{
    EcoList *list = context;
    list->depth--;
    return true;
}

static bool on_error(void *context, const PgnError *error)
{
    EcoList *list = context;
    list->broken  = true;
    pgn_job_report(&list->job, error);
    return true;
}

static void print_json(EcoList *list, uint64_t number, Result result)
{
    Buf        out = {0};
    JsonWriter json;
    json_init(&json, &out);
    json_begin_object(&json, NULL);
    json_u64(&json, "game", number);
    json_str(&json, "white", buf_str(&list->white));
    json_str(&json, "black", buf_str(&list->black));
    json_str(&json, "result", str_from(result_text(result)));
    if (list->named) {
        json_str(&json, "eco", list->name.code);
        json_str(&json, "name", list->name.name);
    }
    json_end_object(&json);
    puts(buf_str(&out).ptr);
    buf_release(&out);
}

static bool on_end_game(void *context, Result result)
{
    EcoList *list   = context;
    uint64_t number = list->job.total.games + list->job.counts.games;
    if (list->broken) return true;
    if (list->as_json) {
        print_json(list, number, result);
    } else {
        Str code = list->named ? list->name.code : STR("-"), name = list->named ? list->name.name : STR("-");
        printf("%" PRIu64 "\t%.*s\t%.*s\t%.*s\t%.*s\t%s\n", number, STR_ARGS(code), STR_ARGS(name),
               STR_ARGS(buf_str(&list->white)), STR_ARGS(buf_str(&list->black)), result_text(result));
    }
    return !ferror(stdout);
}

static int list_openings(const char **paths, int count, bool as_json)
{
    Err     err;
    EcoList list = {.as_json = as_json, .names = names_new(&err)};
    if (!list.names) return cli_fail("%s", err.text);
    pgn_job_init(&list.job, paths, count, false, stderr);
    pgn_job_run(&list.job, &(PgnVisitor){.context         = &list,
                                         .begin_game      = on_begin_game,
                                         .tag             = on_tag,
                                         .begin_moves     = on_begin_moves,
                                         .move            = on_move,
                                         .begin_variation = on_begin_variation,
                                         .end_variation   = on_end_variation,
                                         .end_game        = on_end_game,
                                         .error           = on_error});
    names_free(list.names);
    buf_release(&list.white);
    buf_release(&list.black);
    return pgn_job_exit_code(&list.job);
}

int cmd_pgn_eco(int argc, char **argv)
{
    bool              as_json   = false;
    const Option      options[] = {{"json", OPTION_FLAG, NULL, "one JSON object a game", &as_json, 0, 0}, {0}};
    const CommandSpec spec      = {.usage   = "tabia pgn eco FILE... [--json]",
                                   .summary = "Names the opening of every game by its positions:\n"
                                                   "number, code, name, White, Black, result.",
                                   .example = "tabia pgn eco games.pgn | cut -f2 | sort | uniq -c",
                                   .options = options};
    const char      **paths;
    int               count, code = cli_parse_files(&spec, argc, argv, &paths, &count);
    if (code < 0) code = list_openings(paths, count, as_json);
    free(paths);
    return code;
}

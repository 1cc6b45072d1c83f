/* cmd_lab_versus.c - `tabia lab versus` and `tabia lab levels`: matches that the ancestors played, with error bars.
 *
 * Both are tournaments of the arena. A rung plays as a UCI engine of this same program (`tabia lab engine`).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/lab_commands.h"
#include "app/match_show.h"
#include "arena/arena.h"
#include "base/file.h"

enum { ENGINES_MAX = 32, PROGRAM_SIZE = 4096 };

typedef struct {
    const char *openings, *report;
    uint64_t    games;
    int         depth, concurrency;
    bool        json;
    TextList    rungs;
    PlayerSpec  specs[ENGINES_MAX];
    int         count;
    Openings    set;
    ArenaConfig config;
} Versus;

/* The thesis began its games here, with Black to move: Ruy Lopez, Scotch, Catalan. */
static const char *const thesis_openings[] = {
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
    "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/6P1/PP2PP1P/RNBQKBNR b KQkq - 0 3",
};

enum { THESIS_OPENINGS = sizeof thesis_openings / sizeof *thesis_openings };

static bool set_thesis_openings(Openings *out, Err *err)
{
    out->items = calloc(THESIS_OPENINGS, sizeof *out->items);
    if (!out->items) return err_set(err, ERR_MEMORY, 0, "out of memory");
    for (; out->count < THESIS_OPENINGS; out->count++) {
        Str fen                = str_from(thesis_openings[out->count]);
        out->items[out->count] = (Opening){.fen_at = (uint32_t)out->fens.len, .fen_len = (uint32_t)fen.len};
        buf_append(&out->fens, fen);
        buf_append_char(&out->fens, '\n');
    }
    out->cap = out->count;
    return !out->fens.failed || err_set(err, ERR_MEMORY, 0, "out of memory");
}

/* Our engine (the first) against each of the others, as a page. */
static bool write_levels(const Versus *v, const Standings *standings, Err *err)
{
    Buf path = {0}, out = {0};
    buf_printf(
        &out,
        "# Against the levels of lichess\n`%s` against fairy-stockfish with the skill, time and depth of lichess's levels, by "
        "`tabia lab levels`. Elo is above the level, with the 95 %% error of pairs of games.\n\n"
        "| level | games | won | drawn | lost | score | Elo |\n|---|---:|---:|---:|---:|---:|---:|\n",
        v->specs[0].name);
    for (int i = 1; i < v->count; i++) {
        Trinomial   games = standings_versus(standings, 0, i);
        EloEstimate elo   = standings_estimate(standings, 0, i);
        buf_printf(&out, "| %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %.3f | ", v->specs[i].name, elo.games,
                   games.wins, games.draws, games.losses, elo.score);
        if (isfinite(elo.elo) && isfinite(elo.elo_error)) buf_printf(&out, "%+.0f ± %.0f ", elo.elo, elo.elo_error);
        buf_append(&out, STR("|\n"));
    }
    buf_append(&out, STR("\nThe fourth ancestor won 5-0 up to level 3 and lost 0-5 to level 4.\n"));
    buf_printf(&path, "%s/levels.md", v->report);
    bool ok =
        !path.failed && !out.failed ? file_write(path.data, buf_str(&out), err) : err_set(err, ERR_MEMORY, 0, "out of memory");
    buf_release(&path);
    buf_release(&out);
    return ok;
}

/* A player that cannot even start would forfeit every game, and the table would tell a story about chess. */
static bool players_start(const Versus *v, Err *err)
{
    const PlayerPatience patience = player_default_patience();
    const PlayerGame     game     = {.seed = 1};
    for (int i = 0; i < v->count; i++) {
        PlayerAnswer answer;
        Player      *player = player_new(&v->specs[i], &patience, err);
        if (!player) return false;
        bool ok = player_begin_game(player, &game, &answer);
        player_free(player);
        if (!ok) return err_set(err, ERR_NOT_FOUND, 0, "%s cannot play: %s", v->specs[i].name, answer.text);
    }
    return true;
}

static int run_tournament(Versus *v)
{
    MatchShow show = {.stream = stdout, .json = v->json};
    Err       err;
    v->config.engines          = v->specs;
    v->config.schedule.engines = v->count;
    v->config.schedule.games   = v->games;
    v->config.margin_ms        = -1;
    v->config.openings         = &v->set;
    v->config.concurrency      = v->concurrency;
    v->config.seed             = 1;
    v->config.patience         = player_default_patience();
    v->config.event            = "Tabia lab";
    v->config.setup            = "tabia lab";
    if (!players_start(v, &err)) return cli_fail("%s", err.text);
    Arena *arena = arena_new(&v->config, match_show_game, &show, &err);
    if (!arena) return cli_fail("%s", err.text);
    match_show_start(&show, &v->config, arena_standings(arena));
    ArenaOutcome outcome = arena_run(arena, &err);
    match_show_end(&show, arena_standings(arena), outcome);
    if (outcome == ARENA_COMPLETE && v->report && !write_levels(v, arena_standings(arena), &err)) outcome = ARENA_FAILED;
    arena_free(arena);
    return outcome == ARENA_COMPLETE ? EXIT_DONE : cli_fail("%s", outcome == ARENA_FAILED ? err.text : "stopped");
}

static void versus_release(Versus *v)
{
    for (int i = 0; i < v->count; i++) player_spec_release(&v->specs[i]);
    openings_release(&v->set);
}

/* "null2" or "null2@6": a rung at the common depth or at its own. */
static int add_rung(const CommandSpec *spec, Versus *v, const char *program, Str word)
{
    Str rest = word, name = str_next_until(&rest, '@');
    int depth = v->depth;
    Err err;
    if (!lab_rung_find(name)) return cli_usage(spec, "there is no rung '%.*s'; `tabia lab list` names them", STR_ARGS(name));
    if (rest.len && !str_to_int(rest, 1, LAB_DEPTH_MAX - 1, &depth))
        return cli_usage(spec, "the depth in '%.*s' is a number from 1 to %d", STR_ARGS(word), LAB_DEPTH_MAX - 1);
    if (v->count == ENGINES_MAX) return cli_usage(spec, "at most %d rungs at a time", ENGINES_MAX);
    Buf line = {0};
    buf_printf(&line, "cmd=%s lab engine --rung %.*s --depth %d,name=%.*s", program, STR_ARGS(name), depth, STR_ARGS(word));
    bool ok = !line.failed && player_spec_parse(buf_str(&line), STR(""), &v->specs[v->count], &err);
    v->count += ok;
    buf_release(&line);
    return ok ? -1 : cli_fail("%s", err.text);
}

static int read_rungs(const CommandSpec *spec, Versus *v)
{
    char    program[PROGRAM_SIZE];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return cli_fail("cannot find this program itself, to start it as a player");
    program[length] = '\0';
    int code        = -1;
    for (int i = 0; code < 0 && i < v->rungs.count; i++) {
        Str rest = str_from(v->rungs.items[i]);
        while (code < 0 && rest.len) code = add_rung(spec, v, program, str_trim(str_next_until(&rest, ',')));
    }
    if (code < 0 && v->count < 2) return cli_usage(spec, "give two rungs or more: --rung ab1,null2");
    return code;
}

static bool read_openings(Versus *v, Err *err)
{
    if (!v->openings) return set_thesis_openings(&v->set, err);
    if (str_equal(str_from(v->openings), STR("book"))) return openings_builtin(false, &v->set, err);
    return openings_load(v->openings, 0, false, &v->set, err);
}

int cmd_lab_versus(int argc, char **argv)
{
    Versus       v         = {.games = 6, .depth = 4, .concurrency = 1};
    const Option options[] = {
        {"rung", OPTION_TEXTS, "NAME[@DEPTH]", "a player; several with commas", &v.rungs, 0, 0},
        {"depth", OPTION_INT, "N", "of rungs without a depth of their own (default 4)", &v.depth, 1, LAB_DEPTH_MAX - 1},
        {"games", OPTION_U64, "N", "games of each pair (default 6: three openings, both colours)", &v.games, 1, 10000000},
        {"openings", OPTION_TEXT, "FILE", ".pgn, or FEN/EPD lines; book: 64 known lines (default: the thesis's three)",
         &v.openings, 0, 0},
        {"concurrency", OPTION_INT, "N", "games at a time (default 1)", &v.concurrency, 1, 1024},
        {"json", OPTION_FLAG, NULL, "one JSON object at the end", &v.json, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia lab versus --rung NAME,NAME... [options]",
        .summary = "Rungs of the ladder against each other, from both sides of each opening, with Elo and error bars.",
        .example = "tabia lab versus --rung ab1,null2,final --depth 4 --games 6",
        .options = options,
    };
    Err err;
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    code = read_rungs(&spec, &v);
    if (code < 0) {
        bool ok               = read_openings(&v, &err);
        v.config.limits.depth = v.depth; /* the rungs know theirs; this only tells the arena that there is no clock */
        code                  = ok ? run_tournament(&v) : cli_fail("%s", err.text);
    }
    versus_release(&v);
    return code;
}

int cmd_lab_levels(int argc, char **argv)
{
    Versus       v      = {.games = 10, .concurrency = 1};
    const char  *engine = "tabia:nodes=20000";
    int          low = 1, high = 8;
    const Option options[] = {
        {"engine", OPTION_TEXT, "SPEC", "who plays, as for `tabia match`, options and all (default tabia:nodes=20000)", &engine,
         0, 0},
        {"from", OPTION_INT, "N", "the first level (default 1)", &low, 1, 8},
        {"to", OPTION_INT, "N", "the last level (default 8)", &high, 1, 8},
        {"games", OPTION_U64, "N", "games against each level (default 10)", &v.games, 1, 10000000},
        {"concurrency", OPTION_INT, "N", "games at a time (default 1)", &v.concurrency, 1, 1024},
        {"json", OPTION_FLAG, NULL, "one JSON object at the end", &v.json, 0, 0},
        {"report", OPTION_TEXT, "DIR", "also write DIR/levels.md", &v.report, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia lab levels [options]",
        .summary = "The engine against the playing levels 1 to 8 of lichess (fairy-stockfish), a table.",
        .example = "tabia lab levels --from 1 --to 4 --games 10",
        .options = options,
    };
    Err err;
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    if (low > high) return cli_usage(&spec, "--from %d is above --to %d", low, high);
    bool ok = !v.report || file_make_folder(v.report, &err);
    ok      = ok && player_spec_parse(str_from(engine), STR(""), &v.specs[v.count], &err);
    v.count += ok;
    for (int level = low; ok && level <= high; level++) {
        char line[32];
        (void)snprintf(line, sizeof line, "stockfish-level-%d", level);
        ok = player_spec_parse(str_from(line), STR(""), &v.specs[v.count], &err);
        v.count += ok;
    }
    ok                     = ok && openings_builtin(false, &v.set, &err);
    v.config.schedule.type = SCHEDULE_GAUNTLET;
    v.config.limits        = (TimeControl){.base_ms = 10000, .inc_ms = 100};
    code                   = ok ? run_tournament(&v) : cli_fail("%s", err.text);
    versus_release(&v);
    return code;
}

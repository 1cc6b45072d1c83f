/* cmd_match.c - `tabia match`: engines against each other, with everything around it.
 *
 * Reads the command line into an ArenaConfig, tries every engine once, runs the arena, shows the result. Ctrl-C asks
 * the arena to stop.
 */
#include <stdlib.h>

#include "app/cli.h"
#include "app/interrupt.h"
#include "app/match_show.h"
#include "arena/arena.h"
#include "base/work.h"
#include "tables/tables.h"

typedef struct {
    TextList    engines;
    const char *each, *type, *tc, *openings, *order, *variant, *resign, *draw, *tables, *sprt, *pgn, *state, *event;
    uint64_t    games, rounds, seed, nodes;
    int         concurrency, movetime, depth, margin, plies, max_moves, patience;
    bool        json, json_lines, resume, sync;
    /* what is made of them */
    PlayerSpec *specs;
    int         spec_count;
    Openings    opening_set;
    Buf         setup, state_name;
    Tables     *table_set;
    ArenaConfig config;
} Match;

static void match_release(Match *m)
{
    for (int i = 0; i < m->spec_count; i++) player_spec_release(&m->specs[i]);
    free(m->specs);
    openings_release(&m->opening_set);
    buf_release(&m->setup);
    buf_release(&m->state_name);
    tables_close(m->table_set);
}

/* ---- from words to a configuration; each step says what is wrong and returns the exit code, or -1 to go on ---- */

/* Two engines of one name get numbers: the table must tell them apart. */
static bool make_names_differ(Match *m, Err *err)
{
    for (int i = 1; i < m->spec_count; i++) {
        int same = 1;
        for (int j = 0; j < i; j++) same += strcmp(m->specs[j].name, m->specs[i].name) == 0;
        if (same == 1) continue;
        Buf  name = {0};
        bool free_name;
        do {
            buf_reset(&name);
            buf_printf(&name, "%s#%d", m->specs[i].name, same++);
            free_name = true;
            for (int j = 0; j < m->spec_count; j++) free_name = free_name && strcmp(m->specs[j].name, name.data) != 0;
        } while (!free_name);
        bool ok = player_spec_rename(&m->specs[i], buf_str(&name), err);
        buf_release(&name);
        if (!ok) return false;
    }
    return true;
}

static int read_engines(const CommandSpec *spec, Match *m)
{
    Err err;
    if (m->engines.count < 2) return cli_usage(spec, "a match needs two engines: give --engine twice or more");
    m->specs = calloc((size_t)m->engines.count, sizeof *m->specs);
    if (!m->specs) return cli_fail("out of memory");
    for (int i = 0; i < m->engines.count; i++) {
        if (!player_spec_parse(str_from(m->engines.items[i]), str_from(m->each), &m->specs[i], &err))
            return cli_usage(spec, "--engine %s: %s", m->engines.items[i], err.text);
        m->spec_count++;
    }
    if (!make_names_differ(m, &err)) return cli_fail("%s", err.text);
    m->config.engines = m->specs;
    return -1;
}

static int read_schedule(const CommandSpec *spec, Match *m)
{
    Schedule *s = &m->config.schedule;
    Err       err;
    s->engines = m->spec_count;
    s->games   = m->rounds ? m->rounds * 2 : m->games;
    if (!schedule_type_from_text(str_from(m->type), &s->type))
        return cli_usage(spec, "--type is roundrobin, gauntlet or head-to-head, not '%s'", m->type);
    if (m->rounds && m->games) return cli_usage(spec, "--rounds N and --games 2N mean the same: give one of them");
    if (!s->games) s->games = 100;
    if (!schedule_check(s, &err)) return cli_usage(spec, "%s", err.text);
    return -1;
}

static int read_limits(const CommandSpec *spec, Match *m)
{
    TimeControl *limits = &m->config.limits;
    Err          err;
    limits->movetime_ms = m->movetime;
    limits->depth       = m->depth;
    limits->nodes       = (int64_t)m->nodes;
    if (m->tc && !timecontrol_parse(str_from(m->tc), limits, &err)) return cli_usage(spec, "--tc: %s", err.text);
    if (!timecontrol_is_set(limits)) *limits = (TimeControl){.base_ms = 4000, .inc_ms = 40};
    m->config.margin_ms         = m->margin;
    m->config.patience          = player_default_patience();
    int64_t patience_ms         = (int64_t)m->patience * 1000;
    m->config.patience.think_ms = m->config.patience.start_ms = m->config.patience.ready_ms = patience_ms;
    return -1;
}

static int read_rules(const CommandSpec *spec, Match *m)
{
    AdjudicationRules *rules = &m->config.rules;
    Err                err;
    if (m->resign && !adjudicate_parse_resign(str_from(m->resign), rules, &err)) return cli_usage(spec, "%s", err.text);
    if (m->draw && !adjudicate_parse_draw(str_from(m->draw), rules, &err)) return cli_usage(spec, "%s", err.text);
    rules->max_moves = m->max_moves;
    if (!m->tables) return -1;
    m->table_set = tables_open(m->tables, &err);
    if (!m->table_set) return cli_fail("%s", err.text);
    rules->probe         = adjudicate_probe_tables;
    rules->probe_context = m->table_set;
    return -1;
}

/* "0,5", "0,5,0.05,0.05", "0,5,0.05,0.05,nelo". */
static int read_sprt(const CommandSpec *spec, Match *m)
{
    if (!m->sprt) return -1;
    double numbers[] = {0, 0, 0.05, 0.05};
    Str    rest      = str_from(m->sprt);
    bool   ok        = true;
    int    count     = 0;
    Err    err;
    while (ok && rest.len) {
        Str part = str_trim(str_next_until(&rest, ','));
        if (str_equal(part, STR("nelo"))) {
            m->config.sprt.model = SPRT_NORMALISED;
        } else {
            ok = count < 4 && str_to_double(part, &numbers[count++]);
        }
    }
    if (!ok || count < 2)
        return cli_usage(spec, "--sprt takes elo0,elo1[,alpha,beta][,nelo], for example 0,5 or 0,5,0.05,0.05; not '%s'", m->sprt);
    m->config.sprt.elo0  = numbers[0];
    m->config.sprt.elo1  = numbers[1];
    m->config.sprt.alpha = numbers[2];
    m->config.sprt.beta  = numbers[3];
    if (!sprt_check_params(&m->config.sprt, &err)) return cli_usage(spec, "--sprt: %s", err.text);
    if (m->spec_count != 2) return cli_usage(spec, "--sprt tests one engine against one other: give two engines");
    m->config.has_sprt = true;
    return -1;
}

static int read_openings(const CommandSpec *spec, Match *m)
{
    Err  err;
    bool random = strcmp(m->order, "random") == 0;
    if (!random && strcmp(m->order, "sequential") != 0)
        return cli_usage(spec, "--order is sequential or random, not '%s'", m->order);
    m->config.chess960 = strcmp(m->variant, "chess960") == 0;
    if (!m->config.chess960 && strcmp(m->variant, "standard") != 0)
        return cli_usage(spec, "--variant is standard or chess960, not '%s'", m->variant);
    bool ok = true;
    if (!m->openings) {
        ok = openings_builtin(m->config.chess960, &m->opening_set, &err);
    } else if (strcmp(m->openings, "none") != 0) {
        ok = openings_load(m->openings, m->plies, m->config.chess960, &m->opening_set, &err);
    } else {
        m->opening_set.chess960 = m->config.chess960;
    }
    if (!ok) return cli_fail("%s", err.text);
    if (random) openings_shuffle(&m->opening_set, m->seed);
    m->config.openings = &m->opening_set;
    return -1;
}

/* One line of all that makes two runs the same tournament. */
static void describe_setup(Match *m)
{
    char limits[TIMECONTROL_TEXT_SIZE];
    timecontrol_text(&m->config.limits, limits);
    buf_printf(&m->setup, "%s | %s | %s %s %d %s | seed %llu | margin %d | resign %s | draw %s | maxmoves %d | sprt %s | each %s",
               m->type, limits, m->openings ? m->openings : "-", m->order, m->plies, m->variant, (unsigned long long)m->seed,
               m->margin, m->resign ? m->resign : "-", m->draw ? m->draw : "-", m->max_moves, m->sprt ? m->sprt : "-",
               m->each ? m->each : "-");
    if (m->tables) buf_printf(&m->setup, " | tables %s", m->tables);
    for (int i = 0; i < m->spec_count; i++) buf_printf(&m->setup, " | %s", m->specs[i].source);
    for (size_t i = 0; i < m->setup.len; i++) {
        if (m->setup.data[i] == '\n' || m->setup.data[i] == '\r') m->setup.data[i] = ' ';
    }
}

static int read_files(const CommandSpec *spec, Match *m)
{
    if (m->pgn && !m->state) {
        buf_printf(&m->state_name, "%s.state", m->pgn);
        m->state = m->state_name.data;
    }
    if (m->resume && !m->state) return cli_usage(spec, "--resume needs the --pgn or --state of the match to go on with");
    describe_setup(m);
    m->config.pgn_path    = m->pgn;
    m->config.state_path  = m->state;
    m->config.setup       = m->setup.data;
    m->config.resume      = m->resume;
    m->config.sync        = m->sync;
    m->config.event       = m->event;
    m->config.seed        = m->seed;
    m->config.concurrency = m->concurrency;
    return -1;
}

static int configure(const CommandSpec *spec, Match *m)
{
    int code = read_engines(spec, m);
    if (code < 0) code = read_schedule(spec, m);
    if (code < 0) code = read_limits(spec, m);
    if (code < 0) code = read_rules(spec, m);
    if (code < 0) code = read_sprt(spec, m);
    if (code < 0) code = read_openings(spec, m);
    if (code < 0) code = read_files(spec, m);
    return code;
}

/* ---- running ---- */

/* Starts every engine once: a wrong path or option is found now and not after a night of losses. An engine that starts and
 * then fails is let in, with a warning; it loses its games. */
static int try_engines(const Match *m)
{
    for (int i = 0; i < m->spec_count; i++) {
        Err          err;
        PlayerAnswer answer;
        PlayerGame   game   = {.chess960 = m->config.chess960};
        Player      *player = player_new(&m->specs[i], &m->config.patience, &err);
        if (!player) return cli_fail("%s", err.text);
        bool ok = player_begin_game(player, &game, &answer);
        player_free(player);
        if (!ok && answer.status == PLAYER_UNUSABLE) return cli_fail("engine %s: %s", m->specs[i].name, answer.text);
        if (!ok) fprintf(stderr, "tabia: warning: engine %s does not get ready: %s\n", m->specs[i].name, answer.text);
    }
    return -1;
}

static void stop_arena(void *arena) { arena_stop(arena); }

static int run(Match *m)
{
    MatchShow show  = {.stream = stdout, .json = m->json, .json_lines = m->json_lines};
    Err       err   = {0};
    Arena    *arena = arena_new(&m->config, match_show_game, &show, &err);
    Interrupt interrupt;
    if (!arena) return cli_fail("%s", err.text);
    interrupt_begin(&interrupt, stop_arena, arena);
    match_show_start(&show, &m->config, arena_standings(arena));
    ArenaOutcome outcome = arena_run(arena, &err);
    interrupt_end(&interrupt);
    match_show_end(&show, arena_standings(arena), outcome);
    arena_free(arena);
    if (outcome == ARENA_FAILED) return cli_fail("%s", err.text);
    return outcome == ARENA_STOPPED ? EXIT_FAILED : EXIT_DONE;
}

static const char SUMMARY[] =
    "Plays engines against each other and says what the result is worth.\n"
    "\n"
    "SPEC names an engine, with options after a colon:\n"
    "  tabia                        our engine, in this process     tabia:Hash=64,Features=-nmp,-lmr\n"
    "  random                       a uniformly random mover        random:seed=7\n"
    "  ./engine or NAME             a UCI program (PATH, /usr/games) ./engine:name=New,Hash=64,tc=8+0.08\n"
    "  cmd=PROGRAM WORDS...         with arguments                  \"cmd=gnuchess --uci,name=GNU\"\n"
    "  stockfish-level-1 .. -8      lichess's levels (fairy-stockfish)\n"
    "Keys after the colon: name, dir, log (its standard error), seed, and own limits tc, st, movetime, nodes, depth; all others "
    "are\n"
    "options of the engine (option.KEY always is). Books of the engines are closed unless OwnBook=true is given.\n"
    "Every opening is played twice, with colours reversed; the pair is what the error bars count.";

int cmd_match(int argc, char **argv)
{
    Match        m         = {.type        = "roundrobin",
                              .order       = "sequential",
                              .variant     = "standard",
                              .event       = "Tabia match",
                              .concurrency = 1,
                              .margin      = -1,
                              .seed        = 1,
                              .patience    = 60};
    const Option options[] = {
        {"engine", OPTION_TEXTS, "SPEC", "a player; give two or more", &m.engines, 0, 0},
        {"each", OPTION_TEXT, "PARTS", "for every engine that has it: \"Hash=64,Threads=1,tc=8+0.08\"", &m.each, 0, 0},
        {"games", OPTION_U64, "N", "games of each pair of engines (default 100)", &m.games, 1, 100000000},
        {"rounds", OPTION_U64, "N", "the same in pairs of games: 2N games", &m.rounds, 1, 50000000},
        {"type", OPTION_TEXT, "TYPE", "roundrobin, gauntlet (first against all), head-to-head (1-2, 3-4...)", &m.type, 0, 0},
        {"concurrency", OPTION_INT, "N", "games at a time (default 1)", &m.concurrency, 1, ARENA_CONCURRENCY_MAX},
        {"tc", OPTION_TEXT, "TIME", "4+0.04 (seconds+increment, the default), 40/60, 40/60+0.5, st=0.5", &m.tc, 0, 0},
        {"movetime", OPTION_INT, "MS", "milliseconds a move", &m.movetime, 1, 1000000000},
        {"nodes", OPTION_U64, "N", "nodes a move", &m.nodes, 1, INT64_MAX},
        {"depth", OPTION_INT, "N", "plies a move", &m.depth, 1, 1000},
        {"timemargin", OPTION_INT, "MS", "lateness that is forgiven (default 10; 100 for a fixed time a move)", &m.margin, 0,
         1000000},
        {"patience", OPTION_INT, "S", "off the clock, no answer for so long is a stall (default 60)", &m.patience, 1, 1000000},
        {"openings", OPTION_TEXT, "FILE", ".pgn, or FEN/EPD lines; none: the usual start (default: 64 known lines)", &m.openings,
         0, 0},
        {"order", OPTION_TEXT, "ORDER", "sequential (default) or random", &m.order, 0, 0},
        {"plies", OPTION_INT, "N", "take N half-moves of each PGN opening (default 0: all)", &m.plies, 0, 10000},
        {"seed", OPTION_U64, "N", "for random order and random movers (default 1)", &m.seed, 0, INT64_MAX},
        {"variant", OPTION_TEXT, "NAME", "standard (default) or chess960", &m.variant, 0, 0},
        {"resign", OPTION_TEXT, "PARTS", "adjudicate a loss: movecount=3,score=400[,twosided=1]", &m.resign, 0, 0},
        {"draw", OPTION_TEXT, "PARTS", "adjudicate a draw: movenumber=40,movecount=8,score=10", &m.draw, 0, 0},
        {"tables", OPTION_TEXT, "FOLDER", "end games that the Syzygy tables in FOLDER know", &m.tables, 0, 0},
        {"maxmoves", OPTION_INT, "N", "a draw after N moves (default 0: no limit)", &m.max_moves, 0, 100000},
        {"sprt", OPTION_TEXT, "NUMBERS", "stop when decided: elo0,elo1[,alpha,beta][,nelo], as in 0,5,0.05,0.05", &m.sprt, 0, 0},
        {"pgn", OPTION_TEXT, "FILE", "add every finished game to FILE", &m.pgn, 0, 0},
        {"state", OPTION_TEXT, "FILE", "journal of finished games (default: the PGN's name with .state)", &m.state, 0, 0},
        {"resume", OPTION_FLAG, NULL, "go on with the match that journal and PGN hold", &m.resume, 0, 0},
        {"sync", OPTION_FLAG, NULL, "force every game to the disk: survives a power cut", &m.sync, 0, 0},
        {"event", OPTION_TEXT, "NAME", "the Event tag of the games", &m.event, 0, 0},
        {"json", OPTION_FLAG, NULL, "one JSON object at the end", &m.json, 0, 0},
        {"json-lines", OPTION_FLAG, NULL, "one JSON object a game, then the one at the end", &m.json_lines, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia match --engine SPEC --engine SPEC... [options]",
        .summary = SUMMARY,
        .example = "tabia match --engine tabia --engine stockfish-level-4 --games 20 --tc 4+0.04 --pgn games.pgn",
        .options = options,
    };
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    code = configure(&spec, &m);
    if (code < 0) code = try_engines(&m);
    if (code < 0) code = run(&m);
    match_release(&m);
    return code;
}

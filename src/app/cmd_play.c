/* cmd_play.c - `tabia play`: a game at the terminal. The session does the work; here the command line becomes its settings. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "app/cli.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "engine/level.h"
#include "term/console.h"
#include "term/session.h"

typedef struct {
    const char   *mode, *color, *fen, *level, *time, *save;
    bool          chess960, no_book, no_lines;
    SessionConfig config;
    Buf           save_path;
    char          date[16];
} Play;

/* ---- from words to a configuration; each step says what is wrong and returns the exit code, or -1 to go on ---- */

static int read_mode(const CommandSpec *spec, Play *p)
{
    static const char *const modes[] = {"engine", "random", "manual", "watch", NULL};
    int                      mode    = 0;
    while (modes[mode] && strcmp(modes[mode], p->mode) != 0) mode++;
    if (!modes[mode]) return cli_usage(spec, "--mode is engine, random, manual or watch, not '%s'", p->mode);
    p->config.mode = (SessionMode)mode;
    if (strcmp(p->color, "white") == 0) {
        p->config.person = WHITE;
    } else if (strcmp(p->color, "black") == 0) {
        p->config.person = BLACK;
    } else if (strcmp(p->color, "random") == 0) {
        Rng rng          = rng_seeded(p->config.seed ? p->config.seed : (uint64_t)clock_now_ns());
        p->config.person = rng_below(&rng, 2) ? BLACK : WHITE;
    } else {
        return cli_usage(spec, "--color is white, black or random, not '%s'", p->color);
    }
    return -1;
}

static int read_start(const CommandSpec *spec, Play *p)
{
    Err       err;
    Position *start = &p->config.start;
    position_set_start(start);
    if (p->chess960) {
        Rng rng = rng_seeded(p->config.seed ? p->config.seed : (uint64_t)clock_now_ns());
        chess960_start((int)rng_below(&rng, CHESS960_STARTS), start);
    }
    if (p->fen && !position_from_fen(str_from(p->fen), start, NULL, &err))
        return cli_usage(spec, "the position '%s' cannot be used: %s (at character %zu)", p->fen, err.text, err.offset + 1);
    if (p->chess960) start->chess960 = true;
    return -1;
}

/* "300+3", "5:00+3", "st=5", "5s": a clock, or seconds for each move. */
static int read_time(const CommandSpec *spec, Play *p)
{
    Err  err;
    Str  text = str_from(p->time);
    bool known;
    if (!text.len) return -1;
    bool ok = text.ptr[text.len - 1] == 's'
                  ? timecontrol_set(&p->config.time, STR("st"), (Str){text.ptr, text.len - 1}, &known, &err)
                  : timecontrol_parse(text, &p->config.time, &err);
    return ok ? -1 : cli_usage(spec, "--time %s: %s", p->time, err.text);
}

static int read_level(const CommandSpec *spec, Play *p)
{
    Err err;
    p->config.skill = SKILL_MAX;
    if (p->level && !level_from_text(str_from(p->level), &p->config.skill, &err)) return cli_usage(spec, "--level: %s", err.text);
    return -1;
}

/* Games are kept in the user's data folder unless another file is named. */
static void choose_save_path(Play *p)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (p->save && strcmp(p->save, "none") == 0) return;
    if (p->save) {
        buf_printf(&p->save_path, "%s", p->save);
    } else if (data && *data) {
        buf_printf(&p->save_path, "%s/tabia/play.pgn", data);
    } else if (home && *home) {
        buf_printf(&p->save_path, "%s/.local/share/tabia/play.pgn", home);
    }
    if (p->save_path.len) p->config.save_path = p->save_path.data;
}

static void look_around(Play *p)
{
    time_t    now = time(NULL);
    struct tm today;
    p->config.style = terminal_style(&p->config.width);
    if (localtime_r(&now, &today)) strftime(p->date, sizeof p->date, "%Y.%m.%d", &today);
    p->config.date = p->date;
}

static int play(Play *p)
{
    const char *user = getenv("USER");
    Err         err;
    Console     console;
    bool        saved = true;
    choose_save_path(p);
    look_around(p);
    if (!p->config.person_name) p->config.person_name = user && *user ? user : "Player";
    p->config.book  = !p->no_book;
    p->config.lines = !p->no_lines;
    if (!console_init(&console, STDIN_FILENO, STDOUT_FILENO, &err)) return cli_fail("%s", err.text);
    TermIo io = console_io(&console);
    bool   ok = session_run(&p->config, &io, &saved, &err);
    console_release(&console);
    if (!ok) return cli_fail("%s", err.text);
    return saved ? EXIT_DONE : EXIT_FAILED;
}

int cmd_play(int argc, char **argv)
{
    Play         p         = {.mode = "engine", .color = "white", .time = "", .config = {.threads = 1, .hash_mb = 64}};
    const Option options[] = {
        {"mode", OPTION_TEXT, "MODE", "engine (default), random, manual (both sides by hand), watch (engine against itself)",
         &p.mode, 0, 0},
        {"color", OPTION_TEXT, "COLOR", "the side you play: white (default), black, random", &p.color, 0, 0},
        {"level", OPTION_TEXT, "LEVEL", "0 to 20, an Elo from 1000, or beginner, casual, club, expert, master... (default 20)",
         &p.level, 0, 0},
        {"time", OPTION_TEXT, "T", "a clock, 300+3 or 5:00+3; or 5s: seconds for each move of the engine (default 3s)", &p.time,
         0, 0},
        {"fen", OPTION_TEXT, "FEN", "begin with this position", &p.fen, 0, 0},
        {"chess960", OPTION_FLAG, NULL, "Chess960, from a random start unless --fen is given", &p.chess960, 0, 0},
        {"name", OPTION_TEXT, "NAME", "what the saved games call you (default: your user name)", &p.config.person_name, 0, 0},
        {"save", OPTION_TEXT, "FILE", "add games to FILE (default: play.pgn in your data folder); none: do not", &p.save, 0, 0},
        {"no-book", OPTION_FLAG, NULL, "the engine thinks from the first move on", &p.no_book, 0, 0},
        {"no-lines", OPTION_FLAG, NULL, "do not show what the engine thinks", &p.no_lines, 0, 0},
        {"threads", OPTION_INT, "N", "of the engine (default 1)", &p.config.threads, 1, 1024},
        {"hash", OPTION_INT, "MB", "of the engine (default 64)", &p.config.hash_mb, 1, 1 << 20},
        {"seed", OPTION_U64, "N", "for random moves and weak levels: the same choices again (default 0: as it comes)",
         &p.config.seed, 0, INT32_MAX},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia play [options]",
        .summary = "A game of chess at the terminal. Type moves as e4, Nf3, e2e4 or \"e2 e4\"; `help` lists the commands.\n"
                   "Ctrl-C makes the engine move at once; Ctrl-D leaves. The game is saved when you leave.",
        .example = "tabia play --color black --level club --time 10:00+5",
        .options = options,
    };
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    code = read_mode(&spec, &p);
    if (code < 0) code = read_start(&spec, &p);
    if (code < 0) code = read_time(&spec, &p);
    if (code < 0) code = read_level(&spec, &p);
    if (code < 0) code = play(&p);
    buf_release(&p.save_path);
    return code;
}

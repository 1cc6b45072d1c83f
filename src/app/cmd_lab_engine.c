/* cmd_lab_engine.c - `tabia lab engine`: a rung of the ladder as a UCI engine, so that anything can play against it.
 *
 * It answers `go` with the best move at its fixed depth, whatever the clock says, and `stop` after that: a teaching search has
 * no clock. `tabia lab versus` starts these.
 */
#include <stdio.h>
#include <unistd.h>

#include "app/lab_commands.h"
#include "base/lines.h"
#include "chess/notation.h"
#include "uci/command.h"

typedef struct {
    const Rung *rung;
    LabTask     task;
    Position    pos;
} RungEngine;

/* All or nothing: after a line that makes no sense the position is as it was. */
static bool set_position(RungEngine *e, const UciPosition *p, Err *err)
{
    Position  pos, next;
    FenReport report;
    position_set_start(&pos);
    if (!p->startpos && !position_from_fen(p->fen, &pos, &report, err)) return false;
    Str rest = p->moves;
    for (Str word; (word = str_next_token(&rest)).len; pos = next) {
        Move move;
        if (!move_from_uci(&pos, word, &move, err)) return false;
        position_play(&pos, move, &next);
    }
    e->pos = pos;
    return true;
}

static bool go(const RungEngine *e, Err *err)
{
    LabResult result;
    char      uci[UCI_MOVE_SIZE];
    if (!lab_run(e->rung, &e->task, &e->pos, &result, err)) return false;
    int value = e->pos.side == WHITE ? result.value : -result.value;
    move_to_uci(&e->pos, result.best, uci);
    if (value >= THESIS_MATE || value <= -THESIS_MATE) value = value > 0 ? 30000 : -30000; /* no distance is known */
    printf("info depth %d seldepth %d score cp %d nodes %llu time %.0f pv %s\nbestmove %s\n", e->task.depth,
           result.stats.seldepth, value, (unsigned long long)result.stats.nodes, result.seconds * 1e3, uci, uci);
    return true;
}

static int serve(RungEngine *e)
{
    LineReader lines;
    Str        line;
    Err        err;
    bool       over = false;
    lines_init(&lines, STDIN_FILENO);
    while (!over && lines_next(&lines, &line, &err) == LINE_READ) {
        UciCommand command;
        uci_parse_command(line, &command, NULL);
        switch (command.kind) {
        case UCI_CMD_UCI: printf("id name Tabia lab %s\nid author the Tabia authors\nuciok\n", e->rung->name); break;
        case UCI_CMD_ISREADY: printf("readyok\n"); break;
        case UCI_CMD_POSITION:
            if (command.broken || !set_position(e, &command.position, &err)) printf("info string position refused\n");
            break;
        case UCI_CMD_GO:
            if (!go(e, &err)) printf("info string %s\nbestmove 0000\n", err.text);
            break;
        case UCI_CMD_QUIT: over = true; break;
        default: break;
        }
        if (fflush(stdout) != 0) break;
    }
    lines_release(&lines);
    return EXIT_DONE;
}

int cmd_lab_engine(int argc, char **argv)
{
    RungEngine   e         = {.task = {.depth = 4, .threads = 1}};
    const char  *name      = "final";
    const Option options[] = {
        {"rung", OPTION_TEXT, "NAME", "the rung that plays (default final)", &name, 0, 0},
        {"depth", OPTION_INT, "N", "its depth (default 4)", &e.task.depth, 1, LAB_DEPTH_MAX - 1},
        {"threads", OPTION_INT, "N", "for the rungs that use several (default 1)", &e.task.threads, 1, 256},
        {0},
    };
    const CommandSpec spec = {
        .usage   = "tabia lab engine [options]",
        .summary = "A rung of the ladder as a UCI engine of fixed depth, for matches and chess programs.",
        .example = "tabia match --engine tabia:nodes=500 --engine \"cmd=./tabia lab engine --rung final,name=final\" --games 10",
        .options = options,
    };
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    Err err;
    e.rung = lab_rung_find(str_from(name));
    if (!e.rung) return cli_usage(&spec, "there is no rung '%s'; `tabia lab list` names them", name);
    ThesisEval *eval = thesis_eval_new(LAB_EVAL_THESIS, &err);
    if (!eval) return cli_fail("%s", err.text);
    e.task.eval = eval;
    position_set_start(&e.pos);
    code = serve(&e);
    thesis_eval_free(eval);
    return code;
}

/* uci_session.c - see uci_session.h. One handler a command; the table below is the protocol. */
#include "app/uci_session.h"

#include <inttypes.h>

#include "app/bench.h"
#include "app/uci_output.h"
#include "base/clock.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "eval/eval_print.h"
#include "uci/reply.h"

#ifndef TABIA_VERSION
#define TABIA_VERSION "0.1"
#endif

bool uci_session_init(UciSession *session, Err *err)
{
    *session = (UciSession){0};
    pthread_mutex_init(&session->lock, NULL);
    SearchListener listener = uci_output_listener(session);
    session->engine         = engine_new(&listener, err);
    return session->engine != NULL;
}

void uci_session_release(UciSession *session)
{
    uci_perft_stop(session);
    uci_perft_wait(session);
    engine_free(session->engine);
    if (session->log) fclose(session->log);
    buf_release(&session->line);
    buf_release(&session->held);
    pthread_mutex_destroy(&session->lock);
}

/* ---- uci and setoption ---- */

static void write_option(Buf *out, const EngineOption *o)
{
    char         number[24];
    Buf          vars = {0};
    UciOptionDef def  = {
         .name = str_from(o->name), .kind = (UciOptionKind)o->kind, .has_default = o->kind != ENGINE_OPTION_BUTTON};
    if (o->kind == ENGINE_OPTION_SPIN) {
        snprintf(number, sizeof number, "%" PRId64, o->spin_default);
        def.default_text = str_from(number);
        def.min          = o->low;
        def.max          = o->high;
    } else if (o->text_default) {
        def.default_text = str_equal(str_from(o->text_default), STR("<empty>")) ? STR("") : str_from(o->text_default);
    }
    for (int i = 0; o->choices && o->choices[i]; i++) buf_printf(&vars, "%svar %s", i ? " " : "", o->choices[i]);
    def.vars = buf_str(&vars);
    uci_write_option(out, &def);
    buf_release(&vars);
}

static bool do_uci(UciSession *session, const UciCommand *command)
{
    (void)command;
    Buf *out = uci_output_begin(session);
    uci_write_id(out, STR("Tabia " TABIA_VERSION), STR("the Tabia authors"));
    for (size_t i = 0; i < engine_option_count(); i++) write_option(out, engine_option(i));
    uci_write_uciok(out);
    uci_output_end(session);
    return true;
}

static bool option_is_true(const UciSession *session, Str name)
{
    Buf value = {0};
    engine_get_option(session->engine, name, &value);
    bool yes = str_equal(buf_str(&value), STR("true"));
    buf_release(&value);
    return yes;
}

/* The log belongs to the front end, not to the engine. */
static void open_log(UciSession *session)
{
    Buf path = {0};
    engine_get_option(session->engine, STR("Debug Log File"), &path);
    FILE *log = path.len ? fopen(path.data, "ae") : NULL;
    pthread_mutex_lock(&session->lock);
    if (session->log) fclose(session->log);
    session->log = log;
    pthread_mutex_unlock(&session->lock);
    bool failed = path.len && !log;
    if (failed) uci_session_say(session, "the log file '%s' cannot be written", path.data);
    buf_release(&path);
}

static bool do_setoption(UciSession *session, const UciCommand *command)
{
    Err err;
    if (command->broken) return true;
    if (!engine_set_option(session->engine, command->setoption.name, command->setoption.value, &err)) {
        uci_session_say(session, "%s", err.text);
        return true;
    }
    session->show_wdl = option_is_true(session, STR("UCI_ShowWDL"));
    session->minimal  = option_is_true(session, STR("Minimal"));
    if (uci_option_name_equal(command->setoption.name, STR("Debug Log File"))) open_log(session);
    return true;
}

static bool do_isready(UciSession *session, const UciCommand *command)
{
    (void)command;
    Err err;
    if (!engine_ready(session->engine, &err)) uci_session_say(session, "%s", err.text);
    uci_write_readyok(uci_output_begin(session));
    uci_output_end(session);
    return true;
}

static bool do_newgame(UciSession *session, const UciCommand *command)
{
    (void)command;
    engine_new_game(session->engine);
    return true;
}

static bool do_debug(UciSession *session, const UciCommand *command)
{
    session->debug = command->debug_on;
    return true;
}

static bool do_nothing(UciSession *session, const UciCommand *command)
{
    (void)session;
    (void)command;
    return true;
}

/* ---- position and go ---- */

static bool do_position(UciSession *session, const UciCommand *command)
{
    const UciPosition *p   = &command->position;
    Str                fen = p->startpos ? STR("startpos") : p->fen;
    Err                err = {0};
    FenReport          report;
    Position           ignored;
    if (!engine_set_position(session->engine, fen, p->moves, &err)) {
        uci_session_say(session, "position refused: %s", err.text);
        return true;
    }
    if (p->startpos || !position_from_fen(fen, &ignored, &report, NULL)) return true;
    for (Fault fault = FAULTS_FATAL; fault < FAULTS; fault++) {
        if (report.faults & fault_bit(fault)) uci_session_say(session, "note: %s", fault_text(fault));
    }
    return true;
}

/* searchmoves: legal ones, each once; others are named and left out. */
static void read_search_moves(UciSession *session, Str words, GoLimits *out)
{
    const Position *pos = engine_position(session->engine);
    for (Str word; pos && (word = str_next_token(&words)).len;) {
        Move move;
        Err  err;
        bool again = false;
        if (!move_from_uci(pos, word, &move, &err)) {
            uci_session_say(session, "searchmoves: %s", err.text);
            continue;
        }
        for (int i = 0; i < out->move_count; i++) again = again || out->moves[i] == move;
        if (!again) out->moves[out->move_count++] = move;
    }
}

static GoLimits limits_of(const UciGo *go)
{
    GoLimits limits = {
        .has_time     = {uci_go_has(go, UCI_GO_WTIME), uci_go_has(go, UCI_GO_BTIME)},
        .time_ms      = {go->wtime_ms, go->btime_ms},
        .inc_ms       = {go->winc_ms, go->binc_ms},
        .moves_to_go  = (int)(go->movestogo < 1000 ? go->movestogo : 1000),
        .depth        = (int)(go->depth < SEARCH_DEPTH_MAX ? go->depth : SEARCH_DEPTH_MAX),
        .mate         = (int)(go->mate < PLY_MAX ? go->mate : PLY_MAX),
        .nodes        = go->nodes,
        .move_time_ms = go->movetime_ms,
        .infinite     = go->infinite,
        .ponder       = go->ponder,
    };
    if (uci_go_has(go, UCI_GO_DEPTH) && limits.depth < 1) limits.depth = 1;
    if (uci_go_has(go, UCI_GO_NODES) && limits.nodes < 1) limits.nodes = 1;
    if (uci_go_has(go, UCI_GO_MOVETIME) && limits.move_time_ms < 1) limits.move_time_ms = 1;
    return limits;
}

/* A bare `go`, or one with nothing that would end it, is infinite. */
static bool has_an_end(const GoLimits *l, Color us)
{
    return l->depth || l->mate || l->nodes || l->move_time_ms || l->has_time[us];
}

static bool do_go(UciSession *session, const UciCommand *command)
{
    const UciGo    *go  = &command->go;
    const Position *pos = engine_position(session->engine);
    Err             err;
    if (!pos) {
        uci_session_say(session, "there is no position to think about: the last one was refused");
        uci_output_refuse(session);
        return true;
    }
    if (uci_go_has(go, UCI_GO_PERFT)) {
        uci_perft_go(session, pos, (int)(go->perft < PERFT_DEPTH_MAX ? go->perft : PERFT_DEPTH_MAX));
        if (session->waits_for_search) uci_perft_wait(session);
        return true;
    }
    uci_perft_stop(session);
    GoLimits limits = limits_of(go);
    read_search_moves(session, go->searchmoves, &limits);
    bool ends = has_an_end(&limits, position_side(pos)) && !limits.infinite && !limits.ponder;
    if (!ends && !limits.ponder) limits.infinite = true;
    if (!engine_go(session->engine, &limits, &err)) {
        uci_session_say(session, "%s", err.text);
        uci_output_refuse(session);
    } else if (session->waits_for_search && ends) {
        engine_wait(session->engine);
    }
    return true;
}

static bool do_stop(UciSession *session, const UciCommand *command)
{
    (void)command;
    engine_stop(session->engine);
    uci_perft_stop(session);
    return true;
}

static bool do_ponderhit(UciSession *session, const UciCommand *command)
{
    (void)command;
    engine_ponderhit(session->engine);
    return true;
}

static bool do_quit(UciSession *session, const UciCommand *command)
{
    (void)command;
    engine_stop(session->engine);
    return false;
}

/* ---- ours ---- */

static bool do_d(UciSession *session, const UciCommand *command)
{
    (void)command;
    const Position *pos = engine_position(session->engine);
    if (!pos) {
        uci_session_say(session, "there is no position: the last one was refused");
        return true;
    }
    char fen[FEN_SIZE];
    position_to_fen(pos, fen);
    Buf *out = uci_output_begin(session);
    for (int rank = RANK_8; rank >= RANK_1; rank--) {
        buf_printf(out, "%d  ", rank + 1);
        for (int file = FILE_A; file <= FILE_H; file++) buf_printf(out, "%c ", piece_letter(pos->board[square_of(file, rank)]));
        buf_append_char(out, '\n');
    }
    buf_printf(out, "\n   a b c d e f g h\n\nFen: %s\nKey: %016" PRIx64 "\n", fen, pos->key);
    uci_output_end(session);
    return true;
}

static bool do_eval(UciSession *session, const UciCommand *command)
{
    (void)command;
    const Position *pos = engine_position(session->engine);
    if (!pos) {
        uci_session_say(session, "there is no position: the last one was refused");
        return true;
    }
    eval_print(pos, engine_network(session->engine), uci_output_begin(session));
    uci_output_end(session);
    return true;
}

static bool do_bench(UciSession *session, const UciCommand *command)
{
    BenchOptions options = {.depth = BENCH_DEPTH};
    Str          rest    = command->text;
    Str          depth   = str_next_token(&rest);
    if (depth.len && !str_to_int(depth, 1, SEARCH_DEPTH_MAX, &options.depth)) {
        uci_session_say(session, "bench takes a depth, not '%.*s'", STR_ARGS(depth));
        return true;
    }
    BenchResult result;
    Err         err;
    if (!bench_run(&options, &result, &err)) {
        uci_session_say(session, "%s", err.text);
        return true;
    }
    buf_printf(uci_output_begin(session), "%" PRIu64 " nodes %.0f nps\n", result.nodes, bench_nps(&result));
    uci_output_end(session);
    return true;
}

static bool do_help(UciSession *session, const UciCommand *command)
{
    (void)command;
    Buf *out = uci_output_begin(session);
    for (size_t i = 0; uci_command_spec(i); i++)
        buf_printf(out, "%-44s %s\n", uci_command_spec(i)->usage, uci_command_spec(i)->help);
    uci_output_end(session);
    return true;
}

static bool do_unknown(UciSession *session, const UciCommand *command)
{
    Str shown = {command->text.ptr, command->text.len < 60 ? command->text.len : 60};
    uci_session_say(session, "unknown command '%.*s' (help lists the commands)", STR_ARGS(shown));
    return true;
}

typedef bool Handler(UciSession *session, const UciCommand *command);

static Handler *const handlers[] = {
    [UCI_CMD_EMPTY] = do_nothing,     [UCI_CMD_UNKNOWN] = do_unknown,
    [UCI_CMD_UCI] = do_uci,           [UCI_CMD_DEBUG] = do_debug,
    [UCI_CMD_ISREADY] = do_isready,   [UCI_CMD_SETOPTION] = do_setoption,
    [UCI_CMD_REGISTER] = do_nothing,  [UCI_CMD_UCINEWGAME] = do_newgame,
    [UCI_CMD_POSITION] = do_position, [UCI_CMD_GO] = do_go,
    [UCI_CMD_STOP] = do_stop,         [UCI_CMD_PONDERHIT] = do_ponderhit,
    [UCI_CMD_QUIT] = do_quit,         [UCI_CMD_D] = do_d,
    [UCI_CMD_EVAL] = do_eval,         [UCI_CMD_BENCH] = do_bench,
    [UCI_CMD_HELP] = do_help,
};

static void log_input(UciSession *session, Str line)
{
    pthread_mutex_lock(&session->lock);
    if (session->log) {
        fprintf(session->log, "< %.*s\n", STR_ARGS(line));
        fflush(session->log);
    }
    pthread_mutex_unlock(&session->lock);
}

bool uci_session_line(UciSession *session, Str line)
{
    UciCommand command;
    Err        err;
    log_input(session, line);
    bool clean = uci_parse_command(line, &command, &err);
    if (!clean && (session->debug || command.broken) && command.kind != UCI_CMD_UNKNOWN) uci_session_say(session, "%s", err.text);
    return handlers[command.kind](session, &command) && !session->broken_output;
}

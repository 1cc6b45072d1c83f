/* player_uci.c - a foreign engine: a child process that speaks UCI.
 *
 * What it prints is never trusted: lines that are no UCI are skipped, moves are checked against the rules, and every wait has a
 * deadline. Order of a game: [start: uci..uciok, setoption] ucinewgame isready..readyok, then position+go..bestmove a move.
 * The clock runs from just before `go` is written until the bytes of `bestmove` are read; parsing is on nobody's clock.
 * Hot: uci_think with an engine that answers at once. One write and about one poll and two reads a move; the text of the
 * position grows with the game and is kept, not rebuilt.
 */
#define _GNU_SOURCE /* pipe2 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "player/player_kinds.h"
#include "player/process.h"
#include "uci/command.h"
#include "uci/reply.h"

typedef struct {
    Player   base;
    Process  process;
    int      wake[2]; /* a pipe: readable once somebody interrupts */
    Buf      out;     /* the commands of one write */
    Buf      line;    /* "position ... moves ..." of this game, without the line end */
    Position at;      /* after the moves in `line` */
    size_t   plies;   /* how many those are */
    bool     has_line;
    bool     chess960_set;
} UciPlayer;

static int64_t after_ms(int64_t ms) { return clock_now_ns() + ms * 1000000; }

/* Turns what a wait gave into the player's fault; `doing` completes "it ... while ...". */
static bool fail_status(UciPlayer *self, ProcessStatus status, const char *doing, PlayerAnswer *answer)
{
    if (status == PROCESS_WOKEN) return player_fail(answer, PLAYER_INTERRUPTED, "interrupted");
    if (status == PROCESS_LATE) return player_fail(answer, PLAYER_STALLED, "no answer while %s", doing);
    char how[PROCESS_HOW_SIZE];
    process_end(&self->process, after_ms(self->base.patience.stop_ms), how);
    if (how[0]) return player_fail(answer, PLAYER_CRASHED, "it ended while %s (%s)", doing, how);
    return player_fail(answer, PLAYER_CRASHED, "it closed its output while %s", doing);
}

static bool send(UciPlayer *self, int64_t deadline_ns, const char *doing, PlayerAnswer *answer)
{
    ProcessStatus status = process_write(&self->process, buf_str(&self->out), deadline_ns);
    return status == PROCESS_DONE || fail_status(self, status, doing, answer);
}

/* ---- starting ---- */

/* An option that the engine announces: if we want it set, the command goes to `out`. */
static bool offer_option(UciPlayer *self, const UciOptionDef *def, uint64_t *found, PlayerAnswer *answer)
{
    const PlayerSpec *spec = self->base.spec;
    for (int i = 0; i < spec->option_count; i++) {
        const PlayerOption *wanted = &spec->options[i];
        UciOptionValue      value;
        Err                 err;
        if (!uci_option_name_equal(str_from(wanted->name), def->name)) continue;
        if (!uci_option_check_value(def, str_from(wanted->value), &value, &err))
            return player_fail(answer, PLAYER_UNUSABLE, "%s", err.text);
        UciCommand command = {.kind = UCI_CMD_SETOPTION};
        command.setoption  = (UciSetOption){def->name, str_from(wanted->value), def->kind != UCI_OPTION_BUTTON};
        uci_write_command(&self->out, &command);
        *found |= (uint64_t)1 << i;
    }
    return true;
}

static bool check_options(const UciPlayer *self, uint64_t found, PlayerAnswer *answer)
{
    const PlayerSpec *spec = self->base.spec;
    for (int i = 0; i < spec->option_count; i++) {
        if (!(found >> i & 1) && !spec->options[i].optional)
            return player_fail(answer, PLAYER_UNUSABLE, "it has no option '%s'; send it `uci` to see which it has",
                               spec->options[i].name);
    }
    return true;
}

/* Reads what the engine says about itself up to `uciok`, collecting the answers to its options in `out`. */
static bool shake_hands(UciPlayer *self, bool chess960, PlayerAnswer *answer)
{
    int64_t  deadline = after_ms(self->base.patience.start_ms);
    uint64_t found    = 0;
    bool     can_960  = false;
    buf_reset(&self->out);
    buf_append(&self->out, STR("uci\n"));
    if (!send(self, deadline, "starting", answer)) return false;
    buf_reset(&self->out);
    for (;;) {
        Str           line;
        UciReply      reply;
        ProcessStatus status = process_read_line(&self->process, &line, deadline);
        if (status == PROCESS_DONE && self->process.read_ns > deadline) status = PROCESS_LATE;
        if (status != PROCESS_DONE) return fail_status(self, status, "starting (no `uciok` came)", answer);
        uci_parse_reply(line, &reply, NULL);
        if (reply.kind == UCI_REPLY_UCIOK) break;
        if (reply.kind != UCI_REPLY_OPTION || reply.broken) continue;
        can_960 = can_960 || uci_option_name_equal(reply.option.name, STR("UCI_Chess960"));
        if (!offer_option(self, &reply.option, &found, answer)) return false;
    }
    if (chess960 && !can_960) return player_fail(answer, PLAYER_UNUSABLE, "it does not play Chess960 (no option UCI_Chess960)");
    if (chess960) buf_append(&self->out, STR("setoption name UCI_Chess960 value true\n"));
    self->chess960_set = chess960;
    if (!check_options(self, found, answer)) return false;
    return send(self, deadline, "starting", answer);
}

static bool start(UciPlayer *self, bool chess960, PlayerAnswer *answer)
{
    Err               err;
    const PlayerSpec *spec = self->base.spec;
    if (!process_start(&self->process, spec->argv, spec->dir, spec->log, self->wake[0], &err))
        return player_fail(answer, PLAYER_UNUSABLE, "%s", err.text);
    return shake_hands(self, chess960, answer);
}

static bool wait_readyok(UciPlayer *self, PlayerAnswer *answer)
{
    int64_t deadline = after_ms(self->base.patience.ready_ms);
    for (;;) {
        Str           line;
        UciReply      reply;
        ProcessStatus status = process_read_line(&self->process, &line, deadline);
        if (status == PROCESS_DONE && self->process.read_ns > deadline) status = PROCESS_LATE;
        if (status != PROCESS_DONE) return fail_status(self, status, "getting ready (no `readyok` came)", answer);
        uci_parse_reply(line, &reply, NULL);
        if (reply.kind == UCI_REPLY_READYOK) return true;
    }
}

static bool uci_begin_game(Player *player, const PlayerGame *game, PlayerAnswer *answer)
{
    UciPlayer *self = (UciPlayer *)player;
    if (process_is_running(&self->process) && self->chess960_set != game->chess960) player->methods->rest(player);
    if (!process_is_running(&self->process) && !start(self, game->chess960, answer)) return false;
    self->has_line = false;
    buf_reset(&self->out);
    buf_append(&self->out, STR("ucinewgame\nisready\n"));
    return send(self, after_ms(player->patience.ready_ms), "getting ready", answer) && wait_readyok(self, answer);
}

/* ---- thinking ---- */

static void begin_line(UciPlayer *self, const Game *game)
{
    char     fen[FEN_SIZE], start_fen[FEN_SIZE];
    Position normal;
    position_set_start(&normal);
    position_to_fen(&normal, start_fen);
    position_to_fen(&game->start, fen);
    buf_reset(&self->line);
    if (strcmp(fen, start_fen) == 0) {
        buf_append(&self->line, STR("position startpos"));
    } else {
        buf_printf(&self->line, "position fen %s", fen);
    }
    self->at       = game->start;
    self->plies    = 0;
    self->has_line = true;
}

/* Brings the text of the position up to date with the game. */
static void extend_line(UciPlayer *self, const Game *game)
{
    if (!self->has_line || self->plies > game->plies) begin_line(self, game);
    while (self->plies < game->plies) {
        char     text[UCI_MOVE_SIZE];
        Move     move = game->moves[self->plies];
        size_t   len  = move_to_uci(&self->at, move, text);
        Position next;
        if (self->plies == 0) buf_append(&self->line, STR(" moves"));
        buf_append_char(&self->line, ' ');
        buf_append(&self->line, (Str){text, len});
        position_play(&self->at, move, &next);
        self->at = next;
        self->plies++;
    }
}

static void set_number(UciGo *go, UciGoNumber number, int64_t *field, int64_t value)
{
    *field = value;
    go->has |= (uint32_t)1 << number;
}

static UciGo go_of(const PlayerGo *limits, Color side)
{
    UciGo            go    = {0};
    const GameClock *white = limits->clocks[WHITE], *black = limits->clocks[BLACK], *own = limits->clocks[side];
    if (timecontrol_has_clock(&own->tc)) {
        if (timecontrol_has_clock(&white->tc)) {
            set_number(&go, UCI_GO_WTIME, &go.wtime_ms, white->left_ns < 1000000 ? 1 : white->left_ns / 1000000);
            set_number(&go, UCI_GO_WINC, &go.winc_ms, white->tc.inc_ms);
        }
        if (timecontrol_has_clock(&black->tc)) {
            set_number(&go, UCI_GO_BTIME, &go.btime_ms, black->left_ns < 1000000 ? 1 : black->left_ns / 1000000);
            set_number(&go, UCI_GO_BINC, &go.binc_ms, black->tc.inc_ms);
        }
        if (own->moves_to_go) set_number(&go, UCI_GO_MOVESTOGO, &go.movestogo, own->moves_to_go);
    }
    if (own->tc.movetime_ms) set_number(&go, UCI_GO_MOVETIME, &go.movetime_ms, own->tc.movetime_ms);
    if (own->tc.depth) set_number(&go, UCI_GO_DEPTH, &go.depth, own->tc.depth);
    if (own->tc.nodes) set_number(&go, UCI_GO_NODES, &go.nodes, own->tc.nodes);
    return go;
}

static Score score_of(UciScore score)
{
    int64_t v = score.value;
    if (score.kind == UCI_SCORE_CP) return v > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : v < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : (Score)v;
    int64_t far = PLY_MAX / 2;
    if (v > 0) return score_mate_in((int)(v > far ? far : v) * 2 - 1);
    return score_mated_in((int)(v < -far ? far : -v) * 2);
}

static void note_info(const UciInfo *info, PlayerAnswer *answer)
{
    if (uci_info_has(info, UCI_INFO_MULTIPV) && info->multipv > 1) return;
    if (uci_info_has(info, UCI_INFO_NODES)) answer->nodes = (uint64_t)info->nodes;
    if (info->score.kind == UCI_SCORE_NONE) return;
    if (answer->has_score && info->score.bound != UCI_BOUND_EXACT) return; /* a bound says less than the last exact score */
    answer->score     = score_of(info->score);
    answer->has_score = true;
    if (uci_info_has(info, UCI_INFO_DEPTH)) answer->depth = info->depth > 9999 ? 9999 : (int)info->depth;
}

/* A line that begins with no legal move is as good as none. */
static void note_line(const UciInfo *info, const Position *pos, PlayerLines *lines)
{
    Str  pv = info->pv;
    Move move;
    if (info->score.bound != UCI_BOUND_EXACT || !move_from_uci(pos, str_next_token(&pv), &move, NULL)) return;
    player_lines_note(lines, uci_info_has(info, UCI_INFO_MULTIPV) ? info->multipv : 1, info->depth, move);
}

/* Reads up to `bestmove`. The view in `*best` lives until the next read. `self->at` is the position it thinks about. */
static ProcessStatus wait_bestmove(UciPlayer *self, int64_t deadline_ns, PlayerLines *lines, Str *best, PlayerAnswer *answer)
{
    for (;;) {
        Str           line;
        UciReply      reply;
        ProcessStatus status = process_read_line(&self->process, &line, deadline_ns);
        if (status != PROCESS_DONE) return status;
        uci_parse_reply(line, &reply, NULL);
        if (reply.kind == UCI_REPLY_INFO) note_info(&reply.info, answer);
        if (reply.kind == UCI_REPLY_INFO && lines) note_line(&reply.info, &self->at, lines);
        if (reply.kind == UCI_REPLY_BESTMOVE) {
            *best = reply.bestmove.move;
            return PROCESS_DONE;
        }
        if (self->process.read_ns > deadline_ns) return PROCESS_LATE; /* talk is no answer */
    }
}

/* Foreign text for a record of ours: short, printable, and no brace that would end a PGN comment. */
static void copy_printable(Str text, char out[24])
{
    size_t len = text.len < 20 ? text.len : 20;
    for (size_t i = 0; i < len; i++) {
        char c = text.ptr[i];
        out[i] = c < ' ' || c > '~' || c == '{' || c == '}' || c == '"' ? '?' : c;
    }
    memcpy(out + len, text.len > len ? "..." : "", text.len > len ? 4 : 1);
}

static bool read_move(const Position *pos, Str text, PlayerAnswer *answer)
{
    char shown[24];
    copy_printable(text, shown);
    if (uci_move_is_none(text) || text.len == 0)
        return player_fail(answer, PLAYER_ILLEGAL, "it answered 'bestmove%s%s' although there is a legal move",
                           text.len ? " " : "", shown);
    if (!move_from_uci(pos, text, &answer->move, NULL))
        return player_fail(answer, PLAYER_ILLEGAL, "'%s' is no legal move here", shown);
    return true;
}

static bool uci_think(Player *player, const Game *game, const PlayerGo *go, PlayerAnswer *answer)
{
    UciPlayer *self    = (UciPlayer *)player;
    UciCommand command = {.kind = UCI_CMD_GO, .go = go_of(go, position_side(&game->now))};
    bool       patient = go->limit_ns == INT64_MAX; /* no clock: only our patience ends the wait */
    Str        best;
    extend_line(self, game);
    buf_reset(&self->out);
    buf_append(&self->out, buf_str(&self->line));
    buf_append_char(&self->out, '\n');
    uci_write_command(&self->out, &command);
    process_drain(&self->process); /* a second bestmove for the last position must not pass for an answer to this one */

    int64_t start_ns = clock_now_ns();
    int64_t deadline = start_ns + (patient ? player->patience.think_ms * 1000000 : go->limit_ns);
    if (!send(self, deadline, "thinking", answer)) return false;
    ProcessStatus status = wait_bestmove(self, deadline, go->lines, &best, answer);
    bool          late   = status == PROCESS_LATE;
    if (late) {
        buf_reset(&self->out);
        buf_append(&self->out, STR("stop\n"));
        deadline = after_ms(player->patience.stop_ms);
        if (!send(self, deadline, "being told to stop", answer)) return false;
        status = wait_bestmove(self, deadline, go->lines, &best, answer);
    }
    answer->elapsed_ns = (status == PROCESS_DONE ? self->process.read_ns : clock_now_ns()) - start_ns;
    if (status != PROCESS_DONE) return fail_status(self, status, late ? "being told to stop" : "thinking", answer);
    if (late && patient)
        return player_fail(answer, PLAYER_STALLED, "no move within %lld s; does it know this kind of limit?",
                           (long long)(player->patience.think_ms / 1000));
    return read_move(&game->now, best, answer);
}

/* ---- ending ---- */

static void uci_rest(Player *player)
{
    UciPlayer *self = (UciPlayer *)player;
    if (!process_is_running(&self->process)) return;
    self->process.wake_fd = -1;
    process_write(&self->process, STR("stop\nquit\n"), after_ms(0)); /* whether it listens shows below */
    process_end(&self->process, after_ms(player->patience.quit_ms), NULL);
}

static void uci_interrupt(Player *player)
{
    const UciPlayer *self  = (const UciPlayer *)player;
    ssize_t          wrote = write(self->wake[1], "", 1); /* a full pipe is readable as well */
    (void)wrote;
}

static void uci_free(Player *player)
{
    UciPlayer *self = (UciPlayer *)player;
    close(self->wake[0]);
    close(self->wake[1]);
    buf_release(&self->out);
    buf_release(&self->line);
    free(self);
}

static const PlayerMethods uci_methods = {uci_begin_game, uci_think, uci_rest, uci_interrupt, uci_free};

Player *player_new_uci(Err *err)
{
    UciPlayer *self = calloc(1, sizeof *self);
    if (!self) {
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    if (pipe2(self->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        err_set_errno(err, ERR_IO, "cannot make a pipe (too many open files? lower --concurrency or raise `ulimit -n`)");
        free(self);
        return NULL;
    }
    self->base.methods = &uci_methods;
    return &self->base;
}

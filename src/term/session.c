/* session.c - the loop and the turns. See session.h. */
#include "term/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "engine/level.h"
#include "term/panel.h"
#include "term/session_state.h"
#include "term/think_view.h"

static const char *const side_names[COLORS] = {"White", "Black"};

/* ---- talking ---- */

void session_write(Session *s, Str text)
{
    pthread_mutex_lock(&s->lock);
    s->io->write(s->io->context, text);
    pthread_mutex_unlock(&s->lock);
}

static void write_format(Session *s, Ink ink, const char *format, va_list args)
{
    char text[1024];
    Buf  out = {0};
    vsnprintf(text, sizeof text, format, args);
    ink_append(&s->config.style, ink, str_from(text), &out);
    if (ink != INK_NORMAL) buf_append_char(&out, '\n');
    session_write(s, buf_str(&out));
    buf_release(&out);
}

void session_say(Session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_format(s, INK_NORMAL, format, args);
    va_end(args);
}

void session_say_ink(Session *s, Ink ink, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_format(s, ink, format, args);
    va_end(args);
}

void session_complain(Session *s, const Err *err)
{
    size_t len = strlen(err->text);
    bool   end = len > 0 && (err->text[len - 1] == '?' || err->text[len - 1] == '.');
    session_say_ink(s, INK_BAD, "%s%s", err->text, end ? "" : ".");
}

static void show_thought(void *context, const SearchInfo *info)
{
    Session *s    = context;
    Buf      line = {0}, out = {0};
    think_line_append(info, s->config.width, &line);
    ink_append(&s->config.style, INK_DIM, buf_str(&line), &out);
    buf_append_char(&out, '\n');
    session_write(s, buf_str(&out));
    buf_release(&line);
    buf_release(&out);
}

const char *session_name(const Session *s, Color side, char *out, size_t size)
{
    bool person = s->config.mode == MODE_MANUAL || (s->config.mode != MODE_WATCH && side == s->person);
    if (person) {
        snprintf(out, size, "%s", s->config.person_name);
    } else if (s->config.mode == MODE_RANDOM) {
        snprintf(out, size, "random mover");
    } else if (s->config.skill == SKILL_MAX) {
        snprintf(out, size, "Tabia, full strength");
    } else {
        snprintf(out, size, "Tabia, %s (%d)", level_name(s->config.skill), level_elo_of_skill(s->config.skill));
    }
    return out;
}

/* What is left on a clock now: the one of the side to move runs. */
static int64_t left_now(const Session *s, Color side)
{
    bool    runs = !session_over(s) && !s->paused && position_side(&s->game.now) == side;
    int64_t left = s->clocks[side].left_ns - (runs ? clock_now_ns() - s->turn_ns : 0);
    return left < 0 ? 0 : left;
}

void session_show(Session *s)
{
    char  names[COLORS][64];
    Buf   out         = {0};
    Panel panel       = {.game      = &s->game,
                         .flipped   = s->flipped,
                         .over      = session_over(s),
                         .names     = {session_name(s, WHITE, names[WHITE], sizeof names[WHITE]),
                                       session_name(s, BLACK, names[BLACK], sizeof names[BLACK])},
                         .has_clock = timecontrol_has_clock(&s->config.time),
                         .left_ns   = {left_now(s, WHITE), left_now(s, BLACK)}};
    panel.has_opening = names_of_game(s->names, &s->game, &panel.opening);
    buf_append_char(&out, '\n');
    panel_append(&panel, &s->config.style, &out);
    session_write(s, buf_str(&out));
    buf_release(&out);
    s->stale = false;
    if (session_over(s)) {
        session_say_ink(s, INK_BOLD, "%s: %s.", result_text(s->result), s->reason);
    } else if (position_in_check(&s->game.now)) {
        session_say_ink(s, INK_BAD, "Check!");
    }
}

TermEvent session_ask(Session *s, const char *prompt, int64_t deadline_ns, Str *line)
{
    session_say(s, "%s", prompt);
    TermEvent event = s->io->read_line(s->io->context, deadline_ns, line);
    if (event == TERM_LINE && s->io->echo) session_say(s, "%.*s\n", STR_ARGS(*line));
    if (event != TERM_LINE) session_say(s, "\n");
    return event;
}

/* ---- the game ---- */

bool session_person_moves(const Session *s)
{
    switch (s->config.mode) {
    case MODE_MANUAL: return true;
    case MODE_WATCH: return s->paused;
    default: return position_side(&s->game.now) == s->person;
    }
}

void session_end(Session *s, Result result, const char *reason)
{
    s->result = result;
    snprintf(s->reason, sizeof s->reason, "%s", reason);
    s->stale   = true;
    s->unsaved = s->game.plies > 0;
}

/* Draws that must be claimed are claimed by machines; a person at both sides is told that he may. */
static void note_end(Session *s)
{
    GameEnd end = game_end(&s->game);
    char    text[64];
    if (end == END_NONE) return;
    if (!game_end_is_automatic(end) && s->config.mode == MODE_MANUAL) {
        session_say_ink(s, INK_ACCENT, "A draw may be claimed (%s): type draw.", game_end_text(end));
        return;
    }
    Result result = game_end_is_automatic(end) ? game_result(&s->game, end) : RESULT_DRAW;
    if (end == END_CHECKMATE) {
        snprintf(text, sizeof text, "%s wins by checkmate", side_names[result == RESULT_WHITE_WINS ? WHITE : BLACK]);
    } else {
        snprintf(text, sizeof text, "a draw by %s", game_end_text(end));
    }
    session_end(s, result, text);
}

/* Out of time loses, unless the other side could not mate even with the worst play. */
static void lose_on_time(Session *s, Color side)
{
    Color other = color_flip(side);
    bool  bare  = !bb_more_than_one(s->game.now.colors[other]);
    char  text[64];
    snprintf(text, sizeof text, "%s ran out of time%s", side_names[side], bare ? ", but a bare king cannot win" : "");
    session_end(s, bare ? RESULT_DRAW : other == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS, text);
}

void session_play(Session *s, Move move)
{
    Color   side    = position_side(&s->game.now);
    int64_t elapsed = clock_now_ns() - s->turn_ns;
    if (timecontrol_has_clock(&s->config.time)) {
        if (elapsed > clock_allowed_ns(&s->clocks[side])) {
            lose_on_time(s, side);
            return;
        }
        clock_spend(&s->clocks[side], elapsed);
    }
    if (!game_play(&s->game, move)) {
        session_say_ink(s, INK_BAD, "There is no memory for more moves.");
        return;
    }
    s->turn_ns = clock_now_ns();
    s->stale   = true;
    s->unsaved = true;
    note_end(s);
}

static void begin_turns(Session *s)
{
    for (Color c = WHITE; c <= BLACK; c++) clock_start(&s->clocks[c], &s->config.time);
    s->result    = RESULT_UNKNOWN;
    s->reason[0] = '\0';
    s->paused    = false;
    s->stale     = true;
    s->unsaved   = false;
    s->file      = (GameFile){0};
    s->turn_ns   = clock_now_ns();
    engine_new_game(thinker_engine(s->thinker));
    note_end(s);
    s->unsaved = false;
}

void session_restart(Session *s, const Position *start)
{
    session_save_quietly(s);
    game_reset(&s->game, start);
    begin_turns(s);
}

void session_adopt(Session *s, Game *game)
{
    session_save_quietly(s);
    game_release(&s->game);
    s->game = *game;
    *game   = (Game){0};
    begin_turns(s);
}

/* ---- saving ---- */

void session_write_pgn(Session *s, Buf *out)
{
    char     names[COLORS][64], control[TIMECONTROL_TEXT_SIZE];
    GameTags tags = {.white       = session_name(s, WHITE, names[WHITE], sizeof names[WHITE]),
                     .black       = session_name(s, BLACK, names[BLACK], sizeof names[BLACK]),
                     .date        = s->config.date,
                     .termination = session_over(s) ? s->reason : "unterminated",
                     .result      = s->result};
    if (timecontrol_has_clock(&s->config.time)) {
        timecontrol_text(&s->config.time, control);
        tags.time_control = control;
    }
    if (!game_to_pgn(&s->game, &tags, out)) out->failed = true;
}

bool session_save(Session *s, const char *path, Err *err)
{
    Buf pgn = {0};
    session_write_pgn(s, &pgn);
    bool ok = pgn.failed ? err_set(err, ERR_MEMORY, 0, "no memory to write the game")
                         : game_file_save(&s->file, path, buf_str(&pgn), err);
    buf_release(&pgn);
    if (ok) s->unsaved = false;
    return ok;
}

void session_save_quietly(Session *s)
{
    Err         err;
    const char *path = s->file.path[0] ? s->file.path : s->config.save_path;
    char        copy[GAME_FILE_PATH];
    if (!s->unsaved || s->game.plies == 0 || !path) return;
    snprintf(copy, sizeof copy, "%s", path);
    if (session_save(s, copy, &err)) {
        session_say_ink(s, INK_DIM, "The game is saved in %s.", copy);
    } else {
        s->save_failed = true;
        session_say_ink(s, INK_BAD, "The game could not be saved: %s.", err.text);
    }
}

/* ---- machines ---- */

static bool set_option(Session *s, const char *name, int64_t value, Err *err)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return engine_set_option(thinker_engine(s->thinker), str_from(name), str_from(text), err);
}

static void set_check(Session *s, const char *name, bool value)
{
    engine_set_option(thinker_engine(s->thinker), str_from(name), value ? STR("true") : STR("false"), NULL);
}

static GoLimits limits_of(const Session *s)
{
    enum { DEFAULT_MS = 3000 };
    const TimeControl *tc     = &s->config.time;
    GoLimits           limits = {.depth = tc->depth, .nodes = tc->nodes, .move_time_ms = tc->movetime_ms};
    if (timecontrol_has_clock(tc)) {
        Color us = position_side(&s->game.now);
        for (Color c = WHITE; c <= BLACK; c++) {
            limits.has_time[c] = true;
            limits.time_ms[c]  = left_now(s, c) / 1000000;
            limits.inc_ms[c]   = tc->inc_ms;
        }
        limits.moves_to_go = s->clocks[us].moves_to_go;
    } else if (!timecontrol_is_set(tc)) {
        limits.move_time_ms = DEFAULT_MS;
    }
    return limits;
}

static Move random_move(Session *s)
{
    MoveList legal;
    movegen_legal(&s->game.now, &legal);
    return legal.moves[rng_below(&s->rng, (uint64_t)legal.count)];
}

void session_machine_move(Session *s, bool random)
{
    char         san[SAN_SIZE];
    SearchResult result = {.best = MOVE_NONE};
    Position     before = s->game.now;
    if (random) {
        result.best = random_move(s);
    } else {
        Err      err;
        GoLimits limits = limits_of(s);
        set_option(s, "Skill Level", s->config.skill, NULL);
        ThinkStatus status = thinker_think(s->thinker, s->io, &s->game, &limits, s->lines, &result, &err);
        if (status == THINK_FAILED) session_say_ink(s, INK_BAD, "The engine cannot think: %s.", err.text);
        if (status == THINK_FAILED || status == THINK_LEAVE) s->quit = true;
        if (status == THINK_INTERRUPTED && s->config.mode == MODE_WATCH) s->paused = true;
    }
    if (s->quit || result.best == MOVE_NONE) return;
    move_to_san(&before, result.best, san);
    session_say(s, "%s plays %u%s %s%s\n", side_names[before.side], before.fullmove, before.side == WHITE ? "." : "...", san,
                !random && result.depth == 0 ? " (book)" : "");
    session_play(s, result.best);
}

bool session_consult(Session *s, bool lines, SearchResult *out)
{
    enum { CONSULT_MS = 1500 };
    Err      err;
    GoLimits limits = {.move_time_ms = CONSULT_MS};
    if (s->config.time.depth || s->config.time.nodes)
        limits = (GoLimits){.depth = s->config.time.depth, .nodes = s->config.time.nodes};
    set_check(s, "UCI_AnalyseMode", true); /* full strength, no book */
    ThinkStatus status = thinker_think(s->thinker, s->io, &s->game, &limits, lines, out, &err);
    set_check(s, "UCI_AnalyseMode", false);
    if (status == THINK_LEAVE) s->quit = true;
    if (status == THINK_FAILED) session_say_ink(s, INK_BAD, "The engine cannot think: %s.", err.text);
    return (status == THINK_DONE || status == THINK_INTERRUPTED) && out->best != MOVE_NONE;
}

/* ---- turns ---- */

static void person_turn(Session *s)
{
    Str   line;
    char  prompt[80];
    Color side = position_side(&s->game.now);
    bool  runs = timecontrol_has_clock(&s->config.time) && !session_over(s) && !s->paused;
    if (session_over(s)) {
        snprintf(prompt, sizeof prompt, "new, undo, pgn, save or quit> ");
    } else if (s->paused) {
        snprintf(prompt, sizeof prompt, "paused; Enter goes on> ");
    } else {
        snprintf(prompt, sizeof prompt, "%s, move %u> ", side_names[side], s->game.now.fullmove);
    }
    switch (session_ask(s, prompt, runs ? s->turn_ns + clock_allowed_ns(&s->clocks[side]) : INT64_MAX, &line)) {
    case TERM_LINE: session_do(s, line); break;
    case TERM_INTERRUPT: session_say_ink(s, INK_DIM, "Type quit (or press Ctrl-D) to leave; the game will be saved."); break;
    case TERM_TIMEOUT: lose_on_time(s, side); break;
    default: s->quit = true;
    }
}

static void run(Session *s)
{
    while (!s->quit) {
        bool person = session_over(s) || session_person_moves(s);
        /* Before a machine's answer to a person the board would be out of date in a moment. */
        if (s->stale && (person || s->config.mode == MODE_WATCH || s->game.plies == 0)) session_show(s);
        if (person) {
            person_turn(s);
        } else {
            session_machine_move(s, s->config.mode == MODE_RANDOM);
        }
        /* Nobody is there to type anything after a game that was only watched. */
        if (session_over(s) && s->config.mode == MODE_WATCH) {
            session_show(s);
            s->quit = true;
        }
    }
    session_save_quietly(s);
    session_say(s, "Goodbye.\n");
}

static bool begin(Session *s, Err *err)
{
    const ThinkerListener listener = {.context = s, .show = show_thought};
    s->thinker                     = thinker_new(&listener, err);
    s->names                       = names_new(err);
    if (!s->thinker || !s->names) return false;
    if (!game_init(&s->game, &s->config.start)) return err_set(err, ERR_MEMORY, 0, "no memory for a game");
    if (!set_option(s, "Threads", s->config.threads, err) || !set_option(s, "Hash", s->config.hash_mb, err)) return false;
    set_check(s, "OwnBook", s->config.book);
    set_check(s, "UCI_Chess960", s->config.start.chess960);
    if (s->config.seed) set_option(s, "Seed", (int64_t)(s->config.seed & INT32_MAX), NULL);
    s->rng     = rng_seeded(s->config.seed ? s->config.seed : (uint64_t)clock_now_ns());
    s->person  = s->config.person;
    s->flipped = s->config.mode != MODE_MANUAL && s->config.mode != MODE_WATCH && s->person == BLACK;
    s->lines   = s->config.lines;
    begin_turns(s);
    return true;
}

bool session_run(const SessionConfig *config, const TermIo *io, bool *saved, Err *err)
{
    Session s = {.config = *config, .io = io};
    pthread_mutex_init(&s.lock, NULL);
    bool ok = begin(&s, err);
    if (ok) run(&s);
    *saved = !s.save_failed;
    thinker_free(s.thinker);
    names_free(s.names);
    game_release(&s.game);
    pthread_mutex_destroy(&s.lock);
    return ok;
}

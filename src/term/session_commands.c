/* session_commands.c - what is typed at the board, done. See session_state.h. */
#include <stdio.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "engine/level.h"
#include "eval/eval_print.h"
#include "term/move_input.h"
#include "term/session_state.h"
#include "term/think_view.h"

static const char *const side_names[COLORS] = {"White", "Black"};

/* ---- moves ---- */

static void do_move(Session *s, Str text)
{
    Err       err;
    Str       answer;
    MoveInput input = move_input_read(&s->game.now, text, &err);
    if (input.status == MOVE_INPUT_BAD) {
        session_complain(s, &err);
        return;
    }
    while (input.status == MOVE_INPUT_ASK) {
        if (session_ask(s, "Promote to queen, rook, bishop or knight? [queen] ", INT64_MAX, &answer) != TERM_LINE) {
            session_say_ink(s, INK_DIM, "The move is not played.");
            return;
        }
        PieceType type = move_input_promotion(answer);
        if (type == NO_TYPE) continue;
        input = (MoveInput){MOVE_INPUT_OK, move_make_promotion(move_from(input.move), move_to(input.move), type)};
    }
    session_play(s, input.move);
}

static void do_moves(Session *s, Str argument)
{
    Square   from = square_from_text(argument);
    Buf      out  = {0};
    MoveList legal;
    size_t   column = 0, shown = 0;
    movegen_legal(&s->game.now, &legal);
    for (int i = 0; i < legal.count; i++) {
        char san[SAN_SIZE];
        if (argument.len && move_from(legal.moves[i]) != from) continue;
        size_t len  = move_to_san(&s->game.now, legal.moves[i], san);
        bool   wrap = column + 1 + len > s->config.width;
        if (shown++) buf_append_char(&out, wrap ? '\n' : ' ');
        column = wrap || shown == 1 ? len : column + 1 + len;
        buf_append(&out, (Str){san, len});
    }
    if (!shown) buf_printf(&out, argument.len ? "No man on %.*s can move." : "There is no legal move.", STR_ARGS(argument));
    buf_append_char(&out, '\n');
    session_write(s, buf_str(&out));
    buf_release(&out);
}

/* Back to the person's last turn; where a person makes every move, by one move. */
static void do_undo(Session *s)
{
    bool   both = s->config.mode == MODE_MANUAL || s->config.mode == MODE_WATCH;
    Color  side = position_side(&s->game.now);
    size_t back = both ? 1 : side == s->person ? 2 : 1;
    if (s->game.plies < back) {
        session_say_ink(s, INK_BAD, "There is nothing to take back.");
        return;
    }
    for (size_t i = 0; i < back; i++) game_undo(&s->game);
    s->result    = RESULT_UNKNOWN;
    s->reason[0] = '\0';
    s->stale     = true;
    s->unsaved   = true;
    s->turn_ns   = clock_now_ns();
}

static void do_go(Session *s)
{
    if (session_over(s)) {
        session_say_ink(s, INK_BAD, "The game is over.");
        return;
    }
    if (s->config.mode == MODE_WATCH) {
        s->paused = false;
        return;
    }
    if (s->config.mode != MODE_MANUAL) s->person = color_flip(s->person);
    session_machine_move(s, s->config.mode == MODE_RANDOM);
}

/* ---- asking the engine ---- */

static void do_hint(Session *s)
{
    SearchResult result;
    char         san[SAN_SIZE];
    if (session_over(s)) {
        session_say_ink(s, INK_BAD, "The game is over.");
        return;
    }
    if (!session_consult(s, s->lines, &result)) return;
    move_to_san(&s->game.now, result.best, san);
    session_say_ink(s, INK_GOOD, "Hint: %s", san);
}

/* The groups of the table alone: their terms are indented. */
static void append_groups(Str table, Buf *out)
{
    while (table.len) {
        Str line = str_next_until(&table, '\n');
        if (line.len < 3 || line.ptr[0] != ' ' || line.ptr[2] == ' ') buf_printf(out, "%.*s\n", STR_ARGS(line));
    }
}

static void do_eval(Session *s, Str argument)
{
    SearchResult result;
    Buf          out = {0}, table = {0};
    Color        us = position_side(&s->game.now);
    if (!session_over(s) && session_consult(s, s->lines, &result)) {
        Wdl  wdl = centipawns_to_wdl(result.score, &s->game.now);
        char san[SAN_SIZE];
        move_to_san(&s->game.now, result.best, san);
        buf_append(&out, STR("The engine says "));
        score_append(us == WHITE ? result.score : -result.score, &out);
        buf_printf(&out, " (White wins %d %%, draws %d %%, loses %d %%) at depth %d; best is %s.\n",
                   (us == WHITE ? wdl.win : wdl.loss) / 10, wdl.draw / 10, (us == WHITE ? wdl.loss : wdl.win) / 10, result.depth,
                   san);
    }
    eval_print(&s->game.now, engine_network(thinker_engine(s->thinker)), &table);
    if (str_equal_nocase(argument, STR("all"))) {
        buf_append(&out, buf_str(&table));
    } else {
        append_groups(buf_str(&table), &out);
    }
    session_write(s, buf_str(&out));
    buf_release(&out);
    buf_release(&table);
}

static void do_level(Session *s, Str argument)
{
    Err  err;
    char name[64];
    if (argument.len && !level_from_text(argument, &s->config.skill, &err)) {
        session_complain(s, &err);
        return;
    }
    int skill = s->config.skill;
    snprintf(name, sizeof name, skill < SKILL_MAX ? "%s, about %d Elo" : "%s", level_name(skill), level_elo_of_skill(skill));
    session_say(s, "Level %d of %d: %s.\n", skill, SKILL_MAX, name);
}

/* ---- games ---- */

static void do_fen(Session *s, Str argument)
{
    Err      err;
    Position pos;
    char     fen[FEN_SIZE];
    if (!argument.len) {
        position_to_fen(&s->game.now, fen);
        session_say(s, "%s\n", fen);
    } else if (position_from_fen(argument, &pos, NULL, &err)) {
        pos.chess960 = pos.chess960 || s->config.start.chess960;
        session_restart(s, &pos);
    } else {
        session_say_ink(s, INK_BAD, "%s (at character %zu).", err.text, err.offset + 1);
    }
}

static void do_pgn(Session *s)
{
    Buf out = {0};
    session_write_pgn(s, &out);
    session_write(s, buf_str(&out));
    buf_release(&out);
}

static void do_save(Session *s, Str argument)
{
    Err  err;
    char path[GAME_FILE_PATH];
    Str  name = argument.len ? argument : str_from(s->config.save_path);
    if (!name.len || name.len >= sizeof path) {
        session_say_ink(s, INK_BAD, name.len ? "The name is too long." : "Which file? save FILE");
        return;
    }
    memcpy(path, name.ptr, name.len);
    path[name.len] = '\0';
    if (session_save(s, path, &err)) {
        session_say(s, "Saved in %s.\n", path);
    } else {
        session_complain(s, &err);
    }
}

static void do_load(Session *s, Str argument)
{
    Err      err;
    Game     game;
    uint64_t number = 1;
    char     path[GAME_FILE_PATH];
    size_t   space = argument.len;
    while (space > 0 && argument.ptr[space - 1] != ' ') space--;
    if (space > 0 && str_to_u64(str_skip(argument, space), &number)) argument = str_trim((Str){argument.ptr, space});
    if (!argument.len || number == 0) {
        session_say_ink(s, INK_BAD, "Which game? load FILE, or load FILE 3 for its third game.");
        return;
    }
    snprintf(path, sizeof path, "%.*s", STR_ARGS(argument));
    if (game_file_load(path, number, &game, &err)) {
        session_adopt(s, &game);
    } else {
        session_complain(s, &err);
    }
}

static void do_new(Session *s, Str argument)
{
    Color color = s->person;
    bool  white = str_equal_nocase(argument, STR("white")), black = str_equal_nocase(argument, STR("black"));
    if (argument.len && !white && !black) {
        session_say_ink(s, INK_BAD, "new, new white or new black.");
        return;
    }
    if (argument.len) color = black ? BLACK : WHITE;
    session_restart(s, &s->config.start);
    if (argument.len) s->flipped = color == BLACK;
    s->person = color;
}

static void do_resign(Session *s)
{
    char  text[64];
    Color loser = s->config.mode == MODE_MANUAL || s->config.mode == MODE_WATCH ? position_side(&s->game.now) : s->person;
    if (session_over(s)) {
        session_say_ink(s, INK_BAD, "The game is over.");
        return;
    }
    snprintf(text, sizeof text, "%s resigns", side_names[loser]);
    session_end(s, loser == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS, text);
}

/* The engine takes a draw when it is worse, or when a long game is level. */
static bool accepts_draw(Session *s)
{
    enum { WORSE = -60, LEVEL = 15, LONG_GAME = 40 };
    SearchResult result;
    if (s->config.mode != MODE_ENGINE) return true;
    if (!session_consult(s, false, &result)) return false;
    Score own = position_side(&s->game.now) == s->person ? -result.score : result.score;
    return own < WORSE || (own < LEVEL && s->game.now.fullmove >= LONG_GAME);
}

static void do_draw(Session *s)
{
    GameEnd end = game_end(&s->game);
    char    text[64];
    if (session_over(s)) {
        session_say_ink(s, INK_BAD, "The game is over.");
    } else if (end != END_NONE) {
        snprintf(text, sizeof text, "a draw by %s", game_end_text(end));
        session_end(s, RESULT_DRAW, text);
    } else if (accepts_draw(s)) {
        session_end(s, RESULT_DRAW, "a draw by agreement");
    } else if (!s->quit) {
        session_say(s, "The engine declines: it thinks it stands well enough.\n");
    }
}

static void do_help(Session *s)
{
    Buf out = {0};
    term_command_help(&out);
    session_write(s, buf_str(&out));
    buf_release(&out);
}

/* ---- the line ---- */

static void do_nothing(Session *s)
{
    if (s->paused) {
        s->paused = false;
        s->stale  = true;
    }
}

static void do_command(Session *s, const TermCommand *c)
{
    switch (c->kind) {
    case TERM_NOTHING: do_nothing(s); break;
    case TERM_MOVE:
        if (session_over(s)) {
            session_say_ink(s, INK_BAD, "The game is over; undo takes a move back, new begins another game.");
        } else {
            do_move(s, c->argument);
        }
        break;
    case TERM_UNDO: do_undo(s); break;
    case TERM_HINT: do_hint(s); break;
    case TERM_GO: do_go(s); break;
    case TERM_BOARD: s->stale = true; break;
    case TERM_FLIP:
        s->flipped = !s->flipped;
        s->stale   = true;
        break;
    case TERM_FEN: do_fen(s, c->argument); break;
    case TERM_PGN: do_pgn(s); break;
    case TERM_EVAL: do_eval(s, c->argument); break;
    case TERM_MOVES: do_moves(s, c->argument); break;
    case TERM_LINES:
        s->lines = !s->lines;
        session_say(s, "What the engine thinks is %s.\n", s->lines ? "shown" : "hidden");
        break;
    case TERM_LEVEL: do_level(s, c->argument); break;
    case TERM_SAVE: do_save(s, c->argument); break;
    case TERM_LOAD: do_load(s, c->argument); break;
    case TERM_NEW: do_new(s, c->argument); break;
    case TERM_RESIGN: do_resign(s); break;
    case TERM_DRAW: do_draw(s); break;
    case TERM_HELP: do_help(s); break;
    case TERM_QUIT: s->quit = true; break;
    case TERM_COMMANDS: break;
    }
}

void session_do(Session *s, Str line)
{
    TermCommand command;
    Err         err;
    if (term_command_parse(line, &command, &err)) {
        do_command(s, &command);
    } else {
        session_complain(s, &err);
    }
}

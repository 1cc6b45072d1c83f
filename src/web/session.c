/* session.c - see session.h. */
#include "web/session.h"

#include <stdio.h>

#include "base/clock.h"
#include "chess/movegen.h"
#include "engine/level.h"
#include "web/forms.h"
#include "web/hub.h"
#include "web/request.h"
#include "web/shelf.h"

const char *side_kind_text(SideKind kind)
{
    static const char *const texts[] = {"human", "engine", "random"};
    return texts[kind];
}

Color session_to_move(const Session *s)
{
    Color first = position_side(&s->tree.start);
    return s->tree.nodes[s->current].ply % 2 ? color_flip(first) : first;
}

bool session_is_over(const Session *s) { return s->tree.result != RESULT_UNKNOWN; }

int session_line_end(const Session *s)
{
    int end = tree_main_end(&s->tree);
    return s->current && tree_is_below(&s->tree, end, s->current) ? s->current : end;
}

/* ---- clocks ---- */

Color session_clock_running(const Session *s)
{
    bool both_moved = s->tree.nodes[s->current].ply >= 2;
    bool stands     = !s->has_time || session_is_over(s) || s->paused || s->dormant || !both_moved;
    return stands ? COLORS : session_to_move(s);
}

int64_t session_left_ms(const Session *s, Color color, int64_t now_ms)
{
    int64_t left = s->left_ms[color];
    if (session_clock_running(s) == color) left -= now_ms - s->turn_began_ms;
    return left > 0 ? left : 0;
}

/* The move of `color` is made: its time is taken off and the increment added. */
static void press_clock(Session *s, Color color, int64_t when_ms)
{
    if (session_clock_running(s) == color) s->left_ms[color] = session_left_ms(s, color, when_ms) + s->increment_ms;
    s->turn_began_ms = when_ms;
}

/* Time stops for everybody: what was used so far is taken off. */
static void hold_clocks(Session *s, int64_t now_ms)
{
    Color running = session_clock_running(s);
    if (running != COLORS) s->left_ms[running] = session_left_ms(s, running, now_ms);
    s->turn_began_ms = now_ms;
}

/* ---- changes ---- */

void session_changed(Session *s)
{
    s->revision++;
    session_write_tags(s);
    s->saved = shelf_save(s, NULL);
    if (s->channel.clients) {
        Buf        text = {0};
        JsonWriter w;
        json_init(&w, &text);
        form_game(&w, NULL, s);
        if (!text.failed) channel_send(&s->channel, "game", buf_str(&text));
        buf_release(&text);
    }
    hub_wake(s->hub);
}

/* Whoever is to move at `node` begins to think. */
static void begin_turn(Session *s, int node, int64_t when_ms)
{
    s->current       = node;
    s->turn          = ++s->jobs;
    s->turn_began_ms = when_ms;
    s->random_due_ms = clock_now_ms() + RANDOM_DELAY_MS;
    s->draw_offer    = COLORS;
}

void session_move_to(Session *s, int node)
{
    int64_t now = clock_now_ms();
    hold_clocks(s, now);
    begin_turn(s, node, now);
}

void session_finish(Session *s, Result result, const char *end)
{
    hold_clocks(s, clock_now_ms());
    s->tree.result = result;
    s->end         = end;
    s->turn        = ++s->jobs;
    s->draw_offer  = COLORS;
}

/* Whether the rules end the game here; a claim is made at once when a machine takes part. */
static void judge_end(Session *s)
{
    Game game;
    if (!tree_game(&s->tree, s->current, &game, NULL)) return;
    GameEnd end     = game_end(&game);
    bool    machine = s->sides[WHITE].kind != SIDE_HUMAN || s->sides[BLACK].kind != SIDE_HUMAN;
    if (end != END_NONE && (game_end_is_automatic(end) || machine))
        session_finish(s, game_result(&game, end), game_end_text(end));
    game_release(&game);
}

bool session_make_move(Session *s, Move move, TreeEval eval, int64_t when_ms, Err *err)
{
    Color side = session_to_move(s);
    int   node = tree_add(&s->tree, s->current, move, err);
    if (node == TREE_NONE) return false;
    Color offer = s->draw_offer;
    press_clock(s, side, when_ms);
    tree_make_main(&s->tree, node);
    if (eval.known) s->tree.nodes[node].eval = eval;
    s->paused = s->dormant = false;
    begin_turn(s, node, when_ms);
    if (offer == side) s->draw_offer = offer; /* an offer stands until the other side has moved */
    judge_end(s);
    session_changed(s);
    return true;
}

/* ---- time passes ---- */

/* Who cannot mate does not win by the clock. */
static void flag_falls(Session *s, Color side)
{
    Position pos;
    tree_position(&s->tree, s->current, &pos);
    Color winner     = color_flip(side);
    bool  bare       = !bb_more_than_one(pos.colors[winner]);
    s->left_ms[side] = 0;
    Result result    = winner == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
    session_finish(s, bare ? RESULT_DRAW : result, bare ? "time forfeit against a bare king" : "time forfeit");
    s->left_ms[side] = 0;
    session_changed(s);
}

static void play_random(Session *s, int64_t now_ms)
{
    Position pos;
    MoveList legal;
    Err      err;
    tree_position(&s->tree, s->current, &pos);
    movegen_legal(&pos, &legal);
    if (legal.count == 0) return;
    Move move = legal.moves[rng_below(&s->hub->rng, (uint64_t)legal.count)];
    if (!session_make_move(s, move, (TreeEval){0}, now_ms, &err)) {
        s->paused = true;
        session_changed(s);
    }
}

int64_t session_tick(Session *s, int64_t now_ms)
{
    int64_t next    = INT64_MAX;
    Color   running = session_clock_running(s);
    if (running != COLORS) {
        int64_t flag_ms = s->turn_began_ms + s->left_ms[running];
        if (now_ms >= flag_ms) {
            flag_falls(s, running);
            return now_ms;
        }
        next = flag_ms;
    }
    bool plays = !session_is_over(s) && !s->paused && !s->dormant;
    if (plays && s->sides[session_to_move(s)].kind == SIDE_RANDOM) {
        if (now_ms >= s->random_due_ms) {
            play_random(s, now_ms);
            return now_ms;
        }
        if (s->random_due_ms < next) next = s->random_due_ms;
    }
    for (int i = 0; i < SLOTS; i++) {
        int64_t due = slot_send_lines(&s->slots[i], now_ms);
        if (due < next) next = due;
    }
    return next;
}

/* ---- engines ---- */

static const Job no_job;

static const Job *player_job(const Session *s, Color color, Job *out)
{
    const Side *side    = &s->sides[color];
    bool        playing = !session_is_over(s) && !s->paused && !s->dormant && !s->deleted;
    if (!playing || side->kind != SIDE_ENGINE || session_to_move(s) != color) return &no_job;
    int64_t now       = clock_now_ms();
    out->kind         = JOB_ENGINE;
    out->number       = s->turn;
    out->node         = s->current;
    out->multipv      = 1;
    out->level        = side->level;
    out->option_count = 0;
    out->limits       = (GoLimits){0};
    if (s->has_time) {
        for (Color c = WHITE; c < COLORS; c++) {
            out->limits.has_time[c] = true;
            out->limits.time_ms[c]  = session_left_ms(s, c, now);
            out->limits.inc_ms[c]   = s->increment_ms;
        }
    } else {
        out->limits.move_time_ms = side->movetime_ms ? side->movetime_ms : MOVETIME_MS;
    }
    return out;
}

const Job *session_wanted(Session *s, int slot, Job *scratch)
{
    if (slot != SLOT_ANALYST) return player_job(s, (Color)slot, scratch);
    if (s->deleted) return &no_job;
    if (s->hint.number && s->hint.number != s->slots[slot].finished) return &s->hint;
    return s->analysis.number ? &s->analysis : &no_job;
}

/* The engine's move; none (it could not start, or the tree is full) stops the game, and nothing is lost. */
static void engine_moved(Session *s, const Slot *slot)
{
    Err      err;
    TreeEval eval = slot->line_count ? slot_eval(slot, slot->result.score) : (TreeEval){0}; /* the book gives no score */
    if (slot->result.best != MOVE_NONE && session_make_move(s, slot->result.best, eval, slot->done_ms, &err)) return;
    s->paused = true;
    session_changed(s);
}

void session_job_done(Session *s, Slot *slot)
{
    Buf text = {0};
    form_done(slot, &text);
    if (!text.failed) channel_send(&s->channel, "done", buf_str(&text));
    buf_release(&text);
    switch (slot->job.kind) {
    case JOB_ENGINE: engine_moved(s, slot); break;
    case JOB_HINT: request_answer_hint(s, slot); break;
    case JOB_ANALYSIS:
        if (slot->line_count && !slot->job.limits.move_count && tree_has(&s->tree, slot->job.node))
            s->tree.nodes[slot->job.node].eval = slot_eval(slot, slot->lines[0].info.score);
        s->analysis.number = 0;
        break;
    case JOB_THREAT: s->analysis.number = 0; break;
    case JOB_NONE: break;
    }
}

/* ---- tags ---- */

static void set_tag(Session *s, const char *name, const char *value)
{
    tree_set_tag(&s->tree, str_from(name), str_from(value), NULL);
}

/* What PGN has no tag for: kind, level and time of a side, in one. */
static void write_side(Session *s, Color color)
{
    const Side *side = &s->sides[color];
    char        text[64];
    const char *name = color == WHITE ? "WhitePlayer" : "BlackPlayer";
    snprintf(text, sizeof text, "%s %d %lld", side_kind_text(side->kind), side->level, (long long)side->movetime_ms);
    set_tag(s, name, side->kind == SIDE_HUMAN ? "" : text);
}

static void read_side(Session *s, Color color)
{
    Side *side = &s->sides[color];
    Str   rest = tree_tag(&s->tree, color == WHITE ? "WhitePlayer" : "BlackPlayer");
    Str   kind = str_next_token(&rest), level = str_next_token(&rest);
    *side = (Side){.level = SKILL_MAX};
    for (SideKind k = SIDE_HUMAN; k < SIDE_KINDS; k++) {
        if (str_equal(kind, str_from(side_kind_text(k)))) side->kind = k;
    }
    str_to_int(level, 0, SKILL_MAX, &side->level);
    if (!str_to_i64(str_next_token(&rest), &side->movetime_ms) || side->movetime_ms < 0) side->movetime_ms = 0;
}

/* How much of the main line was played, where analysis goes on beyond it. */
static void write_played(Session *s)
{
    char text[16] = "";
    int  end      = tree_main_end(&s->tree);
    if (s->current != end && tree_is_below(&s->tree, end, s->current))
        snprintf(text, sizeof text, "%d", s->tree.nodes[s->current].ply);
    set_tag(s, "PlayedPlies", text);
}

static void read_played(Session *s)
{
    int plies = 0, node = 0;
    if (!str_to_int(tree_tag(&s->tree, "PlayedPlies"), 0, TREE_NODES_MAX, &plies)) return;
    while (s->tree.nodes[node].ply < plies && s->tree.nodes[node].first_child != TREE_NONE)
        node = s->tree.nodes[node].first_child;
    s->current = node;
}

void session_write_tags(Session *s)
{
    char    text[64];
    int64_t now = clock_now_ms();
    write_side(s, WHITE);
    write_side(s, BLACK);
    set_tag(s, "Result", result_text(s->tree.result));
    set_tag(s, "Termination", s->end ? s->end : "");
    write_played(s);
    if (!s->has_time) return;
    snprintf(text, sizeof text, "%g+%g", (double)s->base_ms / 1000.0, (double)s->increment_ms / 1000.0);
    set_tag(s, "TimeControl", text);
    snprintf(text, sizeof text, "%lld %lld", (long long)session_left_ms(s, WHITE, now),
             (long long)session_left_ms(s, BLACK, now));
    set_tag(s, "ClocksMs", text);
}

static const char *known_end(Str text)
{
    static const char *const others[] = {"resignation", "agreement", "time forfeit", "time forfeit against a bare king"};
    for (GameEnd end = END_CHECKMATE; end <= END_THREEFOLD_REPETITION; end++) {
        if (str_equal(text, str_from(game_end_text(end)))) return game_end_text(end);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (str_equal(text, str_from(others[i]))) return others[i];
    }
    return NULL;
}

void session_read_tags(Session *s)
{
    double base, increment = 0;
    read_side(s, WHITE);
    read_side(s, BLACK);
    read_played(s);
    s->end      = session_is_over(s) ? known_end(tree_tag(&s->tree, "Termination")) : NULL;
    Str control = tree_tag(&s->tree, "TimeControl"), clocks = tree_tag(&s->tree, "ClocksMs");
    Str first = str_next_until(&control, '+');
    if (!clocks.len || !str_to_double(first, &base) || !(base >= 0 && base < 1e6))
        return; /* a game of others: nothing to go on with */
    if (control.len && (!str_to_double(control, &increment) || !(increment >= 0 && increment < 1e6))) return;
    int64_t left[COLORS];
    for (Color c = WHITE; c < COLORS; c++) {
        if (!str_to_i64(str_next_token(&clocks), &left[c]) || left[c] < 0) return;
    }
    s->has_time     = true;
    s->base_ms      = (int64_t)(base * 1000 + 0.5);
    s->increment_ms = (int64_t)(increment * 1000 + 0.5);
    memcpy(s->left_ms, left, sizeof left);
}

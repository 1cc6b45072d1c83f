/* api_play.c - a game being played: positions, moves, takebacks, ends. Handlers: see request.h. */
#include "base/clock.h"
#include "chess/notation.h"
#include "web/forms.h"
#include "web/players.h"
#include "web/request.h"

void api_look(Request *r)
{
    const char *text = request_query(r, "node");
    Session    *s    = r->session;
    int         node = s->current;
    Game        game;
    if (text && (!str_to_int(str_from(text), 0, TREE_NODES_MAX, &node) || !tree_has(&s->tree, node))) {
        request_fail(r, 404, "no_node", "this game has no such move in its tree");
        return;
    }
    if (!tree_game(&s->tree, node, &game, NULL)) {
        request_fail(r, 500, "no_memory", "not enough memory");
        return;
    }
    JsonWriter w;
    request_begin(r, 200, &w);
    json_begin_object(&w, NULL);
    json_i64(&w, "node", node);
    form_look(&w, r->hub, &game.now, s->tree.nodes[node].move, game_end(&game));
    json_end_object(&w);
    game_release(&game);
}

/* ---- moves ---- */

bool request_read_move(const Position *pos, Str text, Move *out, Err *err)
{
    char   word[16];
    size_t len = 0;
    if (text.len > 64) return err_set(err, ERR_SYNTAX, 0, "this is too long to be a move");
    for (size_t i = 0; i < text.len && len < sizeof word; i++) {
        if (!char_is_space(text.ptr[i])) word[len++] = text.ptr[i];
    }
    if (len == 0) return err_set(err, ERR_SYNTAX, 0, "give a move, for example e2e4 or Nf3");
    if (move_from_san(pos, (Str){word, len}, out, err)) return true;
    Err ignored; /* castling as the king's two steps, onto the rook */
    return move_from_uci(pos, (Str){word, len}, out, &ignored);
}

static void answer_move(Request *r, int node)
{
    JsonWriter w;
    request_begin(r, 200, &w);
    json_begin_object(&w, NULL);
    json_i64(&w, "node", node);
    form_game(&w, "game", r->session);
    json_end_object(&w);
}

/* Adds a move to the tree without playing it: analysis. */
static void add_variation(Request *r, int node, Move move)
{
    Err err;
    int child = tree_add(&r->session->tree, node, move, &err);
    if (child == TREE_NONE) {
        request_fail_err(r, 409, "tree_full", &err);
        return;
    }
    session_changed(r->session);
    answer_move(r, child);
}

void api_move(Request *r)
{
    Session *s    = r->session;
    int      node = s->current;
    Str      text = {0};
    Position pos;
    Move     move     = MOVE_NONE;
    Err      err      = {0};
    bool     analysis = false;
    if (!request_text(r, "move", &text) || !request_node(r, "node", &node) || !request_bool(r, "analysis", &analysis)) return;
    tree_position(&s->tree, node, &pos);
    if (!request_read_move(&pos, text, &move, &err)) {
        request_fail_err(r, 422, "bad_move", &err);
        return;
    }
    bool is_turn = !analysis && node == s->current && !session_is_over(s);
    bool machine = s->sides[session_to_move(s)].kind != SIDE_HUMAN;
    if (is_turn && machine && !s->paused && !s->dormant) {
        request_fail(r, 409, "not_your_turn", "it is the %s's turn", side_kind_text(s->sides[session_to_move(s)].kind));
    } else if (!is_turn || machine) {
        add_variation(r, node, move);
    } else if (!session_make_move(s, move, (TreeEval){0}, clock_now_ms(), &err)) {
        request_fail_err(r, 409, "tree_full", &err);
    } else {
        answer_move(r, s->current);
    }
}

/* ---- takeback ---- */

/* The node before the last move of a person; with two people (or two machines), before the last move. */
static int takeback_target(const Session *s)
{
    const TreeNode *nodes = s->tree.nodes;
    int             node  = nodes[s->current].parent;
    bool            mixed = (s->sides[WHITE].kind == SIDE_HUMAN) != (s->sides[BLACK].kind == SIDE_HUMAN);
    if (!mixed || node == TREE_NONE) return node;
    bool person_moved = s->sides[color_flip(session_to_move(s))].kind == SIDE_HUMAN;
    return person_moved ? node : nodes[node].parent;
}

void api_takeback(Request *r)
{
    Session *s      = r->session;
    int      target = takeback_target(s);
    if (target == TREE_NONE) {
        request_fail(r, 409, "nothing_to_take_back", "there is no move to take back");
        return;
    }
    int gone = s->current;
    while (s->tree.nodes[gone].parent != target) gone = s->tree.nodes[gone].parent;
    bool machines = s->sides[WHITE].kind != SIDE_HUMAN && s->sides[BLACK].kind != SIDE_HUMAN;
    session_move_to(s, target);
    if (s->analysis.number && tree_is_below(&s->tree, s->analysis.node, gone)) s->analysis.number = 0;
    if (s->hint.number && tree_is_below(&s->tree, s->hint.node, gone)) request_refuse_hint(s);
    tree_delete(&s->tree, gone);
    s->tree.result = RESULT_UNKNOWN;
    s->end         = NULL;
    if (machines) s->paused = true;
    session_changed(s);
    request_game(r, 200);
}

/* ---- ends ---- */

/* The side a request speaks for: the one it names, else the only person, else whoever is to move. */
static bool read_color(Request *r, Color *out)
{
    const Session *s    = r->session;
    Str            text = {0};
    *out                = session_to_move(s);
    if (s->sides[WHITE].kind == SIDE_HUMAN && s->sides[BLACK].kind != SIDE_HUMAN) *out = WHITE;
    if (s->sides[BLACK].kind == SIDE_HUMAN && s->sides[WHITE].kind != SIDE_HUMAN) *out = BLACK;
    if (!request_text(r, "side", &text)) return false;
    if (str_equal(text, STR("white"))) *out = WHITE;
    if (str_equal(text, STR("black"))) *out = BLACK;
    if (!text.len || str_equal(text, STR("white")) || str_equal(text, STR("black"))) return true;
    request_fail(r, 422, "bad_value", "side is white or black");
    return false;
}

static bool still_plays(Request *r)
{
    if (!session_is_over(r->session)) return true;
    request_fail(r, 409, "game_over", "the game is over: %s", result_text(r->session->tree.result));
    return false;
}

void api_resign(Request *r)
{
    Color side;
    if (!read_color(r, &side) || !still_plays(r)) return;
    session_finish(r->session, side == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS, "resignation");
    session_changed(r->session);
    request_game(r, 200);
}

/* An engine takes a draw when it stands worse, or when its last moves found nothing and the opening is over. */
static bool engine_accepts(const Session *s, Color engine)
{
    enum { WORSE = -30, NOTHING = 20, MOVES = 3, OPENING_PLIES = 20 };
    const TreeNode *nodes = s->tree.nodes;
    int             calm = 0, node = s->current, sign = engine == WHITE ? 1 : -1;
    Color           mover = color_flip(session_to_move(s));
    for (bool last = true; node > 0 && calm < MOVES; node = nodes[node].parent, mover = color_flip(mover)) {
        if (mover != engine) continue;
        TreeEval eval = nodes[node].eval;
        if (!eval.known) return false;
        int value = eval.is_mate ? eval.value * sign * 10000 : eval.value * sign;
        if (last && value <= WORSE) return true;
        if (value > NOTHING) return false;
        last = false;
        calm++;
    }
    return calm == MOVES && nodes[s->current].ply >= OPENING_PLIES;
}

/* What a player may claim, or what both want, ends the game; else the offer stands or is declined. */
static bool draw_is_agreed(Session *s, Color side, const char **how)
{
    Game  game;
    Color other = color_flip(side);
    *how        = "agreement";
    if (tree_game(&s->tree, s->current, &game, NULL)) {
        GameEnd end = game_end(&game);
        game_release(&game);
        if (end == END_THREEFOLD_REPETITION || end == END_FIFTY_MOVES) {
            *how = game_end_text(end);
            return true;
        }
    }
    if (s->draw_offer == other) return true;
    if (s->sides[other].kind == SIDE_RANDOM) return true; /* it does not care */
    return s->sides[other].kind == SIDE_ENGINE && engine_accepts(s, other);
}

void api_draw(Request *r)
{
    Session    *s = r->session;
    Color       side;
    const char *how;
    if (!read_color(r, &side) || !still_plays(r)) return;
    bool agreed = draw_is_agreed(s, side, &how);
    if (agreed) {
        session_finish(s, RESULT_DRAW, how);
    } else if (s->sides[color_flip(side)].kind == SIDE_HUMAN) {
        s->draw_offer = side;
    }
    session_changed(s);
    JsonWriter w;
    request_begin(r, 200, &w);
    json_begin_object(&w, NULL);
    json_bool(&w, "accepted", agreed);
    form_game(&w, "game", s);
    json_end_object(&w);
}

/* ---- who plays ---- */

void api_play(Request *r)
{
    Session *s = r->session;
    Players  players;
    Game     game;
    players_reset(&players);
    if (!players_read(r, &players)) return;
    GameEnd end = END_NONE;
    if (tree_game(&s->tree, s->current, &game, NULL)) {
        end = game_end(&game);
        game_release(&game);
    }
    if (game_end_is_automatic(end)) {
        request_fail(r, 409, "game_over", "there is nothing left to play here: %s", game_end_text(end));
        return;
    }
    session_move_to(s, s->current);
    players_apply(&players, s);
    s->tree.result = RESULT_UNKNOWN;
    s->end         = NULL;
    s->paused = s->dormant = false;
    session_changed(s);
    request_game(r, 200);
}

void api_pause(Request *r)
{
    Session *s = r->session;
    session_move_to(s, s->current);
    s->paused = true;
    session_changed(s);
    request_game(r, 200);
}

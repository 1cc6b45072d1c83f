/* forms.c - see forms.h. */
#include "web/forms.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "web/hub.h"

static const char *color_text(Color color) { return color == WHITE ? "white" : "black"; }

static void text_or_null(JsonWriter *w, const char *key, const char *text)
{
    if (text) {
        json_str(w, key, str_from(text));
    } else {
        json_none(w, key);
    }
}

static void color_or_null(JsonWriter *w, const char *key, Color color)
{
    text_or_null(w, key, color == COLORS ? NULL : color_text(color));
}

TreeEval eval_from_score(Score score, Color side)
{
    int sign = side == WHITE ? 1 : -1;
    if (score_is_mate(score)) return (TreeEval){true, true, sign * score_mate_moves(score)};
    return (TreeEval){true, false, sign * score};
}

TreeEval slot_eval(const Slot *slot, Score score) { return eval_from_score(score, position_side(&slot->root)); }

void form_eval(JsonWriter *w, const char *key, TreeEval eval)
{
    json_begin_object(w, key);
    json_i64(w, eval.is_mate ? "mate" : "cp", eval.value);
    json_end_object(w);
}

static void form_opening(JsonWriter *w, const Hub *hub, const Position *pos)
{
    OpeningName name;
    if (!hub_opening(hub, pos, &name)) return;
    json_begin_object(w, "opening");
    json_str(w, "eco", name.code);
    json_str(w, "name", name.name);
    json_end_object(w);
}

static void json_fen(JsonWriter *w, const char *key, const Position *pos)
{
    char fen[FEN_SIZE];
    json_str(w, key, (Str){fen, position_to_fen(pos, fen)});
}

static void json_move(JsonWriter *w, const Position *pos, Move move)
{
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE];
    json_str(w, "uci", (Str){uci, move_to_uci(pos, move, uci)});
    json_str(w, "san", (Str){san, move_to_san(pos, move, san)});
}

/* ---- games ---- */

static void form_side(JsonWriter *w, const Session *s, Color color)
{
    const Side *side = &s->sides[color];
    Str         name = tree_tag(&s->tree, color == WHITE ? "White" : "Black");
    json_begin_object(w, color_text(color));
    json_str(w, "kind", str_from(side_kind_text(side->kind)));
    json_str(w, "name", name);
    if (side->kind == SIDE_ENGINE) {
        json_i64(w, "level", side->level);
        if (side->movetime_ms) json_i64(w, "movetime_ms", side->movetime_ms);
    }
    json_end_object(w);
}

static void form_clocks(JsonWriter *w, const Session *s)
{
    if (!s->has_time) {
        json_none(w, "time");
        json_none(w, "clock");
        return;
    }
    int64_t now = clock_now_ms();
    json_begin_object(w, "time");
    json_i64(w, "base_ms", s->base_ms);
    json_i64(w, "increment_ms", s->increment_ms);
    json_end_object(w);
    json_begin_object(w, "clock");
    json_i64(w, "white_ms", session_left_ms(s, WHITE, now));
    json_i64(w, "black_ms", session_left_ms(s, BLACK, now));
    color_or_null(w, "running", session_clock_running(s));
    json_end_object(w);
}

static void form_node(JsonWriter *w, const Session *s, int id, const Position *before, const Position *pos)
{
    const TreeNode *nodes = s->tree.nodes, *node = &nodes[id];
    json_begin_object(w, NULL);
    json_i64(w, "id", id);
    if (node->parent == TREE_NONE) {
        json_none(w, "parent");
    } else {
        json_i64(w, "parent", node->parent);
    }
    json_i64(w, "ply", node->ply);
    if (before) json_move(w, before, node->move);
    json_fen(w, "fen", pos);
    json_bool(w, "check", position_in_check(pos));
    json_begin_array(w, "nags");
    for (int i = 0; i < node->nag_count; i++) json_i64(w, NULL, node->nags[i]);
    json_end_array(w);
    json_str(w, "comment", str_from(node->comment ? node->comment : ""));
    json_begin_array(w, "children");
    for (int i = node->first_child; i != TREE_NONE; i = nodes[i].next_sibling) json_i64(w, NULL, i);
    json_end_array(w);
    if (node->eval.known) form_eval(w, "eval", node->eval);
    form_opening(w, s->hub, pos);
    json_end_object(w);
}

/* Parents come before their children, so one pass over the nodes makes every position once. */
static void form_nodes(JsonWriter *w, const Session *s)
{
    const MoveTree *tree      = &s->tree;
    Position       *positions = calloc((size_t)tree->count, sizeof *positions);
    if (!positions) w->out->failed = true;
    json_begin_array(w, "nodes");
    for (int i = 0; positions && i < tree->count; i++) {
        const TreeNode *node = &tree->nodes[i];
        if (node->deleted) continue;
        const Position *before = node->parent == TREE_NONE ? NULL : &positions[node->parent];
        if (!before) {
            positions[i] = tree->start;
        } else if (node->move == MOVE_NONE) {
            position_play_null(before, &positions[i]);
        } else {
            position_play(before, node->move, &positions[i]);
        }
        form_node(w, s, i, before, &positions[i]);
    }
    json_end_array(w);
    free(positions);
}

void form_game(JsonWriter *w, const char *key, const Session *s)
{
    json_begin_object(w, key);
    json_str(w, "id", str_from(s->id));
    json_str(w, "game", str_from(s->id));
    json_u64(w, "revision", s->revision);
    form_side(w, s, WHITE);
    form_side(w, s, BLACK);
    json_str(w, "result", str_from(result_text(s->tree.result)));
    text_or_null(w, "end", s->end);
    json_begin_object(w, "headers");
    for (int i = 0; i < s->tree.tag_count; i++) json_str(w, s->tree.tags[i].name, str_from(s->tree.tags[i].value));
    json_end_object(w);
    form_clocks(w, s);
    json_fen(w, "start_fen", &s->tree.start);
    json_bool(w, "chess960", s->tree.start.chess960);
    json_i64(w, "current", s->current);
    bool running = !session_is_over(s) && !s->paused && !s->dormant;
    json_bool(w, "thinking", running && s->sides[session_to_move(s)].kind != SIDE_HUMAN);
    json_bool(w, "paused", s->paused);
    json_bool(w, "saved", s->saved);
    color_or_null(w, "draw_offer", s->draw_offer);
    json_bool(w, "has_report", s->report.len > 0);
    form_nodes(w, s);
    json_end_object(w);
}

void form_summary(JsonWriter *w, const Session *s)
{
    const MoveTree *tree = &s->tree;
    int             end  = session_line_end(s);
    json_begin_object(w, NULL);
    json_str(w, "id", str_from(s->id));
    json_str(w, "white", tree_tag(tree, "White"));
    json_str(w, "black", tree_tag(tree, "Black"));
    json_str(w, "result", str_from(result_text(tree->result)));
    json_i64(w, "plies", tree->nodes[end].ply);
    json_str(w, "date", tree_tag(tree, "Date"));
    json_str(w, "event", tree_tag(tree, "Event"));
    Game        game;
    OpeningName name;
    if (s->hub->names && tree_game(tree, end, &game, NULL)) {
        if (names_of_game(s->hub->names, &game, &name)) {
            json_begin_object(w, "opening");
            json_str(w, "eco", name.code);
            json_str(w, "name", name.name);
            json_end_object(w);
        } else {
            json_none(w, "opening");
        }
        game_release(&game);
    }
    json_end_object(w);
}

/* ---- positions ---- */

static void json_square(JsonWriter *w, Square square)
{
    char text[2] = {file_letter(square_file(square)), rank_digit(square_rank(square))};
    json_str(w, NULL, (Str){text, 2});
}

/* Where the man on `from` may go; castling both as the king's two steps and onto the rook. */
static void form_dests_from(JsonWriter *w, const Position *pos, const MoveList *legal, Square from)
{
    char     key[3] = {file_letter(square_file(from)), rank_digit(square_rank(from)), '\0'};
    Bitboard to     = 0;
    for (int i = 0; i < legal->count; i++) {
        Move move = legal->moves[i];
        if (move_from(move) != from) continue;
        to |= bb_of(move_to(move));
        if (move_kind(move) != MOVE_CASTLING) continue;
        Square king = castle_king_target(position_side(pos), castle_side_of(move));
        if (king != from) to |= bb_of(king);
    }
    if (!to) return;
    json_begin_array(w, key);
    for (Square square = A1; square <= H8; square++) {
        if (to & bb_of(square)) json_square(w, square);
    }
    json_end_array(w);
}

static void form_moves(JsonWriter *w, const Position *pos, const MoveList *legal)
{
    json_begin_object(w, "dests");
    for (Square from = A1; from <= H8; from++) form_dests_from(w, pos, legal, from);
    json_end_object(w);
    json_begin_array(w, "promotions");
    for (int i = 0; i < legal->count; i++) {
        char uci[UCI_MOVE_SIZE];
        if (move_kind(legal->moves[i]) != MOVE_PROMOTION || move_promotion(legal->moves[i]) != QUEEN) continue;
        move_to_uci(pos, legal->moves[i], uci);
        json_str(w, NULL, (Str){uci, 4});
    }
    json_end_array(w);
    json_begin_array(w, "moves");
    for (int i = 0; i < legal->count; i++) {
        json_begin_object(w, NULL);
        json_move(w, pos, legal->moves[i]);
        json_end_object(w);
    }
    json_end_array(w);
}

static void form_book(JsonWriter *w, const Hub *hub, const Position *pos, Move last)
{
    BookMoves moves = {0};
    if (hub->book) book_probe(hub->book, pos, book_key(pos, last), &moves);
    json_begin_array(w, "book");
    for (int i = 0; i < moves.count; i++) {
        const BookMove *m = &moves.moves[i];
        json_begin_object(w, NULL);
        json_move(w, pos, m->move);
        json_i64(w, "weight", m->weight);
        json_u64(w, "games", m->games);
        json_i64(w, "score", m->per_mille);
        json_end_object(w);
    }
    json_end_array(w);
}

static void form_table(JsonWriter *w, const Hub *hub, const Position *pos, bool over)
{
    static const char *const texts[] = {"loss", "blessed", "draw", "cursed", "win"};
    TableRanking             ranking;
    if (over || !hub->tables || !tables_rank_moves(hub->tables, pos, false, true, &ranking) || !ranking.count) {
        json_none(w, "table");
        return;
    }
    char uci[UCI_MOVE_SIZE];
    int  plies;
    json_begin_object(w, "table");
    json_str(w, "wdl", str_from(texts[ranking.verdict - TABLE_LOSS]));
    if (ranking.verdict != TABLE_DRAW && tables_distance(hub->tables, pos, &plies)) {
        json_i64(w, "dtz", plies);
    } else {
        json_none(w, "dtz");
    }
    json_str(w, "best", (Str){uci, move_to_uci(pos, ranking.moves[0].move, uci)});
    json_end_object(w);
}

static int material(const Position *pos, Color color)
{
    static const int values[] = {1, 3, 3, 5, 9};
    int              sum      = 0;
    for (PieceType type = PAWN; type <= QUEEN; type++) sum += values[type] * bb_count(position_pieces(pos, color, type));
    return sum;
}

void form_look(JsonWriter *w, const Hub *hub, const Position *pos, Move last, GameEnd end)
{
    MoveList legal;
    Color    turn = position_side(pos);
    movegen_legal(pos, &legal);
    bool over = legal.count == 0 || game_end_is_automatic(end);
    json_fen(w, "fen", pos);
    json_str(w, "turn", str_from(color_text(turn)));
    json_bool(w, "check", position_in_check(pos));
    form_moves(w, pos, &legal);
    text_or_null(w, "end", end == END_NONE ? NULL : game_end_text(end));
    Result result = RESULT_UNKNOWN;
    if (end == END_CHECKMATE) result = turn == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS;
    if (end != END_CHECKMATE && game_end_is_automatic(end)) result = RESULT_DRAW;
    json_str(w, "result", str_from(result_text(result)));
    form_opening(w, hub, pos);
    form_book(w, hub, pos, last);
    form_table(w, hub, pos, over);
    json_begin_object(w, "material");
    json_i64(w, "white", material(pos, WHITE));
    json_i64(w, "black", material(pos, BLACK));
    json_end_object(w);
}

/* ---- events ---- */

static void begin_event(JsonWriter *w, Buf *out, const Session *s, int node, const char *purpose)
{
    json_init(w, out);
    json_begin_object(w, NULL);
    json_str(w, "game", str_from(s->id));
    json_i64(w, "node", node);
    json_str(w, "purpose", str_from(purpose));
}

static void form_pv(JsonWriter *w, const Position *root, const SlotLine *line)
{
    char     text[SAN_SIZE > UCI_MOVE_SIZE ? SAN_SIZE : UCI_MOVE_SIZE];
    Position pos = *root, next;
    for (int san = 0; san < 2; san++) {
        pos = *root;
        json_begin_array(w, san ? "san" : "uci");
        for (int i = 0; i < line->info.pv_length; i++) {
            size_t len = san ? move_to_san(&pos, line->pv[i], text) : move_to_uci(&pos, line->pv[i], text);
            json_str(w, NULL, (Str){text, len});
            position_play(&pos, line->pv[i], &next);
            pos = next;
        }
        json_end_array(w);
    }
}

static void form_line(JsonWriter *w, const Slot *slot, const SlotLine *line)
{
    static const char *const bounds[] = {"exact", "upper", "lower", "exact"};
    const SearchInfo        *info     = &line->info;
    bool                     white    = position_side(&slot->root) == WHITE;
    Bound                    bound    = info->bound;
    if (!white && bound == BOUND_UPPER) {
        bound = BOUND_LOWER;
    } else if (!white && bound == BOUND_LOWER) {
        bound = BOUND_UPPER;
    }
    Wdl wdl = centipawns_to_wdl(info->score, &slot->root);
    json_begin_object(w, NULL);
    json_i64(w, "multipv", info->multipv);
    json_i64(w, "depth", info->depth);
    json_i64(w, "seldepth", info->seldepth);
    form_eval(w, "score", slot_eval(slot, info->score));
    json_str(w, "bound", str_from(bounds[bound]));
    json_begin_array(w, "wdl");
    json_i64(w, NULL, white ? wdl.win : wdl.loss);
    json_i64(w, NULL, wdl.draw);
    json_i64(w, NULL, white ? wdl.loss : wdl.win);
    json_end_array(w);
    json_u64(w, "nodes", info->nodes);
    json_u64(w, "nps", info->time_ms > 0 ? info->nodes * 1000 / (uint64_t)info->time_ms : 0);
    json_i64(w, "hashfull", info->hashfull);
    json_u64(w, "tbhits", info->tbhits);
    json_i64(w, "time_ms", info->time_ms);
    form_pv(w, &slot->root, line);
    json_end_object(w);
}

void form_info(const Slot *slot, Buf *out)
{
    JsonWriter w;
    begin_event(&w, out, slot->session, slot->job.node, job_kind_text(slot->job.kind));
    json_begin_array(&w, "lines");
    for (int i = 0; i < slot->whole_count; i++) {
        if (slot->whole[i].info.pv_length > 0) form_line(&w, slot, &slot->whole[i]);
    }
    json_end_array(&w);
    json_end_object(&w);
}

/* What the leading thread counted in this iteration alone. */
static void form_counts(JsonWriter *w, const SearchCounts *now, const SearchCounts *before)
{
    uint64_t all = 0, probes = now->hash_probes - before->hash_probes;
    for (int i = 0; i < CUTOFF_NUMBERS; i++) all += now->cutoffs[i] - before->cutoffs[i];
    json_u64(w, "qnodes", now->qnodes - before->qnodes);
    json_double(w, "cutoffs_first", all ? (double)(now->cutoffs[0] - before->cutoffs[0]) / (double)all : 0, 4);
    json_begin_array(w, "cutoffs_by_move");
    for (int i = 0; i < CUTOFF_NUMBERS; i++) json_u64(w, NULL, now->cutoffs[i] - before->cutoffs[i]);
    json_end_array(w);
    json_double(w, "tt_hits", probes ? (double)(now->hash_hits - before->hash_hits) / (double)probes : 0, 4);
}

void form_iteration(const Slot *slot, const SearchInfo *info, uint64_t nodes, Buf *out)
{
    JsonWriter w;
    begin_event(&w, out, slot->session, slot->job.node, job_kind_text(slot->job.kind));
    json_i64(&w, "depth", info->depth);
    json_u64(&w, "nodes", nodes);
    json_i64(&w, "time_ms", info->time_ms);
    if (slot->last_iteration_nodes) {
        json_double(&w, "branching", (double)nodes / (double)slot->last_iteration_nodes, 2);
    } else {
        json_none(&w, "branching");
    }
    if (info->counts) form_counts(&w, info->counts, &slot->last_counts);
    json_i64(&w, "hashfull", info->hashfull);
    json_end_object(&w);
}

void form_done(const Slot *slot, Buf *out)
{
    JsonWriter w;
    char       uci[UCI_MOVE_SIZE];
    begin_event(&w, out, slot->session, slot->job.node, job_kind_text(slot->job.kind));
    if (slot->result.best == MOVE_NONE) {
        json_none(&w, "best");
    } else {
        json_str(&w, "best", (Str){uci, move_to_uci(&slot->root, slot->result.best, uci)});
    }
    json_end_object(&w);
}

void form_error_event(const Session *s, int node, const char *purpose, const char *text, Buf *out)
{
    JsonWriter w;
    begin_event(&w, out, s, node, purpose);
    json_str(&w, "text", str_from(text));
    json_end_object(&w);
}

/* annotate.c - see annotate.h. */
#include "review/annotate.h"

#include <math.h>

#include "chess/notation.h"

enum { SHOWN_MOVES = 8, EVAL_CP_MAX = 20000 };

/* ---- words ---- */

void review_remark(const ReviewMove *m, const ReviewPosition *position, const Position *before, Buf *out)
{
    if (!m->judged || m->verdict == REVIEW_GOOD) return;
    int   sign = m->side == WHITE ? 1 : -1;
    Score best = sign * m->before, played = sign * m->after;
    Str   word = str_from(review_verdict_text(m->verdict));
    buf_append_char(out, char_upper(word.ptr[0]));
    buf_append(out, str_skip(word, 1));
    if (score_is_mate(played) && played < 0 && !(score_is_mate(best) && best < 0)) {
        buf_printf(out, ": allows mate in %d", -score_mate_moves(played));
    } else if (score_is_mate(best) && best > 0 && !(score_is_mate(played) && played > 0)) {
        buf_printf(out, ": misses mate in %d", score_mate_moves(best));
    }
    buf_append_char(out, '.');
    if (position->line_count == 0) return;
    char san[SAN_SIZE];
    move_to_san(before, position->lines[0].moves[0], san);
    buf_printf(out, " Better was %s.", san);
}

/* ---- the tree ---- */

static TreeEval eval_of(Score score)
{
    int cp = score > EVAL_CP_MAX ? EVAL_CP_MAX : score < -EVAL_CP_MAX ? -EVAL_CP_MAX : score;
    if (score_is_mate(score)) return (TreeEval){.known = true, .is_mate = true, .value = score_mate_moves(score)};
    return (TreeEval){.known = true, .value = cp};
}

static bool has_judging_nag(const TreeNode *node)
{
    for (int i = 0; i < node->nag_count; i++) {
        if (node->nags[i] >= 1 && node->nags[i] <= 6) return true;
    }
    return false;
}

static bool add_remark(MoveTree *tree, int node, Str remark, Err *err)
{
    Str  old  = str_from(tree->nodes[node].comment);
    Buf  text = {0};
    bool ok   = true;
    if (remark.len && str_find_nocase(old, remark) == old.len) {
        if (old.len) buf_printf(&text, "%.*s ", STR_ARGS(old));
        buf_append(&text, remark);
        ok = text.len > TREE_COMMENT_MAX || tree_set_comment(tree, node, buf_str(&text), err);
    }
    buf_release(&text);
    return ok;
}

/* What was better, as a variation instead of the move played. */
static bool add_line(MoveTree *tree, int parent, const ReviewLine *line, Move played, Err *err)
{
    int node = parent;
    if (line->length == 0 || line->moves[0] == played) return true;
    for (int i = 0; i < line->length && i < SHOWN_MOVES; i++) {
        node = tree_add(tree, node, line->moves[i], err);
        if (node == TREE_NONE) return false;
        if (i == 0) tree->nodes[node].eval = eval_of(line->score);
    }
    return true;
}

/* `node` is reached by the move, `parent` stands before it. */
static bool annotate_move(MoveTree *tree, int parent, int node, const ReviewMove *m, const ReviewPosition *position,
                          const Position *before, Err *err)
{
    Buf remark = {0};
    if (!m->judged || m->verdict == REVIEW_GOOD) return true;
    review_remark(m, position, before, &remark);
    bool ok = add_remark(tree, node, buf_str(&remark), err);
    buf_release(&remark);
    if (ok && !has_judging_nag(&tree->nodes[node])) ok = tree_toggle_nag(tree, node, review_verdict_nag(m->verdict), err);
    for (int i = 0; ok && i < position->line_count; i++) ok = add_line(tree, parent, &position->lines[i], m->move, err);
    return ok;
}

bool review_annotate(const Review *review, const Game *game, MoveTree *tree, Err *err)
{
    Position pos  = game->start, next;
    int      node = tree_main_end(tree);
    for (size_t i = 0; i < review->plies; i++) node = tree->nodes[node].parent;
    for (size_t i = 0; i < review->plies; i++) {
        int                   parent = node;
        const ReviewPosition *after  = &review->positions[i + 1];
        node                         = tree->nodes[parent].first_child;
        bool mated                   = after->score == SCORE_MATE || after->score == -SCORE_MATE;
        if (after->known && !mated) tree->nodes[node].eval = eval_of(after->score);
        if (!annotate_move(tree, parent, node, &review->moves[i], &review->positions[i], &pos, err)) return false;
        position_play(&pos, game->moves[i], &next);
        pos = next;
    }
    return true;
}

/* ---- JSON ---- */

void review_score_json(Score score, const char *key, JsonWriter *json)
{
    json_begin_object(json, key);
    if (score_is_mate(score)) {
        json_i64(json, "mate", score_mate_moves(score));
    } else {
        json_i64(json, "cp", score);
    }
    json_end_object(json);
}

static void write_summary(const ReviewSummary *summary, JsonWriter *json)
{
    json_i64(json, "moves_judged", summary->moves);
    json_double(json, "accuracy", summary->moves ? summary->accuracy : NAN, 1);
    json_double(json, "loss", summary->moves ? summary->loss_cp : NAN, 1);
    json_i64(json, "inaccuracies", summary->counts[REVIEW_INACCURACY]);
    json_i64(json, "mistakes", summary->counts[REVIEW_MISTAKE]);
    json_i64(json, "blunders", summary->counts[REVIEW_BLUNDER]);
}

static void write_best(const ReviewPosition *position, const Position *before, JsonWriter *json)
{
    const ReviewLine *line = &position->lines[0];
    Position          pos  = *before, next;
    char              uci[UCI_MOVE_SIZE], san[SAN_SIZE];
    if (position->line_count == 0) return;
    json_begin_object(json, "best");
    move_to_uci(before, line->moves[0], uci);
    move_to_san(before, line->moves[0], san);
    json_str(json, "uci", str_from(uci));
    json_str(json, "san", str_from(san));
    json_i64(json, "depth", line->depth);
    json_begin_array(json, "line");
    for (int i = 0; i < line->length; i++) {
        move_to_san(&pos, line->moves[i], san);
        json_str(json, NULL, str_from(san));
        position_play(&pos, line->moves[i], &next);
        pos = next;
    }
    json_end_array(json);
    json_end_object(json);
}

static void write_move(const Review *review, size_t i, const Position *before, JsonWriter *json)
{
    const ReviewMove *m = &review->moves[i];
    char              san[SAN_SIZE];
    move_to_san(before, m->move, san);
    json_begin_object(json, NULL);
    json_u64(json, "ply", i + 1);
    json_str(json, "side", m->side == WHITE ? STR("white") : STR("black"));
    json_str(json, "san", str_from(san));
    json_str(json, "phase", str_from(phase_text(m->phase)));
    if (review->positions[i + 1].known) review_score_json(review->positions[i + 1].score, "score", json);
    write_best(&review->positions[i], before, json);
    if (m->judged) {
        json_i64(json, "loss", m->loss_cp);
        json_double(json, "drop", m->drop, 1);
        json_double(json, "accuracy", m->accuracy, 1);
    }
    if (m->judged && m->verdict != REVIEW_GOOD) {
        json_str(json, "judgement", str_from(review_verdict_text(m->verdict)));
    } else {
        json_none(json, "judgement");
    }
    json_end_object(json);
}

void review_write_json(const Review *review, const Game *game, JsonWriter *json)
{
    static const char *const sides[COLORS] = {"white", "black"};
    Position                 pos           = game->start, next;
    for (Color side = WHITE; side <= BLACK; side++) {
        json_begin_object(json, sides[side]);
        write_summary(&review->sides[side], json);
        json_begin_object(json, "phases");
        for (Phase p = 0; p < PHASES; p++) {
            json_begin_object(json, phase_text(p));
            write_summary(&review->phases[side][p], json);
            json_end_object(json);
        }
        json_end_object(json);
        json_end_object(json);
    }
    json_begin_array(json, "moves");
    for (size_t i = 0; i < review->plies; i++) {
        write_move(review, i, &pos, json);
        position_play(&pos, game->moves[i], &next);
        pos = next;
    }
    json_end_array(json);
    json_bool(json, "complete", review->complete);
}

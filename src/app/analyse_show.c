/* analyse_show.c - the tables and the JSON of `tabia analyse`. See analyse.h. */
#include <stdlib.h>

#include "app/analyse.h"
#include "base/json.h"
#include "chess/notation.h"
#include "review/annotate.h"
#include "term/think_view.h"

static const char *const side_names[COLORS] = {"White", "Black"};

static Str tag_or(const MoveTree *tree, const char *name, const char *otherwise)
{
    Str value = tree_tag(tree, name);
    return value.len ? value : str_from(otherwise);
}

/* ---- tables ---- */

enum { NAME_WIDTH = 24 };

static void append_head(Buf *out, bool games)
{
    buf_printf(out, "  %-*s%s  accuracy  avg loss   ?!    ?   ??   opening  middlegame  endgame\n", NAME_WIDTH, "",
               games ? "  games" : "");
}

static void append_percent(Buf *out, const ReviewSummary *summary, int width)
{
    if (summary->moves) {
        buf_printf(out, "%*.1f%%", width - 1, summary->accuracy);
    } else {
        buf_printf(out, "%*s", width, "-");
    }
}

static void append_row(Buf *out, Str name, int games, const ReviewSummary *all, const ReviewSummary phases[PHASES])
{
    static const int widths[PHASES] = {10, 12, 9};
    size_t           width          = text_width(name);
    buf_printf(out, "  %.*s", STR_ARGS(name));
    for (; width < NAME_WIDTH; width++) buf_append_char(out, ' ');
    if (games) buf_printf(out, "%7d", games);
    append_percent(out, all, 10);
    if (all->moves) {
        buf_printf(out, "%10.0f", all->loss_cp);
    } else {
        buf_printf(out, "%10s", "-");
    }
    for (ReviewVerdict v = REVIEW_INACCURACY; v <= REVIEW_BLUNDER; v++) buf_printf(out, "%5d", all->counts[v]);
    for (Phase p = 0; p < PHASES; p++) append_percent(out, &phases[p], widths[p]);
    buf_append_char(out, '\n');
}

/* "  12... Qxb2??  +0.31 -> +4.20   12... Nf6 13. Be2 O-O" */
static void append_mistake(Buf *out, const ReviewMove *m, const ReviewPosition *position, const Position *before)
{
    enum { LINE_WIDTH = 60 };
    char san[SAN_SIZE];
    Buf  move = {0}, from = {0}, to = {0};
    move_to_san(before, m->move, san);
    buf_printf(&move, "%u%s %s%s", before->fullmove, m->side == WHITE ? "." : "...", san, review_verdict_sign(m->verdict));
    score_append(m->before, &from);
    if (m->after == SCORE_MATE || m->after == -SCORE_MATE) {
        buf_append(&to, STR("mate"));
    } else {
        score_append(m->after, &to);
    }
    buf_printf(out, "  %-16s %7s -> %-7s  better ", buf_str(&move).ptr, buf_str(&from).ptr, buf_str(&to).ptr);
    if (position->line_count) {
        san_line_append(before, position->lines[0].moves, position->lines[0].length, LINE_WIDTH, out);
    } else {
        buf_append(out, STR("not known"));
    }
    buf_append_char(out, '\n');
    buf_release(&move);
    buf_release(&from);
    buf_release(&to);
}

static void append_mistakes(Buf *out, const AnalysedGame *g)
{
    Position pos = g->game->start, next;
    for (size_t i = 0; i < g->review->plies; i++) {
        const ReviewMove *m = &g->review->moves[i];
        if (m->judged && m->verdict != REVIEW_GOOD) append_mistake(out, m, &g->review->positions[i], &pos);
        position_play(&pos, m->move, &next);
        pos = next;
    }
}

void analyse_show_game(const AnalysedGame *g, Buf *out)
{
    OpeningName name;
    Str         white = tag_or(g->tree, "White", "?"), black = tag_or(g->tree, "Black", "?");
    size_t      moves = (g->review->plies + 1) / 2;
    buf_printf(out, "Game %llu: %.*s - %.*s  %s, %zu move%s", (unsigned long long)g->number, STR_ARGS(white), STR_ARGS(black),
               result_text(g->tree->result), moves, moves == 1 ? "" : "s");
    if (names_of_game(g->names, g->game, &name)) buf_printf(out, ", %.*s %.*s", STR_ARGS(name.code), STR_ARGS(name.name));
    buf_append(out, g->review->complete ? STR("\n") : STR(" (stopped before its beginning was reached)\n"));
    append_head(out, false);
    for (Color side = WHITE; side <= BLACK; side++)
        append_row(out, str_from(side_names[side]), 0, &g->review->sides[side], g->review->phases[side]);
    append_mistakes(out, g);
    buf_append_char(out, '\n');
}

/* ---- JSON ---- */

void analyse_show_json(const AnalysedGame *g, Buf *out)
{
    JsonWriter  json;
    OpeningName name;
    json_init(&json, out);
    json_begin_object(&json, NULL);
    json_u64(&json, "game", g->number);
    json_begin_object(&json, "players");
    json_str(&json, "white", tag_or(g->tree, "White", "?"));
    json_str(&json, "black", tag_or(g->tree, "Black", "?"));
    json_end_object(&json);
    json_str(&json, "result", str_from(result_text(g->tree->result)));
    if (names_of_game(g->names, g->game, &name)) {
        json_begin_object(&json, "opening");
        json_str(&json, "eco", name.code);
        json_str(&json, "name", name.name);
        json_end_object(&json);
    }
    json_u64(&json, "plies", g->review->plies);
    json_u64(&json, "nodes", g->review->nodes);
    json_double(&json, "seconds", g->review->seconds, 3);
    review_write_json(g->review, g->game, &json);
    json_end_object(&json);
    buf_append_char(out, '\n');
}

/* ---- sums ---- */

/* Averages of averages, weighted by how many moves they are of. */
static void add_summary(ReviewSummary *sum, const ReviewSummary *one)
{
    int moves = sum->moves + one->moves;
    if (!one->moves) return;
    sum->accuracy = (sum->accuracy * sum->moves + one->accuracy * one->moves) / moves;
    sum->loss_cp  = (sum->loss_cp * sum->moves + one->loss_cp * one->moves) / moves;
    sum->moves    = moves;
    for (int v = 0; v < REVIEW_VERDICTS; v++) sum->counts[v] += one->counts[v];
}

static void add_side(AnalysedPlayer *player, const Review *review, Color side)
{
    player->games++;
    add_summary(&player->all, &review->sides[side]);
    for (Phase p = 0; p < PHASES; p++) add_summary(&player->phases[p], &review->phases[side][p]);
}

static AnalysedPlayer *player_of(AnalysedTotals *totals, Str name)
{
    for (size_t i = 0; i < totals->count; i++) {
        if (str_equal(str_from(totals->players[i].name), name)) return &totals->players[i];
    }
    if (totals->count == totals->cap) {
        size_t          cap     = totals->cap ? totals->cap * 2 : 16;
        AnalysedPlayer *players = realloc(totals->players, cap * sizeof *players);
        if (!players) return NULL;
        totals->players = players;
        totals->cap     = cap;
    }
    char *copy = calloc(name.len + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, name.ptr, name.len);
    totals->players[totals->count] = (AnalysedPlayer){.name = copy};
    return &totals->players[totals->count++];
}

bool analyse_totals_add(AnalysedTotals *totals, const AnalysedGame *g)
{
    totals->games++;
    for (Color side = WHITE; side <= BLACK; side++) {
        AnalysedPlayer *player = player_of(totals, tag_or(g->tree, side_names[side], "?"));
        if (!player) return false;
        add_side(player, g->review, side);
        add_side(&totals->sides[side], g->review, side);
    }
    return true;
}

static int by_games(const void *a, const void *b)
{
    const AnalysedPlayer *x = a, *y = b;
    return x->games != y->games ? y->games - x->games : strcmp(x->name, y->name);
}

void analyse_totals_show(AnalysedTotals *totals, Buf *out)
{
    enum { PLAYERS_SHOWN = 20 };
    if (totals->games < 2) return;
    buf_printf(out, "All %d games\n", totals->games);
    append_head(out, true);
    for (Color side = WHITE; side <= BLACK; side++)
        append_row(out, str_from(side_names[side]), totals->sides[side].games, &totals->sides[side].all,
                   totals->sides[side].phases);
    qsort(totals->players, totals->count, sizeof *totals->players, by_games);
    for (size_t i = 0; i < totals->count && i < PLAYERS_SHOWN; i++) {
        const AnalysedPlayer *p = &totals->players[i];
        append_row(out, str_from(p->name), p->games, &p->all, p->phases);
    }
    if (totals->count > PLAYERS_SHOWN) buf_printf(out, "  and %zu more players\n", totals->count - PLAYERS_SHOWN);
}

void analyse_totals_release(AnalysedTotals *totals)
{
    for (size_t i = 0; i < totals->count; i++) free(totals->players[i].name);
    free(totals->players);
}

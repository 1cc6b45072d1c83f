/* analyse_position.c - one position, thought about in several lines and shown as people read it. See analyse.h.
 *
 * On a terminal the lines are redrawn in place as they deepen; elsewhere only the last ones are written. Ctrl-C ends the thinking
 * and shows what was found. Threads: the search's thread draws while the main thread waits.
 */
#include <stdlib.h>
#include <unistd.h>

#include "app/analyse.h"
#include "app/cli.h"
#include "app/interrupt.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/json.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "review/annotate.h"
#include "term/think_view.h"

enum { LINES_MAX = 64, PV_MAX = 32 };

typedef struct {
    SearchInfo info;
    Move       pv[PV_MAX];
} Line;

typedef struct {
    const AnalyseConfig *config;
    Engine              *engine;
    Position             pos;
    TermStyle            style;
    size_t               width;
    bool                 live;
    int                  drawn; /* lines on the screen */
    int64_t              drawn_ns;
    int                  count;
    Line                 lines[LINES_MAX];
    SearchResult         result;
} View;

/* ---- text ---- */

static void append_wdl(Buf *out, const View *v, Score score)
{
    Wdl  wdl   = centipawns_to_wdl(score, &v->pos);
    bool white = position_side(&v->pos) == WHITE;
    buf_printf(out, "W%3d%% D%3d%% L%3d%%", ((white ? wdl.win : wdl.loss) + 5) / 10, (wdl.draw + 5) / 10,
               ((white ? wdl.loss : wdl.win) + 5) / 10);
}

/* "1.  +0.35  W 34% D 51% L 15%  depth 18/27  12. Nf3 d5 13. e3" */
static void append_line(Buf *out, const View *v, int i)
{
    enum { FIXED = 50, SHORTEST = 20 };
    const SearchInfo *info  = &v->lines[i].info;
    Score             white = position_side(&v->pos) == WHITE ? info->score : -info->score;
    Buf               score = {0}, text = {0};
    score_append(white, &score);
    buf_printf(&text, "%7s", buf_str(&score).ptr);
    buf_printf(out, "%2d. ", i + 1);
    ink_append(&v->style, white > 50 ? INK_GOOD : white < -50 ? INK_BAD : INK_BOLD, buf_str(&text), out);
    buf_append(out, STR("  "));
    append_wdl(out, v, info->score);
    buf_printf(out, "  depth %2d/%-2d  ", info->depth, info->seldepth);
    san_line_append(&v->pos, info->pv, info->pv_length, v->width > FIXED + SHORTEST ? v->width - FIXED : SHORTEST, out);
    buf_append_char(out, '\n');
    buf_release(&score);
    buf_release(&text);
}

static void append_lines(Buf *out, const View *v)
{
    const SearchInfo *first   = &v->lines[0].info;
    double            seconds = (double)first->time_ms / 1000;
    for (int i = 0; i < v->count; i++) append_line(out, v, i);
    buf_append(out, STR("    "));
    count_append(first->nodes, out);
    buf_printf(out, " nodes, %.1f s", seconds);
    if (seconds > 0) {
        buf_append(out, STR(", "));
        count_append((uint64_t)((double)first->nodes / seconds), out);
        buf_append(out, STR(" a second"));
    }
    buf_append_char(out, '\n');
}

/* Puts the lines where the last ones stood. */
static void redraw(View *v)
{
    Buf lines = {0}, out = {0};
    append_lines(&lines, v);
    if (v->drawn) buf_printf(&out, "\033[%dA", v->drawn);
    buf_append(&out, STR("\033[?7l\033[J")); /* lines that wrapped would be counted wrong */
    buf_append(&out, buf_str(&lines));
    buf_append(&out, STR("\033[?7h"));
    fwrite(buf_str(&out).ptr, 1, out.len, stdout);
    fflush(stdout);
    v->drawn = v->count + 1;
    buf_release(&lines);
    buf_release(&out);
    v->drawn_ns = clock_now_ns();
}

static void on_info(void *context, const SearchInfo *info)
{
    enum { REDRAW_NS = 100000000 };
    View *v = context;
    int   i = info->multipv - 1;
    if (info->bound != BOUND_EXACT || i >= LINES_MAX || info->pv_length == 0) return;
    Line *line           = &v->lines[i];
    line->info           = *info;
    line->info.pv        = line->pv;
    line->info.pv_length = info->pv_length < PV_MAX ? info->pv_length : PV_MAX;
    for (int k = 0; k < line->info.pv_length; k++) line->pv[k] = info->pv[k];
    if (i + 1 > v->count) v->count = i + 1;
    if (v->live && clock_now_ns() - v->drawn_ns >= REDRAW_NS) redraw(v);
}

static void on_done(void *context, const SearchResult *result)
{
    View *v   = context;
    v->result = *result;
}

static void stop(void *context) { engine_stop(context); }

/* ---- JSON ---- */

static void append_json(Buf *out, const View *v)
{
    JsonWriter json;
    char       fen[FEN_SIZE], text[SAN_SIZE];
    json_init(&json, out);
    json_begin_object(&json, NULL);
    position_to_fen(&v->pos, fen);
    json_str(&json, "fen", str_from(fen));
    json_i64(&json, "depth", v->result.depth);
    json_u64(&json, "nodes", v->result.nodes);
    json_i64(&json, "time_ms", v->result.time_ms);
    json_begin_array(&json, "lines");
    for (int i = 0; i < v->count; i++) {
        const SearchInfo *info  = &v->lines[i].info;
        bool              white = position_side(&v->pos) == WHITE;
        Wdl               wdl   = centipawns_to_wdl(info->score, &v->pos);
        json_begin_object(&json, NULL);
        json_i64(&json, "multipv", i + 1);
        json_i64(&json, "depth", info->depth);
        json_i64(&json, "seldepth", info->seldepth);
        review_score_json(white ? info->score : -info->score, "score", &json);
        json_begin_array(&json, "wdl");
        json_i64(&json, NULL, white ? wdl.win : wdl.loss);
        json_i64(&json, NULL, wdl.draw);
        json_i64(&json, NULL, white ? wdl.loss : wdl.win);
        json_end_array(&json);
        Position pos = v->pos, next;
        json_begin_array(&json, "san");
        for (int k = 0; k < info->pv_length; k++, pos = next) {
            move_to_san(&pos, info->pv[k], text);
            json_str(&json, NULL, str_from(text));
            position_play(&pos, info->pv[k], &next);
        }
        json_end_array(&json);
        pos = v->pos;
        json_begin_array(&json, "uci");
        for (int k = 0; k < info->pv_length; k++, pos = next) {
            move_to_uci(&pos, info->pv[k], text);
            json_str(&json, NULL, str_from(text));
            position_play(&pos, info->pv[k], &next);
        }
        json_end_array(&json);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    buf_append_char(out, '\n');
}

/* ---- the command ---- */

static void show_position(const View *v)
{
    Buf       out  = {0};
    BoardView view = {.pos = &v->pos, .marks = {SQ_NONE, SQ_NONE}};
    board_view(&view, &v->style, &out);
    buf_printf(&out, "%s to move%s. Scores are from White's side.\n", position_side(&v->pos) == WHITE ? "White" : "Black",
               position_in_check(&v->pos) ? ", in check" : "");
    fwrite(buf_str(&out).ptr, 1, out.len, stdout);
    fflush(stdout);
    buf_release(&out);
}

static bool think(View *v, Err *err)
{
    const ReviewLimits  *l        = &v->config->limits;
    const SearchListener listener = {.context = v, .info = on_info, .done = on_done};
    const GoLimits       limits   = {.move_time_ms = l->movetime_ms, .nodes = l->nodes, .depth = l->depth};
    char                 fen[FEN_SIZE], lines[16];
    Interrupt            interrupt;
    v->engine = engine_new(&listener, err);
    snprintf(lines, sizeof lines, "%d", l->multipv);
    position_to_fen(&v->pos, fen);
    if (!v->engine || !analyse_set_engine(v->config, v->engine, err) ||
        !engine_set_option(v->engine, STR("MultiPV"), str_from(lines), err) ||
        !engine_set_option(v->engine, STR("UCI_AnalyseMode"), STR("true"), err) || !engine_ready(v->engine, err) ||
        !engine_set_position(v->engine, str_from(fen), STR(""), err))
        return false;
    interrupt_begin(&interrupt, stop, v->engine);
    bool ok = engine_go(v->engine, &limits, err);
    if (ok && atomic_load(&interrupt.came)) engine_stop(v->engine);
    if (ok) engine_wait(v->engine);
    interrupt_end(&interrupt);
    return ok;
}

static int run(View *v)
{
    Err err;
    Buf out = {0};
    if (!position_from_fen(str_from(v->config->fen), &v->pos, NULL, &err))
        return cli_fail("the position '%s' cannot be used: %s (at character %zu)", v->config->fen, err.text, err.offset + 1);
    cli_hold_interrupts(); /* one that comes before the search begins still only ends the search */
    if (!v->config->json) show_position(v);
    if (!movegen_has_legal_move(&v->pos) && !v->config->json) {
        printf("%s: there is nothing to analyse.\n", position_in_check(&v->pos) ? "Checkmate" : "Stalemate");
        return EXIT_DONE;
    }
    if (movegen_has_legal_move(&v->pos) && !think(v, &err)) return cli_fail("%s", err.text);
    if (v->config->json) {
        append_json(&out, v);
    } else if (v->live) {
        redraw(v);
    } else {
        append_lines(&out, v);
    }
    fwrite(buf_str(&out).ptr, 1, out.len, stdout);
    buf_release(&out);
    return EXIT_DONE;
}

int analyse_position(const AnalyseConfig *config)
{
    View *v = calloc(1, sizeof *v);
    if (!v) return cli_fail("no memory");
    v->config = config;
    v->style  = terminal_style(&v->width);
    v->live   = !config->json && v->style.color != TERM_COLOR_NONE;
    int code  = run(v);
    engine_free(v->engine);
    free(v);
    return code;
}

/* uci_output.c - see uci_output.h. */
#include "app/uci_output.h"

#include <stdarg.h>

#include "chess/notation.h"
#include "uci/reply.h"

Buf *uci_output_begin(UciSession *session)
{
    pthread_mutex_lock(&session->lock);
    buf_reset(&session->line);
    return &session->line;
}

/* A line goes out whole and at once: a GUI that reads half a line may wait for ever. */
void uci_output_end(UciSession *session)
{
    Str text = buf_str(&session->line);
    if (fwrite(text.ptr, 1, text.len, stdout) != text.len || fflush(stdout) != 0) session->broken_output = true;
    if (session->log) {
        fprintf(session->log, "> %.*s", STR_ARGS(text));
        fflush(session->log);
    }
    pthread_mutex_unlock(&session->lock);
}

void uci_session_say(UciSession *session, const char *format, ...)
{
    char    text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    uci_write_info_string(uci_output_begin(session), str_from(text));
    uci_output_end(session);
}

static UciScore score_of(Score score, Bound bound)
{
    UciScore out = {.kind = UCI_SCORE_CP, .value = score, .bound = UCI_BOUND_EXACT};
    if (score_is_mate(score)) {
        out.kind  = UCI_SCORE_MATE;
        out.value = score_mate_moves(score);
    }
    if (bound == BOUND_LOWER) out.bound = UCI_BOUND_LOWER;
    if (bound == BOUND_UPPER) out.bound = UCI_BOUND_UPPER;
    return out;
}

static void write_pv(Buf *out, const SearchInfo *info)
{
    Position pos = *info->root, next;
    char     uci[UCI_MOVE_SIZE];
    for (int i = 0; i < info->pv_length; i++) {
        size_t len = move_to_uci(&pos, info->pv[i], uci);
        if (i) buf_append_char(out, ' ');
        buf_append(out, (Str){uci, len});
        position_play(&pos, info->pv[i], &next);
        pos = next;
    }
}

static void write_info(const UciSession *session, Buf *out, const SearchInfo *info)
{
    Buf     pv   = {0};
    UciInfo line = {
        .has = 1U << UCI_INFO_DEPTH | 1U << UCI_INFO_SELDEPTH | 1U << UCI_INFO_MULTIPV | 1U << UCI_INFO_NODES |
               1U << UCI_INFO_NPS | 1U << UCI_INFO_HASHFULL | 1U << UCI_INFO_TBHITS | 1U << UCI_INFO_TIME,
        .depth    = info->depth,
        .seldepth = info->seldepth,
        .multipv  = info->multipv,
        .nodes    = (int64_t)info->nodes,
        .nps      = (int64_t)info->nodes * 1000 / (info->time_ms > 0 ? info->time_ms : 1),
        .hashfull = info->hashfull,
        .tbhits   = (int64_t)info->tbhits,
        .time_ms  = info->time_ms > 0 ? info->time_ms : 0,
        .score    = score_of(info->score, info->bound),
    };
    if (session->show_wdl) {
        Wdl wdl      = centipawns_to_wdl(info->score, info->root);
        line.has_wdl = true;
        line.wdl[0] = wdl.win, line.wdl[1] = wdl.draw, line.wdl[2] = wdl.loss;
    }
    write_pv(&pv, info);
    line.pv = buf_str(&pv);
    uci_write_info(out, &line);
    buf_release(&pv);
}

static void on_info(void *context, const SearchInfo *info)
{
    UciSession *session = context;
    if (session->minimal) { /* keep the newest; it goes out before the best move */
        if (info->multipv != 1) return;
        buf_reset(&session->held);
        write_info(session, &session->held, info);
        return;
    }
    write_info(session, uci_output_begin(session), info);
    uci_output_end(session);
}

static void on_progress(void *context, const SearchProgress *progress)
{
    UciSession *session = context;
    char        uci[UCI_MOVE_SIZE];
    if (session->minimal) return;
    size_t  len  = move_to_uci(progress->root, progress->move, uci);
    UciInfo line = {.has            = 1U << UCI_INFO_DEPTH | 1U << UCI_INFO_CURRMOVENUMBER,
                    .depth          = progress->depth,
                    .currmove       = (Str){uci, len},
                    .currmovenumber = progress->number};
    uci_write_info(uci_output_begin(session), &line);
    uci_output_end(session);
}

/* Mate and stalemate have no best move; a line with the score tells which it is. */
static void write_no_move(Buf *out, const SearchResult *result)
{
    UciInfo line = {.has = 1U << UCI_INFO_DEPTH, .score = {.kind = UCI_SCORE_CP}};
    if (position_in_check(result->root)) line.score.kind = UCI_SCORE_MATE;
    uci_write_info(out, &line);
    uci_write_bestmove(out, STR("(none)"), (Str){0});
}

static void on_done(void *context, const SearchResult *result)
{
    UciSession *session = context;
    Buf        *out     = uci_output_begin(session);
    if (session->minimal) buf_append(out, buf_str(&session->held));
    buf_reset(&session->held);
    if (result->best == MOVE_NONE) {
        write_no_move(out, result);
    } else {
        char   best[UCI_MOVE_SIZE], ponder[UCI_MOVE_SIZE];
        size_t best_len = move_to_uci(result->root, result->best, best), ponder_len = 0;
        if (result->ponder != MOVE_NONE) {
            Position next;
            position_play(result->root, result->best, &next);
            ponder_len = move_to_uci(&next, result->ponder, ponder);
        }
        uci_write_bestmove(out, (Str){best, best_len}, (Str){ponder, ponder_len});
    }
    uci_output_end(session);
}

SearchListener uci_output_listener(UciSession *session)
{
    return (SearchListener){.context = session, .info = on_info, .progress = on_progress, .done = on_done};
}

void uci_output_refuse(UciSession *session)
{
    uci_write_bestmove(uci_output_begin(session), STR("0000"), (Str){0});
    uci_output_end(session);
}

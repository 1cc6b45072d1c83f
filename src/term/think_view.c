/* think_view.c - see think_view.h. */
#include "term/think_view.h"

#include <stdio.h>

#include "chess/notation.h"

void score_append(Score score, Buf *out)
{
    if (score_is_mate(score)) {
        buf_printf(out, "#%d", score_mate_moves(score));
    } else if (score_is_decisive(score)) {
        buf_append(out, score > 0 ? STR("won") : STR("lost"));
    } else {
        buf_printf(out, "%+.2f", score / 100.0);
    }
}

void san_line_append(const Position *pos, const Move *moves, int count, size_t width, Buf *out)
{
    Position now  = *pos, next;
    size_t   used = 0;
    for (int i = 0; i < count; i++) {
        char text[32], san[SAN_SIZE];
        move_to_san(&now, moves[i], san);
        const char *dots = position_side(&now) == WHITE ? ". " : i == 0 ? "... " : "";
        int         len  = *dots ? snprintf(text, sizeof text, "%s%u%s%s", i ? " " : "", now.fullmove, dots, san)
                                 : snprintf(text, sizeof text, " %s", san);
        if (i > 0 && width && used + (size_t)len > width) return;
        buf_append(out, (Str){text, (size_t)len});
        used += (size_t)len;
        if (moves[i] == MOVE_NONE) return;
        position_play(&now, moves[i], &next);
        now = next;
    }
}

void count_append(uint64_t count, Buf *out)
{
    static const char units[] = "kMGT";
    double            value   = (double)count;
    int               unit    = -1;
    while (value >= 999.5 && unit < 3) value /= 1000, unit++;
    if (unit < 0) {
        buf_printf(out, "%.0f", value);
    } else {
        buf_printf(out, "%.*f%c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
    }
}

void clock_append(int64_t left_ns, Buf *out)
{
    int64_t tenths = left_ns < 0 ? 0 : left_ns / 100000000, seconds = tenths / 10;
    if (seconds >= 10) seconds = (left_ns + 999999999) / 1000000000; /* 5:00 until a second has passed */
    if (seconds >= 3600) {
        buf_printf(out, "%d:%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60));
    } else if (seconds >= 10) {
        buf_printf(out, "%d:%02d", (int)(seconds / 60), (int)(seconds % 60));
    } else {
        buf_printf(out, "0:%02d.%d", (int)seconds, (int)(tenths % 10));
    }
}

void think_line_append(const SearchInfo *info, size_t width, Buf *out)
{
    enum { FIXED = 30, SHORTEST = 20 };
    Buf score = {0}, nodes = {0};
    score_append(position_side(info->root) == WHITE ? info->score : -info->score, &score);
    count_append(info->nodes, &nodes);
    buf_printf(out, "%4d %7s %6s %6.1fs  ", info->depth, buf_str(&score).ptr, buf_str(&nodes).ptr, (double)info->time_ms / 1000);
    san_line_append(info->root, info->pv, info->pv_length, width > FIXED + SHORTEST ? width - FIXED : SHORTEST, out);
    buf_release(&score);
    buf_release(&nodes);
}

/* match_show.c - see match_show.h.
 *
 * Threads: match_show_game is called with the arena's lock held, so one call at a time.
 */
#include "app/match_show.h"

#include <unistd.h>

#include "arena/report.h"
#include "base/clock.h"

enum { REDRAW_NS = 100000000 };

static void put(const MatchShow *show, const Buf *text)
{
    fwrite(text->data, 1, text->len, show->stream);
    fflush(show->stream);
}

static void put_duration(Buf *out, double seconds)
{
    unsigned long long s = seconds > 0 ? (unsigned long long)(seconds + 0.5) : 0;
    if (s >= 3600) {
        buf_printf(out, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    } else {
        buf_printf(out, "%llu:%02llu", s / 60, s % 60);
    }
}

static void put_progress(const MatchShow *show, Buf *out, const Standings *standings)
{
    uint64_t total = schedule_games(&show->config->schedule), played = standings->games - show->games_before;
    double   seconds = clock_seconds_since(show->start_ns);
    buf_printf(out, "  game %llu of %llu, ", (unsigned long long)standings->games, (unsigned long long)total);
    put_duration(out, seconds);
    if (played && standings->games < total) {
        buf_append(out, STR(", at most "));
        put_duration(out, seconds / (double)played * (double)(total - standings->games));
        buf_append(out, STR(" left"));
    }
    buf_append_char(out, '\n');
}

/* Puts the table where the last one stood. Lines are not wrapped, or counting them would go wrong. */
static void redraw(MatchShow *show, const Standings *standings, bool last)
{
    Buf out = {0}, table = {0};
    report_table(&table, show->config, standings);
    if (!last) put_progress(show, &table, standings);
    if (show->drawn_lines) buf_printf(&out, "\033[%dA", show->drawn_lines);
    buf_append(&out, STR("\033[?7l\033[J"));
    buf_append(&out, buf_str(&table));
    buf_append(&out, STR("\033[?7h"));
    put(show, &out);
    show->drawn_lines = 0;
    for (size_t i = 0; i < table.len; i++) show->drawn_lines += table.data[i] == '\n';
    show->drawn_ns = clock_now_ns();
    buf_release(&out);
    buf_release(&table);
}

static void announce(const MatchShow *show)
{
    const ArenaConfig *c   = show->config;
    Buf                out = {0};
    char               limits[TIMECONTROL_TEXT_SIZE];
    timecontrol_text(&c->limits, limits);
    uint64_t games = schedule_games(&c->schedule);
    buf_printf(&out, "%llu game%s, %s%s, %d at a time", (unsigned long long)games, games == 1 ? "" : "s", limits,
               c->chess960 ? ", Chess960" : "", c->concurrency);
    if (show->games_before) buf_printf(&out, "; %llu played before", (unsigned long long)show->games_before);
    buf_append_char(&out, '\n');
    put(show, &out);
    buf_release(&out);
}

void match_show_start(MatchShow *show, const ArenaConfig *config, const Standings *standings)
{
    show->config       = config;
    show->terminal     = !show->json && !show->json_lines && isatty(fileno(show->stream));
    show->start_ns     = clock_now_ns();
    show->games_before = standings->games;
    if (show->json || show->json_lines) return;
    announce(show);
    if (show->terminal) redraw(show, standings, false);
}

void match_show_game(void *context, const GameRecord *record, const Standings *standings)
{
    MatchShow *show = context;
    Buf        out  = {0};
    if (show->terminal) {
        if (clock_now_ns() - show->drawn_ns >= REDRAW_NS) redraw(show, standings, false);
        return;
    }
    if (show->json_lines) {
        report_game_json(&out, show->config, record, standings);
    } else if (!show->json) {
        report_game(&out, show->config, record, standings);
    }
    if (out.len) put(show, &out);
    buf_release(&out);
}

void match_show_end(MatchShow *show, const Standings *standings, ArenaOutcome outcome)
{
    static const char *const names[] = {
        [ARENA_COMPLETE] = "complete", [ARENA_DECIDED] = "decided", [ARENA_STOPPED] = "stopped", [ARENA_FAILED] = "failed"};
    Buf    out     = {0};
    double seconds = clock_seconds_since(show->start_ns);
    if (show->json || show->json_lines) {
        report_table_json(&out, show->config, standings, names[outcome], seconds);
    } else if (show->terminal) {
        redraw(show, standings, true);
    } else {
        report_table(&out, show->config, standings);
    }
    if (!show->json && !show->json_lines) {
        buf_printf(&out, "  %llu of %llu games in ", (unsigned long long)standings->games,
                   (unsigned long long)schedule_games(&show->config->schedule));
        put_duration(&out, seconds);
        if (show->config->pgn_path) buf_printf(&out, ", in %s", show->config->pgn_path);
        buf_append_char(&out, '\n');
        if (outcome == ARENA_STOPPED && show->config->state_path)
            buf_append(&out, STR("  stopped; --resume goes on from here\n"));
    }
    put(show, &out);
    buf_release(&out);
}

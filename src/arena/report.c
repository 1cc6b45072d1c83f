/* report.c - see report.h: the lines that people read. JSON is in report_json.c. */
#include "arena/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_WIDTH_MAX = 32 };

static int name_width(const ArenaConfig *config)
{
    size_t width = 6;
    for (int i = 0; i < config->schedule.engines; i++) {
        size_t len = strlen(config->engines[i].name);
        if (len > width) width = len;
    }
    return (int)(width > NAME_WIDTH_MAX ? NAME_WIDTH_MAX : width);
}

static double points_of(Trinomial t) { return (double)t.wins + (double)t.draws / 2; }

static uint64_t games_of(Trinomial t) { return t.wins + t.losses + t.draws; }

/* "+35.2 ± 31.4"; "+inf" and "±  -" where there is nothing to tell. */
static void put_elo(Buf *out, double elo, double error)
{
    if (isfinite(elo)) {
        buf_printf(out, "%+.1f", elo);
    } else {
        buf_append(out, elo > 0 ? STR("+inf") : STR("-inf"));
    }
    if (isfinite(error)) {
        buf_printf(out, " ± %.1f", error);
    } else {
        buf_append(out, STR(" ± ?"));
    }
}

static void put_versus(Buf *out, const ArenaConfig *config, const Standings *s)
{
    Trinomial   t = standings_versus(s, 0, 1);
    Pentanomial p = standings_pairs(s, 0, 1);
    EloEstimate e = standings_estimate(s, 0, 1);
    buf_printf(out, "%s - %s\n", config->engines[0].name, config->engines[1].name);
    buf_printf(out, "  score  %.1f of %llu (%.1f %%)   %llu won, %llu drawn, %llu lost\n", points_of(t),
               (unsigned long long)games_of(t), e.score * 100, (unsigned long long)t.wins, (unsigned long long)t.draws,
               (unsigned long long)t.losses);
    buf_append(out, STR("  Elo    "));
    put_elo(out, e.elo, e.elo_error);
    buf_append(out, STR("   normalised "));
    put_elo(out, e.nelo, e.nelo_error);
    buf_printf(out, "   superior with %.1f %%\n", e.los * 100);
    buf_printf(out, "  pairs  %llu %llu %llu %llu %llu  (0, 1/2, 1, 3/2, 2 points)   draws %.1f %%\n",
               (unsigned long long)p.pairs[0], (unsigned long long)p.pairs[1], (unsigned long long)p.pairs[2],
               (unsigned long long)p.pairs[3], (unsigned long long)p.pairs[4], e.draw_ratio * 100);
}

static void put_sprt(Buf *out, const ArenaConfig *config, const Standings *s)
{
    static const char *const verdicts[] = {[SPRT_CONTINUE]  = "undecided",
                                           [SPRT_ACCEPT_H0] = "H0 accepted: not better by as much",
                                           [SPRT_ACCEPT_H1] = "H1 accepted: better"};
    SprtState                state      = standings_sprt(s, &config->sprt);
    buf_printf(out, "  SPRT   LLR %.2f (%.2f .. %.2f) for Elo %g against %g: %s\n", state.llr, state.lower, state.upper,
               config->sprt.elo1, config->sprt.elo0, verdicts[state.verdict]);
}

/* One of several engines in the crosstable: its rank is given by `order`. */
static void put_row(Buf *out, const ArenaConfig *config, const Standings *s, const int *order, int rank, const Rating *ratings)
{
    int       n = config->schedule.engines, e = order[rank], width = name_width(config);
    Trinomial t = s->engines[e].games;
    char      elo[32], error[32];
    snprintf(elo, sizeof elo, ratings ? "%+.0f" : "-", ratings ? ratings[e].rating : 0.0);
    snprintf(error, sizeof error, ratings && isfinite(ratings[e].error) ? "%.0f" : "-", ratings ? ratings[e].error : 0.0);
    buf_printf(out, "%3d  %-*.*s %6s %5s %7llu %7.1f %5.1f%% ", rank + 1, width, width, config->engines[e].name, elo, error,
               (unsigned long long)games_of(t), points_of(t), games_of(t) ? points_of(t) * 100 / (double)games_of(t) : 0.0);
    for (int i = 0; i < n; i++) {
        Trinomial v = standings_versus(s, e, order[i]);
        char      cell[24];
        snprintf(cell, sizeof cell, "%.1f/%llu", points_of(v), (unsigned long long)games_of(v));
        buf_printf(out, " %9s", order[i] == e ? "." : games_of(v) ? cell : "-");
    }
    buf_append_char(out, '\n');
}

static void put_crosstable(Buf *out, const ArenaConfig *config, const Standings *s)
{
    int     n       = config->schedule.engines;
    Rating *ratings = calloc((size_t)n, sizeof *ratings);
    int    *order   = calloc((size_t)n, sizeof *order);
    if (ratings && order) {
        bool rated = s->games && standings_rate(s, ratings);
        for (int i = 0; i < n; i++) { /* insertion sort: by rating, then by number */
            int at = i;
            while (rated && at > 0 && ratings[order[at - 1]].rating < ratings[i].rating) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = i;
        }
        buf_printf(out, "  #  %-*s %6s %5s %7s %7s %6s ", name_width(config), "engine", "Elo", "+-", "games", "points", "score");
        for (int i = 0; i < n; i++) buf_printf(out, " %9d", i + 1);
        buf_append_char(out, '\n');
        for (int i = 0; i < n; i++) put_row(out, config, s, order, i, rated ? ratings : NULL);
    }
    free(ratings);
    free(order);
}

static void put_overs(Buf *out, const Standings *s)
{
    const char *separator = "  ends   ";
    for (int i = 0; i < OVERS; i++) {
        if (!s->overs[i]) continue;
        buf_printf(out, "%s%s %llu", separator, game_over_name((GameOver)i), (unsigned long long)s->overs[i]);
        separator = ", ";
    }
    if (s->games) buf_append_char(out, '\n');
}

static void put_faults(Buf *out, const ArenaConfig *config, const Standings *s)
{
    for (int i = 0; i < config->schedule.engines; i++) {
        const EngineTally *t = &s->engines[i];
        if (!t->crashes && !t->timeouts && !t->illegal) continue;
        buf_printf(out, "  faults of %s:", config->engines[i].name);
        if (t->crashes) buf_printf(out, " %llu crashes", (unsigned long long)t->crashes);
        if (t->timeouts) buf_printf(out, " %llu time losses", (unsigned long long)t->timeouts);
        if (t->stalls) buf_printf(out, " (%llu stalls)", (unsigned long long)t->stalls);
        if (t->illegal) buf_printf(out, " %llu illegal moves", (unsigned long long)t->illegal);
        buf_append_char(out, '\n');
    }
}

void report_table(Buf *out, const ArenaConfig *config, const Standings *standings)
{
    if (config->schedule.engines == 2) {
        put_versus(out, config, standings);
    } else {
        put_crosstable(out, config, standings);
    }
    if (config->has_sprt) put_sprt(out, config, standings);
    put_overs(out, standings);
    put_faults(out, config, standings);
}

void report_game(Buf *out, const ArenaConfig *config, const GameRecord *record, const Standings *s)
{
    const char *white = config->engines[record->engines[WHITE]].name, *black = config->engines[record->engines[BLACK]].name;
    buf_printf(out, "%" PRIu64 ".%" PRIu64 "  %s - %s  %s  ", record->id / 2 + 1, record->id % 2 + 1, white, black,
               result_text(record->result));
    record_describe(record, out);
    buf_printf(out, ", %zu moves", (record->game.plies + 1) / 2);
    if (config->schedule.engines == 2) {
        Trinomial t = standings_versus(s, 0, 1);
        buf_printf(out, "   %s %.1f of %llu", config->engines[0].name, points_of(t), (unsigned long long)games_of(t));
    }
    buf_append_char(out, '\n');
}

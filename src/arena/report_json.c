/* report_json.c - see report.h: the lines that programs read. */
#include <math.h>
#include <stdlib.h>

#include "arena/report.h"
#include "base/json.h"

static void put_tally(JsonWriter *w, const EngineTally *tally)
{
    json_u64(w, "games", tally->games.wins + tally->games.losses + tally->games.draws);
    json_u64(w, "wins", tally->games.wins);
    json_u64(w, "losses", tally->games.losses);
    json_u64(w, "draws", tally->games.draws);
}

static void put_estimate(JsonWriter *w, const EloEstimate *e)
{
    json_double(w, "score", e->score, 6);
    json_double(w, "elo", e->elo, 2);
    json_double(w, "error", e->elo_error, 2);
    json_double(w, "nelo", e->nelo, 2);
    json_double(w, "nelo_error", e->nelo_error, 2);
    json_double(w, "los", e->los, 6);
    json_double(w, "draw_ratio", e->draw_ratio, 6);
}

static void put_pairs(JsonWriter *w, const Pentanomial *pairs)
{
    json_begin_array(w, "pairs");
    for (int i = 0; i < PENTANOMIAL_KINDS; i++) json_u64(w, NULL, pairs->pairs[i]);
    json_end_array(w);
}

static void put_sprt(JsonWriter *w, const ArenaConfig *config, const Standings *s)
{
    static const char *const verdicts[] = {[SPRT_CONTINUE] = "continue", [SPRT_ACCEPT_H0] = "H0", [SPRT_ACCEPT_H1] = "H1"};
    if (!config->has_sprt) {
        json_none(w, "llr");
        return;
    }
    SprtState state = standings_sprt(s, &config->sprt);
    json_double(w, "llr", state.llr, 4);
    json_double(w, "llr_lower", state.lower, 4);
    json_double(w, "llr_upper", state.upper, 4);
    json_str(w, "verdict", str_from(verdicts[state.verdict]));
}

static void put_engines(JsonWriter *w, const ArenaConfig *config, const Standings *s)
{
    int     n       = config->schedule.engines;
    Rating *ratings = calloc((size_t)n, sizeof *ratings);
    bool    rated   = ratings && n > 2 && s->games && standings_rate(s, ratings);
    json_begin_array(w, "engines");
    for (int i = 0; i < n; i++) {
        const EngineTally *tally = &s->engines[i];
        EloEstimate        e     = standings_estimate_engine(s, i);
        json_begin_object(w, NULL);
        json_str(w, "name", str_from(config->engines[i].name));
        put_tally(w, tally);
        put_estimate(w, &e);
        if (rated) {
            json_double(w, "rating", ratings[i].rating, 2);
            json_double(w, "rating_error", ratings[i].error, 2);
        }
        json_u64(w, "crashes", tally->crashes);
        json_u64(w, "timeouts", tally->timeouts);
        json_u64(w, "stalls", tally->stalls);
        json_u64(w, "illegal", tally->illegal);
        json_end_object(w);
    }
    json_end_array(w);
    free(ratings);
}

/* Every pair of engines that met: needed to make one's own crosstable. */
static void put_pairings(JsonWriter *w, const ArenaConfig *config, const Standings *s)
{
    int n = config->schedule.engines;
    json_begin_array(w, "pairings");
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n; b++) {
            EngineTally tally = {.games = standings_versus(s, a, b)};
            Pentanomial pairs = standings_pairs(s, a, b);
            EloEstimate e     = standings_estimate(s, a, b);
            if (e.games == 0) continue;
            json_begin_object(w, NULL);
            json_str(w, "first", str_from(config->engines[a].name));
            json_str(w, "second", str_from(config->engines[b].name));
            put_tally(w, &tally);
            put_estimate(w, &e);
            put_pairs(w, &pairs);
            json_end_object(w);
        }
    }
    json_end_array(w);
}

void report_table_json(Buf *out, const ArenaConfig *config, const Standings *s, const char *outcome, double seconds)
{
    JsonWriter  w;
    Pentanomial pairs = {0};
    EloEstimate e     = standings_estimate_engine(s, 0);
    for (int b = 1; b < config->schedule.engines; b++) {
        for (int i = 0; i < PENTANOMIAL_KINDS; i++) pairs.pairs[i] += standings_pairs(s, 0, b).pairs[i];
    }
    json_init(&w, out);
    json_begin_object(&w, NULL);
    json_str(&w, "event", STR("match"));
    json_str(&w, "outcome", str_from(outcome));
    json_str(&w, "engine", str_from(config->engines[0].name));
    put_tally(&w, &s->engines[0]);
    put_estimate(&w, &e);
    put_sprt(&w, config, s);
    put_pairs(&w, &pairs);
    json_begin_object(&w, "ends");
    for (int i = 0; i < OVERS; i++) {
        if (s->overs[i]) json_u64(&w, game_over_name((GameOver)i), s->overs[i]);
    }
    json_end_object(&w);
    json_u64(&w, "total_games", s->games); /* of all engines; `games` are the first one's */
    json_u64(&w, "white_wins", s->white_wins);
    json_u64(&w, "black_wins", s->black_wins);
    json_u64(&w, "plies", s->plies);
    json_double(&w, "seconds", seconds, 3);
    put_engines(&w, config, s);
    if (config->schedule.engines > 2) put_pairings(&w, config, s);
    json_end_object(&w);
    buf_append_char(out, '\n');
}

void report_game_json(Buf *out, const ArenaConfig *config, const GameRecord *record, const Standings *s)
{
    JsonWriter w;
    Buf        why         = {0};
    uint64_t   nodes       = 0;
    int64_t    thinking_ns = 0;
    for (size_t ply = record->book_plies; ply < record->game.plies; ply++) {
        nodes += record->moves[ply].nodes;
        thinking_ns += record->moves[ply].elapsed_ns;
    }
    record_describe(record, &why);
    json_init(&w, out);
    json_begin_object(&w, NULL);
    json_str(&w, "event", STR("game"));
    json_u64(&w, "pair", record->id / 2 + 1);
    json_u64(&w, "game", record->id % 2 + 1);
    json_str(&w, "white", str_from(config->engines[record->engines[WHITE]].name));
    json_str(&w, "black", str_from(config->engines[record->engines[BLACK]].name));
    json_str(&w, "result", str_from(result_text(record->result)));
    json_str(&w, "end", str_from(game_over_name(record->over)));
    json_str(&w, "reason", buf_str(&why));
    json_u64(&w, "plies", record->game.plies - record->book_plies);
    json_u64(&w, "nodes", nodes);
    json_double(&w, "thinking", (double)thinking_ns * 1e-9, 6); /* of both, as their clocks saw it */
    json_double(&w, "seconds", (double)record->duration_ns * 1e-9, 6);
    json_u64(&w, "games", s->games);
    if (config->has_sprt) json_double(&w, "llr", standings_sprt(s, &config->sprt).llr, 4);
    json_end_object(&w);
    buf_append_char(out, '\n');
    buf_release(&why);
}

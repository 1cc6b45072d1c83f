/* precision.c - see precision.h. */
#include "lab/precision.h"

#include <stdlib.h>

#include "base/lines.h"
#include "chess/movegen.h"
#include "game/epd.h"

/* ---- positions ---- */

void precision_release(PrecisionSuite *suite)
{
    free(suite->items);
    *suite = (PrecisionSuite){0};
}

static bool add_position(PrecisionSuite *suite, const Position *pos, int k, Err *err)
{
    PrecisionPosition item = {.pos = *pos, .legal = movegen_count(pos)};
    if (item.legal <= k) {
        suite->left_out++;
        return true;
    }
    position_to_fen(pos, item.fen);
    if (suite->count == suite->cap) {
        size_t             cap   = suite->cap ? 2 * suite->cap : 256;
        PrecisionPosition *items = realloc(suite->items, cap * sizeof *items);
        if (!items) return err_set(err, ERR_MEMORY, 0, "out of memory");
        suite->items = items;
        suite->cap   = cap;
    }
    suite->items[suite->count++] = item;
    return true;
}

bool precision_load(const char *path, int k, size_t most, PrecisionSuite *out, Err *err)
{
    LineReader lines;
    LineStatus status = LINE_READ;
    Str        line;
    bool       ok     = true;
    int        number = 0;
    *out              = (PrecisionSuite){0};
    if (!lines_open(&lines, path, err)) return false;
    while (ok && (most == 0 || out->count < most) && (status = lines_next(&lines, &line, err)) == LINE_READ) {
        Epd epd;
        Err why;
        number++;
        line = str_trim(line);
        if (line.len == 0 || line.ptr[0] == '#') continue;
        ok = epd_parse(line, &epd, &why) && add_position(out, &epd.position, k, &why);
        if (!ok) err_set(err, why.code, why.offset, "%s:%d: %s", path, number, why.text);
    }
    lines_release(&lines);
    ok = ok && status != LINE_FAILED;
    if (ok && out->count == 0) ok = err_set(err, ERR_SYNTAX, 0, "%s holds no position with more than %d legal moves", path, k);
    if (!ok) precision_release(out);
    return ok;
}

/* ---- the measure ---- */

double precision_at(const TopMoves *ours, const TopMoves *reference, int k)
{
    int found = 0;
    for (int i = 0; i < ours->count; i++) {
        for (int j = 0; j < reference->count; j++) found += ours->moves[i] == reference->moves[j];
    }
    return (double)found / k;
}

double precision_by_chance(const PrecisionSuite *suite, int k)
{
    double sum = 0;
    for (size_t i = 0; i < suite->count; i++) sum += (double)k / suite->items[i].legal;
    return suite->count ? sum / (double)suite->count : 0;
}

/* ---- asking ---- */

static bool ask_one(Player *player, const TimeControl *limits, const Position *pos, int k, TopMoves *out, Err *err)
{
    Game game = {0};
    if (!game_init(&game, pos)) return err_set(err, ERR_MEMORY, 0, "out of memory");
    GameClock clock;
    clock_start(&clock, limits);
    PlayerLines  lines = {.wanted = k};
    PlayerGame   begin = {.seed = 1};
    PlayerGo     go    = {.clocks = {&clock, &clock}, .limit_ns = clock_allowed_ns(&clock), .lines = &lines};
    PlayerAnswer answer;
    bool         ok = player_begin_game(player, &begin, &answer) && player_think(player, &game, &go, &answer);
    game_release(&game);
    if (!ok) return err_set(err, ERR_FORMAT, 0, "%s: %s", player_status_text(answer.status), answer.text);
    if (lines.count < k)
        return err_set(err, ERR_FORMAT, 0, "it showed no %d lines of one depth: it needs the option MultiPV and time enough", k);
    out->count = k;
    memcpy(out->moves, lines.moves, (size_t)k * sizeof *out->moves);
    return true;
}

bool precision_ask(const PlayerSpec *spec, const TimeControl *limits, const PrecisionSuite *suite, int k, TopMoves *out,
                   PrecisionStepFn *step, void *context, Err *err)
{
    const PlayerPatience patience = player_default_patience();
    Player              *player   = player_new(spec, &patience, err);
    Err                  why;
    bool                 ok = player != NULL, more = true;
    for (size_t i = 0; ok && more && i < suite->count; i++) {
        if (out[i].count) continue;
        ok = ask_one(player, spec->has_limits ? &spec->limits : limits, &suite->items[i].pos, k, &out[i], &why);
        if (!ok) err_set(err, why.code, 0, "%s: %s (position %s)", spec->name, why.text, suite->items[i].fen);
        if (ok && step) more = step(context, i);
    }
    player_free(player);
    return ok;
}

/* pgn_stats.c - see pgn_stats.h. */
#include "game/pgn_stats.h"

#include <stdlib.h>

#include "chess/notation.h"

/* ---- lists of names ---- */

static uint64_t hash_text(Str text)
{
    uint64_t hash = 0xcbf29ce484222325U; /* FNV-1a, which is enough for names */
    for (size_t i = 0; i < text.len; i++) hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3U;
    return hash ^ (hash >> 32);
}

static uint32_t *find_place(const PgnNames *names, Str text, uint64_t hash)
{
    size_t mask = names->index_size - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        uint32_t *place = &names->index[i];
        if (*place == 0) return place;
        const PgnNameCount *entry = &names->entries[*place - 1];
        if (entry->hash == hash && str_equal(pgn_name(names, entry), text)) return place;
    }
}

static bool grow_names(PgnNames *names)
{
    size_t        capacity = names->capacity ? names->capacity * 2 : 256;
    PgnNameCount *entries  = realloc(names->entries, capacity * sizeof *entries);
    if (entries) names->entries = entries;
    uint32_t *index = entries ? calloc(capacity * 2, sizeof *index) : NULL;
    if (!index) return false;
    free(names->index);
    names->index      = index;
    names->index_size = capacity * 2;
    names->capacity   = capacity;
    for (size_t i = 0; i < names->count; i++) {
        *find_place(names, pgn_name(names, &entries[i]), entries[i].hash) = (uint32_t)i + 1;
    }
    return true;
}

static PgnNameCount *add_name(PgnNames *names, Str text, uint64_t hash, uint32_t *place)
{
    size_t start = names->text.len;
    buf_append(&names->text, text);
    buf_append_char(&names->text, '\0'); /* also: the text is never NULL */
    if (names->text.failed) return NULL;
    names->entries[names->count++] = (PgnNameCount){.name = start, .name_len = text.len, .hash = hash};
    *place                         = (uint32_t)names->count;
    return &names->entries[names->count - 1];
}

/* Counts a game of `text` that ended with `result`, seen from `side`. False when memory is short. */
static bool count_name(PgnNames *names, Str text, Result result, Color side)
{
    if (names->count == names->capacity && names->count < PGN_NAMES_MAX && !grow_names(names)) return false;
    uint64_t      hash  = hash_text(text);
    uint32_t     *place = find_place(names, text, hash);
    PgnNameCount *entry = *place ? &names->entries[*place - 1] : NULL;
    if (!entry) {
        if (names->count >= PGN_NAMES_MAX) {
            names->left_out++;
            return true;
        }
        entry = add_name(names, text, hash, place);
        if (!entry) return false;
    }
    Result win = side == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
    entry->games++;
    entry->wins += result == win;
    entry->draws += result == RESULT_DRAW;
    entry->losses += result != win && result != RESULT_DRAW && result != RESULT_UNKNOWN;
    return true;
}

static void release_names(PgnNames *names)
{
    free(names->entries);
    free(names->index);
    buf_release(&names->text);
}

size_t pgn_names_top(const PgnNames *names, size_t *out, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++) {
        size_t at = count;
        while (at > 0 && names->entries[out[at - 1]].games < names->entries[i].games) at--;
        if (at == room) continue;
        if (count < room) count++;
        for (size_t k = count - 1; k > at; k--) out[k] = out[k - 1];
        out[at] = i;
    }
    return count;
}

/* ---- the visitor ---- */

void pgn_stats_init(PgnStats *stats) { memset(stats, 0, sizeof *stats); }

void pgn_stats_release(PgnStats *stats)
{
    release_names(&stats->players);
    release_names(&stats->events);
    release_names(&stats->openings);
    release_names(&stats->years);
    release_names(&stats->first_moves);
    buf_release(&stats->white);
    buf_release(&stats->black);
    buf_release(&stats->event);
    buf_release(&stats->eco);
    buf_release(&stats->date);
    pgn_stats_init(stats);
}

static bool stats_begin_game(void *context)
{
    PgnStats *stats = context;
    buf_reset(&stats->white);
    buf_reset(&stats->black);
    buf_reset(&stats->event);
    buf_reset(&stats->eco);
    buf_reset(&stats->date);
    stats->first_move[0] = '\0';
    stats->game_plies    = 0;
    stats->depth         = 0;
    stats->white_elo = stats->black_elo = 0;
    stats->game_broken = stats->game_set_up = false;
    return true;
}

static void keep(Buf *out, Str value)
{
    buf_reset(out);
    buf_append(out, value);
}

static bool stats_tag(void *context, Str name, Str value)
{
    PgnStats *stats = context;
    if (str_equal(name, STR("White"))) keep(&stats->white, value);
    if (str_equal(name, STR("Black"))) keep(&stats->black, value);
    if (str_equal(name, STR("Event"))) keep(&stats->event, value);
    if (str_equal(name, STR("ECO"))) keep(&stats->eco, value);
    if (str_equal(name, STR("Date")) || (str_equal(name, STR("UTCDate")) && !stats->date.len)) keep(&stats->date, value);
    if (str_equal(name, STR("WhiteElo"))) str_to_int(value, 1, 9999, &stats->white_elo);
    if (str_equal(name, STR("BlackElo"))) str_to_int(value, 1, 9999, &stats->black_elo);
    return true;
}

static bool stats_begin_moves(void *context, const Position *start)
{
    PgnStats *stats = context;
    Position  normal;
    position_set_start(&normal);
    stats->game_set_up = !position_same(start, &normal);
    return true;
}

static bool stats_move(void *context, const Position *before, Move move)
{
    PgnStats *stats = context;
    if (stats->depth > 0) return true;
    if (stats->game_plies++ == 0 && !stats->game_set_up) {
        char   san[SAN_SIZE];
        size_t len = move_to_san(before, move, san);
        memcpy(stats->first_move, san, len < sizeof stats->first_move ? len + 1 : 0);
    }
    return true;
}

static bool stats_comment(void *context, Str text)
{
    (void)text;
    PgnStats *stats = context;
    stats->comments++;
    return true;
}

static bool stats_begin_variation(void *context)
{
    PgnStats *stats = context;
    stats->depth++;
    stats->variations++;
    return true;
}

static bool stats_end_variation(void *context)
{
    PgnStats *stats = context;
    stats->depth--;
    return true;
}

static void count_elo(PgnStats *stats, int elo)
{
    if (elo <= 0) return;
    int bucket = elo / PGN_ELO_STEP;
    stats->elo[bucket < PGN_ELO_BUCKETS ? bucket : PGN_ELO_BUCKETS - 1]++;
    stats->elo_count++;
    stats->elo_sum += (uint64_t)elo;
}

static bool is_known(Str text) { return text.len > 0 && text.ptr[0] != '?' && !str_equal(text, STR("-")); }

/* Counts one name of the game in its list, if the game tells it. */
static void count_if_known(PgnStats *stats, PgnNames *names, Str text, Result result, Color side)
{
    if (is_known(text) && !count_name(names, text, result, side)) stats->failed = true;
}

static void count_names(PgnStats *stats, Result result)
{
    Str date = buf_str(&stats->date);
    if (date.len > 4) date.len = 4;
    count_if_known(stats, &stats->players, buf_str(&stats->white), result, WHITE);
    count_if_known(stats, &stats->players, buf_str(&stats->black), result, BLACK);
    count_if_known(stats, &stats->events, buf_str(&stats->event), result, WHITE);
    count_if_known(stats, &stats->openings, buf_str(&stats->eco), result, WHITE);
    count_if_known(stats, &stats->years, date, result, WHITE);
    count_if_known(stats, &stats->first_moves, str_from(stats->first_move), result, WHITE);
}

static bool stats_end_game(void *context, Result result)
{
    PgnStats *stats = context;
    stats->games++;
    if (stats->game_broken) {
        stats->broken++;
        return true;
    }
    uint64_t plies = stats->game_plies;
    bool     first = stats->games - stats->broken == 1;
    stats->plies += plies;
    if (first || plies < stats->shortest) stats->shortest = plies;
    if (plies > stats->longest) stats->longest = plies;
    stats->results[result]++;
    stats->set_up += stats->game_set_up;
    count_elo(stats, stats->white_elo);
    count_elo(stats, stats->black_elo);
    count_names(stats, result);
    return true;
}

static bool stats_error(void *context, const PgnError *error)
{
    (void)error;
    PgnStats *stats    = context;
    stats->game_broken = true;
    return true;
}

PgnVisitor pgn_stats_visitor(PgnStats *stats)
{
    return (PgnVisitor){
        .context         = stats,
        .begin_game      = stats_begin_game,
        .tag             = stats_tag,
        .begin_moves     = stats_begin_moves,
        .move            = stats_move,
        .comment         = stats_comment,
        .begin_variation = stats_begin_variation,
        .end_variation   = stats_end_variation,
        .end_game        = stats_end_game,
        .error           = stats_error,
    };
}

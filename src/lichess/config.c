/* config.c - see config.h: the table of keys, and reading by it. */
#include "lichess/config.h"

#include <stdlib.h>

#include "base/lines.h"

typedef enum { KEY_TEXT, KEY_NUMBER, KEY_BOOL, KEY_SET, KEY_CHOICE, KEY_URL, KEY_NAMES, KEY_SECTION } KeyKind;

typedef struct {
    const char        *name; /* of a section: its title */
    KeyKind            kind;
    size_t             offset; /* in Config */
    const char        *value;  /* default */
    int64_t            low, high;
    const char *const *words; /* of a set or a choice, NULL-terminated */
    const char        *help;
} ConfigKey;

static const char *const variant_words[]   = {"standard", "chess960", "fromPosition", NULL};
static const char *const speed_words[]     = {"ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", NULL};
static const char *const mode_words[]      = {"casual", "rated", NULL};
static const char *const opponent_words[]  = {"human", "bot", NULL};
static const char *const interrupt_words[] = {"finish", "resign", NULL};

enum { DAY_S = 86400, RATING_MAX = 5000, MS_MAX = 3600000 };

#define SECTION(title)                                                                                                           \
    {                                                                                                                            \
        title, KEY_SECTION, 0, "", 0, 0, NULL, ""                                                                                \
    }
#define NUMBER(field, value, low, high, help)                                                                                    \
    {                                                                                                                            \
#field, KEY_NUMBER, offsetof(Config, field), value, low, high, NULL, help                                                \
    }
#define BOOL(field, value, help)                                                                                                 \
    {                                                                                                                            \
#field, KEY_BOOL, offsetof(Config, field), value, 0, 0, NULL, help                                                       \
    }
#define WORDS(field, kind, value, words, help)                                                                                   \
    {                                                                                                                            \
#field, kind, offsetof(Config, field), value, 0, 0, words, help                                                          \
    }
#define TEXT(field, kind, value, size, help)                                                                                     \
    {                                                                                                                            \
#field, kind, offsetof(Config, field), value, 0, size, NULL, help                                                        \
    }

static const ConfigKey keys[] = {
    SECTION("Where"),
    TEXT(url, KEY_URL, "https://lichess.org", 200,
         "The server. https only; http is allowed to this machine itself. Nothing else is ever contacted."),
    TEXT(pgn_folder, KEY_TEXT, "games", 1000,
         "Every finished game is added to a file of its month in this folder, which is made when it is missing. Empty: nowhere."),

    SECTION("Which challenges are accepted (the others are declined, with the reason)"),
    WORDS(variants, KEY_SET, "standard, chess960, fromPosition", variant_words, "Any of: standard, chess960, fromPosition."),
    WORDS(speeds, KEY_SET, "bullet, blitz, rapid, classical", speed_words,
          "Any of: ultraBullet, bullet, blitz, rapid, classical, correspondence."),
    WORDS(modes, KEY_SET, "casual, rated", mode_words, "Any of: casual, rated."),
    WORDS(opponents, KEY_SET, "human, bot", opponent_words, "Any of: human, bot."),
    NUMBER(min_rating, "0", 0, RATING_MAX, "Opponents rated lower are declined."),
    NUMBER(max_rating, "5000", 0, RATING_MAX, "Opponents rated higher are declined."),
    NUMBER(min_base_s, "0", 0, DAY_S, "Seconds on the clock at the start, at least."),
    NUMBER(max_base_s, "10800", 0, DAY_S, "Seconds on the clock at the start, at most."),
    NUMBER(min_increment_s, "0", 0, 180, "Seconds added a move, at least."),
    NUMBER(max_increment_s, "180", 0, 180, "Seconds added a move, at most."),
    NUMBER(max_games, "1", 1, 32, "Games at the same time. Each has an engine with a hash table and threads of its own."),
    NUMBER(rematches, "3", 0, 1000, "Rematches in a row that are accepted from the same opponent."),
    TEXT(block, KEY_NAMES, "", 4000, "Names of players that are never played, separated by commas."),
    TEXT(only, KEY_NAMES, "", 4000, "When not empty: names of the only players that are played."),

    SECTION("How moves are found (more with engine.NAME below)"),
    BOOL(ponder, "false", "Think while the opponent does."),
    NUMBER(move_nodes, "0", 0, INT64_MAX, "At most so many nodes a move; 0: no such limit."),
    NUMBER(move_depth, "0", 0, SEARCH_DEPTH_MAX, "At most so deep a move; 0: no such limit."),
    NUMBER(move_time_ms, "0", 0, MS_MAX, "At most so long a move, in milliseconds; 0: as the clock allows."),
    NUMBER(correspondence_move_ms, "10000", 100, MS_MAX, "How long to think in games without a clock, in milliseconds."),
    NUMBER(overhead_start_ms, "200", 0, 5000,
           "What the way to the server and back is believed to cost each move until it has been measured, in milliseconds."),
    NUMBER(overhead_min_ms, "30", 0, 5000, "It is never believed to be less than this."),
    NUMBER(overhead_max_ms, "3000", 0, 5000, "It is never believed to be more than this."),

    SECTION("How the bot behaves"),
    BOOL(draw_accept, "true", "Accept a draw when the position is level by the numbers below."),
    BOOL(draw_offer, "false", "Offer a draw when the position is level by the numbers below."),
    NUMBER(draw_score, "10", 0, 1000, "Level: the bot's score is at most so far from zero, in centipawns,"),
    NUMBER(draw_moves, "8", 1, 100, "for so many of its moves in a row,"),
    NUMBER(draw_min_move, "35", 1, 1000, "and not before this move of the game."),
    BOOL(resign, "false", "Resign lost games."),
    NUMBER(resign_score, "900", 100, 30000, "Lost: the bot's score is at least so far below zero, in centipawns,"),
    NUMBER(resign_moves, "5", 1, 100, "for so many of its moves in a row."),
    NUMBER(takebacks, "0", 0, 1000, "Takebacks that are granted in a game."),
    NUMBER(abort_after_s, "30", 1, 3600, "Abort when the opponent has not made the first move after so many seconds."),
    BOOL(claim_victory, "true", "Claim the win when the opponent has left for as long as the server asks."),
    TEXT(greeting, KEY_TEXT, "", 140, "Said in the chat when a game starts; empty: nothing."),
    TEXT(goodbye, KEY_TEXT, "", 140, "Said in the chat when a game has ended; empty: nothing."),
    WORDS(on_interrupt, KEY_CHOICE, "finish", interrupt_words,
          "At Ctrl-C or SIGTERM: finish the games, or resign them. A second Ctrl-C leaves at once."),

    SECTION("Looking for games itself, against other bots"),
    BOOL(matchmaking, "false", "Challenge bots that are online when there is no game."),
    NUMBER(matchmaking_every_s, "60", 1, DAY_S, "Wait so long between two challenges."),
    NUMBER(matchmaking_per_day, "50", 1, 1000, "At most so many challenges in 24 hours."),
    BOOL(matchmaking_rated, "false", "Ask for rated games."),
    NUMBER(matchmaking_base_s, "180", 0, 10800,
           "Seconds on the clock; the server takes 0, 15, 30, 45, 60, 90 and whole minutes."),
    NUMBER(matchmaking_increment_s, "2", 0, 60, "Seconds added a move."),
    NUMBER(matchmaking_min_rating, "0", 0, RATING_MAX, "Bots rated lower (at that speed) are not asked."),
    NUMBER(matchmaking_max_rating, "5000", 0, RATING_MAX, "Bots rated higher are not asked."),

    SECTION("The network: milliseconds. Good as they are"),
    NUMBER(connect_timeout_ms, "10000", 10, MS_MAX, "A connection that takes longer is given up and tried again."),
    NUMBER(request_timeout_ms, "15000", 10, MS_MAX, "An answer that takes longer likewise."),
    NUMBER(stream_idle_ms, "25000", 10, MS_MAX,
           "A stream that is silent for so long is dead (the server sends a line every 7 s)."),
    NUMBER(backoff_min_ms, "300", 1, MS_MAX, "The first wait after a failure; it doubles with each further one"),
    NUMBER(backoff_max_ms, "30000", 1, MS_MAX, "up to this."),
    NUMBER(rate_limit_ms, "60000", 1, MS_MAX,
           "The wait after \"too many requests\" when the server names none; a named one is kept."),
};

enum { KEYS = sizeof keys / sizeof *keys };

/* ---- names ---- */

enum { WORD_MAX = 40 };

/* How many letters have to be added, dropped or changed to make one word of the other. */
static size_t edit_distance(Str a, Str b)
{
    size_t row[WORD_MAX + 1];
    if (a.len > WORD_MAX || b.len > WORD_MAX) return WORD_MAX;
    for (size_t j = 0; j <= b.len; j++) row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t corner = row[0];
        row[0]        = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t change = corner + (char_lower(a.ptr[i - 1]) != char_lower(b.ptr[j - 1]));
            size_t other  = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner        = row[j];
            row[j]        = change < other ? change : other;
        }
    }
    return row[b.len];
}

static void look_nearer(Str name, const char *candidate, const char **best, size_t *distance)
{
    size_t d = edit_distance(name, str_from(candidate));
    if (d < *distance) *best = candidate, *distance = d;
}

static bool unknown_key(Str name, Err *err)
{
    const char *best     = NULL;
    size_t      distance = name.len / 2 + 2;
    Str         option   = str_starts_with(name, STR("engine.")) ? str_skip(name, 7) : (Str){0};
    for (size_t i = 0; option.len == 0 && i < KEYS; i++) {
        if (keys[i].kind != KEY_SECTION) look_nearer(name, keys[i].name, &best, &distance);
    }
    for (size_t i = 0; option.len && i < engine_option_count(); i++)
        look_nearer(option, engine_option(i)->name, &best, &distance);
    int shown = (int)(name.len < 60 ? name.len : 60);
    if (!best) return err_set(err, ERR_NOT_FOUND, 0, "there is no key '%.*s'", shown, name.ptr);
    return err_set(err, ERR_NOT_FOUND, 0, "there is no key '%.*s'; did you mean '%s%s'?", shown, name.ptr,
                   option.len ? "engine." : "", best);
}

static const ConfigKey *find_key(Str name)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].kind != KEY_SECTION && str_equal(name, str_from(keys[i].name))) return &keys[i];
    }
    return NULL;
}

static int find_word(const char *const *words, Str word)
{
    for (int i = 0; words[i]; i++) {
        if (str_equal_nocase(str_from(words[i]), word)) return i;
    }
    return -1;
}

static unsigned word_bit(const char *const *words, Str word)
{
    int index = find_word(words, word);
    return index < 0 ? 0 : 1U << index;
}

unsigned config_variant(Str name) { return word_bit(variant_words, name); }
unsigned config_speed(Str name) { return word_bit(speed_words, name); }

bool config_names_hold(Str names, Str name)
{
    while (names.len) {
        if (str_equal_nocase(str_trim(str_next_until(&names, ',')), name)) return true;
    }
    return false;
}

/* ---- addresses ---- */

static bool host_is_loopback(Str host)
{
    if (str_equal_nocase(host, STR("localhost")) || str_equal(host, STR("[::1]"))) return true;
    if (!str_starts_with(host, STR("127."))) return false;
    for (size_t i = 0; i < host.len; i++) {
        if (!char_is_digit(host.ptr[i]) && host.ptr[i] != '.') return false; /* 127.example.org is elsewhere */
    }
    return true;
}

bool config_check_url(Str url, Err *err)
{
    bool tls = str_starts_with(url, STR("https://")), plain = str_starts_with(url, STR("http://"));
    if (!tls && !plain) return err_set(err, ERR_SYNTAX, 0, "an address begins with https://");
    for (size_t i = 0; i < url.len; i++) {
        unsigned char c = (unsigned char)url.ptr[i];
        if (c <= ' ' || c >= 127 || c == '@' || c == '?' || c == '#' || c == '\\')
            return err_set(err, ERR_SYNTAX, i, "an address is https://HOST[:PORT], without user, question mark or space");
    }
    Str    rest = str_skip(url, tls ? 8 : 7), host = str_next_until(&rest, '/');
    size_t end = host.len && host.ptr[0] == '[' ? 0 : host.len;
    for (size_t i = 0; i < host.len; i++) {
        if (host.ptr[i] == ']') end = i + 1;
        if (host.ptr[i] == ':' && host.ptr[0] != '[') {
            end = i;
            break;
        }
    }
    host.len = end;
    if (host.len == 0) return err_set(err, ERR_SYNTAX, 0, "the address names no host");
    if (plain && !host_is_loopback(host))
        return err_set(err, ERR_RANGE, 0, "http would send the token unprotected: use https (http only to this machine itself)");
    return true;
}

/* ---- values ---- */

static bool store_set(const ConfigKey *key, Str value, unsigned *out, Err *err)
{
    unsigned set = 0;
    for (Str rest = value; rest.len;) {
        Str word = str_trim(str_next_until(&rest, ','));
        int bit  = find_word(key->words, word);
        if (bit < 0) return err_set(err, ERR_RANGE, 0, "%s: there is no '%.*s'. %s", key->name, STR_ARGS(word), key->help);
        set |= 1U << bit;
    }
    if (set == 0) return err_set(err, ERR_RANGE, 0, "%s is empty: nothing could ever be accepted. %s", key->name, key->help);
    *out = set;
    return true;
}

static bool store_bool(const ConfigKey *key, Str value, bool *out, Err *err)
{
    bool yes = str_equal_nocase(value, STR("true")) || str_equal_nocase(value, STR("yes"));
    if (!yes && !str_equal_nocase(value, STR("false")) && !str_equal_nocase(value, STR("no")))
        return err_set(err, ERR_RANGE, 0, "%s is true or false, not '%.*s'", key->name, STR_ARGS(value));
    *out = yes;
    return true;
}

static bool store_text(const ConfigKey *key, Str value, Str *out, Err *err)
{
    while (key->kind == KEY_URL && value.len > 0 && value.ptr[value.len - 1] == '/') value.len--;
    if (key->kind == KEY_URL && !config_check_url(value, err)) return false;
    if (value.len > (size_t)key->high)
        return err_set(err, ERR_RANGE, 0, "%s is longer than %d characters", key->name, (int)key->high);
    for (size_t i = 0; key->kind == KEY_NAMES && i < value.len; i++) {
        char c = value.ptr[i];
        if (!char_is_digit(c) && !char_is_lower(char_lower(c)) && (c == '\0' || !strchr("_-, ", c)))
            return err_set(err, ERR_SYNTAX, i, "%s holds names with commas between, and '%c' is in no name", key->name, c);
    }
    *out = value;
    return true;
}

static bool store(const ConfigKey *key, Str value, Config *config, Err *err)
{
    void   *target = (char *)config + key->offset;
    int64_t number;
    int     index;
    switch (key->kind) {
    case KEY_NUMBER:
        if (!str_to_i64(value, &number) || number < key->low || number > key->high)
            return err_set(err, ERR_RANGE, 0, "%s is a number from %lld to %lld, not '%.*s'", key->name, (long long)key->low,
                           (long long)key->high, STR_ARGS(value));
        *(int64_t *)target = number;
        return true;
    case KEY_BOOL: return store_bool(key, value, target, err);
    case KEY_SET: return store_set(key, value, target, err);
    case KEY_CHOICE:
        index = find_word(key->words, value);
        if (index < 0) return err_set(err, ERR_RANGE, 0, "%s: there is no '%.*s'. %s", key->name, STR_ARGS(value), key->help);
        *(int *)target = index;
        return true;
    case KEY_URL:
    case KEY_NAMES:
    case KEY_TEXT: return store_text(key, value, target, err);
    case KEY_SECTION: break;
    }
    return true;
}

/* ---- the file ---- */

static bool store_engine_option(Config *config, Engine *engine, Str name, Str value, Err *err)
{
    enum { MOST = sizeof config->engine / sizeof *config->engine };
    Str option = str_skip(name, 7);
    if (str_equal_nocase(option, STR("Move Overhead")) || str_equal_nocase(option, STR("UCI_Chess960")))
        return err_set(err, ERR_RANGE, 0, "'%.*s' is the bot's own affair (see overhead_start_ms)", STR_ARGS(option));
    if (!engine_set_option(engine, option, value, err)) return err->code == ERR_NOT_FOUND ? unknown_key(name, err) : false;
    if (config->engine_options == MOST) return err_set(err, ERR_RANGE, 0, "more than %d engine options", MOST);
    config->engine[config->engine_options].name  = option;
    config->engine[config->engine_options].value = value;
    config->engine_options++;
    return true;
}

static bool read_line(Config *config, Engine *engine, Str line, bool given[KEYS], Err *err)
{
    line = str_trim(line);
    if (line.len == 0 || line.ptr[0] == '#') return true;
    if (!memchr(line.ptr, '=', line.len))
        return err_set(err, ERR_SYNTAX, 0, "a line is `key = value`, or a comment that begins with #");
    Str name = str_trim(str_next_until(&line, '=')), value = str_trim(line);
    if (str_starts_with(name, STR("engine."))) return store_engine_option(config, engine, name, value, err);
    const ConfigKey *key = find_key(name);
    if (!key) return unknown_key(name, err);
    if (given[key - keys]) return err_set(err, ERR_SYNTAX, 0, "%s is given twice", key->name);
    given[key - keys] = true;
    return store(key, value, config, err);
}

/* What only several keys together can get wrong. */
static bool check_whole(const Config *c, Err *err)
{
    if (c->min_rating > c->max_rating) return err_set(err, ERR_RANGE, 0, "min_rating is above max_rating");
    if (c->min_base_s > c->max_base_s) return err_set(err, ERR_RANGE, 0, "min_base_s is above max_base_s");
    if (c->min_increment_s > c->max_increment_s) return err_set(err, ERR_RANGE, 0, "min_increment_s is above max_increment_s");
    if (c->overhead_min_ms > c->overhead_max_ms) return err_set(err, ERR_RANGE, 0, "overhead_min_ms is above overhead_max_ms");
    if (c->matchmaking_min_rating > c->matchmaking_max_rating)
        return err_set(err, ERR_RANGE, 0, "matchmaking_min_rating is above matchmaking_max_rating");
    if (c->backoff_min_ms > c->backoff_max_ms) return err_set(err, ERR_RANGE, 0, "backoff_min_ms is above backoff_max_ms");
    return true;
}

static bool parse_lines(Config *config, Engine *engine, const char *name, Err *err)
{
    bool given[KEYS] = {0};
    Err  why;
    Str  rest = buf_str(&config->memory);
    for (int line = 1; rest.len; line++) {
        if (!read_line(config, engine, str_next_until(&rest, '\n'), given, &why))
            return err_set(err, why.code, (size_t)line, "%s, line %d: %s", name, line, why.text);
    }
    if (!check_whole(config, &why)) return err_set(err, why.code, 0, "%s: %s", name, why.text);
    return true;
}

bool config_parse(Str text, const char *name, Config *out, Err *err)
{
    const SearchListener deaf   = {0};
    Engine              *engine = engine_new(&deaf, err);
    if (!engine) return false;
    *out = (Config){0};
    for (size_t i = 0; i < KEYS; i++) store(&keys[i], str_from(keys[i].value), out, NULL);
    buf_append(&out->memory, text);
    bool ok = !out->memory.failed ? parse_lines(out, engine, name, err) : err_set(err, ERR_MEMORY, 0, "out of memory");
    engine_free(engine);
    if (!ok) config_release(out);
    return ok;
}

bool config_load(const char *path, Config *out, Err *err)
{
    if (!path) return config_parse(STR(""), "defaults", out, err);
    LineReader lines;
    Buf        text = {0};
    Str        line;
    LineStatus status;
    if (!lines_open(&lines, path, err)) return false;
    while ((status = lines_next(&lines, &line, err)) == LINE_READ) {
        buf_append(&text, line);
        buf_append_char(&text, '\n');
    }
    lines_release(&lines);
    bool ok = status == LINE_END && config_parse(buf_str(&text), path, out, err);
    buf_release(&text);
    return ok;
}

void config_release(Config *config)
{
    buf_release(&config->memory);
    *config = (Config){0};
}

bool config_set_engine(const Config *config, Engine *engine, Err *err)
{
    if (!engine_set_option(engine, STR("OwnBook"), STR("true"), err)) return false;
    if (!engine_set_option(engine, STR("Ponder"), config->ponder ? STR("true") : STR("false"), err)) return false;
    for (size_t i = 0; i < config->engine_options; i++) {
        if (!engine_set_option(engine, config->engine[i].name, config->engine[i].value, err)) return false;
    }
    return true;
}

void config_write_example(Buf *out)
{
    buf_printf(out, "# Tabia as a bot: every key, what it means, and its default.\n"
                    "# A line is `key = value`; a line that begins with # is a comment. Keep only what you change.\n");
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].kind == KEY_SECTION) {
            buf_printf(out, "\n# ---- %s ----\n", keys[i].name);
        } else {
            buf_printf(out, "\n# %s\n%s =%s%s\n", keys[i].help, keys[i].name, *keys[i].value ? " " : "", keys[i].value);
        }
    }
    buf_printf(out, "\n# ---- The engine ----\n\n"
                    "# engine.NAME sets any option that `tabia uci` lists, for example:\n"
                    "# engine.Hash = 64\n# engine.Threads = 2\n# engine.SyzygyPath = /var/lib/syzygy\n"
                    "# engine.OwnBook = false\n# engine.Skill Level = 10\n");
}

/* config.h - what the owner of a bot may decide, in one small file of `key = value` lines.
 *
 * One table names every key with its kind, range, default and meaning: it reads the file, checks it, and prints the commented
 * example that documents it. `engine.NAME = VALUE` passes on any option of the engine, checked by an engine.
 * An unknown key, a key given twice and a bad value are errors that name the line, and the nearest key where there is one.
 * Threads: a Config is read-only after config_load; one thread at a time before.
 */
#ifndef LICHESS_CONFIG_H
#define LICHESS_CONFIG_H

#include "base/buf.h"
#include "base/err.h"
#include "engine/engine.h"

/* Bits of the sets, in the order of their names in config.c. */
enum { VARIANT_STANDARD = 1, VARIANT_CHESS960 = 2, VARIANT_FROM_POSITION = 4 };
enum {
    SPEED_ULTRA_BULLET   = 1,
    SPEED_BULLET         = 2,
    SPEED_BLITZ          = 4,
    SPEED_RAPID          = 8,
    SPEED_CLASSICAL      = 16,
    SPEED_CORRESPONDENCE = 32,
};
enum { MODE_CASUAL = 1, MODE_RATED = 2 };
enum { OPPONENT_HUMAN = 1, OPPONENT_BOT = 2 };
enum { INTERRUPT_FINISH, INTERRUPT_RESIGN };

typedef struct {
    Str url; /* texts are views that live as long as the Config */

    unsigned variants, speeds, modes, opponents;
    int64_t  min_rating, max_rating, min_base_s, max_base_s, min_increment_s, max_increment_s;
    int64_t  max_games, rematches;
    Str      block, only; /* names, separated by commas */

    bool    ponder;
    int64_t move_nodes, move_depth, move_time_ms, correspondence_move_ms;
    int64_t overhead_start_ms, overhead_min_ms, overhead_max_ms;

    bool    draw_accept, draw_offer;
    int64_t draw_score, draw_moves, draw_min_move;
    bool    resign;
    int64_t resign_score, resign_moves;
    int64_t takebacks, abort_after_s;
    bool    claim_victory;
    Str     greeting, goodbye;
    int     on_interrupt;

    bool    matchmaking, matchmaking_rated;
    int64_t matchmaking_every_s, matchmaking_per_day, matchmaking_base_s, matchmaking_increment_s;
    int64_t matchmaking_min_rating, matchmaking_max_rating;

    Str pgn_folder;

    int64_t connect_timeout_ms, request_timeout_ms, stream_idle_ms, backoff_min_ms, backoff_max_ms, rate_limit_ms;

    Buf    memory; /* the file; every view of a text points into it or to a default */
    size_t engine_options;
    struct {
        Str name, value;
    } engine[64];
} Config;

/* Reads a file; NULL gives the defaults. On failure *err names the line, and *out is released. */
bool config_load(const char *path, Config *out, Err *err);

/* The same from text; `name` is what errors call it. */
bool config_parse(Str text, const char *name, Config *out, Err *err);
void config_release(Config *config);

/* Sets the options of a bot's engine: the file's, after the book has been switched on. */
bool config_set_engine(const Config *config, Engine *engine, Err *err);

/* Whether the list of names holds this one; letter case does not count. */
bool config_names_hold(Str names, Str name);

/* A base address that may be contacted: https, or http to this machine itself; no user, no query, no space. */
bool config_check_url(Str url, Err *err);

/* Every key with its meaning and its default, as a file that can be used as it is. */
void config_write_example(Buf *out);

/* The bit of a name in one of the sets above; 0 for a name that it does not hold. */
unsigned config_variant(Str name);
unsigned config_speed(Str name);

#endif

/* spec.h - a player as a line of text: who it is, its options, its own limits.
 *
 *   tabia                          our engine, inside this process
 *   tabia:Hash=64,Features=-nmp,-lmr    with options; a part without '=' belongs to the value before it
 *   random:seed=7                  a uniformly random mover
 *   toga2  stockfish  ./my-engine  a UCI program: a name that is known, found in PATH or /usr/games, or a path
 *   cmd=./engine --uci,name=New,tc=8+0.08,option.depth=3
 *   stockfish-level-4              lichess's levels 1 to 8: fairy-stockfish with its skill, time and depth
 * After the colon stand key=value parts, separated by commas. Keys of ours: name, cmd, dir, log, seed, and the limits tc, st,
 * movetime, nodes, depth; every other key is an option of the engine, and "option.KEY" always is one.
 * Threads: [any]; a spec is read-only once made.
 */
#ifndef PLAYER_SPEC_H
#define PLAYER_SPEC_H

#include "base/buf.h"
#include "base/err.h"
#include "player/timecontrol.h"

typedef enum { PLAYER_TABIA, PLAYER_UCI, PLAYER_RANDOM } PlayerKind;

enum { SPEC_ARGS_MAX = 32, SPEC_OPTIONS_MAX = 64 };

typedef struct {
    const char *name;
    const char *value;
    bool        optional; /* set it where it exists; from `--each` or from us, not from the engine's own line */
} PlayerOption;

/* All text lives in `text`, which the spec owns. */
typedef struct {
    PlayerKind   kind;
    const char  *name;                    /* what reports call it */
    char        *argv[SPEC_ARGS_MAX + 1]; /* UCI: program and arguments, NULL at the end */
    int          argc;
    const char  *dir; /* working directory, or NULL */
    const char  *log; /* file for its standard error, or NULL */
    uint64_t     seed;
    bool         has_limits, own_limits; /* the latter: from the line itself, not from --each or a level */
    TimeControl  limits;                 /* instead of the match's, when has_limits */
    int          option_count;
    PlayerOption options[SPEC_OPTIONS_MAX];
    const char  *source; /* the line it was made from, for fingerprints */
    char       **texts;
    size_t       text_count;
} PlayerSpec;

/* Reads a line; `each` (may be empty) holds parts for every engine, which yield to the line's own. On failure `*out` is empty. */
bool player_spec_parse(Str line, Str each, PlayerSpec *out, Err *err);
void player_spec_release(PlayerSpec *spec);

/* Gives the spec another name (a copy is taken), for example to tell two equal ones apart. */
bool player_spec_rename(PlayerSpec *spec, Str name, Err *err);

/* Name and sentence of known engine `index`, for help texts; false past the end. */
bool player_spec_known(size_t index, const char **name, const char **what);

#endif

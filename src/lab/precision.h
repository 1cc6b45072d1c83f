/* precision.h - precision at k: how many of an engine's k best moves are among the k best of a stronger one.
 *
 * A suite of positions is loaded; the reference engine is asked once for its k best moves in each and its answers are kept
 * in a text file; then any player is asked the same and compared. Positions with k legal moves or fewer say nothing
 * and are left out. A player's moves are the first moves of its lines (option MultiPV), so it must show k of them.
 * Threads: [owner].
 */
#ifndef LAB_PRECISION_H
#define LAB_PRECISION_H

#include "base/buf.h"
#include "chess/fen.h"
#include "player/player.h"

enum { PRECISION_K_MAX = PLAYER_LINES_MAX };

typedef struct {
    int  count;
    Move moves[PRECISION_K_MAX];
} TopMoves;

typedef struct {
    Position pos;
    char     fen[FEN_SIZE]; /* its name in the file of answers */
    int      legal;         /* moves */
} PrecisionPosition;

typedef struct {
    PrecisionPosition *items;
    size_t             count, cap;
    size_t             left_out; /* positions with too few moves */
} PrecisionSuite;

/* The first `most` usable positions (0: all) of a file with an EPD or FEN a line; '#' begins a comment. On failure `*out` is
 * empty. */
bool precision_load(const char *path, int k, size_t most, PrecisionSuite *out, Err *err);
void precision_release(PrecisionSuite *suite);

/* The share of `ours` that is in `reference`: 0..1; both have k moves. */
double precision_at(const TopMoves *ours, const TopMoves *reference, int k);

/* What k moves drawn blindly would reach, over all positions. */
double precision_by_chance(const PrecisionSuite *suite, int k);

/* ---- asking ---- */

/* Position `index` has its answer; false: stop here. */
typedef bool PrecisionStepFn(void *context, size_t index);

/* The k best moves of `spec` for every position that has none in `out` yet (count == 0), which has room for all; `limits` are
 * used where the spec has none. False with *err when the player cannot be used, crashes or shows too few lines; what was
 * answered until then stays. */
bool precision_ask(const PlayerSpec *spec, const TimeControl *limits, const PrecisionSuite *suite, int k, TopMoves *out,
                   PrecisionStepFn *step, void *context, Err *err);

/* ---- what the reference said, kept ---- */

/* A text file: who was asked, how and for how many moves, then a line a position, added as soon as it is known. */
typedef struct {
    const char *path;
    const char *engine; /* as the user wrote it */
    const char *limit;
    int         k;
} PrecisionCache;

/* "FOLDER/wac-k5-stockfish-depth=12.txt" for suites/wac.epd; what does not belong into a file name becomes '_'. */
void precision_cache_path(Buf *out, const char *folder, const char *suite, const char *engine, const char *limit, int k);

/* Fills `out` where the file knows the answer. No file: nothing is known yet. A file that is broken or answers another question
 * is an error that names the line, and nothing is filled. */
bool precision_cache_load(const PrecisionCache *cache, const PrecisionSuite *suite, TopMoves *out, Err *err);

/* Adds one answer; begins the file when it is not there. */
bool precision_cache_add(const PrecisionCache *cache, const PrecisionPosition *position, const TopMoves *answer, Err *err);

#endif

/* tune_games.c - takes quiet positions out of games: the evaluation is asked about positions without a capture to make, so it
 * learns from such.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/see.h"
#include "game/pgn.h"
#include "learn/tune.h"

enum {
    FIRST_PLY       = 14, /* before it: opening theory, and every game alike */
    GAME_SAMPLES    = 64,
    QUIET_THRESHOLD = 60, /* a capture that wins this much makes a position unquiet */
};

typedef struct {
    TuneSet *set;
    Rng      rng;
    int      every;
    int      ply;
    int      variation; /* depth of brackets: only the game itself counts */
    int      taken;
    bool     failed;
    Position samples[GAME_SAMPLES];
} Sampler;

static bool position_is_quiet(const Position *pos)
{
    MoveList noisy;
    movegen_noisy(pos, &noisy);
    for (int i = 0; i < noisy.count; i++) {
        if (see_at_least(pos, noisy.moves[i], QUIET_THRESHOLD)) return false;
    }
    return true;
}

static bool sampler_begin(void *context)
{
    Sampler *s   = context;
    s->ply       = 0;
    s->taken     = 0;
    s->variation = 0;
    return true;
}

static bool sampler_open(void *context)
{
    ((Sampler *)context)->variation++;
    return true;
}

static bool sampler_close(void *context)
{
    ((Sampler *)context)->variation--;
    return true;
}

static bool sampler_move(void *context, const Position *before, Move move)
{
    Sampler *s = context;
    if (s->variation || move == MOVE_NONE) return true;
    s->ply++;
    if (s->ply <= FIRST_PLY || s->taken == GAME_SAMPLES || rng_below(&s->rng, (uint64_t)s->every) != 0) return true;
    if (position_is_noisy(before, move) || position_in_check(before) || !position_is_quiet(before)) return true;
    s->samples[s->taken++] = *before;
    return true;
}

static bool sampler_end(void *context, Result result)
{
    Sampler *s = context;
    if (result == RESULT_UNKNOWN) return true;
    double value = result == RESULT_WHITE_WINS ? 1 : result == RESULT_BLACK_WINS ? 0 : 0.5;
    for (int i = 0; i < s->taken && !s->failed; i++) s->failed = !tune_set_add(s->set, &s->samples[i], value);
    return !s->failed;
}

static ptrdiff_t read_descriptor(void *context, char *out, size_t size, Err *err)
{
    int     fd = *(int *)context;
    ssize_t got;
    do {
        got = read(fd, out, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0) err_set_errno(err, ERR_IO, "cannot read the games");
    return got;
}

bool tune_set_read_pgn(TuneSet *set, const char *path, int every, uint64_t seed, Err *err)
{
    bool standard = strcmp(path, "-") == 0;
    int  fd       = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return err_set_errno(err, ERR_IO, "cannot open '%s'", path);
    Sampler *sampler = aligned_alloc(_Alignof(Sampler), sizeof *sampler);
    bool     ok      = sampler != NULL;
    if (!ok) {
        err_set(err, ERR_MEMORY, 0, "not enough memory to read games");
    } else {
        *sampler           = (Sampler){.set = set, .rng = rng_seeded(seed), .every = every};
        PgnVisitor visitor = {.context         = sampler,
                              .begin_game      = sampler_begin,
                              .move            = sampler_move,
                              .begin_variation = sampler_open,
                              .end_variation   = sampler_close,
                              .end_game        = sampler_end};
        PgnSource  source  = {.context = &fd, .read = read_descriptor};
        ok                 = pgn_read(&source, &visitor, NULL, err);
        if (ok && sampler->failed) ok = err_set(err, ERR_MEMORY, 0, "not enough memory for %zu positions", set->count);
    }
    free(sampler);
    if (!standard) close(fd);
    return ok;
}

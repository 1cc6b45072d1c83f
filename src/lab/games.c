/* games.c - see games.h. */
#include "lab/games.h"

#include <string.h>

#include "base/rng.h"
#include "game/game.h"

static void note(LabGames *out, int move, const LabStats *stats)
{
    if (move >= LAB_GAME_MOVES) return;
    if (move >= out->moves) out->moves = move + 1;
    out->games[move]++;
    out->nodes[move] += (double)stats->nodes;
    out->qnodes[move] += (double)stats->qnodes;
    out->cutoffs[move] += (double)stats->cutoffs;
    out->hash_hits[move] += (double)stats->hash_hits;
}

static Move random_move(const Position *pos, Rng *rng)
{
    MoveList list;
    movegen_legal(pos, &list);
    return list.moves[rng_below(rng, (uint64_t)list.count)];
}

static bool play_game(const Rung *rung, const LabTask *task, Color ours, Rng *rng, LabGames *out, Err *err)
{
    Position  start;
    Game      game;
    LabResult result;
    bool      ok = true;
    position_set_start(&start);
    if (!game_init(&game, &start)) return err_set(err, ERR_MEMORY, 0, "out of memory");
    while (ok && game_end(&game) == END_NONE && game.plies < 2 * LAB_GAME_MOVES) {
        Move move;
        if (position_side(&game.now) == ours) {
            ok   = lab_run(rung, task, &game.now, &result, err);
            move = result.best;
            if (ok) note(out, (int)game.plies / 2, &result.stats);
        } else {
            move = random_move(&game.now, rng);
        }
        if (ok && !game_play(&game, move)) ok = err_set(err, ERR_MEMORY, 0, "out of memory");
    }
    Result verdict = game_result(&game, game_end(&game));
    Result win     = ours == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
    if (ok) ++*(verdict == win ? &out->wins : verdict == RESULT_DRAW || verdict == RESULT_UNKNOWN ? &out->draws : &out->losses);
    game_release(&game);
    return ok;
}

bool lab_games(const Rung *rung, const LabTask *task, int count, uint64_t seed, LabGames *out, Err *err)
{
    Rng rng = rng_seeded(seed);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < count; i++) {
        if (!play_game(rung, task, i % 2 ? BLACK : WHITE, &rng, out, err)) return false;
    }
    for (int i = 0; i < out->moves; i++) {
        double games = out->games[i] ? out->games[i] : 1;
        out->nodes[i] /= games;
        out->qnodes[i] /= games;
        out->cutoffs[i] /= games;
        out->hash_hits[i] /= games;
    }
    return true;
}

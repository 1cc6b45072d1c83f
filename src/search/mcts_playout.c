/* mcts_playout.c - see mcts_playout.h. */
#include "search/mcts_playout.h"

#include <math.h>

#include "search/mcts_random.h"

enum {
    CURVE_SPREAD  = 220,  /* centipawns over which the odds change by a factor of e: as wdl.c says of the middle game */
    SCORE_CERTAIN = 2000, /* beyond this nobody counts */
    MINIMAX_DEPTH = 3,
};

double mcts_value_of(Score score)
{
    int clamped = score > SCORE_CERTAIN ? SCORE_CERTAIN : score < -SCORE_CERTAIN ? -SCORE_CERTAIN : score;
    return 1 / (1 + exp(-(double)clamped / CURVE_SPREAD));
}

Score mcts_score_of(double value)
{
    double lowest = mcts_value_of(-SCORE_CERTAIN), highest = mcts_value_of(SCORE_CERTAIN);
    if (value <= lowest) return -SCORE_CERTAIN;
    if (value >= highest) return SCORE_CERTAIN;
    return (Score)lround(CURVE_SPREAD * log(value / (1 - value)));
}

/* Few men are left and the tables know the outcome; right after a capture or pawn move only, see step_tables. */
static bool ask_tables(Worker *w, const Position *pos, double *out)
{
    const SearchConfig *config = &w->search->config;
    TableVerdict        verdict;
    if (!config->tables || pos->halfmove != 0 || bb_count(position_occupied(pos)) > config->table_men) return false;
    if (!tables_probe(config->tables, pos, &verdict)) return false;
    atomic_store_explicit(&w->tbhits, atomic_load_explicit(&w->tbhits, memory_order_relaxed) + 1, memory_order_relaxed);
    int win = config->table_fifty ? TABLE_WIN : TABLE_CURSED_WIN;
    *out    = (int)verdict >= win ? 1 : (int)verdict <= -win ? 0 : 0.5;
    return true;
}

static double search_value(Worker *w, int ply, PlayoutKind kind, Move *hint)
{
    Score score;
    if (kind == PLAYOUT_MINIMAX) {
        w->root_depth = ply + MINIMAX_DEPTH; /* bounds the extensions */
        score         = search_node(w, ply, MINIMAX_DEPTH, -SCORE_INFINITE, SCORE_INFINITE, true, false);
    } else {
        score = search_quiesce(w, ply, 0, -SCORE_INFINITE, SCORE_INFINITE, true);
    }
    const Frame *f = frame_at(w, ply);
    *hint          = f->pv_length > 0 ? f->pv[0] : MOVE_NONE;
    return mcts_value_of(score);
}

double mcts_playout(Worker *w, int ply, PlayoutKind kind, Rng *rng, Move *hint)
{
    const Position *pos = &frame_at(w, ply)->pos;
    double          value;
    *hint = MOVE_NONE;
    if (ask_tables(w, pos, &value)) return value;
    if (kind != PLAYOUT_RANDOM) return search_value(w, ply, kind, hint);
    return 0.5 + 0.5 * (double)mcts_random_game(pos, w->keys, w->key_count, rng, NULL);
}

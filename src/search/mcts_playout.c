/* mcts_playout.c - see mcts_playout.h. */
#include "search/mcts_playout.h"

#include <math.h>

#include "search/mcts_random.h"

/* The value of a score: a logistic curve, and a straight line with a small share of it. The curve alone is flat where a game is
 * won: there the line still tells +40 from +41 pawns, and so shows the way to mate. */
enum {
    CURVE_SPREAD  = 220,  /* centipawns over which the odds change by a factor of e: as wdl.c says of the middle game */
    LINE_REACH    = 8000, /* centipawns: where the line ends; no evaluation of a game is beyond */
    LINE_PERCENT  = 5,
    MINIMAX_DEPTH = 3,
};

#define LINE_SHARE (LINE_PERCENT / 100.0)

double mcts_value_of(Score score)
{
    double clamped = score > LINE_REACH ? LINE_REACH : score < -LINE_REACH ? -LINE_REACH : score;
    double curve = 1 / (1 + exp(-clamped / CURVE_SPREAD)), line = 0.5 + 0.5 * clamped / LINE_REACH;
    return (1 - LINE_SHARE) * curve + LINE_SHARE * line;
}

Score mcts_score_of(double value)
{
    Score low = -LINE_REACH, high = LINE_REACH;
    while (low < high) { /* the first score that is worth so much */
        Score middle = low + (high - low) / 2;
        if (mcts_value_of(middle) < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool below = low > -LINE_REACH && value - mcts_value_of(low - 1) < mcts_value_of(low) - value;
    return below ? low - 1 : low;
}

double mcts_steepness(double value)
{
    double curve = (value - LINE_SHARE / 2) / (1 - LINE_SHARE); /* as if the line were level */
    return curve > 0 && curve < 1 ? 4 * curve * (1 - curve) : 0;
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

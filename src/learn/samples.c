/* samples.c - see samples.h: positions into samples, and which of a game's positions are worth it. */
#include "learn/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void samples_release(SampleSet *set)
{
    free(set->samples);
    *set = (SampleSet){0};
}

bool samples_add(SampleSet *set, const Sample *sample)
{
    if (set->count == set->capacity) {
        size_t  capacity = set->capacity ? 2 * set->capacity : 1024;
        Sample *grown    = realloc(set->samples, capacity * sizeof *grown);
        if (!grown) return false;
        set->samples  = grown;
        set->capacity = capacity;
    }
    set->samples[set->count++] = *sample;
    return true;
}

void samples_shuffle(SampleSet *set, Rng *rng)
{
    for (size_t i = set->count; i > 1; i--) {
        size_t k            = rng_below(rng, i);
        Sample swap         = set->samples[i - 1];
        set->samples[i - 1] = set->samples[k];
        set->samples[k]     = swap;
    }
}

Sample sample_of(const Position *pos, int white_score, int white_result)
{
    Color  us   = position_side(pos);
    int    turn = us == BLACK ? 56 : 0, index = 0;
    Sample out = {.ep_file = SAMPLE_NO_EP, .turned = us == BLACK};
    out.score  = (int16_t)(white_score == SCORE_NONE || us == WHITE ? white_score : -white_score);
    out.result = (uint16_t)(us == WHITE || white_result == SAMPLE_RESULT_NONE ? white_result : SAMPLE_RESULT_WIN - white_result);
    out.occupied = us == WHITE ? position_occupied(pos) : __builtin_bswap64(position_occupied(pos));
    for (Bitboard left = out.occupied; left; index++) {
        Piece    man  = pos->board[bb_pop(&left) ^ turn];
        unsigned code = (unsigned)piece_type(man) + (piece_color(man) == us ? 0 : 6);
        out.men[index / 2] |= (uint8_t)(code << (4 * (index % 2)));
    }
    for (int i = 0; i < 4; i++) {
        Color owner = i < 2 ? us : color_flip(us);
        if (position_castle_rook(pos, owner, i % 2 ? SIDE_LONG : SIDE_SHORT) != SQ_NONE) out.castling |= (uint8_t)(1 << i);
    }
    if (pos->ep_square != SQ_NONE) out.ep_file = (uint8_t)square_file((Square)pos->ep_square);
    return out;
}

void sample_to_board(const Sample *sample, Piece board[SQUARES])
{
    int index = 0;
    for (Square s = A1; s <= H8; s++) board[s] = NO_PIECE;
    for (Bitboard left = sample->occupied; left; index++) {
        Square   square = bb_pop(&left);
        unsigned code   = (unsigned)sample->men[index / 2] >> (4 * (index % 2)) & 15U;
        board[square]   = piece_of(code < 6 ? WHITE : BLACK, (PieceType)(code % 6));
    }
}

SampleFilter sample_filter_default(void) { return (SampleFilter){.score_max = 2500, .halfmove_max = 80, .keep = 1}; }

static int white_result(Result result)
{
    if (result == RESULT_UNKNOWN) return SAMPLE_RESULT_NONE;
    return result == RESULT_WHITE_WINS ? SAMPLE_RESULT_WIN : result == RESULT_BLACK_WINS ? 0 : SAMPLE_RESULT_DRAW;
}

/* Whether the search found more than the pieces show. */
static bool is_tactical(const Position *pos, int white_score, int gap_max, PawnEntry *pawns)
{
    int score = position_side(pos) == WHITE ? white_score : -white_score;
    return abs(score - classical_score(pos, pawns)) > gap_max;
}

/* A network judges calm positions; the search sees to it that it is only asked about such. */
static bool is_wanted(const SampleFilter *filter, const StoredGame *game, int ply, const Position *pos, PawnEntry *pawns)
{
    if (ply < filter->first_ply || game->scores[ply] == SCORE_NONE || abs(game->scores[ply]) > filter->score_max) return false;
    if (pos->halfmove > filter->halfmove_max) return false;
    if (!filter->noisy_too && (position_is_noisy(pos, game->moves[ply]) || position_in_check(pos))) return false;
    return filter->gap_max == 0 || !is_tactical(pos, game->scores[ply], filter->gap_max, pawns);
}

/* What a short search says of a position is hardly better than a look at it; what it says a few moves later is, because the game
 * has answered the open questions. So every score passes a share on to the one before: temporal differences, as in TD(lambda).
 * The mean is one of expected results, not of centipawns. `out`: White's scores; SCORE_NONE where the game has none. */
static void look_ahead(const StoredGame *game, double ahead, int16_t *out)
{
    static const double CENTIPAWNS = 170, LIMIT = 1e-6; /* of one logistic unit in our own games; where expectations end */
    double              later = 0.5, share = 0;         /* what later scores expect; how much of it counts here */
    for (int ply = game->plies - 1; ply >= 0; ply--) {
        share *= ahead;
        out[ply] = game->scores[ply];
        if (out[ply] == SCORE_NONE) continue;
        double own = 1 / (1 + exp(-out[ply] / CENTIPAWNS));
        later      = fmin(fmax(share * later + (1 - share) * own, LIMIT), 1 - LIMIT);
        if (share > 0) out[ply] = (int16_t)lround(CENTIPAWNS * log(later / (1 - later)));
        share = 1;
    }
}

bool samples_add_game(SampleSet *set, const StoredGame *game, const SampleFilter *filter, PawnEntry *pawns, Rng *rng)
{
    Position now = game->start, next;
    int16_t  scores[STORE_PLIES_MAX];
    look_ahead(game, filter->ahead, scores);
    for (int ply = 0; ply < game->plies; ply++) {
        if (is_wanted(filter, game, ply, &now, pawns) && (filter->keep >= 1 || rng_unit(rng) < filter->keep)) {
            Sample sample = sample_of(&now, scores[ply], white_result(game->result));
            if (!samples_add(set, &sample)) return false;
        }
        position_play(&now, game->moves[ply], &next);
        now = next;
    }
    return true;
}

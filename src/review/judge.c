/* judge.c - see judge.h. */
#include "review/judge.h"

#include <math.h>

int review_cp(Score score) { return score > REVIEW_CP_MAX ? REVIEW_CP_MAX : score < -REVIEW_CP_MAX ? -REVIEW_CP_MAX : score; }

double review_win_percent(Score score) { return 50 + 50 * (2 / (1 + exp(-0.00368208 * review_cp(score))) - 1); }

double review_move_accuracy(double before, double after)
{
    if (after >= before) return 100;
    double accuracy = 103.1668 * exp(-0.04354 * (before - after)) - 3.1669;
    return accuracy < 0 ? 0 : accuracy > 100 ? 100 : accuracy;
}

/* To let a forced win go, or to walk into a forced loss: the less it changes the outcome, the milder. */
static ReviewVerdict verdict_by_rest(Score rest)
{
    return rest >= REVIEW_CP_MAX ? REVIEW_INACCURACY : rest > 700 ? REVIEW_MISTAKE : REVIEW_BLUNDER;
}

ReviewVerdict review_verdict(Score before, Score after)
{
    if (score_is_win(before) && !score_is_win(after)) return verdict_by_rest(after);
    if (score_is_loss(after) && !score_is_loss(before)) return verdict_by_rest(-before);
    double drop = review_win_percent(before) - review_win_percent(after); /* in percent: 50 of them are 1 between -1 and 1 */
    return drop >= 15 ? REVIEW_BLUNDER : drop >= 10 ? REVIEW_MISTAKE : drop >= 5 ? REVIEW_INACCURACY : REVIEW_GOOD;
}

const char *review_verdict_text(ReviewVerdict verdict)
{
    static const char *const texts[REVIEW_VERDICTS] = {"good", "inaccuracy", "mistake", "blunder"};
    return texts[verdict];
}

const char *review_verdict_sign(ReviewVerdict verdict)
{
    static const char *const signs[REVIEW_VERDICTS] = {"", "?!", "?", "??"};
    return signs[verdict];
}

int review_verdict_nag(ReviewVerdict verdict)
{
    static const int nags[REVIEW_VERDICTS] = {0, 6, 2, 4};
    return nags[verdict];
}

Phase phase_of(const Position *pos)
{
    enum { ENDGAME_PIECES = 6, MIDDLEGAME_PIECES = 10, BACK_RANK_MEN = 4 };
    int pieces = bb_count(position_occupied(pos) & ~(pos->types[PAWN] | pos->types[KING]));
    if (pieces <= ENDGAME_PIECES) return PHASE_ENDGAME;
    Bitboard first = (Bitboard)0xff, last = first << 56;
    bool     left = bb_count(pos->colors[WHITE] & first) < BACK_RANK_MEN || bb_count(pos->colors[BLACK] & last) < BACK_RANK_MEN;
    return pieces <= MIDDLEGAME_PIECES || left ? PHASE_MIDDLEGAME : PHASE_OPENING;
}

const char *phase_text(Phase phase)
{
    static const char *const texts[PHASES] = {"opening", "middlegame", "endgame"};
    return texts[phase];
}

double review_accuracy(const double *accuracies, const double *weights, size_t count)
{
    double inverse = 0, weighted = 0, weight = 0;
    for (size_t i = 0; i < count; i++) {
        inverse += 1 / fmax(accuracies[i], 1); /* a single 0 would make the harmonic mean 0 */
        weighted += accuracies[i] * weights[i];
        weight += weights[i];
    }
    return count ? (weighted / weight + (double)count / inverse) / 2 : 0;
}

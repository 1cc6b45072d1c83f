/* judge.h - from two scores to a verdict: winning chances, accuracy, and what a move threw away. Pure arithmetic.
 *
 * A centipawn means much in a level position and nothing in a won one, so moves are judged by the winning chances they cost. The
 * curves are those that lichess publishes (chances fitted to games of people, accuracy to how people judge moves), so that the
 * numbers mean what players are used to. Threads: [any].
 */
#ifndef REVIEW_JUDGE_H
#define REVIEW_JUDGE_H

#include <stddef.h>

#include "chess/position.h"
#include "eval/score.h"

typedef enum { REVIEW_GOOD, REVIEW_INACCURACY, REVIEW_MISTAKE, REVIEW_BLUNDER, REVIEW_VERDICTS } ReviewVerdict;
typedef enum { PHASE_OPENING, PHASE_MIDDLEGAME, PHASE_ENDGAME, PHASES } Phase;

enum { REVIEW_CP_MAX = 1000 }; /* a score counts as at most this many centipawns; a mate counts as exactly so many */

/* The score in centipawns within +-REVIEW_CP_MAX. */
int review_cp(Score score);

/* Chances in percent, 0..100, of the side whose score this is. */
double review_win_percent(Score score);

/* 0..100: how good a move was that took the mover's winning chances from `before` to `after`, both in percent. */
double review_move_accuracy(double before, double after);

/* The verdict on a move; both scores from the mover's side, the first of the best move. */
ReviewVerdict review_verdict(Score before, Score after);

/* "inaccuracy", "mistake", "blunder", "good"; "?!" and so on, "" for a good move; the NAG (6, 2, 4), 0 for a good move. */
const char *review_verdict_text(ReviewVerdict verdict);
const char *review_verdict_sign(ReviewVerdict verdict);
int         review_verdict_nag(ReviewVerdict verdict);

/* The phase of a position by its men: an endgame has at most six pieces besides kings and pawns; the opening is over when
 * at most ten are left or when one side has left its back rank (fewer than four men there). */
Phase       phase_of(const Position *pos);
const char *phase_text(Phase phase); /* "opening", "middlegame", "endgame" */

/* The accuracy of several moves: the mean of their harmonic mean, which a single blunder pulls down, and of their mean
 * weighted by how much was at stake. `weights` are positive. 0 for no moves. */
double review_accuracy(const double *accuracies, const double *weights, size_t count);

#endif

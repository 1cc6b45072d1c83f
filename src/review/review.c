/* review.c - the value: from the scores of a game's positions to losses, verdicts and averages. See review.h. */
#include "review/review.h"

#include <math.h>
#include <stdlib.h>

#include "chess/movegen.h"

bool review_init(Review *review, const Game *game)
{
    *review = (Review){
        .plies     = game->plies,
        .moves     = calloc(game->plies + 1, sizeof *review->moves),
        .positions = calloc(game->plies + 1, sizeof *review->positions),
    };
    if (review->moves && review->positions) return true;
    review_release(review);
    return false;
}

void review_release(Review *review)
{
    free(review->moves);
    free(review->positions);
    *review = (Review){0};
}

/* ---- one move ---- */

static void judge_move(ReviewMove *m, const ReviewPosition *before, const ReviewPosition *after, bool only)
{
    m->judged = before->known && after->known;
    if (!m->judged) return;
    int   sign = m->side == WHITE ? 1 : -1;
    Score best = sign * before->score, played = sign * after->score;
    m->is_best  = only || (before->line_count > 0 && before->lines[0].moves[0] == m->move);
    m->before   = before->score;
    m->after    = after->score;
    m->accuracy = 100;
    if (m->is_best || played >= best) return; /* the two searches differ by what the second saw more */
    m->loss_cp  = review_cp(best) - review_cp(played);
    m->drop     = review_win_percent(best) - review_win_percent(played);
    m->accuracy = review_move_accuracy(review_win_percent(best), review_win_percent(played));
    m->verdict  = review_verdict(best, played);
}

/* ---- many moves ---- */

/* How much the chances moved around move `i`: the deviation of the positions just before and after it. */
static double weight_of(const Review *review, size_t i)
{
    enum { SMALLEST = 2, WIDEST = 8 };
    size_t width = review->plies / 10;
    width        = width < SMALLEST ? SMALLEST : width > WIDEST ? WIDEST : width;
    size_t start = i + SMALLEST > width ? i + SMALLEST - width : 0;
    double sum = 0, squares = 0, count = 0;
    for (size_t p = start; p < start + width && p <= review->plies; p++) {
        if (!review->positions[p].known) continue;
        double percent = review_win_percent(review->positions[p].score);
        sum += percent;
        squares += percent * percent;
        count++;
    }
    double mean = sum / count, variance = squares / count - mean * mean;
    return fmin(fmax(sqrt(fmax(variance, 0)), 0.5), 12);
}

typedef struct {
    double *accuracies, *weights; /* room for every move of the game */
} Scratch;

/* Over the judged moves of a side, of one phase or (PHASES) of all. */
static void summarise(const Review *review, Color side, Phase phase, Scratch *scratch, ReviewSummary *out)
{
    size_t  count = 0;
    int64_t loss  = 0;
    *out          = (ReviewSummary){0};
    for (size_t i = 0; i < review->plies; i++) {
        const ReviewMove *m = &review->moves[i];
        if (!m->judged || m->side != side || (phase != PHASES && m->phase != phase)) continue;
        scratch->accuracies[count] = m->accuracy;
        scratch->weights[count++]  = weight_of(review, i);
        loss += m->loss_cp;
        out->counts[m->verdict]++;
    }
    out->moves    = (int)count;
    out->loss_cp  = count ? (double)loss / (double)count : 0;
    out->accuracy = review_accuracy(scratch->accuracies, scratch->weights, count);
}

bool review_conclude(Review *review, const Game *game)
{
    Scratch  scratch = {calloc(review->plies + 1, sizeof(double)), calloc(review->plies + 1, sizeof(double))};
    bool     ok      = scratch.accuracies && scratch.weights;
    Phase    phase   = PHASE_OPENING; /* never goes back, even when a pawn becomes a queen */
    Position pos     = game->start, next;
    review->complete = true;
    for (size_t i = 0; i < review->plies; i++) {
        Phase now = phase_of(&pos);
        if (now > phase) phase = now;
        review->moves[i] = (ReviewMove){.move = game->moves[i], .side = position_side(&pos), .phase = phase};
        judge_move(&review->moves[i], &review->positions[i], &review->positions[i + 1], movegen_count(&pos) == 1);
        position_play(&pos, game->moves[i], &next);
        pos = next;
    }
    for (size_t i = 0; i <= review->plies; i++) review->complete = review->complete && review->positions[i].known;
    for (Color side = WHITE; ok && side <= BLACK; side++) {
        summarise(review, side, PHASES, &scratch, &review->sides[side]);
        for (Phase p = 0; p < PHASES; p++) summarise(review, side, p, &scratch, &review->phases[side][p]);
    }
    free(scratch.accuracies);
    free(scratch.weights);
    return ok;
}

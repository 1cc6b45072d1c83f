/* annotate.h - a review written into a tree of moves: evaluations, NAGs, what was better; and a review as JSON.
 *
 * Whatever the tree holds already stays: notes of people are not replaced, and annotating twice adds nothing twice.
 * Threads: [any], one at a time for a tree.
 */
#ifndef REVIEW_ANNOTATE_H
#define REVIEW_ANNOTATE_H

#include "base/json.h"
#include "game/tree.h"
#include "review/review.h"

/* The review is of the tree's main line, as tree_game gives it. False with *err when the tree is full or memory is short. */
bool review_annotate(const Review *review, const Game *game, MoveTree *tree, Err *err);

/* "Blunder: allows mate in 2. Better was Nf3."; nothing for a good move. `before` is the position before the move. */
void review_remark(const ReviewMove *move, const ReviewPosition *position, const Position *before, Buf *out);

/* Writes the members white, black (accuracy, loss, inaccuracies, mistakes, blunders, phases), moves (ply, san, score, best, loss,
 * drop, accuracy, judgement) and complete into the object that is open. Numbers of no moves are null. */
void review_write_json(const Review *review, const Game *game, JsonWriter *json);

/* {"cp": 34} or {"mate": -3} under `key`, from the side that the score is from. */
void review_score_json(Score score, const char *key, JsonWriter *json);

#endif

/* forms.h - what the API says, as JSON: games, positions, lines of thought. Internal to `web`; docs/api.md has the forms.
 *
 * Threads: under the hub's lock where a Session or Slot is read.
 */
#ifndef WEB_FORMS_H
#define WEB_FORMS_H

#include "base/json.h"
#include "web/session.h"

struct Hub;

void form_game(JsonWriter *w, const char *key, const Session *s);
void form_summary(JsonWriter *w, const Session *s);

/* Facts about a position. `last` is the move that led to it or MOVE_NONE; `end` what the game's history says. */
void form_look(JsonWriter *w, const struct Hub *hub, const Position *pos, Move last, GameEnd end);

/* Events: the lines of a slot, an iteration, the end of a job, a failure. Each is one JSON object. */
void form_info(const Slot *slot, Buf *out);
void form_iteration(const Slot *slot, const SearchInfo *info, uint64_t nodes, Buf *out);
void form_done(const Slot *slot, Buf *out);
void form_error_event(const Session *s, int node, const char *purpose, const char *text, Buf *out);

/* {"cp": 34} or {"mate": -3}, from White's side. */
void     form_eval(JsonWriter *w, const char *key, TreeEval eval);
TreeEval eval_from_score(Score score, Color side); /* `score` is of `side` */

/* The score of a line that a slot found, as an evaluation of its root. */
TreeEval slot_eval(const Slot *slot, Score score);

#endif

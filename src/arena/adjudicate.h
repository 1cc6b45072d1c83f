/* adjudicate.h - ending games that are decided in all but name, by what the players themselves say about them.
 *
 * A score counts only from the player who moved. A player that tells no score is never adjudicated upon.
 * Threads: rules are shared and read-only; a state belongs to one game.
 */
#ifndef ARENA_ADJUDICATE_H
#define ARENA_ADJUDICATE_H

#include "base/str.h"
#include "eval/score.h"
#include "game/game.h"

/* Knows the result of positions with few men (tablebases): true and *out when it does. [any thread at once] */
typedef bool TableProbe(void *context, const Position *pos, Result *out);

/* A zero count switches a rule off. */
typedef struct {
    int         resign_moves;     /* after so many moves of a side in a row ... */
    Score       resign_score;     /* ... that it calls lost by this much, it has lost */
    bool        resign_two_sided; /* and only if the other side agrees as long */
    int         draw_number;      /* from this move number on ... */
    int         draw_moves;       /* ... after so many moves of both sides in a row ... */
    Score       draw_score;       /* ... that nobody calls better than this, it is a draw */
    int         max_moves;        /* after so many full moves it is a draw */
    TableProbe *probe;            /* NULL: no tables */
    void       *probe_context;
} AdjudicationRules;

typedef struct {
    int losing[COLORS], winning[COLORS]; /* own moves in a row */
    int level;                           /* half-moves in a row */
} AdjudicationState;

typedef enum { ADJUDICATE_NONE, ADJUDICATE_RESIGN, ADJUDICATE_DRAW, ADJUDICATE_LENGTH, ADJUDICATE_TABLES } Adjudication;

/* A TableProbe whose context is a `const Tables *`. The fifty-move rule holds: what it spoils is a draw. */
bool adjudicate_probe_tables(void *context, const Position *pos, Result *out);

/* "movecount=3,score=400" and "movenumber=40,movecount=8,score=10"; commas or spaces separate; what is not given keeps its
 * usual value. Fill the rules they are about. */
bool adjudicate_parse_resign(Str text, AdjudicationRules *rules, Err *err);
bool adjudicate_parse_draw(Str text, AdjudicationRules *rules, Err *err);

/* `mover` has moved (`game` is after the move) and said this of the position before. */
Adjudication adjudicate_move(const AdjudicationRules *rules, AdjudicationState *state, const Game *game, Color mover,
                             bool has_score, Score score, Result *result);

#endif

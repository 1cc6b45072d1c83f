/* classical.c - puts the parts of the classical evaluation together: terms for both sides, then taper, scale and endings.
 *
 * One body serves the search (no trace), the printed table and the tuner (trace): eval_body is inlined twice with a constant
 * trace pointer. Only integers, so that every compiler and machine gives the same value. White minus Black throughout; the
 * side to move comes in at the end. Hot: classical_score.
 */
#include "eval/classical.h"

#include <string.h>

#include "eval/endings.h"
#include "eval/eval_king.h"
#include "eval/eval_pawns.h"
#include "eval/eval_pieces.h"
#include "eval/eval_threats.h"

void classical_reset_pawns(PawnEntry *table)
{
    for (int i = 0; i < PAWN_TABLE_SIZE; i++) table[i].key = ~(Key)0; /* no pawns at all have key 0 */
}

/* Everything that counts for one side or the other. */
EVAL_INLINE Packed eval_sides(EvalInfo *e)
{
    Packed score = e->pawns->score;
    pieces_prepare(e, WHITE);
    pieces_prepare(e, BLACK);
    score += pieces_knights(e, WHITE) - pieces_knights(e, BLACK);
    score += pieces_bishops(e, WHITE) - pieces_bishops(e, BLACK);
    score += pieces_rooks(e, WHITE) - pieces_rooks(e, BLACK);
    score += pieces_queens(e, WHITE) - pieces_queens(e, BLACK);
    score += king_side(e, WHITE) - king_side(e, BLACK);
    score += threats_side(e, WHITE) - threats_side(e, BLACK);
    score += space_side(e, WHITE) - space_side(e, BLACK);
    if (e->pawns->passed) score += passed_side(e, WHITE) - passed_side(e, BLACK);
    Color  side  = position_side(e->pos);
    Packed tempo = eval_term(e->trace, side, P_TEMPO, 1);
    return score + (side == WHITE ? tempo : -tempo);
}

/* How hard the position is to hold as a draw: more pawns, on both wings, leave more to play for. */
EVAL_INLINE int eval_complexity(const EvalInfo *e, int eg)
{
    EvalTrace *t      = e->trace;
    Bitboard   pawns  = e->pos->types[PAWN];
    bool       flanks = (pawns & (Bitboard)0x0f0f0f0f0f0f0f0f) && (pawns & (Bitboard)0xf0f0f0f0f0f0f0f0);
    Packed     sum    = eval_term(t, WHITE, P_COMPLEXITY_BASE, 1);
    sum += eval_term(t, WHITE, P_COMPLEXITY_PAWNS, bb_count(pawns));
    sum += eval_term(t, WHITE, P_COMPLEXITY_FLANKS, flanks);
    sum += eval_term(t, WHITE, P_COMPLEXITY_PAWN_ENDING, e->phase == 0);
    return complexity_shift(packed_eg(sum), eg);
}

/* The value shrinks as the fifty-move counter grows, so that the search prefers progress. */
EVAL_INLINE int eval_fifty(int value, const Position *pos)
{
    int halfmove = pos->halfmove > 100 ? 100 : pos->halfmove;
    return value * (FIFTY_WEIGHT - halfmove) / FIFTY_WEIGHT;
}

EVAL_INLINE Score eval_body(const Position *pos, PawnEntry *pawns, EvalTrace *trace)
{
    EvalInfo e      = {.pos = pos, .pawns = pawns, .trace = trace, .occupied = position_occupied(pos)};
    e.king[WHITE]   = position_king(pos, WHITE);
    e.king[BLACK]   = position_king(pos, BLACK);
    Packed      sum = eval_sides(&e);
    int         mg = packed_mg(sum), eg = packed_eg(sum);
    int         more = eval_complexity(&e, eg);
    const char *rule = NULL;
    eg += more;
    int phase = e.phase > PHASE_MAX ? PHASE_MAX : e.phase;
    int ahead = eg ? eg : mg; /* an equal end game leaves the choice to the middle game: never to a colour */
    int scale = ending_scale(pos, ahead >= 0 ? WHITE : BLACK, phase, &rule);
    int value = eval_fifty(eval_taper(mg, eg, phase, scale), pos);
    if (trace) {
        trace->mg         = mg;
        trace->eg         = eg;
        trace->complexity = more;
        trace->phase      = phase;
        trace->scale      = scale;
        trace->rule       = rule;
    }
    return score_clamp_eval(position_side(pos) == WHITE ? value : -value);
}

/* The ending that gives the value itself, if it is one: only few men can make one. */
static bool eval_known(const Position *pos, Score *value, const char **rule)
{
    Score white;
    if (!ending_probe(pos, &white, rule)) return false;
    *value = score_clamp_eval(position_side(pos) == WHITE ? white : -white);
    return true;
}

static void __attribute__((noinline)) fill_pawns(const Position *pos, PawnEntry *entry) { pawns_fill(NULL, pos, entry); }

bool classical_known(const Position *pos, Score *value)
{
    const char *rule;
    return ending_is_possible(pos) && eval_known(pos, value, &rule);
}

Score classical_score(const Position *pos, PawnEntry *table)
{
    Score known;
    if (classical_known(pos, &known)) return known;
    PawnEntry *pawns = &table[pos->pawn_key & (PAWN_TABLE_SIZE - 1)];
    if (pawns->key != pos->pawn_key) fill_pawns(pos, pawns);
    return eval_body(pos, pawns, NULL);
}

Score classical_trace(const Position *pos, EvalTrace *trace)
{
    PawnEntry pawns = {0};
    memset(trace, 0, sizeof *trace);
    pawns_fill(trace, pos, &pawns);
    trace->value = eval_body(pos, &pawns, trace);
    trace->known = ending_is_possible(pos) && eval_known(pos, &trace->value, &trace->rule);
    return trace->value;
}

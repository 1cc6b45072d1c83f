/* picker.c - see picker.h. */
#include "search/picker.h"

#include "chess/see.h"

/* The killers and the counter move that are worth trying here: different from what comes before, and quiet. */
static void set_refutations(Picker *p)
{
    const Worker *w        = p->w;
    const Frame  *previous = p->frame - 1;
    if (feature_on(w, FEATURE_KILLERS)) {
        p->killers[0] = p->frame->killers[0];
        p->killers[1] = p->frame->killers[1];
    }
    if (feature_on(w, FEATURE_COUNTER_MOVES) && previous->move != MOVE_NONE)
        p->counter = w->histories->counter[previous->moved][move_to(previous->move)];
}

void picker_init(Picker *p, Worker *w, int ply, PickerMode mode, Move table_move, int threshold)
{
    p->w           = w;
    p->frame       = frame_at(w, ply);
    p->ply         = ply;
    p->mode        = mode;
    p->table_move  = feature_on(w, FEATURE_TT_MOVE) ? table_move : MOVE_NONE;
    p->threshold   = threshold;
    p->skip_quiets = false;
    p->index = p->bad_count = 0;
    p->killers[0] = p->killers[1] = p->counter = MOVE_NONE;
    bool usable = p->table_move != MOVE_NONE && movegen_is_legal(&p->frame->pos, &p->frame->king, p->table_move);
    if (usable && mode != PICK_ALL && !p->frame->king.checkers)
        usable = position_is_noisy(&p->frame->pos, p->table_move) &&
                 (mode != PICK_GOOD_NOISY || see_at_least(&p->frame->pos, p->table_move, threshold));
    if (!usable) p->table_move = MOVE_NONE;
    p->stage = STAGE_TABLE;
    if (mode != PICK_ALL) return;
    set_refutations(p);
    checks_map(&p->frame->pos, &p->checks);
}

int picker_quiet_history(const Worker *w, int ply, Move move)
{
    const Frame     *f     = &w->frames[FRAMES_BEFORE + ply];
    const Histories *h     = w->histories;
    Piece            man   = f->pos.board[move_from(move)];
    Square           to    = move_to(move);
    int              score = 0;
    if (feature_on(w, FEATURE_HISTORY)) score = h->butterfly[f->pos.side][move_from(move)][to];
    if (feature_on(w, FEATURE_CONTINUATION)) {
        score += (*f[-1].continuation)[man][to];
        score += (*f[-2].continuation)[man][to];
        score += (*f[-4].continuation)[man][to] / 2;
    }
    return score;
}

int picker_noisy_history(const Worker *w, int ply, Move move)
{
    const Frame *f = &w->frames[FRAMES_BEFORE + ply];
    if (!feature_on(w, FEATURE_CAPTURE_HISTORY)) return 0;
    PieceType victim = piece_type(position_captured(&f->pos, move));
    return w->histories->capture[f->pos.board[move_from(move)]][move_to(move)][victim];
}

static void score_noisy(Picker *p)
{
    const Position *pos = &p->frame->pos;
    for (int i = 0; i < p->list.count; i++) {
        Move move  = p->list.moves[i];
        int  value = 16 * see_values[piece_type(position_captured(pos, move))];
        if (move_kind(move) == MOVE_PROMOTION)
            value += move_promotion(move) == QUEEN ? 16 * see_values[QUEEN] : -16 * see_values[QUEEN];
        p->scores[i] = value + picker_noisy_history(p->w, p->ply, move) / 2;
    }
}

static void score_quiet(Picker *p)
{
    for (int i = 0; i < p->list.count; i++) p->scores[i] = picker_quiet_history(p->w, p->ply, p->list.moves[i]);
}

/* Captures first, the rest by experience. */
static void score_evasions(Picker *p)
{
    enum { CAPTURE_FIRST = 1 << 20 };
    const Position *pos = &p->frame->pos;
    for (int i = 0; i < p->list.count; i++) {
        Move move = p->list.moves[i];
        if (position_is_noisy(pos, move)) {
            int victim   = see_values[piece_type(position_captured(pos, move))];
            int taker    = see_values[piece_type(pos->board[move_from(move)])];
            p->scores[i] = CAPTURE_FIRST + 16 * victim - taker;
        } else {
            p->scores[i] = picker_quiet_history(p->w, p->ply, move);
        }
    }
}

/* The best of what is left; a node seldom asks for many, so nothing is sorted in advance. */
static Move take_best(Picker *p)
{
    int best = p->index;
    for (int i = p->index + 1; i < p->list.count; i++) {
        if (p->scores[i] > p->scores[best]) best = i;
    }
    Move move               = p->list.moves[best];
    int  score              = p->scores[best];
    p->list.moves[best]     = p->list.moves[p->index];
    p->scores[best]         = p->scores[p->index];
    p->list.moves[p->index] = move;
    p->scores[p->index++]   = score;
    return move;
}

static void make_list(Picker *p, MoveClass wanted)
{
    movegen_class(&p->frame->pos, &p->frame->king, wanted, &p->list);
    p->index = 0;
}

static Move next_noisy(Picker *p)
{
    while (p->index < p->list.count) {
        Move move = take_best(p);
        if (move == p->table_move) continue;
        int need = p->mode == PICK_ALL ? -p->scores[p->index - 1] / 64 : p->threshold;
        if (see_at_least(&p->frame->pos, move, need)) return move;
        if (p->mode == PICK_ALL) p->bad[p->bad_count++] = move;
    }
    return MOVE_NONE;
}

static bool is_refutation(const Picker *p, Move move)
{
    return move == p->killers[0] || move == p->killers[1] || move == p->counter;
}

static Move next_quiet(Picker *p)
{
    while (p->index < p->list.count) {
        Move move = p->skip_quiets ? p->list.moves[p->index++] : take_best(p);
        if (p->skip_quiets && !checks_gives(&p->frame->pos, &p->checks, move)) continue;
        if (move != p->table_move && !is_refutation(p, move)) return move;
    }
    return MOVE_NONE;
}

/* A killer or counter move, when it is a legal quiet move here and was not given before. */
static bool refutation_is_usable(const Picker *p, Move move)
{
    return move != MOVE_NONE && move != p->table_move && !position_is_noisy(&p->frame->pos, move) &&
           movegen_is_legal(&p->frame->pos, &p->frame->king, move);
}

/* Keeps only the quiet moves that give check. */
static void make_checks(Picker *p)
{
    make_list(p, MOVES_QUIET);
    checks_map(&p->frame->pos, &p->checks);
    int kept = 0;
    for (int i = 0; i < p->list.count; i++) {
        if (checks_gives(&p->frame->pos, &p->checks, p->list.moves[i])) p->list.moves[kept++] = p->list.moves[i];
    }
    p->list.count = kept;
}

static PickerStage stage_after_noisy(const Picker *p)
{
    if (p->mode == PICK_ALL) return STAGE_KILLER_1;
    return p->mode == PICK_NOISY_CHECKS ? STAGE_MAKE_CHECKS : STAGE_DONE;
}

/* The refutation stages, one after the other; drops a slot that is not usable so that next_quiet gives it later. */
static Move next_refutation(Picker *p)
{
    while (p->stage <= STAGE_COUNTER) {
        PickerStage stage = p->stage++;
        Move       *slot  = stage == STAGE_COUNTER ? &p->counter : &p->killers[stage - STAGE_KILLER_1];
        bool        again = stage == STAGE_COUNTER && (*slot == p->killers[0] || *slot == p->killers[1]);
        if (!again && refutation_is_usable(p, *slot)) return *slot;
        if (!again) *slot = MOVE_NONE;
    }
    return MOVE_NONE;
}

Move picker_next(Picker *p)
{
    Move move;
    switch (p->stage) {
    case STAGE_TABLE:
        p->stage = p->frame->king.checkers ? STAGE_MAKE_EVASIONS : STAGE_MAKE_NOISY;
        if (p->table_move != MOVE_NONE) return p->table_move;
        return picker_next(p);
    case STAGE_MAKE_NOISY:
        make_list(p, MOVES_NOISY);
        score_noisy(p);
        p->stage = STAGE_GOOD_NOISY;
        /* fall through */
    case STAGE_GOOD_NOISY:
        if ((move = next_noisy(p)) != MOVE_NONE) return move;
        p->stage = stage_after_noisy(p);
        return picker_next(p);
    case STAGE_KILLER_1:
    case STAGE_KILLER_2:
    case STAGE_COUNTER:
        if ((move = next_refutation(p)) != MOVE_NONE) return move;
        /* fall through */
    case STAGE_MAKE_QUIET:
        p->stage = STAGE_QUIET;
        make_list(p, MOVES_QUIET);
        if (!p->skip_quiets) score_quiet(p);
        /* fall through */
    case STAGE_QUIET:
        if ((move = next_quiet(p)) != MOVE_NONE) return move;
        p->stage = STAGE_BAD_NOISY;
        p->index = 0;
        /* fall through */
    case STAGE_BAD_NOISY: return p->index < p->bad_count ? p->bad[p->index++] : MOVE_NONE;
    case STAGE_MAKE_EVASIONS:
        make_list(p, MOVES_ALL);
        score_evasions(p);
        p->stage = STAGE_EVASIONS;
        /* fall through */
    case STAGE_EVASIONS:
        while (p->index < p->list.count) {
            if ((move = take_best(p)) != p->table_move) return move;
        }
        return MOVE_NONE;
    case STAGE_MAKE_CHECKS:
        make_checks(p);
        score_quiet(p);
        p->stage = STAGE_CHECKS;
        /* fall through */
    case STAGE_CHECKS:
        while (p->index < p->list.count) {
            if ((move = take_best(p)) != p->table_move && see_at_least(&p->frame->pos, move, 0)) return move;
        }
        p->stage = STAGE_DONE;
        return MOVE_NONE;
    case STAGE_DONE: break;
    }
    return MOVE_NONE;
}

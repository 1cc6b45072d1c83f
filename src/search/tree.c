/* tree.c - walking the tree: playing and taking back moves, draws, and whether to stop. Hot. */
#include "base/clock.h"
#include "chess/keys.h"
#include "search/params.h"
#include "search/worker.h"

static void push_key(Worker *w, Key key) { w->keys[w->key_count++] = key; }

/* The key after most moves: not after castling, promotions, en passant and a loss of rights, where only a hint is lost. */
static Key key_about(const Position *pos, Move move)
{
    Square from = move_from(move), to = move_to(move);
    Piece  man = pos->board[from];
    Key    key = pos->key ^ key_turn() ^ piece_keys[man][from] ^ piece_keys[man][to] ^ piece_keys[pos->board[to]][to];
    return pos->ep_square == SQ_NONE ? key : key ^ key_en_passant(pos->ep_square);
}

void worker_expect(const Worker *w, const Frame *frame, Move move) { tt_prefetch(w->search->tt, key_about(&frame->pos, move)); }

void worker_play(Worker *w, int ply, Move move)
{
    Frame *f = frame_at(w, ply), *child = f + 1;
    f->move         = move;
    f->moved        = f->pos.board[move_from(move)];
    f->continuation = &w->histories->continuation[f->moved][move_to(move)];
    push_key(w, f->pos.key);
    position_play(&f->pos, move, &child->pos);
    tt_prefetch(w->search->tt, child->pos.key);
    child->king              = movegen_king_state(&child->pos);
    child->since_null        = f->since_null + 1;
    child->double_extensions = f->double_extensions;
    worker_count_node(w);
}

void worker_play_null(Worker *w, int ply)
{
    Frame *f = frame_at(w, ply), *child = f + 1;
    f->move         = MOVE_NONE;
    f->moved        = NO_PIECE;
    f->continuation = &w->histories->continuation[NO_PIECE][A1];
    push_key(w, f->pos.key);
    position_play_null(&f->pos, &child->pos);
    tt_prefetch(w->search->tt, child->pos.key);
    child->king              = movegen_king_state(&child->pos);
    child->since_null        = 0;
    child->double_extensions = f->double_extensions;
    worker_count_node(w);
}

void worker_undo(Worker *w) { w->key_count--; }

/* How many plies back a position can be the same: neither irreversible nor null moves in between. */
static int repetition_reach(const Frame *f) { return f->pos.halfmove < f->since_null ? f->pos.halfmove : f->since_null; }

static bool is_repetition(const Worker *w, int ply)
{
    const Frame *f     = &w->frames[FRAMES_BEFORE + ply];
    int          reach = repetition_reach(f);
    int          found = 0;
    for (int back = 4; back <= reach; back += 2) {
        if (w->keys[w->key_count - (size_t)back] != f->pos.key) continue;
        if (back < ply || ++found == 2) return true; /* once in the tree is enough; before the root it takes two */
    }
    return false;
}

bool draw_by_rule(const Worker *w, int ply)
{
    const Frame *f = &w->frames[FRAMES_BEFORE + ply];
    if (f->pos.halfmove >= 100 && (!f->king.checkers || movegen_has_legal_move(&f->pos))) return true;
    if (is_repetition(w, ply)) return true;
    Bitboard others = f->pos.types[PAWN] | f->pos.types[ROOK] | f->pos.types[QUEEN];
    return !others && !bb_more_than_one(f->pos.types[KNIGHT] | f->pos.types[BISHOP]); /* a bare king and at most a minor piece */
}

/* Whether one reversible move leads to a position that was there before: the key's change must be the change of such a move, and
 * nothing may stand between its squares. */
bool draw_is_upcoming(const Worker *w, int ply)
{
    const Frame *f        = &w->frames[FRAMES_BEFORE + ply];
    int          reach    = repetition_reach(f);
    Bitboard     occupied = position_occupied(&f->pos);
    for (int back = 3; back <= reach; back += 2) {
        Key      change = f->pos.key ^ w->keys[w->key_count - (size_t)back];
        unsigned slot   = cuckoo_first(change);
        if (cuckoo_keys[slot] != change) slot = cuckoo_second(change);
        if (cuckoo_keys[slot] != change) continue;
        Square a = move_from(cuckoo_moves[slot]), b = move_to(cuckoo_moves[slot]);
        if (bb_between(a, b) & occupied) continue;
        if (ply > back) return true; /* within the tree; before the root one repetition is no draw yet */
    }
    return false;
}

/* Not quite zero, so that searches do not all follow the first drawing line they meet. */
Score draw_score(const Worker *w) { return SCORE_DRAW + 1 - (Score)(worker_nodes(w) & 2); }

int64_t search_elapsed_ms(const struct Search *search)
{
    return clock_now_ms() - atomic_load_explicit(&search->start_ms, memory_order_relaxed);
}

static bool limits_reached(Worker *w)
{
    enum { CLOCK_INTERVAL = 512 }; /* nodes between looks at the clock: well under a millisecond */
    struct Search      *search = w->search;
    const SearchLimits *limits = &search->limits;
    if (w->index != 0) return false;
    if (limits->nodes && worker_nodes(w) >= limits->nodes && search->thread_count == 1) return true;
    if (w->clock_countdown-- > 0) return false;
    w->clock_countdown = CLOCK_INTERVAL;
    if (limits->nodes && search_nodes(search) >= limits->nodes) return true;
    if (!limits->hard_ms || w->completed == 0) return false; /* the first iteration always ends: there must be a good move */
    if (atomic_load_explicit(&search->pondering, memory_order_relaxed)) return false;
    return search_elapsed_ms(search) >= limits->hard_ms;
}

bool worker_should_stop(Worker *w)
{
    struct Search *search = w->search;
    if (w->aborted) return true;
    if (atomic_load_explicit(&search->stop, memory_order_relaxed)) {
        w->aborted = w->completed > 0 || w->index != 0;
        return w->aborted;
    }
    w->aborted = limits_reached(w); /* the others are stopped when the leader may report: not while infinite or pondering */
    return w->aborted;
}

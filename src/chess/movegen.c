/* movegen.c - see movegen.h.
 *
 * One generator, specialised by the compiler: side to move, class of moves and "list or count" are constants at every
 * call of `generate`, so the branches on them disappear.
 */
#include "chess/movegen.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* What becomes of the moves: a list, their number, or their number and the sets they stand in, to pick one from. */
typedef enum { LIST_MOVES, COUNT_MOVES, GROUP_MOVES } Purpose;

/* Moves that differ in their target only. */
typedef struct {
    Bitboard targets;
    int      origin; /* where all of them start, or how far each target is from its start */
    uint16_t kind;   /* GroupKind; of GROUP_ONE the move itself stands in `origin` */
} Group;

typedef enum {
    GROUP_KING,
    GROUP_FROM,
    GROUP_STEP,
    GROUP_PROMOTIONS,
    GROUP_ONE
} GroupKind; /* the king may be walking into check */

enum { GROUPS_MAX = 16 * 2 + 9 + 4 }; /* a queen is two groups, pawns are nine at most; en passant, castling */

typedef struct {
    Move  *end;
    int    count;
    Group *group; /* the next free one */
} Sink;

typedef struct {
    const Position *pos;
    Color           us;
    MoveClass       wanted;
    Purpose         purpose;
    Square          king;
    Bitboard        occupied;
    Bitboard        pinned;
    Bitboard        allowed; /* everything, or in check the checker and the squares between him and the king */
    Bitboard        targets; /* `allowed` squares of the wanted class: where a piece may go */
} Gen;

/* Counts so many moves and keeps their group when one is to be picked; false when moves are to be listed. */
ALWAYS_INLINE bool emit_group(const Gen *gen, Sink *sink, GroupKind kind, int origin, Bitboard targets, int count)
{
    if (gen->purpose == LIST_MOVES) return false;
    sink->count += count;
    if (gen->purpose == GROUP_MOVES) {
        *sink->group = (Group){.targets = targets, .origin = origin, .kind = (uint16_t)kind};
        sink->group += count > 0;
    }
    return true;
}

ALWAYS_INLINE void emit_targets(const Gen *gen, Sink *sink, Square from, Bitboard targets)
{
    if (emit_group(gen, sink, GROUP_FROM, from, targets, bb_count(targets))) return;
    while (targets) *sink->end++ = move_make(from, bb_pop(&targets));
}

/* Pawn moves of one direction: `to - from` is `step` for all of them. */
ALWAYS_INLINE void emit_pawns(const Gen *gen, Sink *sink, Bitboard targets, int step)
{
    if (emit_group(gen, sink, GROUP_STEP, step, targets, bb_count(targets))) return;
    while (targets) {
        Square to    = bb_pop(&targets);
        *sink->end++ = move_make(to - step, to);
    }
}

ALWAYS_INLINE void emit_promotions(const Gen *gen, Sink *sink, Bitboard targets, int step)
{
    if (emit_group(gen, sink, GROUP_PROMOTIONS, step, targets, 4 * bb_count(targets))) return;
    while (targets) {
        Square to = bb_pop(&targets);
        for (PieceType type = QUEEN; type >= KNIGHT; type--) *sink->end++ = move_make_promotion(to - step, to, type);
    }
}

ALWAYS_INLINE void emit_one(const Gen *gen, Sink *sink, Move move)
{
    if (!emit_group(gen, sink, GROUP_ONE, move, 1, 1)) *sink->end++ = move;
}

/* Whether an enemy attacks `square` once our king has left the board (he does not shield what is behind him). */
ALWAYS_INLINE bool is_attacked(const Position *pos, Color us, Square square, Bitboard occupied)
{
    Color    them    = color_flip(us);
    Bitboard enemies = pos->colors[them];
    Bitboard near    = (attacks_pawn(us, square) & pos->types[PAWN]) | (attacks_knight(square) & pos->types[KNIGHT]) |
                    (attacks_king(square) & pos->types[KING]);
    if (near & enemies) return true;
    Bitboard diagonal = (pos->types[BISHOP] | pos->types[QUEEN]) & enemies;
    Bitboard straight = (pos->types[ROOK] | pos->types[QUEEN]) & enemies;
    return ((bishop_ray_table[square] & diagonal) && (attacks_bishop(square, occupied) & diagonal)) ||
           ((rook_ray_table[square] & straight) && (attacks_rook(square, occupied) & straight));
}

ALWAYS_INLINE KingState king_state(const Position *pos, Color us)
{
    Square    king     = position_king(pos, us);
    Bitboard  occupied = position_occupied(pos);
    Bitboard  snipers  = position_snipers(pos, king, color_flip(us));
    Bitboard  near     = (attacks_pawn(us, king) & pos->types[PAWN]) | (attacks_knight(king) & pos->types[KNIGHT]);
    KingState state    = {.checkers = near & pos->colors[color_flip(us)]};
    while (snipers) {
        Square   sniper   = bb_pop(&snipers);
        Bitboard blockers = bb_between(king, sniper) & occupied;
        if (!blockers) {
            state.checkers |= bb_of(sniper);
        } else if (!bb_more_than_one(blockers)) {
            state.pinned |= blockers & pos->colors[us];
        }
    }
    return state;
}

/* Pushes and captures of all pawns at once. A pinned pawn may still push on the king's file or take along the king's
 * diagonal: masking each direction by that line is all it takes. */
ALWAYS_INLINE void generate_pawns(const Gen *gen, Sink *sink)
{
    const Position *pos     = gen->pos;
    bool            white   = gen->us == WHITE;
    int             up      = white ? 8 : -8;
    Bitboard        pawns   = position_pieces(pos, gen->us, PAWN);
    Bitboard        free    = ~gen->pinned;
    Bitboard        empty   = ~gen->occupied;
    Bitboard        last    = white ? BB_RANK_8 : BB_RANK_1;
    Bitboard        third   = white ? bb_rank(RANK_3) : bb_rank(RANK_6);
    Bitboard        victims = pos->colors[color_flip(gen->us)] & gen->allowed;
    const Bitboard *east    = white ? diagonal_table : antidiagonal_table;
    const Bitboard *west    = white ? antidiagonal_table : diagonal_table;

    Bitboard one    = bb_forward(pawns & (free | bb_file(square_file(gen->king))), gen->us) & empty;
    Bitboard two    = bb_forward(one & third, gen->us) & empty & gen->allowed;
    Bitboard take_e = bb_east(bb_forward(pawns & (free | east[gen->king]), gen->us)) & victims;
    Bitboard take_w = bb_west(bb_forward(pawns & (free | west[gen->king]), gen->us)) & victims;
    one &= gen->allowed;
    if (gen->wanted != MOVES_QUIET) {
        if ((one | take_e | take_w) & last) {
            emit_promotions(gen, sink, take_e & last, up + 1);
            emit_promotions(gen, sink, take_w & last, up - 1);
            emit_promotions(gen, sink, one & last, up);
        }
        emit_pawns(gen, sink, take_e & ~last, up + 1);
        emit_pawns(gen, sink, take_w & ~last, up - 1);
    }
    if (gen->wanted != MOVES_NOISY) {
        emit_pawns(gen, sink, one & ~last, up);
        emit_pawns(gen, sink, two, 2 * up);
    }
}

/* Two pawns leave the board's lines at once, so pins do not tell: look at the king with both gone. */
static __attribute__((noinline)) int legal_ep_captures(const Position *pos, Color us, Move out[2])
{
    int      count  = 0;
    Square   target = pos->ep_square, victim = target ^ 8;
    Bitboard takers = attacks_pawn(color_flip(us), target) & position_pieces(pos, us, PAWN);
    while (takers) {
        Square   from     = bb_pop(&takers);
        Bitboard occupied = (position_occupied(pos) ^ bb_of(from) ^ bb_of(victim)) | bb_of(target);
        Bitboard enemies  = pos->colors[color_flip(us)] ^ bb_of(victim);
        if (position_attackers(pos, position_king(pos, us), occupied) & enemies) continue;
        out[count++] = move_make_special(from, target, MOVE_EN_PASSANT);
    }
    return count;
}

ALWAYS_INLINE void generate_en_passant(const Gen *gen, Sink *sink)
{
    if (gen->wanted == MOVES_QUIET || gen->pos->ep_square == SQ_NONE) return;
    Move moves[2];
    int  count = legal_ep_captures(gen->pos, gen->us, moves);
    for (int i = 0; i < count; i++) emit_one(gen, sink, moves[i]);
}

ALWAYS_INLINE void generate_pieces(const Gen *gen, Sink *sink)
{
    const Position *pos      = gen->pos;
    Bitboard        ours     = pos->colors[gen->us];
    Bitboard        free     = ours & ~gen->pinned; /* a pinned knight never moves */
    Bitboard        diagonal = pos->types[BISHOP] | pos->types[QUEEN];
    Bitboard        straight = pos->types[ROOK] | pos->types[QUEEN];

    for (Bitboard men = free & pos->types[KNIGHT]; men;) {
        Square from = bb_pop(&men);
        emit_targets(gen, sink, from, attacks_knight(from) & gen->targets);
    }
    for (Bitboard men = free & diagonal; men;) {
        Square from = bb_pop(&men);
        emit_targets(gen, sink, from, attacks_bishop(from, gen->occupied) & gen->targets);
    }
    for (Bitboard men = free & straight; men;) {
        Square from = bb_pop(&men);
        emit_targets(gen, sink, from, attacks_rook(from, gen->occupied) & gen->targets);
    }
    for (Bitboard men = gen->pinned & diagonal; men;) {
        Square from = bb_pop(&men);
        emit_targets(gen, sink, from, attacks_bishop(from, gen->occupied) & gen->targets & bb_line(gen->king, from));
    }
    for (Bitboard men = gen->pinned & straight; men;) {
        Square from = bb_pop(&men);
        emit_targets(gen, sink, from, attacks_rook(from, gen->occupied) & gen->targets & bb_line(gen->king, from));
    }
}

/* The king walks alone: each target is looked at with him off the board, so that he cannot hide behind himself. */
ALWAYS_INLINE void generate_king(const Gen *gen, Sink *sink)
{
    const Position *pos     = gen->pos;
    Bitboard        targets = attacks_king(gen->king) & ~pos->colors[gen->us];
    if (gen->wanted == MOVES_NOISY) targets &= pos->colors[color_flip(gen->us)];
    if (gen->wanted == MOVES_QUIET) targets &= ~gen->occupied;
    if (gen->purpose == GROUP_MOVES) {
        emit_group(gen, sink, GROUP_KING, gen->king, targets, bb_count(targets));
        return;
    }
    Bitboard without_king = gen->occupied ^ bb_of(gen->king);
    for (Bitboard left = targets; left;) {
        Square to = bb_pop(&left);
        if (is_attacked(pos, gen->us, to, without_king)) targets ^= bb_of(to);
    }
    emit_targets(gen, sink, gen->king, targets);
}

/* Everything between king, rook and their targets is empty (the two themselves apart) and the king passes no attacked
 * square. In Chess960 the rook may also have shielded the king on the back rank: then it is pinned, and may not leave. */
ALWAYS_INLINE bool may_castle(const Gen *gen, Square rook)
{
    Square king = gen->king;
    if (bb_between(king, rook) & gen->occupied) return false; /* nearly always decides */
    CastleSide side    = rook > king ? SIDE_SHORT : SIDE_LONG;
    Square     king_to = castle_king_target(gen->us, side), rook_to = castle_rook_target(gen->us, side);
    Bitboard   both = bb_of(king) | bb_of(rook);
    Bitboard   path = bb_between(king, king_to) | bb_of(king_to);
    Bitboard   room = path | bb_between(rook, rook_to) | bb_of(rook_to);
    if (room & gen->occupied & ~both) return false;
    if (gen->pinned & bb_of(rook)) return false;
    for (path &= ~bb_of(king); path;) {
        if (is_attacked(gen->pos, gen->us, bb_pop(&path), gen->occupied ^ bb_of(king))) return false;
    }
    return true;
}

ALWAYS_INLINE void generate_castling(const Gen *gen, Sink *sink)
{
    if (gen->wanted == MOVES_NOISY) return;
    Bitboard rooks = gen->pos->castle_rooks & (gen->us == WHITE ? BB_RANK_1 : BB_RANK_8);
    while (rooks) {
        Square rook = bb_pop(&rooks);
        if (may_castle(gen, rook)) emit_one(gen, sink, move_make_special(gen->king, rook, MOVE_CASTLING));
    }
}

ALWAYS_INLINE void generate(const Position *pos, const KingState *state, Color us, MoveClass wanted, Purpose purpose, Sink *sink)
{
    Gen gen = {
        .pos      = pos,
        .us       = us,
        .wanted   = wanted,
        .purpose  = purpose,
        .king     = position_king(pos, us),
        .occupied = position_occupied(pos),
        .pinned   = state->pinned,
        .allowed  = ~(Bitboard)0,
    };
    generate_king(&gen, sink);
    if (state->checkers) {
        if (bb_more_than_one(state->checkers)) return; /* a double check: only the king moves */
        gen.allowed = state->checkers | bb_between(gen.king, bb_first(state->checkers));
    } else {
        generate_castling(&gen, sink);
    }
    gen.targets = gen.allowed & (wanted == MOVES_ALL     ? ~pos->colors[us]
                                 : wanted == MOVES_NOISY ? pos->colors[color_flip(us)]
                                                         : ~gen.occupied);
    generate_pawns(&gen, sink);
    generate_en_passant(&gen, sink);
    generate_pieces(&gen, sink);
}

ALWAYS_INLINE void generate_list(const Position *pos, const KingState *king, MoveClass wanted, MoveList *list)
{
    Sink sink = {.end = list->moves};
    if (pos->side == WHITE) {
        generate(pos, king, WHITE, wanted, LIST_MOVES, &sink);
    } else {
        generate(pos, king, BLACK, wanted, LIST_MOVES, &sink);
    }
    list->count = (int)(sink.end - list->moves);
}

KingState movegen_king_state(const Position *pos) { return pos->side == WHITE ? king_state(pos, WHITE) : king_state(pos, BLACK); }

void movegen_class(const Position *pos, const KingState *king, MoveClass wanted, MoveList *list)
{
    switch (wanted) {
    case MOVES_ALL: generate_list(pos, king, MOVES_ALL, list); break;
    case MOVES_NOISY: generate_list(pos, king, MOVES_NOISY, list); break;
    case MOVES_QUIET: generate_list(pos, king, MOVES_QUIET, list); break;
    }
}

void movegen_legal(const Position *pos, MoveList *list)
{
    KingState king = movegen_king_state(pos);
    movegen_class(pos, &king, MOVES_ALL, list);
}

void movegen_noisy(const Position *pos, MoveList *list)
{
    KingState king = movegen_king_state(pos);
    movegen_class(pos, &king, MOVES_NOISY, list);
}

void movegen_quiet(const Position *pos, MoveList *list)
{
    KingState king = movegen_king_state(pos);
    movegen_class(pos, &king, MOVES_QUIET, list);
}

void movegen_evasions(const Position *pos, MoveList *list)
{
    KingState king = movegen_king_state(pos);
    if (king.checkers) {
        movegen_class(pos, &king, MOVES_ALL, list);
    } else {
        list->count = 0;
    }
}

ALWAYS_INLINE int count_moves(const Position *pos, Color us)
{
    KingState king = king_state(pos, us);
    Sink      sink = {0};
    generate(pos, &king, us, MOVES_ALL, COUNT_MOVES, &sink);
    return sink.count;
}

int movegen_count(const Position *pos) { return pos->side == WHITE ? count_moves(pos, WHITE) : count_moves(pos, BLACK); }

/* The set's square number `index`, from the lowest. */
ALWAYS_INLINE Square nth_square(Bitboard set, int index)
{
#ifdef TABIA_PEXT
    return bb_first(_pdep_u64((Bitboard)1 << index, set));
#else
    while (index-- > 0) set &= set - 1;
    return bb_first(set);
#endif
}

static int group_size(const Group *group)
{
    int squares = bb_count(group->targets);
    return group->kind == GROUP_PROMOTIONS ? 4 * squares : squares;
}

static Move group_move(const Group *group, int index)
{
    Square to = nth_square(group->targets, group->kind == GROUP_PROMOTIONS ? index / 4 : index);
    switch ((GroupKind)group->kind) {
    case GROUP_ONE: return (Move)group->origin;
    case GROUP_PROMOTIONS: return move_make_promotion(to - group->origin, to, (PieceType)(KNIGHT + index % 4));
    case GROUP_STEP: return move_make(to - group->origin, to);
    case GROUP_KING:
    case GROUP_FROM: break;
    }
    return move_make(group->origin, to);
}

/* Most picks are no king moves, so the king's squares are looked at only when one was picked: an attacked one is struck out and
 * the draw repeated, which leaves the others equally likely. */
ALWAYS_INLINE Move pick_move(const Position *pos, const KingState *king, Color us, Rng *rng)
{
    Group groups[GROUPS_MAX];
    Sink  sink = {.group = groups};
    generate(pos, king, us, MOVES_ALL, GROUP_MOVES, &sink);
    while (sink.count > 0) {
        int    index = (int)rng_below(rng, (uint64_t)sink.count);
        Group *group = groups;
        for (int size; index >= (size = group_size(group)); group++) index -= size;
        Move move = group_move(group, index);
        if (group->kind != GROUP_KING) return move;
        Bitboard without_king = position_occupied(pos) ^ bb_of(move_from(move));
        if (!is_attacked(pos, us, move_to(move), without_king)) return move;
        group->targets ^= bb_of(move_to(move));
        sink.count--;
    }
    return MOVE_NONE;
}

Move movegen_pick(const Position *pos, const KingState *king, Rng *rng)
{
    return pos->side == WHITE ? pick_move(pos, king, WHITE, rng) : pick_move(pos, king, BLACK, rng);
}

bool movegen_has_legal_move(const Position *pos) { return movegen_count(pos) > 0; }

/* Whether the man on `from` could go to `to` if kings did not matter; castling and en passant are not for here. */
ALWAYS_INLINE bool reaches(const Position *pos, Color us, PieceType type, Square from, Square to)
{
    if (type != PAWN) return bb_has(attacks_of(type, from, position_occupied(pos)), to);
    if (pos->board[to] != NO_PIECE) return bb_has(attacks_pawn(us, from), to);
    int up = us == WHITE ? 8 : -8;
    if (to == from + up) return true;
    return to == from + 2 * up && square_relative_rank(us, from) == RANK_2 && pos->board[from + up] == NO_PIECE;
}

/* Castling and en passant, whose legality is a matter of their own. */
static bool is_legal_special(const Position *pos, const KingState *king, Move move, PieceType type)
{
    Color  us = position_side(pos);
    Square to = move_to(move);
    if (move_kind(move) == MOVE_EN_PASSANT) {
        if (type != PAWN || pos->ep_square != to) return false;
        Move captures[2];
        int  count = legal_ep_captures(pos, us, captures);
        return (count > 0 && captures[0] == move) || (count > 1 && captures[1] == move);
    }
    if (type != KING || king->checkers || !bb_has(pos->castle_rooks & pos->colors[us], to)) return false;
    Gen gen = {.pos = pos, .us = us, .king = move_from(move), .occupied = position_occupied(pos), .pinned = king->pinned};
    return may_castle(&gen, to);
}

bool movegen_is_legal(const Position *pos, const KingState *king, Move move)
{
    Color     us   = position_side(pos);
    Square    from = move_from(move), to = move_to(move);
    Piece     man  = pos->board[from];
    MoveKind  kind = move_kind(move);
    PieceType type = piece_type(man);
    if (man == NO_PIECE || piece_color(man) != us) return false;
    if (kind != MOVE_PROMOTION && (move >> 12 & 3)) return false; /* no generator writes such bits */
    if (kind == MOVE_EN_PASSANT || kind == MOVE_CASTLING) return is_legal_special(pos, king, move, type);
    if ((kind == MOVE_PROMOTION) != (type == PAWN && square_relative_rank(us, to) == RANK_8)) return false;
    if (bb_has(pos->colors[us], to) || !reaches(pos, us, type, from, to)) return false;

    Square home = position_king(pos, us);
    if (type == KING) return !is_attacked(pos, us, to, position_occupied(pos) ^ bb_of(from));
    if (bb_has(king->pinned, from) && !bb_has(bb_line(home, from), to)) return false;
    if (!king->checkers) return true;
    if (bb_more_than_one(king->checkers)) return false;
    return bb_has(king->checkers | bb_between(home, bb_first(king->checkers)), to);
}

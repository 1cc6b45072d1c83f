/* explain.c - see explain.h. */
#include "term/explain.h"

#include "base/buf.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "term/command.h"

static const char *const type_names[PIECE_TYPES] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
static const char *const side_names[COLORS]      = {"White", "Black"};

enum { NEAR_MAX = 6, NEAR_DISTANCE = 2 };

/* What the text seems to mean. */
typedef struct {
    PieceType  type;     /* NO_TYPE: not told */
    Square     from, to; /* SQ_NONE: not told */
    bool       castling;
    CastleSide side;
} Meaning;

static void append_square(Buf *out, Square square)
{
    buf_printf(out, "%c%c", file_letter(square_file(square)), rank_digit(square_rank(square)));
}

/* ---- what is meant ---- */

static PieceType type_of_letter(char c)
{
    Piece piece = piece_from_letter(char_upper(c));
    return piece == NO_PIECE ? NO_TYPE : piece_type(piece);
}

/* The squares that stand in a text, from left to right; returns how many, at most two. */
static int find_squares(Str text, Square squares[2])
{
    int count = 0;
    for (size_t i = 0; i + 1 < text.len && count < 2; i++) {
        char   name[2] = {char_lower(text.ptr[i]), text.ptr[i + 1]};
        Square square  = square_from_text((Str){name, 2});
        if (square != SQ_NONE) squares[count++] = square;
    }
    return count;
}

static Meaning meaning_of(const Position *pos, Str text)
{
    Meaning m = {.type = NO_TYPE, .from = SQ_NONE, .to = SQ_NONE};
    Square  squares[2];
    int     count = find_squares(text, squares), rings = 0;
    for (size_t i = 0; i < text.len; i++) rings += text.ptr[i] == '0' || char_lower(text.ptr[i]) == 'o';
    m.castling = count == 0 && rings >= 2;
    m.side     = rings >= 3 ? SIDE_LONG : SIDE_SHORT;
    if (count == 0) return m;
    m.to = squares[count - 1];
    if (count == 2) m.from = squares[0];
    bool file =
        char_lower(text.ptr[0]) >= 'a' && char_lower(text.ptr[0]) <= 'h'; /* "b4" is a pawn's move, "B4" hardly a bishop's */
    m.type = char_is_upper(text.ptr[0]) && text.len > 2 ? type_of_letter(text.ptr[0]) : NO_TYPE;
    if (m.type == NO_TYPE && !file) m.type = type_of_letter(text.ptr[0]);
    if (m.type == NO_TYPE && m.from == SQ_NONE) m.type = PAWN;
    if (m.type == NO_TYPE && pos->board[m.from] != NO_PIECE) m.type = piece_type(pos->board[m.from]);
    return m;
}

/* ---- why not ---- */

static bool reaches(const Position *pos, Square from, Square to)
{
    Color    us       = position_side(pos);
    Bitboard occupied = position_occupied(pos);
    if (piece_type(pos->board[from]) != PAWN) return bb_has(attacks_of(piece_type(pos->board[from]), from, occupied), to);
    int step = us == WHITE ? 8 : -8;
    if (bb_has(attacks_pawn(us, from), to)) return bb_has(pos->colors[color_flip(us)], to) || to == pos->ep_square;
    if (bb_has(occupied, to)) return false;
    return to == from + step ||
           (to == from + 2 * step && square_relative_rank(us, from) == RANK_2 && !bb_has(occupied, from + step));
}

/* What stands in the way of a man that would go there on an empty board; SQ_NONE for nothing. */
static Square obstacle(const Position *pos, Square from, Square to)
{
    PieceType type = piece_type(pos->board[from]);
    int       step = position_side(pos) == WHITE ? 16 : -16;
    bool      goes = type == PAWN ? to == from + step && square_relative_rank(position_side(pos), from) == RANK_2
                                  : bb_has(attacks_of(type, from, 0), to);
    Bitboard  way  = goes ? bb_between(from, to) & position_occupied(pos) : 0;
    return way ? bb_first(way) : SQ_NONE;
}

static bool is_legal(const Position *pos, Square from, Square to)
{
    MoveList legal;
    movegen_legal(pos, &legal);
    for (int i = 0; i < legal.count; i++) {
        if (move_from(legal.moves[i]) == from && move_to(legal.moves[i]) == to) return true;
    }
    return false;
}

/* For a man that reaches the square: it is the king's safety that forbids it, unless only the spelling was wrong. */
static void explain_check(const Position *pos, Square from, Square to, Buf *out)
{
    if (is_legal(pos, from, to)) {
        buf_append(out, STR("that is no way to write this move"));
        return;
    }
    Color    us       = position_side(pos);
    Bitboard checkers = position_checkers(pos);
    if (piece_type(pos->board[from]) == KING) {
        Bitboard without = position_occupied(pos) & ~bb_of(from);
        Bitboard guards  = position_attackers(pos, to, without) & pos->colors[color_flip(us)] & ~bb_of(to);
        append_square(out, to);
        buf_append(out, STR(" is attacked"));
        if (!guards) return;
        buf_printf(out, " by the %s on ", type_names[piece_type(pos->board[bb_first(guards)])]);
        append_square(out, bb_first(guards));
    } else if (checkers) {
        buf_append(out, STR("your king is in check from the "));
        buf_printf(out, "%s on ", type_names[piece_type(pos->board[bb_first(checkers)])]);
        append_square(out, bb_first(checkers));
        buf_append(out, STR(", and that does not help"));
    } else {
        buf_printf(out, "the %s on ", type_names[piece_type(pos->board[from])]);
        append_square(out, from);
        buf_append(out, STR(" is pinned: without it your king would be in check"));
    }
}

static void explain_pawn(const Position *pos, Square from, Square to, Buf *out)
{
    Color us = position_side(pos);
    if (bb_has(attacks_pawn(us, from), to)) {
        buf_append(out, STR("there is nothing to take on "));
        append_square(out, to);
    } else if (square_file(from) == square_file(to) && bb_has(position_occupied(pos), to)) {
        buf_append(out, STR("a pawn does not take straight ahead"));
    } else {
        buf_append(out, STR("the pawn on "));
        append_square(out, from);
        buf_append(out, STR(" cannot go to "));
        append_square(out, to);
    }
}

static void explain_squares(const Position *pos, Square from, Square to, Buf *out)
{
    Color us    = position_side(pos);
    Piece piece = pos->board[from];
    if (piece == NO_PIECE) {
        append_square(out, from);
        buf_append(out, STR(" is empty"));
        return;
    }
    const char *name = type_names[piece_type(piece)];
    if (piece_color(piece) != us) {
        buf_printf(out, "the %s on ", name);
        append_square(out, from);
        buf_printf(out, " is not yours: it is %s's move", side_names[us]);
    } else if (bb_has(pos->colors[us], to) && from != to) {
        buf_printf(out, "your own %s stands on ", type_names[piece_type(pos->board[to])]);
        append_square(out, to);
    } else if (reaches(pos, from, to)) {
        explain_check(pos, from, to, out);
    } else if (obstacle(pos, from, to) != SQ_NONE) {
        buf_printf(out, "the %s's way is barred: something stands on ", name);
        append_square(out, obstacle(pos, from, to));
    } else if (piece_type(piece) == PAWN) {
        explain_pawn(pos, from, to, out);
    } else {
        buf_printf(out, "a %s does not go from ", name);
        append_square(out, from);
        buf_append(out, STR(" to "));
        append_square(out, to);
    }
}

static void explain_castling(const Position *pos, CastleSide side, Buf *out)
{
    Color    us   = position_side(pos);
    Square   rook = position_castle_rook(pos, us, side), king = position_king(pos, us), target = castle_king_target(us, side);
    Bitboard path = (bb_between(king, target) | bb_of(target)) & ~bb_of(king);
    if (rook == SQ_NONE) {
        buf_append(out, STR("you may not castle on that side: king or rook have moved"));
        return;
    }
    Bitboard others = position_occupied(pos) & ~bb_of(king) & ~bb_of(rook);
    Bitboard rook_path =
        bb_between(king, rook) | bb_between(rook, castle_rook_target(us, side)) | bb_of(castle_rook_target(us, side));
    if (position_in_check(pos)) {
        buf_append(out, STR("you cannot castle out of check"));
    } else if ((path | rook_path) & others) {
        buf_append(out, STR("you cannot castle: something stands on "));
        append_square(out, bb_first((path | rook_path) & others));
    } else {
        while (path) {
            Square square = bb_pop(&path);
            if (!(position_attackers(pos, square, position_occupied(pos)) & pos->colors[color_flip(us)])) continue;
            buf_append(out, STR("you cannot castle: the king would go over "));
            append_square(out, square);
            buf_append(out, STR(", which is attacked"));
            return;
        }
        buf_append(out, STR("you cannot castle now"));
    }
}

/* A kind of man and a target: one man that comes near the target is explained, or nobody does. */
static void explain_piece(const Position *pos, PieceType type, Square to, Buf *out)
{
    Bitboard men = position_pieces(pos, position_side(pos), type);
    if (!men) {
        buf_printf(out, "you have no %s", type_names[type]);
        return;
    }
    if (bb_has(pos->colors[position_side(pos)], to)) {
        explain_squares(pos, bb_first(men), to, out);
        return;
    }
    for (Bitboard rest = men; rest;) {
        Square from = bb_pop(&rest);
        if (!reaches(pos, from, to)) continue;
        explain_check(pos, from, to, out);
        return;
    }
    if (bb_more_than_one(men)) {
        buf_printf(out, "none of your %ss can go to ", type_names[type]);
        append_square(out, to);
    } else {
        explain_squares(pos, bb_first(men), to, out);
    }
}

/* ---- what comes near ---- */

typedef struct {
    int  count;
    int  costs[NEAR_MAX];
    Move moves[NEAR_MAX];
} Near;

static void near_add(Near *near, Move move, int cost)
{
    int at = near->count < NEAR_MAX ? near->count++ : NEAR_MAX;
    while (at > 0 && near->costs[at - 1] > cost) {
        if (at < NEAR_MAX) near->costs[at] = near->costs[at - 1], near->moves[at] = near->moves[at - 1];
        at--;
    }
    if (at < NEAR_MAX) near->costs[at] = cost, near->moves[at] = move;
}

static int cost_of(const Position *pos, const Meaning *m, Str text, bool ambiguous, Move move)
{
    char      san[SAN_SIZE];
    Square    marks[2] = {move_from(move), move_to(move)};
    PieceType type     = piece_type(pos->board[marks[0]]);
    Str       spelled  = {san, move_to_san(pos, move, san)};
    if (ambiguous) return marks[1] == m->to && (m->type == NO_TYPE || type == m->type) ? 0 : NEAR_DISTANCE + 1;
    if (m->from != SQ_NONE && marks[0] == m->from) return 0;
    if (m->to != SQ_NONE && marks[1] == m->to) return 1;
    return text_distance(text, spelled, 1) <= 1 ? 1 : NEAR_DISTANCE + 1;
}

static void append_near(const Position *pos, const Meaning *m, Str text, bool ambiguous, Buf *out)
{
    Near     near = {0};
    MoveList legal;
    movegen_legal(pos, &legal);
    for (int i = 0; i < legal.count; i++) {
        int cost = cost_of(pos, m, text, ambiguous, legal.moves[i]);
        if (cost <= NEAR_DISTANCE) near_add(&near, legal.moves[i], cost);
    }
    for (int i = 0; i < near.count; i++) {
        char san[SAN_SIZE];
        move_to_san(pos, near.moves[i], san);
        buf_printf(out, "%s%s", i == 0 ? "; possible: " : ", ", san);
    }
}

/* ---- the whole sentence ---- */

void explain_move(const Position *pos, Str text, bool ambiguous, Err *err)
{
    Meaning m   = meaning_of(pos, text);
    Buf     out = {0};
    if (ambiguous) {
        buf_printf(&out, "%.*s can be several moves", STR_ARGS(text));
    } else if (m.castling) {
        explain_castling(pos, m.side, &out);
    } else if (m.from != SQ_NONE) {
        explain_squares(pos, m.from, m.to, &out);
    } else if (m.to != SQ_NONE) {
        explain_piece(pos, m.type, m.to, &out);
    } else {
        buf_printf(&out, "'%.*s' is no move", STR_ARGS(text));
    }
    append_near(pos, &m, text, ambiguous, &out);
    if (out.data && char_is_lower(out.data[0]) && !(char_is_digit(out.data[1]))) out.data[0] = char_upper(out.data[0]);
    err_set(err, ambiguous ? ERR_AMBIGUOUS : ERR_ILLEGAL_MOVE, 0, "%s", buf_str(&out).ptr);
    buf_release(&out);
}

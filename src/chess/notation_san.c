/* notation_san.c - moves in algebraic notation; see notation.h.
 *
 * Reading works backwards from the target square: the last square named is where the man goes, what stands before it
 * says which man. Only men that reach the target are looked at. Hot in the PGN reader.
 */
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

/* What the text says, before the position is asked. */
typedef struct {
    PieceType  type; /* NO_TYPE: any man (a move such as e2e4) */
    Square     to;
    PieceType  promotion; /* NO_TYPE: none */
    Bitboard   from;      /* the squares that the disambiguation leaves */
    bool       castling;
    CastleSide side;
} San;

static bool is_file(char c) { return c >= 'a' && c <= 'h'; }
static bool is_decoration(char c) { return c == '+' || c == '#' || c == '!' || c == '?'; }
static bool is_ring(char c) { return c == 'O' || c == '0' || c == 'o'; }
static bool is_rank(char c) { return c >= '1' && c <= '8'; }

/* Upper case only: a small b is a file. */
static PieceType type_of_letter(char c)
{
    switch (c) {
    case 'N': return KNIGHT;
    case 'B': return BISHOP;
    case 'R': return ROOK;
    case 'Q': return QUEEN;
    case 'K': return KING;
    case 'P': return PAWN;
    default: return NO_TYPE;
    }
}

/* Drops what may follow a move and says nothing about which move it is. */
static Str strip_decoration(Str text)
{
    for (;;) {
        text = str_trim(text);
        while (text.len && is_decoration(text.ptr[text.len - 1])) text.len--;
        if (str_ends_with(text, STR("e.p."))) {
            text.len -= 4;
        } else if (text.len > 4 && str_ends_with(text, STR("ep"))) {
            text.len -= 2;
        } else {
            return text;
        }
    }
}

/* O-O, 0-0, o-o, OO and the long forms. */
static bool read_castling(Str text, San *san)
{
    if (text.len < 2 || text.len > 5 || !is_ring(text.ptr[0])) return false;
    int rings = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (is_ring(text.ptr[i])) {
            rings++;
        } else if (text.ptr[i] != '-') {
            return false;
        }
    }
    if (rings != 2 && rings != 3) return false;
    san->castling = true;
    san->side     = rings == 2 ? SIDE_SHORT : SIDE_LONG;
    return true;
}

/* Takes "=Q", "Q", "(Q)" or "/Q" (small letters too after a sign) off the end. */
static PieceType take_promotion(Str *text)
{
    size_t len = text->len;
    if (len >= 5 && text->ptr[len - 1] == ')' && text->ptr[len - 3] == '(') len--;
    if (len < 3) return NO_TYPE;
    char last = text->ptr[len - 1], before = text->ptr[len - 2];
    bool sign = before == '=' || before == '(' || before == '/';
    if (!sign && !is_rank(before)) return NO_TYPE;
    PieceType type = type_of_letter(sign || len == 5 ? char_upper(last) : last);
    if (type < KNIGHT || type > QUEEN) return NO_TYPE;
    text->len = len - (sign ? 2 : 1);
    return type;
}

static bool read_san(Str text, San *san)
{
    *san = (San){.type = PAWN, .promotion = NO_TYPE, .from = ~(Bitboard)0};
    if (text.len < 2) return false;
    if (read_castling(text, san)) return true;
    size_t    begin  = 0;
    PieceType letter = type_of_letter(text.ptr[0]);
    if (letter != NO_TYPE) {
        san->type = letter;
        begin     = 1;
    }
    if (!is_rank(text.ptr[text.len - 1])) san->promotion = take_promotion(&text);
    if (text.len < begin + 2) return false;
    san->to = square_from_text((Str){text.ptr + text.len - 2, 2});
    if (san->to == SQ_NONE) return false;

    bool file = false, rank = false;
    for (size_t i = begin; i + 2 < text.len; i++) {
        char c = text.ptr[i];
        if (is_file(c) && !file) {
            san->from &= bb_file(c - 'a');
            file = true;
        } else if (is_rank(c) && !rank) {
            san->from &= bb_rank(c - '1');
            rank = true;
        } else if (c != 'x' && c != '-' && c != ':') {
            return false;
        }
    }
    if (letter == NO_TYPE && file && rank) san->type = NO_TYPE; /* e2e4, g1f3: whatever stands there */
    return true;
}

/* The men of that type that reach the target if kings did not matter. */
static Bitboard candidates(const Position *pos, const San *san)
{
    Color    us   = position_side(pos);
    Bitboard ours = pos->colors[us] & san->from;
    if (san->type != PAWN) return ours & pos->types[san->type] & attacks_of(san->type, san->to, position_occupied(pos));
    ours &= pos->types[PAWN];
    if (pos->board[san->to] != NO_PIECE || san->to == pos->ep_square) {
        Bitboard takers = ours & attacks_pawn(color_flip(us), san->to);
        if (takers || pos->board[san->to] != NO_PIECE) {
            /* "e4" never means a capture: without a file the pawn goes straight. */
            if (san->from != ~(Bitboard)0) return takers;
            if (pos->board[san->to] != NO_PIECE) return 0;
        }
    }
    int    back = us == WHITE ? -8 : 8;
    Square one  = san->to + back;
    if (one < A1 || one > H8) return 0;
    if (pos->board[one] != NO_PIECE) return ours & bb_of(one);
    return square_relative_rank(us, san->to) == RANK_4 ? ours & bb_of(one + back) : 0;
}

static Move build_move(const Position *pos, const San *san, Square from)
{
    if (san->promotion != NO_TYPE) return move_make_promotion(from, san->to, san->promotion);
    bool takes_ep = san->type == PAWN && san->to == pos->ep_square && square_file(from) != square_file(san->to);
    return takes_ep ? move_make_special(from, san->to, MOVE_EN_PASSANT) : move_make(from, san->to);
}

static bool find_castling(const Position *pos, const San *san, Str text, Move *out, Err *err)
{
    Color     us   = position_side(pos);
    Square    rook = position_castle_rook(pos, us, san->side);
    KingState king = movegen_king_state(pos);
    if (rook != SQ_NONE) {
        Move move = move_make_special(position_king(pos, us), rook, MOVE_CASTLING);
        if (movegen_is_legal(pos, &king, move)) {
            *out = move;
            return true;
        }
    }
    return err_set(err, ERR_ILLEGAL_MOVE, 0, "'%.*s': castling is not legal here", STR_ARGS(text));
}

/* No legal move fits, or several do: the sentence says which, and a forgotten promotion by name. */
static bool fail_san(const San *san, Str text, int fitting, Err *err)
{
    if (fitting > 1) return err_set(err, ERR_AMBIGUOUS, 0, "'%.*s' is ambiguous: %d legal moves fit", STR_ARGS(text), fitting);
    bool last_rank = square_rank(san->to) == RANK_8 || square_rank(san->to) == RANK_1;
    if (san->type == PAWN && san->promotion == NO_TYPE && last_rank)
        return err_set(err, ERR_ILLEGAL_MOVE, 0, "'%.*s' does not say to which piece the pawn promotes", STR_ARGS(text));
    return err_set(err, ERR_ILLEGAL_MOVE, 0, "'%.*s' is not a legal move here", STR_ARGS(text));
}

bool move_from_san(const Position *pos, Str text, Move *out, Err *err)
{
    Str full  = text;
    full.len  = full.len < 40 ? full.len : 40;
    Str plain = strip_decoration(text);
    San san;
    if (!read_san(plain, &san)) return err_set(err, ERR_SYNTAX, 0, "'%.*s' is not a move", STR_ARGS(full));
    if (san.castling) return find_castling(pos, &san, full, out, err);
    if (san.type == NO_TYPE) { /* both squares are given: pawn or piece, as in UCI or long algebraic without a letter */
        char   uci[UCI_MOVE_SIZE];
        Square from = bb_first(san.from);
        Move   move = san.promotion != NO_TYPE ? move_make_promotion(from, san.to, san.promotion) : move_make(from, san.to);
        size_t len  = move_to_uci(pos, move, uci);
        if (move_from_uci(pos, (Str){uci, len}, out, NULL)) return true;
        return err_set(err, ERR_ILLEGAL_MOVE, 0, "'%.*s' is not a legal move here", STR_ARGS(full));
    }
    KingState king    = movegen_king_state(pos);
    Bitboard  men     = candidates(pos, &san);
    Move      found   = MOVE_NONE;
    int       fitting = 0;
    while (men) {
        Move move = build_move(pos, &san, bb_pop(&men));
        if (!movegen_is_legal(pos, &king, move)) continue;
        found = move;
        fitting++;
    }
    if (fitting != 1) return fail_san(&san, full, fitting, err);
    *out = found;
    return true;
}

/* ---- writing ---- */

/* File if that is enough, else rank, else both: the order of the standard. */
static char *write_origin(const Position *pos, Move move, char *out)
{
    Square    from = move_from(move), to = move_to(move);
    PieceType type = piece_type(pos->board[from]);
    KingState king = movegen_king_state(pos);
    Bitboard  others =
        position_pieces(pos, position_side(pos), type) & attacks_of(type, to, position_occupied(pos)) & ~bb_of(from);
    Bitboard rivals = 0;
    while (others) {
        Square other = bb_pop(&others);
        if (movegen_is_legal(pos, &king, move_make(other, to))) rivals |= bb_of(other);
    }
    if (!rivals) return out;
    bool same_file = rivals & bb_file(square_file(from)), same_rank = rivals & bb_rank(square_rank(from));
    if (!same_file || same_rank) *out++ = file_letter(square_file(from));
    if (same_file) *out++ = rank_digit(square_rank(from));
    return out;
}

static char *write_san_body(const Position *pos, Move move, char *out)
{
    Square    from = move_from(move), to = move_to(move);
    PieceType type    = piece_type(pos->board[from]);
    bool      capture = position_captured(pos, move) != NO_PIECE;
    if (move_kind(move) == MOVE_CASTLING) {
        const char *text = castle_side_of(move) == SIDE_SHORT ? "O-O" : "O-O-O";
        while (*text) *out++ = *text++;
        return out;
    }
    if (type == PAWN) {
        if (capture) *out++ = file_letter(square_file(from));
    } else {
        *out++ = piece_letter(piece_of(WHITE, type));
        if (type != KING) out = write_origin(pos, move, out);
    }
    if (capture) *out++ = 'x';
    *out++ = file_letter(square_file(to));
    *out++ = rank_digit(square_rank(to));
    if (move_kind(move) == MOVE_PROMOTION) {
        *out++ = '=';
        *out++ = piece_letter(piece_of(WHITE, move_promotion(move)));
    }
    return out;
}

size_t move_to_san(const Position *pos, Move move, char out[SAN_SIZE])
{
    if (move == MOVE_NONE) {
        memcpy(out, "--", 3);
        return 2;
    }
    char    *end = write_san_body(pos, move, out);
    Position next;
    position_play(pos, move, &next);
    if (position_in_check(&next)) *end++ = movegen_has_legal_move(&next) ? '+' : '#';
    *end = '\0';
    return (size_t)(end - out);
}

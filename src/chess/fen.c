/* fen.c - see fen.h. Not hot: readers of games use it once a game. */
#include "chess/fen.h"

#include <inttypes.h>
#include <stdio.h>

#include "chess/movegen.h"

const char *fault_text(Fault fault)
{
    switch (fault) {
    case FAULT_SYNTAX: return "the text is not a FEN";
    case FAULT_NO_WHITE_KING: return "White has no king";
    case FAULT_NO_BLACK_KING: return "Black has no king";
    case FAULT_MANY_WHITE_KINGS: return "White has more than one king";
    case FAULT_MANY_BLACK_KINGS: return "Black has more than one king";
    case FAULT_MANY_WHITE_PAWNS: return "White has more than eight pawns";
    case FAULT_MANY_BLACK_PAWNS: return "Black has more than eight pawns";
    case FAULT_MANY_WHITE_MEN: return "White has more than sixteen men";
    case FAULT_MANY_BLACK_MEN: return "Black has more than sixteen men";
    case FAULT_PAWN_ON_LAST_RANK: return "a pawn stands on the first or the last rank";
    case FAULT_KING_CAPTURABLE: return "the side to move could capture the king";
    case FAULT_MANY_CHECKERS: return "more than two men give check";
    case FAULT_CASTLING: return "a castling right without king and rook in place is ignored";
    case FAULT_EN_PASSANT: return "an impossible en passant square is ignored";
    case FAULT_COUNTERS: return "a move counter is out of range and was limited";
    case FAULTS: break;
    }
    return "unknown fault";
}

char piece_letter(Piece piece) { return piece < PIECES ? "PNBRQK..pnbrqk.."[piece] : '.'; }

Piece piece_from_letter(char letter)
{
    for (int piece = W_PAWN; piece < PIECES; piece++) {
        if (letter != '.' && piece_letter((Piece)piece) == letter) return (Piece)piece;
    }
    return NO_PIECE;
}

Square square_from_text(Str text)
{
    if (text.len != 2 || text.ptr[0] < 'a' || text.ptr[0] > 'h' || text.ptr[1] < '1' || text.ptr[1] > '8') return SQ_NONE;
    return square_of(text.ptr[0] - 'a', text.ptr[1] - '1');
}

/* ---- faults that the board shows ---- */

static FaultSet men_faults(const Position *pos, Color color)
{
    Fault    no_king    = color == WHITE ? FAULT_NO_WHITE_KING : FAULT_NO_BLACK_KING;
    Fault    many_kings = color == WHITE ? FAULT_MANY_WHITE_KINGS : FAULT_MANY_BLACK_KINGS;
    Fault    many_pawns = color == WHITE ? FAULT_MANY_WHITE_PAWNS : FAULT_MANY_BLACK_PAWNS;
    Fault    many_men   = color == WHITE ? FAULT_MANY_WHITE_MEN : FAULT_MANY_BLACK_MEN;
    int      kings      = bb_count(position_pieces(pos, color, KING));
    FaultSet set        = 0;
    if (kings == 0) set |= fault_bit(no_king);
    if (kings > 1) set |= fault_bit(many_kings);
    if (bb_count(position_pieces(pos, color, PAWN)) > 8) set |= fault_bit(many_pawns);
    if (bb_count(pos->colors[color]) > 16) set |= fault_bit(many_men);
    return set;
}

/* A castling rook must be a rook of the side whose back rank it stands on, with that side's king between the corners. */
static bool castling_is_possible(const Position *pos)
{
    for (Bitboard rooks = pos->castle_rooks; rooks;) {
        Square rook  = bb_pop(&rooks);
        Color  color = square_rank(rook) == RANK_1 ? WHITE : BLACK;
        if (pos->board[rook] != piece_of(color, ROOK)) return false;
        if (square_relative_rank(color, rook) != RANK_1) return false;
        if (square_rank(position_king(pos, color)) != square_rank(rook)) return false;
    }
    return true;
}

/* The pawn stands in front of the square, and the squares it came over are empty. */
static bool ep_is_possible(const Position *pos, Square target)
{
    Color us = position_side(pos);
    if (square_relative_rank(us, target) != RANK_6) return false;
    Square pawn = target ^ 8, origin = us == WHITE ? target + 8 : target - 8;
    return pos->board[pawn] == piece_of(color_flip(us), PAWN) && pos->board[target] == NO_PIECE && pos->board[origin] == NO_PIECE;
}

FaultSet position_faults(const Position *pos)
{
    FaultSet set = men_faults(pos, WHITE) | men_faults(pos, BLACK);
    if (pos->types[PAWN] & (BB_RANK_1 | BB_RANK_8)) set |= fault_bit(FAULT_PAWN_ON_LAST_RANK);
    if (pos->types[KING] == 0 || bb_count(pos->types[KING]) != 2 ||
        set & (fault_bit(FAULT_NO_WHITE_KING) | fault_bit(FAULT_NO_BLACK_KING)))
        return set; /* without two kings there is nothing to say about checks */
    Color    us = position_side(pos), them = color_flip(us);
    Bitboard occupied = position_occupied(pos);
    if (position_attackers(pos, position_king(pos, them), occupied) & pos->colors[us]) set |= fault_bit(FAULT_KING_CAPTURABLE);
    if (bb_count(position_checkers(pos)) > 2) set |= fault_bit(FAULT_MANY_CHECKERS);
    if (!castling_is_possible(pos)) set |= fault_bit(FAULT_CASTLING);
    if (pos->ep_square != SQ_NONE && !ep_is_possible(pos, pos->ep_square)) set |= fault_bit(FAULT_EN_PASSANT);
    return set;
}

/* ---- reading ---- */

typedef struct {
    Str       text;
    Str       rest;
    Position  pos;
    FenReport report;
    size_t    man_offset[SQUARES]; /* where each man's letter stands in the text */
    size_t    board_offset, side_offset;
    Err      *err;
} FenReader;

/* The next field of `*rest`: it ends at a space, or at the semicolon with which some EPD files close it. */
static Str next_field(Str *rest)
{
    Str    after = *rest, token = str_next_token(&after);
    size_t len = 0;
    while (len < token.len && token.ptr[len] != ';') len++;
    *rest = str_skip(*rest, (size_t)(token.ptr - rest->ptr) + len);
    return (Str){token.ptr, len};
}

static size_t offset_of(const FenReader *r, Str part) { return (size_t)(part.ptr - r->text.ptr); }

static void note_fault(FenReader *r, Fault fault, size_t offset)
{
    if (!(r->report.faults & fault_bit(fault))) r->report.offsets[fault] = offset;
    r->report.faults |= fault_bit(fault);
}

/* A broken text: nothing more can be learned from it. */
static bool syntax(FenReader *r, size_t offset, const char *what)
{
    note_fault(r, FAULT_SYNTAX, offset);
    return err_set(r->err, ERR_SYNTAX, offset, "%s", what);
}

static bool read_board(FenReader *r)
{
    Str field       = next_field(&r->rest);
    r->board_offset = offset_of(r, field);
    if (field.len == 0) return syntax(r, r->board_offset, "the FEN is empty");
    int rank = RANK_8, file = FILE_A;
    for (size_t i = 0; i < field.len; i++) {
        size_t at = r->board_offset + i;
        char   c  = field.ptr[i];
        if (c == '/') {
            if (file != FILES) return syntax(r, at, "a rank of the board has fewer than eight squares");
            if (rank == RANK_1) return syntax(r, at, "the board has more than eight ranks");
            rank--;
            file = FILE_A;
        } else if (c >= '1' && c <= '8') {
            file += c - '0';
        } else {
            Piece piece = piece_from_letter(c);
            if (piece == NO_PIECE) return syntax(r, at, "a letter on the board is no piece");
            if (file < FILES) {
                Square square         = square_of(file, rank);
                r->man_offset[square] = at;
                position_put(&r->pos, square, piece);
            }
            file++;
        }
        if (file > FILES) return syntax(r, at, "a rank of the board has more than eight squares");
    }
    if (rank != RANK_1) return syntax(r, r->board_offset + field.len, "the board has fewer than eight ranks");
    if (file != FILES) return syntax(r, r->board_offset + field.len, "a rank of the board has fewer than eight squares");
    return true;
}

static bool read_side(FenReader *r)
{
    Str field      = next_field(&r->rest);
    r->side_offset = offset_of(r, field);
    if (field.len == 0) return syntax(r, r->side_offset, "the side to move is missing (w or b)");
    if (field.len != 1 || (field.ptr[0] != 'w' && field.ptr[0] != 'b'))
        return syntax(r, r->side_offset, "the side to move must be w or b");
    r->pos.side = field.ptr[0] == 'w' ? WHITE : BLACK;
    return true;
}

/* The rook that a letter means: K and Q the outermost one on that side of the king, A-H the one on that file. */
static Square castling_rook(const Position *pos, char letter)
{
    Color    color = char_is_upper(letter) ? WHITE : BLACK;
    char     upper = char_upper(letter);
    Bitboard kings = position_pieces(pos, color, KING) & (color == WHITE ? BB_RANK_1 : BB_RANK_8);
    Bitboard rooks = position_pieces(pos, color, ROOK) & (color == WHITE ? BB_RANK_1 : BB_RANK_8);
    if (bb_count(kings) != 1) return SQ_NONE;
    if (upper == 'K') {
        rooks &= ~(kings - 1);
        return rooks ? bb_last(rooks) : SQ_NONE;
    }
    if (upper == 'Q') {
        rooks &= kings - 1;
        return rooks ? bb_first(rooks) : SQ_NONE;
    }
    if (upper < 'A' || upper > 'H') return SQ_NONE;
    rooks &= bb_file(upper - 'A');
    return rooks ? bb_first(rooks) : SQ_NONE;
}

/* One right a side: a second letter for the same side replaces the first, which no sane text does. */
static void add_castling_rook(Position *pos, Square rook)
{
    Color    color    = square_rank(rook) == RANK_1 ? WHITE : BLACK;
    Bitboard below    = position_pieces(pos, color, KING) - 1;
    Bitboard rank     = color == WHITE ? BB_RANK_1 : BB_RANK_8;
    Bitboard side     = bb_of(rook) & below ? below & rank : rank & ~below;
    pos->castle_rooks = (pos->castle_rooks & ~side) | bb_of(rook);
}

static bool read_castling(FenReader *r)
{
    Str    field  = next_field(&r->rest);
    size_t offset = offset_of(r, field);
    if (field.len == 0) return syntax(r, offset, "the castling rights are missing (KQkq or -)");
    if (str_equal(field, STR("-"))) return true;
    for (size_t i = 0; i < field.len; i++) {
        char upper = char_upper(field.ptr[i]);
        bool named = upper >= 'A' && upper <= 'H';
        if (!named && upper != 'K' && upper != 'Q')
            return syntax(r, offset + i, "castling rights are written KQkq, as files A-H a-h, or -");
        Square rook = castling_rook(&r->pos, field.ptr[i]);
        if (rook == SQ_NONE) {
            note_fault(r, FAULT_CASTLING, offset + i);
            continue;
        }
        add_castling_rook(&r->pos, rook);
        Square king    = position_king(&r->pos, square_rank(rook) == RANK_1 ? WHITE : BLACK);
        bool   classic = square_file(king) == FILE_E && (square_file(rook) == FILE_A || square_file(rook) == FILE_H);
        if (named || !classic) r->pos.chess960 = true;
    }
    return true;
}

static bool read_en_passant(FenReader *r)
{
    Str    field  = next_field(&r->rest);
    size_t offset = offset_of(r, field);
    if (field.len == 0) return syntax(r, offset, "the en passant square is missing (a square or -)");
    if (str_equal(field, STR("-"))) return true;
    Square target = square_from_text(field);
    if (target == SQ_NONE) return syntax(r, offset, "the en passant field must be a square or -");
    if (ep_is_possible(&r->pos, target)) {
        r->pos.ep_square = (uint8_t)target; /* kept for now: whether a capture is legal is decided when all else is known */
    } else {
        note_fault(r, FAULT_EN_PASSANT, offset);
    }
    return true;
}

static bool looks_like_number(Str token)
{
    Str digits = token.len && (token.ptr[0] == '-' || token.ptr[0] == '+') ? str_skip(token, 1) : token;
    for (size_t i = 0; i < digits.len; i++) {
        if (!char_is_digit(digits.ptr[i])) return false;
    }
    return digits.len > 0;
}

/* A counter between low and high; beyond, it is limited and the fault noted. */
static uint32_t read_counter(FenReader *r, Str token, uint32_t low, uint32_t high)
{
    int64_t value;
    bool    fits = str_to_i64(token, &value);
    if (!fits) value = token.ptr[0] == '-' ? INT64_MIN : INT64_MAX;
    if (value < low || value > high) note_fault(r, FAULT_COUNTERS, offset_of(r, token));
    return value < low ? low : value > high ? high : (uint32_t)value;
}

static void read_counters(FenReader *r)
{
    Str rest  = r->rest;
    Str token = next_field(&rest);
    if (!looks_like_number(token)) return;
    r->pos.halfmove = (uint16_t)read_counter(r, token, 0, UINT16_MAX);
    r->rest         = rest;
    token           = next_field(&rest);
    if (!looks_like_number(token)) return;
    r->pos.fullmove = read_counter(r, token, 1, UINT32_MAX);
    r->rest         = rest;
}

/* The place of a fault that the board shows: the offending man where one can be named. */
static size_t fault_offset(const FenReader *r, Fault fault)
{
    Bitboard men = 0;
    switch (fault) {
    case FAULT_MANY_WHITE_KINGS: men = position_pieces(&r->pos, WHITE, KING); break;
    case FAULT_MANY_BLACK_KINGS: men = position_pieces(&r->pos, BLACK, KING); break;
    case FAULT_PAWN_ON_LAST_RANK: men = r->pos.types[PAWN] & (BB_RANK_1 | BB_RANK_8); break;
    case FAULT_KING_CAPTURABLE:
    case FAULT_MANY_CHECKERS: return r->side_offset;
    default: break;
    }
    return men ? r->man_offset[bb_first(men)] : r->board_offset;
}

static bool check_position(FenReader *r)
{
    FaultSet set = position_faults(&r->pos);
    for (Fault fault = FAULT_SYNTAX; fault < FAULTS; fault++) {
        if (set & fault_bit(fault)) note_fault(r, fault, fault_offset(r, fault));
    }
    for (Fault fault = FAULT_SYNTAX; fault < FAULTS_FATAL; fault++) {
        if (set & fault_bit(fault)) return err_set(r->err, ERR_POSITION, r->report.offsets[fault], "%s", fault_text(fault));
    }
    return true;
}

bool position_from_fen_prefix(Str text, Position *out, Str *rest, FenReport *report, Err *err)
{
    FenReader r = {.text = text, .rest = text, .err = err};
    position_clear(&r.pos);
    bool ok = read_board(&r) && read_side(&r) && read_castling(&r) && read_en_passant(&r);
    if (ok) {
        read_counters(&r);
        ok = check_position(&r);
    }
    if (report) *report = r.report;
    if (!ok) return false;
    if (r.pos.ep_square != SQ_NONE && !position_ep_is_legal(&r.pos, r.pos.ep_square)) r.pos.ep_square = SQ_NONE;
    position_compute_keys(&r.pos);
    *out  = r.pos;
    *rest = r.rest;
    return true;
}

bool position_from_fen(Str text, Position *out, FenReport *report, Err *err)
{
    Position pos;
    Str      rest;
    if (!position_from_fen_prefix(text, &pos, &rest, report, err)) return false;
    Str extra = str_next_token(&rest);
    if (extra.len) {
        size_t offset = (size_t)(extra.ptr - text.ptr);
        if (report) *report = (FenReport){.faults = fault_bit(FAULT_SYNTAX), .offsets = {[FAULT_SYNTAX] = offset}};
        return err_set(err, ERR_SYNTAX, offset, "'%.*s' follows the FEN", (int)(extra.len < 40 ? extra.len : 40), extra.ptr);
    }
    *out = pos;
    return true;
}

/* ---- writing ---- */

static char *write_board(const Position *pos, char *out)
{
    for (int rank = RANK_8; rank >= RANK_1; rank--) {
        int empty = 0;
        for (int file = FILE_A; file <= FILE_H; file++) {
            Piece piece = pos->board[square_of(file, rank)];
            if (piece == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty) *out++ = (char)('0' + empty);
            empty  = 0;
            *out++ = piece_letter(piece);
        }
        if (empty) *out++ = (char)('0' + empty);
        if (rank != RANK_1) *out++ = '/';
    }
    return out;
}

static char *write_castling(const Position *pos, char *out)
{
    const char *start = out;
    for (Color color = WHITE; color <= BLACK; color++) {
        for (CastleSide side = SIDE_SHORT; side <= SIDE_LONG; side++) {
            Square rook = position_castle_rook(pos, color, side);
            if (rook == SQ_NONE) continue;
            char letter = pos->chess960 ? char_upper(file_letter(square_file(rook))) : side == SIDE_SHORT ? 'K' : 'Q';
            *out++      = color == WHITE ? letter : char_lower(letter);
        }
    }
    if (out == start) *out++ = '-';
    return out;
}

size_t position_to_fen(const Position *pos, char out[FEN_SIZE])
{
    char *end = write_board(pos, out);
    *end++    = ' ';
    *end++    = pos->side == WHITE ? 'w' : 'b';
    *end++    = ' ';
    end       = write_castling(pos, end);
    *end++    = ' ';
    if (pos->ep_square == SQ_NONE) {
        *end++ = '-';
    } else {
        *end++ = file_letter(square_file(pos->ep_square));
        *end++ = rank_digit(square_rank(pos->ep_square));
    }
    int used = snprintf(end, FEN_SIZE - (size_t)(end - out), " %d %" PRIu32, pos->halfmove, pos->fullmove);
    return (size_t)(end - out) + (size_t)used;
}

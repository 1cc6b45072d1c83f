/* mailbox.c - see mailbox.h. */
#include "support/mailbox.h"

#include <string.h>

static const int KNIGHT_STEPS[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

/* The first four are a rook's, the last four a bishop's. */
static const int RAYS[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

static bool is_white(char man) { return man >= 'A' && man <= 'Z'; }
static bool is_black(char man) { return man >= 'a' && man <= 'z'; }
static char lower(char man) { return is_white(man) ? (char)(man - 'A' + 'a') : man; }
static char colored(bool white, char letter) { return white ? (char)(letter - 'a' + 'A') : letter; }
/* Either number outside 0..7 sets a bit above the third. */
static bool inside(int file, int rank) { return ((file | rank) & ~7) == 0; }

void mailbox_init(Mailbox *box, const Position *pos)
{
    *box = (Mailbox){.white = pos->side == WHITE, .ep = pos->ep_square == SQ_NONE ? -1 : pos->ep_square};
    for (int square = 0; square < 64; square++) {
        box->board[square] = "PNBRQK..pnbrqk.."[pos->board[square]];
        if (box->board[square] == 'K') box->king[0] = square;
        if (box->board[square] == 'k') box->king[1] = square;
    }
    memset(box->castle, -1, sizeof box->castle);
    for (int square = 0; square < 64; square++) {
        if (!(pos->castle_rooks >> square & 1)) continue;
        int black                                     = square >= 32;
        box->castle[black][square < box->king[black]] = square;
    }
    box->halfmove = pos->halfmove;
    box->fullmove = pos->fullmove;
}

/* Whether the side `by_white` attacks the square: look outwards from it in every way a man could come. */
static bool attacked(const Mailbox *box, int square, bool by_white)
{
    int file = square % 8, rank = square / 8;
    for (int i = 0; i < 8; i++) {
        int f = file + KNIGHT_STEPS[i][0], r = rank + KNIGHT_STEPS[i][1];
        if (inside(f, r) && box->board[r * 8 + f] == colored(by_white, 'n')) return true;
    }
    int pawn_rank = by_white ? rank - 1 : rank + 1;
    for (int side = -1; side <= 1; side += 2) {
        if (inside(file + side, pawn_rank) && box->board[pawn_rank * 8 + file + side] == colored(by_white, 'p')) return true;
    }
    for (int i = 0; i < 8; i++) {
        int f = file + RAYS[i][0], r = rank + RAYS[i][1];
        for (int steps = 1; inside(f, r); steps++, f += RAYS[i][0], r += RAYS[i][1]) {
            char man = box->board[r * 8 + f];
            if (man == '.') continue;
            if (is_white(man) != by_white) break;
            char kind = lower(man);
            if (kind == 'q' || kind == (i < 4 ? 'r' : 'b') || (kind == 'k' && steps == 1)) return true;
            break;
        }
    }
    return false;
}

bool mailbox_in_check(const Mailbox *box) { return attacked(box, box->king[!box->white], !box->white); }

static bool is_own(const Mailbox *box, char man) { return box->white ? is_white(man) : is_black(man); }
static bool is_enemy(const Mailbox *box, char man) { return box->white ? is_black(man) : is_white(man); }

/* Adds the move when the own king is safe after it: made on a scratch board, looked at, and forgotten. */
static void try_move(const Mailbox *box, Mailbox *scratch, MoveList *list, Move move)
{
    int  from = move & 63, to = move >> 6 & 63, king = box->king[!box->white];
    int  victim = move >> 14 == MOVE_EN_PASSANT ? (box->white ? to - 8 : to + 8) : to;
    char taken  = scratch->board[victim];
    char mover  = scratch->board[from];

    scratch->board[victim] = '.';
    scratch->board[from]   = '.';
    scratch->board[to]     = mover;
    bool safe              = !attacked(scratch, from == king ? to : king, !box->white);
    scratch->board[to]     = '.';
    scratch->board[from]   = mover;
    scratch->board[victim] = taken;
    if (safe) list->moves[list->count++] = move;
}

/* One way of a pawn to one square: one move, or four when it promotes. */
static void try_pawn(const Mailbox *box, Mailbox *scratch, MoveList *list, int from, int to)
{
    if (to / 8 != 0 && to / 8 != 7) {
        try_move(box, scratch, list, move_make(from, to));
        return;
    }
    for (int type = KNIGHT; type <= QUEEN; type++) try_move(box, scratch, list, move_make_promotion(from, to, (PieceType)type));
}

static void pawn_moves(const Mailbox *box, Mailbox *scratch, MoveList *list, int from)
{
    int up = box->white ? 8 : -8, start_rank = box->white ? 1 : 6;
    if (box->board[from + up] == '.') {
        try_pawn(box, scratch, list, from, from + up);
        if (from / 8 == start_rank && box->board[from + 2 * up] == '.') try_pawn(box, scratch, list, from, from + 2 * up);
    }
    for (int side = -1; side <= 1; side += 2) {
        int to = from + up + side;
        if (!inside(from % 8 + side, to / 8)) continue;
        if (is_enemy(box, box->board[to])) try_pawn(box, scratch, list, from, to);
        if (to == box->ep) try_move(box, scratch, list, move_make_special(from, to, MOVE_EN_PASSANT));
    }
}

/* Steps of a king or knight, or rides of the others. */
static void piece_moves(const Mailbox *box, Mailbox *scratch, MoveList *list, int from, char kind)
{
    const int(*steps)[2] = kind == 'n' ? KNIGHT_STEPS : RAYS;
    int  first = kind == 'b' ? 4 : 0, last = kind == 'r' ? 4 : 8;
    bool rides = kind != 'n' && kind != 'k';
    for (int i = first; i < last; i++) {
        int f = from % 8 + steps[i][0], r = from / 8 + steps[i][1];
        for (; inside(f, r); f += steps[i][0], r += steps[i][1]) {
            char man = box->board[r * 8 + f];
            if (is_own(box, man)) break;
            try_move(box, scratch, list, move_make(from, r * 8 + f));
            if (man != '.' || !rides) break;
        }
    }
}

/* All squares from `a` to `b`, both included, are empty or hold king or rook of this castling. */
static bool way_is_free(const Mailbox *box, int a, int b, int king, int rook)
{
    for (int square = a < b ? a : b; square <= (a < b ? b : a); square++) {
        if (box->board[square] != '.' && square != king && square != rook) return false;
    }
    return true;
}

static void castling_moves(const Mailbox *box, MoveList *list)
{
    int king = box->king[!box->white], home = box->white ? 0 : 56;
    for (int is_long = 0; is_long <= 1; is_long++) {
        int rook = box->castle[!box->white][is_long];
        if (rook < 0) continue;
        int king_to = home + (is_long ? 2 : 6), rook_to = home + (is_long ? 3 : 5);
        if (!way_is_free(box, king, king_to, king, rook) || !way_is_free(box, rook, rook_to, king, rook)) continue;
        bool safe = true;
        for (int square = king; safe; square += king_to > king ? 1 : -1) { /* the king walks alone, the rook still at home */
            Mailbox walk       = *box;
            walk.board[king]   = '.';
            char on            = walk.board[square];
            walk.board[square] = colored(box->white, 'k');
            safe               = (on != '.' && square != rook) ? false : !attacked(&walk, square, !box->white);
            if (square == king_to) break;
        }
        Mailbox after        = *box; /* and both on their new squares: in Chess960 the rook may have been a shield */
        after.board[king]    = '.';
        after.board[rook]    = '.';
        after.board[king_to] = colored(box->white, 'k');
        after.board[rook_to] = colored(box->white, 'r');
        if (safe && !attacked(&after, king_to, !box->white))
            list->moves[list->count++] = move_make_special(king, rook, MOVE_CASTLING);
    }
}

void mailbox_legal(const Mailbox *box, MoveList *list)
{
    Mailbox scratch = *box;
    list->count     = 0;
    for (int from = 0; from < 64; from++) {
        char man = box->board[from];
        if (!is_own(box, man)) continue;
        if (lower(man) == 'p') {
            pawn_moves(box, &scratch, list, from);
        } else {
            piece_moves(box, &scratch, list, from, lower(man));
        }
    }
    castling_moves(box, list);
}

bool mailbox_has_ep_capture(const Mailbox *box)
{
    MoveList list;
    mailbox_legal(box, &list);
    for (int i = 0; i < list.count; i++) {
        if (move_kind(list.moves[i]) == MOVE_EN_PASSANT) return true;
    }
    return false;
}

/* Rights end when king or rook moves, and when the rook is taken. */
static void drop_rights(Mailbox *box, int square)
{
    for (int black = 0; black <= 1; black++) {
        for (int is_long = 0; is_long <= 1; is_long++) {
            if (box->castle[black][is_long] == square || box->king[black] == square) box->castle[black][is_long] = -1;
        }
    }
}

static void play_castling(Mailbox *box, int king, int rook)
{
    int home = box->white ? 0 : 56, is_long = rook < king;
    box->board[king] = box->board[rook]  = '.';
    box->king[!box->white]               = home + (is_long ? 2 : 6);
    box->board[box->king[!box->white]]   = colored(box->white, 'k');
    box->board[home + (is_long ? 3 : 5)] = colored(box->white, 'r');
}

void mailbox_play(Mailbox *box, Move move)
{
    int  from = move & 63, to = move >> 6 & 63, kind = move >> 14;
    char man    = box->board[from];
    bool castle = kind == MOVE_CASTLING, pawn = lower(man) == 'p';
    bool zeroes = pawn || (!castle && box->board[to] != '.');

    drop_rights(box, from);
    if (!castle) drop_rights(box, to);
    if (castle) {
        play_castling(box, from, to);
    } else {
        box->board[from] = '.';
        box->board[to]   = kind == MOVE_PROMOTION ? colored(box->white, "nbrq"[move >> 12 & 3]) : man;
        if (kind == MOVE_EN_PASSANT) box->board[box->white ? to - 8 : to + 8] = '.';
        if (lower(man) == 'k') box->king[!box->white] = to;
    }
    box->ep       = pawn && (to - from == 16 || from - to == 16) ? (from + to) / 2 : -1;
    box->halfmove = zeroes ? 0 : box->halfmove + 1;
    box->fullmove += !box->white;
    box->white = !box->white;
}

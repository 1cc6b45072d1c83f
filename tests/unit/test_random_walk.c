/* test_random_walk.c - millions of random moves, each position compared with the plain rules of tests/support/mailbox.c.
 *
 * Seeded: the same games on every machine. Whatever fails is shown with the FEN and the move that led there.
 */
#include "support/testing.h"

#include <stdio.h>

#include "base/rng.h"
#include "chess/checks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "support/mailbox.h"

enum {
    PLIES         = TESTS_SANITIZED ? 20000 : 700000, /* of each walk */
    PLIES_OF_GAME = 160,
    TEXT_EVERY    = 16,   /* every move of the position goes through SAN and UCI */
    SIXTEEN_EVERY = 4096, /* all 65536 values are asked whether they are legal */
    RANDOM_BITS   = 4     /* and so many random ones at the others */
};

typedef struct {
    Position pos;
    Mailbox  box;
    MoveList list;
    Rng      rng;
    uint64_t ply;
    uint8_t  listed[65536 / 8]; /* a bit for every move of `list` */
} Walk;

static void __attribute__((format(printf, 2, 3))) fail_walk(const Walk *walk, const char *format, ...)
{
    char    fen[FEN_SIZE], what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    position_to_fen(&walk->pos, fen);
    fail_msg("ply %ju: %s: %s", (uintmax_t)walk->ply, what, fen);
}

static bool is_listed(const Walk *walk, Move move) { return walk->listed[move / 8] >> move % 8 & 1; }

/* The legal moves as a set, so that other lists can be compared with it. */
static void list_moves(Walk *walk)
{
    movegen_legal(&walk->pos, &walk->list);
    for (int i = 0; i < walk->list.count; i++) {
        Move move = walk->list.moves[i];
        if (is_listed(walk, move)) fail_walk(walk, "the move %04x is listed twice", move);
        walk->listed[move / 8] |= (uint8_t)(1 << move % 8);
    }
}

static void forget_moves(Walk *walk)
{
    for (int i = 0; i < walk->list.count; i++) walk->listed[walk->list.moves[i] / 8] = 0;
}

/* Everything the mailbox knows must be what the position knows. */
static void check_state(const Walk *walk)
{
    const Position *pos          = &walk->pos;
    const Mailbox  *box          = &walk->box;
    Bitboard        sets[PIECES] = {0}, rooks = 0;
    for (Square square = A1; square <= H8; square++) {
        if (piece_letter(pos->board[square]) != box->board[square]) fail_walk(walk, "the men on square %d differ", square);
        sets[pos->board[square]] |= bb_of(square);
    }
    for (Piece piece = 0; piece < PIECES; piece++) {
        if (piece_type(piece) >= PIECE_TYPES) continue;
        if (position_pieces(pos, piece_color(piece), piece_type(piece)) != sets[piece])
            fail_walk(walk, "board and sets of %d differ", piece);
    }
    for (int i = 0; i < 4; i++) {
        if (box->castle[i / 2][i % 2] >= 0) rooks |= bb_of(box->castle[i / 2][i % 2]);
    }
    if (pos->castle_rooks != rooks) fail_walk(walk, "castling rights differ");
    if (pos->halfmove != box->halfmove || pos->fullmove != box->fullmove) fail_walk(walk, "counters differ");
    if ((pos->side == WHITE) != box->white) fail_walk(walk, "sides differ");
    if (position_in_check(pos) != mailbox_in_check(box)) fail_walk(walk, "checks differ");
}

static void check_keys(const Walk *walk)
{
    Position copy = walk->pos;
    position_compute_keys(&copy);
    if (copy.key != walk->pos.key) fail_walk(walk, "the key is not the recomputed one");
    if (copy.pawn_key != walk->pos.pawn_key) fail_walk(walk, "the pawn key is not the recomputed one");
    if (memcmp(copy.nonpawn_key, walk->pos.nonpawn_key, sizeof copy.nonpawn_key) != 0)
        fail_walk(walk, "a piece key is not the recomputed one");
}

/* The generated moves are the brute-force ones; en passant is offered exactly when it can be taken. */
static void check_moves(const Walk *walk)
{
    MoveList expected;
    mailbox_legal(&walk->box, &expected);
    bool ep = false;
    for (int i = 0; i < expected.count; i++) {
        ep |= move_kind(expected.moves[i]) == MOVE_EN_PASSANT;
        if (!is_listed(walk, expected.moves[i])) fail_walk(walk, "the legal move %04x is missing", expected.moves[i]);
    }
    if (expected.count != walk->list.count) fail_walk(walk, "%d legal moves instead of %d", walk->list.count, expected.count);
    if (ep != (walk->pos.ep_square != SQ_NONE))
        fail_walk(walk, "an en passant square that no legal capture uses, or none where one does");
    if (ep && walk->pos.ep_square != walk->box.ep) fail_walk(walk, "en passant squares differ");
    if (movegen_count(&walk->pos) != expected.count)
        fail_walk(walk, "movegen_count says %d, not %d", movegen_count(&walk->pos), expected.count);
    if (movegen_has_legal_move(&walk->pos) != (expected.count > 0)) fail_walk(walk, "movegen_has_legal_move is wrong");
}

/* Noisy and quiet moves are a partition of all; evasions are all moves, in check only. */
static void check_classes(const Walk *walk)
{
    MoveList noisy, quiet, evasions;
    movegen_noisy(&walk->pos, &noisy);
    movegen_quiet(&walk->pos, &quiet);
    movegen_evasions(&walk->pos, &evasions);
    for (int i = 0; i < noisy.count; i++) {
        if (!is_listed(walk, noisy.moves[i])) fail_walk(walk, "the noisy move %04x is not legal", noisy.moves[i]);
        if (!position_is_noisy(&walk->pos, noisy.moves[i]))
            fail_walk(walk, "a quiet move %04x among the noisy ones", noisy.moves[i]);
    }
    for (int i = 0; i < quiet.count; i++) {
        if (!is_listed(walk, quiet.moves[i])) fail_walk(walk, "the quiet move %04x is not legal", quiet.moves[i]);
        if (position_is_noisy(&walk->pos, quiet.moves[i]))
            fail_walk(walk, "a noisy move %04x among the quiet ones", quiet.moves[i]);
    }
    if (noisy.count + quiet.count != walk->list.count)
        fail_walk(walk, "noisy %d and quiet %d moves are not all", noisy.count, quiet.count);
    bool same = evasions.count == walk->list.count &&
                memcmp(evasions.moves, walk->list.moves, (size_t)evasions.count * sizeof(Move)) == 0;
    if (position_in_check(&walk->pos) ? !same : evasions.count != 0) fail_walk(walk, "the evasions are wrong");
}

/* movegen_is_legal says yes to the listed moves and to nothing else. */
static void check_is_legal(const Walk *walk)
{
    KingState king = movegen_king_state(&walk->pos);
    for (unsigned bits = 0; bits < 65536; bits++) {
        if (movegen_is_legal(&walk->pos, &king, (Move)bits) != is_listed(walk, (Move)bits))
            fail_walk(walk, "movegen_is_legal is wrong about %04x", bits);
    }
}

static void check_is_legal_random(Walk *walk)
{
    KingState king = movegen_king_state(&walk->pos);
    for (int i = 0; i < RANDOM_BITS; i++) {
        Move move = (Move)rng_next(&walk->rng);
        if (movegen_is_legal(&walk->pos, &king, move) != is_listed(walk, move))
            fail_walk(walk, "movegen_is_legal is wrong about %04x", move);
    }
}

/* A move written down and read again is the same move. */
static void check_text_of(const Walk *walk, Move move)
{
    char   san[SAN_SIZE], uci[UCI_MOVE_SIZE];
    Move   back;
    size_t san_len = move_to_san(&walk->pos, move, san), uci_len = move_to_uci(&walk->pos, move, uci);
    if (san_len != strlen(san) || uci_len != strlen(uci)) fail_walk(walk, "the length of %s or %s is wrong", san, uci);
    if (!move_from_san(&walk->pos, str_from(san), &back, NULL) || back != move) fail_walk(walk, "SAN %s does not read back", san);
    if (!move_from_uci(&walk->pos, str_from(uci), &back, NULL) || back != move) fail_walk(walk, "UCI %s does not read back", uci);
    if (!move_from_san(&walk->pos, str_from(uci), &back, NULL) || back != move)
        fail_walk(walk, "%s as SAN does not read back", uci);
}

/* Different legal moves have different SAN, and a FEN gives back every byte of the position. */
static void check_texts(const Walk *walk)
{
    char     sans[MOVES_MAX][SAN_SIZE], fen[FEN_SIZE];
    Position back;
    for (int i = 0; i < walk->list.count; i++) {
        check_text_of(walk, walk->list.moves[i]);
        move_to_san(&walk->pos, walk->list.moves[i], sans[i]);
        for (int k = 0; k < i; k++) {
            if (strcmp(sans[i], sans[k]) == 0) fail_walk(walk, "two moves are called %s", sans[i]);
        }
    }
    FenReport report;
    size_t    len = position_to_fen(&walk->pos, fen);
    if (!position_from_fen((Str){fen, len}, &back, &report, NULL)) fail_walk(walk, "the FEN does not read back");
    if (report.faults) fail_walk(walk, "the FEN reads back with faults %x", report.faults);
    back.chess960 = walk->pos.chess960; /* lost with the last castling right */
    if (memcmp(&back, &walk->pos, sizeof back) != 0) fail_walk(walk, "the FEN reads back to another position");
}

static void check_null_move(const Walk *walk)
{
    if (position_in_check(&walk->pos)) return;
    Position next, copy;
    position_play_null(&walk->pos, &next);
    copy = next;
    position_compute_keys(&copy);
    if (copy.key != next.key) fail_walk(walk, "the key after a null move is not the recomputed one");
    if (next.side == walk->pos.side || next.ep_square != SQ_NONE) fail_walk(walk, "a null move passes the turn and nothing else");
    if (memcmp(next.board, walk->pos.board, sizeof next.board) != 0) fail_walk(walk, "a null move moves nobody");
}

/* Who gives check is known before the move is played. */
static void check_checks(const Walk *walk)
{
    CheckMap map;
    checks_map(&walk->pos, &map);
    for (int i = 0; i < walk->list.count; i++) {
        Position next;
        position_play(&walk->pos, walk->list.moves[i], &next);
        if (checks_gives(&walk->pos, &map, walk->list.moves[i]) != position_in_check(&next))
            fail_walk(walk, "whether the move %04x gives check", walk->list.moves[i]);
    }
}

static void check_position(Walk *walk)
{
    check_state(walk);
    check_keys(walk);
    check_moves(walk);
    check_classes(walk);
    check_is_legal_random(walk);
    check_null_move(walk);
    if (walk->ply % TEXT_EVERY == 0) {
        check_texts(walk);
        check_checks(walk);
    }
    if (walk->ply % SIXTEEN_EVERY == 0) check_is_legal(walk);
}

/* Plays one random move on both boards; the parent must stay as it was, to the byte. */
static void step(Walk *walk)
{
    Move     move   = walk->list.moves[rng_below(&walk->rng, (uint64_t)walk->list.count)];
    Position parent = walk->pos, untouched = walk->pos;
    check_text_of(walk, move);
    position_play(&parent, move, &walk->pos);
    if (memcmp(&parent, &untouched, sizeof parent) != 0) fail_walk(walk, "playing %04x changed the parent", move);
    mailbox_play(&walk->box, move);
    walk->ply++;
}

static void walk_from(const char *const *fens, size_t count, uint64_t seed, uint64_t plies)
{
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    Walk              walk    = {.rng = rng_seeded(seed)};
    for (size_t game = 0; walk.ply < plies; game++) {
        walk.pos = position_of(count ? fens[game % count] : start);
        mailbox_init(&walk.box, &walk.pos);
        for (int i = 0; i < PLIES_OF_GAME && walk.ply < plies; i++) {
            list_moves(&walk);
            check_position(&walk);
            forget_moves(&walk);
            if (walk.list.count == 0) break;
            step(&walk);
        }
        walk.ply++; /* a game without any move must come to an end too */
    }
}

static void games_from_the_start_follow_the_rules(void **state)
{
    (void)state;
    walk_from(NULL, 0, 2024, PLIES);
}

/* The 960 starts: bishops on both colours, king between the rooks. */
static void chess960_start(int number, char out[FEN_SIZE])
{
    static const char knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    char              rank[9] = "........", castling[5] = {0}, small[9] = {0};
    int               rest = number;
    rank[rest % 4 * 2 + 1] = 'B', rest /= 4;
    rank[rest % 4 * 2]     = 'B', rest /= 4;
    int queen = rest % 6, pair = rest / 6, rooks = 0;
    for (int i = 0, empty = 0; i < 8; i++) {
        if (rank[i] == '.' && empty++ == queen) rank[i] = 'Q';
    }
    for (int i = 0, empty = 0; i < 8; i++) {
        if (rank[i] != '.') continue;
        bool knight = empty == knights[pair][0] || empty == knights[pair][1];
        rank[i]     = knight ? 'N' : "RKR"[rooks++];
        empty++;
    }
    for (int i = 0, k = 1; i < 8; i++) {
        small[i] = char_lower(rank[i]);
        if (rank[i] != 'R') continue;
        castling[k]     = (char)('A' + i);
        castling[k + 2] = (char)('a' + i);
        k--;
    }
    snprintf(out, FEN_SIZE, "%s/pppppppp/8/8/8/8/PPPPPPPP/%s w %s - 0 1", small, rank, castling);
}

static void games_from_all_chess960_starts_follow_the_rules(void **state)
{
    (void)state;
    static char        fens[960][FEN_SIZE];
    static const char *views[960];
    for (int i = 0; i < 960; i++) {
        chess960_start(i, fens[i]);
        views[i] = fens[i];
    }
    assert_string_equal(fens[518], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    walk_from(views, 960, 960, PLIES);
}

/* Positions where the rare rules are the common ones: promotions, en passant, open castling, kings among heavy pieces. */
static void games_from_odd_positions_follow_the_rules(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/PPPPPPPP/8/k7/7K/8/pppppppp/8 w - - 0 1",
        "4k3/p1p1p1p1/8/PPPPPPPP/1p1p1p1p/8/8/4K3 b - - 0 1",
        "8/p1p1p1p1/8/1P1P1P1P/k6r/8/8/K6R b - - 0 1",
        "k7/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/K7 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
        "5rkr/8/8/8/8/8/8/RK1R4 w DAhf - 0 1",
        "kn2QQ2/ppQ4Q/Q4Q2/3Q4/1Q4Q1/4Q3/2Q4Q/Q3QQ1K w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    };
    walk_from(fens, COUNT_OF(fens), 7, PLIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_from_the_start_follow_the_rules),
        cmocka_unit_test(games_from_all_chess960_starts_follow_the_rules),
        cmocka_unit_test(games_from_odd_positions_follow_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

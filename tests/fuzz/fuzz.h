/* fuzz.h - what the fuzz targets share: a check that cannot be compiled away, and the checks of a whole position.
 *
 * A target is one file with LLVMFuzzerTestOneInput. With clang and libFuzzer it searches for inputs that break a promise
 * (`make fuzz`); with replay_main.c it runs once over the inputs kept in tests/fuzz/corpus (`make fuzz-replay`).
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                                                                    \
    do {                                                                                                                         \
        if (!(condition)) {                                                                                                      \
            fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition);                                      \
            abort();                                                                                                             \
        }                                                                                                                        \
    } while (0)

static inline Str fuzz_text(const uint8_t *data, size_t size) { return (Str){(const char *)data, size}; }

/* A refusal must say why, and where inside the text. */
static inline void fuzz_check_err(const Err *err, Str text)
{
    FUZZ_CHECK(err->code != ERR_NONE);
    FUZZ_CHECK(err->offset <= text.len);
    FUZZ_CHECK(err->text[0] != '\0' && memchr(err->text, '\0', sizeof err->text));
}

/* Everything of `a` is in `b`; a flag that no castling right needs does not count. */
static inline void fuzz_check_same(const Position *a, const Position *b)
{
    FUZZ_CHECK(position_same(a, b));
    FUZZ_CHECK(memcmp(a->types, b->types, sizeof a->types) == 0 && memcmp(a->colors, b->colors, sizeof a->colors) == 0);
    FUZZ_CHECK(memcmp(a->board, b->board, sizeof a->board) == 0);
    FUZZ_CHECK(a->key == b->key && a->pawn_key == b->pawn_key);
    FUZZ_CHECK(a->nonpawn_key[WHITE] == b->nonpawn_key[WHITE] && a->nonpawn_key[BLACK] == b->nonpawn_key[BLACK]);
    FUZZ_CHECK(a->castle_rooks == b->castle_rooks && a->ep_square == b->ep_square && a->side == b->side);
    FUZZ_CHECK(a->halfmove == b->halfmove && a->fullmove == b->fullmove);
    FUZZ_CHECK(a->chess960 == b->chess960 || a->castle_rooks == 0);
}

/* The position is playable, and its FEN reads back to it. */
static inline void fuzz_check_position(const Position *pos)
{
    FUZZ_CHECK(!faults_are_fatal(position_faults(pos)));
    char   fen[FEN_SIZE], fen_again[FEN_SIZE];
    size_t len = position_to_fen(pos, fen);
    FUZZ_CHECK(len < FEN_SIZE && len == strlen(fen));
    Position  again;
    FenReport report = {0};
    FUZZ_CHECK(position_from_fen((Str){fen, len}, &again, &report, NULL));
    FUZZ_CHECK(report.faults == 0);
    fuzz_check_same(pos, &again);
    position_to_fen(&again, fen_again);
    FUZZ_CHECK(strcmp(fen, fen_again) == 0);
}

/* A legal move reads back from both of its texts, and leads to a position whose keys are right. */
static inline void fuzz_check_move(const Position *pos, Move move)
{
    KingState king = movegen_king_state(pos);
    FUZZ_CHECK(movegen_is_legal(pos, &king, move));
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE];
    Move from_uci = MOVE_NONE, from_san = MOVE_NONE;
    FUZZ_CHECK(move_to_uci(pos, move, uci) == strlen(uci));
    FUZZ_CHECK(move_from_uci(pos, str_from(uci), &from_uci, NULL) && from_uci == move);
    FUZZ_CHECK(move_to_san(pos, move, san) == strlen(san));
    FUZZ_CHECK(move_from_san(pos, str_from(san), &from_san, NULL) && from_san == move);
    Position next, fresh;
    position_play(pos, move, &next);
    fresh = next;
    position_compute_keys(&fresh);
    FUZZ_CHECK(next.key == fresh.key && next.pawn_key == fresh.pawn_key);
    FUZZ_CHECK(next.nonpawn_key[WHITE] == fresh.nonpawn_key[WHITE] && next.nonpawn_key[BLACK] == fresh.nonpawn_key[BLACK]);
    FUZZ_CHECK(!faults_are_fatal(position_faults(&next)));
}

/* The position on the first line of `*text` (the start of a game when that line is empty); false when it does not read. */
static inline bool fuzz_take_position(Str *text, Position *pos)
{
    Str fen = str_trim(str_next_until(text, '\n'));
    if (fen.len == 0) {
        position_set_start(pos);
        return true;
    }
    return position_from_fen(fen, pos, NULL, NULL);
}

/* A position on the first line, then moves as `read` understands them: each is refused with a reason, or legal and played. */
typedef bool FuzzReadMove(const Position *pos, Str text, Move *out, Err *err);

static inline void fuzz_play_words(Str text, FuzzReadMove *read)
{
    Position pos, next;
    if (!fuzz_take_position(&text, &pos)) return;
    while (text.len) {
        Str  word = str_next_until(&text, ' ');
        Move move = MOVE_NONE;
        Err  err  = {0};
        if (!read(&pos, word, &move, &err)) {
            fuzz_check_err(&err, word);
            FUZZ_CHECK(move == MOVE_NONE);
            continue;
        }
        fuzz_check_move(&pos, move);
        position_play(&pos, move, &next);
        pos = next;
    }
    fuzz_check_position(&pos);
}

#endif

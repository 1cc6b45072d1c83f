/* fen.h - positions as text: FEN, X-FEN, Shredder-FEN and the four fields of EPD, in and out; and what is wrong with them.
 *
 * Reading is strict about what would make another position and lenient about what cannot matter: missing counters are
 * taken as "0 1", and a castling right or an en passant square that the board cannot support is dropped and reported.
 * Nothing is replaced silently: the report names every fault, fatal or dropped, each with a sentence and a place.
 * Threads: [any].
 */
#ifndef CHESS_FEN_H
#define CHESS_FEN_H

#include "base/err.h"
#include "base/str.h"
#include "chess/position.h"

/* Everything that can be wrong with a position. Order matters: the fatal faults come first. */
typedef enum {
    FAULT_SYNTAX, /* the text itself is broken; Err says how */
    FAULT_NO_WHITE_KING,
    FAULT_NO_BLACK_KING,
    FAULT_MANY_WHITE_KINGS,
    FAULT_MANY_BLACK_KINGS,
    FAULT_MANY_WHITE_PAWNS, /* more than eight */
    FAULT_MANY_BLACK_PAWNS,
    FAULT_MANY_WHITE_MEN, /* more than sixteen */
    FAULT_MANY_BLACK_MEN,
    FAULT_PAWN_ON_LAST_RANK, /* rank 1 or rank 8 */
    FAULT_KING_CAPTURABLE,   /* the side that is not to move stands in check */
    FAULT_MANY_CHECKERS,     /* three or more pieces give check: no move can do that */
    FAULT_CASTLING,          /* a right without king and rook in place: dropped */
    FAULT_EN_PASSANT,        /* a square behind which no pawn can have just moved: dropped */
    FAULT_COUNTERS,          /* a move counter out of range: taken as the nearest that is allowed */
    FAULTS,
    FAULTS_FATAL = FAULT_CASTLING, /* faults below this one make the position unplayable */
} Fault;

typedef uint32_t FaultSet;

/* All faults of a text, and for each where it shows in that text. */
typedef struct {
    FaultSet faults;
    size_t   offsets[FAULTS];
} FenReport;

static inline FaultSet fault_bit(Fault fault) { return (FaultSet)1 << fault; }
static inline bool     faults_are_fatal(FaultSet set) { return (set & (fault_bit(FAULTS_FATAL) - 1)) != 0; }

/* One sentence for a person, for example "White has no king". */
const char *fault_text(Fault fault);

/* Every fault that the board itself shows; `pos` needs neither keys nor sanity. */
FaultSet position_faults(const Position *pos);

/* Reads a position; text after the fields it knows is an error. On failure `*out` is untouched and `*err` names the
 * first fatal fault and its offset in `text`. `report` (may be NULL) receives all faults, the dropped ones included. */
bool position_from_fen(Str text, Position *out, FenReport *report, Err *err);

/* As position_from_fen, for text that goes on: reads board, side, castling, en passant and, when they are numbers, the two
 * counters; `*rest` is what follows (the operations of an EPD line). */
bool position_from_fen_prefix(Str text, Position *out, Str *rest, FenReport *report, Err *err);

/* A FEN with both counters fits, with its terminating zero. */
enum { FEN_SIZE = 128 };

/* Writes the FEN (zero-terminated) and returns its length. Castling as KQkq where that is unambiguous (X-FEN), by the
 * files of the rooks when `pos->chess960` (Shredder-FEN); the en passant square only when a capture is legal. */
size_t position_to_fen(const Position *pos, char out[FEN_SIZE]);

/* "e4" and back; SQ_NONE for anything that is no square. */
Square             square_from_text(Str text);
static inline char file_letter(int file) { return (char)('a' + file); }
static inline char rank_digit(int rank) { return (char)('1' + rank); }

/* 'P' for a white pawn, 'k' for the black king, '.' for none; and back (NO_PIECE when it is no piece letter). */
char  piece_letter(Piece piece);
Piece piece_from_letter(char letter);

#endif

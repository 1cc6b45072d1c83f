/* tables.h - Syzygy endgame tables: who wins a position with few men, and how soon a capture or pawn move must come.
 *
 * The tables are read by libfathom, which is loaded when tables are asked for: the program needs it neither to build nor to
 * run, and says so when it is missing. The library keeps one set of tables a process; a Tables is a share in that set, and asking
 * for another folder while one is in use is refused.
 * What the library would not survive (castling rights, too many men, no legal move) is never handed to it.
 * Threads: [any] tables_probe; tables_rank_moves and tables_distance, which take turns; [any] open and close, but not while a
 * probe runs on the same Tables.
 */
#ifndef TABLES_TABLES_H
#define TABLES_TABLES_H

#include "base/err.h"
#include "chess/position.h"

typedef struct Tables Tables;

/* For the side to move. The middle ones are wins that the fifty-move rule turns into draws. */
typedef enum { TABLE_LOSS = -2, TABLE_BLESSED_LOSS, TABLE_DRAW, TABLE_CURSED_WIN, TABLE_WIN } TableVerdict;

/* Folders separated by ':' as in PATH. NULL with *err: no libfathom, no tables there, or others are in use. */
Tables *tables_open(const char *path, Err *err);
void    tables_close(Tables *tables); /* NULL is fine */

/* Positions with more men are not in the tables. */
int tables_men(const Tables *tables);

/* The verdict as if the last move had been a capture or a pawn move: with fewer of the fifty moves left a win may be a draw.
 * False when no table knows it. Hot: called in the search. */
bool tables_probe(const Tables *tables, const Position *pos, TableVerdict *out);

typedef struct {
    Move         move;
    int          rank; /* higher is better; equal moves keep the result equally well and leave the choice to the search */
    TableVerdict verdict;
} TableMove;

typedef struct {
    TableVerdict verdict; /* of the best move, with the half-moves already spent */
    int          count;
    TableMove    moves[MOVES_MAX]; /* all legal moves, best first */
} TableRanking;

/* Ranks all legal moves by the distance to the next capture or pawn move (DTZ). `repeated`: a position has occurred
 * twice since the last one, so progress must be made now; `fifty`: the fifty-move rule holds. False when a table is missing. */
bool tables_rank_moves(const Tables *tables, const Position *pos, bool repeated, bool fifty, TableRanking *out);

/* Half-moves to the next capture, pawn move or mate when both sides play best (DTZ, which some tables round up by one); 0 in a
 * drawn position. False when a table is missing or there is no legal move. */
bool tables_distance(const Tables *tables, const Position *pos, int *plies);

/* Whether libfathom can be loaded at all. */
bool tables_are_available(void);

#endif

/* knowledge.h - what an engine knows without thinking: opening books and endgame tables. Internal to `engine`.
 *
 * Books and tables are opened when an option names them, so that a broken file is reported where it was asked for.
 * Threads: [owner] of the engine; the ranking is read on the search's thread while a search runs and not changed then.
 */
#ifndef ENGINE_KNOWLEDGE_H
#define ENGINE_KNOWLEDGE_H

#include "book/book.h"
#include "engine/settings.h"
#include "tables/tables.h"

typedef struct {
    Book   *books[COLORS + 1]; /* by colour, and for both */
    Book   *built_in;          /* opened when first needed */
    Tables *tables;
    char    table_path[SETTING_TEXT_SIZE]; /* of `tables` */
    /* of the search that runs: */
    TableRanking ranking; /* of its moves; count 0: it is not in the tables */
} Knowledge;

void knowledge_release(Knowledge *knowledge);

/* Opens the book that a setting names now (an empty name closes it). False with *err: the old one stays. */
bool knowledge_set_book(Knowledge *knowledge, const Settings *settings, Setting setting, Err *err);

/* Opens the tables that the settings name; no search may run. False with *err: there are none then. */
bool knowledge_set_tables(Knowledge *knowledge, const Settings *settings, Err *err);

/* The book moves of the position at the end of `game` for the side to move; none when the settings or the depth forbid it. */
void knowledge_book_moves(Knowledge *knowledge, const Settings *settings, const Game *game, BookMoves *out);

/* Puts the tables into config. If they know the root, the moves get ranks in `limits` (for a single line only the best stay), and
 * config gets no tables, because the search need only find the quickest way. Keeps the ranking for knowledge_correct. */
void knowledge_rank_root(Knowledge *knowledge, const Settings *settings, const Game *game, SearchLimits *limits,
                         SearchConfig *config);

/* Only puts the tables into config: for levels that have not the technique. */
void knowledge_lend_tables(Knowledge *knowledge, const Settings *settings, SearchConfig *config);

/* Whether the tables do not know the root, or know no better move than this one. */
bool knowledge_keeps_result(const Knowledge *knowledge, Move move);

/* The score to show for a line that begins with `move`: the tables' verdict, unless the search has found a mate. */
Score knowledge_correct(const Knowledge *knowledge, Move move, Score score);

#endif

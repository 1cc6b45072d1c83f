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
    bool         ranked; /* the root is in the tables */
    TableVerdict verdict;
    int          hits;
} Knowledge;

void knowledge_release(Knowledge *knowledge);

/* Opens the book that a setting names now (an empty name closes it). False with *err: the old one stays. */
bool knowledge_set_book(Knowledge *knowledge, const Settings *settings, Setting setting, Err *err);

/* Opens the tables that the settings name; no search may run. False with *err: there are none then. */
bool knowledge_set_tables(Knowledge *knowledge, const Settings *settings, Err *err);

/* The book moves of the position at the end of `game` for the side to move; none when the settings or the depth forbid it. */
void knowledge_book_moves(Knowledge *knowledge, const Settings *settings, const Game *game, BookMoves *out);

/* Whether the root is in the tables: then only the moves that keep its result stay in `limits`, and config gets no tables,
 * because the search need only find the quickest way. Notes the verdict for knowledge_correct. */
void knowledge_rank_root(Knowledge *knowledge, const Settings *settings, const Game *game, SearchLimits *limits,
                         SearchConfig *config);

/* The score to show: the tables' verdict of the root, unless the search has found a mate. */
Score knowledge_correct(const Knowledge *knowledge, Score score);

#endif

/* knowledge.c - see knowledge.h. */
#include "engine/knowledge.h"

#include <stdio.h>
#include <string.h>

#include "chess/movegen.h"

void knowledge_release(Knowledge *knowledge)
{
    for (int i = 0; i <= COLORS; i++) book_free(knowledge->books[i]);
    book_free(knowledge->built_in);
    tables_close(knowledge->tables);
    *knowledge = (Knowledge){0};
}

/* ---- books ---- */

bool knowledge_set_book(Knowledge *knowledge, const Settings *settings, Setting setting, Err *err)
{
    int         slot = setting == SET_BOOK_WHITE ? WHITE : setting == SET_BOOK_BLACK ? BLACK : COLORS;
    const char *path = settings->text[setting];
    Book       *book = NULL;
    if (*path && (book = book_open(path, err)) == NULL) return false;
    book_free(knowledge->books[slot]);
    knowledge->books[slot] = book;
    return true;
}

/* The book of this colour, else that for both, else the one inside the program. */
static const Book *book_for(Knowledge *knowledge, Color side)
{
    if (knowledge->books[side]) return knowledge->books[side];
    if (knowledge->books[COLORS]) return knowledge->books[COLORS];
    if (!knowledge->built_in) knowledge->built_in = book_open_default(NULL);
    return knowledge->built_in;
}

void knowledge_book_moves(Knowledge *knowledge, const Settings *settings, const Game *game, BookMoves *out)
{
    const Position *pos = &game->now;
    out->count          = 0;
    out->total          = 0;
    if (!settings->number[SET_OWN_BOOK] || (int64_t)pos->fullmove > settings->number[SET_BOOK_DEPTH]) return;
    const Book *book = book_for(knowledge, position_side(pos));
    Move        last = game->plies ? game->moves[game->plies - 1] : MOVE_NONE;
    if (book) book_probe(book, pos, book_key(pos, last), out);
}

/* ---- tables ---- */

bool knowledge_set_tables(Knowledge *knowledge, const Settings *settings, Err *err)
{
    const char *path = settings->text[SET_SYZYGY];
    if (strcmp(path, knowledge->table_path) == 0) return true;
    tables_close(knowledge->tables);
    knowledge->tables = *path ? tables_open(path, err) : NULL;
    snprintf(knowledge->table_path, sizeof knowledge->table_path, "%s", path); /* a failure is told once */
    return !*path || knowledge->tables;
}

/* Whether a position has occurred twice since the last capture or pawn move. */
static bool has_repeated(const Game *game)
{
    size_t reach = game->now.halfmove < game->plies ? game->now.halfmove : game->plies;
    for (size_t i = game->plies - reach; i + 4 <= game->plies; i++) {
        for (size_t k = i + 4; k <= game->plies; k += 2) {
            if (game->keys[k] == game->keys[i]) return true;
        }
    }
    return false;
}

static bool is_asked_for(const SearchLimits *limits, Move move)
{
    for (int i = 0; i < limits->move_count; i++) {
        if (limits->moves[i] == move) return true;
    }
    return limits->move_count == 0;
}

/* Several lines need all moves, in the order of the tables; a single one needs those that keep the result. */
static void put_ranks(const TableRanking *ranking, SearchLimits *limits)
{
    const SearchLimits asked = *limits;
    limits->move_count       = 0;
    for (int i = 0; i < ranking->count; i++) {
        const TableMove *move = &ranking->moves[i];
        if (!is_asked_for(&asked, move->move)) continue;
        if (limits->multipv == 1 && limits->move_count && move->rank < limits->ranks[0]) break;
        limits->moves[limits->move_count] = move->move;
        limits->ranks[limits->move_count] = move->rank;
        limits->move_count++;
    }
}

void knowledge_lend_tables(Knowledge *knowledge, const Settings *settings, SearchConfig *config)
{
    int64_t limit            = settings->number[SET_SYZYGY_LIMIT];
    knowledge->ranking.count = 0;
    if (!knowledge->tables) return;
    int men             = tables_men(knowledge->tables);
    config->tables      = knowledge->tables;
    config->table_men   = limit < men ? (int)limit : men;
    config->table_depth = (int)settings->number[SET_SYZYGY_DEPTH];
    config->table_fifty = settings->number[SET_SYZYGY_FIFTY] != 0;
}

void knowledge_rank_root(Knowledge *knowledge, const Settings *settings, const Game *game, SearchLimits *limits,
                         SearchConfig *config)
{
    TableRanking   *ranking = &knowledge->ranking;
    const Position *pos     = &game->now;
    knowledge_lend_tables(knowledge, settings, config);
    if (!config->tables || bb_count(position_occupied(pos)) > config->table_men) return;
    if (!tables_rank_moves(knowledge->tables, pos, has_repeated(game), config->table_fifty, ranking)) {
        ranking->count = 0; /* whatever was begun */
        return;
    }
    config->tables = NULL;
    put_ranks(ranking, limits);
}

/* NULL: the root is not in the tables. */
static const TableMove *find_ranked(const Knowledge *knowledge, Move move)
{
    for (int i = 0; i < knowledge->ranking.count; i++) {
        if (knowledge->ranking.moves[i].move == move) return &knowledge->ranking.moves[i];
    }
    return NULL;
}

bool knowledge_keeps_result(const Knowledge *knowledge, Move move)
{
    const TableMove *ranked = find_ranked(knowledge, move);
    return !ranked || ranked->rank == knowledge->ranking.moves[0].rank;
}

Score knowledge_correct(const Knowledge *knowledge, Move move, Score score)
{
    const TableMove *ranked = find_ranked(knowledge, move);
    if (!ranked || score_is_mate(score) || score == SCORE_NONE) return score;
    if (ranked->verdict == TABLE_WIN) return SCORE_TB_WIN;
    if (ranked->verdict == TABLE_LOSS) return -SCORE_TB_WIN;
    return SCORE_DRAW;
}

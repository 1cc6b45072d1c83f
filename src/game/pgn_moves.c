/* pgn_moves.c - movetext: every move is read in its position and played; variations go back one move and on from there.
 *
 * Each open variation has a level with two positions: where it stands, and where it stood one move before, which is where a
 * variation of its own would begin. Playing a move writes the new position over the older of the two. Hot: play_word.
 */
#include <stdlib.h>

#include "chess/notation.h"
#include "game/pgn_reader.h"

enum { FIRST_LEVELS = 8 };

/* Positions are aligned to cache lines, so realloc will not do. */
bool pgn_reserve_level(PgnReader *reader)
{
    if (reader->depth + 1 < reader->level_capacity) return true;
    size_t    capacity = reader->level_capacity ? reader->level_capacity * 2 : FIRST_LEVELS;
    PgnLevel *levels   = aligned_alloc(_Alignof(PgnLevel), capacity * sizeof *levels);
    if (!levels) return false;
    if (reader->levels) memcpy(levels, reader->levels, reader->level_capacity * sizeof *levels);
    free(reader->levels);
    reader->levels         = levels;
    reader->level_capacity = capacity;
    return true;
}

static PgnStatus play(PgnReader *reader, PgnLevel *level, Move move)
{
    const PgnVisitor *visitor = reader->visitor;
    const Position   *before  = &level->positions[level->now];
    Position         *after   = &level->positions[level->now ^ 1];
    if (visitor->move && !visitor->move(visitor->context, before, move)) return PGN_STOPPED;
    if (move == MOVE_NONE) {
        position_play_null(before, after);
    } else {
        position_play(before, move, after);
    }
    level->now ^= 1;
    level->moved = true;
    reader->game_plies += reader->depth == 0;
    return PGN_GO_ON;
}

/* Whether nobody wants the moves from here on: they are passed over, legal or not. */
static bool is_past_limit(const PgnReader *reader)
{
    return reader->visitor->max_plies && reader->game_plies >= reader->visitor->max_plies;
}

static PgnStatus pass_move(PgnReader *reader)
{
    reader->levels[reader->depth].moved = true;
    return PGN_GO_ON;
}

static PgnStatus play_null(PgnReader *reader, const PgnToken *token)
{
    if (is_past_limit(reader)) return pass_move(reader);
    PgnLevel *level = &reader->levels[reader->depth];
    if (position_in_check(&level->positions[level->now]))
        return pgn_reader_break(reader, token->line, token->column, ERR_ILLEGAL_MOVE, "a null move is not possible in check");
    return play(reader, level, MOVE_NONE);
}

/* A verdict glued to a move, as in "Qd2+-" or "Nf3=": how many bytes it takes. */
static size_t verdict_length(Str word, int *nag)
{
    static const struct {
        Str text;
        int nag;
    } verdicts[] = {{{"+/=", 3}, 14}, {{"=/+", 3}, 15}, {{"+/-", 3}, 16}, {{"-/+", 3}, 17}, {{"+=", 2}, 14},
                    {{"=+", 2}, 15},  {{"+-", 2}, 18},  {{"-+", 2}, 19},  {{"=", 1}, 10}};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        if (!str_ends_with(word, verdicts[i].text)) continue;
        *nag = verdicts[i].nag;
        return verdicts[i].text.len;
    }
    return 0;
}

/* The word is no move as it stands: a null move, a sign of Informant, a move with a verdict glued to it, or broken. */
static PgnStatus play_odd_word(PgnReader *reader, const PgnToken *token, PgnLevel *level)
{
    const PgnVisitor *visitor = reader->visitor;
    Str               word    = token->text;
    if (str_equal(word, STR("Z0")) || str_equal_nocase(word, STR("null"))) return play_null(reader, token);
    if (str_equal(word, STR("e.p.")) || str_equal(word, STR("ep"))) return PGN_GO_ON;
    if (level->moved && (str_equal(word, STR("N")) || str_equal(word, STR("TN"))))
        return !visitor->nag || visitor->nag(visitor->context, 146) ? PGN_GO_ON : PGN_STOPPED;
    int  nag  = 0;
    Move move = MOVE_NONE;
    Str  bare = {word.ptr, word.len - verdict_length(word, &nag)};
    if (nag && move_from_san(&level->positions[level->now], bare, &move, NULL)) {
        PgnStatus status = play(reader, level, move);
        if (status != PGN_GO_ON) return status;
        return !visitor->nag || visitor->nag(visitor->context, nag) ? PGN_GO_ON : PGN_STOPPED;
    }
    reader->error.line   = token->line;
    reader->error.column = token->column + reader->error.err.offset;
    return PGN_BROKEN;
}

static PgnStatus play_word(PgnReader *reader, const PgnToken *token)
{
    PgnLevel *level = &reader->levels[reader->depth];
    Move      move;
    if (is_past_limit(reader)) return pass_move(reader);
    if (!move_from_san(&level->positions[level->now], token->text, &move, &reader->error.err))
        return play_odd_word(reader, token, level);
    return play(reader, level, move);
}

static PgnStatus open_variation(PgnReader *reader, const PgnToken *token)
{
    if (!reader->levels[reader->depth].moved)
        return pgn_reader_break(reader, token->line, token->column, ERR_SYNTAX,
                                "a variation stands before any move it could replace");
    if (reader->depth == PGN_DEPTH_MAX)
        return pgn_reader_break(reader, token->line, token->column, ERR_RANGE, "variations are nested more than %d deep",
                                PGN_DEPTH_MAX);
    if (!pgn_reserve_level(reader))
        return pgn_reader_break(reader, token->line, token->column, ERR_MEMORY, "no memory for a variation");
    const PgnLevel *parent    = &reader->levels[reader->depth++];
    PgnLevel       *level     = &reader->levels[reader->depth];
    level->positions[0]       = parent->positions[parent->now ^ 1];
    level->now                = 0;
    level->moved              = false;
    level->line               = token->line;
    level->column             = token->column;
    const PgnVisitor *visitor = reader->visitor;
    return !visitor->begin_variation || visitor->begin_variation(visitor->context) ? PGN_GO_ON : PGN_STOPPED;
}

static PgnStatus close_variation(PgnReader *reader, const PgnToken *token)
{
    if (reader->depth == 0) return pgn_reader_break(reader, token->line, token->column, ERR_SYNTAX, "')' closes no variation");
    reader->depth--;
    const PgnVisitor *visitor = reader->visitor;
    return !visitor->end_variation || visitor->end_variation(visitor->context) ? PGN_GO_ON : PGN_STOPPED;
}

/* The token at hand ends the game: then no variation may be open. */
static PgnStatus check_closed(PgnReader *reader)
{
    if (reader->depth == 0) return PGN_GO_ON;
    const PgnLevel *level = &reader->levels[reader->depth];
    return pgn_reader_break(reader, level->line, level->column, ERR_SYNTAX, "the variation is not closed");
}

/* Whether the word begins another game although nothing ended this one: "1." in a new paragraph, after moves. */
static bool begins_next_game(const PgnReader *reader, const PgnToken *token)
{
    return token->move_number == 1 && token->paragraph && reader->depth == 0 && reader->game_plies >= 2;
}

/* The game ends before the token at hand, or with it. */
static PgnStatus end_moves(PgnReader *reader)
{
    reader->over = true;
    return check_closed(reader);
}

/* A result in a variation belongs to a game that is quoted there, if the variation is closed right behind it. */
static PgnStatus pass_quoted_result(PgnReader *reader)
{
    bool closed = pgn_reader_next(reader)->kind == PGN_TOKEN_CLOSE;
    pgn_reader_unread(reader);
    return closed ? PGN_GO_ON : end_moves(reader);
}

/* What is neither a move nor the end of the game. */
static PgnStatus read_other(PgnReader *reader, const PgnToken *token)
{
    const PgnVisitor *visitor = reader->visitor;
    switch (token->kind) {
    case PGN_TOKEN_NAG:
        if (reader->depth == 0 && !reader->levels[0].moved) return PGN_GO_ON; /* before the first move it judges nothing */
        return !visitor->nag || visitor->nag(visitor->context, token->value) ? PGN_GO_ON : PGN_STOPPED;
    case PGN_TOKEN_COMMENT: return pgn_reader_comment(reader, token->text) ? PGN_GO_ON : PGN_STOPPED;
    case PGN_TOKEN_NULL: return play_null(reader, token);
    case PGN_TOKEN_OPEN: return open_variation(reader, token);
    case PGN_TOKEN_CLOSE: return close_variation(reader, token);
    default: return pgn_reader_break_at(reader, token);
    }
}

PgnStatus pgn_read_moves(PgnReader *reader)
{
    PgnStatus status = PGN_GO_ON;
    while (status == PGN_GO_ON) {
        PgnToken *token = pgn_reader_next(reader);
        switch (token->kind) {
        case PGN_TOKEN_WORD:
            if (!begins_next_game(reader, token)) {
                status = play_word(reader, token);
                break;
            }
            pgn_reader_unread(reader);
            return end_moves(reader);
        case PGN_TOKEN_RESULT:
            if (reader->depth > 0) {
                status = pass_quoted_result(reader);
                break;
            }
            reader->result = (Result)token->value;
            return end_moves(reader);
        case PGN_TOKEN_TAG:
        case PGN_TOKEN_END: pgn_reader_unread(reader); return end_moves(reader);
        default: status = read_other(reader, token);
        }
    }
    return status;
}

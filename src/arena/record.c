/* record.c - see record.h. */
#include "arena/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "game/pgn.h"

typedef struct {
    const char *name;        /* in journal and JSON */
    const char *termination; /* in PGN, as far as the standard has a word for it */
    const char *sentence;    /* %s: the colour that won, or that is at fault */
    bool        of_winner;
} OverText;

static const OverText over_texts[OVERS] = {
    [OVER_CHECKMATE]   = {"checkmate", "normal", "%s mates", true},
    [OVER_STALEMATE]   = {"stalemate", "normal", "Draw by stalemate", false},
    [OVER_MATERIAL]    = {"material", "normal", "Draw by insufficient material", false},
    [OVER_FIFTY_MOVES] = {"fifty-moves", "normal", "Draw by the fifty-move rule", false},
    [OVER_REPETITION]  = {"repetition", "normal", "Draw by threefold repetition", false},
    [OVER_RESIGN]      = {"resign", "adjudication", "%s wins by adjudication", true},
    [OVER_AGREED]      = {"agreed", "adjudication", "Draw by adjudication", false},
    [OVER_LENGTH]      = {"length", "adjudication", "Draw by adjudication: move limit", false},
    [OVER_TABLES]      = {"tables", "adjudication", "%s by adjudication: tablebases", true},
    [OVER_TIME]        = {"time", "time forfeit", "%s loses on time", false},
    [OVER_CRASH]       = {"crash", "abandoned", "%s crashes", false},
    [OVER_STALL]       = {"stall", "abandoned", "%s stalls", false},
    [OVER_ILLEGAL]     = {"illegal", "rules infraction", "%s plays an illegal move", false},
    [OVER_UNUSABLE]    = {"unusable", "abandoned", "%s does not start", false},
};

const char *game_over_name(GameOver over) { return over_texts[over].name; }

bool game_over_from_name(Str name, GameOver *out)
{
    for (int i = 0; i < OVERS; i++) {
        if (!str_equal(str_from(over_texts[i].name), name)) continue;
        *out = (GameOver)i;
        return true;
    }
    return false;
}

bool record_init(GameRecord *record)
{
    Position start;
    position_set_start(&start);
    *record = (GameRecord){0};
    return game_init(&record->game, &start);
}

void record_release(GameRecord *record)
{
    game_release(&record->game);
    free(record->moves);
    *record = (GameRecord){0};
}

bool record_note_move(GameRecord *record, const MoveRecord *move)
{
    size_t plies = record->game.plies;
    if (plies > record->move_cap) {
        size_t      cap   = plies < 128 ? 256 : plies * 2;
        MoveRecord *grown = realloc(record->moves, cap * sizeof *grown);
        if (!grown) return false;
        record->moves    = grown;
        record->move_cap = cap;
    }
    record->moves[plies - 1] = *move;
    return true;
}

void record_describe(const GameRecord *record, Buf *out)
{
    static const char *const colors[] = {"White", "Black"};
    const OverText          *text     = &over_texts[record->over];
    bool                     white    = record->result == RESULT_WHITE_WINS;
    if (!text->of_winner) white = !white; /* the loser is at fault */
    const char *who = record->result == RESULT_DRAW ? "Draw" : colors[white ? WHITE : BLACK];
    for (const char *c = text->sentence; *c; c++) { /* a format from a table cannot be checked by the compiler */
        if (c[0] == '%' && c[1] == 's') {
            buf_append(out, str_from(who));
            c++;
        } else {
            buf_append_char(out, *c);
        }
    }
    if (record->text[0]) buf_printf(out, " (%s)", record->text);
}

/* ---- PGN ---- */

static void put_tag(const PgnVisitor *pgn, const char *name, const char *value)
{
    pgn->tag(pgn->context, str_from(name), str_from(value));
}

static void put_limits(const PgnVisitor *pgn, const RecordTags *tags)
{
    char white[TIMECONTROL_TEXT_SIZE], black[TIMECONTROL_TEXT_SIZE];
    timecontrol_text(tags->limits[WHITE], white);
    timecontrol_text(tags->limits[BLACK], black);
    if (strcmp(white, black) == 0) {
        put_tag(pgn, "TimeControl", white);
        return;
    }
    put_tag(pgn, "WhiteTimeControl", white);
    put_tag(pgn, "BlackTimeControl", black);
}

static void put_tags(const PgnVisitor *pgn, const GameRecord *record, const RecordTags *tags)
{
    char      text[64], fen[FEN_SIZE];
    struct tm date = {0};
    Position  normal;
    gmtime_r(&record->date, &date);
    put_tag(pgn, "Event", tags->event);
    put_tag(pgn, "Site", "?");
    strftime(text, sizeof text, "%Y.%m.%d", &date);
    put_tag(pgn, "Date", text);
    snprintf(text, sizeof text, "%" PRIu64 ".%" PRIu64, record->id / 2 + 1, record->id % 2 + 1);
    put_tag(pgn, "Round", text);
    put_tag(pgn, "White", tags->names[WHITE]);
    put_tag(pgn, "Black", tags->names[BLACK]);
    put_tag(pgn, "Result", result_text(record->result));
    put_limits(pgn, tags);
    position_set_start(&normal);
    if (record->game.start.chess960) put_tag(pgn, "Variant", "Chess960");
    if (record->game.start.chess960 || !position_same(&record->game.start, &normal) || record->game.start.fullmove != 1 ||
        record->game.start.halfmove != 0) {
        position_to_fen(&record->game.start, fen);
        put_tag(pgn, "SetUp", "1");
        put_tag(pgn, "FEN", fen);
    }
    snprintf(text, sizeof text, "%zu", record->game.plies);
    put_tag(pgn, "PlyCount", text);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &date);
    put_tag(pgn, "GameStartTime", text);
    put_tag(pgn, "Termination", over_texts[record->over].termination);
}

/* "+0.31/12 0.045s", "-M3/20 1.2s", "0.045s" when no score was told, "book" for a move of the opening. */
static void move_comment(const GameRecord *record, size_t ply, Buf *out)
{
    const MoveRecord *move = &record->moves[ply];
    buf_reset(out);
    if (ply < record->book_plies) {
        buf_append(out, STR("book"));
        return;
    }
    if (move->has_score && score_is_mate(move->score)) {
        int moves = score_mate_moves(move->score);
        buf_printf(out, "%cM%d/%d ", move->score > 0 ? '+' : '-', moves < 0 ? -moves : moves, move->depth);
    } else if (move->has_score) {
        buf_printf(out, "%+.2f/%d ", (double)move->score / 100, move->depth);
    }
    buf_printf(out, "%.3fs", (double)move->elapsed_ns * 1e-9);
}

static void put_moves(const PgnVisitor *pgn, const GameRecord *record)
{
    Position now     = record->game.start, next;
    Buf      comment = {0};
    for (size_t ply = 0; ply < record->game.plies; ply++) {
        Move move = record->game.moves[ply];
        pgn->move(pgn->context, &now, move);
        move_comment(record, ply, &comment);
        if (ply + 1 == record->game.plies) {
            buf_append(&comment, STR(", "));
            record_describe(record, &comment);
        }
        pgn->comment(pgn->context, buf_str(&comment));
        position_play(&now, move, &next);
        now = next;
    }
    if (record->game.plies == 0) {
        record_describe(record, &comment);
        pgn->comment(pgn->context, buf_str(&comment));
    }
    buf_release(&comment);
}

bool record_write_pgn(const GameRecord *record, const RecordTags *tags, Buf *out)
{
    PgnWriter *writer = pgn_writer_new(out);
    if (!writer) return false;
    PgnVisitor pgn = pgn_writer_visitor(writer);
    pgn.begin_game(pgn.context);
    put_tags(&pgn, record, tags);
    pgn.begin_moves(pgn.context, &record->game.start);
    put_moves(&pgn, record);
    pgn.end_game(pgn.context, record->result);
    pgn_writer_free(writer);
    return !out->failed;
}

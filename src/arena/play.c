/* play.c - see play.h. */
#include "arena/play.h"

#include <stdio.h>

#include "base/clock.h"

enum { MARGIN_CLOCK_MS = 10, MARGIN_MOVETIME_MS = 100 }; /* a fixed time has no reserve from which to pay for a slip */

static void finish(GameRecord *record, Result result, GameOver over, const char *text)
{
    record->result = result;
    record->over   = over;
    snprintf(record->text, sizeof record->text, "%s", text);
}

static void finish_fault(GameRecord *record, Color at_fault, GameOver over, const char *text)
{
    finish(record, at_fault == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS, over, text);
}

static GameOver over_of_status(PlayerStatus status)
{
    switch (status) {
    case PLAYER_STALLED: return OVER_STALL;
    case PLAYER_ILLEGAL: return OVER_ILLEGAL;
    case PLAYER_UNUSABLE: return OVER_UNUSABLE;
    default: return OVER_CRASH;
    }
}

/* Ends the game when the rules say so. */
static bool is_over_by_rules(GameRecord *record)
{
    static const GameOver overs[] = {
        [END_CHECKMATE]             = OVER_CHECKMATE,
        [END_STALEMATE]             = OVER_STALEMATE,
        [END_INSUFFICIENT_MATERIAL] = OVER_MATERIAL,
        [END_SEVENTY_FIVE_MOVES]    = OVER_FIFTY_MOVES,
        [END_FIVEFOLD_REPETITION]   = OVER_REPETITION,
        [END_FIFTY_MOVES]           = OVER_FIFTY_MOVES,
        [END_THREEFOLD_REPETITION]  = OVER_REPETITION,
    };
    GameEnd end = game_end(&record->game);
    if (end == END_NONE) return false;
    Result result = game_result(&record->game, end);
    finish(record, result == RESULT_UNKNOWN ? RESULT_DRAW : result, overs[end], "");
    return true;
}

static bool is_adjudicated(const PlaySetup *setup, AdjudicationState *state, GameRecord *record, Color mover,
                           const PlayerAnswer *answer)
{
    static const GameOver overs[] = {[ADJUDICATE_RESIGN] = OVER_RESIGN,
                                     [ADJUDICATE_DRAW]   = OVER_AGREED,
                                     [ADJUDICATE_LENGTH] = OVER_LENGTH,
                                     [ADJUDICATE_TABLES] = OVER_TABLES};
    Result                result  = RESULT_DRAW;
    Adjudication verdict = adjudicate_move(setup->rules, state, &record->game, mover, answer->has_score, answer->score, &result);
    if (verdict == ADJUDICATE_NONE) return false;
    finish(record, result, overs[verdict], "");
    return true;
}

/* Was it too late? Comes before every other question about the answer. */
static bool is_late(GameRecord *record, Color mover, int64_t allowed_ns, int64_t margin_ns, const PlayerAnswer *answer)
{
    if (allowed_ns == INT64_MAX || answer->status == PLAYER_STALLED || answer->status == PLAYER_CRASHED) return false;
    if (answer->elapsed_ns <= allowed_ns + margin_ns) return false;
    char text[96];
    snprintf(text, sizeof text, "%.3f s for a move, %.3f s allowed", (double)answer->elapsed_ns * 1e-9,
             (double)allowed_ns * 1e-9);
    finish_fault(record, mover, OVER_TIME, text);
    return true;
}

/* Both players get ready; the first that does not loses. */
static PlayStatus begin(const PlaySetup *setup, GameRecord *record, bool *over)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        PlayerAnswer answer;
        PlayerGame   game = {.chess960 = setup->chess960, .seed = setup->seed * 2 + (uint64_t)c};
        if (player_begin_game(setup->players[c], &game, &answer)) continue;
        if (answer.status == PLAYER_INTERRUPTED) return PLAY_INTERRUPTED;
        finish_fault(record, c, over_of_status(answer.status), answer.text);
        *over = true;
        break;
    }
    return PLAY_FINISHED;
}

static int64_t margin_of(const PlaySetup *setup, const GameClock *clock)
{
    int64_t ms = timecontrol_has_clock(&clock->tc) ? MARGIN_CLOCK_MS : MARGIN_MOVETIME_MS;
    return (setup->margin_ms >= 0 ? setup->margin_ms : ms) * 1000000;
}

static PlayStatus play_moves(const PlaySetup *setup, GameRecord *record)
{
    GameClock         clocks[COLORS];
    AdjudicationState state = {0};
    for (Color c = WHITE; c <= BLACK; c++) clock_start(&clocks[c], setup->limits[c]);
    while (!is_over_by_rules(record)) {
        PlayerAnswer answer;
        Color        mover   = position_side(&record->game.now);
        int64_t      allowed = clock_allowed_ns(&clocks[mover]), margin = margin_of(setup, &clocks[mover]);
        PlayerGo     go = {.clocks   = {&clocks[WHITE], &clocks[BLACK]},
                           .limit_ns = allowed == INT64_MAX ? INT64_MAX : allowed + margin};
        bool         ok = player_think(setup->players[mover], &record->game, &go, &answer);
        if (answer.status == PLAYER_INTERRUPTED) return PLAY_INTERRUPTED;
        if (is_late(record, mover, allowed, margin, &answer)) break;
        if (!ok) {
            finish_fault(record, mover, over_of_status(answer.status), answer.text);
            break;
        }
        clock_spend(&clocks[mover], answer.elapsed_ns);
        MoveRecord move = {answer.has_score, answer.score, answer.depth, answer.nodes, answer.elapsed_ns};
        if (!game_play(&record->game, answer.move) || !record_note_move(record, &move)) return PLAY_NO_MEMORY;
        if (game_end(&record->game) == END_NONE && is_adjudicated(setup, &state, record, mover, &answer)) break;
    }
    return PLAY_FINISHED;
}

PlayStatus play_game(const PlaySetup *setup, GameRecord *record)
{
    int64_t start_ns   = clock_now_ns();
    bool    over       = false;
    record->date       = time(NULL);
    record->book_plies = record->game.plies;
    record->text[0]    = '\0';
    if (record->book_plies && !record_note_move(record, &(MoveRecord){0})) return PLAY_NO_MEMORY;
    PlayStatus status = begin(setup, record, &over);
    if (status == PLAY_FINISHED && !over) status = play_moves(setup, record);
    record->duration_ns = clock_now_ns() - start_ns;
    return status;
}

/* track.c - see track.h. */
#include "lichess/track.h"

#include "chess/fen.h"
#include "chess/notation.h"

bool track_init(Track *track)
{
    Position start;
    *track = (Track){0};
    position_set_start(&start);
    return game_init(&track->game, &start);
}

void track_release(Track *track) { game_release(&track->game); }

/* Plays the moves into `game`, which has been reset. */
static bool play_all(Game *game, Str moves, Err *err)
{
    Str word;
    while ((word = str_next_token(&moves)).len) {
        Move move;
        if (!move_from_uci(&game->now, word, &move, err)) return false;
        if (!game_play(game, move)) return err_set(err, ERR_MEMORY, 0, "no memory for so many moves");
    }
    return true;
}

static size_t common_plies(const Game *a, const Game *b)
{
    size_t i = 0;
    while (i < a->plies && i < b->plies && a->moves[i] == b->moves[i]) i++;
    return i;
}

static void take_clocks(Track *track, const LichessState *state, int64_t now_ms, int64_t gap_ms, bool new_turn)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        track->time_ms[c] = state->time_ms[c];
        track->inc_ms[c]  = state->inc_ms[c];
    }
    int64_t left = state->time_ms[track->us], lost = gap_ms < left / 2 ? gap_ms : left / 2;
    if (new_turn) {
        track->turn_since_ms = now_ms;
        track->turn_time_ms  = left - lost;
    }
}

/* Replaces the game by `next`, which it swallows. */
static TrackNews commit(Track *track, Game *next, const LichessState *state, int64_t now_ms, int64_t gap_ms)
{
    bool same = track->known && common_plies(&track->game, next) == track->game.plies && next->plies == track->game.plies &&
                next->start.key == track->game.start.key;
    game_release(&track->game);
    track->game       = *next;
    track->may_shrink = track->may_shrink && same;
    track->over       = track->over || lichess_status_is_over(state->status);
    take_clocks(track, state, now_ms, gap_ms, !same || !track->known);
    return same ? TRACK_SAME : TRACK_CHANGED;
}

static bool read_start(const LichessGame *game, Position *out, Err *err)
{
    if (str_equal(game->start_fen, STR("startpos"))) {
        position_set_start(out);
    } else if (!position_from_fen(game->start_fen, out, NULL, err)) {
        return false;
    }
    if (str_equal(game->variant, STR("chess960"))) out->chess960 = true;
    return true;
}

static TrackNews replace(Track *track, const Position *start, const LichessState *state, bool truth, int64_t now_ms,
                         int64_t gap_ms, Err *err)
{
    Game next;
    if (!game_init(&next, start)) {
        err_set(err, ERR_MEMORY, 0, "out of memory");
        return TRACK_BROKEN;
    }
    if (!play_all(&next, state->moves, err)) {
        game_release(&next);
        return TRACK_BROKEN;
    }
    bool shorter = next.plies < track->game.plies, over = lichess_status_is_over(state->status);
    if (!truth && shorter && !track->may_shrink) {
        track->over = track->over || over; /* a game that is over stays over, whichever moves the news knows */
        game_release(&next);
        return over ? TRACK_SAME : TRACK_OLD;
    }
    return commit(track, &next, state, now_ms, gap_ms);
}

TrackNews track_full(Track *track, const LichessGame *game, Str self, bool truth, int64_t now_ms, int64_t gap_ms, Err *err)
{
    static const char *const variants[] = {"standard", "chess960", "fromPosition"};
    Position                 start;
    bool                     known = false;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        known = known || str_equal(game->variant, str_from(variants[i]));
    if (!known) {
        err_set(err, ERR_FORMAT, 0, "the variant '%.*s' is not played", STR_ARGS(game->variant));
        return TRACK_BROKEN;
    }
    bool white = str_equal_nocase(game->players[WHITE].id, self), black = str_equal_nocase(game->players[BLACK].id, self);
    if (white == black) {
        err_set(err, ERR_FORMAT, 0, "it is not a game of %.*s", STR_ARGS(self));
        return TRACK_BROKEN;
    }
    if (!read_start(game, &start, err)) return TRACK_BROKEN;
    Color before     = track->us;
    track->us        = white ? WHITE : BLACK;
    track->has_clock = game->has_clock;
    TrackNews news   = replace(track, &start, &game->state, truth || !track->known, now_ms, gap_ms, err);
    if (news == TRACK_BROKEN) {
        track->us = before;
    } else {
        track->known = true;
    }
    return news;
}

TrackNews track_state(Track *track, const LichessState *state, int64_t now_ms, Err *err)
{
    if (!track->known) {
        err_set(err, ERR_SYNTAX, 0, "a state came before the game was described");
        return TRACK_BROKEN;
    }
    Position start = track->game.start;
    return replace(track, &start, state, false, now_ms, 0, err);
}

bool track_our_turn(const Track *track) { return track->known && !track->over && position_side(&track->game.now) == track->us; }

int64_t track_time_left(const Track *track, int64_t now_ms)
{
    int64_t watched = track->turn_time_ms - (now_ms - track->turn_since_ms), told = track->time_ms[track->us];
    return watched < told ? watched : told;
}

void track_decide(Track *track, Move move)
{
    track->decided      = true;
    track->decided_ply  = track->game.plies;
    track->decided_key  = track->game.now.key;
    track->decided_move = move;
}

bool track_is_decided(const Track *track)
{
    return track->decided && track->decided_ply == track->game.plies && track->decided_key == track->game.now.key;
}

/* live.c - see live.h: the stream, and what the game does about its news. */
#include "lichess/live.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "lichess/live_ask.h"

enum { FIRST_MOVES = 2 }; /* plies before which a game can be aborted and no clock runs */

static void open_stream(Live *live);

/* ---- thinking ---- */

static void stop_thinking(Live *live)
{
    if (live->thinking || live->pondering) bot_thinker_stop(live->thinker);
    live->thinking = live->pondering = false;
}

static GoLimits limits_of(const Live *live, int64_t now_ms)
{
    const Config *config = live->host->config;
    const Track  *track  = &live->track;
    GoLimits      go     = {.nodes = config->move_nodes, .depth = (int)config->move_depth, .move_time_ms = config->move_time_ms};
    if (!track->has_clock) {
        go.move_time_ms = config->correspondence_move_ms;
        return go;
    }
    for (Color c = WHITE; c <= BLACK; c++) {
        go.has_time[c] = true;
        go.time_ms[c]  = track->time_ms[c];
        go.inc_ms[c]   = track->inc_ms[c];
    }
    if (track_our_turn(track)) go.time_ms[track->us] = track_time_left(track, now_ms);
    return go;
}

static void note_thought(Live *live, const Game *game)
{
    live->thought_ply = game->plies;
    live->thought_key = game->now.key;
}

/* Whether the position on the board is the one that is thought or was pondered about. As many moves are not enough: a takeback
 * that no stream told leaves another position at the same ply. */
static bool is_thought_about(const Live *live)
{
    const Game *game = &live->track.game;
    return live->thought_ply == game->plies && live->thought_key == game->now.key;
}

static void think(Live *live, int64_t now_ms)
{
    Err      err;
    GoLimits go = limits_of(live, now_ms);
    stop_thinking(live);
    live->thinking = true;
    note_thought(live, &live->track.game);
    if (!bot_thinker_go(live->thinker, &live->track.game, &go, overhead_ms(&live->overhead, live->host->config), &err)) {
        live->thinking = false;
        host_log(live->host, "%s: the engine cannot think: %s", live->id, err.text);
        live->resign.wanted = true; /* a game that cannot be played on is not left to the clock */
    }
}

/* Whether the answer that the engine expects can be played: after a takeback it may be one to a move that is no longer made. */
static bool can_ponder(const Live *live)
{
    const Position *pos  = &live->track.game.now;
    Move            move = live->ponder_move;
    if (!live->host->config->ponder || move == MOVE_NONE || live->pondering || live->thinking) return false;
    KingState king = movegen_king_state(pos);
    return movegen_is_legal(pos, &king, move);
}

/* Thinks on the opponent's time about the answer that is expected. */
static void ponder(Live *live, int64_t now_ms)
{
    Game ahead;
    Err  err;
    Move move = live->ponder_move;
    if (!can_ponder(live) || !game_init(&ahead, &live->track.game.start)) return;
    bool ok = true;
    for (size_t i = 0; ok && i < live->track.game.plies; i++) ok = game_play(&ahead, live->track.game.moves[i]);
    ok = ok && game_play(&ahead, move) && game_end(&ahead) == END_NONE;
    if (ok) {
        GoLimits go     = limits_of(live, now_ms);
        go.ponder       = true;
        live->pondering = bot_thinker_go(live->thinker, &ahead, &go, overhead_ms(&live->overhead, live->host->config), &err);
        note_thought(live, &ahead);
    }
    game_release(&ahead);
}

/* ---- moves ---- */

/* Only of the position on the board: see forget_move. */
static void on_move_done(void *context, const HttpReply *reply)
{
    Live *live = context;
    char  text[256];
    live->move_request = 0;
    if (host_is_refused(live->host, reply)) return;
    if (reply->status == 200) {
        live->overtaken     = true;
        live->move_taken    = true;
        live->move_taken_ms = clock_now_ms();
        if (!live->overhead.known) overhead_note(&live->overhead, (double)reply->elapsed_ms);
        return;
    }
    host_describe(reply, text, sizeof text);
    host_log(live->host, "%s: a move was not taken: %s", live->id, text);
    live_resync(live);
}

/* The stream shows another position. A move for the old one has been made, or must not be: if it waits behind a "too many
 * requests", or was queued by an earlier line of the same breath, it would come a turn late. */
static void forget_move(Live *live)
{
    http_forget(live->host->http, live->move_request);
    live->move_request = 0;
    live->move_taken   = false;
}

static void send_move(Live *live)
{
    char         path[HTTP_PATH_SIZE], uci[UCI_MOVE_SIZE];
    const Track *track = &live->track;
    int64_t      now   = clock_now_ms();
    if (live->move_request || live->resign.wanted) return;
    move_to_uci(&track->game.now, track->decided_move, uci);
    bool offer = live->sendings == 0 && policy_offers_draw(live->host->config, &live->trend, track->game.now.fullmove);
    snprintf(path, sizeof path, "/api/bot/game/%s/move/%s%s", live->id, uci, offer ? "?offeringDraw=true" : "");
    live->move_taken          = false;
    live->overtaken           = true;
    live->spent_ms            = now - track->turn_since_ms;
    live->sendings            = live->sendings + 1;
    const HttpRequest request = {.kind = HTTP_URGENT, .post = true, .path = path, .context = live, .done = on_move_done};
    live->move_request        = http_send(live->host->http, &request);
    if (!live->move_request) live_resync(live);
}

static void take_thought(Live *live)
{
    SearchResult result;
    const Track *track = &live->track;
    if (!live->thinking || !bot_thinker_take(live->thinker, &result)) return;
    live->thinking = false;
    if (!track_our_turn(track) || !is_thought_about(live) || track_is_decided(track)) return;
    if (result.best == MOVE_NONE) return; /* the game is over; the server will say so */
    if (result.depth > 0) policy_note_score(live->host->config, result.score, &live->trend);
    if (policy_resigns(live->host->config, &live->trend)) {
        live->resign.wanted = true;
        return;
    }
    live->sendings    = 0;
    live->ponder_move = result.ponder;
    track_decide(&live->track, result.best);
    send_move(live);
}

/* What the clock lost beyond our own thinking is what the way costs. Only an undisturbed move can tell. */
static void learn_overhead(Live *live, size_t plies_before, int64_t clock_before)
{
    const Track *track = &live->track;
    bool         ours  = track->decided && track->decided_ply == plies_before && track->game.plies == plies_before + 1;
    if (!ours || !track->has_clock || live->sendings != 1 || plies_before < FIRST_MOVES) return;
    int64_t lost = clock_before + track->inc_ms[track->us] - track->time_ms[track->us] - live->spent_ms;
    overhead_note(&live->overhead, (double)lost);
}

/* ---- news ---- */

static void save(Live *live)
{
    Err err;
    if (live->saved) return;
    live->saved = true;
    host_log(live->host, "%s: over (%s), %s", live->id, live->status,
             live->winner < 0                      ? "nobody won"
             : live->winner == (int)live->track.us ? "the bot won"
                                                   : "the bot lost");
    if (!live_save(live, &err)) host_log(live->host, "%s: the game could not be kept: %s", live->id, err.text);
}

static void end_game(Live *live)
{
    stop_thinking(live);
    if (live->finished) return;
    http_cancel(live->host->http, live->stream);
    http_cancel(live->host->http, live->move_request);
    live->stream = live->move_request = 0;
    save(live);
    if (live->host->config->goodbye.len) live_chat(live, live->host->config->goodbye);
    live->finished = true;
}

/* Does what the state of the game asks for. `truth`: the server has just told all it knows, so what it lacks is lacking. */
static void act(Live *live, bool truth, int64_t now_ms)
{
    const Track *track = &live->track;
    if (track->over) {
        end_game(live);
        return;
    }
    if (!track_our_turn(track)) {
        if (live->thinking || live->thought_ply != track->game.plies + 1) stop_thinking(live);
        ponder(live, now_ms);
        return;
    }
    if (track_is_decided(track)) {
        if (truth && !live->overtaken) send_move(live);
        return;
    }
    if (live->thinking && is_thought_about(live)) return;
    if (live->pondering && is_thought_about(live)) {
        live->pondering = false;
        live->thinking  = true;
        bot_thinker_ponderhit(live->thinker);
    } else {
        think(live, now_ms);
    }
    live->ponder_move = MOVE_NONE;
}

static void copy_player(LivePlayer *out, const LichessUser *user)
{
    snprintf(out->name, sizeof out->name, "%.*s", STR_ARGS(user->name));
    out->rating = user->rating;
    out->bot    = user->bot;
}

static void copy_description(Live *live, const LichessGame *game)
{
    bool first = !live->variant[0];
    copy_player(&live->players[WHITE], &game->players[WHITE]);
    copy_player(&live->players[BLACK], &game->players[BLACK]);
    snprintf(live->variant, sizeof live->variant, "%.*s", STR_ARGS(game->variant));
    snprintf(live->speed, sizeof live->speed, "%.*s", STR_ARGS(game->speed));
    live->rated        = game->rated;
    live->base_ms      = game->base_ms;
    live->increment_ms = game->increment_ms;
    if (first)
        host_log(live->host, "%s: %s, %s %s, %s plays %s", live->id, live->variant, live->rated ? "rated" : "casual", live->speed,
                 live->players[WHITE].name, live->players[BLACK].name);
}

static void note_state(Live *live, const LichessState *state)
{
    snprintf(live->status, sizeof live->status, "%.*s", STR_ARGS(state->status));
    live->winner = state->winner;
}

/* A line that says nothing is passed over, unless it may have been the description that everything waits for. A game that cannot
 * be understood at all is given up rather than left to the clock. */
static void on_nonsense(Live *live, const char *why)
{
    enum { PATIENCE = 6 };
    host_log(live->host, "%s: a line that makes no sense: %s", live->id, why);
    if (!live->fresh) return;
    if (++live->nonsense >= PATIENCE) live->abort.wanted = live->resign.wanted = true;
    live_resync(live);
}

/* Whether a description comes behind a state on its stream: nobody can say then which of them is older. */
static bool is_out_of_order(Live *live, const LichessEvent *event)
{
    if (live->fresh && event->kind == LICHESS_GAME_STATE) live->state_first = true;
    return live->fresh && event->kind == LICHESS_GAME_FULL && live->state_first;
}

/* News of the game, by a whole description or by a state. */
static void on_news(Live *live, const LichessEvent *event)
{
    if (is_out_of_order(live, event)) {
        live_resync(live);
        return;
    }
    Err       err;
    Track    *track = &live->track;
    int64_t   now = clock_now_ms(), gap = live->fresh && track->known ? now - live->heard_ms : 0;
    bool      truth = live->fresh && event->kind == LICHESS_GAME_FULL, stale_turn = truth && track->known;
    size_t    plies  = track->game.plies;
    int64_t   before = track->turn_time_ms;
    TrackNews news   = event->kind == LICHESS_GAME_FULL
                           ? track_full(track, &event->game, str_from(live->host->self), truth, now, gap, &err)
                           : track_state(track, &event->game.state, now, &err);
    if (news == TRACK_BROKEN) {
        on_nonsense(live, err.text);
        return;
    }
    if (truth) {
        live->fresh    = false;
        live->nonsense = 0;
        live->failures =
            track_is_decided(track) ? live->sendings : 0; /* who refuses a move again and again is asked less often */
    }
    if (event->kind == LICHESS_GAME_FULL) copy_description(live, &event->game);
    if (news == TRACK_OLD) return;
    note_state(live, &event->game.state);
    if (news == TRACK_CHANGED && !stale_turn) learn_overhead(live, plies, before);
    if (news == TRACK_CHANGED) {
        forget_move(live);
        live->draw_answered = live->takeback_answered = false;
    }
    live_greet(live);
    act(live, truth, now);
    if (!live->finished) live_answer_offers(live, &event->game.state);
}

static void on_line(void *context, Str line)
{
    Live        *live = context;
    LichessEvent event;
    Err          err;
    if (live->finished) return;
    if (!lichess_event_parse(line, &event, &err)) {
        on_nonsense(live, err.text);
        return;
    }
    switch (event.kind) {
    case LICHESS_GAME_FULL:
    case LICHESS_GAME_STATE: on_news(live, &event); break;
    case LICHESS_OPPONENT_GONE:
        live->claim_at_ms = event.gone && event.claim_after_s >= 0 ? clock_now_ms() + event.claim_after_s * 1000 : 0;
        break;
    default: break; /* chat, and what later servers may say */
    }
    lichess_event_release(&event);
}

static void on_alive(void *context) { ((Live *)context)->heard_ms = clock_now_ms(); }

static void on_stream_done(void *context, const HttpReply *reply)
{
    Live *live = context;
    char  text[256];
    live->stream = 0;
    if (live->finished || host_is_refused(live->host, reply)) return;
    if (reply->status == 404 || reply->status == 403) {
        host_log(live->host, "%s: the server does not know this game any more", live->id);
        snprintf(live->status, sizeof live->status, "unknown");
        live->winner = -1;
        end_game(live);
        return;
    }
    host_describe(reply, text, sizeof text);
    live->failures++;
    int64_t wait = host_backoff_ms(live->host, live->failures);
    host_log(live->host, "%s: the stream ended (%s); again in %lld ms", live->id, text, (long long)wait);
    live->reopen_at_ms = clock_now_ms() + wait;
}

static void open_stream(Live *live)
{
    char path[HTTP_PATH_SIZE];
    snprintf(path, sizeof path, "/api/bot/game/stream/%s", live->id);
    const HttpRequest request = {
        .kind = HTTP_STREAM, .path = path, .context = live, .line = on_line, .alive = on_alive, .done = on_stream_done};
    live->fresh       = true;
    live->state_first = false;
    live->overtaken   = live->move_request != 0;
    live->stream      = http_send(live->host->http, &request);
    if (!live->stream) live->reopen_at_ms = clock_now_ms() + live->host->config->backoff_max_ms;
}

void live_resync(Live *live)
{
    if (live->finished) return;
    http_cancel(live->host->http, live->stream);
    live->stream = 0;
    live->failures++;
    live->reopen_at_ms = clock_now_ms() + host_backoff_ms(live->host, live->failures);
}

/* ---- time ---- */

static bool waits_for_first_move(const Live *live)
{
    return live->track.known && live->track.game.plies < FIRST_MOVES && !track_our_turn(&live->track);
}

/* The moments at which something has to be done without news; INT64_MAX: never. */
static int64_t abort_at(const Live *live)
{
    return waits_for_first_move(live) && !live->abort.wanted ? live->start_ms + live->host->config->abort_after_s * 1000
                                                             : INT64_MAX;
}

static int64_t claim_at(const Live *live)
{
    bool wants = live->claim_at_ms && !live->claim.wanted && live->host->config->claim_victory;
    return wants ? live->claim_at_ms : INT64_MAX;
}

static int64_t doubt_at(const Live *live)
{
    return live->move_taken && live->stream ? live->move_taken_ms + live->host->config->stream_idle_ms : INT64_MAX;
}

static int64_t reopen_at(const Live *live) { return live->stream ? INT64_MAX : live->reopen_at_ms; }

int64_t live_next_ms(const Live *live, int64_t now_ms)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < 5 && !live->finished; i++) {
        int64_t at = i == 0   ? abort_at(live)
                     : i == 1 ? claim_at(live)
                     : i == 2 ? doubt_at(live)
                     : i == 3 ? reopen_at(live)
                              : live_intents_at(live);
        if (at < next) next = at;
    }
    return next == INT64_MAX ? INT64_MAX : next > now_ms ? next - now_ms : 0;
}

void live_tick(Live *live, int64_t now_ms)
{
    if (live->finished) return;
    take_thought(live);
    if (now_ms >= abort_at(live)) {
        host_log(live->host, "%s: the opponent does not begin: aborting", live->id);
        live->abort.wanted = true;
    }
    if (now_ms >= claim_at(live)) live->claim.wanted = true;
    if (now_ms >= doubt_at(live)) {
        live->move_taken = false;
        live_resync(live);
    }
    if (now_ms >= reopen_at(live)) open_stream(live);
    live_send_intents(live, now_ms);
}

void live_leave(Live *live)
{
    bool begun = live->track.game.plies >= FIRST_MOVES;
    if (begun) live->resign.wanted = true;
    if (!begun) live->abort.wanted = true;
}

/* ---- life ---- */

Live *live_new(Host *host, Thinker *thinker, Str id)
{
    Live *live = calloc(1, sizeof *live);
    if (!live || !track_init(&live->track)) {
        free(live);
        return NULL;
    }
    live->host     = host;
    live->thinker  = thinker;
    live->winner   = -1;
    live->start_ms = live->heard_ms = clock_now_ms();
    snprintf(live->id, sizeof live->id, "%.*s", STR_ARGS(id));
    bot_thinker_new_game(thinker);
    open_stream(live);
    return live;
}

void live_free(Live *live)
{
    if (!live) return;
    Http *http = live->host->http;
    stop_thinking(live);
    HttpId requests[] = {live->stream, live->move_request, live->resign.request, live->abort.request, live->claim.request};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) http_cancel(http, requests[i]);
    track_release(&live->track);
    free(live);
}

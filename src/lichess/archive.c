/* archive.c - a finished game as PGN, and where it is kept. Part of live.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "game/pgn.h"
#include "lichess/live.h"

static Result result_of(const Live *live)
{
    static const char *const draws[] = {"draw", "stalemate", "insufficientMaterialClaim"};
    if (live->winner >= 0) return live->winner == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++) {
        if (str_equal(str_from(live->status), str_from(draws[i]))) return RESULT_DRAW;
    }
    bool timed = str_equal(str_from(live->status), STR("outoftime")) || str_equal(str_from(live->status), STR("timeout"));
    return timed ? RESULT_DRAW : RESULT_UNKNOWN; /* a flag that fell against a bare king */
}

static void put(const PgnVisitor *pgn, const char *name, const char *value)
{
    if (value[0]) pgn->tag(pgn->context, str_from(name), str_from(value));
}

static void put_number(const PgnVisitor *pgn, const char *name, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    if (number > 0) put(pgn, name, text);
}

static void put_tags(const PgnVisitor *pgn, const Live *live)
{
    char      text[256], date[16];
    struct tm day;
    time_t    now = time(NULL);
    gmtime_r(&now, &day);
    strftime(date, sizeof date, "%Y.%m.%d", &day);
    snprintf(text, sizeof text, "%s %s game", live->rated ? "Rated" : "Casual", live->speed);
    put(pgn, "Event", text);
    snprintf(text, sizeof text, "%.*s/%s", STR_ARGS(live->host->config->url), live->id);
    put(pgn, "Site", text);
    put(pgn, "Date", date);
    put(pgn, "Round", "-");
    put(pgn, "White", live->players[WHITE].name[0] ? live->players[WHITE].name : "?");
    put(pgn, "Black", live->players[BLACK].name[0] ? live->players[BLACK].name : "?");
    put(pgn, "Result", result_text(result_of(live)));
    put(pgn, "UTCDate", date);
    put_number(pgn, "WhiteElo", live->players[WHITE].rating);
    put_number(pgn, "BlackElo", live->players[BLACK].rating);
    if (live->players[WHITE].bot) put(pgn, "WhiteTitle", "BOT");
    if (live->players[BLACK].bot) put(pgn, "BlackTitle", "BOT");
    snprintf(text, sizeof text, "%lld+%lld", (long long)live->base_ms / 1000, (long long)live->increment_ms / 1000);
    put(pgn, "TimeControl", live->track.has_clock ? text : "-");
    if (str_equal(str_from(live->variant), STR("chess960"))) put(pgn, "Variant", "Chess960");
    put(pgn, "Termination", live->status);
}

bool live_write_pgn(const Live *live, Buf *out)
{
    PgnWriter *writer = pgn_writer_new(out);
    Position   now    = live->track.game.start, next;
    if (!writer) return false;
    PgnVisitor pgn = pgn_writer_visitor(writer);
    pgn.begin_game(pgn.context);
    put_tags(&pgn, live);
    pgn.begin_moves(pgn.context, &now);
    for (size_t i = 0; i < live->track.game.plies; i++) {
        pgn.move(pgn.context, &now, live->track.game.moves[i]);
        position_play(&now, live->track.game.moves[i], &next);
        now = next;
    }
    pgn.end_game(pgn.context, result_of(live));
    pgn_writer_free(writer);
    return !out->failed;
}

/* One write at the end of the file: two programs that share it do not tear each other's games. */
static bool append(const char *path, Str text, Err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) return err_set_errno(err, ERR_IO, "%s", path);
    ssize_t written = write(fd, text.ptr, text.len);
    bool    ok      = written == (ssize_t)text.len;
    if (!ok) err_set_errno(err, ERR_IO, "%s", path);
    if (close(fd) != 0 && ok) ok = err_set_errno(err, ERR_IO, "%s", path);
    return ok;
}

bool live_save(Live *live, Err *err)
{
    Str       folder = live->host->config->pgn_folder;
    Buf       path = {0}, text = {0};
    struct tm day;
    time_t    now = time(NULL);
    if (folder.len == 0 || !live->track.known) return true;
    gmtime_r(&now, &day);
    buf_printf(&path, "%.*s", STR_ARGS(folder));
    bool ok = !path.failed && (mkdir(path.data, 0755) == 0 || errno == EEXIST);
    if (!ok) err_set_errno(err, ERR_IO, "the folder %.*s", STR_ARGS(folder));
    buf_printf(&path, "/%04d-%02d.pgn", day.tm_year + 1900, day.tm_mon + 1);
    if (ok && (path.failed || !live_write_pgn(live, &text))) ok = err_set(err, ERR_MEMORY, 0, "out of memory");
    if (ok) ok = append(path.data, buf_str(&text), err);
    buf_release(&path);
    buf_release(&text);
    return ok;
}

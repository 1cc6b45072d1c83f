/* game_file.c - see game_file.h. */
#include "term/game_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "game/pgn.h"

/* ---- writing ---- */

bool game_to_pgn(const Game *game, const GameTags *tags, Buf *out)
{
    PgnWriter *writer = pgn_writer_new(out);
    if (!writer) return false;
    PgnVisitor visitor = pgn_writer_visitor(writer);
    Position   pos     = game->start, next;
    visitor.begin_game(writer);
    visitor.tag(writer, STR("Event"), STR("A game at the terminal"));
    visitor.tag(writer, STR("Site"), STR("?"));
    visitor.tag(writer, STR("Date"), str_from(tags->date));
    visitor.tag(writer, STR("Round"), STR("-"));
    visitor.tag(writer, STR("White"), str_from(tags->white));
    visitor.tag(writer, STR("Black"), str_from(tags->black));
    visitor.tag(writer, STR("Result"), str_from(result_text(tags->result)));
    if (tags->time_control) visitor.tag(writer, STR("TimeControl"), str_from(tags->time_control));
    if (tags->termination) visitor.tag(writer, STR("Termination"), str_from(tags->termination));
    visitor.begin_moves(writer, &game->start);
    for (size_t i = 0; i < game->plies; i++) {
        visitor.move(writer, &pos, game->moves[i]);
        position_play(&pos, game->moves[i], &next);
        pos = next;
    }
    visitor.end_game(writer, tags->result);
    pgn_writer_free(writer);
    return !out->failed;
}

/* Makes the folders that lead to a file. */
static void make_folders(const char *path)
{
    char part[GAME_FILE_PATH];
    for (size_t i = 1; path[i] && i + 1 < sizeof part; i++) {
        if (path[i] != '/') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return; /* opening the file will say what is wrong */
    }
}

static bool write_all(int fd, Str text, uint64_t at)
{
    while (text.len) {
        ssize_t put = pwrite(fd, text.ptr, text.len, (off_t)at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        at += (uint64_t)put;
        text = str_skip(text, (size_t)put);
    }
    return true;
}

/* Where the game goes: over its own last version when that ends the file, else behind everything. */
static uint64_t place_of(const GameFile *file, const char *path, uint64_t size)
{
    bool own = strcmp(file->path, path) == 0 && file->length > 0 && file->offset + file->length == size;
    return own ? file->offset : size;
}

/* A file that does not end with an empty line gets one, so that the new game begins cleanly. */
static uint64_t end_last_game(int fd, uint64_t size)
{
    char end[2] = {'\n', '\n'};
    if (size >= 2 && pread(fd, end, 2, (off_t)(size - 2)) != 2) return size;
    Str gap = end[1] != '\n' ? STR("\n\n") : end[0] != '\n' ? STR("\n") : STR("");
    return write_all(fd, gap, size) ? size + gap.len : size;
}

bool game_file_save(GameFile *file, const char *path, Str pgn, Err *err)
{
    struct stat info;
    if (strlen(path) >= GAME_FILE_PATH) return err_set(err, ERR_RANGE, 0, "the file name is too long");
    make_folders(path);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || fstat(fd, &info) != 0) {
        err_set_errno(err, ERR_IO, "cannot write %s", path);
        if (fd >= 0) close(fd);
        return false;
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        return err_set(err, ERR_IO, 0, "%s is no ordinary file", path);
    }
    uint64_t size = (uint64_t)info.st_size, at = place_of(file, path, size);
    if (at == size) at = end_last_game(fd, size);
    bool ok = write_all(fd, pgn, at) && ftruncate(fd, (off_t)(at + pgn.len)) == 0;
    if (!ok) err_set_errno(err, ERR_IO, "cannot write %s", path);
    if (close(fd) != 0 && ok) ok = err_set_errno(err, ERR_IO, "cannot write %s", path);
    if (!ok) return false;
    memmove(file->path, path, strlen(path) + 1);
    file->offset = at;
    file->length = pgn.len;
    return true;
}

/* ---- reading ---- */

typedef struct {
    uint64_t wanted, number;
    int      depth; /* of variations */
    bool     begun, found, stopped, failed;
    Game    *game;
    PgnError error;
} Loading;

static bool on_begin_game(void *context)
{
    Loading *l = context;
    l->number++;
    return !l->begun;
}

static bool on_begin_moves(void *context, const Position *start)
{
    Loading *l = context;
    if (l->number != l->wanted) return true;
    l->begun = l->found = true;
    l->failed           = !game_init(l->game, start);
    return !l->failed;
}

static bool on_move(void *context, const Position *before, Move move)
{
    (void)before;
    Loading *l = context;
    if (!l->begun || l->depth > 0 || l->stopped) return true;
    if (move == MOVE_NONE) {
        l->stopped = true;
    } else if (!game_play(l->game, move)) {
        l->failed = true;
    }
    return !l->failed;
}

static bool on_begin_variation(void *context)
{
    Loading *l = context;
    l->depth++;
    return true;
}

static bool on_end_variation(void *context)
{
    Loading *l = context;
    l->depth--;
    return true;
}

static bool on_end_game(void *context, Result result)
{
    (void)result;
    Loading *l = context;
    l->depth   = 0;
    return l->number < l->wanted;
}

static bool on_error(void *context, const PgnError *error)
{
    Loading *l = context;
    if (l->number == l->wanted) l->error = *error;
    return true;
}

bool game_file_load(const char *path, uint64_t number, Game *out, Err *err)
{
    Game             game    = {0};
    Loading          l       = {.wanted = number, .game = &game};
    const PgnVisitor visitor = {.context         = &l,
                                .begin_game      = on_begin_game,
                                .begin_moves     = on_begin_moves,
                                .move            = on_move,
                                .begin_variation = on_begin_variation,
                                .end_variation   = on_end_variation,
                                .end_game        = on_end_game,
                                .error           = on_error};
    bool             ok      = pgn_read_file(path, &visitor, NULL, err);
    if (ok && l.failed) ok = err_set(err, ERR_MEMORY, 0, "no memory for the game");
    if (ok && l.error.line)
        ok = err_set(err, ERR_SYNTAX, 0, "%s:%zu:%zu: %.150s", path, l.error.line, l.error.column, l.error.err.text);
    if (ok && !l.found) ok = err_set(err, ERR_NOT_FOUND, 0, "%s holds %llu games", path, (unsigned long long)l.number);
    if (ok) {
        *out = game;
    } else {
        game_release(&game);
    }
    return ok;
}

/* shelf.c - see shelf.h. */
#include "web/shelf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "web/hub.h"

enum { SHELF_FILE_MAX = 16 << 20 };

bool shelf_open(const char *folder, Err *err)
{
    Buf path = {0};
    Str rest = str_from(folder);
    if (!rest.len) return err_set(err, ERR_NOT_FOUND, 0, "the data folder has no name");
    bool ok = true;
    for (size_t i = 1; ok && i <= rest.len; i++) {
        if (i < rest.len && rest.ptr[i] != '/') continue;
        buf_reset(&path);
        buf_append(&path, (Str){rest.ptr, i});
        ok = !path.failed && (mkdir(path.data, 0700) == 0 || errno == EEXIST || errno == EISDIR);
    }
    buf_release(&path);
    struct stat info;
    if (ok && stat(folder, &info) == 0 && S_ISDIR(info.st_mode) && access(folder, W_OK) == 0) return true;
    return err_set_errno(err, ERR_IO, "games cannot be kept in '%s'", folder);
}

static void file_name(const Session *s, const char *ending, Buf *out)
{
    buf_printf(out, "%s/%s%s", s->hub->data.data, s->id, ending);
}

static bool write_all(int fd, Str text)
{
    while (text.len) {
        ssize_t done = write(fd, text.ptr, text.len);
        if (done < 0 && errno != EINTR) return false;
        if (done > 0) text = str_skip(text, (size_t)done);
    }
    return true;
}

bool shelf_save(const Session *s, Err *err)
{
    Buf text = {0}, name = {0}, fresh = {0};
    file_name(s, ".pgn", &name);
    file_name(s, ".tmp", &fresh);
    bool ok = tree_write_pgn(&s->tree, &text) && !name.failed && !fresh.failed;
    int  fd = ok ? open(fresh.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    ok      = fd >= 0 && write_all(fd, buf_str(&text));
    if (fd >= 0) ok = close(fd) == 0 && ok;
    if (ok) ok = rename(fresh.data, name.data) == 0;
    if (!ok) {
        err_set_errno(err, ERR_IO, "the game cannot be saved");
        if (fd >= 0) unlink(fresh.data);
    }
    buf_release(&text);
    buf_release(&name);
    buf_release(&fresh);
    return ok;
}

void shelf_remove(const Session *s)
{
    Buf name = {0};
    file_name(s, ".pgn", &name);
    if (!name.failed) unlink(name.data);
    buf_release(&name);
}

/* ---- loading ---- */

typedef struct {
    char            id[ID_SIZE];
    struct timespec changed;
} StoredGame;

typedef struct {
    Hub     *hub;
    Session *session; /* the first game of the file */
    Err      err;
} Loading;

static bool is_id(const char *name)
{
    for (int i = 0; i < ID_SIZE - 1; i++) {
        if (!char_is_digit(name[i]) && !(name[i] >= 'a' && name[i] <= 'f')) return false;
    }
    return strcmp(name + ID_SIZE - 1, ".pgn") == 0;
}

static int compare_age(const void *a, const void *b)
{
    const StoredGame *x = a, *y = b;
    if (x->changed.tv_sec != y->changed.tv_sec) return x->changed.tv_sec < y->changed.tv_sec ? -1 : 1;
    if (x->changed.tv_nsec != y->changed.tv_nsec) return x->changed.tv_nsec < y->changed.tv_nsec ? -1 : 1;
    return strcmp(x->id, y->id);
}

static StoredGame *list_games(const char *folder, size_t *count, Err *err)
{
    DIR        *dir   = opendir(folder);
    StoredGame *games = NULL;
    size_t      cap   = 0;
    *count            = 0;
    if (!dir) {
        err_set_errno(err, ERR_IO, "the folder '%s' cannot be read", folder);
        return NULL;
    }
    games = malloc(sizeof *games);
    for (struct dirent *entry; games && (entry = readdir(dir));) {
        struct stat info;
        if (strlen(entry->d_name) != ID_SIZE + 3 || !is_id(entry->d_name)) continue;
        if (fstatat(dirfd(dir), entry->d_name, &info, 0) != 0 || !S_ISREG(info.st_mode)) continue;
        if (*count + 1 > cap) {
            cap              = cap ? cap * 2 : 64;
            StoredGame *more = realloc(games, cap * sizeof *games);
            if (!more) break;
            games = more;
        }
        StoredGame *game = &games[(*count)++];
        memcpy(game->id, entry->d_name, ID_SIZE - 1);
        game->id[ID_SIZE - 1] = '\0';
        game->changed         = info.st_mtim;
    }
    closedir(dir);
    if (!games) err_set(err, ERR_MEMORY, 0, "no memory for the list of games");
    if (*count) qsort(games, *count, sizeof *games, compare_age);
    return games;
}

static bool read_whole(const char *path, Buf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t got = 1;
    while (got > 0 && out->len < SHELF_FILE_MAX && buf_reserve(out, 65536)) {
        got = read(fd, out->data + out->len, 65536);
        if (got < 0 && errno == EINTR) {
            got = 1;
            continue;
        }
        if (got > 0) out->len += (size_t)got;
    }
    close(fd);
    return got == 0;
}

static bool take_game(void *context, uint64_t number, MoveTree *tree, const PgnError *error)
{
    Loading *loading = context;
    if (number > 1) return false;
    if (error) {
        loading->err = error->err;
    } else {
        loading->session = hub_add(loading->hub, tree, &loading->err);
    }
    return false;
}

static bool load_game(Hub *hub, const StoredGame *stored)
{
    Buf     path = {0}, text = {0};
    Loading loading = {.hub = hub};
    buf_printf(&path, "%s/%s.pgn", hub->data.data, stored->id);
    if (!path.failed && read_whole(path.data, &text)) tree_read_pgn(buf_str(&text), take_game, &loading, NULL);
    buf_release(&path);
    buf_release(&text);
    Session *s = loading.session;
    if (!s) return false;
    memcpy(s->id, stored->id, ID_SIZE);
    session_read_tags(s);
    s->dormant = s->saved = true;
    return true;
}

bool shelf_load(Hub *hub, Err *err)
{
    size_t      count, bad = 0;
    StoredGame *games = list_games(hub->data.data, &count, err);
    if (!games) return false;
    size_t first = count > GAMES_MAX ? count - GAMES_MAX : 0;
    for (size_t i = first; i < count; i++) bad += !load_game(hub, &games[i]);
    if (first)
        buf_printf(&hub->notice, "%zu old games in %s are beyond the limit of %d and stay there. ", first, hub->data.data,
                   GAMES_MAX);
    if (bad)
        buf_printf(&hub->notice, "%zu files in %s are no games that can be read; they stay as they are.", bad, hub->data.data);
    free(games);
    return true;
}

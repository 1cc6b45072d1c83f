/* journal.c - see journal.h. The file is text:
 *
 *   tabia-match 1 <setup> #<checksum>
 *   game <id> <result> <over> <plies> <pgn length> #<checksum>
 *   finished #<checksum>
 */
#include "arena/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"

static const Str HEAD = {"tabia-match 1 ", 14};

/* A torn or damaged line does not keep its checksum by chance. */
static uint64_t checksum(Str text) { return checksum_of(text.ptr, text.len); }

static void seal_line(Buf *line) { buf_printf(line, " #%016llx\n", (unsigned long long)checksum(buf_str(line))); }

/* The line without its checksum; false when that is missing or wrong. */
static bool unseal_line(Str line, Str *out)
{
    char seal[24];
    if (line.len < 18) return false;
    *out = (Str){line.ptr, line.len - 18};
    snprintf(seal, sizeof seal, " #%016llx", (unsigned long long)checksum(*out));
    return memcmp(seal, line.ptr + out->len, 18) == 0;
}

static bool write_all(int fd, Str text)
{
    while (text.len) {
        ssize_t wrote = write(fd, text.ptr, text.len);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        text = str_skip(text, (size_t)wrote);
    }
    return true;
}

static bool read_all(int fd, Buf *out)
{
    for (;;) {
        if (!buf_reserve(out, 65536)) return false;
        ssize_t got = read(fd, out->data + out->len, 65536);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) return true;
        out->len += (size_t)got;
        out->data[out->len] = '\0';
    }
}

/* What reading the journal found. */
typedef struct {
    bool     has_head;
    bool     finished;
    uint64_t games;
    uint64_t pgn_end;
    size_t   good; /* bytes up to the end of the last good line */
} Found;

static bool parse_game(Str line, JournalGame *game)
{
    uint64_t result;
    Str      word = str_next_token(&line);
    if (!str_equal(word, STR("game")) || !str_to_u64(str_next_token(&line), &game->id)) return false;
    if (!str_to_u64(str_next_token(&line), &result) || result < RESULT_WHITE_WINS || result > RESULT_DRAW) return false;
    game->result = (Result)result;
    return game_over_from_name(str_next_token(&line), &game->over) && str_to_u64(str_next_token(&line), &game->plies) &&
           str_to_u64(str_next_token(&line), &game->pgn_end) && str_trim(line).len == 0;
}

static bool take_line(const JournalConfig *config, Str line, Found *found, JournalGameFn *fn, void *context, Err *err)
{
    JournalGame game;
    if (!found->has_head) {
        if (!str_starts_with(line, HEAD))
            return err_set(err, ERR_FORMAT, 0, "'%s' is not the state of a match", config->state_path);
        if (config->resume && !str_equal(str_skip(line, HEAD.len), str_from(config->setup)))
            return err_set(
                err, ERR_FORMAT, 0,
                "'%s' belongs to another match: engines, limits, openings and rules must be the same to resume (--games and "
                "--concurrency may differ)",
                config->state_path);
        found->has_head = true;
        return true;
    }
    found->finished = str_equal(line, STR("finished"));
    if (found->finished) return true;
    if (!parse_game(line, &game)) return err_set(err, ERR_FORMAT, 0, "'%s' holds a line that is no game", config->state_path);
    found->games++;
    found->pgn_end = game.pgn_end;
    return !config->resume || fn(context, &game) ||
           err_set(err, ERR_FORMAT, 0,
                   "'%s' holds game %llu, which this match does not have (or twice): raise --games to what it was",
                   config->state_path, (unsigned long long)game.id);
}

static bool read_journal(const JournalConfig *config, Str text, Found *found, JournalGameFn *fn, void *context, Err *err)
{
    bool torn = false;
    for (Str rest = text; rest.len;) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        Str         raw = {rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len}, line;
        rest            = str_skip(rest, raw.len + 1);
        if (!end || !unseal_line(raw, &line)) {
            torn = true;
            continue;
        }
        if (torn)
            return err_set(err, ERR_FORMAT, 0, "'%s' is damaged in the middle; delete it to begin anew", config->state_path);
        if (!take_line(config, line, found, fn, context, err)) return false;
        found->good = (size_t)(rest.ptr - text.ptr);
    }
    return true;
}

static bool lock_file(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &lock) == 0;
}

/* Opens the state, checks that it may be used, and leaves it cut to its good part (or empty). */
static bool open_state(Journal *journal, const JournalConfig *config, Found *found, JournalGameFn *fn, void *context, Err *err)
{
    Buf text    = {0};
    journal->fd = open(config->state_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (journal->fd < 0) return err_set_errno(err, ERR_IO, "cannot open '%s'", config->state_path);
    if (!lock_file(journal->fd)) return err_set(err, ERR_IO, 0, "'%s' is in use by another match", config->state_path);
    bool ok = read_all(journal->fd, &text) || err_set_errno(err, ERR_IO, "cannot read '%s'", config->state_path);
    ok      = ok && read_journal(config, buf_str(&text), found, fn, context, err);
    buf_release(&text);
    if (!ok) return false;
    if (!config->resume && found->games && !found->finished)
        return err_set(err, ERR_IO, 0,
                       "'%s' holds %llu games of an unfinished match: go on with --resume, or delete it to begin anew",
                       config->state_path, (unsigned long long)found->games);
    if (!config->resume) *found = (Found){0};
    if (ftruncate(journal->fd, (off_t)found->good) != 0)
        return err_set_errno(err, ERR_IO, "cannot write '%s'", config->state_path);
    if (found->has_head) return true;
    buf_reset(&journal->line);
    buf_printf(&journal->line, "%.*s%s", STR_ARGS(HEAD), config->setup);
    seal_line(&journal->line);
    return write_all(journal->fd, buf_str(&journal->line)) || err_set_errno(err, ERR_IO, "cannot write '%s'", config->state_path);
}

/* A new match adds to the games of the file; a resumed one first drops what the journal does not know. */
static bool open_pgn(Journal *journal, const JournalConfig *config, const Found *found, Err *err)
{
    struct stat info;
    journal->pgn_fd = open(config->pgn_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (journal->pgn_fd < 0 || fstat(journal->pgn_fd, &info) != 0)
        return err_set_errno(err, ERR_IO, "cannot open '%s'", config->pgn_path);
    if (!S_ISREG(info.st_mode) || found->games == 0) return true;
    if ((uint64_t)info.st_size < found->pgn_end)
        return err_set(err, ERR_FORMAT, 0,
                       "'%s' is shorter than '%s' says: games are missing; restore it, or delete both to begin anew",
                       config->pgn_path, config->state_path);
    return ftruncate(journal->pgn_fd, (off_t)found->pgn_end) == 0 ||
           err_set_errno(err, ERR_IO, "cannot write '%s'", config->pgn_path);
}

bool journal_open(Journal *journal, const JournalConfig *config, JournalGameFn *fn, void *context, Err *err)
{
    Found found = {0};
    *journal    = (Journal){.fd = -1, .pgn_fd = -1, .sync = config->sync};
    if ((!config->state_path || open_state(journal, config, &found, fn, context, err)) &&
        (!config->pgn_path || open_pgn(journal, config, &found, err)))
        return true;
    journal_close(journal);
    return false;
}

bool journal_add(Journal *journal, const JournalGame *game, Str pgn, Err *err)
{
    uint64_t end = 0;
    if (journal->pgn_fd >= 0) {
        struct stat info;
        if (!write_all(journal->pgn_fd, pgn) || (journal->sync && fsync(journal->pgn_fd) != 0))
            return err_set_errno(err, ERR_IO, "cannot write the PGN");
        if (fstat(journal->pgn_fd, &info) == 0) end = (uint64_t)info.st_size;
    }
    if (journal->fd < 0) return true;
    buf_reset(&journal->line);
    buf_printf(&journal->line, "game %llu %d %s %llu %llu", (unsigned long long)game->id, (int)game->result,
               game_over_name(game->over), (unsigned long long)game->plies, (unsigned long long)end);
    seal_line(&journal->line);
    if (!write_all(journal->fd, buf_str(&journal->line)) || (journal->sync && fsync(journal->fd) != 0))
        return err_set_errno(err, ERR_IO, "cannot write the state of the match");
    return true;
}

bool journal_finish(Journal *journal, Err *err)
{
    if (journal->fd < 0) return true;
    buf_reset(&journal->line);
    buf_append(&journal->line, STR("finished"));
    seal_line(&journal->line);
    return write_all(journal->fd, buf_str(&journal->line)) || err_set_errno(err, ERR_IO, "cannot write the state of the match");
}

void journal_close(Journal *journal)
{
    if (journal->fd >= 0) close(journal->fd);
    if (journal->pgn_fd >= 0) close(journal->pgn_fd);
    journal->fd = journal->pgn_fd = -1;
    buf_release(&journal->line);
}

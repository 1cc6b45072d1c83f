/* token.c - see token.h. */
#define _GNU_SOURCE /* explicit_bzero, O_CLOEXEC; prctl is Linux's */
#include "lichess/token.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "Authorization: Bearer ";

/* Trims `text` and puts it behind the prefix. A token is one word of plain characters: nothing that could end a header. */
static bool take(Token *token, Str text, const char *source, Err *err)
{
    text = str_trim(text);
    if (text.len == 0) return err_set(err, ERR_SYNTAX, 0, "%s holds no token", source);
    if (text.len >= TOKEN_SIZE) return err_set(err, ERR_SYNTAX, 0, "%s holds more than a token: one line, nothing else", source);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c <= ' ' || c >= 127)
            return err_set(err, ERR_SYNTAX, i, "%s holds more than a token: character %zu can be in none", source, i + 1);
    }
    memcpy(token->header, prefix, sizeof prefix - 1);
    memcpy(token->header + sizeof prefix - 1, text.ptr, text.len);
    token->header[sizeof prefix - 1 + text.len] = '\0';
    token->secret                               = (Str){token->header + sizeof prefix - 1, text.len};
    return true;
}

static bool check_file(int fd, const char *path, Err *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0) return err_set_errno(err, ERR_IO, "the token file %s", path);
    if (!S_ISREG(info.st_mode)) return err_set(err, ERR_IO, 0, "the token file %s is not a file", path);
    mode_t others =
        info.st_uid == 0 && info.st_gid == 0 ? 037 : 077; /* root may be let in: systemd's credentials are like that */
    if (info.st_mode & others)
        return err_set(err, ERR_IO, 0, "others may read the token file %s (mode %03o): run  chmod 600 %s", path,
                       (unsigned)(info.st_mode & 0777), path);
    if (info.st_uid != geteuid() && info.st_uid != 0)
        return err_set(err, ERR_IO, 0, "the token file %s belongs to another user", path);
    return true;
}

static bool load_file(Token *token, const char *path, Err *err)
{
    char text[TOKEN_SIZE + 64];
    int  fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return err_set_errno(err, ERR_IO, "the token file %s", path);
    bool    ok  = check_file(fd, path, err);
    ssize_t got = ok ? read(fd, text, sizeof text) : 0;
    close(fd);
    if (ok && got < 0) ok = err_set_errno(err, ERR_IO, "the token file %s", path);
    if (ok) ok = take(token, (Str){text, (size_t)got}, path, err);
    explicit_bzero(text, sizeof text);
    return ok;
}

static bool load_environment(Token *token, Err *err)
{
    char *value = getenv(TOKEN_VARIABLE);
    if (!value)
        return err_set(err, ERR_NOT_FOUND, 0, "no token: give --token-file FILE, or set " TOKEN_VARIABLE " in the environment");
    bool ok = take(token, str_from(value), TOKEN_VARIABLE, err);
    explicit_bzero(value, strlen(value)); /* /proc shows the environment of a process for as long as it lives */
    unsetenv(TOKEN_VARIABLE);
    return ok;
}

bool token_load(Token *token, const char *path, Err *err)
{
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* before the first byte is read: no core, no look through /proc */
    *token = (Token){0};
    mlock(token, sizeof *token); /* not to the swap; where that is not allowed it goes on without */
    bool ok = path ? load_file(token, path, err) : load_environment(token, err);
    if (!ok) token_wipe(token);
    return ok;
}

void token_wipe(Token *token)
{
    explicit_bzero(token, sizeof *token);
    munlock(token, sizeof *token);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

void token_redact(const Token *token, Buf *text)
{
    Str secret = token->secret;
    for (size_t i = 0; secret.len && i + secret.len <= text->len; i++) {
        if (memcmp(text->data + i, secret.ptr, secret.len) == 0) memset(text->data + i, '*', secret.len);
    }
}

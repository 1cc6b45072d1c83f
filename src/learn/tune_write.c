/* tune_write.c - writes params.def: the same rows, names and meanings, new numbers. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "learn/tune.h"

static void write_family(const TuneParams *params, const EvalFamily *family, Buf *out)
{
    static const char *const groups[EVAL_GROUPS] = {
        [GROUP_MATERIAL] = "MATERIAL",     [GROUP_PLACEMENT] = "PLACEMENT", [GROUP_PAIRS] = "PAIRS",
        [GROUP_MOBILITY] = "MOBILITY",     [GROUP_PAWNS] = "PAWNS",         [GROUP_PASSED] = "PASSED",
        [GROUP_KNIGHTS] = "KNIGHTS",       [GROUP_BISHOPS] = "BISHOPS",     [GROUP_ROOKS] = "ROOKS",
        [GROUP_QUEENS] = "QUEENS",         [GROUP_SHELTER] = "SHELTER",     [GROUP_DANGER] = "DANGER",
        [GROUP_THREATS] = "THREATS",       [GROUP_SPACE] = "SPACE",         [GROUP_TEMPO] = "TEMPO",
        [GROUP_COMPLEXITY] = "COMPLEXITY",
    };
    buf_printf(out, "PARAM(%s, %s, %d, %d,\n      \"%s\",\n", family->name, groups[family->group], family->size, family->columns,
               family->meaning);
    for (int i = 0; i < family->size; i++) {
        int  index = family->first + i;
        bool first = i % family->columns == 0, last = i == family->size - 1, wrap = i % family->columns == family->columns - 1;
        buf_printf(out, "%sS(%4ld, %4ld)%s", first ? "      " : " ", lround(params->mg[index]), lround(params->eg[index]),
                   last   ? ")\n"
                   : wrap ? ",\n"
                          : ",");
    }
}

void tune_write_params(const TuneParams *params, Str provenance, Buf *out)
{
    buf_printf(out,
               "/* params.def - the numbers of the classical evaluation: PARAM(name, group, how many, in a row, what it counts,\n"
               " * S(middle game, end game)...), in centipawns for the side it counts for.\n"
               " *\n"
               " * `tabia train tune` writes this file; edit by hand only to add or remove a parameter.\n");
    while (provenance.len) {
        Str line = str_next_until(&provenance, '\n');
        buf_printf(out, " * %.*s\n", STR_ARGS(line));
    }
    buf_printf(out, " */\n/* clang-format off */\n");
    for (int i = 0; i < EVAL_FAMILIES; i++) write_family(params, &eval_families[i], out);
    buf_printf(out, "/* clang-format on */\n");
}

static bool write_all(int fd, Str text)
{
    while (text.len) {
        ssize_t done = write(fd, text.ptr, text.len);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        text = str_skip(text, (size_t)done);
    }
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP; /* a pipe or a device cannot be synced */
}

/* What is no plain file (a terminal, a pipe, a device) is written to as it is: a new file must not take its name. */
static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

static bool save_special(Str text, const char *path, Err *err)
{
    int  fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, text);
    if (fd >= 0 && close(fd) != 0) ok = false;
    return ok || err_set_errno(err, ERR_IO, "cannot write '%s'", path);
}

bool tune_save(Str text, const char *path, Err *err)
{
    if (is_special(path)) return save_special(text, path, err);
    Buf temporary = {0};
    buf_printf(&temporary, "%s.tmp", path);
    if (temporary.failed) return err_set(err, ERR_MEMORY, 0, "not enough memory to write '%s'", path);
    int  fd = open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && write_all(fd, text);
    if (fd >= 0 && close(fd) != 0) ok = false;
    if (ok && rename(temporary.data, path) != 0) ok = false;
    if (!ok) err_set_errno(err, ERR_IO, "cannot write '%s'", path);
    if (!ok && fd >= 0) unlink(temporary.data);
    buf_release(&temporary);
    return ok;
}

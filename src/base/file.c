/* file.c - see file.h. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/buf.h"

bool file_write(const char *path, Str text, Err *err)
{
    Buf part = {0};
    buf_printf(&part, "%s.part", path);
    if (part.failed) return err_set(err, ERR_MEMORY, 0, "out of memory");
    FILE *file = fopen(part.data, "wb");
    bool  ok   = file && fwrite(text.ptr, 1, text.len, file) == text.len;
    if (file) ok = fclose(file) == 0 && ok;
    ok = (ok && rename(part.data, path) == 0) || err_set_errno(err, ERR_IO, "cannot write %s", path);
    buf_release(&part);
    return ok;
}

bool file_make_folder(const char *path, Err *err)
{
    struct stat at;
    if (mkdir(path, 0777) == 0) return true;
    if (errno == EEXIST && stat(path, &at) == 0 && S_ISDIR(at.st_mode)) return true;
    return err_set_errno(err, ERR_IO, "cannot make the folder %s", path);
}

/* file.c - see file.h. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

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

bool file_read(const char *path, size_t most, Buf *out, Err *err)
{
    enum { PIECE = 1 << 16 };
    FILE *file = fopen(path, "rb");
    if (!file) return err_set_errno(err, ERR_IO, "cannot read %s", path);
    size_t got = 1;
    while (got && out->len <= most && buf_reserve(out, PIECE)) {
        got = fread(out->data + out->len, 1, PIECE, file);
        out->len += got;
        out->data[out->len] = '\0';
    }
    bool ok = !ferror(file) || err_set_errno(err, ERR_IO, "cannot read %s", path);
    if (out->failed) ok = err_set(err, ERR_MEMORY, 0, "no memory for %s", path);
    fclose(file);
    return ok;
}

bool file_make_folder(const char *path, Err *err)
{
    struct stat at;
    if (mkdir(path, 0777) == 0) return true;
    if (errno == EEXIST && stat(path, &at) == 0 && S_ISDIR(at.st_mode)) return true;
    return err_set_errno(err, ERR_IO, "cannot make the folder %s", path);
}

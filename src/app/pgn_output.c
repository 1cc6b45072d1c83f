/* pgn_output.c - see pgn_output.h. */
#include "app/pgn_output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool pgn_output_open(PgnOutput *output, const char *path, bool force, Err *err)
{
    *output = (PgnOutput){.path = path, .standard = strcmp(path, "-") == 0};
    if (output->standard) {
        output->file = stdout;
        return true;
    }
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL), 0666);
    if (descriptor < 0 && errno == EEXIST)
        return err_set(err, ERR_IO, 0, "%s exists already; choose another name, or add --force to replace it", path);
    if (descriptor >= 0) output->file = fdopen(descriptor, "wb");
    if (output->file) return true;
    err_set_errno(err, ERR_IO, "cannot write %s", path);
    if (descriptor >= 0) close(descriptor);
    return false;
}

bool pgn_output_drain(PgnOutput *output, Buf *games, Err *err)
{
    size_t written = fwrite(games->data ? games->data : "", 1, games->len, output->file);
    bool   ok      = written == games->len;
    if (!ok) err_set_errno(err, ERR_IO, "cannot write %s", output->path);
    buf_reset(games);
    return ok;
}

bool pgn_output_close(PgnOutput *output, Err *err)
{
    FILE *file   = output->file;
    output->file = NULL;
    if (!file) return true;
    if ((output->standard ? fflush(file) : fclose(file)) == 0) return true;
    return err_set_errno(err, ERR_IO, "cannot write %s", output->path);
}

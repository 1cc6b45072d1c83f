/* samples_file.c - samples on the disk, and the folders that hold games and samples. See samples.h. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/checksum.h"
#include "learn/samples.h"

static const char MAGIC[] = "TSAMPL01";

enum { MAGIC_SIZE = 8, HEAD_SIZE = 24 }; /* the magic, the count, the checksum of the samples */

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "samples are written as they lie in memory: little-endian machines only"
#endif

static void make_head(const SampleSet *set, uint8_t head[HEAD_SIZE])
{
    memcpy(head, MAGIC, MAGIC_SIZE);
    bytes_put(head + 8, set->count, 8);
    bytes_put(head + 16, checksum_of(set->samples, set->count * sizeof *set->samples), 8);
}

bool samples_write(const SampleSet *set, const char *path, Err *err)
{
    uint8_t head[HEAD_SIZE];
    Buf     fresh = {0};
    buf_printf(&fresh, "%s.new", path);
    if (fresh.failed) return err_set(err, ERR_MEMORY, 0, "no memory for a name");
    FILE *file = fopen(fresh.data, "wb");
    make_head(set, head);
    bool ok = file && fwrite(head, 1, HEAD_SIZE, file) == HEAD_SIZE &&
              fwrite(set->samples, sizeof *set->samples, set->count, file) == set->count;
    if (file) ok = fclose(file) == 0 && ok;
    ok = (ok && rename(fresh.data, path) == 0) || err_set_errno(err, ERR_IO, "cannot write %s", path);
    buf_release(&fresh);
    return ok;
}

static bool read_samples(SampleSet *set, FILE *file, const char *path, Err *err)
{
    uint8_t head[HEAD_SIZE];
    if (fread(head, 1, HEAD_SIZE, file) != HEAD_SIZE || memcmp(head, MAGIC, MAGIC_SIZE) != 0)
        return err_set(err, ERR_FORMAT, 0, "%s is no file of samples", path);
    uint64_t    count = bytes_get(head + 8, 8);
    struct stat info;
    if (fstat(fileno(file), &info) != 0 || count > (uint64_t)info.st_size / sizeof(Sample) ||
        (uint64_t)info.st_size != HEAD_SIZE + count * sizeof(Sample))
        return err_set(err, ERR_FORMAT, 0, "%s is not whole", path);
    Sample *grown = realloc(set->samples, (set->count + count + 1) * sizeof *grown);
    if (!grown) return err_set(err, ERR_MEMORY, 0, "no memory for %llu samples", (unsigned long long)count);
    set->samples  = grown;
    set->capacity = set->count + count + 1;
    if (fread(grown + set->count, sizeof *grown, count, file) != count) return err_set_errno(err, ERR_IO, "cannot read %s", path);
    if (checksum_of(grown + set->count, count * sizeof *grown) != bytes_get(head + 16, 8))
        return err_set(err, ERR_FORMAT, 0, "%s is damaged: its checksum is wrong", path);
    set->count += count;
    return true;
}

static bool read_games_with(SampleSet *set, StoreReader *reader, StoredGame *game, PawnEntry *pawns, const SampleFilter *filter,
                            Rng *rng, SampleSource *source, Err *err)
{
    StoreStatus status;
    while ((status = store_next(reader, game, err)) == STORE_GAME) {
        source->games++;
        source->positions += (uint64_t)game->plies;
        source->results[game->result]++;
        if (!samples_add_game(set, game, filter, pawns, rng)) return err_set(err, ERR_MEMORY, 0, "no memory for so many samples");
    }
    if (status == STORE_TORN) source->torn_files++; /* a run is still writing it, or was killed */
    return status != STORE_FAILED;
}

static bool read_games(SampleSet *set, const char *path, const SampleFilter *filter, Rng *rng, SampleSource *source, Err *err)
{
    StoreReader reader;
    StoredGame *game  = malloc(sizeof *game);
    PawnEntry  *pawns = aligned_alloc(_Alignof(PawnEntry), PAWN_TABLE_SIZE * sizeof *pawns);
    bool        ok    = false;
    if (!game || !pawns) {
        err_set(err, ERR_MEMORY, 0, "no memory for a game");
    } else if (store_open(&reader, path, err)) {
        classical_reset_pawns(pawns);
        ok = read_games_with(set, &reader, game, pawns, filter, rng, source, err);
        store_release(&reader);
    }
    free(pawns);
    free(game);
    return ok;
}

static bool read_file(SampleSet *set, const char *path, const SampleFilter *filter, Rng *rng, SampleSource *source, Err *err)
{
    if (!str_ends_with(str_from(path), STR(".samples"))) return read_games(set, path, filter, rng, source, err);
    FILE *file = fopen(path, "rb");
    if (!file) return err_set_errno(err, ERR_IO, "cannot read %s", path);
    size_t before = set->count;
    bool   ok     = read_samples(set, file, path, err);
    source->positions += set->count - before;
    fclose(file);
    return ok;
}

static int is_data(const struct dirent *entry)
{
    Str name = str_from(entry->d_name);
    return str_ends_with(name, STR(".games")) || str_ends_with(name, STR(".samples"));
}

bool samples_read(SampleSet *set, const char *path, const SampleFilter *filter, Rng *rng, SampleSource *source, Err *err)
{
    struct stat     info;
    struct dirent **names = NULL;
    if (stat(path, &info) != 0) return err_set_errno(err, ERR_IO, "cannot read %s", path);
    if (!S_ISDIR(info.st_mode)) return read_file(set, path, filter, rng, source, err);
    int count = scandir(path, &names, is_data, alphasort); /* in a fixed order: training can be repeated */
    if (count < 0) return err_set_errno(err, ERR_IO, "cannot read the folder %s", path);
    bool ok = count > 0 || err_set(err, ERR_NOT_FOUND, 0, "%s holds no .games and no .samples", path);
    for (int i = 0; i < count; i++) {
        Buf full = {0};
        buf_printf(&full, "%s/%s", path, names[i]->d_name);
        ok = ok && (full.failed ? err_set(err, ERR_MEMORY, 0, "no memory") : read_file(set, full.data, filter, rng, source, err));
        buf_release(&full);
        free(names[i]);
    }
    free(names);
    return ok;
}

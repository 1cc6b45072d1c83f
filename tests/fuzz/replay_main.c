/* replay_main.c - runs a fuzz target once over kept inputs and reports in TAP, for compilers without libFuzzer.
 *
 * Arguments are files and folders; without any, the target's own folder of tests/fuzz/corpus (found by the program's
 * name, from the root of the repository) and, for PGN, the odd files of the shared data where those exist.
 */
#include <dirent.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "tests/fuzz/fuzz.h"

typedef struct {
    char **paths;
    size_t count, cap;
} Inputs;

static void stop(const char *what, const char *path)
{
    fprintf(stderr, "replay: %s: %s\n", path, what);
    exit(2);
}

static void add_input(Inputs *inputs, const char *path)
{
    if (inputs->count == inputs->cap) {
        inputs->cap   = inputs->cap ? inputs->cap * 2 : 64;
        inputs->paths = realloc(inputs->paths, inputs->cap * sizeof *inputs->paths);
        if (!inputs->paths) stop("no memory", path);
    }
    inputs->paths[inputs->count] = strdup(path);
    if (!inputs->paths[inputs->count++]) stop("no memory", path);
}

/* Adds a file, or every file below a folder in the order of the names. */
static void add_inputs(Inputs *inputs, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) stop("does not exist", path);
    if (!S_ISDIR(info.st_mode)) {
        add_input(inputs, path);
        return;
    }
    struct dirent **entries;
    int             count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) stop("cannot be listed", path);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            Buf child = {0};
            buf_printf(&child, "%s/%s", path, entries[i]->d_name);
            if (child.failed) stop("no memory", path);
            add_inputs(inputs, child.data);
            buf_release(&child);
        }
        free(entries[i]);
    }
    free(entries);
}

static void add_default_inputs(Inputs *inputs, const char *program)
{
    const char *name = strrchr(program, '/');
    name             = name ? name + 1 : program;
    Str target       = str_from(name);
    if (str_starts_with(target, STR("fuzz_"))) target = str_skip(target, 5);
    if (str_ends_with(target, STR("-replay"))) target.len -= 7;
    Buf path = {0};
    buf_printf(&path, "tests/fuzz/corpus/%.*s", STR_ARGS(target));
    add_inputs(inputs, path.data);
    const char *shared = getenv("TABIA_SHARED");
    if (shared && *shared && str_equal(target, STR("pgn"))) {
        struct stat info;
        buf_reset(&path);
        buf_printf(&path, "%s/data/pgn-odd", shared);
        if (stat(path.data, &info) == 0) add_inputs(inputs, path.data);
    }
    buf_release(&path);
}

/* The input lies in a block of exactly its size, so that the sanitizer sees a read beyond it. */
static void run_input(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) stop("cannot be opened", path);
    if (fseek(file, 0, SEEK_END) != 0) stop("cannot be read", path);
    long     length = ftell(file);
    uint8_t *data   = length >= 0 ? malloc(length ? (size_t)length : 1) : NULL;
    if (!data) stop("cannot be read", path);
    rewind(file);
    if (fread(data, 1, (size_t)length, file) != (size_t)length) stop("cannot be read", path);
    fclose(file);
    LLVMFuzzerTestOneInput(data, (size_t)length);
    free(data);
}

int main(int argc, char **argv)
{
    Inputs inputs = {0};
    for (int i = 1; i < argc; i++) add_inputs(&inputs, argv[i]);
    if (argc == 1) add_default_inputs(&inputs, argv[0]);
    printf("1..%zu\n", inputs.count);
    for (size_t i = 0; i < inputs.count; i++) {
        printf("# %s\n", inputs.paths[i]);
        fflush(stdout);
        run_input(inputs.paths[i]);
        printf("ok %zu - %s\n", i + 1, inputs.paths[i]);
        free(inputs.paths[i]);
    }
    free(inputs.paths);
    return 0;
}

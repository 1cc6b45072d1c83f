/* tables.c - see tables.h. The only file that knows libfathom. */
#include "tables/tables.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "chess/movegen.h"

enum { PATH_ROOM = 4096 };

/* ---- libfathom's interface, version 1 ---- */

enum {
    FATHOM_LOSS,
    FATHOM_BLESSED_LOSS,
    FATHOM_DRAW,
    FATHOM_CURSED_WIN,
    FATHOM_WIN,
    FATHOM_MOVES_MAX = 193,
    FATHOM_PLIES_MAX = 256,
    FATHOM_DTZ_SHIFT = 20, /* in the answer of FathomRoot */
};

typedef struct {
    uint16_t move; /* to, from << 6, promotion << 12: 1 a queen, 4 a knight */
    uint16_t line[FATHOM_PLIES_MAX];
    unsigned line_length;
    int32_t  score, rank;
} FathomMove;

typedef struct {
    unsigned   count;
    FathomMove moves[FATHOM_MOVES_MAX];
} FathomMoves;

typedef bool     FathomInit(const char *path);
typedef void     FathomFree(void);
typedef unsigned FathomProbe(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks, uint64_t bishops,
                             uint64_t knights, uint64_t pawns, unsigned ep, bool white_to_move);
typedef unsigned FathomRoot(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks, uint64_t bishops,
                            uint64_t knights, uint64_t pawns, unsigned rule50, unsigned ep, bool white_to_move,
                            unsigned *results);
typedef int      FathomRank(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks, uint64_t bishops,
                            uint64_t knights, uint64_t pawns, unsigned rule50, unsigned castling, unsigned ep, bool white_to_move,
                            bool has_repeated, bool use_rule50, FathomMoves *results);

struct Tables {
    void        *library;
    FathomInit  *init;
    FathomFree  *free_all;
    FathomProbe *probe;
    FathomRoot  *root;
    FathomRank  *rank;
    unsigned    *largest;
    char        *path;
    int          men;
    int          users;
};

/* The library has one set of tables a process, so there is one of these; the lock guards it and ranking, which is not
 * thread-safe. It stays when nobody uses it: opening the same folder again costs nothing, and freeing makes this library
 * write to the standard error stream. */
static pthread_mutex_t fathom_lock = PTHREAD_MUTEX_INITIALIZER;
static Tables         *fathom_set;

/* ---- opening ---- */

static void *load_library(void) { return dlopen("libfathom.so.1", RTLD_NOW | RTLD_LOCAL); }

/* A function of the library; POSIX lets its address travel in a void pointer. */
static bool find_symbol(void *library, const char *name, void *target)
{
    void *symbol = dlsym(library, name);
    memcpy(target, (const void *)&symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load_symbols(Tables *tables)
{
    return find_symbol(tables->library, "tb_init", (void *)&tables->init) &&
           find_symbol(tables->library, "tb_free", (void *)&tables->free_all) &&
           find_symbol(tables->library, "tb_probe_wdl_impl", (void *)&tables->probe) &&
           find_symbol(tables->library, "tb_probe_root_impl", (void *)&tables->root) &&
           find_symbol(tables->library, "tb_probe_root_dtz", (void *)&tables->rank) &&
           find_symbol(tables->library, "TB_LARGEST", (void *)&tables->largest);
}

static void discard(Tables *tables)
{
    if (tables->library) dlclose(tables->library);
    free(tables->path);
    free(tables);
}

/* A table begins with its magic number, and its size is 16 more than a multiple of 64. The library ends the process over a
 * file that is not so: it must not see one. */
static bool check_file(const char *folder, const char *name, const uint8_t magic[4], Err *err)
{
    char        path[PATH_ROOM];
    uint8_t     head[4] = {0};
    struct stat info;
    int         len  = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE       *file = len > 0 && len < PATH_ROOM ? fopen(path, "rbe") : NULL;
    bool        ok   = file && fread(head, sizeof head, 1, file) == 1 && memcmp(head, magic, sizeof head) == 0 &&
              fstat(fileno(file), &info) == 0 && info.st_size % 64 == 16;
    if (file) fclose(file);
    return ok || err_set(err, ERR_FORMAT, 0, "the table '%s/%s' is broken", folder, name);
}

/* Every table of one folder; what cannot be read as a folder has none. */
static bool check_folder(const char *folder, Err *err)
{
    static const uint8_t wdl_magic[4] = {0x71, 0xe8, 0x23, 0x5d}, dtz_magic[4] = {0xd7, 0x66, 0x0c, 0xa5};
    DIR                 *dir = opendir(folder);
    bool                 ok  = true;
    for (const struct dirent *entry; ok && dir && (entry = readdir(dir)) != NULL;) {
        Str name = str_from(entry->d_name);
        if (str_ends_with(name, STR(".rtbw"))) ok = check_file(folder, entry->d_name, wdl_magic, err);
        if (str_ends_with(name, STR(".rtbz"))) ok = check_file(folder, entry->d_name, dtz_magic, err);
    }
    if (dir) closedir(dir);
    return ok;
}

static bool check_folders(const char *path, Err *err)
{
    char folder[PATH_ROOM];
    Str  rest = str_from(path);
    while (rest.len) {
        Str one = str_next_until(&rest, ':');
        if (one.len >= PATH_ROOM) return err_set(err, ERR_RANGE, 0, "the name of a folder of tables is too long");
        snprintf(folder, sizeof folder, "%.*s", STR_ARGS(one));
        if (one.len && !check_folder(folder, err)) return false;
    }
    return true;
}

static bool load(Tables *tables, const char *path, Err *err)
{
    if (!check_folders(path, err)) return false;
    tables->library = load_library();
    if (!tables->library || !load_symbols(tables))
        return err_set(err, ERR_NOT_FOUND, 0,
                       "endgame tables are not available: libfathom is not installed (package libfathom1)");
    if (!tables->init(path) || *tables->largest == 0) {
        tables->free_all();
        return err_set(err, ERR_NOT_FOUND, 0, "there are no Syzygy tables in '%s'", path);
    }
    tables->men = (int)*tables->largest;
    return true;
}

static Tables *open_first(const char *path, Err *err)
{
    Tables *tables = calloc(1, sizeof *tables);
    if (tables) tables->path = strdup(path);
    if (!tables || !tables->path) {
        free(tables);
        err_set(err, ERR_MEMORY, 0, "no memory for tables");
        return NULL;
    }
    if (load(tables, path, err)) return tables;
    discard(tables);
    return NULL;
}

static void drop_set(void)
{
    fathom_set->free_all();
    discard(fathom_set);
    fathom_set = NULL;
}

Tables *tables_open(const char *path, Err *err)
{
    Tables *tables = NULL;
    pthread_mutex_lock(&fathom_lock);
    if (fathom_set && fathom_set->users == 0 && strcmp(fathom_set->path, path) != 0) drop_set();
    if (!fathom_set) {
        fathom_set = tables = open_first(path, err);
    } else if (strcmp(fathom_set->path, path) == 0) {
        tables = fathom_set;
    } else {
        err_set(err, ERR_RANGE, 0, "tables from '%s' are in use: one folder of tables at a time", fathom_set->path);
    }
    if (tables) tables->users++;
    pthread_mutex_unlock(&fathom_lock);
    return tables;
}

void tables_close(Tables *tables)
{
    if (!tables) return;
    pthread_mutex_lock(&fathom_lock);
    tables->users--;
    pthread_mutex_unlock(&fathom_lock);
}

int tables_men(const Tables *tables) { return tables->men; }

bool tables_are_available(void)
{
    void *library = load_library();
    if (library) dlclose(library);
    return library != NULL;
}

/* ---- probing ---- */

static bool may_probe(const Tables *tables, const Position *pos)
{
    return pos->castle_rooks == 0 && bb_count(position_occupied(pos)) <= tables->men;
}

static unsigned ep_of(const Position *pos) { return pos->ep_square == SQ_NONE ? 0 : pos->ep_square; }

bool tables_probe(const Tables *tables, const Position *pos, TableVerdict *out)
{
    if (!may_probe(tables, pos)) return false;
    unsigned result =
        tables->probe(pos->colors[WHITE], pos->colors[BLACK], pos->types[KING], pos->types[QUEEN], pos->types[ROOK],
                      pos->types[BISHOP], pos->types[KNIGHT], pos->types[PAWN], ep_of(pos), position_side(pos) == WHITE);
    if (result > FATHOM_WIN) return false;
    *out = (TableVerdict)((int)result - FATHOM_DRAW);
    return true;
}

/* ---- ranking ---- */

static Move decode_move(const MoveList *legal, uint16_t wanted)
{
    static const PieceType promotions[] = {NO_TYPE, QUEEN, ROOK, BISHOP, KNIGHT, NO_TYPE, NO_TYPE, NO_TYPE};
    PieceType              promotion    = promotions[wanted >> 12 & 7];
    for (int i = 0; i < legal->count; i++) {
        Move      move = legal->moves[i];
        PieceType own  = move_kind(move) == MOVE_PROMOTION ? move_promotion(move) : NO_TYPE;
        if (move_to(move) == (wanted & 63) && move_from(move) == (wanted >> 6 & 63) && own == promotion) return move;
    }
    return MOVE_NONE;
}

/* The library's ranks: 1000 a sure win, 900 and less a win that the fifty-move rule may spoil, and so down to -1000. */
static TableVerdict verdict_of_rank(int rank, bool fifty)
{
    enum { SURE = 900 };
    if (rank >= SURE) return TABLE_WIN;
    if (rank > 0) return fifty ? TABLE_CURSED_WIN : TABLE_WIN;
    if (rank == 0) return TABLE_DRAW;
    if (rank > -SURE) return fifty ? TABLE_BLESSED_LOSS : TABLE_LOSS;
    return TABLE_LOSS;
}

static bool take_ranks(const FathomMoves *ranked, const MoveList *legal, bool fifty, TableRanking *out)
{
    out->count = 0;
    for (unsigned i = 0; i < ranked->count; i++) {
        int       rank = ranked->moves[i].rank;
        TableMove move = {decode_move(legal, ranked->moves[i].move), rank, verdict_of_rank(rank, fifty)};
        if (move.move == MOVE_NONE) return false;
        int at = out->count++;
        for (; at > 0 && out->moves[at - 1].rank < move.rank; at--) out->moves[at] = out->moves[at - 1];
        out->moves[at] = move;
    }
    if (out->count != legal->count) return false;
    out->verdict = out->moves[0].verdict;
    return true;
}

bool tables_rank_moves(const Tables *tables, const Position *pos, bool repeated, bool fifty, TableRanking *out)
{
    MoveList legal;
    if (!may_probe(tables, pos)) return false;
    movegen_legal(pos, &legal);
    if (legal.count == 0 || legal.count >= FATHOM_MOVES_MAX) return false;
    FathomMoves *ranked = calloc(1, sizeof *ranked);
    if (!ranked) return false;
    pthread_mutex_lock(&fathom_lock);
    bool ok = tables->rank(pos->colors[WHITE], pos->colors[BLACK], pos->types[KING], pos->types[QUEEN], pos->types[ROOK],
                           pos->types[BISHOP], pos->types[KNIGHT], pos->types[PAWN], pos->halfmove, 0, ep_of(pos),
                           position_side(pos) == WHITE, repeated, fifty, ranked) != 0;
    pthread_mutex_unlock(&fathom_lock);
    ok = ok && take_ranks(ranked, &legal, fifty, out);
    free(ranked);
    return ok;
}

bool tables_distance(const Tables *tables, const Position *pos, int *plies)
{
    const unsigned failed = UINT_MAX;
    if (!may_probe(tables, pos) || movegen_count(pos) == 0) return false;
    pthread_mutex_lock(&fathom_lock);
    unsigned result = tables->root(pos->colors[WHITE], pos->colors[BLACK], pos->types[KING], pos->types[QUEEN], pos->types[ROOK],
                                   pos->types[BISHOP], pos->types[KNIGHT], pos->types[PAWN], pos->halfmove, ep_of(pos),
                                   position_side(pos) == WHITE, NULL);
    pthread_mutex_unlock(&fathom_lock);
    if (result == failed) return false;
    *plies = (int)(result >> FATHOM_DTZ_SHIFT);
    return true;
}

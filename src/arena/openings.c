/* openings.c - see openings.h. */
#include "arena/openings.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "game/pgn.h"

static bool grow(void **items, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap) return true;
    size_t cap_new = *cap ? *cap * 2 : 1024;
    while (cap_new < need) cap_new *= 2;
    void *grown = realloc(*items, cap_new * size);
    if (!grown) return false;
    *items = grown;
    *cap   = cap_new;
    return true;
}

void openings_release(Openings *openings)
{
    free(openings->items);
    free(openings->moves);
    buf_release(&openings->fens);
    *openings = (Openings){0};
}

static bool add_opening(Openings *openings, const Position *start, Err *err)
{
    char     fen[FEN_SIZE];
    Position normal;
    Opening  item = {.move_at = (uint32_t)openings->move_count};
    position_set_start(&normal);
    if (!grow((void **)&openings->items, &openings->cap, openings->count + 1, sizeof *openings->items))
        return err_set(err, ERR_MEMORY, 0, "out of memory");
    if (!position_same(start, &normal) || start->halfmove != 0 || start->fullmove != 1) {
        item.fen_at  = (uint32_t)openings->fens.len;
        item.fen_len = (uint32_t)position_to_fen(start, fen);
        buf_append(&openings->fens, str_from(fen));
        if (openings->fens.failed) return err_set(err, ERR_MEMORY, 0, "out of memory");
    }
    openings->items[openings->count++] = item;
    return true;
}

static bool add_move(Openings *openings, Move move, Err *err)
{
    if (!grow((void **)&openings->moves, &openings->move_cap, openings->move_count + 1, sizeof *openings->moves))
        return err_set(err, ERR_MEMORY, 0, "out of memory");
    if (openings->count == 0) return err_set(err, ERR_FORMAT, 0, "a move before any game");
    openings->moves[openings->move_count++] = move;
    openings->items[openings->count - 1].move_count++;
    return true;
}

/* Does the position fit the variant? Marks it as Chess960 when that is what is played. */
static bool fit_variant(Position *pos, bool chess960, Err *err)
{
    if (pos->chess960 && !chess960)
        return err_set(err, ERR_POSITION, 0, "its castling needs Chess960 rules (add --variant chess960)");
    pos->chess960 = chess960;
    return true;
}

/* ---- EPD ---- */

static bool load_epd_line(Openings *openings, Str line, bool chess960, Err *err)
{
    Position pos;
    Str      rest;
    line = str_trim(line);
    if (line.len == 0 || line.ptr[0] == '#') return true;
    if (!position_from_fen_prefix(line, &pos, &rest, NULL, err) || !fit_variant(&pos, chess960, err)) return false;
    if (!movegen_has_legal_move(&pos)) return err_set(err, ERR_POSITION, 0, "the game is over in this position");
    return add_opening(openings, &pos, err);
}

static bool load_epd(const char *path, bool chess960, Openings *out, Err *err)
{
    LineReader lines;
    Str        line;
    Err        why;
    if (!lines_open(&lines, path, err)) return false;
    bool   ok     = true;
    size_t number = 0;
    while (ok) {
        LineStatus status = lines_next(&lines, &line, err);
        if (status != LINE_READ) {
            ok = status == LINE_END;
            break;
        }
        number++;
        ok = load_epd_line(out, line, chess960, &why);
        if (!ok) err_set(err, why.code, why.offset, "%s:%zu: %s", path, number, why.text);
    }
    lines_release(&lines);
    return ok;
}

/* ---- PGN ---- */

typedef struct {
    Openings *openings;
    bool      chess960;
    int       plies;
    int       depth; /* of variations: those are not played */
    int       taken;
    bool      failed;
    Err       err;
    size_t    line;
} PgnLoad;

static bool stop_loading(PgnLoad *load)
{
    load->failed = true;
    return false;
}

static bool on_begin_moves(void *context, const Position *start)
{
    PgnLoad *load = context;
    Position pos  = *start;
    load->taken   = 0;
    load->depth   = 0;
    if (!fit_variant(&pos, load->chess960, &load->err) || !add_opening(load->openings, &pos, &load->err))
        return stop_loading(load);
    return true;
}

static bool on_move(void *context, const Position *before, Move move)
{
    PgnLoad *load = context;
    (void)before;
    if (load->depth > 0 || (load->plies > 0 && load->taken >= load->plies)) return true;
    if (move == MOVE_NONE) {
        err_set(&load->err, ERR_ILLEGAL_MOVE, 0, "a null move cannot be part of an opening");
        return stop_loading(load);
    }
    load->taken++;
    return add_move(load->openings, move, &load->err) || stop_loading(load);
}

static bool on_begin_variation(void *context)
{
    ((PgnLoad *)context)->depth++;
    return true;
}

static bool on_end_variation(void *context)
{
    ((PgnLoad *)context)->depth--;
    return true;
}

static bool on_error(void *context, const PgnError *error)
{
    PgnLoad *load = context;
    load->err     = error->err;
    load->line    = error->line;
    return stop_loading(load);
}

static ptrdiff_t read_fd(void *context, char *out, size_t size, Err *err)
{
    ssize_t got = read(*(int *)context, out, size);
    if (got < 0) err_set_errno(err, ERR_IO, "cannot read the openings");
    return got;
}

static bool load_pgn(const char *path, int plies, bool chess960, Openings *out, Err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return err_set_errno(err, ERR_IO, "cannot open '%s'", path);
    PgnLoad          load    = {.openings = out, .chess960 = chess960, .plies = plies};
    const PgnSource  source  = {&fd, read_fd};
    const PgnVisitor visitor = {.context         = &load,
                                .begin_moves     = on_begin_moves,
                                .move            = on_move,
                                .begin_variation = on_begin_variation,
                                .end_variation   = on_end_variation,
                                .error           = on_error};
    bool             ok      = pgn_read(&source, &visitor, NULL, err);
    close(fd);
    if (ok && load.failed) {
        if (load.line) return err_set(err, load.err.code, 0, "%s:%zu: %s", path, load.line, load.err.text);
        return err_set(err, load.err.code, 0, "%s, game %zu: %s", path, out->count, load.err.text);
    }
    return ok;
}

/* A game that ends within the opening leaves nothing to play. */
static bool check_playable(const char *path, const Openings *openings, Err *err)
{
    Game     game;
    Position start;
    bool     ok = true;
    position_set_start(&start);
    if (!game_init(&game, &start)) return err_set(err, ERR_MEMORY, 0, "out of memory");
    for (size_t i = 0; ok && i < openings->count; i++) {
        ok = openings_begin(openings, i, &game);
        if (ok && game_end(&game) != END_NONE)
            ok = err_set(err, ERR_POSITION, 0, "%s: opening %zu leaves nothing to play: %s", path, i + 1,
                         game_end_text(game_end(&game)));
    }
    game_release(&game);
    return ok;
}

bool openings_load(const char *path, int plies, bool chess960, Openings *out, Err *err)
{
    Openings openings = {.chess960 = chess960};
    bool     is_pgn   = str_ends_with(str_from(path), STR(".pgn"));
    bool     ok       = is_pgn ? load_pgn(path, plies, chess960, &openings, err) : load_epd(path, chess960, &openings, err);
    if (ok && openings.count == 0)
        ok = err_set(err, ERR_FORMAT, 0, "'%s' holds no opening (one FEN or EPD a line, or games as .pgn)", path);
    ok = ok && check_playable(path, &openings, err);
    if (!ok) {
        openings_release(&openings);
        *out = (Openings){0};
        return false;
    }
    *out = openings;
    return true;
}

void openings_shuffle(Openings *openings, uint64_t seed)
{
    Rng rng = rng_seeded(seed);
    for (size_t i = openings->count; i > 1; i--) {
        size_t  j              = (size_t)rng_below(&rng, i);
        Opening swap           = openings->items[i - 1];
        openings->items[i - 1] = openings->items[j];
        openings->items[j]     = swap;
    }
}

bool openings_begin(const Openings *openings, uint64_t number, Game *game)
{
    Position start;
    position_set_start(&start);
    start.chess960 = openings->chess960;
    if (openings->count == 0) {
        game_reset(game, &start);
        return true;
    }
    const Opening *item = &openings->items[number % openings->count];
    if (item->fen_len) {
        if (!position_from_fen((Str){openings->fens.data + item->fen_at, item->fen_len}, &start, NULL, NULL)) return false;
        start.chess960 = openings->chess960;
    }
    game_reset(game, &start);
    for (uint32_t i = 0; i < item->move_count; i++) {
        if (!game_play(game, openings->moves[item->move_at + i])) return false;
    }
    return true;
}

/* One opening from moves in SAN separated by spaces, from the usual start. */
static bool add_line(Openings *openings, Str moves, Err *err)
{
    Position pos, next;
    position_set_start(&pos);
    pos.chess960 = openings->chess960;
    if (!add_opening(openings, &pos, err)) return false;
    for (Str text = str_next_token(&moves); text.len; text = str_next_token(&moves)) {
        Move move;
        if (!move_from_san(&pos, text, &move, err) || !add_move(openings, move, err)) return false;
        position_play(&pos, move, &next);
        pos = next;
    }
    return true;
}

/* Played by everybody for a hundred years; no gambit that loses by force, no line that is drawn. */
static const char *const builtin_lines[] = {
    "e4 e5 Nf3 Nc6 Bb5 a6",   "e4 e5 Nf3 Nc6 Bb5 Nf6", "e4 e5 Nf3 Nc6 Bc4 Bc5", "e4 e5 Nf3 Nc6 Bc4 Nf6",
    "e4 e5 Nf3 Nc6 d4 exd4",  "e4 e5 Nf3 Nc6 Nc3 Nf6", "e4 e5 Nf3 Nf6 Nxe5 d6", "e4 e5 Nc3 Nf6 Bc4 Nc6",
    "e4 e5 f4 exf4 Nf3 g5",   "e4 e5 Nf3 d6 d4 Nf6",   "e4 c5 Nf3 d6 d4 cxd4",  "e4 c5 Nf3 Nc6 d4 cxd4",
    "e4 c5 Nf3 e6 d4 cxd4",   "e4 c5 Nf3 Nc6 Bb5 g6",  "e4 c5 Nc3 Nc6 g3 g6",   "e4 c5 c3 d5 exd5 Qxd5",
    "e4 c5 c3 Nf6 e5 Nd5",    "e4 c5 Nf3 d6 Bb5+ Bd7", "e4 e6 d4 d5 Nc3 Bb4",   "e4 e6 d4 d5 Nc3 Nf6",
    "e4 e6 d4 d5 Nd2 c5",     "e4 e6 d4 d5 e5 c5",     "e4 e6 d4 d5 exd5 exd5", "e4 c6 d4 d5 Nc3 dxe4",
    "e4 c6 d4 d5 e5 Bf5",     "e4 c6 d4 d5 exd5 cxd5", "e4 c6 Nc3 d5 Nf3 Bg4",  "e4 d5 exd5 Qxd5 Nc3 Qa5",
    "e4 d5 exd5 Nf6 d4 Nxd5", "e4 Nf6 e5 Nd5 d4 d6",   "e4 d6 d4 Nf6 Nc3 g6",   "e4 g6 d4 Bg7 Nc3 d6",
    "d4 d5 c4 e6 Nc3 Nf6",    "d4 d5 c4 c6 Nf3 Nf6",   "d4 d5 c4 dxc4 Nf3 Nf6", "d4 d5 c4 e5 dxe5 d4",
    "d4 d5 Nf3 Nf6 e3 e6",    "d4 d5 Bf4 Nf6 e3 c5",   "d4 d5 c4 c6 Nc3 e6",    "d4 Nf6 c4 e6 Nc3 Bb4",
    "d4 Nf6 c4 e6 Nf3 b6",    "d4 Nf6 c4 e6 Nf3 Bb4+", "d4 Nf6 c4 e6 g3 d5",    "d4 Nf6 c4 g6 Nc3 Bg7",
    "d4 Nf6 c4 g6 Nc3 d5",    "d4 Nf6 c4 c5 d5 b5",    "d4 Nf6 c4 c5 d5 e6",    "d4 Nf6 c4 d6 Nc3 e5",
    "d4 Nf6 Bg5 e6 e4 h6",    "d4 Nf6 Nf3 g6 g3 Bg7",  "d4 Nf6 Nf3 e6 Bg5 c5",  "d4 f5 g3 Nf6 Bg2 e6",
    "d4 f5 c4 Nf6 g3 g6",     "c4 e5 Nc3 Nf6 Nf3 Nc6", "c4 e5 g3 Nf6 Bg2 d5",   "c4 c5 Nf3 Nf6 Nc3 d5",
    "c4 Nf6 Nc3 e6 e4 d5",    "c4 c5 g3 g6 Bg2 Bg7",   "Nf3 d5 g3 Nf6 Bg2 c6",  "Nf3 d5 c4 d4 g3 c5",
    "Nf3 Nf6 c4 g6 Nc3 d5",   "Nf3 c5 c4 Nc6 d4 cxd4", "g3 d5 Bg2 e5 d3 Nf6",   "b3 e5 Bb2 Nc6 e3 Nf6",
};

bool openings_builtin(bool chess960, Openings *out, Err *err)
{
    Openings openings = {.chess960 = chess960};
    bool     ok       = true;
    for (size_t i = 0; ok && !chess960 && i < sizeof builtin_lines / sizeof *builtin_lines; i++)
        ok = add_line(&openings, str_from(builtin_lines[i]), err);
    if (!ok) openings_release(&openings);
    *out = openings;
    return ok;
}

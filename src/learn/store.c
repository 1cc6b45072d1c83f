/* store.c - see store.h. */
#include "learn/store.h"

#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "chess/movegen.h"

static const char MAGIC[] = "TGAMES01";

enum {
    MAGIC_SIZE  = 8,
    LENGTH_SIZE = 4,
    SUM_SIZE    = 4,
    HEAD_SIZE   = 8 + 16 + 8 + 8 + 8, /* men, their kinds, castling rooks, small fields, number */
    PLY_SIZE    = 4,
    RECORD_MAX  = LENGTH_SIZE + HEAD_SIZE + STORE_PLIES_MAX * PLY_SIZE + SUM_SIZE,
};

/* ---- a position in 40 bytes ---- */

static void pack_position(const Position *pos, uint8_t *out)
{
    Bitboard occupied = position_occupied(pos);
    int      index    = 0;
    bytes_put(out, occupied, 8);
    memset(out + 8, 0, 16);
    for (Bitboard left = occupied; left; index++) {
        Piece man = pos->board[bb_pop(&left)];
        out[8 + index / 2] |= (uint8_t)((unsigned)man << (4 * (index % 2)));
    }
    bytes_put(out + 24, pos->castle_rooks, 8);
    out[32] = pos->side;
    out[33] = pos->ep_square;
    out[34] = pos->chess960;
    bytes_put(out + 36, pos->halfmove, 2);
    bytes_put(out + 38, pos->fullmove, 2);
}

static bool unpack_position(const uint8_t *in, Position *pos)
{
    Bitboard occupied = bytes_get(in, 8);
    int      index    = 0;
    if (bb_count(occupied) > 32) return false;
    position_clear(pos);
    for (Bitboard left = occupied; left; index++) {
        Square square = bb_pop(&left);
        int    man    = in[8 + index / 2] >> (4 * (index % 2)) & 15;
        if (man > B_KING || piece_type((Piece)man) >= PIECE_TYPES) return false;
        position_put(pos, square, (Piece)man);
    }
    if (bb_count(position_pieces(pos, WHITE, KING)) != 1 || bb_count(position_pieces(pos, BLACK, KING)) != 1) return false;
    pos->castle_rooks = bytes_get(in + 24, 8);
    if (in[32] > BLACK || (in[33] > H8 && in[33] != SQ_NONE) || in[34] > 1) return false;
    pos->side      = in[32];
    pos->ep_square = in[33];
    pos->chess960  = in[34] != 0;
    pos->halfmove  = (uint16_t)bytes_get(in + 36, 2);
    pos->fullmove  = (uint32_t)bytes_get(in + 38, 2);
    position_compute_keys(pos);
    return true;
}

/* ---- writing ---- */

static size_t pack_game(const StoredGame *game, uint8_t *record)
{
    uint8_t *payload = record + LENGTH_SIZE;
    size_t   size    = HEAD_SIZE + (size_t)game->plies * PLY_SIZE;
    bytes_put(record, size, LENGTH_SIZE);
    pack_position(&game->start, payload);
    payload[35] = (uint8_t)game->result;
    bytes_put(payload + 40, game->number, 8);
    for (int i = 0; i < game->plies; i++) {
        uint8_t *ply = payload + HEAD_SIZE + (size_t)i * PLY_SIZE;
        bytes_put(ply, game->moves[i], 2);
        bytes_put(ply + 2, (uint16_t)game->scores[i], 2);
    }
    bytes_put(payload + size, checksum_of(payload, size), SUM_SIZE);
    return LENGTH_SIZE + size + SUM_SIZE;
}

bool store_append_to(StoreWriter *writer, const char *path, Err *err)
{
    StoreReader reader;
    *writer  = (StoreWriter){0};
    FILE *at = fopen(path, "ab+");
    if (!at) return err_set_errno(err, ERR_IO, "cannot write %s", path);
    fseek(at, 0, SEEK_END);
    if (ftell(at) == 0) {
        writer->file = at;
        return (fwrite(MAGIC, 1, MAGIC_SIZE, at) == MAGIC_SIZE && fflush(at) == 0) ||
               err_set_errno(err, ERR_IO, "cannot write %s", path);
    }
    fclose(at);
    if (!store_open(&reader, path, err)) return false;
    StoredGame  game;
    StoreStatus status;
    while ((status = store_next(&reader, &game, err)) == STORE_GAME) {
        writer->games++;
        writer->positions += (uint64_t)game.plies;
        if (game.number >= writer->next_number) writer->next_number = game.number + 1;
    }
    long whole = reader.whole;
    store_release(&reader);
    if (status == STORE_FAILED) return false;
    if (truncate(path, whole) != 0) return err_set_errno(err, ERR_IO, "cannot repair %s", path);
    writer->file = fopen(path, "ab");
    return writer->file || err_set_errno(err, ERR_IO, "cannot write %s", path);
}

bool store_write(StoreWriter *writer, const StoredGame *game, Err *err)
{
    uint8_t record[RECORD_MAX];
    size_t  size = pack_game(game, record);
    if (fwrite(record, 1, size, writer->file) != size || fflush(writer->file) != 0)
        return err_set_errno(err, ERR_IO, "cannot write a game");
    writer->games++;
    writer->positions += (uint64_t)game->plies;
    return true;
}

bool store_close(StoreWriter *writer, Err *err)
{
    bool ok      = !writer->file || fclose(writer->file) == 0;
    writer->file = NULL;
    return ok || err_set_errno(err, ERR_IO, "cannot close a file of games");
}

/* ---- reading ---- */

bool store_open(StoreReader *reader, const char *path, Err *err)
{
    char magic[MAGIC_SIZE];
    reader->whole = MAGIC_SIZE;
    reader->file  = fopen(path, "rb");
    if (!reader->file) return err_set_errno(err, ERR_IO, "cannot read %s", path);
    if (fread(magic, 1, MAGIC_SIZE, reader->file) == MAGIC_SIZE && memcmp(magic, MAGIC, MAGIC_SIZE) == 0) return true;
    store_release(reader);
    return err_set(err, ERR_FORMAT, 0, "%s is no file of stored games", path);
}

void store_release(StoreReader *reader)
{
    if (reader->file) fclose(reader->file);
    reader->file = NULL;
}

/* Moves are replayed: a file may be whole and still not of this program. */
static bool unpack_game(const uint8_t *payload, size_t size, StoredGame *game)
{
    if (!unpack_position(payload, &game->start) || payload[35] > RESULT_DRAW) return false;
    game->result = (Result)payload[35];
    game->number = bytes_get(payload + 40, 8);
    game->plies  = (int)((size - HEAD_SIZE) / PLY_SIZE);
    Position now = game->start, next;
    for (int i = 0; i < game->plies; i++) {
        const uint8_t *ply = payload + HEAD_SIZE + (size_t)i * PLY_SIZE;
        game->moves[i]     = (Move)bytes_get(ply, 2);
        game->scores[i]    = (int16_t)bytes_get(ply + 2, 2);
        KingState king_now = movegen_king_state(&now);
        if (!movegen_is_legal(&now, &king_now, game->moves[i])) return false;
        position_play(&now, game->moves[i], &next);
        now = next;
    }
    return true;
}

StoreStatus store_next(StoreReader *reader, StoredGame *game, Err *err)
{
    uint8_t record[RECORD_MAX];
    size_t  got = fread(record, 1, LENGTH_SIZE, reader->file);
    if (got == 0 && !ferror(reader->file)) return STORE_END;
    size_t size = got == LENGTH_SIZE ? bytes_get(record, LENGTH_SIZE) : 0;
    if (got == LENGTH_SIZE) {
        if (size < HEAD_SIZE || size > RECORD_MAX - LENGTH_SIZE - SUM_SIZE || (size - HEAD_SIZE) % PLY_SIZE != 0)
            return STORE_TORN;
        got = fread(record, 1, size + SUM_SIZE, reader->file);
    }
    if (ferror(reader->file)) {
        err_set_errno(err, ERR_IO, "cannot read on");
        return STORE_FAILED;
    }
    if (size == 0 || got != size + SUM_SIZE) return STORE_TORN;
    if ((uint32_t)checksum_of(record, size) != (uint32_t)bytes_get(record + size, SUM_SIZE)) return STORE_TORN;
    if (!unpack_game(record, size, game)) {
        err_set(err, ERR_FORMAT, (size_t)reader->whole, "game %llu has an illegal position or move",
                (unsigned long long)bytes_get(record + 40, 8));
        return STORE_FAILED;
    }
    reader->whole += (long)(LENGTH_SIZE + size + SUM_SIZE);
    return STORE_GAME;
}

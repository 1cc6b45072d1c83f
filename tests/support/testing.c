/* testing.c - see testing.h. */
#include "support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chess/fen.h"
#include "chess/notation.h"

Position position_of(const char *fen)
{
    Position pos;
    Str      rest;
    Err      err;
    if (!position_from_fen_prefix(str_from(fen), &pos, &rest, NULL, &err)) fail_msg("'%s': %s", fen, err.text);
    return pos;
}

Move move_of(const Position *pos, const char *text)
{
    Move move;
    Err  err;
    if (!move_from_uci(pos, str_from(text), &move, NULL) && !move_from_san(pos, str_from(text), &move, &err))
        fail_msg("move: %s", err.text);
    return move;
}

Position position_after(const Position *pos, const char *moves)
{
    Position now  = *pos;
    Str      rest = str_from(moves);
    for (;;) {
        Str  word     = str_next_token(&rest);
        char text[16] = {0};
        if (word.len == 0) return now;
        if (word.len >= sizeof text) fail_msg("'%.*s' is too long for a move", STR_ARGS(word));
        memcpy(text, word.ptr, word.len);
        Position before = now;
        position_play(&before, move_of(&before, text), &now);
    }
}

void assert_str_equal(Str actual, const char *expected)
{
    if (!str_equal(actual, str_from(expected))) fail_msg("'%.*s' instead of '%s'", STR_ARGS(actual), expected);
}

static char other_case(char c) { return char_is_lower(c) ? char_upper(c) : char_lower(c); }

/* The ranks of the board field in opposite order, every man of the other colour. */
static size_t mirror_board(Str board, char *out)
{
    size_t used = 0;
    while (board.len) {
        size_t start = board.len;
        while (start > 0 && board.ptr[start - 1] != '/') start--;
        for (size_t i = start; i < board.len; i++) out[used++] = other_case(board.ptr[i]);
        board.len = start ? start - 1 : 0;
        if (start) out[used++] = '/';
    }
    return used;
}

void fen_mirror(const char *fen, char out[MIRROR_SIZE])
{
    Str    rest  = str_from(fen);
    Str    board = str_next_token(&rest), side = str_next_token(&rest);
    Str    castling = str_next_token(&rest), ep = str_next_token(&rest);
    size_t used = mirror_board(board, out);
    used += (size_t)snprintf(out + used, MIRROR_SIZE - used, " %c ", side.ptr[0] == 'w' ? 'b' : 'w');
    for (size_t i = 0; i < castling.len; i++) out[used++] = other_case(castling.ptr[i]);
    if (ep.len == 2) {
        used += (size_t)snprintf(out + used, MIRROR_SIZE - used, " %c%c", ep.ptr[0], '1' + '8' - ep.ptr[1]);
    } else {
        used += (size_t)snprintf(out + used, MIRROR_SIZE - used, " -");
    }
    snprintf(out + used, MIRROR_SIZE - used, "%.*s", STR_ARGS(rest));
}

void shared_path_or_skip(const char *name, char out[PATH_SIZE])
{
    const char *folder = getenv("TABIA_SHARED");
    snprintf(out, PATH_SIZE, "%s/%s", folder && *folder ? folder : "../shared", name);
    if (access(out, R_OK) == 0) return;
    print_message("skipped: '%s' is not here\n", out);
    skip();
}

char *read_file_text(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("cannot open '%s'", path);
    fseek(file, 0, SEEK_END);
    long  size = ftell(file);
    char *text = malloc((size_t)size + 1);
    rewind(file);
    *len       = fread(text, 1, (size_t)size, file);
    text[*len] = '\0';
    fclose(file);
    return text;
}

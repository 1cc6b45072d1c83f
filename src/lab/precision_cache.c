/* precision_cache.c - the answers of a reference engine in a text file; see precision.h.
 *
 *   # tabia lab precision 1 | k 5 | limit depth=12 | engine stockfish
 *   2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1 | g3g6 e5c6 ...
 */
#include <stdio.h>
#include <sys/stat.h>

#include "base/lines.h"
#include "chess/notation.h"
#include "lab/precision.h"

static void append_safe(Buf *out, Str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c    = text.ptr[i];
        bool safe = char_is_digit(c) || char_is_lower(char_lower(c)) || c == '=' || c == '.' || c == '+' || c == '-';
        buf_append_char(out, safe ? c : '_');
    }
}

void precision_cache_path(Buf *out, const char *folder, const char *suite, const char *engine, const char *limit, int k)
{
    Str name = str_from(suite);
    for (size_t i = name.len; i > 0; i--) {
        if (name.ptr[i - 1] != '/') continue;
        name = str_skip(name, i);
        break;
    }
    if (str_ends_with(name, STR(".epd"))) name.len -= 4;
    buf_printf(out, "%s/", folder);
    append_safe(out, name);
    buf_printf(out, "-k%d-", k);
    append_safe(out, str_from(engine));
    buf_append_char(out, '-');
    append_safe(out, str_from(limit));
    buf_append(out, STR(".txt"));
}

static void head_line(Buf *out, const PrecisionCache *cache)
{
    buf_printf(out, "# tabia lab precision 1 | k %d | limit %s | engine %s", cache->k, cache->limit, cache->engine);
}

/* "FEN | move move ...": all moves legal there and different. */
static bool read_answer(Str line, int k, Str *fen, TopMoves *out, Err *err)
{
    Position pos;
    *fen = str_trim(str_next_until(&line, '|'));
    *out = (TopMoves){0};
    if (!position_from_fen(*fen, &pos, NULL, err)) return false;
    for (Str word; (word = str_next_token(&line)).len;) {
        Move move;
        if (!move_from_uci(&pos, word, &move, err)) return false;
        for (int i = 0; i < out->count; i++) {
            if (out->moves[i] == move) return err_set(err, ERR_FORMAT, 0, "'%.*s' stands there twice", STR_ARGS(word));
        }
        if (out->count < k) out->moves[out->count] = move;
        out->count++;
    }
    return out->count == k || err_set(err, ERR_FORMAT, 0, "there are %d moves, not %d", out->count, k);
}

static bool check_head(const PrecisionCache *cache, Str line, Err *err)
{
    Buf head = {0};
    head_line(&head, cache);
    bool same = !head.failed && str_equal(buf_str(&head), line);
    buf_release(&head);
    return same || err_set(err, ERR_FORMAT, 0, "this is not the head of the answers wanted");
}

static void fill(const PrecisionSuite *suite, Str fen, const TopMoves *answer, TopMoves *out)
{
    for (size_t i = 0; i < suite->count; i++) {
        if (str_equal(str_from(suite->items[i].fen), fen)) out[i] = *answer;
    }
}

bool precision_cache_load(const PrecisionCache *cache, const PrecisionSuite *suite, TopMoves *out, Err *err)
{
    struct stat at;
    LineReader  lines;
    LineStatus  status = LINE_READ;
    Str         line, fen;
    TopMoves    answer;
    Err         why    = {0};
    int         number = 0;
    bool        ok     = true;
    if (stat(cache->path, &at) != 0) return true;
    if (!lines_open(&lines, cache->path, err)) return false;
    while (ok && (status = lines_next(&lines, &line, &why)) == LINE_READ) {
        number++;
        ok = number == 1 ? check_head(cache, line, &why) : read_answer(line, cache->k, &fen, &answer, &why);
        if (ok && number > 1) fill(suite, fen, &answer, out);
    }
    if (number == 0 && status == LINE_END) ok = err_set(&why, ERR_FORMAT, 0, "the file is empty");
    lines_release(&lines);
    if (ok && status != LINE_FAILED) return true;
    for (size_t i = 0; i < suite->count; i++) out[i] = (TopMoves){0};
    return err_set(err, why.code, 0, "the reference's answers are broken (delete it to ask again): %s:%d: %s", cache->path,
                   number, why.text);
}

bool precision_cache_add(const PrecisionCache *cache, const PrecisionPosition *position, const TopMoves *answer, Err *err)
{
    Buf   text = {0};
    FILE *file = fopen(cache->path, "ab");
    bool  ok   = file != NULL;
    if (ok && ftell(file) == 0) { /* opened for appending it stands at the end */
        head_line(&text, cache);
        buf_append_char(&text, '\n');
    }
    buf_printf(&text, "%s |", position->fen);
    for (int i = 0; i < answer->count; i++) {
        char uci[UCI_MOVE_SIZE];
        move_to_uci(&position->pos, answer->moves[i], uci);
        buf_printf(&text, " %s", uci);
    }
    buf_append_char(&text, '\n');
    ok = ok && !text.failed && fwrite(text.data, 1, text.len, file) == text.len;
    if (file) ok = fclose(file) == 0 && ok;
    buf_release(&text);
    return ok || err_set_errno(err, ERR_IO, "cannot write %s", cache->path);
}

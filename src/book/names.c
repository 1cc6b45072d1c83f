/* names.c - see names.h. */
#include "book/names.h"

#include <stdlib.h>

#include "book/embed.h"
#include "chess/notation.h"

enum { LINE_PLIES_MAX = 64 };

typedef struct {
    Key         key;
    size_t      order; /* of the line: the first name of a position stays */
    OpeningName name;
} NamedKey;

struct Names {
    NamedKey *keys; /* sorted */
    size_t    count, capacity;
};

/* The table being read: the positions of the line before are still there, so that shared moves are not replayed. */
typedef struct {
    Names   *names;
    int      plies; /* of the line before */
    Position line[LINE_PLIES_MAX + 1];
} TableReader;

static bool add(Names *names, Key key, OpeningName name, Err *err)
{
    if (names->count == names->capacity) {
        size_t    capacity = names->capacity ? names->capacity * 2 : 4096;
        NamedKey *keys     = realloc(names->keys, capacity * sizeof *keys);
        if (!keys) return err_set(err, ERR_MEMORY, 0, "no memory for opening names");
        names->keys     = keys;
        names->capacity = capacity;
    }
    names->keys[names->count] = (NamedKey){key, names->count, name};
    names->count++;
    return true;
}

/* "2 Nf3 Nc6|C44 King's Knight Opening": two half-moves of the line before, then these. */
static bool read_line(TableReader *reader, Str line, size_t number, Err *err)
{
    Str rest = line, moves = str_next_until(&rest, '|'), code = str_next_token(&rest), word = str_next_token(&moves);
    int ply;
    if (!str_to_int(word, 0, reader->plies, &ply))
        return err_set(err, ERR_SYNTAX, number, "line %zu does not begin with a number of moves of the line before", number);
    while ((word = str_next_token(&moves)).len) {
        Move move;
        if (ply == LINE_PLIES_MAX) return err_set(err, ERR_RANGE, number, "line %zu has too many moves", number);
        if (!move_from_san(&reader->line[ply], word, &move, NULL))
            return err_set(err, ERR_ILLEGAL_MOVE, number, "line %zu: '%.*s' is no legal move", number, STR_ARGS(word));
        position_play(&reader->line[ply], move, &reader->line[ply + 1]);
        ply++;
    }
    reader->plies = ply;
    if (!code.len || !str_trim(rest).len) return err_set(err, ERR_SYNTAX, number, "line %zu has no code and name", number);
    return add(reader->names, reader->line[ply].key, (OpeningName){code, str_trim(rest)}, err);
}

static int compare_keys(const void *a, const void *b)
{
    const NamedKey *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static bool read_table(Names *names, Str text, Err *err)
{
    TableReader reader = {.names = names};
    position_set_start(&reader.line[0]);
    for (size_t number = 1; text.len; number++) {
        Str line = str_next_until(&text, '\n');
        if (line.len == 0 || line.ptr[0] == '#') continue;
        if (!read_line(&reader, line, number, err)) return false;
    }
    if (names->count) qsort(names->keys, names->count, sizeof *names->keys, compare_keys);
    return true;
}

Names *names_from_text(Str text, Err *err)
{
    Names *names = calloc(1, sizeof *names);
    if (!names) {
        err_set(err, ERR_MEMORY, 0, "no memory for opening names");
        return NULL;
    }
    if (read_table(names, text, err)) return names;
    names_free(names);
    return NULL;
}

Names *names_new(Err *err) { return names_from_text((Str){embedded_names, (size_t)embedded_names_size}, err); }

void names_free(Names *names)
{
    if (!names) return;
    free(names->keys);
    free(names);
}

size_t names_count(const Names *names) { return names->count; }

static bool find_key(const Names *names, Key key, OpeningName *out)
{
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (names->keys[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == names->count || names->keys[low].key != key) return false;
    *out = names->keys[low].name;
    return true;
}

bool names_find(const Names *names, const Position *pos, OpeningName *out) { return find_key(names, pos->key, out); }

bool names_of_game(const Names *names, const Game *game, OpeningName *out)
{
    Position start;
    position_set_start(&start);
    if (!position_same(&game->start, &start)) return false;
    for (size_t ply = game->plies + 1; ply-- > 0;) {
        if (find_key(names, game->keys[ply], out)) return true;
    }
    return false;
}

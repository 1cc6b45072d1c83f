/* test_rampart.c - the move generation cases of the rampart project: each legal move of a position by its SAN, and the
 * position it leads to.
 *
 * Their FENs name an en passant square after every double step; both sides are read, so only what can be played counts.
 */
#include "support/testing.h"

#include <stdio.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

/* A reader of just this JSON: it walks over the strings of the text and tells keys from values by the colon behind. */
typedef struct {
    Str  rest;
    char text[512];
} Strings;

/* The next string of the text, key or value, with its escapes undone (\u stays a question mark). */
static bool next_string(Strings *s, bool *is_key)
{
    str_next_until(&s->rest, '"');
    if (s->rest.len == 0) return false;
    size_t used = 0, i = 0;
    for (; i < s->rest.len && s->rest.ptr[i] != '"'; i++) {
        char c = s->rest.ptr[i];
        if (c == '\\') c = s->rest.ptr[++i] == 'u' ? '?' : s->rest.ptr[i];
        if (used + 1 < sizeof s->text) s->text[used++] = c;
    }
    s->text[used] = '\0';
    s->rest       = str_skip(s->rest, i + 1);
    Str behind    = str_trim(s->rest);
    *is_key       = behind.len && behind.ptr[0] == ':';
    return true;
}

typedef struct {
    Position start;
    MoveList list;
    bool     has_case;
    int      seen; /* moves of the case that the file named */
    int      cases, moves;
} Rampart;

/* All moves of the case before this must have been named. */
static void end_case(Rampart *r)
{
    char fen[FEN_SIZE];
    if (!r->has_case) return;
    position_to_fen(&r->start, fen);
    if (r->seen != r->list.count) fail_msg("%s: %d moves instead of %d", fen, r->list.count, r->seen);
    r->has_case = false;
}

static void begin_case(Rampart *r, const char *fen)
{
    end_case(r);
    r->start = position_of(fen);
    r->seen  = 0;
    r->cases++;
    r->has_case = true;
    movegen_legal(&r->start, &r->list);
}

/* The expected move by its SAN as we write it, and the position behind it. */
static void check_move(Rampart *r, const char *san, const char *fen)
{
    Position next, expected = position_of(fen);
    for (int i = 0; i < r->list.count; i++) {
        char ours[SAN_SIZE], text[FEN_SIZE];
        move_to_san(&r->start, r->list.moves[i], ours);
        if (strcmp(ours, san) != 0) continue;
        position_play(&r->start, r->list.moves[i], &next);
        position_to_fen(&next, text);
        if (!position_same(&next, &expected) || next.halfmove != expected.halfmove || next.fullmove != expected.fullmove)
            fail_msg("%s leads to\n  %s instead of\n  %s", san, text, fen);
        r->seen++;
        r->moves++;
        return;
    }
    fail_msg("%s (before %s) is not among the moves", san, fen);
}

static void check_file(const char *name)
{
    char path[PATH_SIZE], relative[64], key[16] = "", move[16] = "";
    bool start = false, is_key;
    snprintf(relative, sizeof relative, "data/perft/rampart/%s.json", name);
    shared_path_or_skip(relative, path);
    size_t  len;
    char   *text    = read_file_text(path, &len);
    Strings strings = {.rest = {text, len}};
    Rampart rampart = {0};
    while (next_string(&strings, &is_key)) {
        if (is_key) {
            snprintf(key, sizeof key, "%.15s", strings.text);
            if (strcmp(key, "start") == 0) start = true;
            if (strcmp(key, "expected") == 0) start = false;
        } else if (strcmp(key, "move") == 0) {
            snprintf(move, sizeof move, "%.15s", strings.text);
        } else if (strcmp(key, "fen") == 0 && start) {
            begin_case(&rampart, strings.text);
        } else if (strcmp(key, "fen") == 0) {
            check_move(&rampart, move, strings.text);
        }
    }
    end_case(&rampart);
    free(text);
    print_message("%s: %d positions, %d moves\n", name, rampart.cases, rampart.moves);
    assert_true(rampart.cases > 0);
}

static void castling_cases(void **state) { (void)state, check_file("castling"); }
static void checkmate_cases(void **state) { (void)state, check_file("checkmates"); }
static void famous_cases(void **state) { (void)state, check_file("famous"); }
static void pawn_cases(void **state) { (void)state, check_file("pawns"); }
static void promotion_cases(void **state) { (void)state, check_file("promotions"); }
static void stalemate_cases(void **state) { (void)state, check_file("stalemates"); }
static void standard_cases(void **state) { (void)state, check_file("standard"); }
static void taxing_cases(void **state) { (void)state, check_file("taxing"); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(castling_cases), cmocka_unit_test(checkmate_cases), cmocka_unit_test(famous_cases),
        cmocka_unit_test(pawn_cases),     cmocka_unit_test(promotion_cases), cmocka_unit_test(stalemate_cases),
        cmocka_unit_test(standard_cases), cmocka_unit_test(taxing_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* move_input.c - see move_input.h. Reading first; then, for what cannot be played, the reason (explain.c). */
#include "term/move_input.h"

#include <stdio.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "term/command.h"
#include "term/explain.h"

enum { TEXT_MAX = 32 }; /* no move is so long; whole vectors, which the compiler likes to write */

/* ---- spellings ---- */

/* Without what people put between squares: "e2 to e4", "N f3", "e2 - e4". Castling keeps its hyphens. */
static size_t squeeze(Str text, char out[TEXT_MAX])
{
    size_t len = 0;
    for (Str word; (word = str_next_token(&text)).len;) {
        if (str_equal_nocase(word, STR("to")) || str_equal(word, STR("-")) || str_equal(word, STR("->"))) continue;
        for (size_t i = 0; i < word.len; i++) {
            if (len + 1 >= TEXT_MAX) return 0;
            out[len++] = word.ptr[i];
        }
    }
    out[len] = '\0';
    return len;
}

typedef enum { SPELL_AS_IS, SPELL_PROMOTION, SPELL_PIECE, SPELL_LOWER, SPELL_LOWER_PIECE, SPELLINGS } Spelling;

/* Another way to read the same letters: the first one a piece ("nf3"), all of them small ("E4"), or both ("NF3"). A letter behind
 * the last rank or "=" is the piece of a promotion in all of them ("e8n"). */
static Str respell(Str text, Spelling spelling, char out[TEXT_MAX])
{
    for (size_t i = 0; i < text.len; i++) out[i] = spelling >= SPELL_LOWER ? char_lower(text.ptr[i]) : text.ptr[i];
    if (text.len && (spelling == SPELL_PIECE || spelling == SPELL_LOWER_PIECE)) out[0] = char_upper(out[0]);
    for (size_t i = 1; i < text.len; i++) {
        bool behind = text.ptr[i - 1] == '8' || text.ptr[i - 1] == '1' || text.ptr[i - 1] == '=';
        if (behind && spelling != SPELL_AS_IS) out[i] = char_upper(out[i]);
    }
    return (Str){out, text.len};
}

/* Takes the first spelling that is a legal move, or an ambiguous one when none is. */
static bool read_spellings(const Position *pos, Str text, Move *move, Err *err)
{
    Err  first = {0};
    char buffer[TEXT_MAX];
    for (Spelling s = 0; s < SPELLINGS; s++) {
        Err trouble = {0};
        if (move_from_san(pos, respell(text, s, buffer), move, &trouble)) return true;
        if (s == SPELL_AS_IS || (trouble.code == ERR_AMBIGUOUS && first.code != ERR_AMBIGUOUS)) first = trouble;
    }
    if (err) *err = first;
    return false;
}

/* A promotion without its piece: the same text with "=Q" behind it is a move. */
static bool read_unfinished_promotion(const Position *pos, Str text, Move *move)
{
    char buffer[TEXT_MAX + 2];
    while (text.len && (text.ptr[text.len - 1] == '+' || text.ptr[text.len - 1] == '#' || text.ptr[text.len - 1] == '='))
        text.len--;
    if (text.len + 3 > TEXT_MAX) return false;
    memcpy(buffer, text.ptr, text.len);
    buffer[text.len]     = '=';
    buffer[text.len + 1] = 'Q';
    return read_spellings(pos, (Str){buffer, text.len + 2}, move, NULL) && move_kind(*move) == MOVE_PROMOTION;
}

MoveInput move_input_read(const Position *pos, Str text, Err *err)
{
    MoveInput out = {MOVE_INPUT_BAD, MOVE_NONE};
    char      squeezed[TEXT_MAX];
    Str       s   = {squeezed, squeeze(text, squeezed)};
    Err       why = {0};
    if (!s.len) {
        err_set(err, ERR_SYNTAX, 0, "'%.*s' is no move", STR_ARGS(text));
        return out;
    }
    if (read_unfinished_promotion(pos, s, &out.move)) {
        out.status = MOVE_INPUT_ASK;
    } else if (read_spellings(pos, s, &out.move, &why)) {
        out.status = MOVE_INPUT_OK;
    } else {
        explain_move(pos, s, why.code == ERR_AMBIGUOUS, err);
    }
    return out;
}

PieceType move_input_promotion(Str text)
{
    static const struct {
        const char *name;
        PieceType   type;
    } names[] = {{"queen", QUEEN}, {"rook", ROOK}, {"bishop", BISHOP}, {"knight", KNIGHT}, {"n", KNIGHT}};
    text      = str_trim(text);
    if (text.len && text.ptr[0] == '=') text = str_skip(text, 1);
    if (!text.len) return QUEEN;
    if (str_equal_nocase(text, STR("k"))) return NO_TYPE; /* king or knight? */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Str name = str_from(names[i].name);
        if (text.len <= name.len && str_equal_nocase(text, (Str){name.ptr, text.len})) return names[i].type;
    }
    return NO_TYPE;
}

/* command.c - see command.h. */
#include "term/command.h"

typedef struct {
    const char     *name;
    TermCommandKind kind;
    const char     *argument; /* for the help text; NULL with `help` NULL: another word for the same */
    const char     *help;
} Word;

static const Word words[] = {
    {"undo", TERM_UNDO, "", "take back your last move (and the answer to it)"},
    {"hint", TERM_HINT, "", "what the engine would play for you"},
    {"go", TERM_GO, "", "let the engine make this move; you go on with the other side"},
    {"moves", TERM_MOVES, "[SQUARE]", "the legal moves, of all men or of one"},
    {"eval", TERM_EVAL, "", "what the position is worth, and why"},
    {"lines", TERM_LINES, "", "show or hide what the engine thinks"},
    {"board", TERM_BOARD, "", "show the board again"},
    {"flip", TERM_FLIP, "", "turn the board round"},
    {"level", TERM_LEVEL, "[LEVEL]", "show or set the strength: 0 to 20, an Elo, or a name such as club"},
    {"fen", TERM_FEN, "[FEN]", "show the position as a line of text, or set one up"},
    {"pgn", TERM_PGN, "", "show the game"},
    {"save", TERM_SAVE, "[FILE]", "save the game; added to the end of a file that exists"},
    {"load", TERM_LOAD, "FILE [N]", "go on with the first game of a file, or with game N"},
    {"new", TERM_NEW, "[COLOUR]", "a new game; new white, new black"},
    {"draw", TERM_DRAW, "", "offer a draw, or claim one"},
    {"resign", TERM_RESIGN, "", "give up"},
    {"help", TERM_HELP, "", "this list"},
    {"quit", TERM_QUIT, "", "leave; so does Ctrl-D"},
    {"takeback", TERM_UNDO, NULL, NULL},
    {"back", TERM_UNDO, NULL, NULL},
    {"show", TERM_BOARD, NULL, NULL},
    {"legal", TERM_MOVES, NULL, NULL},
    {"evaluate", TERM_EVAL, NULL, NULL},
    {"open", TERM_LOAD, NULL, NULL},
    {"?", TERM_HELP, NULL, NULL},
    {"h", TERM_HELP, NULL, NULL},
    {"q", TERM_QUIT, NULL, NULL},
    {"exit", TERM_QUIT, NULL, NULL},
    {"bye", TERM_QUIT, NULL, NULL},
};
enum { WORDS = sizeof words / sizeof *words, TYPING_ERRORS = 2 };

int text_distance(Str a, Str b, int limit)
{
    enum { LONGEST = 32 };
    int row[LONGEST + 1];
    if (a.len > LONGEST || b.len > LONGEST) return limit + 1;
    for (size_t j = 0; j <= b.len; j++) row[j] = (int)j;
    for (size_t i = 1; i <= a.len; i++) {
        int diagonal = row[0];
        row[0]       = (int)i;
        for (size_t j = 1; j <= b.len; j++) {
            int change = diagonal + (char_lower(a.ptr[i - 1]) != char_lower(b.ptr[j - 1]));
            int insert = row[j - 1] + 1, drop = row[j] + 1;
            diagonal = row[j];
            row[j]   = change < insert ? (change < drop ? change : drop) : insert < drop ? insert : drop;
        }
    }
    return row[b.len] > limit ? limit + 1 : row[b.len];
}

/* "e4", "Nbd7", "O-O", "0-0-0", "oo": a digit, or nothing but o's and hyphens. */
static bool looks_like_move(Str line)
{
    bool digit = false, castling = line.len > 1;
    for (size_t i = 0; i < line.len; i++) {
        char c   = char_lower(line.ptr[i]);
        digit    = digit || char_is_digit(c);
        castling = castling && (c == 'o' || c == '0' || c == '-' || c == '+' || c == '#' || c == ' ');
    }
    return digit || castling;
}

static const Word *nearest(Str text)
{
    const Word *best  = NULL;
    int         least = TYPING_ERRORS + 1;
    for (size_t i = 0; i < WORDS; i++) {
        int distance = text_distance(text, str_from(words[i].name), TYPING_ERRORS);
        if (distance >= least || (size_t)distance >= text.len) continue;
        best  = &words[i];
        least = distance;
    }
    return best;
}

bool term_command_parse(Str line, TermCommand *out, Err *err)
{
    line     = str_trim(line);
    Str rest = line, word = str_next_token(&rest);
    *out = (TermCommand){TERM_NOTHING, str_trim(rest)};
    if (!line.len) return true;
    for (size_t i = 0; i < WORDS; i++) {
        if (!str_equal_nocase(word, str_from(words[i].name))) continue;
        out->kind = words[i].kind;
        return true;
    }
    if (looks_like_move(line)) {
        *out = (TermCommand){TERM_MOVE, line};
        return true;
    }
    const Word *meant = nearest(word);
    if (meant)
        return err_set(err, ERR_NOT_FOUND, 0, "'%.*s' is neither a move nor a command; did you mean %s?", STR_ARGS(word),
                       meant->name);
    return err_set(err, ERR_NOT_FOUND, 0, "'%.*s' is neither a move nor a command; type a move such as e4 or Nf3, or help",
                   STR_ARGS(word));
}

void term_command_help(Buf *out)
{
    buf_append(out, STR("Moves: e4, Nf3, exd5, O-O, e8=Q; also e2e4, e2 e4, nf3. Commands:\n"));
    for (size_t i = 0; i < WORDS; i++) {
        if (!words[i].help) continue;
        char   left[32];
        size_t name = strlen(words[i].name), argument = strlen(words[i].argument);
        memcpy(left, words[i].name, name);
        left[name] = ' ';
        memcpy(left + name + 1, words[i].argument, argument + 1);
        buf_printf(out, "  %-16s %s\n", left, words[i].help);
    }
}

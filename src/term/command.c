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
    {"eval", TERM_EVAL, "[all]", "what the position is worth, and why; all: in every detail"},
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

/* Of the table of distances between beginnings of the two texts only three rows are alive at a time. */
int text_distance(Str a, Str b, int limit)
{
    enum { LONGEST = 32 };
    int rows[3][LONGEST + 1];
    if (a.len > LONGEST || b.len > LONGEST) return limit + 1;
    for (size_t j = 0; j <= b.len; j++) rows[0][j] = (int)j;
    for (size_t i = 1; i <= a.len; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= b.len; j++) {
            char x = char_lower(a.ptr[i - 1]), y = char_lower(b.ptr[j - 1]);
            int  least = above[j - 1] + (x != y);
            if (row[j - 1] + 1 < least) least = row[j - 1] + 1;
            if (above[j] + 1 < least) least = above[j] + 1;
            bool swapped = i > 1 && j > 1 && x == char_lower(b.ptr[j - 2]) && y == char_lower(a.ptr[i - 2]);
            if (swapped && before[j - 2] + 1 < least) least = before[j - 2] + 1;
            row[j] = least;
        }
    }
    int distance = rows[a.len % 3][b.len];
    return distance > limit ? limit + 1 : distance;
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

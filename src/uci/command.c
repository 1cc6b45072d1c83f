/* command.c - see command.h. A command is a row of COMMANDS: its name, how to read and write what follows it, and its help. */
#include "uci/command.h"

#include "uci/go.h"
#include "uci/lex.h"

typedef void ParseFn(UciLexer *lex, UciCommand *out);
typedef void WriteFn(Buf *out, const UciCommand *command); /* the whole line but its end */

typedef struct {
    UciCommandSpec spec;
    ParseFn       *parse; /* NULL: the command has no parameters */
    WriteFn       *write; /* NULL: the name alone */
} CommandRow;

static void parse_text(UciLexer *lex, UciCommand *out) { out->text = uci_lex_rest(lex); }

static void parse_debug(UciLexer *lex, UciCommand *out)
{
    out->broken = true;
    for (Str token = uci_lex_next(lex); token.len; token = uci_lex_next(lex)) {
        bool on = str_equal(token, STR("on"));
        if (on || str_equal(token, STR("off"))) {
            out->debug_on = on;
            out->broken   = false;
        } else {
            uci_lex_fault(lex, ERR_SYNTAX, token, "is neither 'on' nor 'off': ignored");
        }
    }
    if (out->broken) uci_lex_fault(lex, ERR_SYNTAX, lex->rest, "found where debug needs 'on' or 'off'");
}

/* Takes words up to and including `word`; each one skipped is a fault. False at the end of the line. */
static bool skip_to(UciLexer *lex, Str word, const char *sentence)
{
    for (Str token = uci_lex_next(lex); token.len; token = uci_lex_next(lex)) {
        if (str_equal(token, word)) return true;
        uci_lex_fault(lex, ERR_SYNTAX, token, sentence);
    }
    return false;
}

static bool is_value_keyword(Str token) { return str_equal(token, STR("value")); }

static void parse_setoption(UciLexer *lex, UciCommand *out)
{
    UciSetOption *option = &out->setoption;
    *option              = (UciSetOption){.name = STR(""), .value = STR("")};
    if (skip_to(lex, STR("name"), "found where setoption needs 'name': ignored"))
        option->name = uci_lex_run(lex, is_value_keyword);
    if (option->name.len == 0) {
        out->broken = true;
        uci_lex_fault(lex, ERR_SYNTAX, uci_lex_peek(lex), "found where setoption needs the name of an option");
    }
    option->has_value = uci_lex_next(lex).len != 0; /* the run ends at `value` or at the end of the line */
    option->value     = uci_lex_rest(lex);
    if (str_equal(option->value, STR("<empty>"))) option->value.len = 0;
}

static bool is_moves_keyword(Str token) { return str_equal(token, STR("moves")); }

static void parse_position(UciLexer *lex, UciCommand *out)
{
    UciPosition *position = &out->position;
    *position             = (UciPosition){.fen = STR(""), .moves = STR("")};
    for (Str token = uci_lex_next(lex); token.len; token = uci_lex_next(lex)) {
        bool has_place = position->startpos || position->fen.len;
        if (is_moves_keyword(token)) {
            position->moves = uci_lex_rest(lex);
        } else if (!has_place && str_equal(token, STR("startpos"))) {
            position->startpos = true;
        } else if (!has_place && str_equal(token, STR("fen"))) {
            position->fen = uci_lex_run(lex, is_moves_keyword);
        } else {
            uci_lex_fault(lex, ERR_SYNTAX, token, "is no parameter of position: ignored");
        }
    }
    out->broken = !position->startpos && position->fen.len == 0;
    if (out->broken) uci_lex_fault(lex, ERR_SYNTAX, lex->rest, "found where position needs 'startpos' or 'fen' and a FEN");
}

static void parse_go(UciLexer *lex, UciCommand *out) { uci_go_parse(lex, &out->go); }

static void write_debug(Buf *out, const UciCommand *command)
{
    buf_append(out, STR("debug"));
    if (!command->broken) buf_append(out, command->debug_on ? STR(" on") : STR(" off"));
}

static void write_setoption(Buf *out, const UciCommand *command)
{
    const UciSetOption *option = &command->setoption;
    buf_append(out, STR("setoption"));
    uci_append_part(out, STR("name"), option->name);
    if (option->has_value) uci_append_part(out, STR("value"), option->value.len ? option->value : STR("<empty>"));
}

static void write_position(Buf *out, const UciCommand *command)
{
    const UciPosition *position = &command->position;
    buf_append(out, STR("position"));
    if (position->startpos)
        buf_append(out, STR(" startpos"));
    else if (position->fen.len)
        uci_append_part(out, STR("fen"), position->fen);
    if (position->moves.len) uci_append_part(out, STR("moves"), position->moves);
}

static void write_go(Buf *out, const UciCommand *command) { uci_go_write(out, &command->go); }

static const CommandRow COMMANDS[] = {
    {{"uci", UCI_CMD_UCI, "uci", "Names the engine and its options, then says uciok."}, NULL, NULL},
    {{"isready", UCI_CMD_ISREADY, "isready", "Says readyok when everything asked for so far is done."}, NULL, NULL},
    {{"setoption", UCI_CMD_SETOPTION, "setoption name NAME [value VALUE]", "Sets an option; a button needs no value."},
     parse_setoption,
     write_setoption},
    {{"ucinewgame", UCI_CMD_UCINEWGAME, "ucinewgame", "Forgets what was learned: the next position is of another game."},
     NULL,
     NULL},
    {{"position", UCI_CMD_POSITION, "position startpos|fen FEN [moves MOVE...]", "Sets the position to think about."},
     parse_position,
     write_position},
    {{"go", UCI_CMD_GO,
      "go [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [depth N] [nodes N] [mate N] [movetime MS] [perft N] "
      "[ponder] [infinite] [searchmoves MOVE...]",
      "Searches until the first limit is met; without limits until stop."},
     parse_go,
     write_go},
    {{"stop", UCI_CMD_STOP, "stop", "Ends the search; bestmove follows."}, NULL, NULL},
    {{"ponderhit", UCI_CMD_PONDERHIT, "ponderhit", "The expected move was played: thinks on, now on its own clock."}, NULL, NULL},
    {{"debug", UCI_CMD_DEBUG, "debug on|off", "Says more, or less, in info strings."}, parse_debug, write_debug},
    {{"register", UCI_CMD_REGISTER, "register ...", "Accepted and ignored: there is nothing to register."}, parse_text, NULL},
    {{"d", UCI_CMD_D, "d", "Draws the board and shows its FEN and key."}, parse_text, NULL},
    {{"eval", UCI_CMD_EVAL, "eval", "Shows every term of the evaluation."}, parse_text, NULL},
    {{"bench", UCI_CMD_BENCH, "bench [DEPTH]", "Searches a fixed set of positions; ends with nodes and nodes a second."},
     parse_text,
     NULL},
    {{"help", UCI_CMD_HELP, "help", "Shows this list."}, parse_text, NULL},
    {{"quit", UCI_CMD_QUIT, "quit", "Ends the program."}, NULL, NULL},
};

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static const CommandRow *row_by_name(Str name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (str_equal(name, str_from(COMMANDS[i].spec.name))) return &COMMANDS[i];
    }
    return NULL;
}

static const CommandRow *row_by_kind(UciCommandKind kind)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (COMMANDS[i].spec.kind == kind) return &COMMANDS[i];
    }
    return NULL;
}

bool uci_parse_command(Str line, UciCommand *out, Err *err)
{
    UciLexer lex;
    uci_lex_init(&lex, line, err);
    *out = (UciCommand){.kind = UCI_CMD_EMPTY};
    if (uci_lex_peek(&lex).len == 0) return true;
    for (Str token = uci_lex_next(&lex); token.len; token = uci_lex_next(&lex)) {
        const CommandRow *row = row_by_name(token);
        if (!row) {
            uci_lex_fault(&lex, ERR_NOT_FOUND, token, "is no command ('help' lists them): skipped");
            continue;
        }
        out->kind = row->spec.kind;
        if (row->parse)
            row->parse(&lex, out);
        else if (uci_lex_peek(&lex).len)
            uci_lex_fault(&lex, ERR_SYNTAX, uci_lex_peek(&lex), "follows a command without parameters");
        return lex.clean;
    }
    out->kind = UCI_CMD_UNKNOWN;
    out->text = str_trim(line);
    return false;
}

/* Kinds whose parameters are plain text. */
static bool kind_has_text(UciCommandKind kind)
{
    const CommandRow *row = row_by_kind(kind);
    return kind == UCI_CMD_UNKNOWN || (row && row->parse == parse_text);
}

void uci_write_command(Buf *out, const UciCommand *command)
{
    const CommandRow *row  = row_by_kind(command->kind);
    bool              text = kind_has_text(command->kind) && command->text.len;
    if (row && row->write)
        row->write(out, command);
    else if (row)
        buf_append(out, str_from(row->spec.name));
    if (row && text) buf_append_char(out, ' ');
    if (text) uci_append_text(out, command->text);
    buf_append_char(out, '\n');
}

const UciCommandSpec *uci_command_spec(size_t index) { return index < COMMAND_COUNT ? &COMMANDS[index].spec : NULL; }

bool uci_option_name_equal(Str a, Str b)
{
    for (;;) {
        Str word_a = str_next_token(&a);
        Str word_b = str_next_token(&b);
        if (!str_equal_nocase(word_a, word_b)) return false;
        if (word_a.len == 0) return true;
    }
}

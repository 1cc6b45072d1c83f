/* command.h - what a GUI says to an engine: UCI command lines as values, read and written.
 *
 * The engine's front end reads these lines; the driver of foreign engines writes them. Nothing here knows an engine: option
 * names, FENs and moves stay views into the line that was read (or whatever the writer was given) and must not outlive it.
 * Reading is tolerant, as the protocol asks: unknown words are skipped, a parameter that makes no sense is dropped and the
 * rest still counts, and a line may be of any length. What was dropped is reported, never silently replaced.
 * Threads: [any]; nothing here blocks or keeps state.
 */
#ifndef UCI_COMMAND_H
#define UCI_COMMAND_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

typedef enum {
    UCI_CMD_EMPTY,   /* nothing but space */
    UCI_CMD_UNKNOWN, /* no word of the line is a command */
    UCI_CMD_UCI,
    UCI_CMD_DEBUG,
    UCI_CMD_ISREADY,
    UCI_CMD_SETOPTION,
    UCI_CMD_REGISTER,
    UCI_CMD_UCINEWGAME,
    UCI_CMD_POSITION,
    UCI_CMD_GO,
    UCI_CMD_STOP,
    UCI_CMD_PONDERHIT,
    UCI_CMD_QUIT,
    UCI_CMD_D, /* from here on: ours, not the protocol's */
    UCI_CMD_EVAL,
    UCI_CMD_BENCH,
    UCI_CMD_HELP,
} UciCommandKind;

/* "setoption name <name> [value <value>]". Compare names with uci_option_name_equal. */
typedef struct {
    Str  name;
    Str  value;     /* empty for "<empty>" too */
    bool has_value; /* the word `value` was there: tells a button from a string set to nothing */
} UciSetOption;

/* "position startpos|fen <fen> [moves <move>...]". Neither the FEN nor the moves are looked into. */
typedef struct {
    bool startpos;
    Str  fen;   /* empty when `startpos` */
    Str  moves; /* moves separated by space; take them with str_next_token */
} UciPosition;

/* The numbers of `go`; bit n of UciGo.has tells that number n was given. */
typedef enum {
    UCI_GO_WTIME,
    UCI_GO_BTIME,
    UCI_GO_WINC,
    UCI_GO_BINC,
    UCI_GO_MOVESTOGO,
    UCI_GO_DEPTH,
    UCI_GO_NODES,
    UCI_GO_MATE,
    UCI_GO_MOVETIME,
    UCI_GO_PERFT,
    UCI_GO_NUMBERS,
} UciGoNumber;

/* All zero is a bare "go". Times are as they came, negative ones included: a flag may have fallen while the GUI was slow.
 * The other numbers are never negative. */
typedef struct {
    uint32_t has;
    int64_t  wtime_ms, btime_ms, winc_ms, binc_ms;
    int64_t  movestogo;
    int64_t  depth;
    int64_t  nodes;
    int64_t  mate; /* in moves */
    int64_t  movetime_ms;
    int64_t  perft; /* count leaves to this depth instead of searching */
    bool     ponder;
    bool     infinite;
    Str      searchmoves; /* moves separated by space; empty: all moves */
} UciGo;

typedef struct {
    UciCommandKind kind;
    bool           broken; /* an essential part is missing: reject it (a broken `position` leaves no position) */
    union {
        UciSetOption setoption;
        UciPosition  position;
        UciGo        go;
        bool         debug_on;
        Str          text; /* UNKNOWN: the line; REGISTER, D, EVAL, BENCH, HELP: what follows the name */
    };
} UciCommand;

/* One row of the table of commands, for `help`. */
typedef struct {
    const char    *name;
    UciCommandKind kind;
    const char    *usage; /* the line with its parameters */
    const char    *help;  /* one sentence */
} UciCommandSpec;

/* Reads one line, with or without its line end. `*out` is always a value to act on. True when everything was understood;
 * false when something was skipped, dropped or clamped, and then `err` (may be NULL) has the first such thing. Two rules
 * of the protocol are worth knowing: words before the first command are skipped ("joho debug on" is "debug on"), and a
 * number too large to hold is taken as the largest. */
bool uci_parse_command(Str line, UciCommand *out, Err *err);

/* Appends the command as one line with its '\n'. EMPTY writes an empty line; broken commands write what they have. */
void uci_write_command(Buf *out, const UciCommand *command);

/* Row `index` of the commands, in the order help shows them; NULL past the end. */
const UciCommandSpec *uci_command_spec(size_t index);

/* Option names are equal regardless of case and of how wide the space between their words is. */
bool uci_option_name_equal(Str a, Str b);

static inline bool uci_go_has(const UciGo *go, UciGoNumber number) { return (go->has >> number & 1) != 0; }

#endif

/* go.c - see go.h. The numbers of `go` are one table: reading, range and writing follow from it. */
#include "uci/go.h"

#include <inttypes.h>

typedef struct {
    const char *keyword;
    size_t      offset; /* of the int64_t in UciGo */
    int64_t     low;    /* smaller numbers become this one */
} GoNumber;

/* In the order of UciGoNumber. A clock may be overdrawn; a depth, a count or a distance cannot be negative, and zero is the
 * tightest limit there is, so a nonsensical limit never turns into an endless search. */
static const GoNumber GO_NUMBERS[UCI_GO_NUMBERS] = {
    [UCI_GO_WTIME]     = {"wtime", offsetof(UciGo, wtime_ms), -INT64_MAX},
    [UCI_GO_BTIME]     = {"btime", offsetof(UciGo, btime_ms), -INT64_MAX},
    [UCI_GO_WINC]      = {"winc", offsetof(UciGo, winc_ms), -INT64_MAX},
    [UCI_GO_BINC]      = {"binc", offsetof(UciGo, binc_ms), -INT64_MAX},
    [UCI_GO_MOVESTOGO] = {"movestogo", offsetof(UciGo, movestogo), 0},
    [UCI_GO_DEPTH]     = {"depth", offsetof(UciGo, depth), 0},
    [UCI_GO_NODES]     = {"nodes", offsetof(UciGo, nodes), 0},
    [UCI_GO_MATE]      = {"mate", offsetof(UciGo, mate), 0},
    [UCI_GO_MOVETIME]  = {"movetime", offsetof(UciGo, movetime_ms), -INT64_MAX},
    [UCI_GO_PERFT]     = {"perft", offsetof(UciGo, perft), 0},
};

static int go_number_of(Str token)
{
    for (int i = 0; i < UCI_GO_NUMBERS; i++) {
        if (str_equal(token, str_from(GO_NUMBERS[i].keyword))) return i;
    }
    return -1;
}

static bool go_is_keyword(Str token)
{
    return go_number_of(token) >= 0 || str_equal(token, STR("searchmoves")) || str_equal(token, STR("ponder")) ||
           str_equal(token, STR("infinite"));
}

static void go_parse_number(UciLexer *lex, Str keyword, int number, UciGo *out)
{
    const GoNumber *spec = &GO_NUMBERS[number];
    Str             text = uci_lex_peek(lex);
    int64_t         value;
    if (!uci_lex_number(lex, keyword, go_is_keyword, &value)) return;
    if (value < spec->low) {
        uci_lex_fault(lex, ERR_RANGE, text, "is below zero: taken as 0");
        value = spec->low;
    }
    memcpy((char *)out + spec->offset, &value, sizeof value);
    out->has |= 1U << number;
}

void uci_go_parse(UciLexer *lex, UciGo *out)
{
    *out = (UciGo){.searchmoves = STR("")};
    for (Str token = uci_lex_next(lex); token.len; token = uci_lex_next(lex)) {
        int number = go_number_of(token);
        if (number >= 0) {
            go_parse_number(lex, token, number, out);
        } else if (str_equal(token, STR("ponder"))) {
            out->ponder = true;
        } else if (str_equal(token, STR("infinite"))) {
            out->infinite = true;
        } else if (str_equal(token, STR("searchmoves"))) {
            out->searchmoves = uci_lex_run(lex, go_is_keyword);
            if (out->searchmoves.len == 0) uci_lex_fault(lex, ERR_SYNTAX, token, "has no moves after it: ignored");
        } else {
            uci_lex_fault(lex, ERR_SYNTAX, token, "is no parameter of go: ignored");
        }
    }
}

void uci_go_write(Buf *out, const UciGo *go)
{
    buf_append(out, STR("go"));
    if (go->ponder) buf_append(out, STR(" ponder"));
    for (int i = 0; i < UCI_GO_NUMBERS; i++) {
        if (!uci_go_has(go, (UciGoNumber)i)) continue;
        int64_t value;
        memcpy(&value, (const char *)go + GO_NUMBERS[i].offset, sizeof value);
        buf_printf(out, " %s %" PRId64, GO_NUMBERS[i].keyword, value);
    }
    if (go->infinite) buf_append(out, STR(" infinite"));
    /* Last, because some engines take everything behind it for moves. */
    if (go->searchmoves.len) uci_append_part(out, STR("searchmoves"), go->searchmoves);
}

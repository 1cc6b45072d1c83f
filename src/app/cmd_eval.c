/* cmd_eval.c - `tabia eval`: the static evaluation of a position, term by term. */
#include <stdio.h>

#include "app/cli.h"
#include "base/buf.h"
#include "chess/fen.h"
#include "eval/eval_print.h"

int cmd_eval(int argc, char **argv)
{
    const char  *fen       = NULL;
    bool         json      = false;
    const Option options[] = {
        {"fen", OPTION_TEXT, "FEN", "evaluate this position (default: the start of the game)", &fen, 0, 0},
        {"json", OPTION_FLAG, NULL, "one JSON object", &json, 0, 0},
        {0},
    };
    const CommandSpec spec = {
        .usage = "tabia eval [--fen FEN] [--json]",
        .summary =
            "Shows every term of the classical evaluation for both sides, in centipawns, and the network's verdict; no search.",
        .example = "tabia eval --fen \"r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - -\"",
        .options = options,
    };
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    Position pos;
    Err      err;
    position_set_start(&pos);
    if (fen && !position_from_fen(str_from(fen), &pos, NULL, &err))
        return cli_fail("the position '%s' cannot be used: %s (at character %zu)", fen, err.text, err.offset + 1);
    Net *net = net_is_embedded() ? net_embedded(&err) : NULL;
    Buf  out = {0};
    if (json) {
        eval_print_json(&pos, net, &out);
        buf_append_char(&out, '\n');
    } else {
        eval_print(&pos, net, &out);
    }
    bool failed = out.failed;
    printf("%.*s", STR_ARGS(buf_str(&out)));
    buf_release(&out);
    net_free(net);
    return failed ? cli_fail("not enough memory") : EXIT_DONE;
}

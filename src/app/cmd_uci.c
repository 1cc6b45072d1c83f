/* cmd_uci.c - `tabia`, `tabia uci`, and UCI commands as arguments: reads lines until the end of input or `quit`. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "app/cli.h"
#include "app/uci_session.h"
#include "base/lines.h"

/* Commands given as words: each is a line, and a search with an end is waited for. */
static void run_words(UciSession *session, int argc, char **argv)
{
    session->waits_for_search = true;
    for (int i = 0; i < argc; i++) {
        if (!uci_session_line(session, str_from(argv[i]))) return;
    }
    engine_wait(session->engine);
}

static void run_input(UciSession *session)
{
    LineReader lines;
    Str        line;
    Err        err;
    lines_init(&lines, STDIN_FILENO);
    while (lines_next(&lines, &line, &err) == LINE_READ && uci_session_line(session, line)) continue;
    engine_stop(session->engine);
    lines_release(&lines);
}

int cmd_uci(int argc, char **argv)
{
    const CommandSpec spec = {
        .usage   = "tabia uci | tabia LINE...",
        .summary = "Speaks the Universal Chess Interface on standard input and output, or acts on lines given as words.",
        .example = "tabia \"position startpos moves e2e4\" \"go depth 10\" quit",
    };
    if (argc > 1 && str_starts_with(str_from(argv[1]), STR("-"))) {
        int none, code = cli_parse(&spec, argc, argv, NULL, &none);
        return code >= 0 ? code : EXIT_USAGE;
    }
    UciSession session;
    Err        err;
    signal(SIGPIPE, SIG_IGN); /* a GUI that is gone shows as a failed write */
    if (!uci_session_init(&session, &err)) return cli_fail("%s", err.text);
    if (argc > 1) {
        run_words(&session, argc - 1, argv + 1);
    } else {
        if (isatty(STDIN_FILENO))
            fputs("Tabia speaks UCI here: `help` lists the commands, `quit` ends; `tabia --help` shows what else it does.\n",
                  stdout);
        fflush(stdout);
        run_input(&session);
    }
    uci_session_release(&session);
    return EXIT_DONE;
}

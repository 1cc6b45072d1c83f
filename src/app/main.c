/* main.c - the door: finds the subcommand and hands the arguments over. */
#include <stdio.h>
#include <string.h>

#include "app/cli.h"
#include "app/cpu.h"
#include "uci/command.h"

static const Command commands[] = {
    {"uci", cmd_uci, "speak UCI on standard input and output (also without any command)"},
#ifdef TABIA_WITH_web
    {"web", cmd_web, "the board in the browser: play, analyse, look inside"},
#endif
    {"play", cmd_play, "a game of chess at the terminal"},
    {"analyse", cmd_analyse, "judge every move of games, or show the best lines of a position"},
#ifdef TABIA_WITH_lichess
    {"lichess", cmd_lichess, "play as a bot on lichess"},
#endif
    {"match", cmd_match, "play engines against each other, with error bars and SPRT"},
    {"lab", cmd_lab, "the ladder of search techniques, measured; experiments with the engine"},
    {"data", cmd_data, "make, count and mix what networks learn from"},
    {"train", cmd_train, "tune the evaluation, train networks"},
    {"book", cmd_book, "build, merge, probe and show opening books"},
    {"pgn", cmd_pgn, "check, measure, split and clean files of games"},
    {"eval", cmd_eval, "show every term of the evaluation of a position"},
    {"perft", cmd_perft, "count the positions of the move tree, check a suite of counts"},
    {"bench", cmd_bench, "search fixed positions: the signature and the speed of the search"},
    {0},
};

static void print_commands(FILE *stream)
{
    fprintf(stream, "Tabia, a chess engine, laboratory and trainer.\n\nUsage: tabia COMMAND [arguments]\n\n");
    cli_list(commands, stream);
    fprintf(stream, "\n`tabia COMMAND --help` tells more.\n");
}

/* `tabia "go depth 5" quit`: the first word of the first argument is a UCI command. */
static bool is_uci_line(const char *argument)
{
    Str rest = str_from(argument), word = str_next_token(&rest);
    for (size_t i = 0; uci_command_spec(i); i++) {
        if (str_equal(str_from(uci_command_spec(i)->name), word)) return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    const char *missing = cpu_missing_feature();
    if (missing) return cli_fail("this build needs a processor with %s; build with `make ARCH=x86-64` for any", missing);
    if (argc < 2) return cmd_uci(argc, argv);
    if (cli_asks_for_help(argv[1])) {
        print_commands(stdout);
        return EXIT_DONE;
    }
    for (const Command *c = commands; c->name; c++) {
        if (strcmp(argv[1], c->name) == 0) return c->run(argc - 1, argv + 1);
    }
    if (is_uci_line(argv[1])) return cmd_uci(argc, argv);
    fprintf(stderr, "tabia: there is no command '%s'\n\n", argv[1]);
    print_commands(stderr);
    return EXIT_USAGE;
}

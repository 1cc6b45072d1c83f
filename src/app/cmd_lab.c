/* cmd_lab.c - `tabia lab`: the ladder of searches from bare minimax upward, measured; and experiments with the engine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/cli.h"
#include "app/lab_commands.h"
#include "base/json.h"

int lab_print(Buf *out)
{
    int code = EXIT_DONE;
    if (out->failed) {
        code = cli_fail("out of memory");
    } else if (fwrite(out->data, 1, out->len, stdout) != out->len || fflush(stdout) != 0) {
        code = cli_fail("cannot write to standard output");
    }
    buf_release(out);
    return code;
}

static int cmd_lab_list(int argc, char **argv)
{
    bool              json      = false;
    const Option      options[] = {{"json", OPTION_FLAG, NULL, "one JSON object a rung", &json, 0, 0}, {0}};
    const CommandSpec spec      = {
             .usage   = "tabia lab list [--json]",
             .summary = "Names the rungs of the ladder, from bare minimax to Tabia's own search.",
             .example = "tabia lab list",
             .options = options,
    };
    int count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    Buf out = {0};
    for (size_t i = 0; i < lab_rung_count(); i++) {
        const Rung *rung = lab_rung(i);
        if (!json) {
            buf_printf(&out, "%-11s %-40s %s\n", rung->name, rung->title, rung->text);
            continue;
        }
        JsonWriter w;
        json_init(&w, &out);
        json_begin_object(&w, NULL);
        json_str(&w, "rung", str_from(rung->name));
        json_str(&w, "title", str_from(rung->title));
        json_str(&w, "text", str_from(rung->text));
        json_str(&w, "source", str_from(rung->source));
        json_end_object(&w);
        buf_append_char(&out, '\n');
    }
    return lab_print(&out);
}

static const Command experiments[] = {
    {"list", cmd_lab_list, "the rungs by name"},
    {"ladder", cmd_lab_ladder, "search the thesis's positions on every rung: nodes, leaves, cutoffs, time; reports and plots"},
    {"precision", cmd_lab_precision, "our best k moves against a reference engine's, for each evaluation"},
    {"ablate", cmd_lab_ablate, "the engine with each technique switched off in turn: nodes to depth and Elo"},
    {"versus", cmd_lab_versus, "rungs of the ladder against each other, with Elo and error bars"},
    {"levels", cmd_lab_levels, "the engine against lichess's levels 1 to 8"},
    {"mcts", cmd_lab_mcts, "Monte Carlo tree search: playouts, exploration, against alpha-beta; visits by move, proved mates"},
    {"engine", cmd_lab_engine, "a rung as a UCI engine of fixed depth"},
    {0},
};

int cmd_lab(int argc, char **argv)
{
    const CommandGroup group = {.name     = "lab",
                                .usage    = "tabia lab COMMAND [options]",
                                .example  = "tabia lab ladder --rung ab1 --rung null2",
                                .commands = experiments};
    return cli_choose(&group, argc, argv);
}

/* lab_commands.h - the experiments of `tabia lab`, one file each, and what they share. */
#ifndef APP_LAB_COMMANDS_H
#define APP_LAB_COMMANDS_H

#include "app/cli.h"
#include "base/buf.h"
#include "lab/ladder.h"

CommandFn cmd_lab_ladder, cmd_lab_precision, cmd_lab_ablate, cmd_lab_versus, cmd_lab_levels, cmd_lab_mcts, cmd_lab_engine;

/* Writes the text to standard output at once and releases it; the exit code. */
int lab_print(Buf *out);

#endif

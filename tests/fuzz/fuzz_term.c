/* fuzz_term.c - a position on the first line, then what a person types at the board, a line each: a command, a legal move, or a
 * sentence why it is neither. */
#include "tests/fuzz/fuzz.h"

#include "term/command.h"
#include "term/move_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str      rest = fuzz_text(data, size);
    Position pos, next;
    if (!fuzz_take_position(&rest, &pos)) return 0;
    while (rest.len) {
        Str         line    = str_next_until(&rest, '\n');
        TermCommand command = {0};
        Err         err     = {0};
        if (!term_command_parse(line, &command, &err)) fuzz_check_err(&err, line);
        MoveInput input = move_input_read(&pos, line, &err);
        if (input.status == MOVE_INPUT_BAD) {
            fuzz_check_err(&err, line);
            continue;
        }
        fuzz_check_move(&pos, input.move);
        position_play(&pos, input.move, &next);
        pos = next;
    }
    return 0;
}

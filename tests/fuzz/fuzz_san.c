/* fuzz_san.c - a position on the first line, then moves in SAN: each is refused with a reason, or legal and re-written. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str      rest = fuzz_text(data, size);
    Position pos, next;
    if (!fuzz_take_position(&rest, &pos)) return 0;
    while (rest.len) {
        Str  word = str_next_until(&rest, ' ');
        Move move = MOVE_NONE;
        Err  err  = {0};
        if (!move_from_san(&pos, word, &move, &err)) {
            fuzz_check_err(&err, word);
            FUZZ_CHECK(move == MOVE_NONE);
            continue;
        }
        fuzz_check_move(&pos, move);
        position_play(&pos, move, &next);
        pos = next;
    }
    fuzz_check_position(&pos);
    return 0;
}

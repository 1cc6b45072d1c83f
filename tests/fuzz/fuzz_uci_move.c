/* fuzz_uci_move.c - a position on the first line, then UCI moves: each is refused with a reason, or legal and re-written. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_play_words(fuzz_text(data, size), move_from_uci);
    return 0;
}

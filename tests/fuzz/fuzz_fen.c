/* fuzz_fen.c - any bytes as a FEN: refused with a reason, or a position that holds together with all its moves. */
#include "tests/fuzz/fuzz.h"

enum { MOVES_CHECKED = 48 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str       text = fuzz_text(data, size);
    Position  pos, untouched;
    FenReport report = {0};
    Err       err    = {0};
    memset(&pos, 0xa5, sizeof pos);
    memcpy(&untouched, &pos, sizeof pos);
    bool good = position_from_fen(text, &pos, &report, &err);
    for (int fault = 0; fault < FAULTS; fault++) {
        FUZZ_CHECK(fault_text((Fault)fault)[0] != '\0');
        FUZZ_CHECK(!(report.faults & fault_bit((Fault)fault)) || report.offsets[fault] <= size);
    }
    FUZZ_CHECK(good != faults_are_fatal(report.faults));
    if (!good) {
        fuzz_check_err(&err, text);
        FUZZ_CHECK(memcmp(&pos, &untouched, sizeof pos) == 0);
        return 0;
    }
    fuzz_check_position(&pos);

    MoveList all, noisy, quiet;
    movegen_legal(&pos, &all);
    movegen_noisy(&pos, &noisy);
    movegen_quiet(&pos, &quiet);
    FUZZ_CHECK(all.count == movegen_count(&pos) && all.count == noisy.count + quiet.count);
    FUZZ_CHECK(movegen_has_legal_move(&pos) == (all.count > 0));
    for (int i = 0; i < all.count && i < MOVES_CHECKED; i++) {
        FUZZ_CHECK(move_list_has(&noisy, all.moves[i]) != move_list_has(&quiet, all.moves[i]));
        fuzz_check_move(&pos, all.moves[i]);
    }
    return 0;
}

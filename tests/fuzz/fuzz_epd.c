/* fuzz_epd.c - any bytes as a line of EPD: refused with a reason, or a position and operations that read back the same. */
#include "base/buf.h"
#include "game/epd.h"
#include "tests/fuzz/fuzz.h"

static void check_view(Str view, Str line)
{
    FUZZ_CHECK(view.len == 0 || (view.ptr >= line.ptr && view.ptr + view.len <= line.ptr + line.len));
}

/* Whether a value can stand between quotes as it is. */
static bool is_plain(Str value)
{
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '"' || value.ptr[i] == '\\' || (unsigned char)value.ptr[i] < ' ') return false;
    }
    return true;
}

static void check_round_trip(const Epd *epd)
{
    char fen[FEN_SIZE];
    position_to_fen(&epd->position, fen);
    Buf out = {0};
    buf_append(&out, str_from(fen));
    bool plain = true;
    for (int i = 0; i < epd->count; i++) {
        EpdOperation op = epd->operations[i];
        plain           = plain && is_plain(op.value) && is_plain(op.name);
        buf_printf(&out, " %.*s \"%.*s\";", STR_ARGS(op.name), STR_ARGS(op.value));
    }
    Epd again;
    if (plain && !out.failed) {
        FUZZ_CHECK(epd_parse(buf_str(&out), &again, NULL));
        fuzz_check_same(&epd->position, &again.position);
        FUZZ_CHECK(again.count == epd->count);
        for (int i = 0; i < epd->count; i++) {
            FUZZ_CHECK(str_equal(again.operations[i].name, epd->operations[i].name));
            FUZZ_CHECK(str_equal(again.operations[i].value, epd->operations[i].value));
        }
    }
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str line = fuzz_text(data, size);
    Epd epd;
    Err err = {0};
    if (!epd_parse(line, &epd, &err)) {
        fuzz_check_err(&err, line);
        return 0;
    }
    FUZZ_CHECK(epd.count >= 0 && epd.count <= EPD_OPERATIONS_MAX);
    fuzz_check_position(&epd.position);
    for (int i = 0; i < epd.count; i++) {
        FUZZ_CHECK(epd.operations[i].name.len > 0);
        check_view(epd.operations[i].name, line);
        check_view(epd.operations[i].value, line);
        check_view(epd_get(&epd, epd.operations[i].name), line);
    }
    check_round_trip(&epd);
    return 0;
}

/* fuzz_uci.c - any bytes as a UCI line, to an engine and to a GUI: never a crash, views stay inside the line, a line that was not
 * wholly understood says why, and what was understood reads back the same from what is written of it. */
#include "base/buf.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/test_uci_equal.h"

static void check_outcome(bool clean, const Err *err, Str line)
{
    if (clean)
        FUZZ_CHECK(err->code == ERR_NONE);
    else
        fuzz_check_err(err, line);
}

static void check_one_line(const Buf *out)
{
    FUZZ_CHECK(out->len > 0 && memchr(out->data, '\n', out->len) == out->data + out->len - 1);
    FUZZ_CHECK(!memchr(out->data, '\r', out->len));
}

static void check_command(Str line)
{
    UciCommand command, again;
    Err        err;
    bool       clean = uci_parse_command(line, &command, &err);
    check_outcome(clean, &err, line);
    Buf out = {0};
    uci_write_command(&out, &command);
    check_one_line(&out);
    uci_parse_command(buf_str(&out), &again, NULL);
    FUZZ_CHECK(uci_command_equal(&command, &again));
    buf_release(&out);
}

static void check_option_values(const UciOptionDef *option, Str text)
{
    UciOptionValue value;
    Err            err = {0};
    if (!uci_option_check_value(option, text, &value, &err))
        FUZZ_CHECK(err.code != ERR_NONE);
    else if (option->kind == UCI_OPTION_SPIN)
        FUZZ_CHECK(value.spin >= option->min && value.spin <= option->max);
}

static void check_reply(Str line)
{
    UciReply reply, again;
    Err      err;
    bool     clean = uci_parse_reply(line, &reply, &err);
    check_outcome(clean, &err, line);
    if (reply.kind == UCI_REPLY_OPTION) {
        check_option_values(&reply.option, reply.option.default_text);
        check_option_values(&reply.option, reply.option.vars);
    }
    Buf out = {0};
    uci_write_reply(&out, &reply);
    check_one_line(&out);
    uci_parse_reply(buf_str(&out), &again, NULL);
    if (!reply.broken) FUZZ_CHECK(uci_reply_equal(&reply, &again)); /* a broken one lacks what would be written */
    buf_release(&out);
}

/* Both readers get every line of the input; line ends of both kinds separate them, as the caller's reader of lines would. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = fuzz_text(data, size);
    while (text.len) {
        Str line = str_next_until(&text, '\n');
        while (line.len) {
            Str part = str_next_until(&line, '\r');
            check_command(part);
            check_reply(part);
        }
    }
    return 0;
}

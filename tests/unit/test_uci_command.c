/* test_uci_command.c - what a GUI says to an engine: reading tolerantly, writing exactly, and both agreeing. */
#include "base/rng.h"
#include "support/testing.h"
#include "unit/test_uci_equal.h"

/* Reads a line that must be understood whole. */
static UciCommand command_of(const char *line)
{
    UciCommand command;
    Err        err;
    if (!uci_parse_command(str_from(line), &command, &err)) fail_msg("'%s': %s", line, err.text);
    assert_false(command.broken);
    return command;
}

/* Reads a line of which something must be reported, at `offset`. */
static UciCommand faulty_command_of(const char *line, size_t offset)
{
    UciCommand command;
    Err        err;
    if (uci_parse_command(str_from(line), &command, &err)) fail_msg("'%s': nothing was reported", line);
    assert_int_not_equal(err.code, ERR_NONE);
    assert_true(err.text[0] != '\0');
    if (err.offset != offset) fail_msg("'%s': reported at %zu, not %zu: %s", line, err.offset, offset, err.text);
    return command;
}

static void assert_written(const UciCommand *command, const char *expected)
{
    Buf out = {0};
    uci_write_command(&out, command);
    assert_str_equal(buf_str(&out), expected);
    buf_release(&out);
}

static void commands_without_parameters_are_known_by_name(void **state)
{
    (void)state;
    static const struct {
        const char    *line;
        UciCommandKind kind;
    } CASES[] = {
        {"uci", UCI_CMD_UCI},   {"isready", UCI_CMD_ISREADY},     {"ucinewgame", UCI_CMD_UCINEWGAME},
        {"stop", UCI_CMD_STOP}, {"ponderhit", UCI_CMD_PONDERHIT}, {"quit", UCI_CMD_QUIT},
        {"d", UCI_CMD_D},       {"eval", UCI_CMD_EVAL},           {"bench", UCI_CMD_BENCH},
        {"help", UCI_CMD_HELP}, {"register", UCI_CMD_REGISTER},   {"", UCI_CMD_EMPTY},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) assert_int_equal(command_of(CASES[i].line).kind, CASES[i].kind);
}

static void line_ends_tabs_and_extra_space_do_not_matter(void **state)
{
    (void)state;
    assert_int_equal(command_of("isready\r\n").kind, UCI_CMD_ISREADY);
    assert_int_equal(command_of(" \t isready \t ").kind, UCI_CMD_ISREADY);
    assert_int_equal(command_of(" \t\r\n").kind, UCI_CMD_EMPTY);
    UciCommand go = command_of("\tgo\t\tdepth   7\r\n");
    assert_int_equal(go.go.depth, 7);
    UciCommand position = command_of("position\tstartpos  moves\te2e4\t e7e5 \r\n");
    assert_true(position.position.startpos);
    assert_str_equal(position.position.moves, "e2e4\t e7e5");
}

static void words_before_a_command_are_skipped_and_reported(void **state)
{
    (void)state;
    UciCommand debug = faulty_command_of("joho debug on", 0);
    assert_int_equal(debug.kind, UCI_CMD_DEBUG);
    assert_true(debug.debug_on);
    assert_int_equal(faulty_command_of("  what ever isready\n", 2).kind, UCI_CMD_ISREADY);
}

static void a_line_without_a_command_is_unknown(void **state)
{
    (void)state;
    UciCommand command = faulty_command_of(" xyzzy UCI plugh\r\n", 1);
    assert_int_equal(command.kind, UCI_CMD_UNKNOWN);
    assert_str_equal(command.text, "xyzzy UCI plugh");
}

static void words_after_a_complete_command_are_reported(void **state)
{
    (void)state;
    assert_int_equal(faulty_command_of("stop now", 5).kind, UCI_CMD_STOP);
}

static void debug_is_switched_on_and_off(void **state)
{
    (void)state;
    assert_true(command_of("debug on").debug_on);
    assert_false(command_of("debug off").debug_on);
    assert_true(faulty_command_of("debug", 5).broken);
    assert_true(faulty_command_of("debug maybe", 6).broken);
    assert_false(faulty_command_of("debug really on", 6).broken);
}

static void option_names_and_values_keep_their_spaces(void **state)
{
    (void)state;
    static const struct {
        const char *line, *name, *value;
        bool        has_value;
    } CASES[] = {
        {"setoption name Hash value 64", "Hash", "64", true},
        {"setoption name Move Overhead value 10\r\n", "Move Overhead", "10", true},
        {"setoption  name  Move  Overhead  value  10 ", "Move  Overhead", "10", true},
        {"setoption name Clear Hash", "Clear Hash", "", false},
        {"setoption name SyzygyPath value C:\\my tables; D:\\more value", "SyzygyPath", "C:\\my tables; D:\\more value", true},
        {"setoption name SyzygyPath value <empty>", "SyzygyPath", "", true},
        {"setoption name SyzygyPath value", "SyzygyPath", "", true},
        {"setoption name Hash value -5", "Hash", "-5", true},
        {"setoption name UCI_Chess960 value true", "UCI_Chess960", "true", true},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        UciCommand command = command_of(CASES[i].line);
        assert_int_equal(command.kind, UCI_CMD_SETOPTION);
        assert_str_equal(command.setoption.name, CASES[i].name);
        assert_str_equal(command.setoption.value, CASES[i].value);
        assert_int_equal(command.setoption.has_value, CASES[i].has_value);
    }
}

static void setoption_without_a_name_is_broken(void **state)
{
    (void)state;
    assert_true(faulty_command_of("setoption", 9).broken);
    assert_true(faulty_command_of("setoption name", 14).broken);
    assert_true(faulty_command_of("setoption name value 5", 15).broken);
    assert_true(faulty_command_of("setoption Hash value 5", 10).broken);
}

static void option_names_are_equal_in_any_case_and_width(void **state)
{
    (void)state;
    assert_true(uci_option_name_equal(STR("Move Overhead"), STR("move \t OVERHEAD ")));
    assert_true(uci_option_name_equal(STR("Hash"), STR("hash")));
    assert_false(uci_option_name_equal(STR("Move Overhead"), STR("MoveOverhead")));
    assert_false(uci_option_name_equal(STR("Clear"), STR("Clear Hash")));
}

static void a_position_is_startpos_or_a_fen_with_moves(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool        startpos;
        const char *fen, *moves;
    } CASES[] = {
        {"position startpos", true, "", ""},
        {"position startpos moves", true, "", ""},
        {"position startpos moves e2e4 e7e5", true, "", "e2e4 e7e5"},
        {"position fen 4k3/8/8/8/8/8/8/4K3 w - -", false, "4k3/8/8/8/8/8/8/4K3 w - -", ""},
        {"position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2\r\n", false, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2"},
        {"position  fen  4k3/8/8/8/8/8/8/4K3  b  -  -  99  -7 ", false, "4k3/8/8/8/8/8/8/4K3  b  -  -  99  -7", ""},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        UciCommand command = command_of(CASES[i].line);
        assert_int_equal(command.kind, UCI_CMD_POSITION);
        assert_int_equal(command.position.startpos, CASES[i].startpos);
        assert_str_equal(command.position.fen, CASES[i].fen);
        assert_str_equal(command.position.moves, CASES[i].moves);
    }
}

static void a_position_that_names_no_place_is_broken(void **state)
{
    (void)state;
    assert_true(faulty_command_of("position", 8).broken);
    assert_true(faulty_command_of("position fen", 12).broken);
    assert_true(faulty_command_of("position fen moves e2e4", 23).broken);
    assert_true(faulty_command_of("position moves e2e4", 19).broken);
    assert_true(faulty_command_of("position rnbqkbnr/8/8/8/8/8/8/8 w - - 0 1", 9).broken);
}

static void unknown_words_in_position_are_skipped(void **state)
{
    (void)state;
    UciCommand command = faulty_command_of("position from startpos please moves e2e4", 9);
    assert_false(command.broken);
    assert_true(command.position.startpos);
    assert_str_equal(command.position.moves, "e2e4");
}

/* 12,000 plies and more in one line: nothing is cut off. */
static void a_position_may_have_any_number_of_moves(void **state)
{
    (void)state;
    Buf line = {0};
    buf_append(&line, STR("position startpos moves"));
    for (int i = 0; i < 6000; i++) buf_append(&line, i % 2 ? STR(" f3g1 f6g8") : STR(" g1f3 g8f6"));
    UciCommand command;
    assert_true(uci_parse_command(buf_str(&line), &command, NULL));
    int count = 0;
    for (Str rest = command.position.moves; str_next_token(&rest).len;) count++;
    assert_int_equal(count, 12000);
    buf_release(&line);
}

static void every_parameter_of_go_is_read(void **state)
{
    (void)state;
    UciCommand command =
        command_of("go ponder wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9 perft 10 "
                   "infinite searchmoves e2e4 d2d4");
    const UciGo *go = &command.go;
    assert_int_equal(command.kind, UCI_CMD_GO);
    assert_int_equal(go->has, (1U << UCI_GO_NUMBERS) - 1);
    const int64_t values[] = {go->wtime_ms, go->btime_ms, go->winc_ms, go->binc_ms,     go->movestogo,
                              go->depth,    go->nodes,    go->mate,    go->movetime_ms, go->perft};
    for (size_t i = 0; i < COUNT_OF(values); i++) assert_int_equal(values[i], i + 1);
    assert_true(go->ponder);
    assert_true(go->infinite);
    assert_str_equal(go->searchmoves, "e2e4 d2d4");
}

static void a_bare_go_has_no_limits(void **state)
{
    (void)state;
    UciCommand command = command_of("go");
    assert_int_equal(command.go.has, 0);
    assert_false(command.go.infinite || command.go.ponder || command.go.searchmoves.len);
}

static void mixed_limits_are_all_kept(void **state)
{
    (void)state;
    UciCommand command = command_of("go wtime 866320 btime 852039 winc 14000 binc 14000 depth 5 movetime 2000");
    assert_int_equal(command.go.wtime_ms, 866320);
    assert_int_equal(command.go.depth, 5);
    assert_int_equal(command.go.movetime_ms, 2000);
    assert_false(uci_go_has(&command.go, UCI_GO_NODES));
}

static void one_clock_alone_is_told_from_two(void **state)
{
    (void)state;
    UciCommand command = command_of("go wtime 100");
    assert_true(uci_go_has(&command.go, UCI_GO_WTIME));
    assert_false(uci_go_has(&command.go, UCI_GO_BTIME));
}

static void searchmoves_end_at_the_next_parameter(void **state)
{
    (void)state;
    UciCommand command = command_of("go searchmoves e2e4 0000 xyz e7e8Q depth 3 ponder");
    assert_str_equal(command.go.searchmoves, "e2e4 0000 xyz e7e8Q");
    assert_int_equal(command.go.depth, 3);
    assert_true(command.go.ponder);
    assert_int_equal(faulty_command_of("go searchmoves depth 3", 3).go.depth, 3);
}

static void negative_times_are_kept_as_given(void **state)
{
    (void)state;
    UciCommand command = command_of("go wtime -120 btime 0 winc -1 movetime -5");
    assert_int_equal(command.go.wtime_ms, -120);
    assert_int_equal(command.go.btime_ms, 0);
    assert_int_equal(command.go.winc_ms, -1);
    assert_int_equal(command.go.movetime_ms, -5);
}

static void huge_numbers_become_the_largest(void **state)
{
    (void)state;
    UciCommand command = command_of("go wtime 99999999999999999999 btime -99999999999999999999 nodes 9223372036854775808");
    assert_int_equal(command.go.wtime_ms, INT64_MAX);
    assert_int_equal(command.go.btime_ms, -INT64_MAX);
    assert_int_equal(command.go.nodes, INT64_MAX);
}

/* A limit below zero is the tightest limit, not an endless search. */
static void negative_limits_become_zero_and_are_reported(void **state)
{
    (void)state;
    UciCommand command = faulty_command_of("go depth -3", 9);
    assert_true(uci_go_has(&command.go, UCI_GO_DEPTH));
    assert_int_equal(command.go.depth, 0);
    assert_int_equal(faulty_command_of("go mate -1", 8).go.mate, 0);
}

static void malformed_numbers_are_dropped_and_the_rest_read(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        size_t      offset;
    } CASES[] = {
        {"go wtime abc btime 1000", 9},  {"go wtime btime 1000", 3},         {"go wtime 1.5 btime 1000", 9},
        {"go wtime 0x10 btime 1000", 9}, {"go wtime - btime 1000", 9},       {"go wtime 12ms btime 1000", 9},
        {"go btime 1000 wtime", 14},     {"go wtime 1e3 btime 1000", 9},     {"go wtime \xff btime 1000", 9},
        {"go wtime ++1 btime 1000", 9},  {"go wtime 5- junk btime 1000", 9},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        UciCommand command = faulty_command_of(CASES[i].line, CASES[i].offset);
        assert_int_equal(command.go.has, 1U << UCI_GO_BTIME);
        assert_int_equal(command.go.btime_ms, 1000);
    }
}

static void unknown_words_in_go_are_skipped(void **state)
{
    (void)state;
    UciCommand command = faulty_command_of("go fast depth 4 please nodes 10", 3);
    assert_int_equal(command.go.depth, 4);
    assert_int_equal(command.go.nodes, 10);
}

static void a_parameter_without_number_does_not_swallow_the_next(void **state)
{
    (void)state;
    UciCommand command = faulty_command_of("go depth infinite", 3);
    assert_true(command.go.infinite);
    assert_int_equal(command.go.has, 0);
}

static void bytes_that_are_no_text_are_harmless(void **state)
{
    (void)state;
    static const char LINE[] = "go depth \0 5\xfe\0 setoption";
    UciCommand        command;
    assert_false(uci_parse_command(STR(LINE), &command, NULL));
    assert_int_equal(command.kind, UCI_CMD_GO);
    assert_true(uci_parse_command((Str){NULL, 0}, &command, NULL));
    assert_int_equal(command.kind, UCI_CMD_EMPTY);
}

static void commands_are_written_exactly(void **state)
{
    (void)state;
    assert_written(&(UciCommand){.kind = UCI_CMD_UCI}, "uci\n");
    assert_written(&(UciCommand){.kind = UCI_CMD_DEBUG, .debug_on = true}, "debug on\n");
    assert_written(&(UciCommand){.kind = UCI_CMD_GO}, "go\n");
    assert_written(&(UciCommand){.kind = UCI_CMD_BENCH, .text = STR("13")}, "bench 13\n");
    assert_written(&(UciCommand){.kind = UCI_CMD_SETOPTION, .setoption = {STR("Clear Hash"), STR(""), false}},
                   "setoption name Clear Hash\n");
    assert_written(&(UciCommand){.kind = UCI_CMD_SETOPTION, .setoption = {STR("Hash"), STR("64"), true}},
                   "setoption name Hash value 64\n");
    assert_written(&(UciCommand){.kind = UCI_CMD_SETOPTION, .setoption = {STR("SyzygyPath"), STR(""), true}},
                   "setoption name SyzygyPath value <empty>\n");
    assert_written(&(UciCommand){.kind = UCI_CMD_POSITION, .position = {true, STR(""), STR("e2e4 e7e5")}},
                   "position startpos moves e2e4 e7e5\n");
    assert_written(&(UciCommand){.kind = UCI_CMD_POSITION, .position = {false, STR("8/8/8/8/8/8/8/8 w - - 0 1"), STR("")}},
                   "position fen 8/8/8/8/8/8/8/8 w - - 0 1\n");
    UciGo go = {.has         = 1U << UCI_GO_WTIME | 1U << UCI_GO_BTIME | 1U << UCI_GO_MOVESTOGO,
                .wtime_ms    = 60000,
                .btime_ms    = -5,
                .movestogo   = 40,
                .ponder      = true,
                .searchmoves = STR("e2e4")};
    assert_written(&(UciCommand){.kind = UCI_CMD_GO, .go = go}, "go ponder wtime 60000 btime -5 movestogo 40 searchmoves e2e4\n");
}

static void a_value_cannot_smuggle_in_a_second_command(void **state)
{
    (void)state;
    assert_written(&(UciCommand){.kind = UCI_CMD_SETOPTION, .setoption = {STR("Log"), STR("a\r\nquit"), true}},
                   "setoption name Log value a  quit\n");
}

static Str random_words(Rng *rng, Buf *pool, int words_max)
{
    static const char *const WORDS[] = {"e2e4", "a7a8q", "0000", "Hash", "Move", "x\\y:z", "true", "-12", "\xc3\xa9", "w"};
    size_t                   start   = pool->len;
    int                      count   = (int)rng_below(rng, (uint64_t)words_max) + 1;
    for (int i = 0; i < count; i++) buf_printf(pool, "%s%s", i ? " " : "", WORDS[rng_below(rng, COUNT_OF(WORDS))]);
    return (Str){pool->data + start, pool->len - start};
}

static UciGo random_go(Rng *rng, Buf *pool)
{
    UciGo    go       = {.has = (uint32_t)rng_below(rng, 1U << UCI_GO_NUMBERS), .searchmoves = STR("")};
    int64_t *values[] = {&go.wtime_ms, &go.btime_ms, &go.winc_ms, &go.binc_ms,     &go.movestogo,
                         &go.depth,    &go.nodes,    &go.mate,    &go.movetime_ms, &go.perft};
    for (int i = 0; i < UCI_GO_NUMBERS; i++) {
        if (uci_go_has(&go, (UciGoNumber)i)) *values[i] = (int64_t)(rng_next(rng) >> 1 >> rng_below(rng, 63));
    }
    if (rng_below(rng, 2)) go.wtime_ms = uci_go_has(&go, UCI_GO_WTIME) ? -go.wtime_ms : 0;
    go.ponder   = rng_below(rng, 2);
    go.infinite = rng_below(rng, 2);
    if (rng_below(rng, 2)) go.searchmoves = random_words(rng, pool, 5);
    return go;
}

static UciCommand random_command(Rng *rng, Buf *pool)
{
    UciCommand command = {.kind = (UciCommandKind)(UCI_CMD_UCI + rng_below(rng, UCI_CMD_HELP - UCI_CMD_UCI + 1))};
    switch (command.kind) {
    case UCI_CMD_DEBUG: command.debug_on = rng_below(rng, 2); break;
    case UCI_CMD_GO: command.go = random_go(rng, pool); break;
    case UCI_CMD_SETOPTION:
        command.setoption = (UciSetOption){random_words(rng, pool, 3), STR(""), rng_below(rng, 2)};
        if (command.setoption.has_value && rng_below(rng, 4)) command.setoption.value = random_words(rng, pool, 4);
        break;
    case UCI_CMD_POSITION:
        command.position = (UciPosition){rng_below(rng, 2), STR(""), STR("")};
        if (!command.position.startpos) command.position.fen = random_words(rng, pool, 6);
        if (rng_below(rng, 2)) command.position.moves = random_words(rng, pool, 30);
        break;
    default: command.text = STR(""); break;
    }
    return command;
}

static void whatever_is_written_reads_back_the_same(void **state)
{
    (void)state;
    Rng rng  = rng_seeded(20260101);
    Buf pool = {0}, out = {0};
    buf_reserve(&pool, 4096); /* the views of one command must not move */
    for (int i = 0; i < 20000; i++) {
        buf_reset(&pool);
        buf_reset(&out);
        UciCommand command = random_command(&rng, &pool), again;
        uci_write_command(&out, &command);
        if (!uci_parse_command(buf_str(&out), &again, NULL) || !uci_command_equal(&command, &again)) fail_msg("%s", out.data);
    }
    buf_release(&pool);
    buf_release(&out);
}

static void every_command_has_a_line_of_help(void **state)
{
    (void)state;
    size_t count = 0;
    for (const UciCommandSpec *spec; (spec = uci_command_spec(count)); count++) {
        assert_int_equal(command_of(spec->kind == UCI_CMD_DEBUG       ? "debug on"
                                    : spec->kind == UCI_CMD_POSITION  ? "position startpos"
                                    : spec->kind == UCI_CMD_SETOPTION ? "setoption name Hash"
                                                                      : spec->name)
                             .kind,
                         spec->kind);
        assert_true(str_starts_with(str_from(spec->usage), str_from(spec->name)));
        assert_true(strlen(spec->help) > 5);
    }
    assert_int_equal(count, UCI_CMD_HELP - UCI_CMD_UCI + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_without_parameters_are_known_by_name),
        cmocka_unit_test(line_ends_tabs_and_extra_space_do_not_matter),
        cmocka_unit_test(words_before_a_command_are_skipped_and_reported),
        cmocka_unit_test(a_line_without_a_command_is_unknown),
        cmocka_unit_test(words_after_a_complete_command_are_reported),
        cmocka_unit_test(debug_is_switched_on_and_off),
        cmocka_unit_test(option_names_and_values_keep_their_spaces),
        cmocka_unit_test(setoption_without_a_name_is_broken),
        cmocka_unit_test(option_names_are_equal_in_any_case_and_width),
        cmocka_unit_test(a_position_is_startpos_or_a_fen_with_moves),
        cmocka_unit_test(a_position_that_names_no_place_is_broken),
        cmocka_unit_test(unknown_words_in_position_are_skipped),
        cmocka_unit_test(a_position_may_have_any_number_of_moves),
        cmocka_unit_test(every_parameter_of_go_is_read),
        cmocka_unit_test(a_bare_go_has_no_limits),
        cmocka_unit_test(mixed_limits_are_all_kept),
        cmocka_unit_test(one_clock_alone_is_told_from_two),
        cmocka_unit_test(searchmoves_end_at_the_next_parameter),
        cmocka_unit_test(negative_times_are_kept_as_given),
        cmocka_unit_test(huge_numbers_become_the_largest),
        cmocka_unit_test(negative_limits_become_zero_and_are_reported),
        cmocka_unit_test(malformed_numbers_are_dropped_and_the_rest_read),
        cmocka_unit_test(unknown_words_in_go_are_skipped),
        cmocka_unit_test(a_parameter_without_number_does_not_swallow_the_next),
        cmocka_unit_test(bytes_that_are_no_text_are_harmless),
        cmocka_unit_test(commands_are_written_exactly),
        cmocka_unit_test(a_value_cannot_smuggle_in_a_second_command),
        cmocka_unit_test(whatever_is_written_reads_back_the_same),
        cmocka_unit_test(every_command_has_a_line_of_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

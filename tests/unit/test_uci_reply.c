/* test_uci_reply.c - what an engine says to a GUI: exact text out, strict reading in, and both agreeing. */
#include "base/rng.h"
#include "support/testing.h"
#include "unit/test_uci_equal.h"

static UciReply reply_of(const char *line)
{
    UciReply reply;
    Err      err;
    if (!uci_parse_reply(str_from(line), &reply, &err)) fail_msg("'%s': %s", line, err.text);
    assert_false(reply.broken);
    return reply;
}

/* Reads a line of which something must be reported, at `offset`. */
static UciReply faulty_reply_of(const char *line, size_t offset)
{
    UciReply reply;
    Err      err;
    if (uci_parse_reply(str_from(line), &reply, &err)) fail_msg("'%s': nothing was reported", line);
    assert_int_not_equal(err.code, ERR_NONE);
    if (err.offset != offset) fail_msg("'%s': reported at %zu, not %zu: %s", line, err.offset, offset, err.text);
    return reply;
}

static void assert_info_written(const UciInfo *info, const char *expected)
{
    Buf out = {0};
    uci_write_info(&out, info);
    assert_str_equal(buf_str(&out), expected);
    buf_release(&out);
}

static void assert_option_written(const UciOptionDef *option, const char *expected)
{
    Buf out = {0};
    uci_write_option(&out, option);
    assert_str_equal(buf_str(&out), expected);
    buf_release(&out);
}

static void the_greeting_is_written_exactly(void **state)
{
    (void)state;
    Buf out = {0};
    uci_write_id(&out, STR("Tabia 1.0"), STR("the authors"));
    uci_write_uciok(&out);
    uci_write_readyok(&out);
    assert_str_equal(buf_str(&out), "id name Tabia 1.0\nid author the authors\nuciok\nreadyok\n");
    buf_release(&out);
}

static void a_full_info_line_is_written_exactly(void **state)
{
    (void)state;
    UciInfo info = {.depth    = 20,
                    .seldepth = 31,
                    .multipv  = 1,
                    .nodes    = 1234567,
                    .nps      = 1000000,
                    .hashfull = 42,
                    .tbhits   = 0,
                    .time_ms  = 1234,
                    .score    = {UCI_SCORE_CP, UCI_BOUND_LOWER, -17},
                    .has_wdl  = true,
                    .wdl      = {60, 900, 40},
                    .pv       = STR("e2e4 e7e5")};
    info.has     = 1U << UCI_INFO_DEPTH | 1U << UCI_INFO_SELDEPTH | 1U << UCI_INFO_MULTIPV | 1U << UCI_INFO_NODES |
               1U << UCI_INFO_NPS | 1U << UCI_INFO_HASHFULL | 1U << UCI_INFO_TBHITS | 1U << UCI_INFO_TIME;
    assert_info_written(&info,
                        "info depth 20 seldepth 31 multipv 1 score cp -17 lowerbound wdl 60 900 40 nodes 1234567 nps 1000000 "
                        "hashfull 42 tbhits 0 time 1234 pv e2e4 e7e5\n");
}

static void mate_and_current_move_are_written_exactly(void **state)
{
    (void)state;
    UciInfo mated = {.has = 1U << UCI_INFO_DEPTH, .score = {UCI_SCORE_MATE, UCI_BOUND_EXACT, 0}};
    assert_info_written(&mated, "info depth 0 score mate 0\n");
    UciInfo current = {
        .has = 1U << UCI_INFO_DEPTH | 1U << UCI_INFO_CURRMOVENUMBER, .depth = 9, .currmovenumber = 3, .currmove = STR("g1f3")};
    assert_info_written(&current, "info depth 9 currmove g1f3 currmovenumber 3\n");
}

static void an_info_string_stays_on_its_line(void **state)
{
    (void)state;
    Buf out = {0};
    uci_write_info_string(&out, STR("first\nbestmove e2e4"));
    assert_str_equal(buf_str(&out), "info string first bestmove e2e4\n");
    buf_release(&out);
}

static void bestmove_is_written_with_ponder_only_when_there_is_one(void **state)
{
    (void)state;
    Buf out = {0};
    uci_write_bestmove(&out, STR("e2e4"), STR("e7e5"));
    uci_write_bestmove(&out, STR("e7e8q"), STR(""));
    uci_write_bestmove(&out, STR(""), STR(""));
    assert_str_equal(buf_str(&out), "bestmove e2e4 ponder e7e5\nbestmove e7e8q\nbestmove 0000\n");
    buf_release(&out);
}

static void options_of_every_kind_are_written_exactly(void **state)
{
    (void)state;
    assert_option_written(&(UciOptionDef){STR("Hash"), UCI_OPTION_SPIN, true, STR("16"), 1, 65536, STR("")},
                          "option name Hash type spin default 16 min 1 max 65536\n");
    assert_option_written(&(UciOptionDef){.name = STR("Ponder"), .kind = UCI_OPTION_CHECK, true, STR("false")},
                          "option name Ponder type check default false\n");
    assert_option_written(&(UciOptionDef){.name = STR("Clear Hash"), .kind = UCI_OPTION_BUTTON},
                          "option name Clear Hash type button\n");
    assert_option_written(&(UciOptionDef){.name = STR("SyzygyPath"), .kind = UCI_OPTION_STRING, .has_default = true},
                          "option name SyzygyPath type string default <empty>\n");
    assert_option_written(&(UciOptionDef){.name         = STR("Style"),
                                          .kind         = UCI_OPTION_COMBO,
                                          .has_default  = true,
                                          .default_text = STR("Normal"),
                                          .vars         = STR("var Solid  var Normal var Very Risky")},
                          "option name Style type combo default Normal var Solid var Normal var Very Risky\n");
}

/* As Stockfish prints it: wdl between the score and the nodes. */
static void a_real_info_line_is_read_whole(void **state)
{
    (void)state;
    UciReply reply = reply_of("info depth 24 seldepth 32 multipv 2 score cp 35 wdl 85 886 29 nodes 1032471 nps 857533 hashfull "
                              "412 tbhits 0 time 1204 pv e2e4 e7e5 g1f3\r\n");
    const UciInfo *info = &reply.info;
    assert_int_equal(reply.kind, UCI_REPLY_INFO);
    assert_int_equal(info->depth, 24);
    assert_int_equal(info->seldepth, 32);
    assert_int_equal(info->multipv, 2);
    assert_int_equal(info->score.kind, UCI_SCORE_CP);
    assert_int_equal(info->score.bound, UCI_BOUND_EXACT);
    assert_int_equal(info->score.value, 35);
    assert_true(info->has_wdl && info->wdl[0] == 85 && info->wdl[1] == 886 && info->wdl[2] == 29);
    assert_int_equal(info->nodes, 1032471);
    assert_int_equal(info->time_ms, 1204);
    assert_true(uci_info_has(info, UCI_INFO_TBHITS));
    assert_false(uci_info_has(info, UCI_INFO_CPULOAD));
    assert_str_equal(info->pv, "e2e4 e7e5 g1f3");
}

static void bounds_are_read_wherever_engines_put_them(void **state)
{
    (void)state;
    static const char *const LINES[] = {
        "info score cp 30 upperbound nodes 5",
        "info score upperbound cp 30 nodes 5",
        "info score cp 30 wdl 1 2 997 upperbound nodes 5",
    };
    for (size_t i = 0; i < COUNT_OF(LINES); i++) {
        UciReply reply = reply_of(LINES[i]);
        assert_int_equal(reply.info.score.bound, UCI_BOUND_UPPER);
        assert_int_equal(reply.info.score.value, 30);
        assert_int_equal(reply.info.nodes, 5);
    }
}

static void a_pv_ends_at_the_next_keyword(void **state)
{
    (void)state;
    UciReply reply = reply_of("info pv e2e4 e7e5 depth 5 refutation d1h5 g6h5 currline 1 e2e4 score mate -3");
    assert_str_equal(reply.info.pv, "e2e4 e7e5");
    assert_str_equal(reply.info.refutation, "d1h5 g6h5");
    assert_str_equal(reply.info.currline, "1 e2e4");
    assert_int_equal(reply.info.depth, 5);
    assert_int_equal(reply.info.score.kind, UCI_SCORE_MATE);
    assert_int_equal(reply.info.score.value, -3);
}

static void an_info_string_takes_the_rest_of_its_line(void **state)
{
    (void)state;
    UciReply reply = reply_of("info depth 3 string score cp 5  pv is text ");
    assert_int_equal(reply.info.depth, 3);
    assert_str_equal(reply.info.string, "score cp 5  pv is text");
    assert_int_equal(reply.info.score.kind, UCI_SCORE_NONE);
    assert_int_equal(reply.info.pv.len, 0);
}

static void malformed_fields_of_info_are_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        size_t      offset;
    } CASES[] = {
        {"info depth x nodes 7", 11},
        {"info depth nodes 7", 5},
        {"info depth -4 nodes 7", 11},
        {"info score cp nodes 7", 11},
        {"info score nodes 7", 5},
        {"info score cp 1.5 nodes 7", 14},
        {"info score mate # nodes 7", 16},
        {"info wdl 1 2 nodes 7", 5},
        {"info wdl 1 2 3000 nodes 7", 5},
        {"info bogus nodes 7", 5},
        {"info lowerbound nodes 7", 5},
        {"info nodes 7 nps", 13},
        {"info score lowerbound nodes 7", 5},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        UciReply reply = faulty_reply_of(CASES[i].line, CASES[i].offset);
        assert_int_equal(reply.info.has, 1U << UCI_INFO_NODES);
        assert_int_equal(reply.info.nodes, 7);
        assert_int_equal(reply.info.score.kind, UCI_SCORE_NONE);
        assert_false(reply.info.has_wdl);
    }
}

static void a_best_move_is_read_with_its_ponder_move(void **state)
{
    (void)state;
    UciReply both = reply_of("bestmove e2e4 ponder e7e5\r\n");
    assert_str_equal(both.bestmove.move, "e2e4");
    assert_str_equal(both.bestmove.ponder, "e7e5");
    UciReply alone = reply_of("bestmove a7a8q");
    assert_str_equal(alone.bestmove.move, "a7a8q");
    assert_int_equal(alone.bestmove.ponder.len, 0);
}

static void a_best_move_without_a_move_is_broken(void **state)
{
    (void)state;
    assert_true(faulty_reply_of("bestmove", 8).broken);
    assert_false(faulty_reply_of("bestmove e2e4 ponder", 14).broken);
    assert_str_equal(faulty_reply_of("bestmove e2e4 e7e5", 14).bestmove.move, "e2e4");
}

static void the_ways_to_say_no_move_are_known(void **state)
{
    (void)state;
    static const char *const NONE[] = {"(none)", "0000", "NULL", "none", ""};
    for (size_t i = 0; i < COUNT_OF(NONE); i++) assert_true(uci_move_is_none(str_from(NONE[i])));
    assert_false(uci_move_is_none(STR("e2e4")));
    assert_false(uci_move_is_none(STR("a1a1")));
}

static void options_of_every_kind_are_read(void **state)
{
    (void)state;
    UciReply spin = reply_of("option name Move Overhead type spin default 10 min -5 max 5000");
    assert_int_equal(spin.option.kind, UCI_OPTION_SPIN);
    assert_str_equal(spin.option.name, "Move Overhead");
    assert_str_equal(spin.option.default_text, "10");
    assert_int_equal(spin.option.min, -5);
    assert_int_equal(spin.option.max, 5000);
    assert_int_equal(reply_of("option name Ponder type check default false").option.kind, UCI_OPTION_CHECK);
    assert_int_equal(reply_of("option name Clear Hash type button\r\n").option.kind, UCI_OPTION_BUTTON);
    UciReply text = reply_of("option name Book type string default C:\\max min\\var.bin");
    assert_str_equal(text.option.default_text, "C:\\max min\\var.bin");
    UciReply empty = reply_of("option name SyzygyPath type string default <empty>");
    assert_true(empty.option.has_default && empty.option.default_text.len == 0);
}

static void the_values_of_a_combo_are_read_one_by_one(void **state)
{
    (void)state;
    UciReply reply = reply_of("option name Style type combo var Solid default Very Risky var Normal var Very Risky");
    Str      vars  = reply.option.vars;
    Str      var;
    assert_str_equal(reply.option.default_text, "Very Risky");
    static const char *const EXPECTED[] = {"Solid", "Normal", "Very Risky"};
    for (size_t i = 0; i < COUNT_OF(EXPECTED); i++) {
        assert_true(uci_option_next_var(&vars, &var));
        assert_str_equal(var, EXPECTED[i]);
    }
    assert_false(uci_option_next_var(&vars, &var));
}

static void option_lines_of_no_use_are_broken(void **state)
{
    (void)state;
    static const char *const LINES[] = {
        "option",
        "option name",
        "option name Hash",
        "option name Hash type",
        "option name type spin default 1 min 0 max 2",
        "option name Hash type integer default 1 min 0 max 2",
        "option name Hash type spin default 16 min 1",
        "option name Hash type spin default big min 1 max 2",
        "option name Hash type spin min 1 max 2",
        "option name Ponder type check default yes",
        "option Hash type spin default 1 min 0 max 2",
    };
    for (size_t i = 0; i < COUNT_OF(LINES); i++) {
        UciReply reply;
        assert_false(uci_parse_reply(str_from(LINES[i]), &reply, NULL));
        assert_int_equal(reply.kind, UCI_REPLY_OPTION);
        assert_true(reply.broken);
    }
}

static void values_are_checked_against_their_option(void **state)
{
    (void)state;
    UciOptionDef             hash  = {STR("Hash"), UCI_OPTION_SPIN, true, STR("16"), 1, 65536, STR("")};
    UciOptionDef             check = {.name = STR("Ponder"), .kind = UCI_OPTION_CHECK};
    UciOptionDef             combo = {.name = STR("Eval"), .kind = UCI_OPTION_COMBO, .vars = STR("var material var classical")};
    UciOptionValue           value = {0};
    Err                      err;
    static const char *const BAD_HASH[] = {"0", "-5", "abc", "", "999999999999", "99999999999999999999", "16 MB", "1.5"};
    for (size_t i = 0; i < COUNT_OF(BAD_HASH); i++) {
        assert_false(uci_option_check_value(&hash, str_from(BAD_HASH[i]), &value, &err));
        assert_string_equal(err.text, "Hash takes a whole number from 1 to 65536");
    }
    assert_true(uci_option_check_value(&hash, STR("64"), &value, &err) && value.spin == 64);
    assert_true(uci_option_check_value(&check, STR("True"), &value, &err) && value.check);
    assert_true(uci_option_check_value(&check, STR("false"), &value, &err) && !value.check);
    assert_false(uci_option_check_value(&check, STR("1"), &value, &err));
    assert_true(uci_option_check_value(&combo, STR("CLASSICAL"), &value, &err));
    assert_str_equal(value.text, "classical");
    assert_false(uci_option_check_value(&combo, STR("nnue"), &value, &err));
    assert_true(uci_option_check_value(&(UciOptionDef){.kind = UCI_OPTION_STRING}, STR("a b"), &value, &err));
    assert_str_equal(value.text, "a b");
}

static void names_and_short_replies_are_read(void **state)
{
    (void)state;
    UciReply name = reply_of("id name Stockfish 15.1");
    assert_int_equal(name.kind, UCI_REPLY_ID_NAME);
    assert_str_equal(name.text, "Stockfish 15.1");
    assert_int_equal(reply_of("id author us all").kind, UCI_REPLY_ID_AUTHOR);
    assert_int_equal(reply_of("uciok\r\n").kind, UCI_REPLY_UCIOK);
    assert_int_equal(reply_of("readyok").kind, UCI_REPLY_READYOK);
    assert_str_equal(reply_of("copyprotection checking").text, "checking");
    assert_int_equal(reply_of("registration ok").kind, UCI_REPLY_REGISTRATION);
    assert_int_equal(reply_of(" \r\n").kind, UCI_REPLY_EMPTY);
    assert_true(faulty_reply_of("id", 2).broken);
}

/* A banner may hold any word, so only the first one counts; and the protocol's words are lower case. */
static void lines_of_no_protocol_are_other(void **state)
{
    (void)state;
    static const char *const LINES[] = {
        "Stockfish 15.1 by the developers", "# bestmove e2e4", "Bestmove e2e4", "bestmove: e2e4", "infodepth 3", "\xff\xfe\x01",
    };
    for (size_t i = 0; i < COUNT_OF(LINES); i++) {
        UciReply reply = reply_of(LINES[i]);
        assert_int_equal(reply.kind, UCI_REPLY_OTHER);
        assert_str_equal(reply.text, LINES[i]);
    }
}

static Str random_words(Rng *rng, Buf *pool, int words_max)
{
    static const char *const WORDS[] = {"e2e4", "a7a8q", "Very", "Risky", "x\\y:z", "true", "-12", "\xc3\xa9", "w", "(none)"};
    size_t                   start   = pool->len;
    int                      count   = (int)rng_below(rng, (uint64_t)words_max) + 1;
    for (int i = 0; i < count; i++) buf_printf(pool, "%s%s", i ? " " : "", WORDS[rng_below(rng, COUNT_OF(WORDS))]);
    return (Str){pool->data + start, pool->len - start};
}

static Str maybe_words(Rng *rng, Buf *pool, int words_max)
{
    return rng_below(rng, 2) ? random_words(rng, pool, words_max) : STR("");
}

static UciInfo random_info(Rng *rng, Buf *pool)
{
    UciInfo  info     = {.has = (uint32_t)rng_below(rng, 1U << UCI_INFO_NUMBERS)};
    int64_t *values[] = {&info.depth,    &info.seldepth, &info.multipv, &info.nodes,   &info.nps,
                         &info.hashfull, &info.tbhits,   &info.time_ms, &info.cpuload, &info.currmovenumber};
    for (int i = 0; i < UCI_INFO_NUMBERS; i++) {
        if (uci_info_has(&info, (UciInfoNumber)i)) *values[i] = (int64_t)(rng_next(rng) >> 1 >> rng_below(rng, 63));
    }
    info.score.kind = (UciScoreKind)rng_below(rng, 3);
    if (info.score.kind != UCI_SCORE_NONE) {
        info.score.bound = (UciBound)rng_below(rng, 3);
        info.score.value = (int64_t)rng_below(rng, 60001) - 30000;
    }
    info.has_wdl = rng_below(rng, 2);
    for (int i = 0; i < 3 && info.has_wdl; i++) info.wdl[i] = (int64_t)rng_below(rng, 1001);
    info.pv         = maybe_words(rng, pool, 20);
    info.currmove   = maybe_words(rng, pool, 1);
    info.refutation = maybe_words(rng, pool, 3);
    info.currline   = maybe_words(rng, pool, 3);
    info.string     = maybe_words(rng, pool, 9);
    return info;
}

static UciOptionDef random_option(Rng *rng, Buf *pool)
{
    UciOptionDef option = {.name = random_words(rng, pool, 3), .kind = (UciOptionKind)rng_below(rng, 5), .vars = STR("")};
    option.has_default  = option.kind != UCI_OPTION_BUTTON;
    option.default_text = STR("");
    switch (option.kind) {
    case UCI_OPTION_CHECK: option.default_text = rng_below(rng, 2) ? STR("true") : STR("false"); break;
    case UCI_OPTION_SPIN:
        option.default_text = STR("-12");
        option.min          = -(int64_t)rng_below(rng, 1000) - 12;
        option.max          = (int64_t)rng_below(rng, 1000);
        break;
    case UCI_OPTION_COMBO: {
        option.default_text = random_words(rng, pool, 2);
        size_t start        = pool->len;
        for (uint64_t i = 0, count = rng_below(rng, 4); i < count; i++) {
            buf_append(pool, STR(" var "));
            random_words(rng, pool, 2);
        }
        option.vars = (Str){pool->data + start, pool->len - start};
        break;
    }
    default: option.default_text = option.has_default ? maybe_words(rng, pool, 4) : STR(""); break;
    }
    return option;
}

static UciReply random_reply(Rng *rng, Buf *pool)
{
    UciReply reply = {.kind = (UciReplyKind)(UCI_REPLY_ID_NAME + rng_below(rng, UCI_REPLY_REGISTRATION - UCI_REPLY_ID_NAME + 1))};
    switch (reply.kind) {
    case UCI_REPLY_INFO: reply.info = random_info(rng, pool); break;
    case UCI_REPLY_OPTION: reply.option = random_option(rng, pool); break;
    case UCI_REPLY_BESTMOVE: reply.bestmove = (UciBestmove){random_words(rng, pool, 1), maybe_words(rng, pool, 1)}; break;
    default: reply.text = maybe_words(rng, pool, 4); break;
    }
    return reply;
}

static void whatever_is_written_reads_back_the_same(void **state)
{
    (void)state;
    Rng rng  = rng_seeded(20260102);
    Buf pool = {0}, out = {0};
    buf_reserve(&pool, 4096); /* the views of one reply must not move */
    for (int i = 0; i < 20000; i++) {
        buf_reset(&pool);
        buf_reset(&out);
        UciReply reply = random_reply(&rng, &pool), again;
        uci_write_reply(&out, &reply);
        if (!uci_parse_reply(buf_str(&out), &again, NULL) || !uci_reply_equal(&reply, &again)) fail_msg("%s", out.data);
    }
    buf_release(&pool);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_greeting_is_written_exactly),
        cmocka_unit_test(a_full_info_line_is_written_exactly),
        cmocka_unit_test(mate_and_current_move_are_written_exactly),
        cmocka_unit_test(an_info_string_stays_on_its_line),
        cmocka_unit_test(bestmove_is_written_with_ponder_only_when_there_is_one),
        cmocka_unit_test(options_of_every_kind_are_written_exactly),
        cmocka_unit_test(a_real_info_line_is_read_whole),
        cmocka_unit_test(bounds_are_read_wherever_engines_put_them),
        cmocka_unit_test(a_pv_ends_at_the_next_keyword),
        cmocka_unit_test(an_info_string_takes_the_rest_of_its_line),
        cmocka_unit_test(malformed_fields_of_info_are_left_out),
        cmocka_unit_test(a_best_move_is_read_with_its_ponder_move),
        cmocka_unit_test(a_best_move_without_a_move_is_broken),
        cmocka_unit_test(the_ways_to_say_no_move_are_known),
        cmocka_unit_test(options_of_every_kind_are_read),
        cmocka_unit_test(the_values_of_a_combo_are_read_one_by_one),
        cmocka_unit_test(option_lines_of_no_use_are_broken),
        cmocka_unit_test(values_are_checked_against_their_option),
        cmocka_unit_test(names_and_short_replies_are_read),
        cmocka_unit_test(lines_of_no_protocol_are_other),
        cmocka_unit_test(whatever_is_written_reads_back_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

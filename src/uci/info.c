/* info.c - the `info` line: one table of its numbers and one of its texts. */
#include <inttypes.h>

#include "uci/reply_parts.h"

typedef struct {
    const char *keyword;
    size_t      offset; /* of the int64_t or the Str in UciInfo */
} InfoField;

/* In the order of UciInfoNumber. */
static const InfoField NUMBERS[UCI_INFO_NUMBERS] = {
    [UCI_INFO_DEPTH]          = {"depth", offsetof(UciInfo, depth)},
    [UCI_INFO_SELDEPTH]       = {"seldepth", offsetof(UciInfo, seldepth)},
    [UCI_INFO_MULTIPV]        = {"multipv", offsetof(UciInfo, multipv)},
    [UCI_INFO_NODES]          = {"nodes", offsetof(UciInfo, nodes)},
    [UCI_INFO_NPS]            = {"nps", offsetof(UciInfo, nps)},
    [UCI_INFO_HASHFULL]       = {"hashfull", offsetof(UciInfo, hashfull)},
    [UCI_INFO_TBHITS]         = {"tbhits", offsetof(UciInfo, tbhits)},
    [UCI_INFO_TIME]           = {"time", offsetof(UciInfo, time_ms)},
    [UCI_INFO_CPULOAD]        = {"cpuload", offsetof(UciInfo, cpuload)},
    [UCI_INFO_CURRMOVENUMBER] = {"currmovenumber", offsetof(UciInfo, currmovenumber)},
};

/* Runs of words that end at the next keyword. */
static const InfoField TEXTS[] = {
    {"currmove", offsetof(UciInfo, currmove)},
    {"refutation", offsetof(UciInfo, refutation)},
    {"currline", offsetof(UciInfo, currline)},
    {"pv", offsetof(UciInfo, pv)},
};

enum { TEXT_COUNT = sizeof TEXTS / sizeof TEXTS[0] };

static int field_of(const InfoField *fields, int count, Str token)
{
    for (int i = 0; i < count; i++) {
        if (str_equal(token, str_from(fields[i].keyword))) return i;
    }
    return -1;
}

static bool is_info_keyword(Str token)
{
    return field_of(NUMBERS, UCI_INFO_NUMBERS, token) >= 0 || field_of(TEXTS, TEXT_COUNT, token) >= 0 ||
           str_equal(token, STR("score")) || str_equal(token, STR("wdl")) || str_equal(token, STR("string"));
}

/* The words that may follow `score`, as well as the ends of it. */
static bool is_score_keyword(Str token)
{
    return is_info_keyword(token) || str_equal(token, STR("cp")) || str_equal(token, STR("mate")) ||
           str_equal(token, STR("lowerbound")) || str_equal(token, STR("upperbound"));
}

static void parse_number(UciLexer *lex, Str keyword, int number, UciInfo *out)
{
    Str     text = uci_lex_peek(lex);
    int64_t value;
    if (!uci_lex_number(lex, keyword, is_info_keyword, &value)) return;
    if (value < 0) {
        uci_lex_fault(lex, ERR_RANGE, text, "is below zero: ignored");
        return;
    }
    memcpy((char *)out + NUMBERS[number].offset, &value, sizeof value);
    out->has |= 1U << number;
}

/* "cp 34", "mate -3", either with "lowerbound" or "upperbound" before or after it: engines do both. */
static void parse_score(UciLexer *lex, Str keyword, UciScore *out)
{
    UciScore score = {UCI_SCORE_NONE, UCI_BOUND_EXACT, 0};
    for (Str token = uci_lex_peek(lex); token.len && !is_info_keyword(token); token = uci_lex_peek(lex)) {
        uci_lex_next(lex);
        bool mate = str_equal(token, STR("mate"));
        if (mate || str_equal(token, STR("cp"))) {
            if (uci_lex_number(lex, token, is_score_keyword, &score.value)) score.kind = mate ? UCI_SCORE_MATE : UCI_SCORE_CP;
        } else if (str_equal(token, STR("lowerbound"))) {
            score.bound = UCI_BOUND_LOWER;
        } else if (str_equal(token, STR("upperbound"))) {
            score.bound = UCI_BOUND_UPPER;
        } else {
            uci_lex_fault(lex, ERR_SYNTAX, token, "is no part of a score: ignored");
        }
    }
    if (score.kind == UCI_SCORE_NONE)
        uci_lex_fault(lex, ERR_SYNTAX, keyword, "has neither cp nor mate: ignored");
    else
        *out = score;
}

static void parse_wdl(UciLexer *lex, Str keyword, UciInfo *out)
{
    int64_t wdl[3];
    for (int i = 0; i < 3; i++) {
        if (!uci_lex_number(lex, keyword, is_score_keyword, &wdl[i])) return;
        if (wdl[i] < 0 || wdl[i] > 1000) {
            uci_lex_fault(lex, ERR_RANGE, keyword, "has a number that is no permille: ignored");
            return;
        }
    }
    out->has_wdl = true;
    memcpy(out->wdl, wdl, sizeof wdl);
}

/* Bounds may also stand behind the wdl that stands behind the score. */
static bool parse_late_bound(Str token, UciInfo *out)
{
    bool lower = str_equal(token, STR("lowerbound"));
    if (!lower && !str_equal(token, STR("upperbound"))) return false;
    if (out->score.kind == UCI_SCORE_NONE) return false;
    out->score.bound = lower ? UCI_BOUND_LOWER : UCI_BOUND_UPPER;
    return true;
}

void uci_info_parse(UciLexer *lex, UciInfo *out)
{
    Str none = STR("");
    *out     = (UciInfo){.pv = none, .currmove = none, .refutation = none, .currline = none, .string = none};
    for (Str token = uci_lex_next(lex); token.len; token = uci_lex_next(lex)) {
        int number = field_of(NUMBERS, UCI_INFO_NUMBERS, token);
        int text   = field_of(TEXTS, TEXT_COUNT, token);
        if (number >= 0) {
            parse_number(lex, token, number, out);
        } else if (text >= 0) {
            Str run = uci_lex_run(lex, is_info_keyword);
            memcpy((char *)out + TEXTS[text].offset, &run, sizeof run);
        } else if (str_equal(token, STR("score"))) {
            parse_score(lex, token, &out->score);
        } else if (str_equal(token, STR("wdl"))) {
            parse_wdl(lex, token, out);
        } else if (str_equal(token, STR("string"))) {
            out->string = uci_lex_rest(lex);
        } else if (!parse_late_bound(token, out)) {
            uci_lex_fault(lex, ERR_SYNTAX, token, "is no part of info: ignored");
        }
    }
}

static void write_number(Buf *out, const UciInfo *info, int number)
{
    if (!uci_info_has(info, (UciInfoNumber)number)) return;
    int64_t value;
    memcpy(&value, (const char *)info + NUMBERS[number].offset, sizeof value);
    buf_printf(out, " %s %" PRId64, NUMBERS[number].keyword, value);
}

static void write_score(Buf *out, const UciInfo *info)
{
    const UciScore *score = &info->score;
    if (score->kind != UCI_SCORE_NONE) {
        buf_printf(out, " score %s %" PRId64, score->kind == UCI_SCORE_MATE ? "mate" : "cp", score->value);
        if (score->bound == UCI_BOUND_LOWER) buf_append(out, STR(" lowerbound"));
        if (score->bound == UCI_BOUND_UPPER) buf_append(out, STR(" upperbound"));
    }
    if (info->has_wdl) buf_printf(out, " wdl %" PRId64 " %" PRId64 " %" PRId64, info->wdl[0], info->wdl[1], info->wdl[2]);
}

void uci_write_info(Buf *out, const UciInfo *info)
{
    buf_append(out, STR("info"));
    for (int i = 0; i <= UCI_INFO_MULTIPV; i++) write_number(out, info, i);
    write_score(out, info);
    for (int i = UCI_INFO_MULTIPV + 1; i < UCI_INFO_CURRMOVENUMBER; i++) write_number(out, info, i);
    if (info->currmove.len) uci_append_part(out, STR("currmove"), info->currmove);
    write_number(out, info, UCI_INFO_CURRMOVENUMBER);
    if (info->refutation.len) uci_append_part(out, STR("refutation"), info->refutation);
    if (info->currline.len) uci_append_part(out, STR("currline"), info->currline);
    if (info->pv.len) uci_append_part(out, STR("pv"), info->pv);             /* where readers of logs expect it */
    if (info->string.len) uci_append_part(out, STR("string"), info->string); /* it swallows the rest of the line */
    buf_append_char(out, '\n');
}

void uci_write_info_string(Buf *out, Str text) { uci_write_info(out, &(UciInfo){.string = text}); }

/* option.c - see option.h; the reader of definitions is here too, for reply.c. */
#include "uci/option.h"

#include <inttypes.h>

#include "uci/command.h"
#include "uci/reply_parts.h"

/* In the order of UciOptionKind. */
static const char *const KIND_NAMES[] = {"check", "spin", "combo", "button", "string"};

enum { KIND_COUNT = sizeof KIND_NAMES / sizeof KIND_NAMES[0] };

static bool is_option_keyword(Str token)
{
    return str_equal(token, STR("name")) || str_equal(token, STR("type")) || str_equal(token, STR("default")) ||
           str_equal(token, STR("min")) || str_equal(token, STR("max")) || str_equal(token, STR("var"));
}

static bool is_type_keyword(Str token) { return str_equal(token, STR("type")); }

static bool kind_from_text(Str text, UciOptionKind *out)
{
    for (int i = 0; i < KIND_COUNT; i++) {
        if (!str_equal(text, str_from(KIND_NAMES[i]))) continue;
        *out = (UciOptionKind)i;
        return true;
    }
    return false;
}

static bool check_from_text(Str text, bool *out)
{
    *out = str_equal_nocase(text, STR("true"));
    return *out || str_equal_nocase(text, STR("false"));
}

bool uci_option_next_var(Str *vars, Str *var)
{
    UciLexer lex;
    uci_lex_init(&lex, *vars, NULL);
    for (Str token = uci_lex_next(&lex); token.len; token = uci_lex_next(&lex)) {
        if (!str_equal(token, STR("var"))) continue;
        *var  = uci_lex_run(&lex, is_option_keyword);
        *vars = lex.rest;
        return true;
    }
    return false;
}

/* A bound of a spin: true when a number was there. */
static bool parse_bound(UciLexer *lex, Str keyword, int64_t *out) { return uci_lex_number(lex, keyword, is_option_keyword, out); }

/* The text of a string may hold any word, keywords too, so nothing can follow it. */
static Str parse_default(UciLexer *lex, UciOptionKind kind)
{
    Str text = kind == UCI_OPTION_STRING ? uci_lex_rest(lex) : uci_lex_run(lex, is_option_keyword);
    if (str_equal(text, STR("<empty>"))) text.len = 0;
    return text;
}

/* What a definition must have to be of use: a spin its range and a number, a check one of two values. */
static bool option_is_whole(const UciOptionDef *option, bool has_min, bool has_max)
{
    int64_t number;
    bool    flag;
    switch (option->kind) {
    case UCI_OPTION_CHECK: return option->has_default && check_from_text(option->default_text, &flag);
    case UCI_OPTION_SPIN: return option->has_default && has_min && has_max && uci_number_from_text(option->default_text, &number);
    case UCI_OPTION_COMBO:
    case UCI_OPTION_BUTTON:
    case UCI_OPTION_STRING: return true;
    }
    return false;
}

static bool parse_name_and_kind(UciLexer *lex, UciOptionDef *out)
{
    Str token = uci_lex_next(lex);
    if (!str_equal(token, STR("name"))) {
        uci_lex_fault(lex, ERR_SYNTAX, token, "found where an option needs 'name'");
        return false;
    }
    out->name = uci_lex_run(lex, is_type_keyword);
    uci_lex_next(lex); /* `type`, or the end */
    Str type = uci_lex_next(lex);
    if (out->name.len && kind_from_text(type, &out->kind)) return true;
    uci_lex_fault(lex, ERR_SYNTAX, type, "found where an option needs its name and its type");
    return false;
}

bool uci_option_parse(UciLexer *lex, UciOptionDef *out)
{
    *out = (UciOptionDef){.name = STR(""), .default_text = STR(""), .vars = STR("")};
    if (!parse_name_and_kind(lex, out)) return false;
    bool has_min = false, has_max = false;
    for (Str token = uci_lex_next(lex); token.len; token = uci_lex_next(lex)) {
        if (str_equal(token, STR("default"))) {
            out->has_default  = true;
            out->default_text = parse_default(lex, out->kind);
        } else if (str_equal(token, STR("min"))) {
            has_min = parse_bound(lex, token, &out->min);
        } else if (str_equal(token, STR("max"))) {
            has_max = parse_bound(lex, token, &out->max);
        } else if (str_equal(token, STR("var"))) {
            uci_lex_run(lex, is_option_keyword);
            const char *end = lex->rest.ptr;
            if (out->vars.len == 0) out->vars.ptr = token.ptr;
            out->vars.len = (size_t)(end - out->vars.ptr);
        } else {
            uci_lex_fault(lex, ERR_SYNTAX, token, "is no part of an option: ignored");
        }
    }
    /* What does not belong to the type means nothing. */
    if (out->kind != UCI_OPTION_SPIN) out->min = out->max = 0;
    if (out->kind != UCI_OPTION_COMBO) out->vars.len = 0;
    if (option_is_whole(out, has_min, has_max)) return true;
    uci_lex_fault(lex, ERR_RANGE, out->name, "lacks a default or a range that fit its type");
    return false;
}

static bool check_combo(const UciOptionDef *option, Str text, UciOptionValue *out)
{
    Str vars = option->vars;
    Str var;
    while (uci_option_next_var(&vars, &var)) {
        if (!uci_option_name_equal(var, text)) continue;
        *out = (UciOptionValue){.text = var};
        return true;
    }
    return false;
}

bool uci_option_check_value(const UciOptionDef *option, Str text, UciOptionValue *out, Err *err)
{
    bool    flag;
    int64_t number;
    switch (option->kind) {
    case UCI_OPTION_CHECK:
        if (!check_from_text(text, &flag)) {
            return err_set(err, ERR_SYNTAX, 0, "%.*s takes true or false", STR_ARGS(option->name));
        }
        *out = (UciOptionValue){.check = flag};
        return true;
    case UCI_OPTION_SPIN:
        if (!uci_number_from_text(text, &number) || number < option->min || number > option->max) {
            return err_set(err, ERR_RANGE, 0, "%.*s takes a whole number from %" PRId64 " to %" PRId64, STR_ARGS(option->name),
                           option->min, option->max);
        }
        *out = (UciOptionValue){.spin = number};
        return true;
    case UCI_OPTION_COMBO:
        if (check_combo(option, text, out)) return true;
        return err_set(err, ERR_NOT_FOUND, 0, "%.*s takes one of: %.*s", STR_ARGS(option->name), STR_ARGS(option->vars));
    case UCI_OPTION_BUTTON: *out = (UciOptionValue){.check = true}; return true;
    case UCI_OPTION_STRING: *out = (UciOptionValue){.text = text}; return true;
    }
    return false;
}

void uci_write_option(Buf *out, const UciOptionDef *option)
{
    buf_append(out, STR("option"));
    uci_append_part(out, STR("name"), option->name);
    uci_append_part(out, STR("type"), str_from(KIND_NAMES[option->kind]));
    if (option->has_default) {
        uci_append_part(out, STR("default"), option->default_text.len ? option->default_text : STR("<empty>"));
    }
    if (option->kind == UCI_OPTION_SPIN) buf_printf(out, " min %" PRId64 " max %" PRId64, option->min, option->max);
    Str vars = option->vars;
    Str var;
    while (uci_option_next_var(&vars, &var)) uci_append_part(out, STR("var"), var);
    buf_append_char(out, '\n');
}

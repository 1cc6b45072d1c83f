/* pgn_chars.h - what the bytes of a PGN file mean to the lexer: tables, because it looks at every byte. Only for pgn_lex.c. */
#ifndef GAME_PGN_CHARS_H
#define GAME_PGN_CHARS_H

#include <stdbool.h>

/* What a byte can begin. Zero, the default, is a byte that begins nothing. */
typedef enum {
    CLASS_BAD,
    CLASS_BLANK, /* dots too: they only decorate move numbers */
    CLASS_NEWLINE,
    CLASS_LETTER,
    CLASS_DIGIT,
    CLASS_SIGN,
    CLASS_MARK, /* ! and ? */
    CLASS_SINGLE,
    CLASS_BRACE,
    CLASS_SEMICOLON,
    CLASS_BRACKET,
    CLASS_DOLLAR,
    CLASS_PERCENT,
    CLASS_ZERO,
    CLASS_HIGH,
} CharClass;

/* clang-format off */
static const unsigned char char_class[256] = {
    ['\0'] = CLASS_ZERO, ['\n'] = CLASS_NEWLINE,
    [' '] = CLASS_BLANK, ['\t'] = CLASS_BLANK, ['\r'] = CLASS_BLANK, ['\v'] = CLASS_BLANK, ['\f'] = CLASS_BLANK,
    ['.'] = CLASS_BLANK,
    ['A' ... 'Z'] = CLASS_LETTER, ['a' ... 'z'] = CLASS_LETTER, ['0' ... '9'] = CLASS_DIGIT,
    ['-'] = CLASS_SIGN, ['+'] = CLASS_SIGN, ['='] = CLASS_SIGN, ['@'] = CLASS_SIGN, ['/'] = CLASS_SIGN, ['#'] = CLASS_SIGN,
    ['!'] = CLASS_MARK, ['?'] = CLASS_MARK,
    ['('] = CLASS_SINGLE, [')'] = CLASS_SINGLE, ['*'] = CLASS_SINGLE,
    ['{'] = CLASS_BRACE, [';'] = CLASS_SEMICOLON, ['['] = CLASS_BRACKET, ['$'] = CLASS_DOLLAR, ['%'] = CLASS_PERCENT,
    [0x80 ... 0xff] = CLASS_HIGH,
};

/* The bytes a move may consist of. */
static const bool is_word_char[256] = {
    ['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['0' ... '9'] = true,
    ['-'] = true, ['+'] = true, ['='] = true, ['#'] = true, [':'] = true, ['/'] = true, ['@'] = true, ['_'] = true,
};

/* The bytes at which the scan of a tag's value must stop and look. */
static const bool stops_value[256] = {['"'] = true, ['\\'] = true, ['\n'] = true, ['\r'] = true, ['\0'] = true};
/* clang-format on */

#endif

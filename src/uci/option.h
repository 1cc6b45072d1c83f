/* option.h - the definition of a UCI option: "option name Hash type spin default 16 min 1 max 65536".
 *
 * One struct for both sides: an engine keeps a constant table of these, prints them and checks values against them; the
 * driver of a foreign engine reads them from its output. Views point into the line that was read, or into literals.
 * Threads: [any].
 */
#ifndef UCI_OPTION_H
#define UCI_OPTION_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

typedef enum { UCI_OPTION_CHECK, UCI_OPTION_SPIN, UCI_OPTION_COMBO, UCI_OPTION_BUTTON, UCI_OPTION_STRING } UciOptionKind;

typedef struct {
    Str           name;
    UciOptionKind kind;
    bool          has_default;
    Str           default_text; /* as a value is written: "true", "16", "Normal"; empty stands for "<empty>" */
    int64_t       min, max;     /* of a spin */
    Str           vars;         /* of a combo: "var Solid var Very Risky"; take them with uci_option_next_var */
} UciOptionDef;

/* A value that fits its option. */
typedef struct {
    bool    check;
    int64_t spin;
    Str     text; /* COMBO: the var as the definition spells it; STRING: as given */
} UciOptionValue;

/* Takes the next value of a combo off the front of `*vars` (start with a copy of UciOptionDef.vars); false at the end. */
bool uci_option_next_var(Str *vars, Str *var);

/* Is `text` (UciSetOption.value) a value for this option? Letter case does not matter for checks and combos. On failure
 * `*out` is untouched and the sentence names the option and what it takes. A button takes anything. */
bool uci_option_check_value(const UciOptionDef *option, Str text, UciOptionValue *out, Err *err);

/* Appends the definition as one line with its '\n'. */
void uci_write_option(Buf *out, const UciOptionDef *option);

#endif

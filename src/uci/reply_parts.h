/* reply_parts.h - readers of the longer replies, each in its own file; used by reply.c only. */
#ifndef UCI_REPLY_PARTS_H
#define UCI_REPLY_PARTS_H

#include "uci/lex.h"
#include "uci/reply.h"

/* Reads what follows "option"; false when the definition is of no use. */
bool uci_option_parse(UciLexer *lex, UciOptionDef *out);

/* Reads what follows "info". */
void uci_info_parse(UciLexer *lex, UciInfo *out);

#endif

/* go.h - the `go` command, reader and writer; used by command.c only. */
#ifndef UCI_GO_H
#define UCI_GO_H

#include "uci/command.h"
#include "uci/lex.h"

void uci_go_parse(UciLexer *lex, UciGo *out);
void uci_go_write(Buf *out, const UciGo *go); /* without the line end */

#endif

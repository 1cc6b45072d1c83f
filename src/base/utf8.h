/* utf8.h - the little of UTF-8 that readers and writers of text need. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/buf.h"

/* How many bytes the first character of `text` takes (1..4); 0 when they are not valid UTF-8 or `text` is empty. */
size_t utf8_length(Str text);

/* Appends the text as UTF-8: valid UTF-8 as it is, any other byte as the Latin-1 character it stands for. */
void utf8_append_lenient(Buf *out, Str text);

#endif

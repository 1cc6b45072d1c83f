/* embed.h - the data files that are part of the program: embed.S puts their bytes into it. Internal to `book`. */
#ifndef BOOK_EMBED_H
#define BOOK_EMBED_H

#include <stdint.h>

extern const uint8_t  embedded_book[];  /* data/book.bin */
extern const char     embedded_names[]; /* data/eco.txt */
extern const uint64_t embedded_book_size, embedded_names_size;

#endif

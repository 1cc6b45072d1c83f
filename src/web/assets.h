/* assets.h - the files of the page, which are part of the program: a fixed table, gzipped. Internal to `web`.
 *
 * The build puts them into build/web (see the Makefile); where it cannot make the page they are empty, and there is none.
 * Threads: [any]; constant.
 */
#ifndef WEB_ASSETS_H
#define WEB_ASSETS_H

#include "base/str.h"

typedef struct {
    const char *path; /* "/app.js" */
    const char *type; /* "text/javascript; charset=utf-8" */
    Str         gzip; /* empty: not built */
} Asset;

/* The asset of a path; false when there is none of that name. */
bool asset_find(Str path, Asset *out);

/* A text that changes when the bytes do: "\"1a2b3c4d5e6f7081\"". */
enum { ETAG_SIZE = 19 };
void asset_etag(const Asset *asset, char out[ETAG_SIZE]);

#endif

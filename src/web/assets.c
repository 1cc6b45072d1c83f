/* assets.c - see assets.h; page.S holds the bytes. */
#include "web/assets.h"

#include <inttypes.h>
#include <stdio.h>

extern const char     asset_index[], asset_script[], asset_style[], asset_icon[];
extern const uint64_t asset_index_size, asset_script_size, asset_style_size, asset_icon_size;

bool asset_find(Str path, Asset *out)
{
    const Asset assets[] = {
        {"/", "text/html; charset=utf-8", {asset_index, asset_index_size}},
        {"/app.js", "text/javascript; charset=utf-8", {asset_script, asset_script_size}},
        {"/app.css", "text/css; charset=utf-8", {asset_style, asset_style_size}},
        {"/favicon.svg", "image/svg+xml", {asset_icon, asset_icon_size}},
    };
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
        if (!str_equal(str_from(assets[i].path), path)) continue;
        *out = assets[i];
        return true;
    }
    return false;
}

/* FNV-1a: to notice another build, not to guard against anybody. */
void asset_etag(const Asset *asset, char out[ETAG_SIZE])
{
    uint64_t hash = 0xcbf29ce484222325U;
    for (size_t i = 0; i < asset->gzip.len; i++) hash = (hash ^ (unsigned char)asset->gzip.ptr[i]) * 0x100000001b3U;
    snprintf(out, ETAG_SIZE, "\"%016" PRIx64 "\"", hash);
}

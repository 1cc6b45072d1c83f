/* route.c - which request is whose: one fixed table. There is no file system behind it, so no path leads anywhere else. */
#include "web/request.h"

static const Route routes[] = {
    {"GET", "/api/about", api_about, UNLOCKED, 0},
    {"GET", "/api/events", api_events, LOCKED, 0},
    {"GET", "/api/games", api_games, LOCKED, 0},
    {"POST", "/api/games", api_create, LOCKED, 0},
    {"POST", "/api/games/import", api_import, LOCKED, IMPORT_MAX},
    {"GET", "/api/games/*", api_game, LOCKED, 0},
    {"DELETE", "/api/games/*", api_delete, LOCKED, 0},
    {"GET", "/api/games/*/pgn", api_pgn, LOCKED, 0},
    {"GET", "/api/games/*/look", api_look, LOCKED, 0},
    {"POST", "/api/games/*/move", api_move, LOCKED, 0},
    {"POST", "/api/games/*/takeback", api_takeback, LOCKED, 0},
    {"POST", "/api/games/*/resign", api_resign, LOCKED, 0},
    {"POST", "/api/games/*/draw", api_draw, LOCKED, 0},
    {"POST", "/api/games/*/hint", api_hint, LOCKED, 0},
    {"POST", "/api/games/*/play", api_play, LOCKED, 0},
    {"POST", "/api/games/*/pause", api_pause, LOCKED, 0},
    {"POST", "/api/games/*/tree", api_tree, LOCKED, 0},
    {"POST", "/api/games/*/headers", api_headers, LOCKED, 0},
    {"POST", "/api/games/*/analyse", api_analyse, LOCKED, 0},
    {"POST", "/api/games/*/stop", api_stop, LOCKED, 0},
    {"POST", "/api/games/*/report", api_report, LOCKED, 0},
    {"GET", "/api/games/*/report", api_report_last, LOCKED, 0},
    {"POST", "/api/check", api_check, UNLOCKED, 0},
    {"POST", "/api/explain", api_explain, UNLOCKED, 0},
    {"POST", "/api/trace", api_trace, ASIDE, 0},
};

/* Whether the path fits; the part that "*" stands for is eight characters long and goes to `id`. */
static bool path_matches(const char *pattern, Str path, char id[ID_SIZE])
{
    Str want = str_from(pattern);
    id[0]    = '\0';
    while (want.len && path.len) {
        if (want.ptr[0] == '*') {
            Str part = path;
            Str word = str_next_until(&part, '/');
            if (word.len != ID_SIZE - 1) return false;
            memcpy(id, word.ptr, word.len);
            id[word.len] = '\0';
            want         = str_skip(want, 1);
            path         = str_skip(path, word.len);
        } else if (want.ptr[0] == path.ptr[0]) {
            want = str_skip(want, 1);
            path = str_skip(path, 1);
        } else {
            return false;
        }
    }
    return want.len == 0 && path.len == 0;
}

const Route *route_find(Str method, Str path, char id[ID_SIZE], bool *path_known)
{
    *path_known = false;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (!path_matches(routes[i].path, path, id)) continue;
        *path_known = true;
        if (str_equal(str_from(routes[i].method), method)) return &routes[i];
    }
    return NULL;
}

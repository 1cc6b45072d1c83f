/* fuzz_lichess.c - any bytes as what a server streams: split, read, followed; refused with a reason or understood, never harm. */
#include "tests/fuzz/fuzz.h"

#ifdef TABIA_WITH_lichess
#include "lichess/events.h"
#include "lichess/splitter.h"
#include "lichess/track.h"

static void follow(Track *track, Str line)
{
    LichessEvent event;
    Err          err = {0};
    if (!lichess_event_parse(line, &event, &err)) {
        FUZZ_CHECK(err.code != ERR_NONE && err.text[0] != '\0');
        return;
    }
    size_t plies = track->game.plies;
    if (event.kind == LICHESS_GAME_FULL && track_full(track, &event.game, STR("bot"), false, 0, 0, &err) == TRACK_BROKEN)
        FUZZ_CHECK(track->game.plies == plies);
    if (event.kind == LICHESS_GAME_STATE && track_state(track, &event.game.state, 0, &err) == TRACK_OLD)
        FUZZ_CHECK(track->game.plies == plies);
    for (size_t i = 0; i < event.id.len; i++)
        FUZZ_CHECK(char_is_digit(event.id.ptr[i]) || char_is_lower(char_lower(event.id.ptr[i])));
    lichess_event_release(&event);
}

/* The first byte decides in how small pieces the rest comes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    Splitter splitter;
    Track    track;
    Str      line;
    size_t   piece = (size_t)data[0] % 64 + 1;
    if (!track_init(&track)) return 0;
    splitter_init(&splitter, 4096);
    for (Str rest = fuzz_text(data + 1, size - 1); rest.len; rest = str_skip(rest, piece)) {
        if (!splitter_feed(&splitter, (Str){rest.ptr, rest.len < piece ? rest.len : piece})) break;
        while (splitter_next(&splitter, &line)) follow(&track, line);
    }
    splitter_release(&splitter);
    track_release(&track);
    return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    return 0;
}
#endif

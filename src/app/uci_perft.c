/* uci_perft.c - see uci_perft.h. */
#include "app/uci_perft.h"

#include <inttypes.h>

#include "app/uci_output.h"
#include "chess/notation.h"
#include "chess/perft.h"

enum { AT_ONCE_DEPTH = 3 };

static void *count(void *argument)
{
    UciPerft    *perft   = argument;
    PerftOptions options = {.depth = perft->depth, .threads = 1, .stop = &perft->stop};
    PerftMove    moves[MOVES_MAX];
    uint64_t     nodes;
    int          move_count;
    char         uci[UCI_MOVE_SIZE];
    Err          err;
    if (!perft_run(&perft->pos, &options, &nodes, moves, &move_count, &err)) {
        uci_session_say(perft->session, "perft %d: %s", perft->depth, err.text);
        return NULL;
    }
    Buf *out = uci_output_begin(perft->session);
    for (int i = 0; i < move_count; i++) {
        move_to_uci(&perft->pos, moves[i].move, uci);
        buf_printf(out, "%s: %" PRIu64 "\n", uci, moves[i].nodes);
    }
    buf_printf(out, "\nNodes searched: %" PRIu64 "\n\n", nodes);
    uci_output_end(perft->session);
    return NULL;
}

void uci_perft_stop(UciSession *session) { session->perft.stop = true; }

void uci_perft_wait(UciSession *session)
{
    if (session->perft.started) pthread_join(session->perft.thread, NULL);
    session->perft.started = false;
}

void uci_perft_go(UciSession *session, const Position *pos, int depth)
{
    UciPerft *perft = &session->perft;
    uci_perft_stop(session);
    uci_perft_wait(session);
    perft->session = session;
    perft->pos     = *pos;
    perft->depth   = depth;
    perft->stop    = false;
    if (depth > AT_ONCE_DEPTH) perft->started = pthread_create(&perft->thread, NULL, count, perft) == 0;
    if (!perft->started) count(perft); /* also when there is no thread to be had */
}

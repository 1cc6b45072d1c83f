/* bench.c - see bench.h. */
#include "app/bench.h"

#include "base/clock.h"

/* Openings, middle games, tactics and endings: positions of games and of public test sets. */
static const char *const positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1",
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1",
    "r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
    "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1",
    "3r1r1k/1p4pp/p4p2/8/1PQR4/6Pq/P3PP2/2R3K1 b - - 0 1",
    "r4rk1/p1B1bpp1/1p2pn1p/8/2PP4/3B1P2/qP2QP1P/3R1RK1 w - - 0 1",
    "r4rk1/1bn2qnp/3p1B1Q/p2P1pP1/1pp5/5N1P/PPB2P2/2KR3R w - - 0 1",
    "qn1kr2r/1pRbb3/pP5p/P2pP1pP/3N1pQ1/3B4/3B1PP1/R5K1 w - - 0 1",
    "2rqrn1k/pb4pp/1p2pp2/n2P4/2P3N1/P2B2Q1/1B3PPP/2R1R1K1 w - - 0 1",
    "8/7p/1p3pp1/p2K4/Pk3PPP/8/1P6/8 b - - 0 1",
    "3b3k/1p4p1/p5p1/4B3/8/7P/1P3PP1/5K2 b - - 0 1",
    "8/7k/2P5/2p4p/P3N2K/8/8/5r2 w - - 0 1",
    "3r2k1/p2r1p1p/1p2p1p1/q4n2/3P4/PQ5P/1P1RNPP1/3R2K1 b - - 0 1",
    "5r1k/6pp/1n2Q3/4p3/8/7P/PP4PK/R1B1q3 b - - 0 1",
    "3k4/8/4K3/2R5/8/8/8/8 w - - 0 1",
    "2k5/8/1K1P4/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "8/8/1P6/5pr1/8/4R3/7k/2K5 w - - 0 1",
};

enum { POSITIONS = sizeof positions / sizeof *positions };

bool bench_run(const BenchOptions *options, BenchResult *out, Err *err)
{
    Engine *engine = engine_new(NULL, err);
    bool    ok     = engine != NULL;
    ok             = ok && (!options->features || engine_set_option(engine, STR("Features"), str_from(options->features), err));
    int64_t start  = clock_now_ns();
    *out           = (BenchResult){0};
    for (int i = 0; ok && i < POSITIONS; i++) {
        GoLimits     limits = {.depth = options->depth};
        SearchResult result;
        engine_new_game(engine);
        ok = engine_set_position(engine, str_from(positions[i]), STR(""), err) && engine_think(engine, &limits, &result, err);
        if (!ok) break;
        out->nodes += result.nodes;
        if (options->position) options->position(options->context, i, POSITIONS, positions[i], result.nodes);
    }
    out->seconds = clock_seconds_since(start);
    engine_free(engine);
    return ok;
}

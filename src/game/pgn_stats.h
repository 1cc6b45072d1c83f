/* pgn_stats.h - what a collection of games consists of: results, lengths, players, events, openings, years, ratings.
 *
 * Memory grows with the number of different names, not of games, and stops at PGN_NAMES_MAX names a list; what comes
 * beyond is counted as `left_out`. Broken games are counted and otherwise left out.
 * Threads: a PgnStats belongs to one thread at a time.
 */
#ifndef GAME_PGN_STATS_H
#define GAME_PGN_STATS_H

#include "game/pgn.h"

enum {
    PGN_NAMES_MAX   = 1 << 20,
    PGN_ELO_STEP    = 100,
    PGN_ELO_BUCKETS = 40, /* the last one holds everything above */
    PGN_RESULTS     = 4,
};

/* How often a name occurred and how its games ended, seen from White or from the player. */
typedef struct {
    size_t   name; /* offset in `text` */
    size_t   name_len;
    uint64_t hash;
    uint64_t games, wins, draws, losses;
} PgnNameCount;

typedef struct {
    PgnNameCount *entries;
    size_t        count;
    size_t        capacity;
    uint32_t     *index; /* open addressing; 0 is free, else entry + 1 */
    size_t        index_size;
    Buf           text;
    uint64_t      left_out;
} PgnNames;

typedef struct {
    uint64_t games;
    uint64_t broken;
    uint64_t plies;
    uint64_t shortest, longest;    /* in plies */
    uint64_t results[PGN_RESULTS]; /* by Result */
    uint64_t elo[PGN_ELO_BUCKETS]; /* ratings given, two a game */
    uint64_t elo_count, elo_sum;
    uint64_t set_up; /* games that start elsewhere than at the beginning */
    uint64_t comments, variations;
    PgnNames players, events, openings, years, first_moves;
    /* the game that is being read */
    Buf      white, black, event, eco, date;
    char     first_move[8];
    uint64_t game_plies;
    size_t   depth;
    int      white_elo, black_elo;
    bool     game_broken, game_set_up;
    bool     failed; /* memory ran out: the figures are incomplete */
} PgnStats;

void pgn_stats_init(PgnStats *stats);
void pgn_stats_release(PgnStats *stats);

PgnVisitor pgn_stats_visitor(PgnStats *stats);

/* The name of an entry. */
static inline Str pgn_name(const PgnNames *names, const PgnNameCount *entry)
{
    return (Str){names->text.data + entry->name, entry->name_len};
}

/* The most frequent names, most frequent first (equal ones in the order of their first game), at most `room`; returns how many.
 * `out` gets the numbers of their entries. */
size_t pgn_names_top(const PgnNames *names, size_t *out, size_t room);

#endif

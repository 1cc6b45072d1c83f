/* pgn_seen.h - which games have been seen already: 128 bits for each, of its start position and its main line.
 *
 * Two games are the same when they start from the same position and make the same moves; comments, variations and tags do not
 * count. A game without a move says nothing by its moves, so there all tags count. Two different games agree by chance
 * with a probability of about n * n / 2^129 among n games: for a thousand million games less than one in 10^20.
 * Memory: 16 bytes a game, in a table that is at most three quarters full.
 */
#ifndef GAME_PGN_SEEN_H
#define GAME_PGN_SEEN_H

#include "game/pgn.h"

typedef struct {
    uint64_t low, high;
} PgnGameKey;

/* Makes the key of a game from the calls of a reader. */
typedef struct {
    PgnGameKey moves;
    PgnGameKey tags;
    bool       players_count; /* games of other players are other games: set by the owner */
    PgnGameKey players;
    uint64_t   plies;
    size_t     depth;
} PgnKeyMaker;

void       pgn_key_begin(PgnKeyMaker *maker);
void       pgn_key_tag(PgnKeyMaker *maker, Str name, Str value);
void       pgn_key_start(PgnKeyMaker *maker, const Position *start);
void       pgn_key_move(PgnKeyMaker *maker, Move move); /* of variations too: they are left out by the depth */
PgnGameKey pgn_key_end(const PgnKeyMaker *maker);

typedef struct {
    PgnGameKey *slots; /* both halves zero: free */
    size_t      capacity;
    size_t      count;
} PgnSeen;

void pgn_seen_init(PgnSeen *seen); /* allocates nothing yet */
void pgn_seen_release(PgnSeen *seen);

/* Notes the game. *fresh tells whether it was new. False when memory is short. */
bool pgn_seen_add(PgnSeen *seen, PgnGameKey key, bool *fresh);

#endif

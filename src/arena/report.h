/* report.h - a tournament for people and for programs: the table, the line of a game, and both as JSON.
 *
 * Text goes into a Buf; nothing is printed here. JSON names are stable: add, do not rename.
 */
#ifndef ARENA_REPORT_H
#define ARENA_REPORT_H

#include "arena/arena.h"
#include "base/buf.h"

/* The state of things as a few lines: two engines get Elo, score, pairs and ends; more get a crosstable. */
void report_table(Buf *out, const ArenaConfig *config, const Standings *standings);

/* " 12.2  toga2 - tabia  1-0  White mates, 34 moves   tabia 5.5/12" and a line end. */
void report_game(Buf *out, const ArenaConfig *config, const GameRecord *record, const Standings *standings);

/* One object and a line end: games, wins, losses, draws, score, elo, error, llr of the first engine; engines with crashes,
 * timeouts, illegal; more. `outcome` is "complete", "decided", "stopped" or "failed". */
void report_table_json(Buf *out, const ArenaConfig *config, const Standings *standings, const char *outcome, double seconds);
void report_game_json(Buf *out, const ArenaConfig *config, const GameRecord *record, const Standings *standings);

#endif

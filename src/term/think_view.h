/* think_view.h - what a search says, for people: scores in pawns, moves in SAN with their numbers. Pure. Threads: [any]. */
#ifndef TERM_THINK_VIEW_H
#define TERM_THINK_VIEW_H

#include "base/buf.h"
#include "search/search.h"
#include "term/board_view.h"

/* "+0.34", "-1.20", "#5" (mate in five), "#-3" (mated in three), "won" and "lost" where tables say so. */
void score_append(Score score, Buf *out);

/* "3. Nf3 d5 4. e3": as many moves as fit into `width` columns, at least one; 0 for no limit. */
void san_line_append(const Position *pos, const Move *moves, int count, size_t width, Buf *out);

/* "812", "12.3k", "4.56M" */
void count_append(uint64_t count, Buf *out);

/* "0:05", "1:02:33"; "0:09.4" below ten seconds */
void clock_append(int64_t left_ns, Buf *out);

/* "depth  score  nodes  time  moves" of one line of thought, scores from White's side, `width` columns in all. */
void think_line_append(const SearchInfo *info, size_t width, Buf *out);

#endif

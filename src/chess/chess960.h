/* chess960.h - the 960 starts of Chess960 by their usual numbers; 518 is the start of ordinary chess. Threads: [any]. */
#ifndef CHESS_CHESS960_H
#define CHESS_CHESS960_H

#include "chess/position.h"

enum { CHESS960_STARTS = 960, CHESS960_ORDINARY = 518 };

/* The start of that number, 0..959. */
void chess960_start(int number, Position *out);

#endif

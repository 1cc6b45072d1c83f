/* analyse.h - `tabia analyse`: what its parts share. cmd_analyse.c reads the command line, analyse_games.c does games,
 * analyse_position.c one position, analyse_show.c the tables.
 */
#ifndef APP_ANALYSE_H
#define APP_ANALYSE_H

#include <stdio.h>

#include "base/buf.h"
#include "book/names.h"
#include "game/tree.h"
#include "review/review.h"

typedef struct {
    const char  *path, *fen, *out;
    ReviewLimits limits;
    int          jobs, threads, hash_mb;
    bool         force, json;
} AnalyseConfig;

int analyse_games(const AnalyseConfig *config);
int analyse_position(const AnalyseConfig *config);

/* Sets the engine up as the command line says. */
bool analyse_set_engine(const AnalyseConfig *config, Engine *engine, Err *err);

/* ---- showing ---- */

/* A game that was reviewed, for its table and its JSON. */
typedef struct {
    uint64_t        number; /* in its file */
    const MoveTree *tree;
    const Game     *game;
    const Review   *review;
    const Names    *names;
} AnalysedGame;

void analyse_show_game(const AnalysedGame *game, Buf *out);
void analyse_show_json(const AnalysedGame *game, Buf *out);

/* Sums over many games: by side, and by the name of the player. */
typedef struct {
    char         *name;
    int           games;
    ReviewSummary all, phases[PHASES];
} AnalysedPlayer;

typedef struct {
    int             games;
    AnalysedPlayer  sides[COLORS];
    AnalysedPlayer *players;
    size_t          count, cap;
} AnalysedTotals;

bool analyse_totals_add(AnalysedTotals *totals, const AnalysedGame *game); /* false when memory is short */
void analyse_totals_show(AnalysedTotals *totals, Buf *out);                /* sorts the players by their games */
void analyse_totals_release(AnalysedTotals *totals);

#endif

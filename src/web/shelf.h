/* shelf.h - games on disk: one PGN file each in the data folder, replaced as a whole. Internal to `web`.
 *
 * Threads: under the hub's lock.
 */
#ifndef WEB_SHELF_H
#define WEB_SHELF_H

#include "web/session.h"

/* Makes the folder (and those above it) when missing. */
bool shelf_open(const char *folder, Err *err);

/* Writes the game to a new file and gives that the game's name: after a crash there is the old game or the new one. */
bool shelf_save(const Session *s, Err *err);
void shelf_remove(const Session *s);

/* Loads all games, oldest first; files that cannot be read stay as they are and are named in the hub's notice. */
bool shelf_load(struct Hub *hub, Err *err);

#endif

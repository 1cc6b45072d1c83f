/* testing.h - what every unit test needs: cmocka, positions and moves from text, files that a clone may not have.
 *
 * A helper that cannot do its work fails the running test with the reason, so tests use its result without checking.
 */
#ifndef TESTS_SUPPORT_TESTING_H
#define TESTS_SUPPORT_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "chess/position.h"

/* Sanitizers slow a test down ten to thirty times: big counts shrink under them. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TESTS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TESTS_SANITIZED 1
#endif
#endif
#ifndef TESTS_SANITIZED
#define TESTS_SANITIZED 0
#endif

/* How many elements an array has. */
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The position of a FEN, or of a whole EPD line's first fields. */
Position position_of(const char *fen);

/* The legal move that this UCI or SAN text means in `pos`. */
Move move_of(const Position *pos, const char *text);

/* `*pos` after these moves, written as UCI or SAN with spaces between. */
Position position_after(const Position *pos, const char *moves);

/* Compares the view with the text, and shows both when they differ. */
void assert_str_equal(Str actual, const char *expected);

/* The same position with the colours exchanged and the board turned over, as a FEN. */
enum { MIRROR_SIZE = 160 };
void fen_mirror(const char *fen, char out[MIRROR_SIZE]);

/* The place of ../shared/NAME (or $TABIA_SHARED/NAME); skips the running test, and says so, when there is none. */
enum { PATH_SIZE = 512 };
void shared_path_or_skip(const char *name, char out[PATH_SIZE]);

/* A whole file as zero-terminated text; the caller frees it. */
char *read_file_text(const char *path, size_t *len);

#endif

/* err.h - what went wrong with input from outside, as a value.
 *
 * A function that can fail on outside input returns bool (or NULL) and fills an Err: a code to branch on, the
 * offset in the text where the trouble begins, and one sentence for a person. `err` may be NULL: then nobody asked.
 * Threads: [any].
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    ERR_NONE,
    ERR_SYNTAX,       /* the text is not of the expected form */
    ERR_RANGE,        /* a number or a size outside what is allowed */
    ERR_POSITION,     /* a chess position that cannot be played */
    ERR_ILLEGAL_MOVE, /* well-formed, but not a legal move here */
    ERR_AMBIGUOUS,    /* several legal moves fit */
    ERR_NOT_FOUND,    /* a file, an option, a command that does not exist */
    ERR_IO,           /* the system refused to read or write */
    ERR_MEMORY,
    ERR_FORMAT, /* a binary file that is broken or of another kind */
} ErrCode;

enum { ERR_TEXT_SIZE = 224 };

typedef struct {
    ErrCode code;
    size_t  offset;
    char    text[ERR_TEXT_SIZE];
} Err;

/* Fills `err` (when not NULL) and returns false, so that `return err_set(...)` reads as failure. */
bool err_set(Err *err, ErrCode code, size_t offset, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* As err_set, and adds what errno says. */
bool err_set_errno(Err *err, ErrCode code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif

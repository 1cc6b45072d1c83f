/* perft_suite.h - checking files of known perft counts. */
#ifndef APP_PERFT_SUITE_H
#define APP_PERFT_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *path;
    int         depth;     /* deeper counts are left out */
    uint64_t    max_nodes; /* larger counts are left out; 0: none are */
    int         threads;
    size_t      hash_mb;
    bool        json;
} SuiteOptions;

/* Checks every count of the file and ends with "N passed, N failed[, N skipped]", positions being what is counted. Two forms are
 * read: EPD lines with operations D1 20 or perft1 20, and blocks of lines "id", "epd", "perft 1 20". A position that the
 * validator refuses is skipped by name. Returns the exit code. */
int perft_suite_run(const SuiteOptions *options);

#endif

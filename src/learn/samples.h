/* samples.h - single positions to learn from: 32 bytes each, in memory or in a file.
 *
 * A sample is seen by the side to move: its men come first, the board turned so that they move upward. The same struct serves the
 * network and the small MLP (which needs to know what was turned). Taken from stored games by a filter, or from a file of
 * samples that was written before.
 * Threads: a SampleSet belongs to one thread at a time; const access [any].
 */
#ifndef LEARN_SAMPLES_H
#define LEARN_SAMPLES_H

#include "base/err.h"
#include "base/rng.h"
#include "chess/position.h"
#include "eval/classical.h"
#include "learn/store.h"

enum { SAMPLE_RESULT_WIN = 65534, SAMPLE_RESULT_DRAW = 32767, SAMPLE_RESULT_NONE = 65535, SAMPLE_NO_EP = 255 };

typedef struct {
    uint64_t occupied;
    uint8_t  men[16];  /* four bits each, in the order of the occupied squares: own pawn..king 0-5, the other's 6-11 */
    int16_t  score;    /* centipawns for the side to move; SCORE_NONE when nobody thought */
    uint16_t result;   /* 0 lost .. SAMPLE_RESULT_WIN won, for the side to move, a mean where a position came several times;
                        * SAMPLE_RESULT_NONE when nobody played on */
    uint8_t  castling; /* own short, own long, the other's short, the other's long */
    uint8_t  ep_file;  /* SAMPLE_NO_EP: none */
    uint8_t  turned;   /* Black was to move */
    uint8_t  spare;
} Sample;

_Static_assert(sizeof(Sample) == 32, "two samples a cache line");

typedef struct {
    Sample *samples;
    size_t  count, capacity;
} SampleSet;

void samples_release(SampleSet *set);
bool samples_add(SampleSet *set, const Sample *sample); /* false when memory is short */
void samples_shuffle(SampleSet *set, Rng *rng);

/* A position as a sample; score and result are White's (result 0..SAMPLE_RESULT_WIN or SAMPLE_RESULT_NONE). */
Sample sample_of(const Position *pos, int white_score, int white_result);

static inline bool sample_has_result(const Sample *sample) { return sample->result != SAMPLE_RESULT_NONE; }

/* The men of a sample on a board, own side as White: for tests and the trainers. */
void sample_to_board(const Sample *sample, Piece board[SQUARES]);

/* What is worth learning from. */
typedef struct {
    int    score_max;    /* further from zero: decided, left out */
    int    first_ply;    /* of the stored game */
    int    halfmove_max; /* positions near the fifty-move rule teach nothing general */
    bool   noisy_too;    /* keep positions whose move was a capture or promotion, or that are in check */
    int    gap_max;      /* a score further from the classical value: a tactic, which no look at the board shows; 0: any */
    double keep;         /* share of the fitting positions that is taken: neighbours are alike */
    double ahead;        /* what the next half-move's score counts in a position's, its own being the rest; 0: only its own */
} SampleFilter;

SampleFilter sample_filter_default(void);

/* Adds the positions of a game that pass the filter. `pawns`: a pawn table for the classical evaluation, needed where the filter
 * has a gap_max. False when memory is short. */
bool samples_add_game(SampleSet *set, const StoredGame *game, const SampleFilter *filter, PawnEntry *pawns, Rng *rng);

typedef struct {
    uint64_t games, positions, torn_files;
    uint64_t results[4];
} SampleSource;

/* Reads a folder of *.games and *.samples, or one such file; games pass the filter, samples are taken as they are. */
bool samples_read(SampleSet *set, const char *path, const SampleFilter *filter, Rng *rng, SampleSource *source, Err *err);

/* Writes all samples with a head and a checksum; a file is replaced only when the new one is whole. */
bool samples_write(const SampleSet *set, const char *path, Err *err);

#endif

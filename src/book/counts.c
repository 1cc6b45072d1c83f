/* counts.c - see counts.h. */
#include "book/counts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wide.h"

enum {
    RUNS_MAX      = 64, /* so many runs are merged into one before the next is written */
    RUN_BUFFER    = 2048,
    SMALL_SORT    = 24,
    PATH_ROOM     = 4096,
    FIRST_SLOTS   = 1 << 15,
    RECORDS_LEAST = 64,
};

/* Where a run lies in the file, in records. */
typedef struct {
    size_t first, count;
} Run;

struct Counts {
    CountRecord *table; /* free slots have no results */
    size_t       slots, used, limit;
    size_t       slots_most; /* the table grows to this many and no further */
    int          fd;         /* -1 until the first run */
    const char  *near_path;
    Run          runs[RUNS_MAX];
    size_t       run_count, written; /* `written`: records in the file */
    size_t       runs_made;
};

/* ---- the table ---- */

Counts *counts_new(size_t memory_bytes, const char *near_path, Err *err)
{
    Counts *counts = calloc(1, sizeof *counts);
    size_t  most   = memory_bytes / sizeof(CountRecord);
    if (most < RECORDS_LEAST) most = RECORDS_LEAST;
    size_t slots = most < FIRST_SLOTS ? most : FIRST_SLOTS;
    if (counts) {
        *counts       = (Counts){.slots = slots, .limit = slots / 4 * 3, .slots_most = most, .fd = -1, .near_path = near_path};
        counts->table = calloc(slots, sizeof *counts->table);
    }
    if (counts && counts->table) return counts;
    free(counts);
    err_set(err, ERR_MEMORY, 0, "no memory for %zu MB of counts", memory_bytes >> 20);
    return NULL;
}

void counts_free(Counts *counts)
{
    if (!counts) return;
    if (counts->fd >= 0) close(counts->fd);
    free(counts->table);
    free(counts);
}

size_t counts_runs(const Counts *counts) { return counts->runs_made; }

static bool is_free(const CountRecord *record) { return (record->wins | record->draws | record->losses) == 0; }

static uint32_t add_capped(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

static void add_results(CountRecord *to, const CountRecord *from)
{
    to->wins   = add_capped(to->wins, from->wins);
    to->draws  = add_capped(to->draws, from->draws);
    to->losses = add_capped(to->losses, from->losses);
}

static size_t slot_of(const Counts *counts, Key key, uint16_t move)
{
    uint64_t hash = (key ^ (uint64_t)move << 48) * 0x9e3779b97f4a7c15U; /* moves of one key must not crowd together */
    return (size_t)wide_mul_high(hash, counts->slots);
}

void counts_prefetch(const Counts *counts, Key key, uint16_t move)
{
    __builtin_prefetch(&counts->table[slot_of(counts, key, move)], 1);
}

/* The slot of this move, or the free one where it belongs. */
static CountRecord *find_slot(const Counts *counts, const CountRecord *record)
{
    size_t slot = slot_of(counts, record->key, record->move);
    for (;;) {
        CountRecord *at = &counts->table[slot];
        if (is_free(at) || (at->key == record->key && at->move == record->move)) return at;
        if (++slot == counts->slots) slot = 0;
    }
}

/* A bigger table as long as memory allows: few games then cost little. False when it may not grow, or cannot. */
static bool grow(Counts *counts)
{
    enum { FACTOR = 4 };
    size_t       slots = counts->slots < counts->slots_most / FACTOR ? counts->slots * FACTOR : counts->slots_most;
    CountRecord *old = counts->table, *table = slots > counts->slots ? calloc(slots, sizeof *table) : NULL;
    size_t       old_slots = counts->slots;
    if (!table) return false;
    counts->table = table;
    counts->slots = slots;
    counts->limit = slots / 4 * 3;
    for (size_t i = 0; i < old_slots; i++) {
        if (!is_free(&old[i])) *find_slot(counts, &old[i]) = old[i];
    }
    free(old);
    return true;
}

static bool spill(Counts *counts, Err *err);

bool counts_add(Counts *counts, const CountRecord *record, Err *err)
{
    if (is_free(record)) return true;
    CountRecord *slot = find_slot(counts, record);
    if (!is_free(slot)) {
        add_results(slot, record);
        return true;
    }
    *slot = *record;
    return ++counts->used < counts->limit || grow(counts) || spill(counts, err);
}

/* ---- sorting ---- */

static bool comes_before(const CountRecord *a, const CountRecord *b)
{
    return a->key != b->key ? a->key < b->key : a->move < b->move;
}

static void sort_small(CountRecord *records, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        CountRecord record = records[i];
        size_t      k      = i;
        for (; k > 0 && comes_before(&record, &records[k - 1]); k--) records[k] = records[k - 1];
        records[k] = record;
    }
}

/* Radix exchange: in place, and keys are random bits, so every split is even. The moves of one key are few. */
static void sort_records(CountRecord *records, size_t count, int bit)
{
    while (count > SMALL_SORT && bit >= 0) {
        size_t low = 0, high = count;
        while (low < high) {
            if (records[low].key >> bit & 1) {
                CountRecord swap = records[--high];
                records[high]    = records[low];
                records[low]     = swap;
            } else {
                low++;
            }
        }
        sort_records(records, low, --bit);
        records += low;
        count -= low;
    }
    sort_small(records, count);
}

/* Moves the used slots to the front and sorts them. */
static void compact_and_sort(Counts *counts)
{
    size_t used = 0;
    for (size_t i = 0; i < counts->slots; i++) {
        if (!is_free(&counts->table[i])) counts->table[used++] = counts->table[i];
    }
    sort_records(counts->table, used, 63);
}

/* ---- runs ---- */

/* A file beside the book: it has the disk that the book needs anyhow, and memory is not spent on it as in a /tmp in memory. */
static bool open_runs(Counts *counts, Err *err)
{
    char        path[PATH_ROOM];
    const char *slash  = strrchr(counts->near_path, '/');
    int         folder = slash ? (int)(slash - counts->near_path) + 1 : 0;
    int         len    = snprintf(path, sizeof path, "%.*s.tabia-book-XXXXXX", folder, counts->near_path);
    if (len < 0 || len >= PATH_ROOM) return err_set(err, ERR_RANGE, 0, "the path of the book is too long");
    counts->fd = mkstemp(path);
    if (counts->fd < 0) return err_set_errno(err, ERR_IO, "cannot make a file for the counts beside '%s'", counts->near_path);
    unlink(path);
    return true;
}

static bool write_records(Counts *counts, const CountRecord *records, size_t count, Err *err)
{
    const char *at   = (const char *)records;
    size_t      left = count * sizeof *records;
    off_t       to   = (off_t)(counts->written * sizeof *records);
    while (left > 0) {
        ssize_t done = pwrite(counts->fd, at, left, to);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return err_set_errno(err, ERR_IO, "cannot write counts beside '%s'", counts->near_path);
        at += done;
        to += done;
        left -= (size_t)done;
    }
    counts->written += count;
    return true;
}

static bool merge_into_one_run(Counts *counts, Err *err);

static bool spill(Counts *counts, Err *err)
{
    if (counts->fd < 0 && !open_runs(counts, err)) return false;
    if (counts->run_count == RUNS_MAX && !merge_into_one_run(counts, err)) return false;
    compact_and_sort(counts);
    counts->runs[counts->run_count++] = (Run){counts->written, counts->used};
    counts->runs_made++;
    if (!write_records(counts, counts->table, counts->used, err)) return false;
    memset(counts->table, 0, counts->slots * sizeof *counts->table);
    counts->used = 0;
    return true;
}

/* ---- merging ---- */

/* Reads one run; the table is a run that is in memory already. */
typedef struct {
    const CountRecord *at, *end; /* what is in memory */
    Run                rest;     /* what is still in the file */
    CountRecord       *buffer;
} Reader;

static bool refill(const Counts *counts, Reader *reader, Err *err)
{
    size_t count = reader->rest.count < RUN_BUFFER ? reader->rest.count : RUN_BUFFER;
    size_t bytes = count * sizeof *reader->buffer, done = 0;
    while (done < bytes) {
        ssize_t got = pread(counts->fd, (char *)reader->buffer + done, bytes - done,
                            (off_t)(reader->rest.first * sizeof *reader->buffer + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return err_set_errno(err, ERR_IO, "cannot read the counts back");
        done += (size_t)got;
    }
    reader->at  = reader->buffer;
    reader->end = reader->buffer + count;
    reader->rest.first += count;
    reader->rest.count -= count;
    return true;
}

/* A heap of readers, the smallest record on top. */
typedef struct {
    Reader      *heap[RUNS_MAX + 1];
    size_t       count;
    Reader       readers[RUNS_MAX + 1];
    CountRecord *buffers;
} Merger;

static void sift_down(Merger *merger, size_t at)
{
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= merger->count) return;
        if (child + 1 < merger->count && comes_before(merger->heap[child + 1]->at, merger->heap[child]->at)) child++;
        if (!comes_before(merger->heap[child]->at, merger->heap[at]->at)) return;
        Reader *swap        = merger->heap[at];
        merger->heap[at]    = merger->heap[child];
        merger->heap[child] = swap;
        at                  = child;
    }
}

/* Takes the top record off; false with *err when the file cannot be read. */
static bool advance(const Counts *counts, Merger *merger, Err *err)
{
    Reader *top = merger->heap[0];
    if (++top->at == top->end) {
        if (top->rest.count > 0) {
            if (!refill(counts, top, err)) return false;
        } else {
            merger->heap[0] = merger->heap[--merger->count];
        }
    }
    sift_down(merger, 0);
    return true;
}

static bool merger_open(const Counts *counts, Merger *merger, bool with_table, Err *err)
{
    *merger         = (Merger){0};
    merger->buffers = calloc((counts->run_count + 1) * RUN_BUFFER, sizeof *merger->buffers);
    if (!merger->buffers) return err_set(err, ERR_MEMORY, 0, "no memory to merge the counts");
    for (size_t i = 0; i < counts->run_count; i++) {
        Reader *reader = &merger->readers[i];
        *reader        = (Reader){.rest = counts->runs[i], .buffer = merger->buffers + i * RUN_BUFFER};
        if (!refill(counts, reader, err)) return false;
        merger->heap[merger->count++] = reader;
    }
    if (with_table && counts->used) {
        Reader *reader                = &merger->readers[counts->run_count];
        *reader                       = (Reader){.at = counts->table, .end = counts->table + counts->used};
        merger->heap[merger->count++] = reader;
    }
    for (size_t i = merger->count; i-- > 0;) sift_down(merger, i);
    return true;
}

static bool merge(const Counts *counts, bool with_table, CountSink *sink, void *context, Err *err)
{
    Merger merger;
    bool   ok = merger_open(counts, &merger, with_table, err);
    while (ok && merger.count > 0) {
        CountRecord sum = *merger.heap[0]->at;
        ok              = advance(counts, &merger, err);
        while (ok && merger.count > 0 && merger.heap[0]->at->key == sum.key && merger.heap[0]->at->move == sum.move) {
            add_results(&sum, merger.heap[0]->at);
            ok = advance(counts, &merger, err);
        }
        ok = ok && sink(context, &sum, err);
    }
    free(merger.buffers);
    return ok;
}

bool counts_merge(Counts *counts, CountSink *sink, void *context, Err *err)
{
    compact_and_sort(counts);
    return merge(counts, true, sink, context, err);
}

/* ---- more runs than can be read at once ---- */

typedef struct {
    Counts     *counts;
    size_t      fill;
    CountRecord buffer[RUN_BUFFER];
} RunWriter;

static bool write_to_run(void *context, const CountRecord *record, Err *err)
{
    RunWriter *writer              = context;
    writer->buffer[writer->fill++] = *record;
    if (writer->fill < RUN_BUFFER) return true;
    writer->fill = 0;
    return write_records(writer->counts, writer->buffer, RUN_BUFFER, err);
}

static bool merge_into_one_run(Counts *counts, Err *err)
{
    RunWriter *writer = malloc(sizeof *writer);
    if (!writer) return err_set(err, ERR_MEMORY, 0, "no memory to merge the counts");
    size_t first   = counts->written;
    writer->counts = counts;
    writer->fill   = 0;
    bool ok        = merge(counts, false, write_to_run, writer, err) && write_records(counts, writer->buffer, writer->fill, err);
    free(writer);
    counts->runs[0]   = (Run){first, counts->written - first};
    counts->run_count = 1;
    return ok;
}

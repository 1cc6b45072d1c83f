/* net.c - see net.h: memory and file of a network. */
#include "net/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"

/* embed.S */
extern const uint8_t  embedded_net[];
extern const uint64_t embedded_net_size;

static const char MAGIC[] = "TABIANN1";

enum { MAGIC_SIZE = 8, HEAD_SIZE = 64, SUM_SIZE = 8, ALIGNMENT = 64, CURVES_AT = 20 };

static size_t rounded(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static void *zeroed(size_t bytes)
{
    void *memory = aligned_alloc(ALIGNMENT, rounded(bytes));
    if (memory) memset(memory, 0, rounded(bytes));
    return memory;
}

Net *net_new(int hidden, int buckets, int kings)
{
    Net *net = calloc(1, sizeof *net);
    if (!net) return NULL;
    size_t n     = (size_t)hidden;
    net->hidden  = hidden;
    net->buckets = buckets;
    net->kings   = kings;
    net->scale   = 400000;
    net->inputs  = zeroed((size_t)kings * NET_INPUTS * n * sizeof *net->inputs);
    net->biases  = zeroed(n * sizeof *net->biases);
    net->outputs = zeroed((size_t)buckets * 2 * n * sizeof *net->outputs);
    net->offsets = zeroed((size_t)buckets * sizeof *net->offsets);
    if (net->inputs && net->biases && net->outputs && net->offsets) return net;
    net_free(net);
    return NULL;
}

void net_free(Net *net)
{
    if (!net) return;
    free(net->inputs);
    free(net->biases);
    free(net->outputs);
    free(net->offsets);
    free(net);
}

static size_t file_size(int hidden, int buckets, int kings)
{
    size_t n = (size_t)hidden, b = (size_t)buckets;
    return HEAD_SIZE + 2 * ((size_t)kings * NET_INPUTS * n + n + b * 2 * n) + 4 * b + SUM_SIZE;
}

static const uint8_t *get_shorts(const uint8_t *at, int16_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++) out[i] = (int16_t)bytes_get(at + 2 * i, 2);
    return at + 2 * count;
}

static uint8_t *put_shorts(uint8_t *at, const int16_t *in, size_t count)
{
    for (size_t i = 0; i < count; i++) bytes_put(at + 2 * i, (uint16_t)in[i], 2);
    return at + 2 * count;
}

static bool outputs_fit(const Net *net)
{
    for (size_t i = 0; i < (size_t)net->buckets * 2 * (size_t)net->hidden; i++) {
        if (abs(net->outputs[i]) > NET_OUT_MAX) return false;
    }
    return true;
}

typedef struct {
    int hidden, buckets, kings;
} Shape;

/* The sizes in the head, when they are possible and fit the file. */
static bool read_head(const uint8_t *bytes, size_t size, Shape *out, Err *err)
{
    if (size < HEAD_SIZE + SUM_SIZE || memcmp(bytes, MAGIC, MAGIC_SIZE) != 0)
        return err_set(err, ERR_FORMAT, 0, "this is no network of Tabia");
    int hidden = (int)bytes_get(bytes + 8, 2), buckets = (int)bytes_get(bytes + 10, 2), kings = (int)bytes_get(bytes + 16, 2);
    if (kings == 0) kings = 1; /* files from before there were several */
    bool possible = hidden >= NET_HIDDEN_STEP && hidden <= NET_HIDDEN_MAX && hidden % NET_HIDDEN_STEP == 0 && buckets >= 1 &&
                    buckets <= NET_BUCKETS_MAX && (kings == 1 || kings == NET_KINGS_MAX);
    if (!possible)
        return err_set(err, ERR_FORMAT, 8, "a network of %d neurons, %d outputs and %d sets of weights is not supported", hidden,
                       buckets, kings);
    if (size != file_size(hidden, buckets, kings)) return err_set(err, ERR_FORMAT, 0, "the network is not whole");
    if (checksum_of(bytes, size - SUM_SIZE) != bytes_get(bytes + size - SUM_SIZE, SUM_SIZE))
        return err_set(err, ERR_FORMAT, 0, "the network is damaged: its checksum is wrong");
    *out = (Shape){hidden, buckets, kings};
    return true;
}

Net *net_from_bytes(const void *data, size_t size, Err *err)
{
    const uint8_t *bytes = data, *at = bytes + HEAD_SIZE;
    Shape          shape = {0};
    if (!read_head(bytes, size, &shape, err)) return NULL;
    Net *net = net_new(shape.hidden, shape.buckets, shape.kings);
    if (!net) {
        err_set(err, ERR_MEMORY, 0, "no memory for the network");
        return NULL;
    }
    size_t n   = (size_t)shape.hidden;
    net->scale = (int)bytes_get(bytes + 12, 4);
    net->hash  = bytes_get(bytes + size - SUM_SIZE, SUM_SIZE);
    for (int i = 0; i < NET_CURVES; i++) net->curves[i] = (int32_t)bytes_get(bytes + CURVES_AT + 4 * (size_t)i, 4);
    at = get_shorts(at, net->inputs, (size_t)shape.kings * NET_INPUTS * n);
    at = get_shorts(at, net->biases, n);
    at = get_shorts(at, net->outputs, (size_t)shape.buckets * 2 * n);
    for (int i = 0; i < shape.buckets; i++) net->offsets[i] = (int32_t)bytes_get(at + (size_t)i * 4, 4);
    if (outputs_fit(net) && net->scale >= 1000 && net->scale <= 10000000) return net;
    net_free(net);
    err_set(err, ERR_FORMAT, 0, "the network's weights are out of range");
    return NULL;
}

bool net_is_embedded(void) { return embedded_net_size > 0; }

Net *net_embedded(Err *err)
{
    if (net_is_embedded()) return net_from_bytes(embedded_net, (size_t)embedded_net_size, err);
    err_set(err, ERR_NOT_FOUND, 0, "this program was built without a network");
    return NULL;
}

Net *net_load(const char *path, Err *err)
{
    Buf    bytes = {0};
    size_t most  = file_size(NET_HIDDEN_MAX, NET_BUCKETS_MAX, NET_KINGS_MAX);
    Net   *net   = file_read(path, most, &bytes, err) ? net_from_bytes(buf_str(&bytes).ptr, bytes.len, err) : NULL;
    buf_release(&bytes);
    return net;
}

bool net_save(Net *net, const char *path, Err *err)
{
    size_t   size = file_size(net->hidden, net->buckets, net->kings), n = (size_t)net->hidden;
    uint8_t *bytes = calloc(1, size);
    Buf      fresh = {0};
    buf_printf(&fresh, "%s.new", path);
    if (!bytes || fresh.failed) {
        free(bytes);
        buf_release(&fresh);
        return err_set(err, ERR_MEMORY, 0, "no memory to write a network");
    }
    memcpy(bytes, MAGIC, MAGIC_SIZE);
    bytes_put(bytes + 8, (uint64_t)net->hidden, 2);
    bytes_put(bytes + 10, (uint64_t)net->buckets, 2);
    bytes_put(bytes + 12, (uint64_t)net->scale, 4);
    if (net->kings > 1) bytes_put(bytes + 16, (uint64_t)net->kings, 2);
    for (int i = 0; i < NET_CURVES; i++) bytes_put(bytes + CURVES_AT + 4 * (size_t)i, (uint32_t)net->curves[i], 4);
    uint8_t *at = put_shorts(bytes + HEAD_SIZE, net->inputs, (size_t)net->kings * NET_INPUTS * n);
    at          = put_shorts(at, net->biases, n);
    at          = put_shorts(at, net->outputs, (size_t)net->buckets * 2 * n);
    for (int i = 0; i < net->buckets; i++) bytes_put(at + (size_t)i * 4, (uint32_t)net->offsets[i], 4);
    net->hash = checksum_of(bytes, size - SUM_SIZE);
    bytes_put(bytes + size - SUM_SIZE, net->hash, SUM_SIZE);
    FILE *file = fopen(fresh.data, "wb");
    bool  ok   = file && fwrite(bytes, 1, size, file) == size;
    if (file) ok = fclose(file) == 0 && ok;
    ok = (ok && rename(fresh.data, path) == 0) || err_set_errno(err, ERR_IO, "cannot write the network %s", path);
    free(bytes);
    buf_release(&fresh);
    return ok;
}

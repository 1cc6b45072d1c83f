/* cmd_train_wdl.c - `tabia train wdl`: how likely a value wins, fitted to games; written into a network, if one is named. */
#include <inttypes.h>
#include <stdio.h>

#include "app/cli.h"
#include "app/train.h"
#include "base/file.h"
#include "learn/wdl_fit.h"

static void print_fit(const WdlFit *fit, bool json)
{
    const WdlModel *m = &fit->model;
    if (json) {
        printf("{\"positions\":%zu,\"even\":[%.2f,%.2f,%.2f],\"spread\":[%.2f,%.2f],\"loss_before\":%.6f,\"loss\":%.6f}\n",
               fit->samples, m->even[0], m->even[1], m->even[2], m->spread[0], m->spread[1], fit->before, fit->after);
        return;
    }
    printf("%zu positions; loss %.6f with the present curves, %.6f with these:\n", fit->samples, fit->before, fit->after);
    printf("  .even = {%.1f, %.1f, %.1f}, .spread = {%.1f, %.1f}\n", m->even[0], m->even[1], m->even[2], m->spread[0],
           m->spread[1]);
    printf("the side ahead scores %.1f %%, the curves say %.1f %%\n\n", 100 * fit->found, 100 * fit->predicted);
    printf("phase   even chance of a win at   odds change by e in\n");
    for (int i = 0; i <= 4; i++) {
        double phase = i / 4.0;
        printf("%5.2f   %14.0f cp   %19.0f cp\n", phase, wdl_even_chance(m, phase), wdl_spread(m, phase));
    }
}

/* Beside the network: where its curves come from, and all that was known of its weights. */
static bool write_provenance(const Net *net, uint64_t weights, const WdlFit *fit, const char *from, const char *out, Err *err)
{
    enum { LONGEST = 1 << 20 };
    Buf             path = {0}, old_path = {0}, text = {0}, old = {0};
    const WdlModel *m = &fit->model;
    buf_printf(&path, "%s.json", out);
    buf_printf(&old_path, "%s.json", from);
    buf_printf(&text,
               "{\"network\":\"%016" PRIx64 "\",\"weights\":\"%016" PRIx64 "\",\"curves\":[%.2f,%.2f,%.2f,%.2f,%.2f],"
               "\"curve_positions\":%zu",
               net->hash, weights, m->even[0], m->even[1], m->even[2], m->spread[0], m->spread[1], fit->samples);
    if (!old_path.failed && file_read(old_path.data, LONGEST, &old, NULL))
        buf_printf(&text, ",\"made\":%.*s", STR_ARGS(str_trim(buf_str(&old))));
    buf_printf(&text, "}\n");
    bool ok = !path.failed && !text.failed;
    ok      = ok ? file_write(path.data, buf_str(&text), err) : err_set(err, ERR_MEMORY, 0, "no memory for the provenance");
    buf_release(&path);
    buf_release(&old_path);
    buf_release(&text);
    buf_release(&old);
    return ok;
}

/* The network `from` with these curves as `out`. */
static bool put_into_network(const WdlFit *fit, const char *from, const char *out, Err *err)
{
    Net *net = net_load(from, err);
    if (!net) return false;
    uint64_t weights = net->hash;
    wdl_to_net(&fit->model, net);
    bool ok = net_save(net, out, err) && write_provenance(net, weights, fit, from, out, err);
    net_free(net);
    return ok;
}

int train_wdl(int argc, char **argv)
{
    TextList     data = {0};
    const char  *net = NULL, *out = NULL;
    bool         json      = false;
    SampleFilter filter    = sample_filter_default();
    const Option options[] = {
        {"data", OPTION_TEXTS, "DIR|FILE", "games with scores (several may be given)", &data, 0, 0},
        {"first-ply", OPTION_INT, "N", "leave out the first N plies of a game (default 0)", &filter.first_ply, 0, 1000},
        {"net", OPTION_TEXT, "FILE", "the network whose scores these are", &net, 0, 0},
        {"out", OPTION_TEXT, "FILE", "that network with these curves in it, and its provenance beside it", &out, 0, 0},
        {"json", OPTION_FLAG, NULL, "one JSON object", &json, 0, 0},
        {0},
    };
    const CommandSpec spec = {.usage   = "tabia train wdl --data DIR... [options]",
                              .summary = "Fits the curves that turn a value into the chances of winning, drawing and losing.",
                              .example = "tabia train wdl --data games --net first.net --out fitted.net",
                              .options = options};
    int               count, code = cli_parse(&spec, argc, argv, NULL, &count);
    if (code >= 0) return code;
    if (data.count == 0) return cli_usage(&spec, "from what? give --data DIR");
    if (!net != !out)
        return cli_usage(&spec, "--net and --out go together: the network, and where to write it with these curves");
    SampleSet    set    = {0};
    SampleSource source = {0};
    Rng          rng    = rng_seeded(1);
    WdlFit       fit;
    Err          err;
    bool         ok = true;
    for (int i = 0; ok && i < data.count; i++) ok = samples_read(&set, data.items[i], &filter, &rng, &source, &err);
    ok = ok && wdl_fit(&set, &fit, &err) && (!net || put_into_network(&fit, net, out, &err));
    if (ok) print_fit(&fit, json);
    samples_release(&set);
    return ok ? EXIT_DONE : cli_fail("%s", err.text);
}

/* plot.c - see plot.h. */
#include "lab/plot.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 960, HEIGHT = 520, LEFT = 70, RIGHT = 24, TOP = 56, BOTTOM = 110, COLORS_TOLD_APART = 5 };

static const char STYLE[] =
    "<style>\n"
    "svg{--bg:#ffffff;--ink:#1f2328;--soft:#59636e;--grid:#d8dee4;--c0:#0969da;--c1:#bc4c00;--c2:#1a7f37;--c3:#8250df;--c4:#"
    "bf3989;"
    "font-family:system-ui,sans-serif}\n"
    "@media (prefers-color-scheme:dark){svg{--bg:#0d1117;--ink:#e6edf3;--soft:#9198a1;--grid:#2a313c;--c0:#4493f8;--c1:#f0883e;"
    "--c2:#3fb950;--c3:#ab7df8;--c4:#f778ba}}\n"
    "text{fill:var(--ink);font-size:13px}.soft{fill:var(--soft);font-size:12px}.title{font-size:17px;font-weight:600}\n"
    ".grid{stroke:var(--grid);stroke-width:1}.line{fill:none;stroke-width:2.2;stroke-linejoin:round}\n"
    "</style>\n";

/* Powers of ten that hold all values. */
typedef struct {
    int low, high;
} Decades;

static Decades decades_of(const PlotSeries *series, size_t count)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < series[i].count; k++) {
            double v = series[i].values[k];
            if (v <= 0) continue;
            low  = v < low ? v : low;
            high = v > high ? v : high;
        }
    }
    if (high <= 0) return (Decades){0, 1};
    Decades d = {(int)floor(log10(low)), (int)ceil(log10(high))};
    if (d.high == d.low) d.high++;
    return d;
}

static double y_of(Decades d, double value)
{
    double share = (log10(value) - d.low) / (d.high - d.low);
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
}

static void begin(Buf *out, const PlotLabels *labels, Decades d)
{
    buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", WIDTH,
               HEIGHT, labels->title);
    buf_append(out, str_from(STYLE));
    buf_printf(out, "<rect width=\"%d\" height=\"%d\" fill=\"var(--bg)\"/>\n", WIDTH, HEIGHT);
    buf_printf(out, "<text class=\"title\" x=\"%d\" y=\"28\">%s</text>\n", LEFT, labels->title);
    buf_printf(out, "<text class=\"soft\" x=\"%d\" y=\"46\">%s</text>\n", LEFT, labels->y_label);
    buf_printf(out, "<text class=\"soft\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", WIDTH - RIGHT, HEIGHT - 10,
               labels->x_label);
    static const char *const marks[] = {"1", "10", "100", "1 k", "10 k", "100 k", "1 M", "10 M", "100 M", "1 G", "10 G", "100 G"};
    for (int e = d.low; e <= d.high; e++) {
        double y = y_of(d, pow(10, e));
        buf_printf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT, WIDTH - RIGHT, y, y);
        if (e >= 0 && e < (int)(sizeof marks / sizeof *marks))
            buf_printf(out, "<text class=\"soft\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y + 4,
                       marks[e]);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Of the values above zero; 0 when there is none. */
static double median_of(const PlotSeries *series)
{
    double *sorted = malloc((series->count + 1) * sizeof *sorted);
    size_t  n      = 0;
    if (!sorted) return 0;
    for (size_t i = 0; i < series->count; i++) {
        if (series->values[i] > 0) sorted[n++] = series->values[i];
    }
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    double median = n == 0 ? 0 : n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    free(sorted);
    return median;
}

void plot_columns(Buf *out, const PlotLabels *labels, const PlotSeries *series, size_t count)
{
    Decades d    = decades_of(series, count);
    double  step = (double)(WIDTH - LEFT - RIGHT) / (double)(count ? count : 1);
    begin(out, labels, d);
    for (size_t i = 0; i < count; i++) {
        double x = LEFT + step * ((double)i + 0.5), median = median_of(&series[i]);
        for (size_t k = 0; k < series[i].count; k++) {
            double v      = series[i].values[k];
            double wobble = ((double)(k % 5) - 2) * step * 0.09; /* so that equal values do not hide each other */
            if (v > 0)
                buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"var(--c0)\" fill-opacity=\"0.55\"/>\n",
                           x + wobble, y_of(d, v));
        }
        if (median > 0) {
            double y = y_of(d, median);
            buf_printf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"var(--c1)\" stroke-width=\"3\"/>\n",
                       x - step * 0.36, x + step * 0.36, y, y);
        }
        buf_printf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"end\" transform=\"rotate(-50 %.1f %d)\">%s</text>\n", x + 5,
                   HEIGHT - BOTTOM + 18, x + 5, HEIGHT - BOTTOM + 18, series[i].name);
    }
    buf_append(out, STR("</svg>\n"));
}

static void draw_line(Buf *out, const PlotSeries *series, Decades d, double step, size_t color)
{
    bool pen = false;
    buf_printf(out, "<path class=\"line\" stroke=\"var(--c%zu)\" d=\"", color);
    for (size_t k = 0; k < series->count; k++) {
        if (series->values[k] <= 0) {
            pen = false;
            continue;
        }
        buf_printf(out, "%c%.1f %.1f", pen ? 'L' : 'M', LEFT + step * (double)k, y_of(d, series->values[k]));
        pen = true;
    }
    buf_append(out, STR("\"/>\n"));
    for (size_t k = 0; k < series->count; k++) {
        if (series->values[k] > 0)
            buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"var(--c%zu)\"/>\n", LEFT + step * (double)k,
                       y_of(d, series->values[k]), color);
    }
}

void plot_lines(Buf *out, const PlotLabels *labels, const PlotSeries *series, size_t count)
{
    Decades d      = decades_of(series, count);
    size_t  points = 1;
    for (size_t i = 0; i < count; i++) points = series[i].count > points ? series[i].count : points;
    double step = (double)(WIDTH - LEFT - RIGHT) / (double)(points > 1 ? points - 1 : 1);
    begin(out, labels, d);
    size_t every = points > 24 ? 5 : 1;
    for (size_t k = 0; k < points; k += every)
        buf_printf(out, "<text class=\"soft\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", LEFT + step * (double)k,
                   HEIGHT - BOTTOM + 20, labels->x_first + (double)k);
    for (size_t i = 0; i < count; i++) {
        size_t color = i % COLORS_TOLD_APART;
        draw_line(out, &series[i], d, step, color);
        buf_printf(out, "<rect x=\"%zu\" y=\"%d\" width=\"14\" height=\"4\" fill=\"var(--c%zu)\"/>\n", LEFT + i * 210,
                   HEIGHT - 56, color);
        buf_printf(out, "<text x=\"%zu\" y=\"%d\">%s</text>\n", LEFT + i * 210 + 20, HEIGHT - 50, series[i].name);
    }
    buf_append(out, STR("</svg>\n"));
}
